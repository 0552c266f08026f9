//! Any string to a query.

mod dates;
mod names;
mod parse;
mod quotes;

pub(crate) use dates::Date;
pub use names::in_first_person;
use parse::Parser;

use crate::byline::Byline;
use crate::text::{Language, Person, Shape, Token, normalized, scan, without_marks};
use crate::vector::Meaning;

/// Different words that a query keeps, and as many in phrases; those beyond, in order of appearance, are passed over.
///
/// So the work of a search is bounded whatever is asked: a few times this many look-ups in each segment.
pub const MAX_QUERY_WORDS: usize = 128;

/// Prefixes that a query keeps; those beyond count as words. A prefix costs a walk over all words of a
/// segment that begin with the same letter.
pub const MAX_QUERY_PREFIXES: usize = 8;

/// Words by which a query's language and person are told.
const MAX_SAMPLE: usize = 512;

/// What is searched for.
///
/// # Syntax
/// * Words: a memory matches that holds any of them; each that it holds raises it, and two that stand next to each
///   other there as in the query raise it a little more.
/// * `"rate limit"`: a phrase, its words next to each other, in any inflection. A query of nothing but phrases matches
///   only where one of them stands. Among other words a phrase raises what holds it, and its words count as well.
/// * `depl*`: any word that begins so; not `**so**`, which is emphasis.
/// * The name of a memory's author counts as a word of the memory; a date (`in May 2023`, `2023-05-08`) raises what was
///   made then.
/// * Stop words (`what`, `the`, …) raise a little what other words found. Where there are no others, they count fully.
///
/// Every other character is white space. No string is an error.
///
/// ```
/// use orgmem_recall::Query;
///
/// assert!(Query::parse(" \n").is_blank()); // nothing was asked: a listing
/// assert!(Query::parse("?!").is_empty() && !Query::parse("?!").is_blank()); // asked for nothing that could be found
/// assert!(!Query::parse("who is it").is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    pub(crate) units: Vec<Unit>,
    /// The language that it is asked in; English when that is not certain.
    pub(crate) language: Language,
    /// Whether whoever asks speaks of himself.
    pub(crate) is_first_person: bool,
    pub(crate) dates: Vec<Date>,
    pub(crate) meaning: Meaning,
    is_blank: bool,
}

/// The words of a query in their order, without marks, and with how many each shares a name or a path.
#[derive(Default)]
struct Said {
    text: String,
    /// Where each word ends.
    ends: Vec<(usize, u32)>,
}

impl Said {
    fn add(&mut self, token: &Token<'_>) {
        if token.shape == Shape::Part {
            self.text.push_str(&without_marks(token.word));
            self.ends.push((self.text.len(), token.siblings));
        }
    }

    fn words(&self) -> impl Iterator<Item = (&str, u32)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).map(|(start, &(end, siblings))| (&self.text[start..end], siblings))
    }
}

/// One thing that may match, and what it counts beside the others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) weight: f64,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Word(Wanted),
    /// Words, and how far each is from the first.
    Phrase(Vec<(Wanted, u32)>),
    /// Two words that stand next to each other in the query, by the numbers of their units.
    Pair(usize, usize),
}

/// A word looked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// In any inflection; folded, with its marks.
    Word(String),
    /// Folded, without marks.
    Prefix(String),
}

impl Query {
    /// The query that `text` is; total.
    pub fn parse(text: &str) -> Self {
        let text = normalized(text);
        let (plain, quoted) = quotes::split(&text);
        let mut parser = Parser::default();
        let mut said = Said::default();
        if quoted.is_empty() {
            parser.words(&text, &mut |token| said.add(token));
        } else {
            scan(&text, &mut |token| said.add(&token));
            plain.into_iter().for_each(|piece| parser.words(piece, &mut |_| {}));
            let has_words = !parser.is_empty();
            quoted.iter().for_each(|piece| parser.phrase(piece));
            if has_words {
                quoted.into_iter().for_each(|piece| parser.words(piece, &mut |_| {}));
            }
        }
        let sample = || said.words().take(MAX_SAMPLE).map(|(word, _)| word);
        let language = Language::detect(sample());
        let is_first_person = |word: &str| Person::of(word, language) == Some(Person::First);
        Query {
            units: parser.finish(),
            language,
            is_first_person: sample().any(is_first_person),
            dates: dates::dates(said.words()),
            meaning: Meaning::new(),
            is_blank: text.trim().is_empty(),
        }
    }

    /// The same query, that looks for what it means too.
    #[must_use]
    pub fn with_meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// The same query, that looks for nothing by words.
    #[must_use]
    pub fn without_words(self) -> Self {
        Self { units: Vec::new(), ..self }
    }

    /// Whether there was nothing but white space: then a search is a listing.
    pub fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// Whether there is nothing that could match.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty() && self.meaning.is_empty()
    }

    /// Whether every word of this name stands in it.
    pub fn names(&self, byline: &Byline) -> bool {
        let has = |word: &str| {
            self.units
                .iter()
                .any(|unit| matches!(&unit.what, What::Word(Wanted::Word(own)) if without_marks(own) == word))
        };
        let mut words = byline.words().peekable();
        words.peek().is_some() && words.all(has)
    }

    /// Whether the unit of this number says what the question is about.
    pub(crate) fn is_content(&self, unit: usize) -> bool {
        !self.is_stop_word(unit, self.language)
    }

    /// Whether the unit of this number says little of what the question is about, in a text of `language`.
    pub(crate) fn is_stop_word(&self, unit: usize, language: Language) -> bool {
        match &self.units[unit].what {
            What::Word(Wanted::Word(word)) => language.is_stop_word(&without_marks(word)),
            What::Word(Wanted::Prefix(_)) | What::Phrase(_) => false,
            What::Pair(first, second) => self.is_stop_word(*first, language) || self.is_stop_word(*second, language),
        }
    }
}
