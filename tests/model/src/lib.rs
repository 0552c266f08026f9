//! The reference model of orgmem's rules, and generators of orgs to compare with it.
//!
//! - [`oracle`]: `docs/spec/tree.md` as a slow, literal and independent implementation;
//! - [`generators`]: orgs, steps and histories, shrinking for properties or seeded for long runs;
//! - [`orgs`]: orgs drawn as indented text.
//!
//! Steps contain all ids that they need, so the same steps drive the oracle and a real server:
//!
//! ```
//! use orgmem_model::generators::Seeded;
//! use orgmem_model::oracle::Oracle;
//!
//! let mut seeded = Seeded::new(7);
//! let mut oracle = Oracle::default();
//! for step in seeded.org(20) {
//!     oracle.apply(&step).expect("an org can be created");
//! }
//! for _ in 0..100 {
//!     let step = seeded.step(&oracle);
//!     let expected = oracle.apply(&step);
//!     // … send `step` to the server; it refuses when the oracle does, for one of the same reasons
//! #   let _ = expected;
//! }
//! let reader = oracle.live()[0];
//! // … search as `reader`; the server finds these memories and no other
//! # let _ =
//! oracle.memories_read_by(reader);
//! ```

pub mod generators;
pub mod oracle;
pub mod orgs;
