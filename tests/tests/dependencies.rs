//! Who may lean on whom, read from the dependency graph: every arrow points down, and what is pure stays pure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The house: each of our crates and those of ours it may lean on. `dev` is what its tests may use besides.
///
/// Source: docs/architecture.md, "The house".
const MAY_LEAN_ON: &[(&str, &[&str])] = &[
    ("orgmem-hierarchy", &[]),
    ("orgmem-recall", &[]),
    ("orgmem-policies", &["orgmem-hierarchy"]),
    ("orgmem-types", &["orgmem-hierarchy"]),
    ("orgmem-store", &["orgmem-policies", "orgmem-recall", "orgmem-hierarchy"]),
    // a model folder in, vectors out
    ("orgmem-embed", &[]),
    // files and nothing else
    ("orgmem-console", &[]),
    (
        "orgmem",
        &[
            "orgmem-store",
            "orgmem-types",
            "orgmem-policies",
            "orgmem-recall",
            "orgmem-embed",
            "orgmem-hierarchy",
            "orgmem-console",
        ],
    ),
    // the model judges the others, so it must not lean on them
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
    // the quality bench asks a server as the tests do, and beside it the crate that ranks
    ("orgmem-quality", &["orgmem-recall", "orgmem-embed", "orgmem-tests"]),
    // the load generator drives the server from outside, and does by hand what it is measured against
    ("orgmem-load", &["orgmem-embed", "orgmem-store", "orgmem-recall", "orgmem-hierarchy", "orgmem-cluster"]),
];

/// What the tests of any crate may use besides.
const FOR_TESTS: &[&str] = &["orgmem-model", "orgmem-tests", "orgmem-cluster"];

/// The crates that do no I/O and read no clock, and everything from elsewhere that they use: values, errors, text. A
/// new one is a decision; whatever opens files or sockets, reads the time or starts threads does not belong here.
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
            "rust-stemmers",
            "thiserror",
            "unicode-normalization",
            "unicode-segmentation",
            "uuid",
        ],
    ),
];

/// How a pure crate would reach outside by the standard library and by the crates it may use.
const OUTSIDE: &[&str] = &[
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

/// One of our crates.
struct Crate {
    folder: PathBuf,
    /// Names of dependencies, and of those that are for its tests alone.
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
fn every_arrow_between_our_crates_points_down() {
    let crates = workspace();
    let ours: BTreeSet<_> = crates.keys().cloned().collect();
    let drawn: BTreeSet<_> = MAY_LEAN_ON.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(ours, drawn, "every crate of the workspace is in the picture, and no other");
    for (name, allowed) in MAY_LEAN_ON {
        let found = &crates[*name];
        for other in found.normal.intersection(&ours) {
            assert!(allowed.contains(&other.as_str()), "`{name}` may not lean on `{other}`");
        }
        for other in found.dev.intersection(&ours) {
            let is_allowed = allowed.contains(&other.as_str()) || FOR_TESTS.contains(&other.as_str());
            assert!(is_allowed, "the tests of `{name}` may not lean on `{other}`");
        }
    }
}

#[test]
fn pure_crates_depend_on_nothing_that_reaches_outside() {
    let crates = workspace();
    for (name, allowed) in PURE {
        let elsewhere = crates[*name].normal.iter().filter(|other| !crates.contains_key(*other));
        let unknown: Vec<_> = elsewhere.filter(|other| !allowed.contains(&other.as_str())).collect();
        assert!(unknown.is_empty(), "`{name}` is pure; is {unknown:?}?");
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
                let found = OUTSIDE.iter().find(|outside| line.contains(**outside));
                assert_eq!(found, None, "{}:{}: `{name}` is pure", file.display(), number + 1);
            }
        }
    }
}

#[test]
fn diesel_lives_in_the_store_and_nowhere_else() {
    // the tests look into the tables to see that nothing changed
    let allowed = ["orgmem-store", "orgmem-tests"];
    for (name, found) in workspace() {
        assert!(!found.normal.contains("diesel") || allowed.contains(&name.as_str()), "`{name}` depends on diesel");
    }
}

/// Every Rust file below a folder.
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
