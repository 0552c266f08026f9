//! The text of many rows, in parts: only one part of a text with lines is in memory as rows at a time.

use bytes::Bytes;
use orgmem_distil::{Collection, Format, read_rows};
use orgmem_policies::drafts::{FieldRedaction, RowDraft, RowInput};
use orgmem_policies::scrub::Scrubber;
use orgmem_types as wire;

use super::AppError;

/// Bytes of a part of lines.
const PART_BYTES: usize = 1 << 20;
/// Faults that a response lists.
const MAX_FAULTS: usize = 100;

/// The form of the text of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowForm {
    /// A JSON array.
    List,
    /// A JSON object on each line.
    Lines,
}

/// The text of many rows.
#[derive(Clone, Debug)]
pub struct RowText {
    /// UTF-8.
    pub text: Bytes,
    /// Its form.
    pub form: RowForm,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowPart {
    text: Bytes,
    /// The lines before it.
    lines_before: usize,
}

/// The rows of a part, checked and scrubbed, each key once.
#[derive(Debug, Default)]
pub(super) struct RowDrafts {
    pub(super) rows: Vec<RowDraft>,
    pub(super) refused: usize,
    pub(super) faults: Vec<wire::RowFault>,
    pub(super) redactions: Vec<FieldRedaction>,
}

impl RowText {
    /// The parts of the text, at the ends of lines. A list is one part.
    pub(super) fn parts(&self) -> Vec<RowPart> {
        if self.form == RowForm::List {
            return vec![RowPart { text: self.text.clone(), lines_before: 0 }];
        }
        let (mut parts, mut start, mut lines_before) = (Vec::new(), 0, 0);
        while start < self.text.len() {
            let least = (start + PART_BYTES).min(self.text.len());
            let rest = self.text[least..].iter().position(|byte| *byte == b'\n');
            let end = rest.map_or(self.text.len(), |at| least + at + 1);
            let text = self.text.slice(start..end);
            let lines = text.iter().filter(|byte| **byte == b'\n').count();
            parts.push(RowPart { text, lines_before });
            lines_before += lines;
            start = end;
        }
        parts
    }
}

impl RowPart {
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Reads, checks and scrubs the rows. Of rows with the same key the last one remains.
    ///
    /// # Errors
    /// [`AppError::Field`] for bytes that are not UTF-8.
    pub(super) fn draft(
        &self,
        collection: &Collection,
        form: RowForm,
        scrubber: &Scrubber,
    ) -> Result<RowDrafts, AppError> {
        let text = std::str::from_utf8(&self.text)
            .map_err(|_| AppError::Field { field: "rows", expected: "UTF-8".to_owned() })?;
        let format = match form {
            RowForm::List => Format::Json,
            RowForm::Lines => Format::NdJson,
        };
        let input = read_rows(collection, format, text);
        let mut drafts = RowDrafts { refused: input.fault_count, ..RowDrafts::default() };
        let at = |line: usize| line + self.lines_before;
        drafts.faults.extend(
            input.faults.into_iter().map(|fault| wire::RowFault { line: at(fault.line), fault: fault.message }),
        );
        let mut places = std::collections::HashMap::new();
        for (row, line) in input.rows.into_iter().zip(input.lines) {
            let time = row.time.and_then(chrono::DateTime::from_timestamp_micros);
            let checked = RowDraft::check(RowInput { key: row.key, time, values: row.values }, scrubber);
            match checked {
                Ok(draft) => {
                    drafts.redactions.extend(draft.fields().redactions.iter().cloned());
                    match places.get(draft.fields().key.as_str()) {
                        Some(&place) => drafts.rows[place] = draft,
                        None => {
                            places.insert(draft.fields().key.to_string(), drafts.rows.len());
                            drafts.rows.push(draft);
                        }
                    }
                }
                Err(fault) => {
                    drafts.refused += 1;
                    drafts.faults.push(wire::RowFault { line: at(line), fault: fault.to_string() });
                }
            }
        }
        drafts.faults.sort_by_key(|fault| fault.line);
        drafts.faults.truncate(MAX_FAULTS);
        drafts.redactions = summed(&drafts.redactions);
        Ok(drafts)
    }
}

/// The redactions by field and kind.
pub(super) fn summed(all: &[FieldRedaction]) -> Vec<FieldRedaction> {
    let mut sums: Vec<FieldRedaction> = Vec::new();
    for one in all {
        match sums.iter_mut().find(|sum| (sum.field, &sum.kind) == (one.field, &one.kind)) {
            Some(sum) => sum.count += one.count,
            None => sums.push(one.clone()),
        }
    }
    sums
}

/// Adds the outcome of a part to that of the request.
pub(super) fn add(to: &mut wire::WrittenRows, faults: Vec<wire::RowFault>, refused: usize) {
    to.refused += refused;
    let room = MAX_FAULTS.saturating_sub(to.faults.len());
    to.faults.extend(faults.into_iter().take(room));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line is in exactly one part, whatever its length, and faults name the line of the whole text.
    #[test]
    fn parts_are_whole_lines_with_their_numbers() {
        let long = "x".repeat(PART_BYTES / 2);
        let mut lines: Vec<String> = (0..9).map(|key| format!(r#"{{"id": {key}, "text": "{long}"}}"#)).collect();
        lines[4] = "{".to_owned();
        lines[7] = String::new();
        lines[8] = r#"{"id": true}"#.to_owned();
        let text = RowText { text: lines.join("\n").into(), form: RowForm::Lines };
        let parts = text.parts();
        assert!(parts.len() > 2 && parts.iter().all(|part| part.bytes() < 2 * PART_BYTES), "{}", parts.len());
        assert_eq!(parts.iter().map(RowPart::bytes).sum::<usize>(), text.text.len());
        let collection = Collection { key: "id".to_owned(), time: None, schema: None };
        let scrubber = Scrubber::built_in();
        let drafts = parts.iter().map(|part| part.draft(&collection, RowForm::Lines, scrubber).expect("UTF-8"));
        let drafts: Vec<RowDrafts> = drafts.collect();
        // rows of half a megabyte are too large for any collection
        let faults: Vec<usize> = drafts.iter().flat_map(|part| part.faults.iter().map(|fault| fault.line)).collect();
        assert_eq!(faults, [1, 2, 3, 4, 5, 6, 7, 9]);
    }
}
