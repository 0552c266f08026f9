//! Lines of a file, in bounded memory.

use std::io::BufRead;

use super::TransferError;

/// The longest accepted line. The largest row that a server writes has about two megabytes.
pub(super) const MAX_LINE: usize = 64 << 20;

/// Reads a file line by line, with the numbers and the positions of the lines.
pub(super) struct Lines<R> {
    file: R,
    line: Vec<u8>,
    number: u64,
    offset: u64,
}

impl<R: BufRead> Lines<R> {
    /// `number` lines and `offset` bytes were read before.
    pub(super) const fn after(file: R, number: u64, offset: u64) -> Self {
        Self { file, line: Vec::new(), number, offset }
    }

    /// The number of the current line, from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// The position after the current line.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next line with its line break; none at the end of the file.
    ///
    /// # Errors
    /// [`TransferError::Line`] for a line that is too long, has no line break or is not UTF-8.
    pub(super) fn next(&mut self) -> Result<Option<&str>, TransferError> {
        self.line.clear();
        self.number += 1;
        loop {
            let read = self.file.fill_buf().map_err(TransferError::Read)?;
            if read.is_empty() {
                break;
            }
            let end = read.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(read.len());
            if self.line.len() + taken > MAX_LINE {
                return Err(self.fault(format!("it is longer than {MAX_LINE} bytes")));
            }
            self.line.extend_from_slice(&read[..taken]);
            self.file.consume(taken);
            if end.is_some() {
                break;
            }
        }
        self.offset += self.line.len() as u64;
        if self.line.is_empty() {
            return Ok(None);
        }
        if self.line.last() != Some(&b'\n') {
            return Err(self.fault("the file ends in the middle of this line; it is incomplete"));
        }
        let number = self.number;
        let text = std::str::from_utf8(&self.line);
        text.map(Some).map_err(|_| TransferError::Line { line: number, reason: "it is not UTF-8".into() })
    }

    pub(super) fn fault(&self, reason: impl Into<String>) -> TransferError {
        TransferError::Line { line: self.number, reason: reason.into() }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    #[test]
    fn lines_are_numbered_and_located() {
        let mut lines = Lines::after("one\n\nthree\n".as_bytes(), 0, 0);
        assert_eq!(lines.next().expect("a line"), Some("one\n"));
        assert_eq!((lines.number(), lines.offset()), (1, 4));
        assert_eq!(lines.next().expect("a line"), Some("\n"));
        assert_eq!(lines.next().expect("a line"), Some("three\n"));
        assert_eq!((lines.number(), lines.offset()), (3, 11));
        assert_eq!(lines.next().expect("the end"), None);
    }

    #[test]
    fn endless_line_is_refused_in_bounded_memory() {
        let endless = BufReader::new(std::io::repeat(b'x').take(10 << 30));
        let mut lines = Lines::after(endless, 0, 0);
        let error = lines.next().expect_err("too long").to_string();
        assert!(error.starts_with("line 1: it is longer than 67108864 bytes"), "{error}");
        assert!(lines.line.capacity() <= 2 * MAX_LINE, "{}", lines.line.capacity());
    }

    #[test]
    fn incomplete_line_and_other_encodings_are_refused() {
        let check = |file: &[u8], reason: &str| {
            let error = Lines::after(file, 6, 0).next().expect_err("refused").to_string();
            assert!(error.starts_with("line 7: ") && error.contains(reason), "{error}");
        };
        check(b"{\"a\":", "incomplete");
        check(b"\xff\xfe\n", "not UTF-8");
    }
}
