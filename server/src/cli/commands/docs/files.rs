//! The files of `docs add`: named ones, those of folders, and those that match a pattern.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::cli::error::CliError;

/// The media type of a file by its extension; none for a file that is no text.
pub(super) fn media_type(path: &Path) -> Option<&'static str> {
    let extension = path.extension().and_then(OsStr::to_str)?.to_lowercase();
    match extension.as_str() {
        "md" | "markdown" | "mdown" => Some("text/markdown"),
        "txt" | "text" | "rst" | "adoc" => Some("text/plain"),
        "html" | "htm" | "xhtml" => Some("text/html"),
        "csv" => Some("text/csv"),
        "pdf" => Some("application/pdf"),
        _ => None,
    }
}

/// The files that the arguments name, in order and once each. Folders are searched for files with a known extension;
/// hidden files and folders are left out.
///
/// # Errors
/// [`CliError::Usage`] for a file of another type, and for an argument without a file.
pub(super) fn named(arguments: &[String]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = BTreeSet::new();
    for argument in arguments {
        let path = Path::new(argument);
        let mut found = BTreeSet::new();
        if path.is_dir() {
            found.extend(in_folder(path)?);
        } else if path.is_file() {
            if media_type(path).is_none() {
                return Err(CliError::Usage(format!(
                    "`{argument}` has no text: give .md, .txt, .html, .csv or .pdf files"
                )));
            }
            found.insert(absolute(path)?);
        } else {
            let matches = glob::glob(argument).map_err(|error| CliError::Usage(format!("`{argument}`: {error}")))?;
            for path in matches.filter_map(Result::ok) {
                if path.is_dir() {
                    found.extend(in_folder(&path)?);
                } else if media_type(&path).is_some() {
                    found.insert(absolute(&path)?);
                }
            }
        }
        if found.is_empty() {
            return Err(CliError::Usage(format!("`{argument}` names no .md, .txt, .html, .csv or .pdf file")));
        }
        files.append(&mut found);
    }
    Ok(files.into_iter().collect())
}

fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let is_hidden = |entry: &walkdir::DirEntry| {
        entry.depth() > 0 && entry.file_name().to_str().is_some_and(|name| name.starts_with('.'))
    };
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(folder).into_iter().filter_entry(|entry| !is_hidden(entry)) {
        let entry = entry
            .map_err(|error| CliError::Io { action: format!("read `{}`", folder.display()), error: error.into() })?;
        if entry.file_type().is_file() && media_type(entry.path()).is_some() {
            files.push(absolute(entry.path())?);
        }
    }
    Ok(files)
}

fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    path.canonicalize().map_err(|error| CliError::Io { action: format!("read `{}`", path.display()), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_give_texts_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("a/.git")).expect("folders");
        for name in ["a/one.md", "a/two.TXT", "a/three.png", "a/.git/four.md", "five.md"] {
            std::fs::write(at(name), "text").expect("a file");
        }
        let text = |name: &str| at(name).to_str().expect("UTF-8").to_owned();
        let found = named(&[text("a"), text("*.md"), text("five.md")]).expect("files");
        let found: Vec<&str> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(found, ["one.md", "two.TXT", "five.md"]);
        assert!(named(&[text("a/three.png")]).is_err());
        assert!(named(&[text("absent")]).is_err());
    }
}
