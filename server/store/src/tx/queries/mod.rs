//! The statements, by area. Each file implements the methods of [`Tx`] for its tables.

pub(crate) mod audit_log;
pub(crate) mod audit_ranges;
pub(crate) mod audit_records;
pub(crate) mod authored_columns;
pub(crate) mod budgets;
pub(crate) mod chain;
pub(crate) mod checking;
mod document_removals;
pub(crate) mod document_rows;
pub(crate) mod document_texts;
mod document_writes;
mod documents;
pub(crate) mod embeddings;
mod end_users;
pub(crate) mod entries;
mod episode_removals;
pub(crate) mod episodes;
pub(crate) mod erasures;
pub(crate) mod events;
pub(crate) mod expiry;
mod exporting;
mod grants;
mod group_changes;
mod hydrating;
pub(crate) mod idempotency;
pub(crate) mod index_rows;
pub(crate) mod indexed_texts;
pub(crate) mod listing;
mod lookup;
pub(crate) mod matching;
pub(crate) mod memories;
mod memory_episodes;
pub(crate) mod memory_rows;
pub(crate) mod memory_uses;
mod metadata_values;
mod newest;
pub(crate) mod noted_episodes;
pub(crate) mod old_reads;
pub(crate) mod org_days;
mod page_index;
pub(crate) mod page_rows;
pub(crate) mod page_work;
pub(crate) mod pages;
pub(crate) mod partitions;
pub(crate) mod pending_memories;
pub(crate) mod plugin_namespaces;
mod processor_groups;
mod processors;
mod profile_members;
pub(crate) mod profile_rows;
pub(crate) mod profiles;
mod provider_contents;
mod provider_figures;
mod provider_leases;
mod provider_withdrawals;
mod providers;
mod reached;
pub(crate) mod records;
pub(crate) mod redactions;
pub(crate) mod registry;
mod removals;
pub(crate) mod retention;
mod retiring;
pub(crate) mod reviews;
mod row_writes;
mod rows;
pub(crate) mod runs;
pub(crate) mod scrub;
mod search;
pub(crate) mod segments;
mod selected;
pub(crate) mod session;
mod session_criteria;
mod session_end;
mod skill_changes;
pub(crate) mod skills;
pub(crate) mod stats;
pub(crate) mod stored_segments;
pub(crate) mod subtree;
pub(crate) mod sweep;
pub(crate) mod target_profile;
pub(crate) mod text_rows;
mod text_search;
mod text_sources;
mod text_work;
pub(crate) mod tokens;
mod touching;
pub(crate) mod trimming;
mod turns;
pub(crate) mod version_rows;
pub(crate) mod versions;
pub(crate) mod workspaces;

use super::super::{
    EXPIRES_AFTER_SQL, IS_DEFAULT, LISTS_PER_STATEMENT, MAX_SINGLE_READS, NAMES_TARGET, PINNED, SESSION_ONLY,
    SIZE_IN_BYTES, UNPINNED,
};
use super::condition::Condition;
use super::one_of::one_of;
use super::{Conn, Tx, TxKind, insert, upsert};

use crate::StoreError;
use crate::contract::*;
use crate::contract::{
    forward_budget_reads, forward_document_reads, forward_document_writes, forward_export_reads, forward_grant_reads,
    forward_grant_writes, forward_metadata_reads, forward_old_reads, forward_plugin_reads, forward_processor_reads,
    forward_processor_writes, forward_provider_reads, forward_provider_writes, forward_read_pages,
    forward_read_records, forward_read_reviews, forward_read_tx, forward_row_reads, forward_row_writes,
    forward_session_reads, forward_session_writes, forward_skill_reads, forward_skill_writes, forward_text_reads,
    forward_text_writes, forward_turn_reads, forward_turn_writes, forward_write_tx,
};
use crate::scrub::{ScrubPosition, ScrubbedRows};
use chrono::{DateTime, Utc};
use orgmem_hierarchy::*;
use orgmem_policies::audit::*;
use orgmem_policies::chain::*;
use orgmem_policies::drafts::*;
use orgmem_policies::providers::*;
use orgmem_policies::rules::*;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::skill_package::SkillSource;
use orgmem_policies::turns::TurnState;
use orgmem_policies::*;
use orgmem_recall::{Analysis, Query};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use uuid::Uuid;

forward_budget_reads!(Tx<'_>);
forward_document_reads!(Tx<'_>);
forward_document_writes!(Tx<'_>);
forward_export_reads!(Tx<'_>);
forward_grant_reads!(Tx<'_>);
forward_grant_writes!(Tx<'_>);
forward_metadata_reads!(Tx<'_>);
forward_old_reads!(Tx<'_>);
forward_plugin_reads!(Tx<'_>);
forward_processor_reads!(Tx<'_>);
forward_processor_writes!(Tx<'_>);
forward_provider_reads!(Tx<'_>);
forward_provider_writes!(Tx<'_>);
forward_read_pages!(Tx<'_>);
forward_read_records!(Tx<'_>);
forward_read_reviews!(Tx<'_>);
forward_read_tx!(Tx<'_>);
forward_row_reads!(Tx<'_>);
forward_row_writes!(Tx<'_>);
forward_session_reads!(Tx<'_>);
forward_session_writes!(Tx<'_>);
forward_skill_reads!(Tx<'_>);
forward_skill_writes!(Tx<'_>);
forward_text_reads!(Tx<'_>);
forward_text_writes!(Tx<'_>);
forward_turn_reads!(Tx<'_>);
forward_turn_writes!(Tx<'_>);
forward_write_tx!(Tx<'_>);
