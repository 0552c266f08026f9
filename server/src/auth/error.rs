use std::io;
use std::path::{Path, PathBuf};

/// The reason why the keys cannot be used, for the operator. It stops the start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Other users can read a private file.
    #[error(
        "`{}` is readable by other users (mode {mode:04o}); if nobody has read it, `chmod 600` it, otherwise remove it to create a new one",
        path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A key or a key set is invalid.
    #[error("cannot use the keys of `{location}`: {reason}")]
    Unusable {
        /// The file or address.
        location: String,
        /// The cause.
        reason: &'static str,
    },
    /// Two keys have the same `kid`.
    #[error("two keys have the `kid` `{kid}`; rename the file of one")]
    SameKid {
        /// The `kid`.
        kid: String,
    },
    /// The identity provider does not respond.
    #[error("cannot fetch `{address}`: {reason}")]
    Unreachable {
        /// The address of the key set.
        address: String,
        /// The cause.
        reason: String,
    },
    /// The cryptographic library gives wrong results.
    #[error("the self-check of {algorithm} signatures failed; this build of orgmem must not be used")]
    SelfCheck {
        /// The algorithm.
        algorithm: &'static str,
    },
}

impl KeyError {
    pub(crate) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }

    pub(super) fn unwritable(path: &Path, source: io::Error) -> Self {
        Self::Unwritable { path: path.to_owned(), source }
    }
}
