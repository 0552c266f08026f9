//! Drafts of turns: each message becomes an episode.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::episode::{EpisodeDraft, EpisodeInput, EpisodeTypes, MAX_TEXT_BYTES};
use super::{DraftFault, FieldRedaction};
use crate::scrub::Scrubber;

/// The most messages of a turn.
pub const MAX_MESSAGES: usize = 64;
/// The type of the episodes of messages.
pub const MESSAGE: &str = "message";

/// Unchecked input.
#[derive(Clone, Debug, Default)]
pub struct TurnInput {
    /// The session that the turn is of. Required.
    pub session_id: String,
    /// The end user.
    pub subject: Option<String>,
    /// The channel.
    pub channel: Option<String>,
    /// The category of the subject matter.
    pub kind: Option<String>,
    /// The messages, the oldest first.
    pub messages: Vec<MessageInput>,
}

/// One message of a turn.
#[derive(Clone, Debug, Default)]
pub struct MessageInput {
    /// Who says it.
    pub speaker: Speaker,
    /// At most 16 KiB.
    pub content: String,
    /// When it was said: from 1970 on, not in the future.
    pub at: Option<DateTime<Utc>>,
}

/// Who says a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaker {
    /// The end user.
    #[default]
    User,
    /// The agent.
    Assistant,
    /// A tool of the agent.
    Tool,
    /// The platform.
    System,
}

impl Speaker {
    const ALL: [Self; 4] = [Self::User, Self::Assistant, Self::Tool, Self::System];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }

    /// The speaker with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speaker| speaker.as_str() == name)
    }

    /// Whether facts may rest on what it says. Texts of tools and instructions are not statements of the conversation.
    #[must_use]
    pub const fn is_quotable(self) -> bool {
        matches!(self, Self::User | Self::Assistant)
    }
}

/// A checked turn.
#[derive(Clone, Debug)]
pub struct TurnDraft {
    id: Uuid,
    kind: Option<String>,
    messages: Vec<EpisodeDraft>,
}

impl TurnDraft {
    /// Checks and scrubs a turn that gets the id `id`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/turns.md`, "Fields".
    pub fn check(
        input: TurnInput,
        id: Uuid,
        types: &EpisodeTypes,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        if input.messages.is_empty() {
            return Err(DraftFault::Form { field: "messages", expected: "a list with at least one message" });
        }
        if input.messages.len() > MAX_MESSAGES {
            let (length, limit) = (input.messages.len(), MAX_MESSAGES);
            return Err(DraftFault::TooLong { field: "messages", length, limit, unit: "messages" });
        }
        if input.session_id.trim().is_empty() {
            return Err(DraftFault::Blank { field: "session_id" });
        }
        let TurnInput { session_id, subject, channel, kind, messages } = input;
        let kind = kind.map(|kind| kind.trim().to_owned()).filter(|kind| !kind.is_empty());
        let mut last_at = None;
        let draft = |message: MessageInput| {
            if message.content.trim().is_empty() {
                return Err(DraftFault::Blank { field: "content" });
            }
            if message.content.len() > MAX_TEXT_BYTES {
                let (length, limit) = (message.content.len(), MAX_TEXT_BYTES);
                return Err(DraftFault::TooLong { field: "content", length, limit, unit: "bytes" });
            }
            if message.at.is_some_and(|at| at < DateTime::UNIX_EPOCH || at > now) {
                return Err(DraftFault::Form {
                    field: "at",
                    expected: "a time from 1970 on that is not in the future",
                });
            }
            // messages of the same time, such as the same second, stay in their order
            let next = last_at.and_then(|last: DateTime<Utc>| last.checked_add_signed(TimeDelta::microseconds(1)));
            let at = message.at.map(|at| at.max(next.unwrap_or(at)).min(now));
            last_at = at.or(last_at);
            let episode = EpisodeInput {
                activity_type: MESSAGE.to_owned(),
                summary: Some(message.content),
                actor: Some(message.speaker.as_str().to_owned()),
                channel: channel.clone(),
                correlation_id: Some(id.to_string()),
                session_id: Some(session_id.clone()),
                kind: kind.clone(),
                subject: subject.clone(),
                occurred_at: at,
                ..EpisodeInput::default()
            };
            EpisodeDraft::check(episode, types, scrubber, now)
        };
        let messages = messages.into_iter().map(draft).collect::<Result<_, _>>()?;
        Ok(Self { id, kind, messages })
    }

    /// The id of the turn.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The declared kind.
    #[must_use]
    pub fn kind(&self) -> Option<&str> {
        self.kind.as_deref()
    }

    /// The episodes of its messages, in their order.
    #[must_use]
    pub fn messages(&self) -> &[EpisodeDraft] {
        &self.messages
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> Vec<FieldRedaction> {
        let mut all: Vec<FieldRedaction> = Vec::new();
        for redaction in self.messages.iter().flat_map(|message| &message.fields().redactions) {
            // the name of the field in a message
            let field = if redaction.field == "summary" { "content" } else { redaction.field };
            match all.iter_mut().find(|known| known.field == field && known.kind == redaction.kind) {
                Some(known) => known.count += redaction.count,
                None => all.push(FieldRedaction { field, ..redaction.clone() }),
            }
        }
        all
    }
}
