//! 64 KiB of any text take less than 5 ms in a release build.

use std::time::{Duration, Instant};

use orgmem_policies::scrub::Scrubber;

use crate::corpora::{credentials, harmless};

/// Debug builds only detect explosions: run `cargo test --release` to measure.
const SIZE_BYTES: usize = if cfg!(debug_assertions) { 4 * 1024 } else { 64 * 1024 };

const RUNS: usize = if cfg!(debug_assertions) { 1 } else { 20 };

/// For ordinary text.
const ORDINARY: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 5 });

/// For adversarial text: a constant factor more, because all steps are linear.
const AT_WORST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 50 });

/// `part` repeated to 64 KiB.
fn filled(part: &str) -> String {
    let mut text = part.repeat(SIZE_BYTES / part.len() + 1);
    text.truncate(text.floor_char_boundary(SIZE_BYTES));
    text
}

/// The best of several runs, because other load only adds time.
fn cost(text: &str) -> Duration {
    let scrubber = Scrubber::built_in();
    let run = || {
        let start = Instant::now();
        std::hint::black_box(scrubber.scrub(text));
        start.elapsed()
    };
    (0..RUNS).map(|_| run()).min().unwrap_or_default()
}

/// Reports all texts that take too long; `--nocapture` shows every time.
fn check(limit: Duration, texts: impl IntoIterator<Item = (String, String)>) {
    let slow = texts.into_iter().filter_map(|(name, text)| {
        let cost = cost(&text);
        println!("{cost:>12.3?}  {name:?}");
        (cost >= limit).then(|| format!("{name:?}: {cost:?} for {} bytes", text.len()))
    });
    let slow: Vec<String> = slow.collect();
    assert!(slow.is_empty(), "limit {limit:?}\n{}", slow.join("\n"));
}

#[test]
fn ordinary_text_is_cheap() {
    check(ORDINARY, harmless().into_iter().map(|(group, texts)| (group, filled(&format!("{}\n", texts.join("\n"))))));
}

#[test]
fn text_full_of_credentials_is_cheap() {
    let texts: Vec<String> = credentials().iter().map(|credential| credential.read().0).collect();
    let lines = format!("{}\n", texts.join("\n"));
    check(ORDINARY, [("lines".to_owned(), filled(&lines)), ("one line".to_owned(), filled(&lines.replace('\n', " ")))]);
}

#[test]
fn adversarial_text_is_cheap() {
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
    ];
    check(AT_WORST, parts.map(|part| (part.to_owned(), filled(part))));
}
