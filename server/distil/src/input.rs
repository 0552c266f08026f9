//! Rows from a text. A bad row is named by its line; the good ones are returned.

use csv_core::{ReadRecordResult, Reader};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::collection::Collection;
use crate::row::Row;

/// Faults that an answer lists; further ones are counted.
const MAX_FAULTS: usize = 100;

/// The form of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A list of objects.
    Json,
    /// An object on each line; empty lines are skipped.
    NdJson,
    /// A header with the names of the columns, then rows. All values are texts; an empty cell is absent.
    Csv,
}

/// A row that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line on which the row begins; the first is 1.
    pub line: usize,
    /// What is wrong, and what would work.
    pub message: String,
}

/// The rows of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// The good rows in their order. A key may occur several times; the last row wins.
    pub rows: Vec<Row>,
    /// The line on which each of the rows begins.
    pub lines: Vec<usize>,
    /// The first 100 bad rows.
    pub faults: Vec<Fault>,
    /// The number of bad rows.
    pub fault_count: usize,
}

impl Input {
    /// `number`: of the row in a list, whose rows may all be on one line.
    fn add(&mut self, collection: &Collection, line: usize, number: Option<usize>, value: Result<Value, String>) {
        match value.and_then(|value| collection.row(value).map_err(|fault| fault.to_string())) {
            Ok(row) => {
                self.rows.push(row);
                self.lines.push(line);
            }
            Err(message) => {
                self.fault_count += 1;
                if self.faults.len() < MAX_FAULTS {
                    let message = match number {
                        Some(number) => format!("row {number}: {message}"),
                        None => message,
                    };
                    self.faults.push(Fault { line, message });
                }
            }
        }
    }
}

/// Reads all rows of a text.
///
/// Of a list in JSON that is broken itself, no row is returned: nothing says where the next one begins.
#[must_use]
pub fn read_rows(collection: &Collection, format: Format, text: &str) -> Input {
    let mut input = Input::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match format {
        Format::Json => read_json(&mut input, collection, text),
        Format::NdJson => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            for (index, line) in lines {
                input.add(collection, index + 1, None, decode(line));
            }
        }
        Format::Csv => read_csv(&mut input, collection, text),
    }
    input
}

fn decode(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {} at column {}", cause(&error), error.column()))
}

/// The message without the position, which would count from the row.
fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn read_json(input: &mut Input, collection: &Collection, text: &str) {
    let items: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(items) => items,
        Err(error) => {
            let message =
                format!("the list of rows cannot be read: {}; send a JSON array or lines of JSON", cause(&error));
            input.add(collection, error.line(), None, Err(message));
            return;
        }
    };
    let (mut line, mut counted) = (1, 0);
    for (index, item) in items.into_iter().enumerate() {
        // the items are parts of the text, in their order
        let start = (item.get().as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        line += text.as_bytes().get(counted..start).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
        counted = start;
        input.add(collection, line, Some(index + 1), decode(item.get()));
    }
}

fn read_csv(input: &mut Input, collection: &Collection, text: &str) {
    let mut records = Records { reader: Reader::new(), rest: text.as_bytes() };
    let Some((_, columns)) = records.next() else { return };
    let columns: Vec<_> = columns.iter().map(|name| name.trim().to_owned()).collect();
    while let Some((line, cells)) = records.next() {
        let value = if cells.len() == columns.len() {
            let filled = columns.iter().zip(cells).filter(|(_, cell)| !cell.trim().is_empty());
            let members: Map<_, _> = filled.map(|(name, cell)| (name.clone(), Value::String(cell))).collect();
            Ok(Value::Object(members))
        } else {
            Err(format!(
                "the row has {} cells, and the header {}; check quotes and separators",
                cells.len(),
                columns.len()
            ))
        };
        input.add(collection, line, None, value);
    }
}

/// The records of a CSV text, each with its first line.
struct Records<'a> {
    reader: Reader,
    rest: &'a [u8],
}

impl Records<'_> {
    fn next(&mut self) -> Option<(usize, Vec<String>)> {
        // the reader skips line ends before a record; they count for its line
        let skipped = self.rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let line = self.reader.line() as usize + skipped.filter(|byte| **byte == b'\n').count();
        let mut output = vec![0; 1024];
        let mut ends = vec![0; 32];
        let (mut written, mut ended) = (0, 0);
        loop {
            let (result, read, wrote, ends_found) =
                self.reader.read_record(self.rest, &mut output[written..], &mut ends[ended..]);
            self.rest = &self.rest[read..];
            written += wrote;
            ended += ends_found;
            match result {
                // an empty input is the end of the text
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => output.resize(output.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => ends.resize(ends.len() * 2, 0),
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return None,
            }
        }
        let mut start = 0;
        let cells = ends.iter().take(ended).map(|end| {
            let cell = output.get(start..*end).unwrap_or_default();
            start = *end;
            String::from_utf8_lossy(cell).into_owned()
        });
        Some((line, cells.collect()))
    }
}
