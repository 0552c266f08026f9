//! Abbreviations that a text defines: `General Data Protection Regulation (GDPR)`, `GDPR (General Data Protection
//! Regulation)`, `GDPR means General Data Protection Regulation`.
//!
//! A definition is a term of the index with a mark that no word contains, so that it is found, counted and removed with the
//! memory that has it.

use super::tokenize::tokenize;
use super::{TokenKind, without_marks};
use crate::tuning::{MAX_ABBREVIATION_CHARS, MAX_DEFINITION_WORDS};

/// Before and after the key of a definition.
const MARK: char = '\u{1}';
/// Before the key of a definition by its words.
const REVERSE_MARK: char = '\u{2}';

/// What is between an abbreviation and its words.
const VERBS: [&str; 9] = [
    " means ",
    " stands for ",
    " = ",
    " steht für ",
    " bedeutet ",
    " signifie ",
    " significa ",
    " staat voor ",
    " betyder ",
];

/// An abbreviation and its words, as words of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    abbreviation: String,
    /// Separated by single spaces.
    words: String,
    /// Byte offset in the text, behind the one that comes first.
    at: usize,
}

impl Definition {
    /// All definitions of a [`normalized`](super::normalized) text, in order.
    ///
    /// # Complexity
    /// Linear in `text`: a bracket costs at most [`MAX_DEFINITION_WORDS`] words.
    pub(crate) fn all(text: &str) -> Vec<Definition> {
        let in_brackets = text.match_indices('(').filter_map(|(at, bracket)| {
            let (inside, _) = next_words(&text[at + bracket.len()..]).split_once(')')?;
            let (before, inside) = (&text[..at], inside.trim());
            if is_abbreviation(inside) {
                return Definition::new(inside, long_form(inside, before)?, at);
            }
            let (abbreviation, words) = (last_abbreviation(before)?, inside);
            (long_form(abbreviation, words)?.len() == words.len()).then(|| Definition::new(abbreviation, words, at))?
        });
        let by_verb = VERBS.iter().flat_map(|verb| text.match_indices(verb)).filter_map(|(at, verb)| {
            let abbreviation = last_abbreviation(&text[..at])?;
            let words = next_words(&text[at + verb.len()..]);
            let is_end = |(_, c): &(usize, char)| !c.is_alphanumeric();
            let ends = words.char_indices().filter(is_end).map(|(end, _)| end).chain([words.len()]);
            let mut beginnings = ends.map(|end| &words[..end]).take(MAX_DEFINITION_WORDS);
            let words =
                beginnings.find(|words| long_form(abbreviation, words).is_some_and(|it| it.len() == words.len()))?;
            Definition::new(abbreviation, words, at)
        });
        in_brackets.chain(by_verb).collect()
    }

    /// The definition of `abbreviation` as `words`, if these are plain words and at least two.
    fn new(abbreviation: &str, words: &str, at: usize) -> Option<Self> {
        let (abbreviation, words) = (words_of(abbreviation)?, words_of(words)?);
        (!abbreviation.contains(' ') && words.contains(' ')).then_some(Definition { abbreviation, words, at })
    }

    /// Byte offset in the text, behind the one of the two that comes first.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The two terms of the index: by the abbreviation, and by the words.
    pub(crate) fn terms(&self) -> [String; 2] {
        let Definition { abbreviation, words, .. } = self;
        [format!("{MARK}{abbreviation}{MARK}{words}"), format!("{REVERSE_MARK}{words}{MARK}{abbreviation}")]
    }
}

/// Whether a term of the index is a definition.
pub(crate) fn is_definition(term: &str) -> bool {
    term.starts_with([MARK, REVERSE_MARK])
}

/// The beginning of the terms that define `abbreviation`, a word of the index; each ends with the words.
pub(crate) fn defining(abbreviation: &str) -> String {
    format!("{MARK}{abbreviation}{MARK}")
}

/// The beginning of the terms that define an abbreviation of words that begin with these two.
pub(crate) fn beginning_with(one: &str, other: &str) -> String {
    format!("{REVERSE_MARK}{one} {other}")
}

/// The words and the abbreviation of a term that begins with [`beginning_with`].
pub(crate) fn of_reverse_term(term: &str) -> Option<(&str, &str)> {
    term.strip_prefix(REVERSE_MARK)?.split_once(MARK)
}

