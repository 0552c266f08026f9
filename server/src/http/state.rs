use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use orgmem_policies::drafts::EpisodeTypes;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::{Auth, StartCode};
use crate::config::{LimitSettings, Settings};
use crate::limits::LoadLimiter;
use crate::mcp::BrowserAccess;
use crate::telemetry::Metrics;

use super::endpoints;
use super::openapi::Bounds;

/// State shared by all handlers, the boundary and all threads.
pub(crate) struct AppState {
    pub(crate) app: Arc<App>,
    pub(crate) auth: Arc<Auth>,
    pub(crate) limits: LimitSettings,
    pub(crate) load: LoadLimiter,
    /// Time after which the reader of a stream is slow.
    pub(crate) slow_reader: Duration,
    pub(crate) metrics: Metrics,
    /// The one-time code in the link that the server prints at its start.
    pub(crate) start_code: Arc<StartCode>,
    /// The origins whose pages may embed the console.
    pub(crate) framers: Vec<String>,
    /// The bearer token of the callers of the memory-plugin listener.
    pub(crate) plugin_token: Option<SecretString>,
    /// The OpenAPI description.
    pub(crate) description: Description,
    /// The pages and host names that may reach MCP.
    pub(crate) browsers: BrowserAccess,
    /// Cancelled when the server stops; ends open streams.
    pub(crate) stopping: CancellationToken,
}

/// The OpenAPI description. It is built on the first request for it: it needs more memory than the rest of the start, and
/// most servers never serve it.
pub(crate) struct Description {
    bounds: Bounds,
    document: OnceLock<Bytes>,
}

impl Description {
    pub(crate) fn new(settings: &Settings) -> Self {
        let token_seconds = i64::try_from(settings.jwt.max_lifetime.as_secs()).unwrap_or(i64::MAX);
        let activity_types = EpisodeTypes::with(settings.episode_types.iter().cloned()).names().to_vec();
        let bounds = Bounds { content: settings.limits.content, token_seconds, activity_types };
        Self { bounds, document: OnceLock::new() }
    }

    pub(super) fn document(&self) -> Bytes {
        self.document.get_or_init(|| endpoints::document(&self.bounds).into()).clone()
    }
}

#[cfg(test)]
impl AppState {
    /// The state of a server with an empty store.
    pub(super) async fn for_test(dir: &std::path::Path) -> Self {
        use orgmem_store::{Store, StoreConfig, SystemClock};

        use crate::app::Services;
        use crate::compaction::Compactor;

        let mut sources = crate::config::Sources::empty(dir);
        sources.variables.push(("ORGMEM_DATA_DIR".into(), dir.into()));
        let settings = crate::config::Config::load(&sources).expect("settings").settings;
        let clock = Arc::new(SystemClock);
        let store = Store::open(&StoreConfig::sqlite(dir.join("test.db")), clock.clone()).expect("a store");
        let auth = Auth::open(&settings.jwt, dir, chrono::Utc::now()).await.expect("keys");
        let auth = Arc::new(auth);
        let access = crate::audit::AccessLog::open(&settings, &store).expect("keys");
        let reads = Arc::clone(&access.reads);
        let compactor = Compactor::new(store.clone(), &settings.pages);
        let scrubber = orgmem_policies::scrub::Scrubber::built_in();
        let services = Services {
            access,
            embedding: None,
            reranking: None,
            disk: None,
            compactor,
            processing: crate::processing::Processing::new(store.clone(), scrubber, settings.limits.content),
            extraction: crate::extraction::Extraction::new(store.clone(), scrubber, &settings),
            record_sources: None,
            providers: None,
            scrubber,
        };
        let app = Arc::new(App::new(store.clone(), Arc::clone(&auth), clock, &settings, services));
        let metrics = Metrics::new(&app, reads, (None, None), None);
        let start_code = Arc::new(StartCode::new(None, chrono::Utc::now()));
        let (description, stopping) = (Description::new(&settings), CancellationToken::new());
        let browsers = BrowserAccess::new(&settings.mcp, settings.listen);
        let framers = settings.console.framers;
        let (load, slow_reader) = (LoadLimiter::new(&settings.limits.load), settings.slow_reader);
        Self {
            app,
            auth,
            limits: settings.limits,
            load,
            slow_reader,
            metrics,
            start_code,
            framers,
            plugin_token: None,
            description,
            browsers,
            stopping,
        }
    }
}
