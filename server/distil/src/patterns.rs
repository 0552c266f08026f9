//! Which facts bear on the files of a change.

use std::collections::{BTreeMap, BTreeSet};

/// Paths that one question considers.
const MAX_PATHS: usize = 2_000;
/// Bytes of a path; longer ones are not considered.
const MAX_PATH_BYTES: usize = 1_024;

/// The paths of a change, prepared to be compared with many facts.
#[derive(Clone, Debug, Default)]
pub struct ChangedPaths {
    paths: Vec<String>,
    words: Vec<Vec<String>>,
    /// Where each word occurs: path, position.
    places: BTreeMap<String, Vec<(usize, usize)>>,
}

impl ChangedPaths {
    /// Prepares up to 2,000 paths, in alphabetical order and without duplicates.
    #[must_use]
    pub fn new(paths: impl IntoIterator<Item = String>) -> Self {
        let usable = paths.into_iter().filter(|path| !path.is_empty() && path.len() <= MAX_PATH_BYTES);
        let distinct: BTreeSet<_> = usable.collect();
        let mut found = Self::default();
        for path in distinct.into_iter().take(MAX_PATHS) {
            let words = words(&path);
            for (position, word) in words.iter().enumerate() {
                found.places.entry(word.clone()).or_default().push((found.paths.len(), position));
            }
            found.paths.push(path);
            found.words.push(words);
        }
        found
    }

    /// The number of paths.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The paths that name a part of a system: all its words follow one another in the path. `auth service` is in
    /// `src/auth_service/mod.rs` and in `web/AuthService.ts`, and not in `src/auth/mail_service.rs`.
    ///
    /// The part is the value of the first dimension of a fact.
    #[must_use]
    pub fn naming(&self, part: &str) -> Vec<&str> {
        let wanted = words(part);
        let Some(places) = wanted.first().and_then(|first| self.places.get(first)) else { return Vec::new() };
        let follows = |(path, position): &&(usize, usize)| self.words[*path][*position..].starts_with(&wanted);
        let found: BTreeSet<_> = places.iter().filter(follows).map(|(path, _)| *path).collect();
        found.into_iter().map(|path| self.paths[path].as_str()).collect()
    }
}

/// The words of a path or a name: letters and digits, also divided where a capital follows a small letter.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    for c in text.chars() {
        let begins = !c.is_alphanumeric() || (c.is_uppercase() && was_small);
        if begins && !word.is_empty() {
            found.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        found.push(word);
    }
    found
}

/// The paths of a unified diff, before and after the change. Other lines are skipped, so a whole mail is understood too.
#[must_use]
pub fn changed_paths(diff: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // lines of a hunk may look like headers: a removed line `-- a` is `--- a`
    let (mut removed, mut added) = (0_u64, 0_u64);
    for line in diff.lines() {
        if removed > 0 || added > 0 {
            match line.as_bytes().first() {
                Some(b'-') => removed = removed.saturating_sub(1),
                Some(b'+') => added = added.saturating_sub(1),
                Some(b'\\') => {}
                _ => (removed, added) = (removed.saturating_sub(1), added.saturating_sub(1)),
            }
            continue;
        }
        if let Some(counts) = line.strip_prefix("@@ -").and_then(hunk) {
            (removed, added) = counts;
            continue;
        }
        let sided = ["--- ", "+++ "].iter().find_map(|prefix| line.strip_prefix(prefix));
        if let Some(path) = sided.map(path).filter(|path| path != "/dev/null") {
            let own = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(&path);
            found.insert(own.to_owned());
        }
        let moved = ["rename from ", "rename to ", "copy from ", "copy to "];
        if let Some(name) = moved.iter().find_map(|prefix| line.strip_prefix(prefix)) {
            found.insert(path(name));
        }
    }
    found.remove("");
    found
}

/// The numbers of lines before and after, from `12,3 +12,4 @@`.
fn hunk(text: &str) -> Option<(u64, u64)> {
    let (before, rest) = text.split_once(" +")?;
    let (after, _) = rest.split_once(" @@")?;
    let lines = |range: &str| range.split_once(',').map_or(Some(1), |(_, lines)| lines.parse().ok());
    Some((lines(before)?, lines(after)?))
}

/// A path as git writes it: without the time that other tools add, and without quotes and escapes.
fn path(text: &str) -> String {
    let text = text.split('\t').next().unwrap_or_default().trim_end();
    let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return text.to_owned() };
    let mut bytes = Vec::new();
    let mut rest = quoted.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let mut octal = None::<u32>;
        for _ in 0..3 {
            let Some(digit) = rest.next_if(|byte| (b'0'..=b'7').contains(byte)) else { break };
            octal = Some(octal.unwrap_or(0) * 8 + u32::from(digit - b'0'));
        }
        match octal {
            Some(value) => bytes.push((value & 0xff) as u8),
            None => bytes.extend(rest.next().map(|byte| match byte {
                b't' => b'\t',
                b'n' => b'\n',
                other => other,
            })),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
