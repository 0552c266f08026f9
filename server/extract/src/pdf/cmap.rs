//! Character maps: codes of a font to Unicode.

use std::collections::BTreeMap;

use super::lexer::{Lexer, Token};

const ENTRIES_LIMIT: usize = 100_000;
const CODE_SPACES_LIMIT: usize = 32;

/// Up to which code, and the text of the first code as UTF-16.
#[derive(Debug)]
struct Range {
    last: u32,
    text: Vec<u16>,
}

/// A map from codes to Unicode.
#[derive(Debug, Default)]
pub(super) struct CMap {
    /// Bytes of a code, first and last code.
    spaces: Vec<(usize, u32, u32)>,
    ranges: BTreeMap<u32, Range>,
}

impl CMap {
    pub(super) fn parse(data: &[u8]) -> CMap {
        let mut map = CMap::default();
        let mut lexer = Lexer::new(data, 0);
        while let Some(token) = lexer.token() {
            match token {
                Token::Keyword(b"begincodespacerange") => map.code_spaces(&mut lexer),
                Token::Keyword(b"beginbfchar") => map.characters(&mut lexer),
                Token::Keyword(b"beginbfrange") => map.read_ranges(&mut lexer),
                _ => {}
            }
        }
        map
    }

    fn code_spaces(&mut self, lexer: &mut Lexer<'_>) {
        while let (Some(Token::String(first)), Some(Token::String(last))) = (lexer.token(), lexer.token()) {
            if self.spaces.len() < CODE_SPACES_LIMIT && (1..=4).contains(&first.len()) {
                self.spaces.push((first.len(), code_of(&first), code_of(&last)));
            }
        }
    }

    fn characters(&mut self, lexer: &mut Lexer<'_>) {
        while let Some(Token::String(code)) = lexer.token() {
            match lexer.token() {
                Some(Token::String(text)) => self.add(code_of(&code), code_of(&code), units(&text)),
                Some(Token::Keyword(b"endbfchar")) | None => return,
                Some(_) => {}
            }
        }
    }

    fn read_ranges(&mut self, lexer: &mut Lexer<'_>) {
        while let (Some(Token::String(first)), Some(Token::String(last))) = (lexer.token(), lexer.token()) {
            let (first, last) = (code_of(&first), code_of(&last));
            match lexer.token() {
                Some(Token::String(text)) => self.add(first, last, units(&text)),
                Some(Token::ArrayStart) => {
                    let mut code = first;
                    while let Some(Token::String(text)) = lexer.token() {
                        if code <= last {
                            self.add(code, code, units(&text));
                        }
                        code = code.saturating_add(1);
                    }
                }
                _ => return,
            }
        }
    }

    fn add(&mut self, first: u32, last: u32, text: Vec<u16>) {
        if self.ranges.len() < ENTRIES_LIMIT && first <= last {
            self.ranges.insert(first, Range { last, text });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The code at the beginning of `bytes` and its length, at least 1.
    pub(super) fn next_code(&self, bytes: &[u8], usual_length: usize) -> (u32, usize) {
        for length in 1..=bytes.len().min(4) {
            let code = code_of(&bytes[..length]);
            let fits = |(bytes, first, last): &(usize, u32, u32)| *bytes == length && (*first..=*last).contains(&code);
            if self.spaces.iter().any(fits) {
                return (code, length);
            }
        }
        let length = usual_length.min(bytes.len()).max(1);
        (code_of(&bytes[..length]), length)
    }

    pub(super) fn text(&self, code: u32) -> Option<String> {
        let (first, range) = self.ranges.range(..=code).next_back()?;
        if code > range.last {
            return None;
        }
        let mut text = range.text.clone();
        if let Some(unit) = text.last_mut() {
            *unit = unit.wrapping_add((code - first) as u16);
        }
        Some(String::from_utf16_lossy(&text))
    }
}

pub(super) fn code_of(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

/// Big-endian UTF-16; longer texts than a ligature needs are cut.
fn units(bytes: &[u8]) -> Vec<u16> {
    if let [byte] = bytes {
        return vec![u16::from(*byte)];
    }
    bytes.chunks_exact(2).take(16).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}
