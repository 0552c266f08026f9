//! The texts that answer commands of the memory tool on the text of a file.

use orgmem_policies::memory_files::{LineRange, NoReplacement, insert_lines, number_lines, replace_once};

/// The text that answers a command, of a success or of an error that the model reads.
pub(super) type Answer = Result<String, String>;

/// A change of the text of a file: the new text and the answer.
pub(super) type TextChange = Result<(String, String), String>;

/// The lines of a file.
pub(super) fn show(path: &str, text: &str, range: Option<[i64; 2]>) -> Answer {
    let range = match range {
        None => LineRange::all(text),
        Some(range) => LineRange::of(text, range).map_err(|fault| {
            let lines = fault.lines;
            format!("Error: Invalid `view_range` parameter: {range:?}. It should be within the range of lines of the file: [1, {lines}]")
        })?,
    };
    Ok(format!("Here's the content of {path} with line numbers:\n{}", number_lines(text, range)))
}

/// Replaces a passage that occurs once.
pub(super) fn replace(path: &str, text: &str, old: &str, new: &str) -> TextChange {
    match replace_once(text, old, new) {
        Ok(replaced) => Ok((replaced.text, format!("The memory file has been edited.\n{}", replaced.snippet))),
        Err(NoReplacement::Absent) => {
            Err(format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}."))
        }
        Err(NoReplacement::Repeated(lines)) => {
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            Err(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {}. Please ensure it is \
                 unique",
                lines.join(", ")
            ))
        }
    }
}

/// Inserts lines after a line.
pub(super) fn insert(path: &str, text: &str, line: i64, inserted: &str) -> TextChange {
    let inserted = insert_lines(text, line, inserted).map_err(|fault| {
        format!(
            "Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, {}]",
            fault.lines
        )
    })?;
    Ok((inserted, format!("The file {path} has been edited.")))
}
