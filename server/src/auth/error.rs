use std::io;
use std::path::{Path, PathBuf};

/// Why the keys cannot be used; each stops the start. Whoever runs the server can put it right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A private file can be read by others.
    #[error(
        "`{}` can be read by others (mode {mode:04o}); if nobody has, `chmod 600` it, else remove it to have a new one made",
        path.display()
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// A key or a key set is of no use.
    #[error("cannot use the keys of `{what}`: {reason}")]
    Unusable {
        /// The file or address.
        what: String,
        /// Why not.
        reason: &'static str,
    },
    /// Two keys have the same name.
    #[error("two keys have the `kid` `{kid}`; rename the file of one")]
    SameKid {
        /// The name.
        kid: String,
    },
    /// The identity provider cannot be asked.
    #[error("cannot fetch `{address}`: {reason}")]
    Unreachable {
        /// The address of the key set.
        address: String,
        /// Why not.
        reason: String,
    },
    /// The cryptographic library does not do what it should.
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
