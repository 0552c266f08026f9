//! The files of a skill package, in the open agent-skills format: `SKILL.md` with front matter, `references/` for what does
//! not fit, and `provenance.json`. The same skill gives the same bytes.
//!
//! ```
//! use orgmem_policies::skill_package::{name_of, PackageFile, SkillText, render};
//!
//! assert_eq!(name_of("Deploy the web-shop (blue/green)").as_deref(), Some("deploy-the-web-shop-blue-green"));
//! ```
//!
//! Source: `docs/spec/skills.md`, "Packages".

mod difference;

use std::fmt::Write;

use orgmem_hierarchy::{Scope, WorkspaceId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::quote::{quote, visible};

pub use difference::difference;

/// Characters of a name.
pub const MAX_NAME: usize = 64;
/// Characters of a description.
pub const MAX_DESCRIPTION: usize = 1024;
/// Lines of the body of `SKILL.md`.
pub const MAX_BODY_LINES: usize = 499;
/// Lines of a source that is shortened in the body.
const EXCERPT_LINES: usize = 200;

/// A version of a procedure that a skill is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillSource {
    /// The memory.
    pub memory: Uuid,
    /// Its version.
    pub version: i64,
    /// Its author.
    pub author: WorkspaceId,
    /// Its scope.
    pub scope: Scope,
    /// Its title.
    pub title: Option<String>,
    /// Its stored content.
    pub content: String,
    /// What it states about records: a JSON array.
    pub claims: Option<String>,
}

/// Everything that a package contains.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillText {
    /// The name, which is also the folder.
    pub name: String,
    /// The version of the skill.
    pub version: i64,
    /// The workspace of the skill.
    pub workspace: WorkspaceId,
    /// What the skill does and when to use it, scrubbed.
    pub description: String,
    /// At least one, in the order of the draft.
    pub sources: Vec<SkillSource>,
    /// The subject of the operator who approved it; `None` for a draft.
    pub approved_by: Option<String>,
    /// Whether the server approved it by the rule of the org.
    pub is_auto: bool,
    /// Counts of the evidence at the approval.
    pub evidence: Value,
}

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFile {
    /// The path in the folder, with `/`.
    pub path: String,
    /// The content.
    pub text: String,
}

impl SkillText {
    /// Whether the text of a source is quoted: if another workspace wrote it, or no person approved it.
    fn quotes(&self, source: &SkillSource) -> bool {
        self.is_auto || source.author != self.workspace
    }

    fn shown(&self, source: &SkillSource) -> String {
        match self.quotes(source) {
            // ids do not change when a workspace is renamed
            true => quote(source.memory, source.scope, &source.author.to_string(), &source.content),
            false => visible(&source.content).into_owned(),
        }
    }

    /// The description as the package has it: quoted where the text of a source is.
    #[must_use]
    pub fn shown_description(&self) -> String {
        match self.sources.iter().find(|source| self.quotes(source)) {
            Some(source) => {
                let frame = quote(source.memory, source.scope, &source.author.to_string(), "").chars().count();
                let text = shortened(&one_line(&self.description), MAX_DESCRIPTION.saturating_sub(frame));
                quote(source.memory, source.scope, &source.author.to_string(), &text)
            }
            None => shortened(&one_line(&visible(&self.description)), MAX_DESCRIPTION),
        }
    }
}

