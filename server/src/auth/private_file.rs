//! Files that only the server's user may read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::KeyError;

/// The text of a private file; `None` if it does not exist.
///
/// # Errors
/// [`KeyError::Exposed`] if other users can read it: they may know the content, so the mode is not corrected silently.
/// [`KeyError::Unreadable`] otherwise.
pub(super) fn read(path: &Path) -> Result<Option<SecretString>, KeyError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            check_mode(path)?;
            Ok(Some(text.into()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(KeyError::unreadable(path, source)),
    }
}

/// Creates a private file atomically. An existing file does not change.
pub(super) fn create(path: &Path, text: &str) -> Result<(), KeyError> {
    let draft = write_sibling(path, text)?;
    // unlike a rename, a link does not replace the file of another server
    let linked = match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    };
    let removed = fs::remove_file(&draft);
    linked.and(removed).and_then(|()| sync_folder(path)).map_err(|source| KeyError::unwritable(path, source))
}

/// Creates or replaces a private file atomically.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), KeyError> {
    let draft = write_sibling(path, text)?;
    fs::rename(&draft, path).and_then(|()| sync_folder(path)).map_err(|source| KeyError::unwritable(path, source))
}

/// Writes `text` into a new private file in the same folder, durably.
fn write_sibling(path: &Path, text: &str) -> Result<PathBuf, KeyError> {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{:08x}", rand::random::<u32>()));
    let draft = PathBuf::from(name);
    let written = private_options().open(&draft).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map(|()| draft.clone()).map_err(|source| {
        // report the first error; a remaining draft is private
        let _ = fs::remove_file(&draft);
        KeyError::unwritable(path, source)
    })
}

fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a new name in the folder durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn check_mode(path: &Path) -> Result<(), KeyError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).map_err(|source| KeyError::unreadable(path, source))?.permissions().mode() & 0o777;
    if mode & 0o077 == 0 { Ok(()) } else { Err(KeyError::Exposed { path: path.to_owned(), mode }) }
}

#[cfg(not(unix))]
fn check_mode(_: &Path) -> Result<(), KeyError> {
    // other platforms have access control lists instead
    Ok(())
}
