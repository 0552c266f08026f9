//! One spelling for texts that a reader takes for the same: compatibility forms, case, marks.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_canonical;

/// The form in which text is compared as a whole, for substring matching.
///
/// Compatibility forms are unified (NFKC), case is folded, white space is collapsed to single spaces and trimmed,
/// and characters that nobody sees (NUL, soft hyphens, zero-width joiners, byte-order marks) are left out.
/// Folding what is folded changes nothing.
///
/// ```
/// use orgmem_recall::folded;
///
/// assert_eq!(folded("  Ｄｅｐｌｏｙ\u{ad}ment\n\tSTRASSE "), "deployment strasse");
/// assert_eq!(folded("Straße"), folded("STRASSE"));
/// ```
pub fn folded(text: &str) -> String {
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

/// `text` in NFKC, without the characters that nobody sees and accents that belong to no letter.
pub(crate) fn normalized(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.contains('\0') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !is_invisible(c)).nfkc().filter(|&c| !is_accent(c)).collect())
}

/// Appends `word` with its case folded.
///
/// Down, up and down again reaches what Unicode calls full case folding for every letter that has two cases:
/// `ẞ`, `ß` and `SS` become `ss`, the two sigmas one. What is an accent of its own then (that of `İ`) is dropped.
pub(crate) fn fold_case_into(out: &mut String, word: &str) {
    if word.is_ascii() {
        out.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    let folded = word.chars().flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    out.extend(folded.nfc().filter(|&c| !is_accent(c)));
}

/// `word` without accents and the like on Latin, Greek and Cyrillic letters: `café` is found by `cafe`.
///
/// Marks of other scripts are left alone, as they are vowels there; so is the Cyrillic `й`, a letter of its own.
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
                decompose_canonical(c, |part| {
                    if !is_accent(part) {
                        out.push(part);
                    }
                });
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Default-ignorable characters, and NUL, which PostgreSQL cannot hold.
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
