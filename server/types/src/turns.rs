//! Turns: the messages of a conversation, and the facts that a language model finds in them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Redaction;

/// `POST /workspaces/{id}/turns`: the messages of one turn of a conversation.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AddTurn {
    /// The session of the conversation. Required, here or in the header or the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The end user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The channel of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Category of the subject matter. An excluded kind keeps the whole turn from the language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The messages, the oldest first; at most 64.
    pub messages: Vec<TurnMessage>,
}

/// A message of a turn.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TurnMessage {
    /// Who says it. Facts rest on messages of `user` and `assistant` only.
    pub role: TurnRole,
    /// At most 16 KiB.
    pub content: String,
    /// When it was said; not in the future.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<DateTime<Utc>>,
}

/// Who says a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnRole {
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

/// What became of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// Its messages are stored, and no language model is configured.
    Stored,
    /// Its kind is excluded, so no language model reads it.
    Excluded,
    /// It waits for the language model.
    Queued,
    /// Its facts are stored.
    Done,
    /// The language model failed in all attempts.
    Failed,
}

/// A turn of a workspace.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Turn {
    pub id: Uuid,
    /// The workspace that has it.
    pub workspace_id: Uuid,
    /// What became of it.
    pub state: TurnState,
    /// The state in a sentence.
    pub explanation: String,
    /// The episodes of its messages, in their order.
    pub episodes: Vec<Uuid>,
    /// The memories with the facts of the turn. A fact about something known is a new version of its memory.
    pub memories: Vec<Uuid>,
    /// Facts that said nothing new.
    pub unchanged: i64,
    /// Facts that were refused, by reason, such as `quote_absent`.
    pub refused: BTreeMap<String, i64>,
    /// Attempts of the language model.
    pub attempts: i64,
    /// The next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// The language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The failure of the last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
    /// End of the extraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
    /// Credentials replaced before storage; only in the response to the write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}
