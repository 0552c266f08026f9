//! The platform's default data folder.

use std::path::PathBuf;

use super::Sources;

/// The default data folder; `None` if the environment does not determine it.
///
/// # Source
/// XDG Base Directory Specification; Apple's File System Programming Guide; Known Folders on Windows.
pub(super) fn of_platform(sources: &Sources) -> Option<PathBuf> {
    let folder = |name| sources.variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("orgmem"))
}
