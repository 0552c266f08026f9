//! The tokens of PDF objects and content streams.

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    /// Without the slash, with its escapes resolved.
    Name(Vec<u8>),
    String(Vec<u8>),
    ArrayStart,
    ArrayEnd,
    DictStart,
    DictEnd,
    Keyword(&'a [u8]),
}

/// Reads tokens from a position on. Every call consumes a byte or is the last.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(data: &'a [u8], at: usize) -> Self {
        Lexer { data, at: at.min(data.len()) }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn jump(&mut self, at: usize) {
        self.at = at.min(self.data.len());
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.data[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Skips whitespace and comments.
    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                self.take_while(|byte| byte != b'\n' && byte != b'\r');
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn take_while(&mut self, is_wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|byte| !is_wanted(*byte)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    pub(super) fn token(&mut self) -> Option<Token<'a>> {
        self.skip_space();
        let first = self.peek()?;
        let second = self.data.get(self.at + 1).copied();
        Some(match (first, second) {
            (b'/', _) => {
                self.at += 1;
                Token::Name(unescape_name(self.take_while(is_regular)))
            }
            (b'(', _) => Token::String(self.literal()),
            (b'<', Some(b'<')) => self.skip(2, Token::DictStart),
            (b'>', Some(b'>')) => self.skip(2, Token::DictEnd),
            (b'<', _) => {
                self.at += 1;
                let digits = self.take_while(|byte| byte != b'>');
                self.at = (self.at + 1).min(self.data.len());
                Token::String(hex(digits))
            }
            (b'[', _) => self.skip(1, Token::ArrayStart),
            (b']', _) => self.skip(1, Token::ArrayEnd),
            (byte, _) if is_regular(byte) => {
                let word = self.take_while(is_regular);
                number(word).map_or(Token::Keyword(word), Token::Number)
            }
            // a stray delimiter
            _ => {
                let at = self.at;
                self.skip(1, Token::Keyword(&self.data[at..=at]))
            }
        })
    }

    fn skip(&mut self, bytes: usize, token: Token<'a>) -> Token<'a> {
        self.at += bytes;
        token
    }

    /// The object number of `12 0 R`, if that comes next.
    pub(super) fn reference(&mut self) -> Option<u32> {
        let start = self.at;
        let found = self.reference_here();
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn reference_here(&mut self) -> Option<u32> {
        self.take_while(is_space);
        let id = decimal(self.take_while(|byte| byte.is_ascii_digit()))?;
        self.take_while(is_space);
        decimal(self.take_while(|byte| byte.is_ascii_digit()))?;
        self.take_while(is_space);
        (self.take_while(is_regular) == b"R").then_some(id)
    }

    fn literal(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut string = Vec::new();
        let mut depth = 1_usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut string);
                    continue;
                }
                _ => {}
            }
            string.push(byte);
        }
        string
    }

    fn escape(&mut self, string: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => string.push(b'\n'),
            b'r' => string.push(b'\r'),
            b't' => string.push(b'\t'),
            b'b' => string.push(8),
            b'f' => string.push(12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => code = code * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    self.at += 1;
                }
                string.push((code & 0xff) as u8);
            }
            other => string.push(other),
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

pub(super) fn decimal(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn number(word: &[u8]) -> Option<f64> {
    if !word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.')) || word.len() > 40 {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Bytes of hexadecimal digits; others are skipped, and an odd last digit counts as followed by 0.
pub(super) fn hex(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = digits.iter().filter_map(|byte| digit(*byte)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default()).collect()
}

fn unescape_name(raw: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let escaped = raw.get(at + 1..at + 3).and_then(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?));
        match (raw[at], escaped) {
            (b'#', Some(byte)) => {
                name.push(byte);
                at += 3;
            }
            (byte, _) => {
                name.push(byte);
                at += 1;
            }
        }
    }
    name
}
