//! The alternatives of one word, in the order in which they are tried.

use std::collections::BTreeSet;

use super::vocabulary::{Near, Vocabulary};
use crate::query::{Clause, ClauseKind, TermPattern};
use crate::text::{is_letters, spellings, without_marks};
use crate::tuning::{
    COMPOUND_PART_WEIGHT, MAX_ALTERNATIVES, MAX_NUMBER_DIGITS, MIN_BEGINNING, MIN_COMPOUND_PART, MIN_NUMBER_DIGITS,
    OTHER_SPELLING_WEIGHT, TYPO_WEIGHT, WORD_BEGINNING_WEIGHT,
};

/// What a word was understood as.
pub(super) struct Meant {
    pub(super) meant: String,
    pub(super) clauses: Vec<Clause>,
}

impl Meant {
    fn word(weight: f64, word: &str) -> Self {
        Meant { meant: word.to_owned(), clauses: vec![clause(weight, TermPattern::Word(word.to_owned()))] }
    }
}

fn clause(weight: f64, pattern: TermPattern) -> Clause {
    Clause::new(weight, ClauseKind::Word(pattern))
}

pub(super) fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// Two adjacent words of the query that are one word in a memory.
pub(super) fn joined<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, one: &str, other: &str) -> Option<Meant> {
    let joined = format!("{one}{other}");
    if vocabulary.has(&joined) {
        return Some(Meant::word(OTHER_SPELLING_WEIGHT, &joined));
    }
    let spelled = is_digits(&joined).then(|| spelled(vocabulary, &joined, 1.0)).flatten();
    spelled.filter(|meant| meant.meant.contains('.'))
}

/// What `word` means, which does not match. `has_match` is whether another word of the query does.
pub(super) fn of<S: Copy>(
    vocabulary: &Vocabulary<'_, '_, S>,
    word: &str,
    clause: &Clause,
    has_match: bool,
) -> Option<Meant> {
    let weight = clause.weight;
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    if let Some(meant) = spelled(vocabulary, word, weight) {
        return Some(meant);
    }
    // the words of a name are clauses of their own
    if clause.is_compound && !has_digit {
        return None;
    }
    if is_digits(word) && (MIN_NUMBER_DIGITS..=MAX_NUMBER_DIGITS).contains(&word.len()) {
        return digits(vocabulary, word, weight);
    }
    let plain = without_marks(word);
    let near = vocabulary.near(&plain);
    let is_beginning = plain.chars().count() >= MIN_BEGINNING && near.is_beginning;
    if near.is_same {
        return typed(near, weight * OTHER_SPELLING_WEIGHT / TYPO_WEIGHT);
    }
    if is_beginning {
        let prefix = plain.into_owned();
        let meant = format!("{prefix}*");
        let clauses = vec![self::clause(weight * WORD_BEGINNING_WEIGHT, TermPattern::Prefix(prefix))];
        return Some(Meant { meant, clauses });
    }
    if let Some(meant) = typed(near, weight) {
        return Some(meant);
    }
    if !is_letters(word) {
        return None;
    }
    let parts = parts(vocabulary, word, weight);
    // this compares all words, which is too much for a query that finds something
    if parts.is_some() || has_match { parts } else { within(vocabulary, &plain, weight) }
}

/// Another spelling of the word.
fn spelled<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, word: &str, weight: f64) -> Option<Meant> {
    let found = spellings(word).into_iter().find(|spelling| vocabulary.has(spelling))?;
    Some(Meant::word(weight * OTHER_SPELLING_WEIGHT, &found))
}

/// The words that differ from this one by typing errors.
fn typed(near: Near, weight: f64) -> Option<Meant> {
    let (mut forms, mut stems, mut names) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for form in near.forms.into_iter().take(MAX_ALTERNATIVES) {
        let is_new = form.stems.iter().any(|stem| !stems.contains(stem)) || form.stems.is_empty();
        stems.extend(form.stems);
        names.extend(form.is_name.then(|| form.word.clone()));
        forms.extend(is_new.then_some(form.word));
    }
    let patterns = stems.into_iter().map(TermPattern::Stem).chain(names.into_iter().map(TermPattern::Word));
    let clauses: Vec<Clause> = patterns.map(|pattern| clause(weight * TYPO_WEIGHT, pattern)).collect();
    (!clauses.is_empty()).then(|| Meant { meant: forms.join(", "), clauses })
}

/// The parts of a compound, each of which is a word of some memory.
fn parts<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, word: &str, weight: f64) -> Option<Meant> {
    let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    let (first, last) = (MIN_COMPOUND_PART, ends.len().checked_sub(MIN_COMPOUND_PART)?);
    let weight = weight * COMPOUND_PART_WEIGHT;
    let meant = |left: &str, right: &str, pattern| Meant {
        meant: format!("{left} {right}"),
        clauses: vec![clause(weight, TermPattern::Word(left.to_owned())), clause(weight, pattern)],
    };
    let splits = || (first..=last).rev().map(|split| word.split_at(ends[split]));
    for (left, right) in splits().filter(|(_, right)| vocabulary.has(right)) {
        if let Some(left) = unlinked(left).find(|left| vocabulary.has(left)) {
            return Some(meant(left, right, TermPattern::Word(right.to_owned())));
        }
    }
    // the last part in another inflection
    for (left, right) in splits() {
        let Some(left) = unlinked(left).find(|left| vocabulary.has(left)) else { continue };
        let right = without_marks(right);
        let beginnings = right.char_indices().map(|(at, _)| at).skip(MIN_COMPOUND_PART + 1);
        let beginnings: Vec<&str> = beginnings.map(|end| &right[..end]).collect();
        if let Some(beginning) = beginnings.into_iter().rev().take(3).find(|it| vocabulary.near(it).is_beginning) {
            return Some(meant(left, &format!("{beginning}*"), TermPattern::Prefix(beginning.to_owned())));
        }
    }
    None
}

/// The first part of a compound, and without the letters that link it to the next.
fn unlinked(part: &str) -> impl Iterator<Item = &str> {
    let links = ["", "s", "es", "n", "en", "e", "o"];
    let without = links.into_iter().filter_map(move |link| part.strip_suffix(link));
    without.filter(|part| part.chars().count() >= MIN_COMPOUND_PART)
}

/// The compounds that end with the word.
fn within<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, plain: &str, weight: f64) -> Option<Meant> {
    let forms = vocabulary.compounds_with(plain);
    typed(Near { forms, ..Near::default() }, weight * COMPOUND_PART_WEIGHT / TYPO_WEIGHT)
}

/// A number that a memory has in groups, such as a telephone number.
fn digits<S: Copy>(vocabulary: &Vocabulary<'_, '_, S>, word: &str, weight: f64) -> Option<Meant> {
    let groups = vocabulary.digit_groups(word)?;
    let words = groups.iter().zip(0..).map(|(group, at)| (TermPattern::Word(group.clone()), at)).collect();
    let clauses = vec![Clause::new(weight * OTHER_SPELLING_WEIGHT * groups.len() as f64, ClauseKind::Phrase(words))];
    Some(Meant { meant: groups.join(" "), clauses })
}
