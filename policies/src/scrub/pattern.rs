//! Regular expressions that mark the credential in their match.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

/// The credential is the group `secret…`, or the whole match without such a group; a match of a group `unless…` rejects
/// it. Patterns compile at their first use unless they were checked before: together they take megabytes, and most
/// texts contain the keywords of few rules.
pub(super) struct Pattern {
    text: String,
    compiled: OnceLock<Compiled>,
}

struct Compiled {
    regex: Regex,
    secrets: Vec<usize>,
    exclusions: Vec<usize>,
}

/// Byte ranges of a match.
pub(super) struct PatternMatch {
    pub(super) end: usize,
    pub(super) secret: Range<usize>,
}

impl Pattern {
    /// A pattern that matches only at a given position.
    pub(super) fn anchored(pattern: &str) -> Self {
        Self::floating(&format!(r"\A(?:{pattern})"))
    }

    /// A pattern that matches anywhere.
    pub(super) fn floating(pattern: &str) -> Self {
        Self { text: pattern.to_owned(), compiled: OnceLock::new() }
    }

    /// Compiles the pattern now.
    pub(super) fn check(&self) -> Result<(), regex::Error> {
        let compiled = Compiled::of(&self.text)?;
        self.compiled.get_or_init(|| compiled);
        Ok(())
    }

    fn compiled(&self) -> &Compiled {
        let compile = || Compiled::of(&self.text).expect("a rule file is checked before its first use");
        self.compiled.get_or_init(compile)
    }

    /// Whether it matches in `text`.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.compiled().regex.is_match(text)
    }

    /// The first match in `text` at or after byte `from`. Text before `from` is not context.
    pub(super) fn find(&self, text: &str, from: usize) -> Option<PatternMatch> {
        let Compiled { regex, secrets, exclusions } = self.compiled();
        let rest = text.get(from..)?;
        if secrets.is_empty() && exclusions.is_empty() {
            let found = regex.find(rest)?.range();
            return Some(PatternMatch { end: from + found.end, secret: from + found.start..from + found.end });
        }
        let found = regex.captures(rest)?;
        if exclusions.iter().any(|group| found.get(*group).is_some()) {
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
        Ok(Self { secrets: groups("secret"), exclusions: groups("unless"), regex })
    }
}
