//! Characters: one spelling for texts that readers consider equal, and the classes of the tokenizer.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use crate::tuning::MAX_WORD_BYTES;

/// The form of a text for substring matching.
///
/// Unifies compatibility forms (NFKC), folds case, collapses and trims white space, and removes invisible characters
/// (NUL, soft hyphens, zero-width joiners, byte-order marks). The function is idempotent.
///
/// ```
/// use orgmem_recall::fold_text;
///
/// assert_eq!(fold_text("  Ｄｅｐｌｏｙ\u{ad}ment\n\tSTRASSE "), "deployment strasse");
/// assert_eq!(fold_text("Straße"), fold_text("STRASSE"));
/// ```
pub fn fold_text(text: &str) -> String {
    let normal = normalized(text);
    let mut out = String::with_capacity(normal.len());
    for word in normal.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        fold_case_into(&mut out, word);
    }
    out
}

/// `text` in NFKC, without invisible characters and without accents that belong to no letter.
pub(crate) fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains('\0') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !is_invisible(c)).nfkc().filter(|&c| !is_accent(c)).collect())
}

/// Appends `word` with its case folded.
///
/// Lower, upper and lower case again equals full case folding for all letters with two cases: `ẞ`, `ß` and `SS` become
/// `ss`, the two sigmas one. An accent that remains (that of `İ`) is dropped.
pub(super) fn fold_case_into(out: &mut String, word: &str) {
    if word.is_ascii() {
        out.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    let folded = word.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    out.extend(folded.nfc().filter(|&c| !is_accent(c)));
}

/// `word` without diacritics on Latin, Greek and Cyrillic letters: `cafe` finds `café`.
///
/// Marks of other scripts stay, as they are vowels there; so does the Cyrillic `й`, a letter of its own.
pub(crate) fn without_marks(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'й' => out.push(c),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' => out.push('d'),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            '\u{c0}'..='\u{52f}' | '\u{1e00}'..='\u{1fff}' => {
                decompose_canonical(c, |part| out.extend(Some(part).filter(|&part| !is_accent(part))));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether `word` has only letters, of scripts with spaces between words.
pub(crate) fn is_letters(word: &str) -> bool {
    word.chars().all(|c| CharClass::of(c) == CharClass::Letter)
}

/// One letter for letters that are often written for each other: `ё` and `е`, the forms of the Arabic alef, a final and
/// a medial Hebrew letter.
pub(super) fn loose(c: char) -> char {
    match c {
        'ё' => 'е',
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' | 'ی' | 'ئ' => 'ي',
        'ة' => 'ه',
        'ؤ' => 'و',
        'ک' => 'ك',
        'ך' => 'כ',
        'ם' => 'מ',
        'ן' => 'נ',
        'ף' => 'פ',
        'ץ' => 'צ',
        c => c,
    }
}

/// `word`, truncated to [`MAX_WORD_BYTES`] at a character boundary.
pub(super) fn truncated(word: &str) -> &str {
    &word[..word.floor_char_boundary(MAX_WORD_BYTES)]
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Default-ignorable characters, and NUL, which PostgreSQL cannot store.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\0' | '\u{ad}'
            | '\u{34f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The role of a character in tokenization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// A letter, or a mark on one, of a script with spaces between words.
    Letter,
    Digit,
    /// A character of a script without spaces: Han, kana, Hangul, Thai, Lao, Khmer, Myanmar.
    ///
    /// Korean has spaces, but attaches its particles to the noun, so bigrams work better than words.
    Unspaced,
    /// A pictograph; a word of its own.
    Emoji,
    Other,
}

impl CharClass {
    pub(super) fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => CharClass::Letter,
            '0'..='9' => CharClass::Digit,
            '\0'..='\x7f' => CharClass::Other,
            c if is_unspaced(c) => CharClass::Unspaced,
            c if c.is_numeric() => CharClass::Digit,
            c if c.is_alphabetic() || is_combining_mark(c) => CharClass::Letter,
            '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => CharClass::Emoji,
            _ => CharClass::Other,
        }
    }
}

/// Whether `word` has a character of a script without spaces: it is then no word, but two adjacent characters.
pub(crate) fn has_unspaced(word: &str) -> bool {
    word.chars().any(is_unspaced)
}

fn is_unspaced(c: char) -> bool {
    matches!(c,
        // Thai, Lao (not their digits and signs)
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{edc}'..='\u{edf}'
        // Myanmar, Hangul jamo, Khmer
        | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' | '\u{109a}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17d3}' | '\u{17dc}' | '\u{17dd}'
        // Han, kana (not the middle dot), bopomofo, Hangul
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{302f}' | '\u{3031}'..='\u{303c}'
        | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{312f}' | '\u{3131}'..='\u{318e}'
        | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}' | '\u{a9e0}'..='\u{a9ef}' | '\u{aa60}'..='\u{aa7f}'
        | '\u{ac00}'..='\u{d7fb}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}
