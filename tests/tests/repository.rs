//! The repository's rules on files: a released migration never changes, and no source file is too long to review.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

/// The SHA-256 of each migration file, in the format of `sha256sum`. Lines are only appended.
const CHECKSUMS: &str = "migrations/checksums.txt";

/// The maximum number of lines of a source file.
const MAX_LINES: usize = 400;

/// Longer files, each with its own maximum.
const LONG_FILES: &[(&str, usize)] = &[
    // generated from /openapi.json
    ("server/console/web/src/api/types.ts", usize::MAX),
    // a declaration of each table
    ("server/store/src/schema.rs", 1_100),
];

/// Folders without sources: build output and packages.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", "dist"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests lie in a folder of the repository")
}

/// The checksum of each path in a list.
fn checksums(list: &str) -> BTreeMap<String, String> {
    let pairs = list.lines().map(|line| line.split_once("  ").expect("a line is a checksum, two spaces and a path"));
    pairs.map(|(checksum, path)| (path.to_owned(), checksum.to_owned())).collect()
}

fn current_checksums() -> BTreeMap<String, String> {
    let list = std::fs::read_to_string(root().join(CHECKSUMS)).expect("the list of checksums can be read");
    let found = checksums(&list);
    assert_eq!(found.len(), list.lines().count(), "{CHECKSUMS} lists each file once");
    found
}

/// The paths of the files below a folder, relative to the repository's root.
fn files(folder: &str, wanted: &dyn Fn(&Path) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder can be listed") {
            let path = entry.expect("an entry of a folder").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() && !path.is_symlink() {
                if !SKIPPED.contains(&name) {
                    waiting.push(path);
                }
            } else if wanted(&path) {
                let relative = path.strip_prefix(root()).expect("the path is in the repository");
                found.insert(relative.to_str().expect("a path is UTF-8").to_owned());
            }
        }
    }
    found
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|extension| extension.to_str()).is_some_and(|found| extensions.contains(&found))
}

/// The output of git, or nothing without git or without a repository.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root()).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).expect("git prints UTF-8"))
}

#[test]
fn migrations_match_their_checksums() {
    let listed = current_checksums();
    for (path, checksum) in &listed {
        let content = std::fs::read(root().join(path));
        let content = content.unwrap_or_else(|error| panic!("{path}: {error}; a migration is never removed"));
        let found = hex::encode(Sha256::digest(content));
        assert_eq!(&found, checksum, "{path} has changed; databases exist that ran it, so add a new migration instead");
    }
    let present = files("migrations", &|path| has_extension(path, &["sql", "toml"]));
    let missing: Vec<_> = present.iter().filter(|path| !listed.contains_key(*path)).collect();
    assert!(missing.is_empty(), "not in {CHECKSUMS}: {missing:?}; append the output of `sha256sum` for each file");
}

#[test]
fn both_databases_have_the_same_migrations() {
    let names = |database: &str| {
        let paths = files(&format!("migrations/{database}"), &|path| has_extension(path, &["sql"]));
        let prefix = format!("migrations/{database}/");
        paths.iter().map(|path| path.trim_start_matches(&prefix).to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(names("sqlite"), names("postgres"));
}

#[test]
fn checksums_of_earlier_commits_are_still_listed() {
    let Some(commits) = git(&["log", "--format=%H", "HEAD", "--", CHECKSUMS]) else {
        println!("without git history the list of checksums is not compared with its earlier versions");
        return;
    };
    let listed = current_checksums();
    for commit in commits.lines() {
        // absent from a commit that removed the list
        let Some(old) = git(&["show", &format!("{commit}:{CHECKSUMS}")]) else { continue };
        for (path, checksum) in checksums(&old) {
            assert_eq!(
                listed.get(&path),
                Some(&checksum),
                "{CHECKSUMS}, {path}: the line of commit {commit} has changed"
            );
        }
    }
}

#[test]
fn no_source_file_is_too_long() {
    let long: BTreeMap<_, _> = LONG_FILES.iter().copied().collect();
    let mut faults = Vec::new();
    for path in files("", &|path| has_extension(path, &["rs", "ts", "tsx", "mjs"])) {
        let text = std::fs::read_to_string(root().join(&path)).expect("a source file can be read");
        let (lines, max) = (text.lines().count(), long.get(path.as_str()).copied().unwrap_or(MAX_LINES));
        if lines > max {
            faults.push(format!("{path} has {lines} lines, at most {max} are permitted; split it by subject"));
        }
        if lines <= MAX_LINES && long.contains_key(path.as_str()) {
            faults.push(format!("{path} is short enough; remove it from LONG_FILES"));
        }
    }
    let absent = long.keys().filter(|path| !root().join(path).exists());
    faults.extend(absent.map(|path| format!("{path} does not exist; remove it from LONG_FILES")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn security_page_names_existing_tests() {
    let page = std::fs::read_to_string(root().join("docs/security.md")).expect("the page can be read");
    let paths = files("", &|path| has_extension(path, &["rs", "mjs"]));
    let sources: Vec<_> = paths.iter().filter_map(|path| std::fs::read_to_string(root().join(path)).ok()).collect();
    let exists = |test: &str| {
        let function = format!("fn {test}(");
        let generic = format!("fn {test}<");
        paths.iter().any(|path| path.ends_with(&format!("/{test}")))
            || sources.iter().any(|source| source.contains(&function) || source.contains(&generic))
    };
    let mut attacks = 0;
    for row in page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| attack |")) {
        let tests = row.trim_end_matches('|').rsplit('|').next().expect("a row has columns");
        let tests: Vec<_> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "no test holds this row: {row}");
        for test in tests {
            assert!(exists(test), "`{test}` is no test of the repository: {row}");
        }
        attacks += 1;
    }
    assert!(attacks >= 80, "the page has only {attacks} attacks");
}
