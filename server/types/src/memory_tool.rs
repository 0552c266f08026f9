//! The file-based memory tool.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `POST /workspaces/{id}/memory-tool`: one command of the memory tool, as the model sends it.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryToolCommand {
    pub command: MemoryToolVerb,
    /// A file or folder: `/memories` or below it. All commands but `rename`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// `view` of a file: its first and its last line, from 1; -1 is the last line of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view_range: Option<[i64; 2]>,
    /// `create`: the text of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_text: Option<String>,
    /// `str_replace`: a passage that occurs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_str: Option<String>,
    /// `str_replace`: the passage in its place; empty by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_str: Option<String>,
    /// `insert`: the line after which lines are inserted; 0 is the beginning of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insert_line: Option<i64>,
    /// `insert`: the lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub insert_text: Option<String>,
    /// `rename`: the file or folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_path: Option<String>,
    /// `rename`: its new path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_path: Option<String>,
}

/// A command of the memory tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemoryToolVerb {
    /// The lines of a file, or the listing of a folder.
    View,
    /// A new file.
    Create,
    /// Replaces a passage of a file.
    StrReplace,
    /// Inserts lines into a file.
    Insert,
    /// Deletes a file, or a folder with its files.
    Delete,
    /// Moves a file, or a folder with its files.
    Rename,
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MemoryToolResult {
    /// The text for the model.
    pub content: String,
    /// Whether the command failed; the text says why.
    pub is_error: bool,
}
