//! The cost of a scrub grows like the size of its text, whatever the text. The tests count examined bytes, not time:
//! `cargo test --release -p orgmem-policies --test scrub cost -- --nocapture --test-threads 1` also shows times.

use orgmem_policies::scrub::Scrubber;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::corpora::{credentials, harmless};

/// The size of the smallest text; a long part is repeated at least 6 times.
const SIZE_BYTES: usize = 256;

/// Limit of the examined bytes, per byte of text. Honest texts need 4 to 40.
const MOST: f64 = 400.0;

/// `part` repeated to at least `bytes`, then `end`.
fn filled(part: &str, end: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len() + 1) + end
}

/// Whether work at 1, 2, 4 and 8 times the size grows like the size: twice the additional text costs at most 2.2 times
/// the additional work. Differences ignore the constant part, such as the ends of the text.
fn grows_linearly(smallest: usize, work: impl Fn(usize) -> (usize, u64)) -> Result<(), String> {
    let measured = [1, 2, 4, 8].map(|times| work(times * smallest));
    let slope = |from: usize| {
        let ((bytes, work), (more_bytes, more_work)) = (measured[from], measured[from + 1]);
        more_work.saturating_sub(work) as f64 / (more_bytes - bytes) as f64
    };
    let limit = (slope(0).max(slope(1)) * 1.1 + 4.0).min(MOST);
    if slope(2) <= limit { Ok(()) } else { Err(format!("bytes and work: {measured:?}")) }
}

