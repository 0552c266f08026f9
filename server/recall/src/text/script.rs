//! Which script a character is of, as far as analysis cares.

use unicode_normalization::char::is_combining_mark;

/// What a character is to the scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter, or a mark on one, of a script that puts spaces between words.
    Letter,
    Digit,
    /// Of a script that does not: Han, kana, Hangul, Thai, Lao, Khmer, Myanmar.
    ///
    /// Korean has spaces, but its particles cling to the noun, so that bigrams serve it better than words.
    Unspaced,
    /// A pictograph, findable by itself.
    Emoji,
    Other,
}

impl Class {
    pub(super) fn of(c: char) -> Self {
        match c {
            'a'..='z' | 'A'..='Z' => Class::Letter,
            '0'..='9' => Class::Digit,
            '\0'..='\x7f' => Class::Other,
            c if is_unspaced(c) => Class::Unspaced,
            c if c.is_numeric() => Class::Digit,
            c if c.is_alphabetic() || is_combining_mark(c) => Class::Letter,
            '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => Class::Emoji,
            _ => Class::Other,
        }
    }
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

/// The scripts whose words are stemmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Tamil,
    Other,
}

impl Script {
    pub(super) fn of(c: char) -> Self {
        match c {
            'a'..='z' | '\u{aa}' | '\u{ba}' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
            '\u{400}'..='\u{52f}' => Script::Cyrillic,
            '\u{620}'..='\u{64a}' | '\u{66e}'..='\u{6d3}' => Script::Arabic,
            '\u{b80}'..='\u{bff}' => Script::Tamil,
            _ => Script::Other,
        }
    }
}
