//! The shape of credentials, independent of their context.

use serde::Deserialize;

/// Required randomness of a value. Each level is stricter than the previous one.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(super) enum Strictness {
    /// No requirement.
    #[default]
    Any,
    /// Several words, none of them a word of a sentence.
    Phrase,
    /// Letters mixed with digits or signs.
    Mixed,
    /// Mixed, and not words and numbers joined by signs like paths, versions and labels.
    Opaque,
    /// Upper case, lower case and digits in the distribution of random bytes.
    Random,
}

impl Strictness {
    /// Whether `value` satisfies this level.
    pub(super) fn fits(self, value: &str) -> bool {
        (self < Self::Mixed || is_mixed(value))
            && (self < Self::Opaque || !is_worded(value))
            && (self < Self::Random || is_random(value))
    }
}

/// Shannon entropy of the bytes of `value`, in bits per byte.
pub(super) fn entropy(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    value.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = value.len() as f64;
    counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / total).map(|p| -p * p.log2()).sum()
}

/// Signs at the ends belong to the sentence or to code, as in `*const u8` and `never!`. No word is hexadecimal and long.
fn is_mixed(value: &str) -> bool {
    const SIGNS: [char; 12] = ['!', '@', '#', '$', '%', '^', '&', '*', '+', '?', '~', '|'];
    let value = value.trim_matches(SIGNS);
    let has_both =
        value.contains(char::is_alphabetic) && value.contains(|c: char| c.is_ascii_digit() || SIGNS.contains(&c));
    has_both || (value.len() >= 16 && is_hex(value) && value.contains(|c: char| c.is_ascii_alphabetic()))
}

/// Several words and short numbers joined by signs or, as in `TokenStream2`, by capitals.
pub(super) fn is_worded(value: &str) -> bool {
    let segments = || value.split(|c: char| !c.is_alphanumeric()).filter(|segment| !segment.is_empty());
    match segments().count() {
        0 => false,
        1 => is_camel_case(value),
        _ => segments().all(is_word),
    }
}

/// A word, a short number, or a word and a short number.
fn is_word(segment: &str) -> bool {
    let word = segment.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = segment.len() - word.len();
    word.chars().all(char::is_alphabetic)
        && case_changes(word) * 3 <= word.len()
        && (digits <= 5 || (word.is_empty() && digits <= 12))
}

/// At least two capitalised words of three letters on average, then at most two digits.
fn is_camel_case(value: &str) -> bool {
    let letters = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let capitals = letters.bytes().filter(u8::is_ascii_uppercase).count();
    capitals >= 2
        && value.len() - letters.len() <= 2
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && letters.len() >= capitals * 3
        && case_changes(letters) + 2 >= capitals * 2
}

fn case_changes(word: &str) -> usize {
    word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase()).count()
}

/// At least a sixth upper case, a sixth lower case, a digit, and as many neighbours of different class as random bytes
/// in base64: 62 % of all pairs there, below 30 % in words. Hexadecimal segments do not count.
pub(super) fn is_random(value: &str) -> bool {
    let (mut upper, mut lower, mut digits, mut pairs, mut changes) = (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
    for segment in value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|segment| !is_hex(segment)) {
        let mut last = None;
        for byte in segment.bytes() {
            let class = (byte.is_ascii_uppercase(), byte.is_ascii_lowercase());
            match class {
                (true, _) => upper += 1,
                (_, true) => lower += 1,
                _ => digits += 1,
            }
            if let Some(last) = last.replace(class) {
                pairs += 1;
                changes += usize::from(last != class);
            }
        }
    }
    let total = upper + lower + digits;
    total >= 16 && digits > 0 && upper * 6 >= total && lower * 6 >= total && changes * 100 >= pairs * 42
}

fn is_hex(segment: &str) -> bool {
    let of = |letters: std::ops::RangeInclusive<u8>| {
        segment.bytes().all(|byte| byte.is_ascii_digit() || letters.contains(&byte))
    };
    of(b'a'..=b'f') || of(b'A'..=b'F')
}
