//! The quality bench: conversations that people ask about, loaded as memories, and how well their questions are answered.
//!
//! The data stay outside of the repository, as their licences want: the bench takes a folder with a folder for each set,
//! in which `corpus.jsonl` has what was said and `queries.jsonl` the questions with what answers them.
//!
//! A conversation becomes an org: a root that asks, and below it a workspace for everybody who speaks, who commits to the
//! team what he says, in its session and at its time. A question that was asked in the middle of its conversation is asked
//! there. This is done [with a server](server) over HTTP on either database, or [inside](inside) of this process with the
//! crate that ranks alone, in seconds; both rank alike, which a test holds them to.

pub mod data;
pub mod figures;
pub mod inside;
pub mod meaning;
pub mod parts;
pub mod server;
