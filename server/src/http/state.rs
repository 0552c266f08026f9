use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::auth::{Auth, StartCode};
use crate::config::LimitSettings;
use crate::telemetry::Metrics;

/// What every handler and the boundary share, across all threads.
pub(crate) struct AppState {
    /// The services.
    pub(crate) app: Arc<App>,
    /// Whose tokens are believed.
    pub(crate) auth: Arc<Auth>,
    /// What is too much.
    pub(crate) limits: LimitSettings,
    /// What is counted.
    pub(crate) metrics: Metrics,
    /// The code of the link that was printed at the start.
    pub(crate) start_code: Arc<StartCode>,
    /// Whose pages may show the console's page to embed.
    pub(crate) framers: Vec<String>,
    /// Cancelled when the server stops: streams end.
    pub(crate) stopping: CancellationToken,
}

#[cfg(test)]
impl AppState {
    /// That of a server with an empty store, without the server.
    pub(super) async fn of_test(dir: &std::path::Path) -> Self {
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
        let framers = settings.console.framers;
        Self { app, auth, limits: settings.limits, metrics, start_code, framers, stopping: CancellationToken::new() }
    }
}
