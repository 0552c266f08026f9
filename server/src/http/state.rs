use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::{Auth, StartCode};
use crate::config::LimitSettings;
use crate::mcp::BrowserAccess;
use crate::telemetry::Metrics;

/// State shared by all handlers, the boundary and all threads.
pub(crate) struct AppState {
    pub(crate) app: Arc<App>,
    pub(crate) auth: Arc<Auth>,
    pub(crate) limits: LimitSettings,
    pub(crate) metrics: Metrics,
    /// The one-time code in the link that the server prints at its start.
    pub(crate) start_code: Arc<StartCode>,
    /// The origins whose pages may embed the console.
    pub(crate) framers: Vec<String>,
    /// The pages and host names that may reach MCP.
    pub(crate) browsers: BrowserAccess,
    /// Cancelled when the server stops; ends open streams.
    pub(crate) stopping: CancellationToken,
}

#[cfg(test)]
impl AppState {
    /// The state of a server with an empty store.
    pub(super) async fn for_test(dir: &std::path::Path) -> Self {
        use orgmem_store::{Store, StoreConfig, SystemClock};

        let mut sources = crate::config::Sources::empty(dir);
        sources.variables.push(("ORGMEM_DATA_DIR".into(), dir.into()));
        let settings = crate::config::Config::load(&sources).expect("settings").settings;
        let clock = Arc::new(SystemClock);
        let store = Store::open(&StoreConfig::sqlite(dir.join("test.db")), clock.clone()).expect("a store");
        let auth = Auth::open(&settings.jwt, dir, chrono::Utc::now()).await.expect("keys");
        let auth = Arc::new(auth);
        let access = crate::audit::AccessLog::open(&settings, &store).expect("keys");
        let reads = Arc::clone(&access.reads);
        let app = Arc::new(App::new(store.clone(), Arc::clone(&auth), clock, &settings, access, None));
        let metrics = Metrics::new(store, app.operations(), app.summarizer(), reads, None);
        let start_code = Arc::new(StartCode::new(None, chrono::Utc::now()));
        let browsers = BrowserAccess::new(&settings.mcp, settings.listen);
        let framers = settings.console.framers;
        let stopping = CancellationToken::new();
        Self { app, auth, limits: settings.limits, metrics, start_code, framers, browsers, stopping }
    }
}
