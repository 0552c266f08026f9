//! Grants: the consent of an end user that sessions are read in other ones.

use std::fmt;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::de::{SeqAccess, Visitor, value::SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Redaction;

/// The sessions that a read includes besides its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadSessions {
    /// Those that grants show.
    Granted,
}

/// `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AllSessions {
    All,
}

/// `all`, or 1 to 100 ids of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(untagged)]
pub enum GrantedSessions {
    All(AllSessions),
    These(Vec<String>),
}

impl<'de> Deserialize<'de> for GrantedSessions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Sessions;

        impl<'de> Visitor<'de> for Sessions {
            type Value = GrantedSessions;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`all`, or a list of session ids")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<GrantedSessions, E> {
                match text {
                    "all" => Ok(GrantedSessions::All(AllSessions::All)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<GrantedSessions, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(GrantedSessions::These)
            }
        }

        deserializer.deserialize_any(Sessions)
    }
}

/// Who may read under a grant: a session, a workspace, or a session of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GrantReader {
    /// The only session that may read; any session of the end user if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The workspace that may read: the workspace of the path (default), or one that reads its memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Uuid>,
}

/// `POST /workspaces/{id}/grants`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveGrant {
    /// The end user who agreed.
    pub subject: String,
    /// The sessions that may be read.
    pub sessions: GrantedSessions,
    /// Who may read: a `session`, a `workspace` or both.
    pub to: GrantReader,
    /// Exclusive end of validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// What the end user agreed to; at most 4 KiB.
    pub evidence: String,
}

/// A grant.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Grant {
    pub id: Uuid,
    /// The author of the memories that may be read.
    pub workspace_id: Uuid,
    /// The end user who agreed.
    pub subject: String,
    /// The sessions that may be read.
    pub sessions: GrantedSessions,
    /// Who may read.
    pub to: GrantReader,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
    /// What the end user agreed to.
    pub evidence: String,
    /// Name of the token that gave it.
    pub granted_by: String,
    #[serde(serialize_with = "crate::time::rfc3339")]
    pub created_at: DateTime<Utc>,
}

/// A new grant.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct GivenGrant {
    #[serde(flatten)]
    pub grant: Grant,
    /// Credentials in the evidence that were replaced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redactions: Vec<Redaction>,
}

/// `GET /workspaces/{id}/grants`: newest first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ListGrants {
    /// Only grants of this end user.
    pub subject: Option<String>,
    /// Page size; 50 by default, at most 200.
    pub limit: Option<u64>,
    /// Cursor of the next page, from the `Link` header of the previous one.
    pub cursor: Option<String>,
}

/// `GET /workspaces/{id}/memories/{mid}`.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct ReadMemoryQuery {
    /// `granted`: also a memory that a grant shows.
    pub sessions: Option<ReadSessions>,
}
