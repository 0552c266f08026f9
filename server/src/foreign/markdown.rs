//! A folder of Markdown files, each with optional front matter in YAML.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use orgmem_types::Object;
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::draft::Labels;
use super::{ForeignError, Output, Target, record};
use crate::decode;

const NAME: &str = "markdown";

/// The largest file.
const MAX_FILE: u64 = 16 << 20;

/// The maximum nesting of front matter.
const MAX_DEPTH: usize = 32;

/// The members of front matter that a memory has fields for. All others become metadata.
#[derive(Default, Deserialize)]
struct FrontMatter {
    id: Option<String>,
    title: Option<String>,
    #[serde(default)]
    tags: Tags,
    namespace: Option<String>,
    kind: Option<String>,
    subject: Option<String>,
    confidence: Option<f64>,
    created_at: Option<String>,
    expires_at: Option<String>,
}

const FIELDS: [&str; 9] =
    ["id", "title", "tags", "namespace", "kind", "subject", "confidence", "created_at", "expires_at"];

/// Other names of fields, in the order of their precedence.
const ALIASES: [(&str, &str); 4] =
    [("created", "created_at"), ("date", "created_at"), ("expires", "expires_at"), ("tag", "tags")];

/// A list, or words that commas or spaces separate.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Tags {
    #[default]
    None,
    List(Vec<String>),
    Words(String),
}

pub(super) fn read(root: &Path, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let about = fs::metadata(root).map_err(|error| ForeignError::of_file(root, &error))?;
    if about.is_file() {
        let name = root.file_name().map(PathBuf::from).unwrap_or_default();
        return file(root, &name, target, output);
    }
    // folders that are still to be read, the next one last
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let mut entries = Vec::new();
        let full = root.join(&folder);
        let listed = fs::read_dir(&full).map_err(|error| ForeignError::of_file(&full, &error))?;
        for entry in listed {
            let entry = entry.map_err(|error| ForeignError::of_file(&full, &error))?;
            let kind = entry.file_type().map_err(|error| ForeignError::of_file(&entry.path(), &error))?;
            entries.push((entry.file_name(), kind));
        }
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut below = Vec::new();
        for (name, kind) in entries {
            let relative = folder.join(&name);
            if name.to_string_lossy().starts_with('.') {
                output.unmapped(if kind.is_dir() { "hidden folders" } else { "hidden files" });
            } else if kind.is_symlink() {
                output.unmapped("symbolic links");
            } else if kind.is_dir() {
                below.push(relative);
            } else if is_markdown(&relative) {
                file(&root.join(&relative), &relative, target, output)?;
            } else {
                output.unmapped("files that are not Markdown");
            }
        }
        folders.extend(below.into_iter().rev());
    }
    Ok(())
}

fn is_markdown(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

fn file(path: &Path, relative: &Path, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let at = relative.display().to_string();
    let refused = |reason: String| ForeignError::record(format!("`{at}`"), reason);
    let mut bytes = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes));
    opened.map_err(|error| ForeignError::of_file(path, &error))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(refused(format!("it is longer than {MAX_FILE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let line =
            error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        refused(format!("line {line} is not UTF-8"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
    let (head, body) = front_matter(&text);
    let head = match head {
        Some(head) if head.trim().is_empty() => Object::new(),
        Some(head) => decode::yaml::<Object>(head.as_bytes(), MAX_DEPTH)
            .map_err(|fault| refused(format!("the front matter is not valid: {fault}")))?,
        None => Object::new(),
    };
    output.count("files");
    give(&at, relative, head, body, target, output)
}

/// The text between the first line `---` and the next one, and the text after it.
fn front_matter(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.strip_prefix("---\n") else { return (None, text) };
    if let Some(body) = rest.strip_prefix("---\n") {
        return (None, body);
    }
    match rest.split_once("\n---\n") {
        Some((head, body)) => (Some(head), body),
        None => rest.strip_suffix("\n---").map_or((None, text), |head| (Some(head), "")),
    }
}

fn give(
    at: &str,
    relative: &Path,
    mut head: Object,
    body: &str,
    target: &Target,
    output: &mut Output<'_>,
) -> Result<(), ForeignError> {
    for (alias, field) in ALIASES {
        if !head.contains_key(field)
            && let Some(value) = head.remove(alias)
        {
            head.insert(field.to_owned(), value);
        }
    }
    let (known, others): (Object, Object) = head.into_iter().partition(|(name, _)| FIELDS.contains(&name.as_str()));
    let text = |(name, value)| {
        let value = if name == "confidence" { value } else { as_text(value) };
        (name, value)
    };
    let known = known.into_iter().map(text).collect::<Object>();
    let found: FrontMatter = record::read(&format!("`{at}`"), "", Value::Object(known), &FIELDS, output)?;
    let path = relative.with_extension("").display().to_string().replace('\\', "/");
    let mut memory = target.memory(body.trim().to_owned())?;
    let own = found.id.as_deref().and_then(|id| Uuid::try_parse(id).ok());
    memory.id = Some(own.unwrap_or_else(|| target.id_of(&[NAME, &path])));
    let heading = body.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
    let stem = relative.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    memory.set_title(found.title.as_deref().or(heading).filter(|title| !title.is_empty()).unwrap_or(&stem));
    let folder = path.rsplit_once('/').map(|(folder, _)| folder);
    if let Some(namespace) = found.namespace.as_deref().or(folder) {
        memory.set_namespace(namespace);
    }
    match &found.tags {
        Tags::None => {}
        Tags::List(tags) => memory.add_tags(tags.iter().map(|tag| tag.trim_start_matches('#'))),
        Tags::Words(words) => {
            let words = words.split(|c: char| c == ',' || c.is_whitespace());
            memory.add_tags(words.map(|tag| tag.trim_start_matches('#')).filter(|tag| !tag.is_empty()));
        }
    }
    if let Some(kind) = &found.kind {
        memory.set_kind(kind);
    }
    memory.confidence = found.confidence;
    memory.set_subject(found.subject.as_deref());
    memory.set_created_at(found.created_at.as_deref());
    memory.set_expires_at(found.expires_at.as_deref());
    memory.note(NAME, "path", at);
    if let Some(id) = found.id.filter(|_| own.is_none()) {
        memory.note(NAME, "id", id);
    }
    for (name, value) in others {
        memory.note(NAME, &name, value);
    }
    target.give(&format!("`{at}`"), memory, output)
}

/// YAML reads an id such as `12` as a number.
fn as_text(value: Value) -> Value {
    match value {
        Value::Number(number) if !number.is_f64() => Value::String(number.to_string()),
        other => other,
    }
}
