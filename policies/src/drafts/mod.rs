//! Drafts: checked and scrubbed input. The store accepts only drafts.
//!
//! The fields of a draft are readable but private, so the checking constructor is the only way to create one.

mod authored;
pub mod bounds;
mod claims;
mod context;
mod document;
mod edit;
mod entry;
mod episode;
mod expiry;
mod fault;
mod field_scrubber;
mod grant;
mod memory;
mod plugin_namespace;
mod profile;
mod reason;
mod record;
mod rows;
mod run;
mod skill;
mod source;
mod turn;
mod workspace;

pub use authored::{AuthoredFields, StagedFields};
pub use claims::{ClaimInput, MAX_CLAIM_NAME, MAX_CLAIM_VALUE_BYTES, MAX_CLAIMS};
pub use context::{MAX_CONTEXT_BYTES, check_context};
pub use document::{DocumentDraft, DocumentFields, DocumentInput, MAX_DOCUMENT_BYTES, MAX_PASSAGES, MAX_SOURCE_URI};
pub use edit::{MemoryEdit, MemoryEditFields, MemoryEditInput};
pub use entry::{EntryDraft, EntryFields, EntryInput, MAX_KEY_BYTES, check_key};
pub use episode::{EpisodeDraft, EpisodeFields, EpisodeInput, EpisodeTypes, Outcome};
pub use expiry::{check_made_at, check_occurred_at, from_ttl};
pub use fault::DraftFault;
pub use field_scrubber::FieldRedaction;
pub use grant::{GrantDraft, GrantFields, GrantInput, MAX_EVIDENCE_BYTES, MAX_GRANTED_SESSIONS};
pub use memory::{MemoryDraft, MemoryFields, MemoryInput};
pub use plugin_namespace::{
    MAX_PLUGIN_NAME, PLUGIN_NAME_FORM, PluginNamespaceDraft, PluginNamespaceKind, UnknownPluginNamespaceKind,
    check_plugin_name,
};
pub use profile::{ProfileDraft, check_token_budget};
pub use reason::{ReasonDraft, check_end_user, check_session, check_subject};
pub use record::{
    MAX_RECORD_FIELDS, RecordChange, RecordDraft, RecordFields, RecordInput, RecordValueInput, check_entity,
};
pub use rows::{
    CollectionDraft, CollectionFields, CollectionInput, GroupDraft, ProcessorDraft, RowDraft, RowFields, RowInput,
    check_row_key,
};
pub use run::RunDraft;
pub use skill::SkillDraft;
pub use source::{Source, UnknownSource};
pub use turn::{MAX_MESSAGES, MESSAGE, MessageInput, Speaker, TurnDraft, TurnInput};
pub use workspace::{WorkspaceChange, WorkspaceChangeFields, WorkspaceDraft, WorkspaceFields};
