//! Permissions of callers, as values that prove them.
//!
//! Functions take values and return a pass or a [`Refusal`] with its reason, without I/O, database or clock. Passes
//! have private fields and are created only here. The store takes org, reader and reach from the pass, so that no query
//! can omit the filter. Drafts do the same for content: the store accepts only text that was checked and scrubbed.
//!
//! Source: `docs/spec/README.md`.

mod block;
mod caller;
mod end_user;
mod grants;
mod instants;
mod limits;
mod memories;
mod namespaces;
mod orgs;
mod passes;
mod permission;
mod permit;
mod preview;
mod profiles;
mod refusal;
mod role;
mod runs;
mod tier;
mod tokens;

pub mod addresses;
pub mod audit;
pub mod chain;
pub mod claims;
pub mod drafts;
pub mod memory_files;
mod metadata_filter;
mod metadata_member;
pub mod passages;
pub mod providers;
pub mod quote;
pub mod rules;
pub mod scrub;
pub mod skill_package;
pub mod turns;

pub use audit::{AuditPass, EventPass, VerifyPass};
pub use block::{Block, tokens_of};
pub use caller::{Caller, NotAdmitted, TokenIdentity, TokenStatus};
pub use end_user::{CallUser, EndUser, UserView};
pub use grants::{GrantPass, SessionGrant};
pub use instants::is_storable;
pub use limits::{
    DraftLimits, MAX_COLLECTIONS, MAX_GRANTS, MAX_PENDING_PER_RUN, MAX_PINS, MAX_PROCESSORS, MAX_PROFILES, MAX_SKILLS,
};
pub use metadata_filter::{MetadataFilter, MetadataFilterFault};
pub use metadata_member::{MAX_VALUE_BYTES, MetadataMember, MetadataValue};
pub use namespaces::{Namespace, UnknownNamespace};
pub use passes::{
    ActPass, BudgetPass, EditPass, ErasePass, Erasing, ForgetPass, OrgPass, ReadPass, RecordPass, RedactPass,
    ServerPass, TokenPass, TreePass, ViewPass, WithheldByProfile, WritePass,
};
pub use permission::{Permission, ServerAction};
pub use permit::{permit, permit_server};
pub use preview::Preview;
pub use profiles::{
    Injection, Isolation, ProfileRef, ProfileSettings, Retention, Sharing, Strategy, UnknownIsolation, UnknownSharing,
    UnknownStrategy, Withheld,
};
pub use refusal::{Forbidden, Refusal};
pub use role::{Role, UnknownRole};
pub use runs::{Finish, Gate, NoOpenRun, RunEnding, RunOver, RunStatus, UnknownRunStatus, gate};
pub use tier::Tier;