/// Reports all texts with super-linear work.
fn check(texts: impl IntoIterator<Item = (String, String)>) {
    let failed = texts.into_iter().filter_map(|(part, end)| {
        let scrubber = Scrubber::built_in();
        let work = |bytes| {
            let text = filled(&part, &end, bytes);
            (text.len(), scrubber.work(&text))
        };
        show_time(&part, &end);
        grows_linearly(SIZE_BYTES.max(6 * part.len()), work).err().map(|error| format!("{part:?} … {end:?}: {error}"))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Shows the best of several runs with 64 KiB in a release build, because other load only adds time.
fn show_time(part: &str, end: &str) {
    if cfg!(debug_assertions) {
        return;
    }
    let text = filled(part, end, 64 * 1024);
    let run = || {
        let start = processor_nanos();
        std::hint::black_box(Scrubber::built_in().scrub(&text));
        processor_nanos() - start
    };
    let best = (0..10).map(|_| run()).min().unwrap_or_default() / 1000;
    let work = Scrubber::built_in().work(&text) / text.len() as u64;
    let part: String = part.chars().take(60).collect();
    println!("{best:>9} µs {work:>4} bytes/byte  {part:?} … {end:?}");
}

/// Processor time of this thread, where Linux counts it; otherwise 0.
fn processor_nanos() -> u64 {
    let counters = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    counters.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or_default()
}

fn without_end(part: impl Into<String>) -> (String, String) {
    (part.into(), String::new())
}

#[test]
fn work_of_look_alikes_is_linear() {
    check(harmless().into_values().map(|texts| without_end(format!("{}\n", texts.join("\n")))));
    check(harmless().into_values().flatten().map(without_end));
}

#[test]
fn work_of_credentials_is_linear() {
    let texts: Vec<String> = credentials().iter().map(|credential| credential.read().0).collect();
    let lines = format!("{}\n", texts.join("\n"));
    check([without_end(lines.replace('\n', " ")), without_end(lines)]);
    check(texts.into_iter().map(without_end));
}

/// Rules with their keywords and examples.
#[derive(Deserialize)]
struct Rules {
    rule: Vec<Rule>,
    harmless: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    ignores: Vec<String>,
}

/// Texts of every rule: each keyword with everything that may follow it, and each example in halves.
#[test]
fn work_of_generated_text_for_every_rule_is_linear() {
    let rules: Rules = toml::from_str(include_str!("../../rules/secrets.toml")).expect("rules");
    let followers =
        ["", "a", " ", "=", "=0&", "=x ", ": a ", "=\"", "='a", "=a(", "://a:", "-----", "A1b2C3d4e5f6g7h8i9j0k1"];
    let ends = ["", "(", "\"", "@", "}"];
    let mut texts = Vec::new();
    for rule in rules.rule.iter().chain(&rules.harmless) {
        for keyword in &rule.keywords {
            let parts = followers.iter().map(|follower| format!("{keyword}{follower}"));
            texts.extend(parts.enumerate().map(|(number, part)| (part, ends[number % ends.len()].to_owned())));
        }
        for example in rule.matches.iter().chain(&rule.ignores) {
            let example = example.replace(['¦', '«', '»'], "");
            let (start, end) = example.split_at(example.floor_char_boundary(example.len() / 2));
            texts.extend([start, end].iter().filter(|half| !half.is_empty()).map(|half| without_end(*half)));
            texts.push((example.clone(), "(".to_owned()));
        }
    }
    assert!(texts.len() > 2000, "{} texts", texts.len());
    check(texts);
}

#[test]
fn work_of_adversarial_text_is_linear() {
    let parts = [
        "a",
        "=",
        "-",
        "_",
        ".",
        "/",
        "\\",
        "\"",
        " ",
        "\n",
        "é",
        "字",
        "[",
        "[REDACTED:",
        "[REDACTED:JWT]",
        "%41",
        "Aa1",
        "key",
        "key=",
        "key:",
        "key=\"",
        "key='key=\"",
        "\"key\":",
        "password",
        "password=",
        "password=\"",
        "password: ",
        "password>",
        "PASSWORD=",
        "PASSWORD: ",
        "PASSWORD: a ",
        "DB_PASSWORD=\"${",
        "DB_PASSWORD=\"$(a1",
        "token=token:",
        "token=https://",
        "secret=secret=",
        "auth=://",
        "sk-",
        "sk-ant-",
        "ghp_",
        "AKIA",
        "eyJ",
        "eyJ-",
        "eyJ.",
        "eyJaaaaaaaa.",
        "eyJaaaaaaaa.eyJ",
        "glpat-.",
        "xoxb-",
        "xapp-1-a-",
        "SG.",
        "hvs.",
        "://",
        "://:",
        "://a:",
        "a://b:c@",
        "postgres://",
        "postgres://a:b",
        "jdbc:",
        "@tcp(",
        ":AA",
        "1:AA",
        "-us",
        "--",
        "--password ",
        "--password\t",
        "curl ",
        "curl -u ",
        "mysql ",
        "mysql -p",
        "machine ",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----a",
        "Private-Lines: 1 ",
        "sha256-",
        "sha256-Aa1",
        "data:",
        "data:a/b;base64,",
        "https://",
        "https://A1b2C3d4/",
        "hash",
        "hash=",
        "public",
        "M1b2C3d4e5f6G7h8i9j0k1l2.",
        "Bearer ",
        "Bearer a",
        "authorization: ",
        "Authorization: Basic ",
        "value",
        "name: PASSWORD\n",
        "PASSWORD\nvalue: ",
        "PASSWORD        ",
        "7Q~",
        "£7Q~",
        "token=0&",
        "token=1&token=abcdefgh1&",
        "api_key=0&token=1&password=2&secret=3&",
        "token:",
        "auth:token:secret:password:",
        "token=fetch.",
        "public",
        "\"n\"",
        "hash-",
        "[REDACTED:JWT] token=",
        "sk-hf_gsk_xai-pplx-tvly-",
        "MNO.",
        "Mabcdefghijklmnopqrstuvwx.abcdef.",
        "machine a login b ",
        "\u{200b}",
        "p\u{200b}assword=",
        "ｔｏｋｅｎ＝０＆",
        "\u{fdfa}",
        "e\u{301}",
    ];
    check(parts.map(without_end));
    check(parts.map(|part| (part.to_owned(), "(".to_owned())));
    // a find of the weak rule lets the harmless spans be searched
    let blob = "T9K8ZtdTAy9R7N4Y4IEkYso5AX9SM00dW68gwySQ5VbIXPGEsX";
    check(parts.map(|part| (part.to_owned(), format!(" {blob}"))));
}

#[test]
fn work_of_a_callback_address_with_many_tokens_is_linear() {
    let work = |bytes: usize| {
        let mut text = String::from("https://h/cb?");
        let mut number = 0;
        while text.len() < bytes {
            text.push_str(&format!("token={number}&"));
            number += 1;
        }
        (text.len(), Scrubber::built_in().work(&text))
    };
    assert_eq!(grows_linearly(SIZE_BYTES, work), Ok(()));
}

/// One value with many templates that do not end.
#[test]
fn work_of_a_value_with_unclosed_templates_is_linear() {
    for (part, end) in [("${", ""), ("${a1", "\""), ("$(a1${", ""), ("{{a1", "\""), ("${$(a1", "}"), ("<%a1${", ")")] {
        let work = |bytes| {
            let text = format!("DB_PASSWORD=\"{}", filled(part, end, bytes));
            (text.len(), Scrubber::built_in().work(&text))
        };
        assert_eq!(grows_linearly(SIZE_BYTES, work), Ok(()), "{part:?} … {end:?}");
    }
}

#[test]
fn work_of_json_is_linear() {
    let long = |bytes: usize| "password ".repeat(bytes / 18);
    type Shape = fn(usize, String) -> Value;
    let shapes: [(&str, Shape); 5] = [
        ("a long name of many strings", |bytes, long| json!({long: vec!["a"; bytes / 8]})),
        ("a long variable of many strings", |bytes, long| json!({"name": long, "value": vec!["a"; bytes / 8]})),
        ("many names", |bytes, _| {
            (0..bytes / 20).map(|number| (format!("api_key_{number}"), json!("abc12"))).collect()
        }),
        ("a long path", |bytes, long| json!({long: [[[[vec!["password=hunter2"; bytes / 36]]]]]})),
        ("a long value", |bytes, long| json!({"password": long, "token": "a1\\".repeat(bytes / 12)})),
    ];
    for (shape, build) in shapes {
        let work = |bytes| {
            let value = build(bytes, long(bytes));
            (value.to_string().len(), Scrubber::built_in().work_json(Some("tokens"), value))
        };
        assert_eq!(grows_linearly(SIZE_BYTES, work), Ok(()), "{shape}");
    }
}
