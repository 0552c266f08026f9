//! The name of this program in commands to paste.

use std::path::{Path, PathBuf};

/// The shell word that starts this program: its name if PATH leads to it, otherwise its path.
pub(crate) fn name() -> String {
    let Ok(this) = std::env::current_exe() else { return "orgmem".to_owned() };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if let Some(name) = name_in(&this, std::env::split_paths(&folders)) {
        return quoted(&name);
    }
    let current = std::env::current_dir().ok();
    let relative = current.as_deref().and_then(|current| this.strip_prefix(current).ok());
    // `./`, because a shell searches PATH for a bare name
    quoted(&relative.map_or(this.clone(), |relative| Path::new(".").join(relative)).display().to_string())
}

/// The name of `this`, if the first file of that name in `folders` is `this`.
fn name_in(this: &Path, folders: impl Iterator<Item = PathBuf>) -> Option<String> {
    let name = this.file_name()?;
    let first = folders.map(|folder| folder.join(name)).find(|path| path.is_file())?;
    let is_this = first.canonicalize().ok()? == this.canonicalize().ok()?;
    is_this.then(|| name.to_string_lossy().into_owned())
}

/// `text` as one word of a POSIX shell.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ':' | '+' | '@' | '%');
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_special_characters_are_quoted() {
        assert_eq!(quoted("/srv/orgmem-demo/admin.token"), "/srv/orgmem-demo/admin.token");
        assert_eq!(quoted("/home/ada/my data"), "'/home/ada/my data'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn name_is_used_only_if_path_leads_to_this_program() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let folders = || [first.path().to_owned(), second.path().to_owned()].into_iter();
        let program = second.path().join("orgmem");
        std::fs::write(&program, "").expect("a file");
        assert_eq!(name_in(&program, folders()).as_deref(), Some("orgmem"));
        std::fs::write(first.path().join("orgmem"), "").expect("another file");
        assert_eq!(name_in(&program, folders()), None);
        assert_eq!(name_in(&program, std::iter::empty()), None);
    }
}
