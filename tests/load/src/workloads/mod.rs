//! The workloads, one file each.

pub(crate) mod attacked_neighbour;
pub(crate) mod commit_concurrent;
pub(crate) mod commit_single;
pub(crate) mod commit_while_embedding;
pub(crate) mod embed_texts;
pub(crate) mod event_resume;
pub(crate) mod idle_memory;
pub(crate) mod index_candidates;
pub(crate) mod key_value;
pub(crate) mod move_subtree;
pub(crate) mod reach_decision;
pub(crate) mod search_audited;
pub(crate) mod search_cold;
pub(crate) mod search_keyword;
pub(crate) mod search_many_orgs;
pub(crate) mod search_semantic;
pub(crate) mod server_start;
pub(crate) mod session_search;
