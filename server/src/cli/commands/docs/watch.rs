//! The changes of files, from the operating system.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::files;
use crate::cli::error::CliError;

/// Programs write a file in several steps. It is read when nothing has changed for this time.
const QUIET: Duration = Duration::from_millis(200);

/// The changed texts of folders and files.
pub(super) struct Changes {
    events: UnboundedReceiver<notify::Result<notify::Event>>,
    folders: Vec<PathBuf>,
    files: BTreeSet<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Changes {
    /// Watches the folders among `arguments`, with everything below them, and the other `found` files.
    ///
    /// # Errors
    /// [`CliError::Usage`] where the operating system refuses.
    pub(super) fn of(arguments: &[String], found: &[PathBuf]) -> Result<Self, CliError> {
        let (sender, events) = unbounded_channel();
        // a send fails only after the receiver is gone, at the end of the command
        let mut watcher =
            notify::recommended_watcher(move |event| drop(sender.send(event))).map_err(|error| refused(&error))?;
        let folders = arguments.iter().filter(|argument| Path::new(argument).is_dir());
        let folders: Vec<PathBuf> = folders.filter_map(|folder| Path::new(folder).canonicalize().ok()).collect();
        for folder in &folders {
            watcher.watch(folder, RecursiveMode::Recursive).map_err(|error| refused(&error))?;
        }
        let is_below = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
        let files: BTreeSet<PathBuf> = found.iter().filter(|path| !is_below(path)).cloned().collect();
        // programs replace files, and a watch of the file itself would follow the one that is gone
        let parents: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        for parent in parents {
            watcher.watch(parent, RecursiveMode::NonRecursive).map_err(|error| refused(&error))?;
        }
        Ok(Self { events, folders, files, _watcher: watcher })
    }

    /// The files that changed since the last call, once they are quiet. Waits for at least one; none at the end.
    ///
    /// # Errors
    /// [`CliError::Usage`] when the watch ends with an error.
    pub(super) async fn next(&mut self) -> Result<Option<BTreeSet<PathBuf>>, CliError> {
        let mut changed = BTreeSet::new();
        loop {
            let event = match changed.is_empty() {
                true => self.events.recv().await,
                false => match tokio::time::timeout(QUIET, self.events.recv()).await {
                    Ok(event) => event,
                    Err(_) => return Ok(Some(changed)),
                },
            };
            let Some(event) = event else { return Ok(None) };
            let event = event.map_err(|error| refused(&error))?;
            if event.kind.is_create() || event.kind.is_modify() {
                changed.extend(event.paths.into_iter().filter(|path| self.is_wanted(path)));
            }
        }
    }

    fn is_wanted(&self, path: &Path) -> bool {
        let is_text = files::media_type(path).is_some() && path.is_file();
        let in_folder = self.folders.iter().any(|folder| {
            path.strip_prefix(folder).is_ok_and(|rest| {
                !rest.components().any(|part| part.as_os_str().to_str().is_some_and(|name| name.starts_with('.')))
            })
        });
        is_text && (in_folder || self.files.contains(path))
    }
}

fn refused(error: &notify::Error) -> CliError {
    CliError::Usage(format!("the files cannot be watched: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn changed_and_new_texts_are_reported_once_quiet() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a folder");
        let at = |name: &str| root.join(name);
        std::fs::write(at("old.md"), "a").expect("a file");
        let arguments = [root.to_str().expect("UTF-8").to_owned()];
        let mut changes = Changes::of(&arguments, &[at("old.md")]).expect("a watch");
        for name in ["old.md", "new.txt", "picture.png", ".hidden.md"] {
            std::fs::write(at(name), "b").expect("a file");
        }
        let mut seen = BTreeSet::new();
        while seen.len() < 2 {
            let next = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
            seen.extend(next.expect("in time").expect("no error").expect("changes"));
        }
        assert_eq!(seen, BTreeSet::from([at("old.md"), at("new.txt")]));
    }
}
