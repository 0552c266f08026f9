//! The description of the interface: what is the same everywhere is written once, here, and what is an operation's own
//! stands with its handler.

mod complete;
mod flatten;
mod responses;

pub(super) use complete::complete;
pub(super) use responses::{
    Confirmation, Conflict, EditConflict, Gone, MemoryConflict, NoMessage, ProfileConflict, RunConflict, TreeConflict,
    VersionConflict,
};
