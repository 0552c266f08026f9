//! Files of other memory systems, mapped to memories. Pure: a format reads a file record by record and says for each which
//! memories it becomes, and which of its fields no memory has.
//!
//! Source: `docs/spec/import.md`.

mod document;
mod draft;
mod error;
mod letta;
mod lines;
mod markdown;
mod mcp_memory;
mod mem0;
mod output;
mod platform;
mod record;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

pub(crate) use draft::Target;
pub(crate) use error::ForeignError;
pub(crate) use output::{ForeignMemory, Output, Tally};

/// The format of a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// JSON array of memories, as `GET /admin/memories/export` of the older platform returns it
    Platform,
    /// Knowledge graph of the MCP memory server, one JSON object per line
    McpMemory,
    /// Memories of mem0, as `get_all()` returns them, as JSON
    Mem0,
    /// Agent file of Letta (`.af`), or a JSON array of its archival passages
    Letta,
    /// Folder of Markdown files, with their front matter
    Markdown,
}

impl Format {
    /// Reads `path` and gives every memory to `output`.
    ///
    /// # Errors
    /// [`ForeignError`] with the position in the file, or the error of `output`.
    ///
    /// # Complexity
    /// Memory for one record at a time, at most [`document::MAX_RECORD`] bytes of the file.
    pub(crate) fn read(self, path: &Path, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
        if self == Self::Markdown {
            return markdown::read(path, target, output);
        }
        let file = File::open(path).map_err(|error| ForeignError::of_file(path, &error))?;
        self.read_file(BufReader::with_capacity(1 << 16, file), target, output)
    }

    fn read_file(self, file: impl BufRead, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
        match self {
            Self::Platform => platform::read(file, target, output),
            Self::McpMemory => mcp_memory::read(file, target, output),
            Self::Mem0 => mem0::read(file, target, output),
            Self::Letta => letta::read(file, target, output),
            Self::Markdown => Ok(()),
        }
    }
}
