//! From text to scrubbed text.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;

use super::find::CredentialFinder;
use super::rule_file::{FailedExample, PatternCheck, RuleError, RuleExample, RuleFile};
use super::{Redaction, Scrubbed};

const BUILT_IN: &str = include_str!("../../rules/secrets.toml");

/// How often the pieces around what was found are looked through again. A piece that still yields credentials after
/// that many rounds was built to, and is replaced as a whole: so every text costs a bounded number of scans.
const ROUNDS: usize = 4;

/// Replaces credential-shaped text. Made once, then shared: scrubbing takes `&self`.
pub struct Scrubber {
    pub(super) finder: CredentialFinder,
    pub(super) markers: AhoCorasick,
}

impl Scrubber {
    /// The scrubber of the rules that are compiled in, `policies/rules/secrets.toml`.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static SCRUBBER: LazyLock<Scrubber> = LazyLock::new(|| {
            let read = Scrubber::read(BUILT_IN, PatternCheck::Proven);
            read.expect("a test reads the rules that are compiled in").0
        });
        &SCRUBBER
    }

    /// The scrubber of another rule file, in the form that `policies/rules/README.md` describes.
    ///
    /// # Errors
    /// [`RuleError`] when the file cannot be used or an example in it does not come out as it says.
    pub fn from_rules(text: &str) -> Result<Self, RuleError> {
        let (scrubber, examples) = Self::read(text, PatternCheck::Unseen)?;
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
        let mut file = RuleFile::parse(text, patterns)?;
        let examples = std::mem::take(&mut file.examples);
        let markers = AhoCorasick::new(file.rules.iter().map(|rule| marker(&rule.kind)))?;
        Ok((Self { finder: CredentialFinder::new(file)?, markers }, examples))
    }

    /// `text` without its credentials, and what was replaced, by kind.
    ///
    /// # Complexity
    /// O(bytes of `text`); less than 5 ms for 64 KiB.
    ///
    /// # Source
    /// product.md, section 4.2.
    #[must_use]
    pub fn scrub(&self, text: &str) -> (Scrubbed, Vec<Redaction>) {
        let mut tally = ReplacementCounts::default();
        let text = self.scrub_into(text, &mut tally);
        (text, tally.redactions())
    }

    pub(super) fn scrub_into(&self, text: &str, tally: &mut ReplacementCounts) -> Scrubbed {
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

    /// `piece` holds no marker. What is left of it around the credentials is looked through again, each part by
    /// itself, since a part may say what the whole did not.
    fn scrub_piece(&self, piece: &str, rounds: usize, out: &mut String, tally: &mut ReplacementCounts) {
        let found = self.finder.find(piece);
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

/// What was replaced so far.
#[derive(Default)]
pub(super) struct ReplacementCounts(BTreeMap<Arc<str>, usize>);

impl ReplacementCounts {
    pub(super) fn count(&mut self, kind: &Arc<str>) {
        *self.0.entry(Arc::clone(kind)).or_default() += 1;
    }

    pub(super) fn redactions(self) -> Vec<Redaction> {
        self.0.into_iter().map(|(kind, count)| Redaction { kind, count }).collect()
    }
}
