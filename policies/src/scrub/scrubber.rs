//! The scrubber.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;

use super::examined::ExaminedBytes;
use super::find::CredentialFinder;
use super::rule_file::{FailedExample, PatternCheck, RuleError, RuleExample, RuleFile};
use super::{Redaction, Scrubbed};

const BUILT_IN: &str = include_str!("../../rules/secrets.toml");

/// Maximum number of further scans of the text around finds. A piece that yields credentials after that many rounds was
/// constructed to do so and is replaced as a whole, which bounds the cost of every text.
const ROUNDS: usize = 4;

/// Replaces credentials. Shared between threads: scrubbing takes `&self`.
pub struct Scrubber {
    pub(super) finder: CredentialFinder,
    pub(super) markers: AhoCorasick,
}

impl Scrubber {
    /// The scrubber of the compiled-in rules, `policies/rules/secrets.toml`.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| {
            let read = Scrubber::read(BUILT_IN, PatternCheck::Checked);
            read.expect("a test reads the rules that are compiled in").0
        });
        &SCRUBBER
    }

    /// The scrubber of another rule file, in the form of `policies/rules/README.md`.
    ///
    /// # Errors
    /// [`RuleError`] when the file is invalid or an example has an unexpected result.
    pub fn from_rules(text: &str) -> Result<Self, RuleError> {
        Self::checked(RuleFile::parse(text, PatternCheck::Unchecked)?)
    }

    /// The scrubber of the built-in rules and of those in `added`, a file of the same form without `[stand_ins]`. Where both
    /// find a credential, it has the kind of the added rule.
    ///
    /// # Errors
    /// [`RuleError`] when the file is invalid, a name in it is taken, or an example has an unexpected result.
    pub fn with_rules(added: &str) -> Result<Self, RuleError> {
        Self::checked(RuleFile::parse_with(BUILT_IN, added)?)
    }

    fn checked(file: RuleFile) -> Result<Self, RuleError> {
        let (scrubber, examples) = Self::of(file)?;
        let failed: Vec<FailedExample> = examples
            .into_iter()
            .filter_map(|RuleExample { rule, number, text, expected }| {
                let got = scrubber.scrub(&text).0.into_string();
                (got != expected).then_some(FailedExample { rule, number, got, expected })
            })
            .collect();
        if failed.is_empty() { Ok(scrubber) } else { Err(RuleError::Examples(failed)) }
    }

    fn read(text: &str, patterns: PatternCheck) -> Result<(Self, Vec<RuleExample>), RuleError> {
        Self::of(RuleFile::parse(text, patterns)?)
    }

    fn of(mut file: RuleFile) -> Result<(Self, Vec<RuleExample>), RuleError> {
        let examples = std::mem::take(&mut file.examples);
        let markers = AhoCorasick::new(file.rules.iter().map(|rule| marker(&rule.kind)))?;
        Ok((Self { finder: CredentialFinder::new(file)?, markers }, examples))
    }

    /// `text` without credentials, and the redactions by kind.
    ///
    /// # Complexity
    /// O(bytes of `text`): see [`work`](Self::work).
    ///
    /// # Source
    /// `docs/spec/secrets.md`, "Secrets never land".
    #[must_use]
    pub fn scrub(&self, text: &str) -> (Scrubbed, Vec<Redaction>) {
        let mut tally = Tally::default();
        let text = self.scrub_into(text, &mut tally);
        (text, tally.redactions())
    }

    /// An upper bound of the bytes that a scrub of `text` examines. A byte counts once for each pass that may read it.
    #[must_use]
    pub fn work(&self, text: &str) -> u64 {
        let mut tally = Tally::default();
        self.scrub_into(text, &mut tally);
        tally.work.total()
    }

    pub(super) fn scrub_into(&self, text: &str, tally: &mut Tally) -> Scrubbed {
        tally.work.add(text.len());
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for marker in self.markers.find_iter(text) {
            self.scrub_piece(&text[at..marker.start()], ROUNDS, &mut out, tally);
            out.push_str(&text[marker.range()]);
            at = marker.end();
        }
        self.scrub_piece(&text[at..], ROUNDS, &mut out, tally);
        Scrubbed::new(out)
    }

    /// `piece` contains no marker. The parts around the finds are scrubbed separately, because a part may match where
    /// the whole did not.
    fn scrub_piece(&self, piece: &str, rounds: usize, out: &mut String, tally: &mut Tally) {
        let found = self.finder.find(piece, &tally.work);
        let mut at = 0;
        for credential in &found {
            let kind = &self.finder.rule(credential.rule).kind;
            if rounds > 0 {
                self.scrub_piece(&piece[at..credential.span.start], rounds - 1, out, tally);
            } else if at > 0 {
                break;
            }
            out.push_str(&marker(kind));
            tally.count(kind);
            at = credential.span.end;
        }
        if found.is_empty() {
            out.push_str(piece);
        } else if rounds > 0 {
            self.scrub_piece(&piece[at..], rounds - 1, out, tally);
        }
    }
}

/// `[REDACTED:<KIND>]`.
pub(super) fn marker(kind: &str) -> String {
    format!("[REDACTED:{kind}]")
}

/// Replacements and work of one scrub.
#[derive(Default)]
pub(super) struct Tally {
    counts: BTreeMap<Arc<str>, usize>,
    pub(super) work: ExaminedBytes,
}

impl Tally {
    pub(super) fn count(&mut self, kind: &Arc<str>) {
        *self.counts.entry(Arc::clone(kind)).or_default() += 1;
    }

    pub(super) fn redactions(self) -> Vec<Redaction> {
        self.counts.into_iter().map(|(kind, count)| Redaction { kind, count }).collect()
    }
}
