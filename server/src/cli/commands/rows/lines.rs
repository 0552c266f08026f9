//! The rows of a file as lines of JSON, with the lines of the file that they come from.

use std::io::BufRead;

use orgmem_distil::{Collection, Fault, Format, read_rows};
use serde_json::Value;

/// Bytes of a request, and rows of it.
const PART_BYTES: usize = 4 << 20;
const PART_ROWS: usize = 10_000;

/// Lines of one request.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    /// The line in the file for each line of the request.
    pub(super) lines: Vec<usize>,
}

impl Part {
    pub(super) fn push(&mut self, line: usize, row: &str) {
        self.text.push_str(row);
        self.text.push('\n');
        self.lines.push(line);
    }

    pub(super) fn is_full(&self) -> bool {
        self.text.len() >= PART_BYTES || self.lines.len() >= PART_ROWS
    }
}

/// The parts of a file with a row of JSON on each line.
pub(super) fn parts_of_lines(file: impl BufRead) -> impl Iterator<Item = std::io::Result<Part>> {
    let mut lines = file.lines().enumerate();
    std::iter::from_fn(move || {
        let mut part = Part::default();
        while !part.is_full() {
            match lines.next() {
                Some((_, Ok(line))) if line.trim().is_empty() => {}
                Some((at, Ok(line))) => part.push(at + 1, line.trim_start_matches('\u{feff}')),
                Some((_, Err(error))) => return Some(Err(error)),
                None => break,
            }
        }
        (!part.lines.is_empty()).then_some(Ok(part))
    })
}

/// The parts of a text with another format, and the rows of it that cannot be read.
pub(super) fn parts_of_text(collection: &Collection, format: Format, text: &str) -> (Vec<Part>, Vec<Fault>, usize) {
    let input = read_rows(collection, format, text);
    let (mut parts, mut part) = (Vec::new(), Part::default());
    for (row, line) in input.rows.into_iter().zip(input.lines) {
        part.push(line, &Value::Object(row.values).to_string());
        if part.is_full() {
            parts.push(std::mem::take(&mut part));
        }
    }
    if !part.lines.is_empty() {
        parts.push(part);
    }
    (parts, input.faults, input.fault_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_each_format_have_the_lines_of_the_file() {
        let collection = Collection { key: "id".to_owned(), time: None, schema: None };
        let (parts, faults, count) = parts_of_text(&collection, Format::Csv, "id,name\n1,a\n,b\n\"2\",\"c\nd\"\n3,e\n");
        assert_eq!((parts.len(), &parts[0].lines[..], count, faults[0].line), (1, &[2, 4, 6][..], 1, 3));
        assert_eq!(parts[0].text.lines().nth(1), Some(r#"{"id":"2","name":"c\nd"}"#));
        let text = format!("\n{{}}\n{}", format!("{}\n", "x".repeat(PART_BYTES)).repeat(2));
        let parts: Vec<Part> = parts_of_lines(text.as_bytes()).map(|part| part.expect("text")).collect();
        assert_eq!(parts.iter().map(|part| part.lines.clone()).collect::<Vec<_>>(), [vec![2, 3], vec![4]]);
    }
}
