//! The quality benchmark: search results for questions about conversations, measured against the items that hold the
//! answers.
//!
//! # Data
//!
//! A data set is a folder with two files. Both have one JSON object per line.
//!
//! | `corpus.jsonl` | |
//! |---|---|
//! | `conv` | the conversation; a question searches one conversation only |
//! | `id` | unique in the conversation; the items are in the order of their commits |
//! | `speaker` | the author |
//! | `text` | the content |
//! | `session` | optional |
//! | `timestamp` | optional; a date, or a date and a time, in UTC. A conversation has timestamps on all items or on none |
//! | `seq` | optional; a number that does not decrease within the conversation |
//!
//! | `queries.jsonl` | |
//! |---|---|
//! | `conv` | the conversation |
//! | `question` | the query |
//! | `gold_ids` | the items that together hold the answer |
//! | `before` | optional; the question is asked when only the items with a lower `seq` exist |
//!
//! Other fields are ignored. The folder `data` of this crate contains one set, `robotics`, written for this project; the
//! tests always run on it. The program takes the folder of the sets as its argument. The tests read further sets from the
//! folder that the environment variable `ORGMEM_QUALITY_DATA` names. Public research data sets can be converted to this
//! format; their licences usually do not allow a copy in this repository.
//!
//! # Method
//!
//! A conversation becomes an organisation. Its root workspace asks the questions. Each speaker is a workspace below the
//! root and commits its items with scope `TEAM`, in their session and at their time. The benchmark runs
//! [with a server](server) over HTTP on either database, or [in process](in_process) with the ranking crate only, which
//! takes seconds. Both return the same rankings; the tests check this.

pub mod ablation;
pub mod cases;
pub mod data;
pub mod embedder;
pub mod facts;
pub mod figures;
pub mod in_process;
pub mod server;
