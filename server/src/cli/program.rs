//! How to call this program again.

use std::path::{Path, PathBuf};

/// What to type for this very program in a shell: its name when the shell would find it, else its path.
pub(crate) fn name() -> String {
    let Ok(this) = std::env::current_exe() else { return "orgmem".to_owned() };
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if let Some(name) = found_as(&this, std::env::split_paths(&folders)) {
        return quoted(&name);
    }
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| this.strip_prefix(here).ok());
    // A name alone would be looked for in PATH.
    quoted(&below.map_or(this.clone(), |below| Path::new(".").join(below)).display().to_string())
}

/// The name of `this` when it is what `folders` hold first under that name.
fn found_as(this: &Path, folders: impl Iterator<Item = PathBuf>) -> Option<String> {
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
    fn a_word_is_quoted_when_a_shell_would_take_it_apart() {
        assert_eq!(quoted("/srv/orgmem-demo/admin.token"), "/srv/orgmem-demo/admin.token");
        assert_eq!(quoted("/home/ada/my data"), "'/home/ada/my data'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn a_program_is_called_by_name_only_when_the_shell_would_find_this_one() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let folders = || [first.path().to_owned(), second.path().to_owned()].into_iter();
        let ours = second.path().join("orgmem");
        std::fs::write(&ours, "").expect("a file");
        assert_eq!(found_as(&ours, folders()).as_deref(), Some("orgmem"));
        std::fs::write(first.path().join("orgmem"), "").expect("another");
        assert_eq!(found_as(&ours, folders()), None);
        assert_eq!(found_as(&ours, std::iter::empty()), None);
    }
}
