//! The words of the visible memories.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::index::{LanguageStems, Postings};
use crate::query::{Byline, Clause, ClauseKind, Query, TermPattern};
use crate::rank::searcher::{Searcher, SegmentView};
use crate::text::{EditDistance, Language, is_letters, without_marks};
use crate::tuning::{
    MAX_DIGIT_GROUPS, MAX_INFLECTION, MIN_COMMON_BEGINNING, MIN_COMPOUND_PART, MIN_DIGIT_GROUP, MIN_HASH,
    MIN_INNER_WORD, Scoring,
};

/// The visible words near to a word.
#[derive(Default)]
pub(super) struct Near {
    /// Whether another word begins with it.
    pub(super) is_beginning: bool,
    /// Whether `forms` are only spelled otherwise.
    pub(super) is_same: bool,
    /// The words with the fewest typing errors, the most frequent first.
    pub(super) forms: Vec<Form>,
}

/// A spelling that a visible memory or the name of an author has.
pub(super) struct Form {
    pub(super) word: String,
    /// Its stems in the languages of these memories.
    pub(super) stems: BTreeSet<String>,
    pub(super) is_name: bool,
}

/// Where a spelling is: the number of the view, its stem there, and its number among the forms of the stem.
type FormRef = (usize, u32, u32);

/// Look-ups of words, with a count of the terms that were compared.
pub(super) struct Vocabulary<'v, 'a, S> {
    searcher: &'v Searcher<'a, S>,
    examined: Cell<usize>,
}

impl<'v, 'a, S: Copy> Vocabulary<'v, 'a, S> {
    pub(super) fn new(searcher: &'v Searcher<'a, S>) -> Self {
        Vocabulary { searcher, examined: Cell::new(0) }
    }

    pub(super) fn examined(&self) -> usize {
        self.examined.get()
    }

    fn languages(&self) -> impl Iterator<Item = (usize, &'v SegmentView<'a, S>, &'a LanguageStems)> {
        let views = self.searcher.views.iter().enumerate();
        views.flat_map(|(number, view)| view.segment.languages.iter().map(move |language| (number, view, language)))
    }

    /// Whether a visible memory has the word in any inflection, or an author's name has it.
    pub(super) fn has(&self, word: &str) -> bool {
        let mut stem_in: [Option<Cow<'_, str>>; Language::ALL.len()] = Default::default();
        let in_text =
            |(_, view, LanguageStems { language, stems }): (usize, &SegmentView<'_, S>, &'a LanguageStems)| {
                let stem = stem_in[*language as usize].get_or_insert_with(|| language.stem(word));
                let record = view.segment.find_stem(stems.clone(), stem);
                record.is_some_and(|record| has_visible(view, record.postings()))
            };
        self.languages().any(in_text) || self.names().any(|name| name.has(&without_marks(word)))
    }

    fn names(&self) -> impl Iterator<Item = &'a Byline> {
        self.searcher.views.iter().map(|view| view.byline)
    }

    /// The words near to `word`, which has no diacritics and does not match.
    pub(super) fn near(&self, word: &str) -> Near {
        let mut distance = EditDistance::to(word);
        let max = if is_letters(word) { max_typos(distance.len()) } else { 0 };
        let is_hash = is_hash(word);
        let (mut near, mut by_cost) = (Near::default(), BTreeMap::<(usize, String), Vec<FormRef>>::new());
        let (mut forms, mut spelling) = (Vec::new(), Vec::new());
        for (number, view, language) in self.languages() {
            for stem in view.segment.stems_of_prefix(language.stems.clone(), word) {
                self.examined.set(self.examined.get() + 1);
                let bytes = view.segment.stem_bytes(stem);
                // a stem may end with another letter than its forms
                if !is_begun(bytes, word)
                    && !is_hash
                    && (distance.is_beyond(bytes, max + 1)
                        || !distance.may_begin_with(view.segment.stem(stem), max + 1))
                {
                    continue;
                }
                forms.clear();
                view.segment.record(stem).postings_with_forms(|form| forms.push(form));
                for (form, in_form) in (0..).zip(&forms) {
                    let at = (number, stem, form);
                    near.is_beginning |= !near.is_beginning && in_form.starts_with(word) && self.has_form(at);
                    let word_of_form = in_form.spell(&mut spelling);
                    if !same_start(word, word_of_form) {
                        continue;
                    }
                    let is_longer_hash = is_hash && word.starts_with(word_of_form) && self::is_hash(word_of_form);
                    let cost = if is_longer_hash { Some(0) } else { distance.of(word_of_form, max) };
                    let cost = cost.or_else(|| (max > 0 && is_inflection(word, word_of_form)).then_some(max + 1));
                    if let Some(cost) = cost {
                        by_cost.entry((cost, word_of_form.to_owned())).or_default().push(at);
                    }
                }
            }
        }
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for name in self.names().flat_map(Byline::words) {
            near.is_beginning |= name.starts_with(word);
            if let Some(cost) = distance.of(name, max).filter(|_| same_start(word, name)) {
                names.insert(name, cost);
            }
        }
        names.iter().for_each(|(name, cost)| {
            by_cost.entry((*cost, (*name).to_owned())).or_default();
        });
        (near.is_same, near.forms) = self.nearest(by_cost, |word| names.contains_key(word));
        near
    }

