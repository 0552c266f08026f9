//! A regular expression that knows which part of its match is the credential.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

/// Groups called `secret…` are the credential, else the whole match is; a group called `unless…` that takes part
/// spoils the match. It is compiled when it is first tried, unless it was checked before: compiled, the patterns of all
/// rules take megabytes, and few texts have the keywords of more than a few.
pub(super) struct Pattern {
    text: String,
    compiled: OnceLock<Compiled>,
}

struct Compiled {
    regex: Regex,
    secrets: Vec<usize>,
    spoilers: Vec<usize>,
}

/// Where a pattern matched, in bytes of the text.
pub(super) struct PatternMatch {
    pub(super) end: usize,
    pub(super) secret: Range<usize>,
}

impl Pattern {
    /// A pattern that matches at a place that is told to it.
    pub(super) fn anchored(pattern: &str) -> Self {
        Self::floating(&format!(r"\A(?:{pattern})"))
    }

    /// A pattern that matches anywhere.
    pub(super) fn floating(pattern: &str) -> Self {
        Self { text: pattern.to_owned(), compiled: OnceLock::new() }
    }

    /// Compiles it now.
    pub(super) fn check(&self) -> Result<(), regex::Error> {
        let compiled = Compiled::of(&self.text)?;
        self.compiled.get_or_init(|| compiled);
        Ok(())
    }

    fn compiled(&self) -> &Compiled {
        let compile = || Compiled::of(&self.text).expect("a rule file is checked before anybody scrubs by it");
        self.compiled.get_or_init(compile)
    }

    /// Whether it matches in `text`.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.compiled().regex.is_match(text)
    }

    /// The first match in `text` at or after byte `from`. The text before `from` counts for nothing.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<PatternMatch> {
        let Compiled { regex, secrets, spoilers } = self.compiled();
        let rest = text.get(from..)?;
        if secrets.is_empty() && spoilers.is_empty() {
            let found = regex.find(rest)?.range();
            return Some(PatternMatch { end: from + found.end, secret: from + found.start..from + found.end });
        }
        let found = regex.captures(rest)?;
        if spoilers.iter().any(|group| found.get(*group).is_some()) {
            return None;
        }
        let whole = found.get_match();
        let secret = secrets.iter().find_map(|group| found.get(*group)).unwrap_or(whole);
        Some(PatternMatch { end: from + whole.end(), secret: from + secret.start()..from + secret.end() })
    }
}

impl Compiled {
    fn of(pattern: &str) -> Result<Self, regex::Error> {
        let regex = Regex::new(pattern)?;
        let groups = |prefix: &str| {
            let named = regex.capture_names().enumerate();
            named
                .filter(|(_, name)| name.is_some_and(|name| name.starts_with(prefix)))
                .map(|(group, _)| group)
                .collect()
        };
        Ok(Self { secrets: groups("secret"), spoilers: groups("unless"), regex })
    }
}
