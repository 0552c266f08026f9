//! Files that only the server's own user may read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::KeyError;

/// The text of a private file; `None` when there is none.
///
/// # Errors
/// [`KeyError::Exposed`] when others may read it: what it holds must be taken as known to them, so nothing is mended
/// in silence. [`KeyError::Unreadable`] otherwise.
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

/// Makes a private file, whole or not at all; leaves one that exists as it is.
pub(super) fn create(path: &Path, text: &str) -> Result<(), KeyError> {
    let draft = write_sibling(path, text)?;
    // Unlike a rename, a link does not replace what another server has put there meanwhile.
    let linked = match fs::hard_link(&draft, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    };
    let removed = fs::remove_file(&draft);
    linked.and(removed).and_then(|()| sync_folder(path)).map_err(|source| KeyError::unwritable(path, source))
}

/// Makes a private file, or puts it in the place of the one there, whole or not at all.
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
        // The error that matters is the first; what is left over is private and of no use.
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

/// A new name is durable once its folder is.
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
    // Elsewhere the folder's own access list decides.
    Ok(())
}
