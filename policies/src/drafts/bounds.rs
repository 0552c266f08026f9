//! The bounds of fields, for descriptions of the interface. The checks use the same constants.

pub use super::claims::{MAX_CLAIM_NAME as CLAIM_NAME_CHARS, MAX_CLAIMS as CLAIMS};
pub use super::document::{MAX_DOCUMENT_BYTES, MAX_SOURCE_URI};
pub use super::entry::{MAX_KEY_BYTES, MAX_SUBJECT as ENTRY_SUBJECT_CHARS};
pub use super::episode::{MAX_LABEL as EPISODE_LABEL_CHARS, MAX_TEXT_BYTES as EPISODE_TEXT_BYTES};
pub use super::expiry::MAX_TTL_SECONDS;
pub use super::grant::{MAX_EVIDENCE_BYTES, MAX_GRANTED_SESSIONS};
pub use super::memory::{
    MAX_KIND as KIND_CHARS, MAX_LABEL as LABEL_CHARS, MAX_NAMESPACE as NAMESPACE_CHARS, MAX_TAGS as TAGS,
};
pub use super::profile::{
    MAX_ENTRIES as PROFILE_ENTRIES, MAX_EXCLUDED as EXCLUDED_KINDS, MAX_LIMIT as INJECTED,
    MAX_NAME as PROFILE_NAME_CHARS, MAX_TOKENS as TOKEN_BUDGET,
};
pub use super::reason::MAX_REASON as REASON_CHARS;
pub use super::record::MAX_UNIT as RECORD_UNIT_CHARS;
pub use super::rows::{MAX_COLUMN as COLUMN_CHARS, MAX_ROW_KEY as ROW_KEY_CHARS};
pub use super::workspace::{MAX_NAME as WORKSPACE_NAME_CHARS, MAX_ROLE as WORKSPACE_ROLE_CHARS};