/// The beginning of `text` that may be the words of an abbreviation.
fn next_words(text: &str) -> &str {
    // the longest words have some twenty letters in most languages
    &text[..text.floor_char_boundary(MAX_DEFINITION_WORDS * 20)]
}

/// The last word of `text` if it looks like an abbreviation.
fn last_abbreviation(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let chars = text.char_indices().rev().take(MAX_ABBREVIATION_CHARS + 1);
    let start = chars.take_while(|(_, c)| c.is_alphanumeric()).last().map(|(start, _)| start)?;
    Some(&text[start..]).filter(|word| is_abbreviation(word))
}

/// Whether a text looks like an abbreviation: at least two capitals, no white space.
fn is_abbreviation(text: &str) -> bool {
    let chars = text.chars().count();
    (2..=MAX_ABBREVIATION_CHARS).contains(&chars)
        && text.chars().all(char::is_alphanumeric)
        && text.chars().filter(|c| c.is_uppercase()).count() >= 2
}

/// The end of `text` that `abbreviation` abbreviates: its letters occur there in order, the first one at the beginning of the
/// first word. The method is that of Schwartz and Hearst (2003).
fn long_form<'t>(abbreviation: &str, text: &'t str) -> Option<&'t str> {
    let letters: Vec<char> = abbreviation.chars().flat_map(char::to_lowercase).collect();
    let max_words = (letters.len() + 5).min(2 * letters.len()).min(MAX_DEFINITION_WORDS);
    let mut chars = text.char_indices().rev().peekable();
    let mut words = 0;
    let mut last_was_letter = false;
    for (number, letter) in letters.iter().enumerate().rev() {
        loop {
            let (at, c) = chars.next()?;
            if !c.is_alphanumeric() {
                if matches!(c, '.' | ';' | ':' | '(' | ')' | '\n') {
                    return None;
                }
                last_was_letter = false;
                continue;
            }
            if !last_was_letter {
                words += 1;
                last_was_letter = true;
            }
            if words > max_words {
                return None;
            }
            let begins_word = chars.peek().is_none_or(|(_, before)| !before.is_alphanumeric());
            if c.to_lowercase().eq([*letter]) && (number > 0 || begins_word) {
                if number == 0 {
                    return Some(&text[at..]);
                }
                break;
            }
        }
    }
    None
}

/// The words of a text as in the index, separated by spaces; `None` if it has tokens that are not words of letters and digits.
fn words_of(text: &str) -> Option<String> {
    let (mut words, mut is_plain) = (String::new(), true);
    tokenize(text, &mut |token| match token.kind {
        TokenKind::Word => {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(&without_marks(token.word));
        }
        TokenKind::Compound => {}
        TokenKind::Bigram | TokenKind::LastOfRun { .. } => is_plain = false,
    });
    (is_plain && !words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::Definition;

    #[track_caller]
    fn assert_defines(text: &str, expected: &[(&str, &str)]) {
        let found = Definition::all(text);
        let found: Vec<(&str, &str)> = found.iter().map(|it| (&*it.abbreviation, &*it.words)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn definitions_in_brackets_are_found() {
        assert_defines(
            "We follow the General Data Protection Regulation (GDPR) since May.",
            &[("gdpr", "general data protection regulation")],
        );
        assert_defines("MTTR (mean time to recovery) fell", &[("mttr", "mean time to recovery")]);
        assert_defines("Allgemeine Geschäftsbedingungen (AGB)", &[("agb", "allgemeine geschaftsbedingungen")]);
        assert_defines("NDA means non-disclosure agreement; Carla has it", &[("nda", "non disclosure agreement")]);
        assert_defines("The SLO stands for service level objective here", &[("slo", "service level objective")]);
        assert_defines("our service-level agreement (SLA)", &[("sla", "service level agreement")]);
        assert_defines(
            "Recovery Point Objective (RPO), Recovery Time Objective (RTO)",
            &[("rpo", "recovery point objective"), ("rto", "recovery time objective")],
        );
    }

    #[test]
    fn other_brackets_define_nothing() {
        for text in [
            "the office (Lisbon)",
            "Ada (she) said",
            "a list (TBD)",
            "done. Very (OK)",
            "(NDA)",
            "GDPR ()",
            "x (",
            "PR means work",
            "東京 (TKY)",
        ] {
            assert_defines(text, &[]);
        }
    }

    #[test]
    fn hostile_texts_are_cheap() {
        let text = "(A".repeat(100_000);
        assert!(Definition::all(&text).is_empty());
    }
}
