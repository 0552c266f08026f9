//! Files of an agent's memory folder: paths below `/memories`, and the answers of the file-based memory tool.
//!
//! A file is a LOCAL memory. Its id follows from author and path, so that one path names one memory.
//!
//! Source: `docs/spec/memory-tool.md`.

mod listing;
mod path;
mod text;

pub use listing::{FileEntry, list_folder, list_shared};
pub use path::{FilePath, InvalidPath, MAX_PATH, OwnPath, ROOT, SharedFolder};
pub use text::{
    InvalidLine, InvalidRange, LineRange, NoReplacement, Replaced, insert_lines, number_lines, replace_once,
};

/// The kind of the memories that are files.
pub const FILE_KIND: &str = "file";

/// The namespace of the memories that are files.
pub const FILE_NAMESPACE: &str = "files";

/// Maximum number of files of a workspace.
pub const MAX_FILES: usize = 500;
