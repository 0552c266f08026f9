//! Full-text and semantic ranking of memories. Pure: no I/O, no clock, no randomness in results, and no input panics.
//!
//! ```
//! use orgmem_recall::{
//!     Byline, Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, search,
//! };
//! use uuid::Uuid;
//!
//! // at commit: text to terms, and a blob for the database
//! let encode = |id, text| {
//!     let meta = Meta { id: Uuid::from_u128(id), created_at: 1, namespace: "general".into(), ..Meta::default() };
//!     Doc { meta, analysis: analyze(text), embeddings: None }.encode()
//! };
//! let blobs = [encode(1, "Deployments freeze on Fridays"), encode(2, "Rate limit of the API: 500/s (ERR-4012)")];
//!
//! // at search: blobs to the index of their partition, and the best hits of all readable partitions
//! let index = PartitionIndex::build(blobs.iter().map(|blob| Doc::decode(blob).expect("a valid blob")));
//! let find = |text| {
//!     let time = ReadTime { now: 2, as_of: None };
//!     let partition =
//!         Partition { handle: "backend", author: Uuid::from_u128(9), byline: &Byline::of("Backend"), index: &index };
//!     let hits = search(&[partition], &Query::parse(text), &Filter::default(), &PageRequest::default(), time);
//!     hits.iter().map(|hit| hit.id.as_u128()).collect::<Vec<_>>()
//! };
//! assert_eq!(find("when may we deploy?"), [1]);
//! assert_eq!(find("err 4012"), [2]);
//! assert_eq!(find("\"rate limits\""), [2]);
//! assert_eq!(find(""), [2, 1]); // a listing
//! ```
//!
//! # From text to hits
//!
//! | step | purpose |
//! |---|---|
//! | [`analyze`] | the words of a text, as written and as stems, with positions |
//! | [`Doc`] | the words and the properties of a memory, as a compact blob |
//! | [`PartitionIndex`] | the inverted index of the documents of one *partition* (memories that the same readers can read) |
//! | [`Byline`] | the name of the author of a partition |
//! | [`Query`] | any string as words, phrases and prefixes |
//! | [`Searcher`] | the partitions that a reader can read at one [`ReadTime`], with statistics of exactly those |
//! | [`Searcher::understand`] | other words for those that no memory has: spellings, beginnings, typing errors, compounds |
//! | [`Searcher::candidates`] | the memories that match and pass a [`Filter`], with scores |
//! | [`Searcher::explain`] | the parts of their scores |
//! | [`Searcher::page`] | the first of them in an [`Order`], after a [`SortKey`] |
//!
//! [`search`] combines the last steps. A caller can change scores between candidates and page.
//!
//! # Substring search
//!
//! A [`TextBlock`] finds the rows whose folded text contains given words, also as parts of longer words. [`BlockBuilder`]
//! builds it, [`BlockWords`] and [`BlockRows`] search it.
//!
//! # Guarantees
//!
//! * A memory of a partition that is not passed in has no effect on results or scores.
//! * Scores and order depend on the memories only, to the last bit: not on their distribution over segments, the order of
//!   their insertion, or earlier content.
//! * A memory that has expired at `now` is absent, also from statistics.
//! * A word in a query finds the same word in a memory, whatever languages are detected.

mod blocks;
mod bytes;
mod index;
mod query;
mod rank;
mod text;
mod tuning;
mod vector;

pub use blocks::{BlockBuilder, BlockError, BlockHead, BlockRows, BlockWords, Needles, RowKey, TextBlock, WordMatches};
pub use index::{DecodeError, Doc, LiveSegment, Meta, PartitionIndex, Rewrites, SegmentError};
pub use query::{Byline, Query, in_first_person};
pub use rank::{
    Candidate, Filter, Hidden, HiddenUsers, Hit, Neighbour, Order, PageRequest, Partition, ReadTime, Repetition,
    ScorePart, Searcher, SortKey, Tier, Understanding, count, search,
};
pub use text::{
    Analysis, Language, Sentences, Term, Terms, analyze, embedding_chunks, extractive_summary, fold_text,
    informativeness,
};
pub use tuning::{MAX_QUERY_PREFIXES, MAX_QUERY_WORDS, MERGE_FACTOR, Scoring};
pub use vector::{Embedding, Embeddings, Meaning, Vector};
