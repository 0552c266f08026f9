//! Credentials are replaced by `[REDACTED:<KIND>]` before anything is stored.
//!
//! The rules are data: `policies/rules/secrets.toml` is compiled in as [`Scrubber::built_in`], and
//! [`Scrubber::from_rules`] reads another file of the same form. The types [`Scrubbed`] and [`ScrubbedJson`] prove that
//! a value went through a scrubber.
//!
//! ```
//! use orgmem_policies::scrub::Scrubber;
//!
//! let (text, redactions) = Scrubber::built_in().scrub("DATABASE_URL=postgres://app:hunter2@db.internal/app");
//! assert_eq!(text.as_str(), "DATABASE_URL=postgres://app:[REDACTED:DATABASE_PASSWORD]@db.internal/app");
//! assert_eq!((&*redactions[0].kind, redactions[0].count), ("DATABASE_PASSWORD", 1));
//! ```
//!
//! Rules search in the normal form of a text, without invisible characters and with compatibility forms resolved; the
//! found spans are replaced in the text itself.
//!
//! Existing markers split a text into pieces, and each piece is scrubbed until nothing more is found in it. A second
//! scrub sees the same pieces, so scrubbing is idempotent.
//!
//! Source: `docs/spec/secrets.md`, "Secrets never land".

mod examined;
mod find;
mod json;
mod normal;
mod pattern;
mod rule;
mod rule_file;
mod scrubbed;
mod scrubber;
mod shape;
mod stand_in;
mod stored;
mod words;

pub use json::CredentialKey;
pub use rule_file::{FailedExample, RuleError};
pub use scrubbed::{Redaction, Scrubbed, ScrubbedJson};
pub use scrubber::Scrubber;
pub use stored::Rescrubbed;
