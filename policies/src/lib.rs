//! Who may do what, and the proof of it.
//!
//! Values in; a pass or a [`Refusal`] out, with the reason. No I/O, no database, no clock. A pass has private fields
//! and is made here alone; the store takes org, reader and reach *from the pass*, so that forgetting a filter is not a
//! mistake one can make. Drafts are the same for content: what is stored was checked against the limits and scrubbed.
//!
//! Source: product.md, sections 2 to 4.

mod block;
mod caller;
mod instants;
mod limits;
mod memories;
mod orgs;
mod passes;
mod permission;
mod permit;
mod preview;
mod profiles;
mod refusal;
mod role;
mod runs;
mod tokens;

pub mod audit;
pub mod chain;
pub mod drafts;
pub mod quote;
pub mod rules;
pub mod scrub;

pub use audit::{AuditPass, EventPass, VerifyPass};
pub use block::{Block, tokens_of};
pub use caller::{Caller, NotAdmitted, TokenIdentity, TokenStatus};
pub use instants::is_kept;
pub use limits::{DraftLimits, MAX_PENDING_PER_RUN, MAX_PINS, MAX_PROFILES};
pub use passes::{
    ActPass, EditPass, ErasePass, Erasing, ForgetPass, OrgPass, ReadPass, RedactPass, ServerPass, TokenPass, TreePass,
    ViewPass, WritePass,
};
pub use permission::{Permission, ServerAction};
pub use permit::{permit, permit_server};
pub use preview::Preview;
pub use profiles::{
    Injection, Isolation, ProfileSettings, Retention, Strategy, UnknownIsolation, UnknownStrategy, Withheld,
};
pub use refusal::{Forbidden, Refusal};
pub use role::{Role, UnknownRole};
pub use runs::{Finish, RunEnding, RunOver, RunStatus, UnknownRunStatus};
