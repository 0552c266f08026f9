use std::fmt;

use orgmem_hierarchy::{Scope, WorkspaceId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The folder that contains all files.
pub const ROOT: &str = "/memories";

/// Maximum length of a path below [`ROOT`], in characters: it is the title of the memory.
pub const MAX_PATH: usize = 200;

/// Parts of a path that decoders of addresses turn into `.`, `/` or `\`.
const ESCAPES: [&str; 3] = ["%2e", "%2f", "%5c"];

/// A path of the memory tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePath {
    /// `/memories`.
    Root,
    /// A file or folder of the workspace itself.
    Own(OwnPath),
    /// A read-only folder of memories of others, or one memory in it.
    Shared(SharedFolder, Option<Uuid>),
}

/// A path below `/memories`, relative to it: segments without `.` and `..`, joined by single slashes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnPath(String);

/// A folder of memories that the workspace reads and cannot write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedFolder {
    /// TEAM memories.
    Team,
    /// GLOBAL memories.
    Org,
}

/// A path outside `/memories`, or with a segment that no file may have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "Error: Invalid path {0}. A path is {ROOT} or begins with {ROOT}/, has at most {MAX_PATH} characters, and no segment is \
     empty, `.`, `..` or contains `\\` or control characters"
)]
pub struct InvalidPath(pub String);

impl FilePath {
    /// Parses a path. One slash at the end is ignored.
    ///
    /// ```
    /// use orgmem_policies::memory_files::FilePath;
    ///
    /// assert_eq!(FilePath::parse("/memories/"), Ok(FilePath::Root));
    /// assert!(FilePath::parse("/memories/../secrets").is_err());
    /// ```
    ///
    /// # Errors
    /// [`InvalidPath`] for a path that is not below `/memories`.
    pub fn parse(text: &str) -> Result<Self, InvalidPath> {
        let invalid = || InvalidPath(text.to_owned());
        let rest = text.strip_prefix(ROOT).ok_or_else(invalid)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return Ok(Self::Root);
        }
        let relative = rest.strip_prefix('/').ok_or_else(invalid)?;
        if relative.chars().count() > MAX_PATH || !relative.split('/').all(is_segment) {
            return Err(invalid());
        }
        let (first, below) = relative.split_once('/').map_or((relative, None), |(first, below)| (first, Some(below)));
        let Some(folder) = SharedFolder::named(first) else { return Ok(Self::Own(OwnPath(relative.to_owned()))) };
        match below {
            None => Ok(Self::Shared(folder, None)),
            Some(name) => {
                let id = name.strip_suffix(SharedFolder::SUFFIX).and_then(|id| Uuid::try_parse(id).ok());
                id.map(|id| Self::Shared(folder, Some(id))).ok_or_else(invalid)
            }
        }
    }
}

fn is_segment(segment: &str) -> bool {
    let lower = segment.to_ascii_lowercase();
    !segment.trim().is_empty()
        && !matches!(segment, "." | "..")
        && !segment.contains(|c: char| c == '\\' || c.is_control())
        && !ESCAPES.iter().any(|escape| lower.contains(escape))
}

impl OwnPath {
    /// The path of a stored file, from the title of its memory.
    #[must_use]
    pub fn of_title(title: &str) -> Option<Self> {
        match FilePath::parse(&format!("{ROOT}/{title}")) {
            Ok(FilePath::Own(path)) if path.0 == title => Some(path),
            Ok(_) | Err(_) => None,
        }
    }

    /// The path relative to `/memories`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id of the memory of `author` at this path, for an end user if there is one: a UUID (version 8) from their SHA-256.
    #[must_use]
    pub fn memory_id(&self, author: WorkspaceId, subject: Option<&str>) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(b"orgmem memory file\0");
        hash.update(author.uuid().as_bytes());
        hash.update(self.0.as_bytes());
        if let Some(subject) = subject {
            // no path contains this character
            hash.update([0]);
            hash.update(subject.as_bytes());
        }
        let digest: [u8; 32] = hash.finalize().into();
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
        uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
    }

    /// Whether the path is below `folder`.
    #[must_use]
    pub fn is_below(&self, folder: &Self) -> bool {
        self.0.strip_prefix(&folder.0).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The folders that contain the path, without `/memories`, outermost first.
    pub fn folders(&self) -> impl Iterator<Item = Self> {
        self.0.match_indices('/').map(|(at, _)| Self(self.0[..at].to_owned()))
    }

    /// The path after a rename of `from`, which is this path or a folder that contains it, to `to`.
    #[must_use]
    pub fn renamed(&self, from: &Self, to: &Self) -> Option<Self> {
        let rest = self.0.strip_prefix(&from.0).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        Self::of_title(&format!("{}{rest}", to.0))
    }
}

impl fmt::Display for OwnPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ROOT}/{}", self.0)
    }
}

impl SharedFolder {
    /// Both folders.
    pub const ALL: [Self; 2] = [Self::Team, Self::Org];

    const SUFFIX: &'static str = ".md";

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|folder| folder.name() == name)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Team => "team",
            Self::Org => "org",
        }
    }

    /// The scope of its memories.
    #[must_use]
    pub const fn scope(self) -> Scope {
        match self {
            Self::Team => Scope::Team,
            Self::Org => Scope::Global,
        }
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(self) -> String {
        format!("{ROOT}/{}", self.name())
    }

    /// The path of one memory in the folder.
    #[must_use]
    pub fn path_of(self, id: Uuid) -> String {
        format!("{ROOT}/{}/{id}{}", self.name(), Self::SUFFIX)
    }
}
