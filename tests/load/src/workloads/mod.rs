//! One file for each workload.

pub(crate) mod embed;
pub(crate) mod embedder;
pub(crate) mod idle;
pub(crate) mod index_candidates;
pub(crate) mod reads;
pub(crate) mod told;
pub(crate) mod w1;
pub(crate) mod w1b;
pub(crate) mod w2;
pub(crate) mod w2b;
pub(crate) mod w3;
pub(crate) mod w3b;
pub(crate) mod w4;
pub(crate) mod w5;
pub(crate) mod w8;
pub(crate) mod w9;
