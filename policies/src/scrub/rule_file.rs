//! Parser of rule files.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::pattern::Pattern;
use super::rule::{At, NamePatterns, Rule};
use super::scrubber::marker;
use super::shape::Strictness;
use super::stand_in::{StandInText, StandIns};

/// An invalid rule file.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// Not TOML, or not of the form in `policies/rules/README.md`.
    #[error("the rule file cannot be read: {0}")]
    Unreadable(#[from] toml::de::Error),
    /// The keywords do not fit into an automaton.
    #[error("the keywords of the rule file cannot be used: {0}")]
    Keywords(#[from] aho_corasick::BuildError),
    /// A field of a rule is invalid.
    #[error("rule `{rule}`: {message}")]
    Faulty {
        /// Id of the rule.
        rule: String,
        /// The fault and a remedy.
        message: String,
    },
    /// All examples with a result other than the file expects.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Examples(Vec<FailedExample>),
}

/// An example with an unexpected result.
#[derive(Debug, thiserror::Error)]
#[error("rule `{rule}`: example {number} gives `{got}`, not `{expected}`")]
pub struct FailedExample {
    /// Id of the rule.
    pub rule: String,
    /// Counted from 1, `matches` before `ignores`.
    pub number: usize,
    /// The actual result.
    pub got: String,
    /// The expected result.
    pub expected: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileText {
    #[serde(default)]
    parts: BTreeMap<String, String>,
    stand_ins: StandInText,
    rule: Vec<RuleText>,
    #[serde(default)]
    harmless: Vec<HarmlessText>,
}

/// A file with rules of a deployment, which the built-in ones follow.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddedText {
    #[serde(default)]
    parts: BTreeMap<String, String>,
    #[serde(default)]
    rule: Vec<RuleText>,
    #[serde(default)]
    harmless: Vec<HarmlessText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    id: String,
    kind: String,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    at: At,
    names: Option<String>,
    unless: Option<String>,
    pattern: String,
    #[serde(default)]
    shape: Strictness,
    #[serde(default)]
    min_bytes: usize,
    #[serde(default)]
    min_entropy: f64,
    #[serde(default)]
    numbers: bool,
    #[serde(default)]
    weak: bool,
    matches: Vec<String>,
    ignores: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HarmlessText {
    id: String,
    keywords: Vec<String>,
    pattern: String,
}

/// A text and its expected result.
pub(super) struct RuleExample {
    pub(super) rule: String,
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) expected: String,
}

/// Whether the patterns of a rule file are known to be valid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PatternCheck {
    /// Valid: a test reads the file.
    Checked,
    /// Unknown: all patterns are compiled immediately.
    Unchecked,
}

/// A parsed rule file. Keywords come with the index of their rule or harmless pattern.
pub(super) struct RuleFile {
    pub(super) stand_ins: StandIns,
    pub(super) rules: Vec<Rule>,
    pub(super) keywords: Vec<(String, usize)>,
    pub(super) harmless: Vec<Pattern>,
    pub(super) harmless_keywords: Vec<(String, usize)>,
    pub(super) examples: Vec<RuleExample>,
}

impl RuleFile {
    pub(super) fn parse(text: &str, patterns: PatternCheck) -> Result<Self, RuleError> {
        Self::assemble(toml::from_str(text)?, patterns)
    }

    /// The rules of `added`, which may use the parts of `built_in`, before those of `built_in`. The examples are those of
    /// `added`.
    pub(super) fn parse_with(built_in: &str, added: &str) -> Result<Self, RuleError> {
        let mut file: FileText = toml::from_str(built_in)?;
        let AddedText { parts, rule: mut rules, harmless } = toml::from_str(added)?;
        for (name, part) in parts {
            if file.parts.contains_key(&name) {
                return Err(faulty(&name, "this name of a part is built in; choose another one"));
            }
            file.parts.insert(name, part);
        }
        let mut known: BTreeSet<&str> = file.rule.iter().map(|rule| &*rule.id).collect();
        if let Some(taken) = rules.iter().find(|rule| !known.insert(&rule.id)) {
            return Err(faulty(&taken.id, "another rule has this `id`"));
        }
        let added: usize = rules.iter().map(|rule| rule.matches.len() + rule.ignores.len()).sum();
        rules.append(&mut file.rule);
        file.rule = rules;
        file.harmless.extend(harmless);
        let mut assembled = Self::assemble(file, PatternCheck::Unchecked)?;
        assembled.examples.truncate(added);
        Ok(assembled)
    }

