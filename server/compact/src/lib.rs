//! Compacts episodes into pages: the short view of a subject's history that an agent reads.
//!
//! A pure function of the episodes, the rules and the day: no I/O, no clock. The store carries out the result.
//!
//! | step | function |
//! |---|---|
//! | which episodes may reach a page | [`Rules::exclusion`] |
//! | which episodes belong together | [`exchanges`]: of one subject and thread, without a gap of more than 30 minutes |
//! | the texts of an exchange | [`Exchange::hot`], [`Exchange::warm`] |
//! | the tier of each exchange of a subject | [`place`], within [`Budgets`] |
//! | how far a page can be trusted | [`Support::confidence`] |
//!
//! [`compact`] does all of it for a whole log. A store that processes new episodes step by step calls [`exchanges`] for the
//! threads with changes and [`place`] for their subject; the result is the same.
//!
//! # Guarantees
//!
//! * The order of the episodes in the input has no effect.
//! * An excluded episode has no effect on any page.
//! * Every eligible episode is the source of exactly one page.
//! * The pages of a subject in a tier never exceed the budget of the tier.

mod compaction;
mod confidence;
mod episode;
mod exchange;
mod place;
mod rules;
mod text;

pub use compaction::{Compaction, Page, Report, compact};
pub use confidence::{Confidence, GATE, HALF_LIFE_DAYS, Support};
pub use episode::{Episode, MICROS_PER_DAY, Outcome, day_of};
pub use exchange::{Exchange, Facts, GAP_MICROS, Link, exchanges};
pub use place::{Budgets, HOT_DAYS, Placements, Tier, WARM_DAYS, place};
pub use rules::{Exclusion, Rules, SERVER_TYPES, folded_kind};
pub use text::{HOT_PAGE_TOKENS, WARM_CHARS, tokens_of};
