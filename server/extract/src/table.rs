//! CSV: each row a paragraph that repeats the names of its columns, so that a passage can be understood by itself.

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};

use crate::output::Output;
use crate::plain::refuse_binary;
use crate::{ExtractError, Extracted, Limits};

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

pub(crate) fn extract(text: &str, limits: &Limits) -> Result<Extracted, ExtractError> {
    refuse_binary(text, "text/csv")?;
    let mut cells = Cells::new(text);
    let mut columns = Vec::new();
    while let Some((name, is_last)) = cells.next() {
        columns.push(name);
        if is_last {
            break;
        }
    }
    let mut out = Output::new(limits.output_bytes);
    let mut has_rows = false;
    let mut column = 0;
    while let Some((value, is_last)) = cells.next() {
        if out.is_full() {
            break;
        }
        has_rows = true;
        // an empty cell has nothing to find
        if !value.trim().is_empty() {
            match columns.get(column).map(|name| name.trim()).filter(|name| !name.is_empty()) {
                Some(name) => out.write(name),
                None => out.write(&format!("column {}", column + 1)),
            }
            out.write(": ");
            out.write(&value);
            out.line_break();
        }
        column += 1;
        if is_last {
            out.paragraph_break();
            column = 0;
        }
    }
    if !has_rows {
        for name in &columns {
            out.write(name);
            out.line_break();
        }
    }
    Ok(Extracted { title: None, text: out.finish()? })
}

/// The cells of all rows, each with whether it ends its row.
struct Cells<'a> {
    reader: Reader,
    rest: &'a [u8],
    is_finished: bool,
}

impl<'a> Cells<'a> {
    fn new(text: &'a str) -> Self {
        let reader = ReaderBuilder::new().delimiter(delimiter(text)).build();
        Cells { reader, rest: text.as_bytes(), is_finished: false }
    }

    fn next(&mut self) -> Option<(String, bool)> {
        let mut cell = Vec::new();
        let mut part = [0; 256];
        while !self.is_finished {
            let (result, read, written) = self.reader.read_field(self.rest, &mut part);
            self.rest = &self.rest[read..];
            cell.extend_from_slice(&part[..written]);
            match result {
                // the next call without input ends the last field
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end } => {
                    return Some((String::from_utf8_lossy(&cell).into_owned(), record_end));
                }
                ReadFieldResult::End => self.is_finished = true,
            }
        }
        None
    }
}

/// The most frequent separator of the first line outside quotes.
fn delimiter(text: &str) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut is_quoted = false;
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' if !is_quoted => break,
            byte if !is_quoted => {
                if let Some(at) = DELIMITERS.iter().position(|delimiter| *delimiter == byte) {
                    counts[at] += 1;
                }
            }
            _ => {}
        }
    }
    // the comma wins a draw
    let most = counts.iter().max().copied().unwrap_or_default();
    let at = counts.iter().position(|count| *count == most).unwrap_or_default();
    DELIMITERS[at]
}
