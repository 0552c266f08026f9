//! Recall: which memories answer a question, and which of them best. Pure: no I/O, no clock, no randomness in any
//! answer, and no input that makes it panic.
//!
//! ```
//! use orgmem_recall::{Byline, Cut, Doc, Filter, Meta, Moment, Query, Segment, Shelf, analyze, search};
//! use uuid::Uuid;
//!
//! // at commit: text to terms, and a blob for the database
//! let remember = |id, text| {
//!     let meta = Meta { id: Uuid::from_u128(id), created_at: 1, namespace: "general".into(), ..Meta::default() };
//!     Doc { meta, analysis: analyze(text), embeddings: None }.encode()
//! };
//! let blobs = [remember(1, "Deployments freeze on Fridays"), remember(2, "Rate limit of the API: 500/s (ERR-4012)")];
//!
//! // at search: blobs to the segment of their shelf, and the best of all shelves that the reader can read
//! let shelf = Segment::build(blobs.iter().map(|blob| Doc::decode(blob).expect("it was just encoded")));
//! let ask = |text| {
//!     let moment = Moment { now: 2, as_of: None };
//!     let shelf = Shelf { handle: "backend", author: Uuid::from_u128(9), byline: &Byline::of("Backend"), segment: &shelf };
//!     let hits = search(&[shelf], &Query::parse(text), &Filter::default(), &Cut::default(), moment);
//!     hits.iter().map(|hit| hit.id.as_u128()).collect::<Vec<_>>()
//! };
//! assert_eq!(ask("when may we deploy?"), [1]);
//! assert_eq!(ask("err 4012"), [2]);
//! assert_eq!(ask("\"rate limits\""), [2]);
//! assert_eq!(ask(""), [2, 1]); // nothing asked: a listing
//! ```
//!
//! # From text to hit
//!
//! | step | what it does |
//! |---|---|
//! | [`analyze`] | a text's words, each as written and as its stem, with positions |
//! | [`Doc`] | the words and what a memory is filtered and sorted by, as a compact blob |
//! | [`Segment`] | the docs of one *shelf* (those that always are readable together), inverted |
//! | [`Byline`] | the name of a shelf's author |
//! | [`Query`] | any string as words, phrases and prefixes |
//! | [`Shelves`] | the segments that a reader may see at one [`Moment`], with the statistics of exactly that |
//! | [`Shelves::candidates`] | the memories that match and pass a [`Filter`], with their scores |
//! | [`Shelves::explain`] | what their scores are made of |
//! | [`Shelves::cut`] | the first of them in an [`Order`], after a [`Key`] |
//!
//! [`search`] is the last three in one. What else is to weigh on the order one day comes between candidates and cut.
//!
//! # What can be relied on
//!
//! * A memory on a shelf that is not handed in leaves no trace: neither in results nor in scores.
//! * Scores and order are a function of the memories alone, to the last bit: not of how they are spread over segments,
//!   when they came, or what was there before.
//! * What has expired at `now` is absent from that instant, from the statistics too.
//! * A word in a query finds the same word in a memory, whatever language either is taken for.

mod byline;
mod bytes;
mod digest;
mod doc;
mod query;
mod search;
mod segment;
mod strings;
mod text;
mod vector;

pub use byline::Byline;
pub use digest::digest;
pub use doc::{DecodeError, Doc, Meta};
pub use query::{MAX_QUERY_PREFIXES, MAX_QUERY_WORDS, Query, in_first_person};
pub use search::{
    Candidate, Cut, Filter, Hit, Key, Moment, Neighbour, Order, Part, Scoring, Shelf, Shelves, count, search,
};
pub use segment::Segment;
pub use text::{Analysis, Language, Term, Terms, analyze, folded, parts};
pub use vector::{Embedding, Embeddings, Meaning, Vector};
