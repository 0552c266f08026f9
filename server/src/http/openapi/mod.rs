//! The OpenAPI description. The handlers describe their own operations; this module adds the parts that operations
//! share.

mod bounds;
mod complete;
mod flatten;
mod responses;

pub(super) use bounds::{Bounds, add as add_bounds};
pub(super) use complete::complete;
pub(super) use responses::{
    BudgetConflict, Confirmation, Conflict, EditConflict, EvidenceConflict, Gone, GrantConflict, InvalidMessage,
    MemoryConflict, ProfileConflict, PromotionConflict, RowConflict, RunConflict, SkillConflict, TreeConflict,
    VersionConflict,
};
