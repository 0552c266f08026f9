//! A folder with skill packages, which a runtime reads while it changes. Packages are prepared next to it and swapped whole, so
//! that no reader sees half of one, whenever the program ends.
//!
//! `.orgmem/skills.json` lists the packages that orgmem wrote, with the hash of the one in place and of the one that is about to
//! replace it. A folder that is not listed belongs to others. A package with another hash was edited: it is moved to
//! `.orgmem/edited`.
//!
//! Source: `docs/spec/skills.md`, "A folder that follows".

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use orgmem_policies::skill_package::{PackageFile, hash_of, is_name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A package as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) version: i64,
    pub(crate) hash: String,
}

/// What has to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Install(Wanted),
    Remove(String),
    /// A folder of this name is not orgmem's.
    Foreign(String),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Manifest {
    workspace: Uuid,
    skills: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Entry {
    version: i64,
    /// The hash of the package in place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// The hash of the package that is about to replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl Entry {
    fn is_ours(&self, hash: &str) -> bool {
        [&self.hash, &self.next].into_iter().flatten().any(|known| known == hash)
    }
}

/// The state of a package on the disk.
#[derive(Debug, PartialEq, Eq)]
enum OnDisk {
    Absent,
    Package(String),
    /// A file, a link, or a folder with files that are no text.
    Other,
}

/// Called after each change of the disk with its name; an error ends the work there, as a kill does.
type AfterStep = Box<dyn FnMut(&str) -> io::Result<()> + Send>;

pub(crate) struct SkillFolder {
    root: PathBuf,
    manifest: Manifest,
    after_step: AfterStep,
}

impl SkillFolder {
    /// Opens or creates the folder.
    ///
    /// # Errors
    /// An [`io::Error`]; also if the folder follows another workspace.
    pub(crate) fn open(root: &Path, workspace: Uuid) -> io::Result<Self> {
        Self::open_with(root, workspace, Box::new(|_| Ok(())))
    }

    fn open_with(root: &Path, workspace: Uuid, after_step: AfterStep) -> io::Result<Self> {
        let own = root.join(".orgmem");
        fs::create_dir_all(&own)?;
        let manifest = match fs::read(own.join("skills.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Manifest { workspace, ..Manifest::default() },
            Err(error) => return Err(error),
        };
        if manifest.workspace != workspace {
            let message = format!("it follows workspace {}; choose another folder", manifest.workspace);
            return Err(io::Error::other(message));
        }
        // leftovers of a program that was killed
        for part in ["new", "old"] {
            remove(&own.join(part))?;
            fs::create_dir_all(own.join(part))?;
        }
        Ok(Self { root: root.to_owned(), manifest, after_step })
    }

    /// What has to be done so that the folder has exactly these packages.
    ///
    /// # Errors
    /// An [`io::Error`].
    pub(crate) fn compare(&self, wanted: &[Wanted]) -> io::Result<Vec<Change>> {
        let mut changes = Vec::new();
        for package in wanted.iter().filter(|package| is_name(&package.name)) {
            let entry = self.manifest.skills.get(&package.name);
            let on_disk = state(&self.root.join(&package.name))?;
            if on_disk == OnDisk::Package(package.hash.clone()) && entry.is_some_and(|entry| entry.next.is_none()) {
                continue;
            }
            let is_foreign = entry.is_none()
                && !matches!(&on_disk, OnDisk::Absent)
                && on_disk != OnDisk::Package(package.hash.clone());
            changes.push(match is_foreign {
                true => Change::Foreign(package.name.clone()),
                false => Change::Install(package.clone()),
            });
        }
        let gone = self.manifest.skills.keys().filter(|name| wanted.iter().all(|package| package.name != **name));
        changes.extend(gone.cloned().map(Change::Remove));
        Ok(changes)
    }

    /// Puts a package in place. Returns where an edited one was moved to.
    ///
    /// # Errors
    /// An [`io::Error`]. The package in place is then the earlier or the new one, whole.
    pub(crate) fn install(&mut self, wanted: &Wanted, files: &[PackageFile]) -> io::Result<Option<PathBuf>> {
        let Wanted { name, version, hash } = wanted;
        if !is_name(name) || hash_of(files) != *hash {
            return Err(io::Error::other("the package is not the one that the server listed"));
        }
        let place = self.root.join(name);
        let entry = self.manifest.skills.entry(name.clone()).or_default();
        let known = entry.clone();
        (entry.next, entry.version) = (Some(hash.clone()), *version);
        self.store_manifest("announced")?;
        let edited = match state(&place)? {
            OnDisk::Absent => None,
            OnDisk::Package(found) if known.is_ours(&found) || found == *hash => None,
            OnDisk::Package(_) | OnDisk::Other => Some(self.set_aside(name)?),
        };
        let (new, old) = (self.own("new").join(name), self.own("old").join(name));
        remove(&new)?;
        for file in files {
            write_durably(&new.join(&file.path), file.text.as_bytes())?;
            (self.after_step)("file written")?;
        }
        if place.symlink_metadata().is_ok() {
            remove(&old)?;
            swap(&new, &place, &old, &mut self.after_step)?;
        } else {
            fs::rename(&new, &place)?;
        }
        (self.after_step)("in place")?;
        remove(&new)?;
        remove(&old)?;
        (self.after_step)("earlier one removed")?;
        let entry = self.manifest.skills.entry(name.clone()).or_default();
        (entry.hash, entry.next) = (Some(hash.clone()), None);
        self.store_manifest("recorded")?;
        Ok(edited)
    }

    /// Removes a package. Returns where an edited one was moved to.
    ///
    /// # Errors
    /// An [`io::Error`].
    pub(crate) fn remove(&mut self, name: &str) -> io::Result<Option<PathBuf>> {
        let Some(entry) = self.manifest.skills.get(name).cloned() else { return Ok(None) };
        let place = self.root.join(name);
        let edited = match state(&place)? {
            OnDisk::Absent => None,
            OnDisk::Package(found) if entry.is_ours(&found) => {
                let old = self.own("old").join(name);
                remove(&old)?;
                fs::rename(&place, &old)?;
                (self.after_step)("moved away")?;
                remove(&old)?;
                (self.after_step)("removed")?;
                None
            }
            OnDisk::Package(_) | OnDisk::Other => Some(self.set_aside(name)?),
        };
        self.manifest.skills.remove(name);
        self.store_manifest("recorded")?;
        Ok(edited)
    }

    fn own(&self, part: &str) -> PathBuf {
        self.root.join(".orgmem").join(part)
    }

    /// Moves an edited package to a free name.
    fn set_aside(&mut self, name: &str) -> io::Result<PathBuf> {
        let edited = self.own("edited");
        fs::create_dir_all(&edited)?;
        let mut aside = edited.join(name);
        let mut number = 1;
        while aside.symlink_metadata().is_ok() {
            number += 1;
            aside = edited.join(format!("{name}.{number}"));
        }
        fs::rename(self.root.join(name), &aside)?;
        (self.after_step)("set aside")?;
        Ok(aside)
    }

    fn store_manifest(&mut self, step: &str) -> io::Result<()> {
        let new = self.own("skills.json.new");
        write_durably(&new, &serde_json::to_vec_pretty(&self.manifest).map_err(io::Error::other)?)?;
        fs::rename(new, self.own("skills.json"))?;
        (self.after_step)(step)
    }
}

/// Puts `new` in the place of `place`; the earlier package ends at `new` or `old`.
#[cfg(target_os = "linux")]
fn swap(new: &Path, place: &Path, old: &Path, after_step: &mut AfterStep) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, new, CWD, place, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(()),
        // a file system without exchanges
        Err(_) => swap_in_two(new, place, old, after_step),
    }
}

#[cfg(not(target_os = "linux"))]
fn swap(new: &Path, place: &Path, old: &Path, after_step: &mut AfterStep) -> io::Result<()> {
    swap_in_two(new, place, old, after_step)
}

/// For a moment there is no package, but never half of one.
fn swap_in_two(new: &Path, place: &Path, old: &Path, after_step: &mut AfterStep) -> io::Result<()> {
    fs::rename(place, old)?;
    after_step("moved away")?;
    fs::rename(new, place)
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Removes a file or a folder, if it exists.
fn remove(path: &Path) -> io::Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn state(path: &Path) -> io::Result<OnDisk> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(OnDisk::Absent),
        Err(error) => return Err(error),
        Ok(metadata) if !metadata.is_dir() => return Ok(OnDisk::Other),
        Ok(_) => {}
    }
    let mut files = Vec::new();
    let mut folders = vec![(path.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { return Ok(OnDisk::Other) };
            let inner = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push((entry.path(), inner));
                continue;
            }
            match (kind.is_file(), String::from_utf8(fs::read(entry.path())?)) {
                (true, Ok(text)) => files.push(PackageFile { path: inner, text }),
                _ => return Ok(OnDisk::Other),
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(OnDisk::Package(hash_of(&files)))
}
