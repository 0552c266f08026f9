use std::fs::{self, OpenOptions};
use std::path::Path;

use super::Finding;
use crate::cli::program::quoted;

const CHECK: &str = "data folder";

/// The data folder: there, the server's own, and writable.
pub(super) fn check(path: &Path) -> Finding {
    let name = path.display();
    let metadata = match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => metadata,
        Ok(_) => return Finding::ill(CHECK, format!("`{name}` is no folder"), "move it away, or set `data_dir`"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Finding::well(CHECK, format!("`{name}` is not there yet; the first start makes it"));
        }
        Err(error) => return Finding::ill(CHECK, format!("cannot look at `{name}`: {error}"), "set `data_dir`"),
    };
    if let Some(mode) = open_to_others(&metadata) {
        let found = format!("`{name}` is open to others (mode {mode:04o})");
        return Finding::ill(CHECK, found, format!("chmod 700 {}", quoted(&name.to_string())));
    }
    let probe = path.join(format!(".doctor-{}", std::process::id()));
    let written = OpenOptions::new().write(true).create_new(true).open(&probe).and_then(|_| fs::remove_file(&probe));
    match written {
        Ok(()) => Finding::well(CHECK, format!("`{name}` is there and can be written")),
        Err(error) => {
            Finding::ill(CHECK, format!("cannot write into `{name}`: {error}"), "give it to the server's user")
        }
    }
}

/// The permission bits of a file that not only its owner may use.
#[cfg(unix)]
pub(super) fn open_to_others(metadata: &fs::Metadata) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = metadata.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

/// Elsewhere the folder's own access list decides.
#[cfg(not(unix))]
pub(super) fn open_to_others(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_is_ones_own_is_well() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("set");
        assert!(check(folder.path()).well);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "nothing is left behind");
    }

    #[test]
    fn a_folder_that_is_not_there_yet_is_well() {
        assert!(check(Path::new("/nowhere/orgmem")).well);
    }

    #[test]
    fn a_folder_that_others_can_read_is_told_with_the_cure() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("set");
        let finding = check(folder.path());
        assert!(!finding.well);
        assert!(finding.found.ends_with("is open to others (mode 0755)"), "{}", finding.found);
        assert_eq!(finding.advice, Some(format!("chmod 700 {}", folder.path().display())));
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(!check(file.path()).well);
    }
}
