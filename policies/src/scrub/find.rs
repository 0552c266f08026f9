//! Search for credentials in a text.
//!
//! One automaton finds every keyword of every rule in a single pass. Patterns are tried only at keywords, so a text
//! without keywords costs one pass, and each keyword a few more steps.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError};

use super::pattern::{Pattern, PatternMatch};
use super::rule::{At, Rule};
use super::rule_file::RuleFile;
use super::stand_in::StandIns;
use super::words::{WordCursor, ends_escape, name_end, starts_word};

/// Maximum size of a rejected value that is searched again, because it may contain a credential (`auth:
/// https://host/?token=…`). The total of these values is limited to twice the text, which keeps the time linear.
const NESTED_BYTES: usize = 1024;

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

    /// The credential in `value` under `name`, as in the JSON text of both.
    pub(super) fn find_by_name(&self, name: &str, value: &str) -> Option<Credential> {
        let mut candidates = self.rules.iter().enumerate().filter(|(_, rule)| rule.names(name)).peekable();
        candidates.peek()?;
        let before = "\": \"".len();
        let text = format!("\": {}", serde_json::Value::from(value));
        let is_verbatim = text.len() == before + value.len() + 1;
        candidates.find_map(|(index, rule)| {
            let PatternMatch { secret, .. } = rule.pattern.find(&text, 0)?;
            let span = if is_verbatim { secret.start - before..secret.end - before } else { 0..value.len() };
            rule.judges(&text[secret], &self.stand_ins).then_some(Credential { span, rule: index })
        })
    }

    /// The credentials in `text`, in order, without overlaps. Overlapping finds become their union, with the kind of
    /// the first rule in the file; weak rules yield to all others.
    pub(super) fn find(&self, text: &str) -> Vec<Credential> {
        let mut found = self.at_keywords(text);
        let (weak, strong): (Vec<_>, Vec<_>) =
            self.anywhere(text).into_iter().partition(|credential| self.rules[credential.rule].weak);
        found.extend(strong);
        let found = merge(found);
        if weak.is_empty() {
            return found;
        }
        let harmless = self.harmless(text);
        let stronger: Vec<Range<usize>> = found.iter().map(|credential| credential.span.clone()).collect();
        let has_no_overlap = |weak: &Credential| !overlaps(&harmless, &weak.span) && !overlaps(&stronger, &weak.span);
        merge(found.into_iter().chain(weak.into_iter().filter(has_no_overlap)).collect())
    }

    fn at_keywords(&self, text: &str) -> Vec<Credential> {
        let mut search =
            Scan { finder: self, text, words: WordCursor::of(text), resume: vec![], nested: 2 * text.len() };
        self.keyword_index.hits(text).filter_map(|(keyword, index)| search.try_rule(index, keyword)).collect()
    }

    fn anywhere(&self, text: &str) -> Vec<Credential> {
        let mut found = Vec::new();
        for (index, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.at == At::Anywhere) {
            let mut from = 0;
            while let Some(PatternMatch { end, mut secret }) = rule.pattern.find(text, from) {
                from = end;
                secret.start += usize::from(text.get(..=secret.start).is_some_and(|to| ends_escape(to.as_bytes())));
                if rule.judges(&text[secret.clone()], &self.stand_ins) {
                    found.push(Credential { span: secret, rule: index });
                }
            }
        }
        found
    }

    /// Spans without finds of weak rules, by their ends.
    fn harmless(&self, text: &str) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (keyword, index) in self.harmless_index.hits(text) {
            let is_passed = spans.last().is_some_and(|last| keyword.end <= last.end);
            if !is_passed && let Some(hit) = self.harmless[index].find(text, keyword.start) {
                spans.push(keyword.start..hit.end);
            }
        }
        spans
    }
}

/// State of one scan.
struct Scan<'t> {
    finder: &'t CredentialFinder,
    text: &'t str,
    words: WordCursor<'t>,
    /// Resume position of each rule. Empty until the first keyword.
    resume: Vec<usize>,
    /// Remaining bytes of values that may be searched again.
    nested: usize,
}

impl Scan<'_> {
    /// Tries one rule at one keyword.
    fn try_rule(&mut self, index: usize, keyword: Range<usize>) -> Option<Credential> {
        let rule = self.finder.rule(index);
        let start = self.start(rule, keyword)?;
        self.resume.resize(self.finder.rules.len(), 0);
        if start < self.resume[index] {
            return None;
        }
        self.resume[index] = start + 1;
        let PatternMatch { end, mut secret } = rule.pattern.find(self.text, start)?;
        if rule.at == At::Name {
            secret.end = parameter_end(self.text, secret.clone());
        }
        if rule.judges(&self.text[secret.clone()], &self.finder.stand_ins) {
            self.resume[index] = secret.end;
            return Some(Credential { span: secret, rule: index });
        }
        self.resume[index] = end;
        if secret.start > start && secret.len() <= NESTED_BYTES.min(self.nested) {
            self.nested -= secret.len();
            self.resume[index] = secret.start;
        }
        None
    }

    /// The byte at which `rule` is tried for a keyword, if the keyword is in the right position.
    fn start(&mut self, rule: &Rule, keyword: Range<usize>) -> Option<usize> {
        match rule.at {
            At::Inside | At::Anywhere => Some(keyword.start),
            At::Keyword => starts_word(self.text, keyword.start).then_some(keyword.start),
            At::Word => self.words.start(keyword.start),
            At::Name => {
                let start = self.words.start(keyword.start)?;
                let end = name_end(self.text, keyword.end);
                rule.names(&self.text[start..end]).then_some(end)
            }
        }
    }
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
