//! Search for credentials in a text.
//!
//! One automaton finds every keyword of every rule in a single pass. Patterns are tried only at keywords, so a text
//! without keywords costs one pass. The attempts of a rule end where its [`OVERLAP`]th next attempt begins, and those
//! after a name also at the [`OVERLAP`]th next name. So one rule reads no byte more often than that, whatever the text
//! and the pattern.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError};

use super::examined::ExaminedBytes;
use super::normal::NormalForm;
use super::pattern::{Pattern, PatternMatch};
use super::rule::{At, Rule};
use super::rule_file::RuleFile;
use super::stand_in::StandIns;
use super::words::{WordCursor, ends_escape, name_end, starts_word};

/// Maximum number of attempts of one rule that may read the same byte. A credential contains fewer announcements of
/// credentials.
const OVERLAP: usize = 2;

/// A credential: its byte range and the index of its rule.
pub(super) struct Credential {
    pub(super) span: Range<usize>,
    pub(super) rule: usize,
}

/// The rules and the automata of their keywords.
pub(super) struct CredentialFinder {
    rules: Vec<Rule>,
    stand_ins: StandIns,
    keyword_index: KeywordIndex,
    harmless: Vec<Pattern>,
    harmless_index: KeywordIndex,
}

/// Keywords, each with the index of its rule or harmless pattern.
struct KeywordIndex {
    keywords: AhoCorasick,
    targets: Vec<usize>,
}

impl KeywordIndex {
    fn new(keywords: Vec<(String, usize)>) -> Result<Self, BuildError> {
        let (texts, targets): (Vec<String>, Vec<usize>) = keywords.into_iter().unzip();
        let mut builder = AhoCorasick::builder();
        // a DFA costs half a megabyte and doubles the speed of every scan
        builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
        Ok(Self { keywords: builder.build(texts)?, targets })
    }

    /// All keyword matches, overlapping ones included, by their ends, each with its index.
    fn hits<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
        self.keywords.find_overlapping_iter(text).map(|hit| (hit.range(), self.targets[hit.pattern().as_usize()]))
    }
}

impl CredentialFinder {
    pub(super) fn new(file: RuleFile) -> Result<Self, BuildError> {
        Ok(Self {
            rules: file.rules,
            stand_ins: file.stand_ins,
            keyword_index: KeywordIndex::new(file.keywords)?,
            harmless: file.harmless,
            harmless_index: KeywordIndex::new(file.harmless_keywords)?,
        })
    }

    pub(super) fn rule(&self, index: usize) -> &Rule {
        &self.rules[index]
    }

    /// The rules that judge values under `name`.
    pub(super) fn rules_for(&self, name: &str, work: &ExaminedBytes) -> Vec<usize> {
        let normal = NormalForm::of(name);
        let name = normal.text();
        let named = self.rules.iter().enumerate().filter(|(_, rule)| rule.at == At::Name);
        named
            .filter(|(_, rule)| {
                work.add(name.len());
                rule.names(name)
            })
            .map(|(index, _)| index)
            .collect()
    }

    /// The credential in `value` by one of `rules`, as in the JSON text of a name and the value.
    pub(super) fn find_named(&self, rules: &[usize], value: &str, work: &ExaminedBytes) -> Option<Credential> {
        if rules.is_empty() {
            return None;
        }
        let normal = NormalForm::of(value);
        let value = normal.text();
        let before = "\": \"".len();
        let text = format!("\": {}", serde_json::Value::from(value));
        let is_verbatim = text.len() == before + value.len() + 1;
        rules.iter().find_map(|index| {
            let rule = self.rule(*index);
            work.add(text.len());
            let PatternMatch { secret, .. } = rule.pattern.find(&text, 0)?;
            let span = if is_verbatim { secret.start - before..secret.end - before } else { 0..value.len() };
            let span = normal.origin(span);
            rule.judges(&text[secret], &self.stand_ins, work).then_some(Credential { span, rule: *index })
        })
    }

    /// The credentials in `text`, in order, without overlaps. Overlapping finds become their union, with the kind of
    /// the first rule in the file; weak rules yield to all others.
    pub(super) fn find(&self, text: &str, work: &ExaminedBytes) -> Vec<Credential> {
        let normal = NormalForm::of(text);
        work.add(text.len());
        let mut found = self.find_normal(normal.text(), work);
        found.iter_mut().for_each(|credential| credential.span = normal.origin(credential.span.clone()));
        found
    }

    fn find_normal(&self, text: &str, work: &ExaminedBytes) -> Vec<Credential> {
        let mut found = self.at_keywords(text, work);
        let (weak, strong): (Vec<_>, Vec<_>) =
            self.anywhere(text, work).into_iter().partition(|credential| self.rules[credential.rule].weak);
        found.extend(strong);
        let found = merge(found);
        if weak.is_empty() {
            return found;
        }
        let harmless = self.harmless(text, work);
        let stronger: Vec<Range<usize>> = found.iter().map(|credential| credential.span.clone()).collect();
        let has_no_overlap = |weak: &Credential| !overlaps(&harmless, &weak.span) && !overlaps(&stronger, &weak.span);
        merge(found.into_iter().chain(weak.into_iter().filter(has_no_overlap)).collect())
    }

    fn at_keywords(&self, text: &str, work: &ExaminedBytes) -> Vec<Credential> {
        let starts = self.starts(text, work);
        let named = starts.iter().filter(|(index, _)| self.rule(*index).at == At::Name);
        let mut names: Vec<usize> = named.map(|(_, start)| *start).collect();
        names.sort_unstable();
        names.dedup();
        let mut found = Vec::new();
        for of_rule in starts.chunk_by(|(rule, _), (next, _)| rule == next) {
            let mut resume = 0;
            for (number, &(index, start)) in of_rule.iter().enumerate() {
                if start < resume {
                    continue;
                }
                let until = if self.rule(index).at == At::Name {
                    names.get(names.partition_point(|name| *name < start) + OVERLAP).copied()
                } else {
                    of_rule.get(number + OVERLAP).map(|(_, start)| *start)
                };
                let until = until.unwrap_or(text.len());
                let attempt = self.attempt(index, &text[..until], start, work);
                resume = attempt.resume;
                found.extend(attempt.found);
            }
        }
        found
    }

