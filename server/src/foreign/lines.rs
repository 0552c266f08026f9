//! Lines of a file, in bounded memory.

use std::io::BufRead;

use super::ForeignError;
use super::document::{MAX_RECORD, too_long};

/// Calls `visit` with the number and the text of each line that is not blank. The last line needs no line break.
pub(super) fn read(
    mut file: impl BufRead,
    mut visit: impl FnMut(u64, &str) -> Result<(), ForeignError>,
) -> Result<(), ForeignError> {
    let (mut line, mut number) = (Vec::new(), 0);
    loop {
        line.clear();
        number += 1;
        let at = || format!("line {number}");
        if !read_line(&mut file, &mut line).map_err(|reason| ForeignError::record(at(), reason))? {
            return Ok(());
        }
        let text = str::from_utf8(&line).map_err(|_| ForeignError::record(at(), "it is not UTF-8"))?;
        if !text.trim().is_empty() {
            visit(number, text.trim_end())?;
        }
    }
}

/// Appends the next line to `line`. Returns whether there is one.
fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, String> {
    loop {
        let read = file.fill_buf().map_err(|error| error.to_string())?;
        if read.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = read.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(read.len());
        if line.len() + taken > MAX_RECORD {
            return Err(too_long("line"));
        }
        line.extend_from_slice(&read[..taken]);
        file.consume(taken);
        if end.is_some() {
            return Ok(true);
        }
    }
}
