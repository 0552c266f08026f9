//! Two corpora: credentials that must be replaced, and look-alikes that must stay.

use std::collections::BTreeMap;

use orgmem_policies::scrub::Scrubber;
use serde::Deserialize;

#[derive(Deserialize)]
struct Credentials {
    credential: Vec<Credential>,
}

#[derive(Deserialize)]
pub(crate) struct Credential {
    pub(crate) shape: String,
    kinds: Vec<String>,
    text: String,
}

impl Credential {
    /// The text, its expected result, and the secrets in it.
    pub(crate) fn read(&self) -> (String, String, Vec<String>) {
        let written = self.text.replace('¦', "");
        let mut kinds = self.kinds.iter();
        let (mut text, mut expected, mut secrets) = (String::new(), String::new(), vec![]);
        for (part, piece) in written.split(['«', '»']).enumerate() {
            text.push_str(piece);
            if part % 2 == 0 {
                expected.push_str(piece);
            } else {
                expected.push_str(&format!("[REDACTED:{}]", kinds.next().expect("a kind for every secret")));
                secrets.push(piece.to_owned());
            }
        }
        assert_eq!(kinds.next(), None, "{}: more kinds than secrets", self.shape);
        (text, expected, secrets)
    }
}

pub(crate) fn credentials() -> Vec<Credential> {
    let file: Credentials = toml::from_str(include_str!("credentials.toml")).expect("a corpus");
    file.credential
}

pub(crate) fn harmless() -> BTreeMap<String, Vec<String>> {
    toml::from_str(include_str!("harmless.toml")).expect("a corpus")
}

fn scrub(text: &str) -> String {
    Scrubber::built_in().scrub(text).0.into_string()
}

/// Reports all failures of a corpus at first, because one rule often fixes several.
fn check(failures: Vec<String>) {
    assert!(failures.is_empty(), "{} of the corpus:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_credential_is_replaced_and_nothing_else() {
    let failures = credentials().into_iter().filter_map(|credential| {
        let (text, expected, _) = credential.read();
        let got = scrub(&text);
        (got != expected).then(|| format!("{}:\n  got      {got:?}\n  expected {expected:?}", credential.shape))
    });
    check(failures.collect());
}

#[test]
fn credential_is_replaced_in_every_context() {
    type Surround = fn(&str) -> String;
    let surroundings: [(&str, Surround); 5] = [
        ("in stringified JSON", |text| serde_json::to_string(text).expect("JSON")),
        ("in JSON in JSON", |text| serde_json::to_string(&serde_json::to_string(text).expect("JSON")).expect("JSON")),
        ("in a quoted mail", |text| text.lines().map(|line| format!("> {line}\n")).collect()),
        ("between other scripts", |text| format!("密钥：{text}。Ключ выше.")),
        ("in the middle of prose", |text| format!("see below, thanks\n\n{text}\n\nregards, Bob")),
    ];
    let mut failures = vec![];
    for credential in credentials() {
        let (text, _, secrets) = credential.read();
        for (name, surround) in surroundings {
            let scrubbed = scrub(&surround(&text));
            let left = secrets.iter().filter(|secret| !secret.contains('\n') && scrubbed.contains(secret.as_str()));
            failures.extend(left.map(|secret| format!("{}, {name}: `{secret}` in {scrubbed:?}", credential.shape)));
        }
    }
    check(failures);
}

#[test]
fn look_alikes_stay_unchanged() {
    let corpus = harmless();
    let texts = corpus.iter().flat_map(|(group, texts)| texts.iter().map(move |text| (group, text)));
    let failures = texts.filter_map(|(group, text)| {
        let got = scrub(text);
        (got != *text).then(|| format!("{group}: {got:?}\n   from {text:?}"))
    });
    check(failures.collect());
}

#[test]
fn concatenated_look_alikes_stay_unchanged() {
    for (group, texts) in harmless() {
        let text = texts.join("\n");
        assert_eq!(scrub(&text), text, "{group}");
    }
}

#[test]
fn corpora_have_the_minimum_size() {
    let harmless: usize = harmless().values().map(Vec::len).sum();
    assert!(credentials().len() >= 60, "{} credential shapes", credentials().len());
    assert!(harmless >= 200, "{harmless} look-alikes");
}
