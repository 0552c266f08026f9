//! The services: the operations of REST, MCP and the command line.
//!
//! A service admits the caller, obtains a pass from `policies` in the snapshot of the call, and calls the store with
//! it. Every service can return the errors of the caller's role and position, and [`AppError::Cursor`] for an invalid
//! cursor; the single services do not document them.

mod append_episode;
mod best_pages;
mod budgets;
mod call;
mod can;
mod change_workspace;
mod check_access;
mod claims;
mod commit_memory;
mod compact_pages;
mod create_workspace;
mod cursor;
mod document_files;
mod document_rows;
mod documents;
mod drafting;
mod edit_memory;
mod end_session;
mod end_user;
mod entries;
mod erase;
mod error;
mod evidence;
mod explain_memory;
mod export_memories;
mod fetched_records;
mod finish_run;
mod forget_memory;
mod grants;
mod home;
mod idempotency;
mod import_memories;
mod import_org;
mod import_template;
mod inject_context;
mod list_episodes;
mod list_redactions;
mod list_versions;
mod locate;
mod me;
mod meaning;
mod measure;
mod memory_files;
mod memory_rows;
mod memory_texts;
mod memory_tool;
mod metadata_values;
mod namespaces;
mod node_output;
mod pages;
mod patterns;
mod plugin;
mod preview_change;
mod preview_profile;
mod problems;
mod processors;
mod profile_requests;
mod profiles;
mod providers;
mod reach_page;
mod read_access_log;
mod read_reach;
mod read_workspace;
mod records;
mod redact_episode;
mod redact_memory;
mod remove_workspace;
mod rerank;
mod reviews;
mod row_parts;
mod rows;
mod runs;
mod scrub_stored;
mod search_memories;
mod search_orgs;
mod search_params;
mod search_session;
mod skill_candidates;
mod skill_steps;
mod skills;
mod stage_output;
mod summarize_profile;
mod tokens;
mod touch_memories;
mod turns;
mod verify_access_log;
mod watch_events;
mod wire;
mod working_set;
mod workspaces;

/// The bounds of lists and parameters, for the description of the interface.
pub(crate) mod bounds {
    pub(crate) use super::commit_memory::MAX_BATCH;
    pub(crate) use super::home::DAYS_MAX as MAX_DAYS;
    pub(crate) use super::profile_requests::MAX_SEEDS;
    pub(crate) use super::reach_page::AMONG_MAX as MAX_AMONG;
    pub(crate) use super::records::MAX_LINES as MAX_RECORDS;
    pub(crate) use super::redact_memory::MAX_AT_ONCE;
    pub(crate) use super::rows::MAX_KEYS;
    pub(crate) use super::search_params::{MAX_IDS, MAX_NEIGHBOURS};
    pub(crate) use super::stage_output::MAX_WRITES;
}

pub use cursor::Listing;
pub use document_files::DocumentFile;
pub use error::AppError;
pub use export_memories::MemoryExport;
pub use idempotency::Idempotency;
pub(crate) use import_memories::EXPORTED_FIELDS;
pub(crate) use plugin::sweep_plugin_namespaces;
pub use row_parts::{RowForm, RowText};
pub use search_params::MemorySearch;
pub(crate) use skills::Etag;
pub use watch_events::{News, Watcher};

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_policies::drafts::EpisodeTypes;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Clock, Store};

use crate::audit::AccessLog;
use crate::auth::Auth;
use crate::compaction::Compactor;
use crate::config::Settings;
use crate::embedding::EmbeddingService;
use crate::extraction::Extraction;
use crate::jobs::Disk;
use crate::limits::BudgetRates;
use crate::processing::Processing;
use crate::providers::Providers;
use crate::record_sources::RecordSources;
use crate::reranking::Reranking;
use crate::summary::Summarizer;
use crate::telemetry::{DraftedBytes, Operations};

/// The services and their shared state.
pub struct App {
    store: Store,
    auth: Arc<Auth>,
    clock: Arc<dyn Clock>,
    scrubber: &'static Scrubber,
    drafting: drafting::Drafting,
    drafted: DraftedBytes,
    tree_limits: orgmem_hierarchy::TreeLimits,
    run_timeout: TimeDelta,
    summarizer: Summarizer,
    operations: Operations,
    access: AccessLog,
    embedding: Option<EmbeddingService>,
    reranking: Option<Arc<Reranking>>,
    budget_rates: Arc<BudgetRates>,
    disk: Option<Arc<Disk>>,
    streams: Arc<watch_events::Streams>,
    started_at: DateTime<Utc>,
    templates: import_template::TemplateFolder,
    compactor: Compactor,
    processing: Processing,
    extraction: Extraction,
    record_sources: Option<Arc<RecordSources>>,
    providers: Option<Arc<Providers>>,
    plugin: plugin::PluginOrg,
}

/// What the services share with the jobs.
pub(crate) struct Services {
    pub(crate) access: AccessLog,
    pub(crate) embedding: Option<EmbeddingService>,
    pub(crate) reranking: Option<Arc<Reranking>>,
    pub(crate) disk: Option<Arc<Disk>>,
    pub(crate) compactor: Compactor,
    pub(crate) processing: Processing,
    pub(crate) extraction: Extraction,
    pub(crate) record_sources: Option<Arc<RecordSources>>,
    pub(crate) providers: Option<Arc<Providers>>,
    pub(crate) scrubber: &'static Scrubber,
}

impl App {
    pub(crate) fn new(
        store: Store,
        auth: Arc<Auth>,
        clock: Arc<dyn Clock>,
        settings: &Settings,
        services: Services,
    ) -> Self {
        let Services {
            access,
            embedding,
            reranking,
            disk,
            compactor,
            processing,
            extraction,
            record_sources,
            providers,
            scrubber,
        } = services;
        Self {
            record_sources,
            providers,
            compactor,
            processing,
            extraction,
            plugin: plugin::PluginOrg::default(),
            disk,
            access,
            embedding,
            reranking,
            budget_rates: Arc::default(),
            auth,
            scrubber,
            drafting: drafting::Drafting {
                scrubber,
                limits: settings.limits.content,
                episode_types: Arc::new(EpisodeTypes::with(settings.episode_types.iter().cloned())),
            },
            drafted: DraftedBytes::default(),
            tree_limits: settings.limits.tree,
            run_timeout: settings.run_timeout,
            summarizer: Summarizer::new(&settings.summary),
            operations: Operations::new(),
            streams: Arc::default(),
            templates: import_template::TemplateFolder {
                dir: settings.templates_dir.clone(),
                limit_bytes: settings.limits.bulk_body_bytes,
            },
            started_at: store.now(),
            store,
            clock,
        }
    }

    /// The store, for health checks and shutdown.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The rules for credentials of this server.
    pub(crate) fn scrubber(&self) -> &'static Scrubber {
        self.scrubber
    }

    pub(crate) fn summarizer(&self) -> &Summarizer {
        &self.summarizer
    }

    pub(crate) fn record_sources(&self) -> Option<&RecordSources> {
        self.record_sources.as_deref()
    }

    pub(crate) fn providers(&self) -> Option<&Providers> {
        self.providers.as_deref()
    }

    pub(crate) fn operations(&self) -> &Operations {
        &self.operations
    }

    pub(crate) fn drafted(&self) -> &DraftedBytes {
        &self.drafted
    }

    /// The time of the server's clock.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }
}
