//! The permitted dependencies between crates, and the pure crates' freedom from I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Each crate of the workspace with the crates that it may depend on.
///
/// Source: docs/architecture.md, "Folders".
const PERMITTED: &[(&str, &[&str])] = &[
    ("orgmem-hierarchy", &[]),
    ("orgmem-recall", &[]),
    ("orgmem-compact", &["orgmem-recall"]),
    ("orgmem-extract", &[]),
    ("orgmem-distil", &[]),
    ("orgmem-policies", &["orgmem-hierarchy"]),
    ("orgmem-types", &["orgmem-hierarchy"]),
    ("orgmem-store", &["orgmem-policies", "orgmem-recall", "orgmem-compact", "orgmem-hierarchy"]),
    ("orgmem-embed", &[]),
    ("orgmem-console", &[]),
    (
        "orgmem",
        &[
            "orgmem-store",
            "orgmem-types",
            "orgmem-policies",
            "orgmem-recall",
            "orgmem-compact",
            "orgmem-extract",
            "orgmem-distil",
            "orgmem-embed",
            "orgmem-hierarchy",
            "orgmem-console",
        ],
    ),
    // the model is the oracle for the others
    ("orgmem-model", &[]),
    ("orgmem-cluster", &[]),
    (
        "orgmem-tests",
        &[
            "orgmem",
            "orgmem-store",
            "orgmem-types",
            "orgmem-policies",
            "orgmem-recall",
            "orgmem-hierarchy",
            "orgmem-model",
            "orgmem-cluster",
        ],
    ),
    ("orgmem-quality", &["orgmem-recall", "orgmem-embed", "orgmem-tests"]),
    // the load generator reimplements the limits that it measures
    ("orgmem-load", &["orgmem-embed", "orgmem-store", "orgmem-recall", "orgmem-hierarchy", "orgmem-cluster"]),
];

/// Additional crates for the tests of any crate.
const FOR_TESTS: &[&str] = &["orgmem-model", "orgmem-tests", "orgmem-cluster"];

/// Crates without I/O and clocks, with all their external dependencies. An external crate that opens files or sockets,
/// reads the time or starts threads is not permitted.
const PURE: &[(&str, &[&str])] = &[
    ("orgmem-hierarchy", &["foldhash", "petgraph", "schemars", "serde", "thiserror", "utoipa", "uuid"]),
    (
        "orgmem-policies",
        &[
            "aho-corasick",
            "chrono",
            "hex",
            "regex",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "toml",
            "unicode-normalization",
            "uuid",
        ],
    ),
    (
        "orgmem-recall",
        &[
            "foldhash",
            "hashbrown",
            "memchr",
            "rust-stemmers",
            "thiserror",
            "unicode-normalization",
            "unicode-segmentation",
            "uuid",
            "whichlang",
        ],
    ),
    ("orgmem-compact", &["sha2", "uuid"]),
    ("orgmem-extract", &["csv-core", "encoding_rs", "flate2", "html5gum", "thiserror", "weezl"]),
    ("orgmem-distil", &["chrono", "croner", "csv-core", "hex", "serde", "serde_json", "sha2", "thiserror"]),
];

/// Tokens that indicate I/O, clocks or randomness.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time::SystemTime",
    "std::time::Instant",
    "Utc::now",
    "Local::now",
    "SystemTime::now",
    "Instant::now",
    "now_v7",
    "new_v4",
    "println!",
    "async fn",
];

struct Crate {
    folder: PathBuf,
    normal: BTreeSet<String>,
    dev: BTreeSet<String>,
}

fn workspace() -> BTreeMap<String, Crate> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let args = ["metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest];
    let output = Command::new(cargo).args(args).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    packages.iter().map(|package| (text(&package["name"]), read(package))).collect()
}

fn read(package: &Value) -> Crate {
    let dependencies = package["dependencies"].as_array().expect("dependencies are listed");
    let of_kind = |dev: bool| {
        let wanted = dependencies.iter().filter(|dependency| (dependency["kind"] == "dev") == dev);
        wanted.map(|dependency| text(&dependency["name"])).collect()
    };
    let manifest = PathBuf::from(text(&package["manifest_path"]));
    let folder = manifest.parent().expect("a manifest lies in a folder").to_owned();
    Crate { folder, normal: of_kind(false), dev: of_kind(true) }
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

#[test]
fn crates_depend_only_on_permitted_crates() {
    let crates = workspace();
    let ours: BTreeSet<_> = crates.keys().cloned().collect();
    let drawn: BTreeSet<_> = PERMITTED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(ours, drawn, "the table lists every crate of the workspace, and no other");
    for (name, allowed) in PERMITTED {
        let found = &crates[*name];
        for other in found.normal.intersection(&ours) {
            assert!(allowed.contains(&other.as_str()), "`{name}` may not depend on `{other}`");
        }
        for other in found.dev.intersection(&ours) {
            let is_allowed = allowed.contains(&other.as_str()) || FOR_TESTS.contains(&other.as_str());
            assert!(is_allowed, "the tests of `{name}` may not depend on `{other}`");
        }
    }
}

#[test]
fn pure_crates_have_only_listed_dependencies() {
    let crates = workspace();
    for (name, allowed) in PURE {
        let elsewhere = crates[*name].normal.iter().filter(|other| !crates.contains_key(*other));
        let unknown: Vec<_> = elsewhere.filter(|other| !allowed.contains(&other.as_str())).collect();
        assert!(unknown.is_empty(), "`{name}` is pure; unlisted dependencies {unknown:?}");
    }
}

#[test]
fn pure_crates_do_no_io_and_read_no_clock() {
    let crates = workspace();
    for (name, _) in PURE {
        for file in sources(&crates[*name].folder.join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source file can be read");
            let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
            for (number, line) in code {
                let found = IMPURE.iter().find(|token| line.contains(**token));
                assert_eq!(found, None, "{}:{}: `{name}` is pure", file.display(), number + 1);
            }
        }
    }
}

#[test]
fn only_the_store_depends_on_diesel() {
    // the tests compare tables
    let allowed = ["orgmem-store", "orgmem-tests"];
    for (name, found) in workspace() {
        assert!(!found.normal.contains("diesel") || allowed.contains(&name.as_str()), "`{name}` depends on diesel");
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a source folder can be listed") {
            let path = entry.expect("an entry of a folder").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}
