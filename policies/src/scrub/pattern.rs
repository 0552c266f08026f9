//! A regular expression that knows which part of its match is the credential.

use std::ops::Range;

use regex::Regex;

/// Groups called `secret…` are the credential, else the whole match is; a group called `unless…` that takes part
/// spoils the match.
pub(super) struct Pattern {
    regex: Regex,
    secrets: Vec<usize>,
    spoilers: Vec<usize>,
}

/// Where a pattern matched, in bytes of the text.
pub(super) struct Hit {
    pub(super) end: usize,
    pub(super) secret: Range<usize>,
}

impl Pattern {
    /// A pattern that matches at a place that is told to it.
    pub(super) fn anchored(pattern: &str) -> Result<Self, regex::Error> {
        Self::floating(&format!(r"\A(?:{pattern})"))
    }

    /// A pattern that matches anywhere.
    pub(super) fn floating(pattern: &str) -> Result<Self, regex::Error> {
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

    /// The first match in `text` at or after byte `from`. The text before `from` counts for nothing.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<Hit> {
        let rest = text.get(from..)?;
        if self.secrets.is_empty() && self.spoilers.is_empty() {
            let found = self.regex.find(rest)?.range();
            return Some(Hit { end: from + found.end, secret: from + found.start..from + found.end });
        }
        let found = self.regex.captures(rest)?;
        if self.spoilers.iter().any(|group| found.get(*group).is_some()) {
            return None;
        }
        let whole = found.get_match();
        let secret = self.secrets.iter().find_map(|group| found.get(*group)).unwrap_or(whole);
        Some(Hit { end: from + whole.end(), secret: from + secret.start()..from + secret.end() })
    }
}
