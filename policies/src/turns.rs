//! Facts that a language model extracts from a turn of a conversation: which may be stored.
//!
//! A model may invent, and a message may instruct it to. So a fact counts only with a quotation of a message of the turn, has
//! no number that the message has not, and is about nobody but the end user of the turn.
//!
//! Source: `docs/spec/turns.md`, "Grounding".

use std::collections::BTreeSet;
use std::str::FromStr;

/// The most facts of a turn.
pub const MAX_FACTS: usize = 20;
/// The highest confidence of a fact.
pub const MAX_CONFIDENCE: f64 = 0.9;
/// The confidence of a fact for which the model states none.
const DEFAULT_CONFIDENCE: f64 = 0.7;
/// Characters of a quotation, at least. A shorter one is in almost every message.
const MIN_QUOTE: usize = 2;
/// Characters of what a fact is about.
pub const MAX_ABOUT: usize = 100;

/// What became of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnState {
    /// Its messages are stored, and no model is configured.
    Stored,
    /// Its kind is excluded, so no model reads it.
    Excluded,
    /// It waits for the model.
    Queued,
    /// Its facts are stored.
    Done,
    /// The model failed as often as it is asked.
    Failed,
}

impl TurnState {
    const ALL: [Self; 5] = [Self::Stored, Self::Excluded, Self::Queued, Self::Done, Self::Failed];

    /// The name on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Excluded => "excluded",
            Self::Queued => "queued",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// The word is not the name of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownTurnState;

impl FromStr for TurnState {
    type Err = UnknownTurnState;

    fn from_str(word: &str) -> Result<Self, UnknownTurnState> {
        Self::ALL.into_iter().find(|state| state.as_str() == word).ok_or(UnknownTurnState)
    }
}

/// A fact as a model states it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The number of the message that it rests on; the first is 1.
    pub message: usize,
    /// Words of this message.
    pub quote: String,
    /// The fact.
    pub fact: String,
    /// What it is about, such as `delivery address`. A later fact about the same replaces it.
    pub about: String,
    /// From 0 to 1.
    pub confidence: Option<f64>,
    /// The end user that it is about, if the model names one.
    pub subject: Option<String>,
}

/// A fact that may be stored.
///
/// ```compile_fail
/// let fact = orgmem_policies::turns::GroundedFact { message: 0, quote: "".into(), fact: "".into(), about: "".into(), confidence: 0.5 };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GroundedFact {
    message: usize,
    quote: String,
    fact: String,
    about: String,
    confidence: f64,
}

impl GroundedFact {
    /// The position of the message; the first is 0.
    #[must_use]
    pub fn message(&self) -> usize {
        self.message
    }

    /// The quoted words.
    #[must_use]
    pub fn quote(&self) -> &str {
        &self.quote
    }

    /// The fact.
    #[must_use]
    pub fn fact(&self) -> &str {
        &self.fact
    }

    /// What it is about: words in lower case.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// From 0 to 0.9.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.confidence
    }
}

/// Why a fact is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ungrounded {
    /// There is no message with this number.
    NoMessage,
    /// The quotation is not in the message.
    QuoteAbsent,
    /// The quotation has fewer than two characters.
    QuoteShort,
    /// The fact has a number that the message has not.
    NumberAbsent,
    /// It is about another end user.
    OtherSubject,
    /// The fact, or what it is about, is empty.
    Empty,
    /// There are more facts than a turn may have.
    TooMany,
    /// Its message was redacted or superseded meanwhile.
    MessageGone,
    /// The rules of memories refuse it.
    MemoryRefused,
}

impl Ungrounded {
    /// The word in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoMessage => "no_message",
            Self::QuoteAbsent => "quote_absent",
            Self::QuoteShort => "quote_short",
            Self::NumberAbsent => "number_absent",
            Self::OtherSubject => "other_subject",
            Self::Empty => "empty",
            Self::TooMany => "too_many",
            Self::MessageGone => "message_gone",
            Self::MemoryRefused => "memory_refused",
        }
    }
}

/// Decides whether a fact rests on the turn of an end user.
///
/// # Arguments
/// `messages`: the texts that the model read, in their order.
///
/// # Errors
/// [`Ungrounded`], the first reason.
///
/// ```
/// use orgmem_policies::turns::{Proposal, Ungrounded, ground};
///
/// let fact = Proposal {
///     message: 1,
///     quote: "deliver to Dock 9".into(),
///     fact: "Ada wants deliveries at Dock 9".into(),
///     about: "Delivery address".into(),
///     ..Proposal::default()
/// };
/// assert_eq!(ground(&["please deliver  to Dock 9"], Some("ada"), &fact).unwrap().about(), "delivery address");
/// assert_eq!(ground(&["please deliver to Dock 7"], Some("ada"), &fact), Err(Ungrounded::QuoteAbsent));
/// ```
pub fn ground(messages: &[&str], subject: Option<&str>, proposal: &Proposal) -> Result<GroundedFact, Ungrounded> {
    let message = proposal.message.checked_sub(1).ok_or(Ungrounded::NoMessage)?;
    let text = spaced(messages.get(message).ok_or(Ungrounded::NoMessage)?);
    let (quote, fact) = (spaced(&proposal.quote), spaced(&proposal.fact));
    let about: String = spaced(&proposal.about).to_lowercase().chars().take(MAX_ABOUT).collect();
    if fact.is_empty() || about.is_empty() {
        return Err(Ungrounded::Empty);
    }
    if proposal.subject.as_deref().is_some_and(|named| Some(named) != subject) {
        return Err(Ungrounded::OtherSubject);
    }
    if quote.chars().count() < MIN_QUOTE {
        return Err(Ungrounded::QuoteShort);
    }
    if !text.contains(&quote) {
        return Err(Ungrounded::QuoteAbsent);
    }
    if !numbers(&fact).is_subset(&numbers(&text)) {
        return Err(Ungrounded::NumberAbsent);
    }
    let confidence = proposal.confidence.filter(|confidence| confidence.is_finite()).unwrap_or(DEFAULT_CONFIDENCE);
    Ok(GroundedFact { message, quote, fact, about, confidence: confidence.clamp(0.0, MAX_CONFIDENCE) })
}

/// The text with single spaces: models do not repeat line breaks.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The runs of digits in a text, in any script.
fn numbers(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_numeric()).filter(|run| !run.is_empty()).collect()
}
