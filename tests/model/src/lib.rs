//! What orgmem is checked against: a naïve model of its rules, and orgs to try both on.
//!
//! - [`oracle`]: product.md, section 2, written once more from the text alone, slowly and literally;
//! - [`generators`]: any org, any step, any history, shrinking for properties or seeded for long runs;
//! - [`orgs`]: an org drawn as indented text.
//!
//! Steps carry every id they need, so one stream of steps drives the oracle and a real server alike:
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