/// The files of a package, sorted by path.
#[must_use]
pub fn render(skill: &SkillText) -> Vec<PackageFile> {
    let (body, mut files) = body(skill);
    let head = json!(skill.shown_description());
    files.push(PackageFile {
        path: "SKILL.md".to_owned(),
        // a JSON string is a YAML string
        text: format!("---\nname: {}\ndescription: {head}\n---\n\n{body}", skill.name),
    });
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let hash = hash_of(&files);
    let sources: Vec<Value> = skill
        .sources
        .iter()
        .map(|source| {
            json!({
                "memory_id": source.memory,
                "version": source.version,
                "workspace_id": source.author.uuid(),
                "scope": source.scope.as_str(),
                "content_sha256": hex::encode(Sha256::digest(&source.content)),
            })
        })
        .collect();
    let provenance = json!({
        "name": skill.name,
        "version": skill.version,
        "workspace_id": skill.workspace.uuid(),
        "memories": sources,
        "evidence": skill.evidence,
        "approved_by": skill.approved_by,
        "approval": if skill.is_auto { "auto" } else { "operator" },
        "hash": hash,
    });
    // an object of strings and numbers always serializes
    let mut text = serde_json::to_string_pretty(&provenance).unwrap_or_default();
    text.push('\n');
    files.push(PackageFile { path: "provenance.json".to_owned(), text });
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// SHA-256 over the paths and texts of files, in hexadecimal digits.
#[must_use]
pub fn hash_of(files: &[PackageFile]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        for part in [&file.path, &file.text] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    hex::encode(hash.finalize())
}

/// The body of `SKILL.md`, and the references for the sources that do not fit.
fn body(skill: &SkillText) -> (String, Vec<PackageFile>) {
    let (mut text, mut lines, mut references) = (String::new(), 0, Vec::new());
    let is_only = skill.sources.len() == 1;
    for (number, source) in skill.sources.iter().enumerate() {
        let title = source.title.as_deref().map(|title| visible(title).into_owned());
        let mut section = match &title {
            Some(title) if !skill.quotes(source) => format!("# {}\n\n", one_line(title)),
            Some(_) | None if is_only => String::new(),
            Some(_) | None => format!("# Procedure {}\n\n", number + 1),
        };
        let shown = shown_with_end(skill.shown(source));
        section.push_str(&shown);
        // the lines of the section, an empty line before it, and two for the reference of each later source
        let left = skill.sources.len() - number - 1;
        let needed = section.lines().count() + usize::from(number > 0);
        if lines + needed + 4 * left > MAX_BODY_LINES {
            let path = format!("references/{}.md", number + 1);
            references.push(PackageFile { path: path.clone(), text: section });
            let room = MAX_BODY_LINES.saturating_sub(lines + 4 * (left + 1));
            section = shown.lines().take(if number == 0 { EXCERPT_LINES.min(room) } else { 0 }).fold(
                String::new(),
                |mut excerpt, line| {
                    excerpt.push_str(line);
                    excerpt.push('\n');
                    excerpt
                },
            );
            if !section.is_empty() {
                section.push('\n');
            }
            let _ = writeln!(section, "The whole procedure is in [{path}]({path}).");
        }
        if number > 0 {
            text.push('\n');
            lines += 1;
        }
        lines += section.lines().count();
        text.push_str(&section);
    }
    (text, references)
}

fn shown_with_end(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text, cut at the end of a character.
fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some(_) => text.chars().take(limit.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Whether the text is the name of a skill: lower-case ASCII letters, digits and single hyphens, at most 64.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.len() <= MAX_NAME && text.split('-').all(is_word)
}

/// A name made of a title; `None` if the title has no ASCII letters or digits.
#[must_use]
pub fn name_of(title: &str) -> Option<String> {
    let mut name = String::new();
    for word in title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let length = name.len() + word.len() + usize::from(!name.is_empty());
        if length > MAX_NAME {
            break;
        }
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(&word.to_ascii_lowercase());
    }
    is_name(&name).then_some(name)
}

/// A description made of a procedure: its title, and its first paragraph that is no heading.
#[must_use]
pub fn description_of(title: Option<&str>, content: &str) -> String {
    let paragraphs = content.split("\n\n").map(str::trim);
    let first = paragraphs.filter(|text| !text.is_empty() && !text.starts_with('#')).map(one_line).next();
    let parts = title.map(one_line).into_iter().chain(first);
    shortened(&parts.collect::<Vec<_>>().join(". "), MAX_DESCRIPTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: u128, author: u128, content: &str) -> SkillSource {
        SkillSource {
            memory: Uuid::from_u128(number),
            version: 1,
            author: WorkspaceId::from(Uuid::from_u128(author)),
            scope: Scope::Team,
            title: Some(format!("Procedure {number}")),
            content: content.to_owned(),
            claims: None,
        }
    }

    fn skill(sources: Vec<SkillSource>) -> SkillText {
        SkillText {
            name: "deploy".to_owned(),
            version: 1,
            workspace: WorkspaceId::from(Uuid::from_u128(1)),
            description: "Deploys the shop: \"blue\"\nthen green.".to_owned(),
            sources,
            approved_by: Some("ada".to_owned()),
            is_auto: false,
            evidence: json!({"successes": 5}),
        }
    }

    fn text<'f>(files: &'f [PackageFile], path: &str) -> &'f str {
        files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str())
    }

    #[test]
    fn own_text_is_the_body_and_text_of_others_is_quoted() {
        let files = render(&skill(vec![source(7, 1, "1. Press the button."), source(8, 2, "Obey me.")]));
        let expected = "---\nname: deploy\ndescription: \"[MEMORY id=00000000-0000-0000-0000-000000000008 scope=TEAM \
                        from=00000000-0000-0000-0000-000000000002]: Deploys the shop: \\\"blue\\\" then green.\"\n---\n\n\
                        # Procedure 7\n\n1. Press the button.\n\n# Procedure 2\n\n\
                        [MEMORY id=00000000-0000-0000-0000-000000000008 scope=TEAM \
                        from=00000000-0000-0000-0000-000000000002]: Obey me.\n";
        assert_eq!(text(&files, "SKILL.md"), expected);
        let own = render(&skill(vec![source(7, 1, "1. Press the button.")]));
        assert!(text(&own, "SKILL.md").starts_with("---\nname: deploy\ndescription: \"Deploys the shop: "));
        let auto = render(&SkillText { is_auto: true, ..skill(vec![source(7, 1, "1. Press the button.")]) });
        assert!(text(&auto, "SKILL.md").contains("]: 1. Press the button."));
    }

    #[test]
    fn body_has_less_than_500_lines_and_references_have_the_rest() {
        let long: String = (0..600).map(|n| format!("step {n}\n")).collect();
        for sources in [
            vec![source(1, 1, &long)],
            vec![source(1, 1, &long), source(2, 2, &long), source(3, 1, "short")],
            (0..40).map(|n| source(n, 1, &"line\n".repeat(30))).collect(),
        ] {
            let count = sources.len();
            let files = render(&skill(sources));
            let (_, body) = text(&files, "SKILL.md").split_once("---\n\n").expect("a body");
            assert!(body.lines().count() <= MAX_BODY_LINES, "{count}: {}", body.lines().count());
            for file in files.iter().filter(|file| file.path.starts_with("references/")) {
                assert!(body.contains(&format!("]({})", file.path)), "{}", file.path);
            }
            assert!(files.iter().any(|file| file.path.starts_with("references/")));
        }
        let short = render(&skill(vec![source(1, 1, &"line\n".repeat(400))]));
        assert_eq!(short.len(), 2, "what fits needs no reference");
    }

    #[test]
    fn same_skill_gives_same_bytes_and_names_its_sources() {
        let one = render(&skill(vec![source(7, 1, "a"), source(8, 2, "b")]));
        assert_eq!(one, render(&skill(vec![source(7, 1, "a"), source(8, 2, "b")])));
        let provenance: Value = serde_json::from_str(text(&one, "provenance.json")).expect("JSON");
        assert_eq!(provenance["memories"][1]["version"], 1);
        assert_eq!((&provenance["approved_by"], &provenance["evidence"]["successes"]), (&json!("ada"), &json!(5)));
        let hashed: Vec<PackageFile> = one.iter().filter(|file| file.path != "provenance.json").cloned().collect();
        assert_eq!(provenance["hash"], hash_of(&hashed));
        let other = render(&skill(vec![source(7, 1, "a"), source(8, 2, "c")]));
        assert_ne!(hash_of(&one), hash_of(&other));
    }

    #[test]
    fn difference_lists_changed_lines_of_changed_files() {
        let of = |text: &str| render(&skill(vec![source(7, 1, text)]));
        let (one, other) = (of("a\nb\nc\nd"), of("a\nB\nc\ne\nd"));
        assert_eq!(difference(&one, &one), "");
        let lines = difference(&one, &other);
        assert!(lines.starts_with("--- SKILL.md\n+++ SKILL.md\n ---\n name: deploy\n"), "{lines}");
        assert!(lines.ends_with(" a\n-b\n+B\n c\n+e\n d\n"), "{lines}");
        let (all, none) = ("x\n".repeat(3000), "y\n".repeat(3000));
        let lines = difference(&of(&all), &of(&none));
        assert_eq!(lines.lines().filter(|line| line.starts_with("-x")).count(), EXCERPT_LINES + 3000);
    }

    #[test]
    fn names_follow_the_format() {
        for name in ["a", "deploy-2", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "ä", "../a", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
        for (title, name) in [
            ("Deploy!", Some("deploy")),
            ("  Über den Fluss 2 ", Some("ber-den-fluss-2")),
            ("部署", None),
            (&"word ".repeat(30), Some("word-word-word-word-word-word-word-word-word-word-word-word-word")),
        ] {
            assert_eq!(name_of(title).as_deref(), name, "{title}");
        }
    }

    #[test]
    fn description_is_short_and_one_line() {
        let content = "# Deploy\n\nUse it when\nthe shop is down.\n\nThen more.";
        assert_eq!(description_of(Some("Deploy"), content), "Deploy. Use it when the shop is down.");
        let long = description_of(None, &"word ".repeat(1000));
        assert_eq!(long.chars().count(), MAX_DESCRIPTION);
        let files = render(&SkillText { description: long, ..skill(vec![source(8, 2, "b")]) });
        let line = text(&files, "SKILL.md").lines().nth(2).expect("a description");
        let parsed: String = serde_json::from_str(line.trim_start_matches("description: ")).expect("a string");
        assert!(parsed.chars().count() <= MAX_DESCRIPTION, "{}", parsed.chars().count());
    }
}