    /// Every position at which a rule is tried, by rule and position.
    fn starts(&self, text: &str, work: &ExaminedBytes) -> Vec<(usize, usize)> {
        work.add(text.len());
        let mut words = WordCursor::of(text);
        let hits = self.keyword_index.hits(text);
        let mut starts: Vec<(usize, usize)> = hits
            .filter_map(|(keyword, index)| {
                Some((index, self.start(self.rule(index), text, keyword, &mut words, work)?))
            })
            .collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// The byte at which `rule` is tried for a keyword, if the keyword is in the right position.
    fn start(
        &self,
        rule: &Rule,
        text: &str,
        keyword: Range<usize>,
        words: &mut WordCursor<'_>,
        work: &ExaminedBytes,
    ) -> Option<usize> {
        match rule.at {
            At::Inside | At::Anywhere => Some(keyword.start),
            At::Keyword => starts_word(text, keyword.start).then_some(keyword.start),
            At::Word => words.start(keyword.start),
            At::Name => {
                let start = words.start(keyword.start)?;
                let end = name_end(text, keyword.end);
                work.add(end - start);
                rule.names(&text[start..end]).then_some(end)
            }
        }
    }

    /// Tries one rule at byte `start`. `text` ends where the attempt does.
    fn attempt(&self, index: usize, text: &str, start: usize, work: &ExaminedBytes) -> Attempt {
        work.add(text.len() - start);
        let rule = self.rule(index);
        let Some(PatternMatch { end, mut secret }) = rule.pattern.find(text, start) else {
            return Attempt { resume: start + 1, found: None };
        };
        if rule.at == At::Name {
            secret.end = parameter_end(text, secret.clone());
        }
        if rule.judges(&text[secret.clone()], &self.stand_ins, work) {
            return Attempt { resume: secret.end, found: Some(Credential { span: secret, rule: index }) };
        }
        // a rejected value may contain a credential: `auth: https://host/?token=…`
        Attempt { resume: if secret.start > start { secret.start } else { end }, found: None }
    }

    fn anywhere(&self, text: &str, work: &ExaminedBytes) -> Vec<Credential> {
        let mut found = Vec::new();
        for (index, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.at == At::Anywhere) {
            work.add(text.len());
            let mut from = 0;
            while let Some(PatternMatch { end, mut secret }) = rule.pattern.find(text, from) {
                from = end;
                secret.start += usize::from(text.get(..=secret.start).is_some_and(|to| ends_escape(to.as_bytes())));
                if rule.judges(&text[secret.clone()], &self.stand_ins, work) {
                    found.push(Credential { span: secret, rule: index });
                }
            }
        }
        found
    }

    /// Spans without finds of weak rules, by their ends.
    fn harmless(&self, text: &str, work: &ExaminedBytes) -> Vec<Range<usize>> {
        work.add(text.len());
        let hits: Vec<(Range<usize>, usize)> = self.harmless_index.hits(text).collect();
        let mut starts = vec![Vec::new(); self.harmless.len()];
        hits.iter().for_each(|(keyword, index)| starts[*index].push(keyword.start));
        let mut tried = vec![0; self.harmless.len()];
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (keyword, index) in hits {
            tried[index] += 1;
            if spans.last().is_some_and(|last| keyword.end <= last.end) {
                continue;
            }
            let next = starts[index].get(tried[index] + OVERLAP - 1).copied().unwrap_or(text.len());
            let until = next.max(keyword.end);
            work.add(until - keyword.start);
            if let Some(hit) = self.harmless[index].find(&text[..until], keyword.start) {
                spans.push(keyword.start..hit.end);
            }
        }
        spans
    }
}

/// The outcome of one attempt of one rule.
struct Attempt {
    /// The byte from which the rule may be tried again.
    resume: usize,
    found: Option<Credential>,
}

/// The end of the value `span`, cut before a following `&name=` of a query string. Quoted values are not cut.
fn parameter_end(text: &str, span: Range<usize>) -> usize {
    let is_quoted = text[..span.start].ends_with(['"', '\'', '`']);
    let starts_parameter = |at: usize| {
        let name = text[at + 1..].strip_prefix("amp;").unwrap_or(&text[at + 1..]);
        let end = name_end(name, 0);
        end > 0 && name[end..].starts_with('=')
    };
    let next = text[span.clone()].match_indices('&').map(|(at, _)| span.start + at).find(|at| starts_parameter(*at));
    next.filter(|_| !is_quoted).unwrap_or(span.end)
}

/// Whether `span` overlaps one of `spans`, which are ordered by their ends.
fn overlaps(spans: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = spans.partition_point(|other| other.end <= span.start);
    spans.get(next).is_some_and(|other| other.start < span.end)
}

/// Merges overlapping finds; the first rule determines the kind.
fn merge(mut found: Vec<Credential>) -> Vec<Credential> {
    found.sort_by_key(|credential| (credential.span.start, credential.rule));
    let mut merged: Vec<Credential> = Vec::with_capacity(found.len());
    for credential in found {
        match merged.last_mut() {
            Some(last) if credential.span.start < last.span.end => {
                last.span.end = last.span.end.max(credential.span.end);
                last.rule = last.rule.min(credential.rule);
            }
            _ => merged.push(credential),
        }
    }
    merged
}
