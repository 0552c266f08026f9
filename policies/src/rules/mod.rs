//! The rules of the product beyond permissions, as pure functions of the facts that a transaction reads.
//!
//! | file | decides |
//! |---|---|
//! | `commit.rs` | whether a memory can be committed or staged: ids, supersession, pins, excluded kinds, the size of a run |
//! | `documents.rs` | whether a document can be written: its id, excluded kinds, budgets |
//! | `edit.rs` | which memories an author may edit or forget, whether an edited one fits its profile and its author's pins, and when it ends |
//! | `target_profile.rs` | which kinds a profile takes, and when its memories expire |
//! | `budget.rs` | who sets the budget of a workspace and how large, and whether a write fits into the budgets above it |
//! | `profiles.rs` | names and number of profiles, and which one can be deleted |
//! | `records.rs` | which fields a write of a record changes: the newer `as_of` wins |
//! | `rows.rs` | which settings of a collection can change, and whether rows and processors fit into their limits |
//! | `grants.rs` | how many grants a workspace may have |
//! | `reviews.rs` | what a decision about a stale claim does |
//! | `memory_state.rs` | whether a memory is live, expired, superseded, pending, redacted or deleted |
//! | `activity.rs` | the wording of the episodes that the server records about memories |
//! | `skills/` | which evidence makes a procedure a candidate for a skill, and a skill `failing`; which reports count |
//!
//! A check returns a plan, which the store demands as evidence, or a [`RuleViolation`].

mod activity;
mod budget;
mod commit;
mod documents;
mod edit;
mod grants;
mod memory_state;
mod profiles;
mod records;
mod reviews;
mod rows;
mod skills;
mod target_profile;
mod violation;

pub use activity::{
    MEMORY_READ, MemoryChange, SERVER_TYPES, activity_type, expiry_summary, is_of_server, without_kind,
};
pub use budget::{Budget, BudgetLimit, BudgetUse, MAX_BUDGET, StoredSize, check_budget, check_growth};
pub use commit::{CommitFacts, CommitPlan, StageFacts, StagePlan, check_commit, check_stage};
pub use documents::{DOCUMENT, DocumentFacts, DocumentPlan, PAGE, check_document};
pub use edit::{EditFacts, EditPlan, check_edit, is_editable, is_forgettable};
pub use grants::{GrantPlan, check_grants};
pub use memory_state::{Expiry, ExpiryRule, MemoryLocation, MemoryState, MemoryStatus};
pub use profiles::{ProfileDeletion, ProfileName, ProfilePlan, check_profile_deletion, check_profile_name};
pub use records::{FieldState, FieldValue, RecordPlan, RecordState, plan_record};
pub use reviews::{CONFIDENCE_GATE, LOST_CONFIDENCE, ReviewStatus, UnknownReviewStatus};
pub use rows::{
    CollectionFacts, CollectionPlan, ProcessorPlan, RowPlan, check_collection, check_processor, check_rows,
};
pub use skills::{
    PROCEDURE, ProcedureUse, Shortfall, SkillApproval, SkillRule, SkillStatus, UnknownSkillStatus, UnknownUseOutcome,
    UnknownWithdrawalCause, UseOutcome, UseTally, WithdrawalCause, check_outcome, check_skill_scope,
    evidence_of_sources, wilson_lower_bound,
};
pub use target_profile::TargetProfile;
pub use violation::RuleViolation;
