//! What a profile lets its workspace read, and what goes into a block for a prompt.

use std::fmt;
use std::str::FromStr;

use orgmem_hierarchy::Readable;

/// How far a workspace reads.
///
/// Source: product.md, section 4.6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// As far as the tree lets it.
    #[default]
    Tree,
    /// Its own and its team's: no GLOBAL of others.
    Team,
    /// Its own alone.
    Isolated,
}

/// How memories are chosen for a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The surest, then the newest.
    #[default]
    Confidence,
    /// The newest.
    Recent,
    /// Those that match best.
    Relevance,
    /// None.
    Off,
}

/// A text that names none of the words that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an unknown word")]
pub struct UnknownWord;

macro_rules! words {
    ($kind:ident: $($variant:ident = $word:literal),*) => {
        impl $kind {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word in storage and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $kind {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text).ok_or(UnknownWord)
            }
        }
    };
}

words!(Isolation: Tree = "tree", Team = "team", Isolated = "isolated");
words!(Strategy: Confidence = "confidence", Recent = "recent", Relevance = "relevance", Off = "off");

/// What the profiles of a workspace take away from its reading. The default takes nothing away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadRules {
    isolation: Isolation,
    excluded_kinds: Vec<String>,
}

impl ReadRules {
    /// These.
    #[must_use]
    pub fn new(isolation: Isolation, excluded_kinds: Vec<String>) -> Self {
        Self { isolation, excluded_kinds }
    }

    /// Both at once: a second profile can take more away, and gives nothing back.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.isolation = match (self.isolation, other.isolation) {
            (Isolation::Isolated, _) | (_, Isolation::Isolated) => Isolation::Isolated,
            (Isolation::Team, _) | (_, Isolation::Team) => Isolation::Team,
            (Isolation::Tree, Isolation::Tree) => Isolation::Tree,
        };
        let more = other.excluded_kinds.iter().filter(|kind| !self.excluded_kinds.contains(kind));
        let more: Vec<String> = more.cloned().collect();
        self.excluded_kinds.extend(more);
        self
    }

    /// How far it reads.
    #[must_use]
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Kinds that it reads nothing of.
    #[must_use]
    pub fn excluded_kinds(&self) -> &[String] {
        &self.excluded_kinds
    }

    /// Whether this part of what the tree gives is left.
    #[must_use]
    pub fn keeps(&self, part: &Readable) -> bool {
        match (self.isolation, part) {
            (Isolation::Tree, _) | (_, Readable::Own(_)) | (Isolation::Team, Readable::Team { .. }) => true,
            (Isolation::Team, Readable::Org(_)) | (Isolation::Isolated, Readable::Team { .. } | Readable::Org(_)) => false,
        }
    }

    /// Whether memories of this kind are left.
    #[must_use]
    pub fn keeps_kind(&self, kind: &str) -> bool {
        !self.excluded_kinds.iter().any(|excluded| excluded == kind)
    }
}

/// The heading of a block.
const HEADING: &str = "## Context Memory";

/// Characters for which one token is reckoned. No tokenizer is right for every model; this errs on the long side for
/// English, and is the same everywhere.
const CHARS_PER_TOKEN: usize = 4;

/// A block for a prompt, while it is put together.
///
/// Source: product.md, section 4.6, which shows it byte for byte.
#[derive(Clone, Debug)]
pub struct Block {
    text: String,
    entries: usize,
    budget: Option<usize>,
}

impl Block {
    /// An empty block that may take so many tokens.
    #[must_use]
    pub fn new(token_budget: Option<usize>) -> Self {
        Self { text: String::new(), entries: 0, budget: token_budget }
    }

    /// Adds a line for a memory, if it fits.
    pub fn push(&mut self, confidence: f64, content: &str) -> bool {
        let line = format!("\n- [{}] {}", figure(confidence), one_line(content));
        let heading = if self.entries == 0 { HEADING } else { "" };
        let tokens = tokens(&self.text) + tokens(heading) + tokens(&line);
        if self.budget.is_some_and(|budget| tokens > budget) {
            return false;
        }
        self.text.push_str(heading);
        self.text.push_str(&line);
        self.entries += 1;
        true
    }

    /// The block; empty where nothing went in.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many tokens are reckoned for it.
    #[must_use]
    pub fn tokens(&self) -> usize {
        tokens(&self.text)
    }
}

fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(CHARS_PER_TOKEN)
}

/// A confidence with one digit after the point, or two where they say more: `0.9`, `0.75`, `1.0`.
fn figure(confidence: f64) -> String {
    let two = format!("{confidence:.2}");
    two.strip_suffix('0').map(str::to_owned).unwrap_or(two)
}

/// A memory is one line of the block: what breaks lines within it is a blank there, so that it can end neither its line nor
/// the block.
fn one_line(content: &str) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    content.split(is_break).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::{Via, WorkspaceId};

    use super::*;

    #[test]
    fn the_block_is_byte_for_byte_as_the_contract_shows_it() {
        let mut block = Block::new(None);
        assert_eq!(block.text(), "");
        assert!(block.push(0.9, "Rate limiting on the external API: use exponential backoff."));
        let shown = "## Context Memory\n- [0.9] Rate limiting on the external API: use exponential backoff.";
        assert_eq!(block.text(), shown);
        assert!(block.push(1.0, "two\n\n## lines\r\n- [1.0] and\u{2028}more"));
        assert_eq!(block.text(), format!("{shown}\n- [1.0] two ## lines - [1.0] and more"));
    }

    #[test]
    fn confidences_are_short() {
        for (confidence, told) in [(0.5, "0.5"), (0.75, "0.75"), (0.0, "0.0"), (1.0, "1.0"), (0.333, "0.33")] {
            assert_eq!(figure(confidence), told);
        }
    }

    #[test]
    fn what_does_not_fit_the_budget_stays_out() {
        let mut block = Block::new(Some(12));
        assert!(block.push(0.5, "short"), "{}", block.tokens());
        assert!(!block.push(0.5, "this one is far too long for what is left"));
        assert!(block.tokens() <= 12);
        let mut none = Block::new(Some(1));
        assert!(!none.push(0.5, "x"));
        assert_eq!(none.text(), "");
    }

    #[test]
    fn rules_take_away_and_never_give() {
        let id = WorkspaceId::NIL;
        let parts =
            [Readable::Own(id), Readable::Team { author: id, lead: id, via: Via::Parent }, Readable::Org(id)];
        let kept = |isolation| {
            let rules = ReadRules::new(isolation, Vec::new());
            parts.iter().map(|part| rules.keeps(part)).collect::<Vec<_>>()
        };
        assert_eq!(kept(Isolation::Tree), [true, true, true]);
        assert_eq!(kept(Isolation::Team), [true, true, false]);
        assert_eq!(kept(Isolation::Isolated), [true, false, false]);
        for one in Isolation::ALL {
            for other in Isolation::ALL {
                let (a, b) = (ReadRules::new(*one, vec!["a".into()]), ReadRules::new(*other, vec!["b".into()]));
                let both = a.clone().and(&b);
                for part in &parts {
                    assert_eq!(both.keeps(part), a.keeps(part) && b.keeps(part));
                }
                assert!(!both.keeps_kind("a") && !both.keeps_kind("b") && both.keeps_kind("c"));
            }
        }
    }
}