    fn assemble(file: FileText, patterns: PatternCheck) -> Result<Self, RuleError> {
        let FileText { parts, stand_ins, rule, harmless } = file;
        let parts = parts.iter().map(|(name, part)| (name.clone(), fill(part, &parts))).collect();
        let mut file = Self {
            stand_ins: StandIns::new(stand_ins)?,
            rules: vec![],
            keywords: vec![],
            harmless: vec![],
            harmless_keywords: vec![],
            examples: vec![],
        };
        for rule in rule {
            check_fields(&rule).map_err(|message| faulty(&rule.id, message))?;
            file.examples.extend(examples(&rule));
            file.keywords.extend(rule.keywords.iter().map(|keyword| (keyword.clone(), file.rules.len())));
            let id = rule.id.clone();
            let rule = filled(rule, &parts);
            if patterns == PatternCheck::Unchecked {
                rule.check().map_err(|error| faulty(&id, error))?;
            }
            file.rules.push(rule);
        }
        for HarmlessText { id, keywords, pattern } in harmless {
            file.harmless_keywords.extend(keywords.into_iter().map(|keyword| (keyword, file.harmless.len())));
            let pattern = Pattern::anchored(&fill(&pattern, &parts));
            if patterns == PatternCheck::Unchecked {
                pattern.check().map_err(|error| faulty(&id, error))?;
            }
            file.harmless.push(pattern);
        }
        Ok(file)
    }
}

fn faulty(rule: &str, message: impl ToString) -> RuleError {
    RuleError::Faulty { rule: rule.to_owned(), message: message.to_string() }
}

fn check_fields(rule: &RuleText) -> Result<(), &'static str> {
    let kind_is_a_word = rule.kind.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if !kind_is_a_word || !(2..=32).contains(&rule.kind.len()) {
        return Err("`kind` must be 2 to 32 of `A` to `Z` and `_`");
    }
    if rule.keywords.is_empty() != (rule.at == At::Anywhere) {
        return Err("a rule has `keywords`, or `at = \"anywhere\"` and none");
    }
    if rule.keywords.iter().any(|keyword| keyword.len() < 2) {
        return Err("each of `keywords` must be 2 bytes or longer");
    }
    if rule.names.is_some() != (rule.at == At::Name) {
        return Err("`names` and `at = \"name\"` need each other");
    }
    if rule.matches.is_empty() || rule.ignores.is_empty() {
        return Err("`matches` and `ignores` need an example each");
    }
    Ok(())
}

fn filled(rule: RuleText, parts: &BTreeMap<String, String>) -> Rule {
    let anywhere = |pattern: String| Pattern::floating(&fill(&pattern, parts));
    let names = rule.names.map(|names| NamePatterns { names: anywhere(names), unless: rule.unless.map(anywhere) });
    let pattern = match rule.at {
        At::Anywhere => anywhere(rule.pattern),
        _ => Pattern::anchored(&fill(&rule.pattern, parts)),
    };
    Rule {
        kind: rule.kind.into(),
        at: rule.at,
        names,
        pattern,
        shape: rule.shape,
        min_bytes: rule.min_bytes,
        min_entropy: rule.min_entropy,
        numbers: rule.numbers,
        weak: rule.weak,
    }
}

/// Replaces `{part}` in `pattern` by the text in `[parts]`. Parts may refer to parts without references.
fn fill(pattern: &str, parts: &BTreeMap<String, String>) -> String {
    parts.iter().fold(pattern.to_owned(), |pattern, (name, part)| pattern.replace(&format!("{{{name}}}"), part))
}

/// Removes `¦` from an example; `«…»` encloses the text to be replaced.
fn examples(rule: &RuleText) -> impl Iterator<Item = RuleExample> {
    rule.matches.iter().chain(&rule.ignores).enumerate().map(|(index, example)| {
        let example = example.replace('¦', "");
        let marker = marker(&rule.kind);
        let parts = example.split(['«', '»']).enumerate();
        RuleExample {
            rule: rule.id.clone(),
            number: index + 1,
            text: example.replace(['«', '»'], ""),
            expected: parts.map(|(part, text)| if part % 2 == 0 { text } else { &marker }).collect(),
        }
    })
}
