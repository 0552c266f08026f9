//! Credential-shaped text never lands: it is replaced by `[REDACTED:<KIND>]` before anything is stored.
//!
//! The rules are data, `policies/rules/secrets.toml`, compiled in; [`Scrubber::built_in`] holds them, and
//! [`Scrubber::from_rules`] reads another file of the same form. What may be stored is a type: [`Scrubbed`] text and
//! [`ScrubbedJson`] come from a scrubber and from nowhere else.
//!
//! ```
//! use orgmem_policies::scrub::Scrubber;
//!
//! let (text, redactions) = Scrubber::built_in().scrub("DATABASE_URL=postgres://app:hunter2@db.internal/app");
//! assert_eq!(text.as_str(), "DATABASE_URL=postgres://app:[REDACTED:DATABASE_PASSWORD]@db.internal/app");
//! assert_eq!((&*redactions[0].kind, redactions[0].count), ("DATABASE_PASSWORD", 1));
//! ```
//!
//! A text is cut at the markers it already holds, and the pieces between are scrubbed until nothing more is found in
//! any of them. So scrubbing is idempotent by construction: a second pass sees the same pieces.
//!
//! Source: product.md, section 4.2, "Secrets never land".

mod find;
mod json;
mod pattern;
mod rule;
mod rule_file;
mod scrubbed;
mod scrubber;
mod shape;
mod stand_in;
mod words;

pub use json::CredentialKey;
pub use rule_file::{FailedExample, RuleError};
pub use scrubbed::{Redaction, Scrubbed, ScrubbedJson};
pub use scrubber::Scrubber;