    /// Whether the least cost of a visible word is 0, and the words of that cost.
    fn nearest(
        &self,
        by_cost: BTreeMap<(usize, String), Vec<FormRef>>,
        is_name: impl Fn(&str) -> bool,
    ) -> (bool, Vec<Form>) {
        let mut found: Vec<(u64, Form)> = Vec::new();
        let mut least = None;
        for ((cost, word), places) in by_cost {
            if least.is_some_and(|least| cost > least) {
                break;
            }
            let (mut docs, mut stems) = (0, BTreeSet::new());
            for at in places {
                let visible = self.docs_with_form(at);
                docs += visible;
                let stem = self.searcher.views[at.0].segment.stem(at.1);
                stems.extend((visible > 0).then(|| stem.to_owned()));
            }
            let is_name = is_name(&word);
            if docs > 0 || is_name {
                least = Some(cost);
                found.push((docs, Form { word, stems, is_name }));
            }
        }
        // stable: equal ones stay in alphabetical order
        found.sort_by_key(|(docs, _)| std::cmp::Reverse(*docs));
        (least == Some(0), found.into_iter().map(|(_, form)| form).collect())
    }

    /// The visible words that contain `word` after their beginning, in any inflection.
    pub(super) fn compounds_with(&self, word: &str) -> Vec<Form> {
        if word.chars().count() < MIN_INNER_WORD {
            return Vec::new();
        }
        let mut found = BTreeMap::<(usize, String), Vec<FormRef>>::new();
        for (number, view, language) in self.languages() {
            // all letters of a compound but its endings are in its stem, and more are endings at the end of a long word
            let doubled = language.language.stem(&word.repeat(2)).into_owned();
            let stem_at_end = doubled.strip_prefix(word).filter(|stem| stem.chars().count() >= MIN_COMPOUND_PART);
            let inner = [word.char_indices().next_back().map(|(last, _)| &word[..last]), stem_at_end];
            self.examined.set(self.examined.get() + language.stems.len());
            let with = |inner| view.segment.stems_with(language.stems.clone(), inner);
            let within = inner.into_iter().flatten().flat_map(with).filter(|(_, at)| *at >= 3);
            let stems: BTreeSet<u32> = within.map(|(stem, _)| stem).collect();
            for stem in stems {
                let mut forms = Vec::new();
                view.segment.record(stem).postings_with_forms(|form| forms.push(form.to_word()));
                for (form, word_of_form) in (0..).zip(forms) {
                    let end = word_of_form.rfind(word).filter(|at| *at >= 3).map(|at| at + word.len());
                    if end.is_some_and(|end| word_of_form.len() - end <= 3) && is_letters(&word_of_form) {
                        found.entry((0, word_of_form)).or_default().push((number, stem, form));
                    }
                }
            }
        }
        self.nearest(found, |_| false).1
    }

    /// The groups of digits, adjacent in some visible memory, that `word` consists of.
    pub(super) fn digit_groups(&self, word: &str) -> Option<Vec<String>> {
        let mut known = BTreeMap::new();
        let mut groups = Vec::new();
        self.split_digits(word, &mut groups, &mut known)
    }

