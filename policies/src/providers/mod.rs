//! Providers: engines behind recording, compacting and retrieving memories, besides the built-in one.
//!
//! A provider works in shadow on the surfaces that the settings name. It receives items of these surfaces, answers queries
//! with ids, and is compared with the built-in provider. An admin may promote it, one surface at a time.
//!
//! | file | decides |
//! |---|---|
//! | `routes.rs` | which providers an item or a query is sent to |
//! | `namespaces.rs` | in which namespace of a provider a memory is, and which ones a reader searches |
//! | `verdict.rs` | whether an id of a response is shown, withheld, or disqualifies the provider |
//! | `comparison.rs` | how far two rankings agree |
//! | `promotion.rs` | whether the figures of a surface permit a promotion |
//!
//! Source: `docs/spec/providers.md`.

mod comparison;
mod namespaces;
mod promotion;
mod routes;
mod verdict;

pub use comparison::{Comparison, compare};
pub use namespaces::{MAX_SEARCHED, episodes_namespace, memory_namespace, pages_namespace, searched_namespaces};
pub use promotion::{Figures, PromotionRefusal, SurfaceState, Thresholds, UnknownSurfaceState, check_promotion};
pub use routes::{CLOSED_SURFACES, ProviderRoute, ProviderRules, ShadowedSurfaces, is_closed};
pub use verdict::{IdFacts, Verdict};
