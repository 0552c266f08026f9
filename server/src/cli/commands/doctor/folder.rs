use std::fs::{self, OpenOptions};
use std::path::Path;

use super::Finding;
use crate::cli::program::quoted;

const CHECK: &str = "data folder";

/// Checks that the data folder is private and writable.
pub(super) fn check(path: &Path) -> Finding {
    let name = path.display();
    let metadata = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => metadata,
        Ok(_) => return Finding::failed(CHECK, format!("`{name}` is not a folder"), "move it away, or set `data_dir`"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Finding::passed(CHECK, format!("`{name}` does not exist yet; the first start creates it"));
        }
        Err(error) => return Finding::failed(CHECK, format!("cannot read `{name}`: {error}"), "set `data_dir`"),
    };
    if let Some(mode) = open_to_others(&metadata) {
        let found = format!("`{name}` is accessible to other users (mode {mode:04o})");
        return Finding::failed(CHECK, found, format!("chmod 700 {}", quoted(&name.to_string())));
    }
    let probe = path.join(format!(".doctor-{}", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).open(&probe).and_then(|_| fs::remove_file(&probe));
    match written {
        Ok(()) => Finding::passed(CHECK, format!("`{name}` exists and is writable")),
        Err(error) => {
            Finding::failed(CHECK, format!("cannot write into `{name}`: {error}"), "make the server's user its owner")
        }
    }
}

/// The permission bits, if users other than the owner have access.
#[cfg(unix)]
pub(super) fn open_to_others(metadata: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

/// Other platforms have access control lists instead of modes.
#[cfg(not(unix))]
pub(super) fn open_to_others(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn private_folder_passes() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("set");
        assert!(check(folder.path()).well);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "the probe is removed");
    }

    #[test]
    fn missing_folder_passes() {
        assert!(check(Path::new("/nowhere/orgmem")).well);
    }

    #[test]
    fn shared_folder_fails_with_the_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("set");
        let finding = check(folder.path());
        assert!(!finding.well);
        assert!(finding.found.ends_with("is accessible to other users (mode 0755)"), "{}", finding.found);
        assert_eq!(finding.advice, Some(format!("chmod 700 {}", folder.path().display())));
    }

    #[test]
    fn file_fails() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(!check(file.path()).well);
    }
}