    fn split_digits<'w>(
        &self,
        rest: &'w str,
        groups: &mut Vec<&'w str>,
        known: &mut BTreeMap<&'w str, bool>,
    ) -> Option<Vec<String>> {
        if rest.is_empty() {
            let groups: Vec<String> = groups.iter().map(|group| (*group).to_owned()).collect();
            return self.has_phrase(&groups).then_some(groups);
        }
        if groups.len() == MAX_DIGIT_GROUPS {
            return None;
        }
        // a country's code may be one digit
        let least = if groups.is_empty() { 1 } else { MIN_DIGIT_GROUP };
        for end in (least..=rest.len()).rev() {
            let (group, rest) = rest.split_at(end);
            if *known.entry(group).or_insert_with(|| self.has(group)) {
                groups.push(group);
                if let Some(found) = self.split_digits(rest, groups, known) {
                    return Some(found);
                }
                groups.pop();
            }
        }
        None
    }

    fn has_phrase(&self, words: &[String]) -> bool {
        let words = words.iter().zip(0..).map(|(word, at)| (TermPattern::Word(word.clone()), at)).collect();
        let query = Query::of_clauses(vec![Clause::new(1.0, ClauseKind::Phrase(words))], Language::English);
        let (_, docs) = self.searcher.matches(&Scoring::default(), &query);
        docs.iter().any(|docs| *docs > 0)
    }

    /// The terms of visible memories that begin with `beginning`, the most frequent first.
    pub(super) fn terms_beginning_with(&self, beginning: &str) -> Vec<String> {
        let mut found = BTreeMap::<&str, u64>::new();
        for (number, view, language) in self.languages() {
            for stem in view.segment.stems_beginning_with(language.stems.clone(), beginning) {
                self.examined.set(self.examined.get() + 1);
                *found.entry(view.segment.stem(stem)).or_default() += self.docs_with_form((number, stem, 0));
            }
        }
        let mut found: Vec<(&str, u64)> = found.into_iter().filter(|(_, docs)| *docs > 0).collect();
        // stable: equal ones stay in alphabetical order
        found.sort_by_key(|(_, docs)| std::cmp::Reverse(*docs));
        found.into_iter().map(|(term, _)| term.to_owned()).collect()
    }

    /// Whether a visible memory has a spelling.
    fn has_form(&self, at: FormRef) -> bool {
        self.docs_with_form(at) > 0
    }

    /// The number of visible memories with a spelling.
    fn docs_with_form(&self, (view, stem, form): FormRef) -> u64 {
        let view = &self.searcher.views[view];
        let mut forms = 0;
        let postings = view.segment.record(stem).postings_with_forms(|_| forms += 1);
        if forms == 1 && view.is_all_visible() {
            return u64::from(postings.docs);
        }
        let passages = &view.segment.passages;
        let (mut docs, mut last) = (0, None);
        let mut cursor = postings.cursor();
        while let Some((passage, _)) = cursor.advance() {
            let doc = passages.doc(passage);
            if last == Some(doc) || !view.is_visible(doc) {
                continue;
            }
            let mut is_in = false;
            cursor.positions(0, |_, found| is_in |= found == form);
            if is_in {
                docs += 1;
                last = Some(doc);
            }
        }
        docs
    }
}

/// Whether a visible document is in a posting list.
fn has_visible<S>(view: &SegmentView<'_, S>, postings: Postings<'_>) -> bool
where
    S: Copy,
{
    if view.is_all_visible() {
        return true;
    }
    let passages = &view.segment.passages;
    let (mut cursor, mut next) = (postings.cursor(), 0);
    while let Some((passage, _)) = cursor.seek(next) {
        let doc = passages.doc(passage);
        if view.is_visible(doc) {
            return true;
        }
        next = passages.of_doc(doc).end;
    }
    false
}

/// The number of typing errors in a word of this many letters.
fn max_typos(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=7 => 1,
        8..=13 => 2,
        _ => 3,
    }
}

/// Whether a form of `stem` may begin with `word`.
fn is_begun(stem: &[u8], word: &str) -> bool {
    let common = stem.iter().zip(word.as_bytes()).take_while(|(one, other)| one == other).count();
    common + 1 >= stem.len().min(word.len())
}

/// Whether two words begin with the same letter, or with the same two in another order.
fn same_start(one: &str, other: &str) -> bool {
    let start = |word: &str| {
        let mut chars = word.chars();
        (chars.next(), chars.next())
    };
    let ((a, b), (c, d)) = (start(one), start(other));
    // letters beyond ASCII may be two spellings of one
    a == c || (a, b) == (d, c) || a.is_some_and(|a| !a.is_ascii())
}

/// Whether two words are probably inflections of one: they begin with the same letters and end differently.
fn is_inflection(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.chars().count(), other.chars().count());
    let longer = one.max(other);
    common >= MIN_COMMON_BEGINNING && 3 * common >= 2 * longer && longer - common <= MAX_INFLECTION
}

/// Whether a word looks like the beginning of a hash: digits and letters up to `f`.
fn is_hash(word: &str) -> bool {
    word.len() >= MIN_HASH
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().any(|b| b.is_ascii_alphabetic())
}
