//! Query parsing: any string is a query.

mod byline;
mod dates;
mod parser;
mod speech;

pub use byline::{Byline, in_first_person};
pub(crate) use dates::Date;

use std::borrow::Cow;

use crate::text::{Language, Person, StringPool, TokenKind, normalized, tokenize, without_marks};
use crate::tuning::QUERY_SAMPLE_WORDS;
use crate::vector::Meaning;
use parser::Parser;

/// A parsed query.
///
/// # Syntax
/// * Words: a memory matches if it contains any of them; each word raises its score, and two words that are adjacent in
///   both the memory and the query raise it a little more.
/// * `"rate limit"`: a phrase, adjacent words in any inflection. A query of phrases only matches memories that contain
///   one of them. Next to other words, a phrase raises the score of memories that contain it, and its words count too.
/// * `depl*`: any word with this prefix; not `**so**`, which is emphasis.
/// * The name of its author counts as a word of a memory; a date (`in May 2023`, `2023-05-08`) raises the score of
///   memories of that date.
/// * Stop words (`what`, `the`, …) raise the score of memories that match other words a little. A query of stop words
///   only treats them as words.
///
/// Any other character is white space. No string is an error.
///
/// ```
/// use orgmem_recall::Query;
///
/// assert!(Query::parse(" \n").is_blank()); // a listing
/// assert!(Query::parse("?!").is_empty() && !Query::parse("?!").is_blank()); // cannot match
/// assert!(!Query::parse("who is it").is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    pub(crate) clauses: Vec<Clause>,
    /// English if it is not certain.
    pub(crate) language: Language,
    pub(crate) is_first_person: bool,
    /// Whether it has a sentence that is not a question.
    pub(crate) has_statement: bool,
    /// Whether it asks what the one who is addressed said.
    pub(crate) asks_addressee: bool,
    pub(crate) dates: Vec<Date>,
    pub(crate) meaning: Meaning,
    /// The words of a query of phrases only, as clauses: what it means if no memory has a phrase.
    pub(crate) unquoted: Vec<Clause>,
    /// Words that were understood as other words; see [`Searcher::understand`](crate::Searcher::understand).
    pub(crate) alternatives: Vec<Alternative>,
    /// Whether the newest version of a statement comes first.
    pub(crate) is_newest_first: bool,
    /// The clauses of a query that matches by meaning only.
    meant_clauses: Vec<Clause>,
    is_blank: bool,
}

/// Other words that are searched for in place of a word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// The word of the query, or the quoted text.
    pub(crate) written: String,
    /// What it was understood as.
    pub(crate) meant: String,
    /// The clauses that were added for it.
    pub(crate) clauses: Vec<usize>,
}

/// One condition that may match, and its weight relative to the others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Clause {
    pub(crate) weight: f64,
    pub(crate) kind: ClauseKind,
    /// Whether it is several words together that are also clauses of their own.
    pub(crate) is_compound: bool,
    /// A clause that says the same: where it matches, this one does not count.
    pub(crate) instead_of: Option<usize>,
}

