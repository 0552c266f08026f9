//! Signs of a text that are not words and change its meaning: `-5`, `+100`, `C++`, `==`, `>`, `€`, `%`, `?`.

use super::chars::CharClass;
use crate::tuning::MAX_WORD_BYTES;

/// A hash of the signs of `text`, which is [`normalized`](super::normalized), and of their positions among the words; 0
/// without signs. Stable: it is stored.
///
/// Punctuation at the edge of a word carries no meaning, except a question mark; every other sign counts. So do the
/// bytes after the first [`MAX_WORD_BYTES`] of a word, which are not part of its term.
pub(super) fn signs_hash(text: &str) -> u64 {
    let (mut hash, mut words, mut length) = (Fnv::default(), 0u32, 0);
    // a line begins and ends like a word next to white space
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied().unwrap_or(' ');
        length = if c.is_whitespace() { 0 } else { length + c.len_utf8() };
        if is_word(c) {
            words += u32::from(!is_word(before));
            if length > MAX_WORD_BYTES {
                c.to_lowercase().for_each(|c| hash.write(&u32::from(c).to_le_bytes()));
            }
        } else if !c.is_whitespace() && is_sign(before, c, after) {
            hash.write(&words.to_le_bytes());
            hash.write(&u32::from(unified(c)).to_le_bytes());
        }
        before = c;
    }
    if hash == Fnv::default() { 0 } else { hash.0.max(1) }
}

/// FNV-1a with 64 bits: simple, and the same in every version of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fnv(pub(crate) u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

fn is_word(c: char) -> bool {
    CharClass::of(c) != CharClass::Other
}

/// Whether `c`, which is neither a word nor white space, changes the meaning between these two characters.
fn is_sign(before: char, c: char, after: char) -> bool {
    let is_inner = is_word(before) && is_word(after);
    let follows_digit = CharClass::of(before) == CharClass::Digit;
    match c {
        '`' | '“' | '„' | '«' | '»' | '‹' | '›' | '(' | ')' | '[' | ']' | '{' | '}' => is_inner,
        // feet, minutes, inches
        '"' | '\'' | '’' | '”' | '‘' => is_inner && !matches!(c, '\'' | '’') || follows_digit,
        // `.5`, `.env`, `:5`, `1.5`, `10:30`
        '.' | ',' | ';' | ':' | '…' | '。' | '、' | '，' | '；' | '：' | '．' => is_word(after),
        // `5!`, `!important`
        '!' | '！' => is_word(after) || follows_digit,
        // `-5`, `--flag`, `A-`, `5–10`; a dash between white space separates
        '-' | '–' | '—' | '‐' | '‑' => !(before.is_whitespace() && after.is_whitespace()),
        _ => true,
    }
}

/// One character for those that are typed for one sign.
fn unified(c: char) -> char {
    match c {
        '−' | '–' | '—' | '‐' | '‑' => '-',
        '’' | '‘' => '\'',
        '”' => '"',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::signs_hash;

    #[test]
    fn signs_that_change_meaning_change_the_hash() {
        let pairs = [
            ("offset -5", "offset 5"),
            ("offset -5", "offset +5"),
            ("balance +100", "balance 100"),
            ("written in C++", "written in C"),
            ("written in C#", "written in C"),
            ("compare with ==", "compare with ="),
            ("a > b", "a < b"),
            ("a >= b", "a > b"),
            ("a != b", "a == b"),
            ("costs 5 €", "costs 5 $"),
            ("costs 5 €", "costs 5"),
            ("grew 5 %", "grew 5"),
            ("5% of it", "5‰ of it"),
            ("ready?", "ready."),
            ("grade A-", "grade A"),
            ("pages 5-10", "pages 5/10"),
            ("version 1.5", "version 1,5"),
            ("x = 3 * 4", "x = 3 / 4"),
            ("size 5'", "size 5\""),
            ("edit .env", "edit env"),
            ("run -v", "run v"),
            ("5 ± 1", "5 + 1"),
            ("-5 and 5", "5 and -5"),
            ("ask @ada", "ask ada"),
            ("R&D", "R D"),
        ];
        for (one, other) in pairs {
            assert_ne!(signs_hash(one), signs_hash(other), "`{one}`, `{other}`");
        }
    }

    #[test]
    fn punctuation_without_meaning_does_not_change_the_hash() {
        let plain = ["deploys freeze on Fridays", "Deploys freeze, on \"Fridays\"!", "- deploys (freeze): on Fridays…"];
        for text in plain {
            assert_eq!(signs_hash(text), 0, "`{text}`");
        }
        assert_eq!(signs_hash("it is −5"), signs_hash("It is: -5."));
        assert_eq!(signs_hash("they don't"), signs_hash("they don’t"));
    }
}