impl Clause {
    pub(crate) fn new(weight: f64, kind: ClauseKind) -> Self {
        Clause { weight, kind, is_compound: false, instead_of: None }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ClauseKind {
    Word(TermPattern),
    /// Words with their distances from the first.
    Phrase(Vec<(TermPattern, u32)>),
    /// Two words that are adjacent in the query, by the numbers of their clauses.
    Pair(usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TermPattern {
    /// In any inflection; folded, with diacritics.
    Word(String),
    /// Folded, without diacritics.
    Prefix(String),
    /// A stem of some memories, in any language.
    Stem(String),
}

impl Query {
    /// Parses `text`; never fails.
    pub fn parse(text: &str) -> Self {
        let text = normalized(text);
        let (mut words, mut siblings) = (StringPool::default(), Vec::new());
        tokenize(&text, &mut |token| {
            if token.kind == TokenKind::Word {
                words.push(&without_marks(token.word));
                siblings.push(token.siblings);
            }
        });
        let sample = || words.iter().take(QUERY_SAMPLE_WORDS);
        let language = Language::detect(&text, sample());
        let (clauses, unquoted) = Parser::parse(&text);
        Query {
            clauses,
            unquoted,
            alternatives: Vec::new(),
            is_newest_first: false,
            meant_clauses: Vec::new(),
            language,
            is_first_person: sample().any(|word| Person::of(word, language) == Some(Person::First)),
            has_statement: speech::has_statement(&text),
            asks_addressee: speech::asks_addressee(&sample().collect::<Vec<_>>(), language),
            dates: dates::dates(words.iter().zip(siblings)),
            meaning: Meaning::new(),
            is_blank: text.trim().is_empty(),
        }
    }

    /// A query of these clauses.
    pub(crate) fn of_clauses(clauses: Vec<Clause>, language: Language) -> Self {
        Query { clauses, language, ..Query::default() }
    }

    /// Replaces the embeddings of the query.
    #[must_use]
    pub fn with_meaning(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// Removes the words of the query: it then matches by meaning only.
    #[must_use]
    pub fn without_words(self) -> Self {
        Self { clauses: Vec::new(), unquoted: Vec::new(), meant_clauses: self.clauses, ..self }
    }

    /// The query with its words, also if it matches by meaning only.
    pub(crate) fn with_its_words(&self) -> Cow<'_, Self> {
        match self.meant_clauses.is_empty() {
            true => Cow::Borrowed(self),
            false => Cow::Owned(Self { clauses: self.meant_clauses.clone(), ..self.clone() }),
        }
    }

    /// Whether the query is white space only; a search is then a listing.
    pub fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// The number of words and phrases.
    pub fn clause_count(&self) -> usize {
        self.clauses.len()
    }

    /// Whether the query matches by words only.
    pub fn is_by_words(&self) -> bool {
        !self.clauses.is_empty() && self.meaning.is_empty()
    }

    /// Whether the query cannot match.
    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.meaning.is_empty()
    }

    /// The words that were understood as other words, and what they were understood as.
    pub fn understood(&self) -> impl Iterator<Item = (&str, &str)> {
        self.alternatives.iter().map(|alternative| (&*alternative.written, &*alternative.meant))
    }

    /// Whether the query contains every word of the name.
    pub fn names(&self, byline: &Byline) -> bool {
        let has = |name: &str| {
            let is_it = |clause: &Clause| matches!(&clause.kind, ClauseKind::Word(TermPattern::Word(word)) if without_marks(word) == name);
            self.clauses.iter().any(is_it)
        };
        let mut words = byline.words().peekable();
        words.peek().is_some() && words.all(has)
    }

    /// The numbers of the clauses that match a word of the name.
    pub(crate) fn clauses_naming(&self, byline: &Byline) -> Vec<usize> {
        let is_name = |clause: &Clause| match &clause.kind {
            ClauseKind::Word(TermPattern::Word(word)) => byline.has(&without_marks(word)),
            ClauseKind::Word(TermPattern::Prefix(prefix)) => byline.has_prefix(prefix),
            ClauseKind::Word(TermPattern::Stem(_)) | ClauseKind::Phrase(_) | ClauseKind::Pair(..) => false,
        };
        (0..).zip(&self.clauses).filter(|(_, clause)| is_name(clause)).map(|(number, _)| number).collect()
    }

    /// Whether a clause is no stop word in the language of the query.
    pub(crate) fn is_content(&self, clause: usize) -> bool {
        !self.is_stop_word(clause, self.language)
    }

    /// Whether a clause is a stop word of `language`, or a pair with one.
    pub(crate) fn is_stop_word(&self, clause: usize, language: Language) -> bool {
        match &self.clauses[clause].kind {
            ClauseKind::Word(TermPattern::Word(word)) => language.is_stop_word(&without_marks(word)),
            ClauseKind::Word(TermPattern::Prefix(_) | TermPattern::Stem(_)) | ClauseKind::Phrase(_) => false,
            ClauseKind::Pair(first, second) => {
                self.is_stop_word(*first, language) || self.is_stop_word(*second, language)
            }
        }
    }
}
