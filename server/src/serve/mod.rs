//! Starting and stopping the server.

mod places;
mod stop_signals;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use actix_web::dev::{Server, ServerHandle};
use chrono::{DateTime, Utc};
use futures_util::future::join_all;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Clock, OpenError, ReadPlan, Store, StoreError, SystemClock};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) use places::{DATABASE, keep_files_private, make_data_dir, not_opened, store_config};
use places::{describe_storage, open_store};
pub(crate) use stop_signals::StopSignals;

use crate::app::{App, Services};
use crate::audit::AccessLog;
use crate::auth::{AdminToken, AdminTokenError, Auth, KeyError, StartCode};
use crate::compaction::Compactor;
use crate::config::Settings;
use crate::embedding::{EmbedderError, EmbeddingService};
use crate::extraction::Extraction;
use crate::http::{self, AppState, Description, Listening};
use crate::jobs::{self, Disk, EmbedMemories, JOBS, Jobs};
use crate::limits::LoadLimiter;
use crate::mcp::BrowserAccess;
use crate::outbound::OutboundError;
use crate::processing::Processing;
use crate::providers::Providers;
use crate::record_sources::RecordSources;
use crate::reranking::{RerankerError, Reranking};
use crate::secret_rules::{self, SecretRulesError};
use crate::server_address;
use crate::telemetry::{Metrics, Telemetry, TelemetryError};

/// An error of the start or of the server. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ServeError {
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    #[error("cannot make the data folder `{}`: {source}", path.display())]
    DataDir { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Keys(#[from] KeyError),
    #[error(transparent)]
    AdminToken(#[from] AdminTokenError),
    #[error(transparent)]
    Store(#[from] OpenError),
    #[error(
        "`{}` cannot be read as a database: {reason}; restore a backup, or move the file away with its -wal and -shm \
         files to start empty",
        path.display()
    )]
    Damaged { path: PathBuf, reason: String },
    #[error(transparent)]
    Embedder(#[from] EmbedderError),
    #[error(transparent)]
    Reranker(#[from] RerankerError),
    #[error("cannot listen on `{address}`: {source}; stop the other process, or set `listen` to another address")]
    Listen { address: SocketAddr, source: io::Error },
    #[error(
        "cannot listen on `{address}` for the memory-plugin contract: {source}; stop the other process, or set \
         `plugin.listen` to another address"
    )]
    ListenPlugin { address: SocketAddr, source: io::Error },
    #[error("the server failed: {0}")]
    Server(#[source] io::Error),
    /// The rules for credentials cannot be used.
    #[error(transparent)]
    SecretRules(#[from] SecretRulesError),
    /// A source of record or a provider cannot be used.
    #[error(transparent)]
    Outbound(#[from] OutboundError),
}

/// Serves until SIGTERM or SIGINT, then finishes the accepted requests. A second signal stops the server immediately.
///
/// # Source
/// `docs/spec/store.md`.
pub async fn serve(settings: Settings) -> Result<(), ServeError> {
    keep_files_private();
    let _telemetry = Telemetry::start(&settings.logging)?;
    let storage = describe_storage(&settings);
    let mut running = start(settings, Arc::new(SystemClock)).await?;
    // before the address is printed: its reader may stop the server immediately
    let mut signals = StopSignals::catch().map_err(ServeError::Server)?;
    running.announce(&storage);
    tokio::select! {
        ended = &mut running.server => {
            running.close().await;
            return ended.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(ServeError::Server);
        }
        () = signals.next() => tracing::info!("finishing accepted requests, a second signal stops at once"),
    }
    let handles = running.handles.clone();
    tokio::select! {
        () = running.stop() => tracing::info!("stopped"),
        () = signals.next() => {
            tracing::warn!("stopping at once");
            join_all(handles.iter().map(|handle| handle.stop(false))).await;
        }
    }
    Ok(())
}

/// Starts the server in the background of this runtime, without logs and output. It accepts requests on return.
pub async fn start(settings: Settings, clock: Arc<dyn Clock>) -> Result<Running, ServeError> {
    let scrubber = secret_rules::scrubber(settings.secret_rules.as_deref())?;
    make_data_dir(&settings.data_dir)?;
    let now = clock.now();
    let auth = Arc::new(Auth::open(&settings.jwt, &settings.data_dir, now).await?);
    let store = open_store(&settings, Arc::clone(&clock)).await?;
    let started = start_on(settings, clock, scrubber, auth, store.clone()).await;
    if started.is_err() && tokio::task::spawn_blocking(move || store.close()).await.is_err() {
        tracing::warn!("the store was not closed; its data folder may stay locked for a moment");
    }
    started
}

/// Starts everything but the store, which the caller closes on an error.
async fn start_on(
    settings: Settings,
    clock: Arc<dyn Clock>,
    scrubber: &'static Scrubber,
    auth: Arc<Auth>,
    store: Store,
) -> Result<Running, ServeError> {
    let now = clock.now();
    let admin_token = admin_token(&auth, &store, &settings.data_dir, now).await?;
    let stopping = CancellationToken::new();
    let access = AccessLog::open(&settings, &store)?;
    let embedding = EmbeddingService::open(&settings, &store).await?;
    let reranking = Reranking::open(&settings.reranker, store.threads()).await?;
    let disk = Disk::open(&settings).map(Arc::new);
    let for_providers = (store.clone(), Arc::clone(&clock), scrubber);
    let providers = Providers::open(&settings.providers, &settings.pages, for_providers, embedding.clone())?;
    let compactor = Compactor::new(store.clone(), &settings.pages).with_providers(providers.clone());
    let processing = Processing::new(store.clone(), scrubber, settings.limits.content);
    let extraction = Extraction::new(store.clone(), scrubber, &settings);
    let record_sources = RecordSources::open(&settings.record_sources, Arc::clone(&clock), scrubber)?;
    let context = jobs::JobContext {
        compactor: compactor.clone(),
        processing: processing.clone(),
        extraction: extraction.clone(),
        providers: providers.clone(),
        disk: disk.clone(),
        store: store.clone(),
        auth: Arc::clone(&auth),
        clock: Arc::clone(&clock),
        access: access.clone(),
        embedding: embedding.as_ref().map(|embedding| EmbedMemories::new(store.clone(), embedding)),
        event_retention: settings.event_retention,
        run_retention: settings.run_retention,
        session_idle: settings.session_idle,
    };
    let status = embedding.as_ref().map(|embedding| Arc::clone(&embedding.status));
    let reranker = reranking.as_ref().map(|reranking| Arc::clone(reranking.status()));
    let services = Services {
        access: access.clone(),
        embedding,
        reranking,
        disk: disk.clone(),
        compactor,
        processing,
        extraction,
        record_sources,
        providers: providers.clone(),
        scrubber,
    };
    let app = Arc::new(App::new(store.clone(), Arc::clone(&auth), clock, &settings, services));
    let reads = Arc::clone(&access.reads);
    let metrics = Metrics::new(&app, reads, (status, reranker), disk);
    let start_code = Arc::new(StartCode::new(admin_token.as_ref(), now));
    let state = AppState {
        app,
        auth,
        limits: settings.limits,
        load: LoadLimiter::new(&settings.limits.load),
        slow_reader: settings.slow_reader,
        metrics,
        start_code: Arc::clone(&start_code),
        framers: settings.console.framers.clone(),
        plugin_token: settings.plugin.token.clone(),
        description: Description::new(&settings),
        browsers: BrowserAccess::new(&settings.mcp, settings.listen),
        stopping: stopping.clone(),
    };
    let state = Arc::new(state);
    let plugin = http::listen_plugin(&settings, Arc::clone(&state)).map_err(|source| {
        let address = settings.plugin.listen.unwrap_or(settings.listen);
        ServeError::ListenPlugin { address, source }
    })?;
    let listening = http::listen(&settings, state, &stopping);
    let Listening { server, address } =
        listening.map_err(|source| ServeError::Listen { address: settings.listen, source })?;
    server_address::record(&settings.data_dir, server_address::on_this_machine(address));
    let jobs = Jobs::start(&JOBS, &Arc::new(context));
    let (plugin_address, plugin) = plugin.map(|plugin| (plugin.address, plugin.server)).unzip();
    let handles = plugin.iter().chain([&server]).map(Server::handle).collect();
    let server = tokio::spawn(first_to_end(server, plugin));
    warn_of_open_plugin(&settings);
    let data_dir = settings.data_dir;
    Ok(Running {
        address,
        plugin_address,
        data_dir,
        admin_token,
        start_code,
        handles,
        server,
        stopping,
        jobs,
        access,
        store,
        providers,
    })
}

/// Serves until one of the servers ends, which without a stop is a failure.
async fn first_to_end(server: Server, plugin: Option<Server>) -> io::Result<()> {
    match plugin {
        None => server.await,
        Some(plugin) => tokio::select! {
            ended = server => ended,
            ended = plugin => ended,
        },
    }
}

fn warn_of_open_plugin(settings: &Settings) {
    let Some(address) = settings.plugin.listen.filter(|address| !address.ip().is_loopback()) else { return };
    if settings.plugin.token.is_none() {
        tracing::warn!(%address, "the memory-plugin listener accepts everybody who reaches it; set `plugin.token`");
    }
}

/// The admin token in the data folder. A new one replaces a revoked one.
async fn admin_token(
    auth: &Auth,
    store: &Store,
    data_dir: &Path,
    now: DateTime<Utc>,
) -> Result<Option<AdminToken>, ServeError> {
    let Some(token) = auth.ensure_admin_token(data_dir, now)? else { return Ok(None) };
    let jti = token.jti;
    let read = store.read(ReadPlan::PointLookup, move |tx| Ok::<_, StoreError>(tx.token_status(None, jti)?.revoked));
    let is_revoked = read.await.map_err(|error| OpenError::Database(error.to_string()))?;
    Ok(Some(if is_revoked { auth.renew_admin_token(data_dir, now)? } else { token }))
}

/// A server that runs in the background.
pub struct Running {
    address: SocketAddr,
    plugin_address: Option<SocketAddr>,
    data_dir: PathBuf,
    admin_token: Option<AdminToken>,
    start_code: Arc<StartCode>,
    handles: Vec<ServerHandle>,
    server: JoinHandle<io::Result<()>>,
    stopping: CancellationToken,
    jobs: Jobs,
    access: AccessLog,
    store: Store,
    providers: Option<Arc<Providers>>,
}

impl Running {
    /// The address that it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the memory-plugin listener; `None` where it is off.
    #[must_use]
    pub fn plugin_address(&self) -> Option<SocketAddr> {
        self.plugin_address
    }

    /// Erases expired namespaces of the memory-plugin contract, as a job does every minute. Returns their number.
    ///
    /// # Errors
    /// [`AppError`](crate::app::AppError); nothing is lost, the next call continues.
    pub async fn sweep_plugin_namespaces(&self) -> Result<usize, crate::app::AppError> {
        crate::app::sweep_plugin_namespaces(&self.store).await
    }

    /// Sends what waits for providers, as two jobs do all the time, until nothing waits or no provider answers.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is lost, the next call continues.
    pub async fn send_to_providers(&self) -> Result<(), StoreError> {
        match &self.providers {
            Some(providers) => providers.settle().await,
            None => Ok(()),
        }
    }

    /// The address for clients on this machine, which differs where it listens on all addresses.
    #[must_use]
    pub fn address_here(&self) -> SocketAddr {
        server_address::on_this_machine(self.address)
    }

    /// `None` when this server issues no tokens.
    #[must_use]
    pub fn admin_token(&self) -> Option<&AdminToken> {
        self.admin_token.as_ref()
    }

    /// The link to the console. Where there is an admin token it signs in, once and within ten minutes.
    #[cfg(feature = "console")]
    #[must_use]
    pub fn console_link(&self) -> String {
        let code = self.start_code.shown().map(|code| format!("#code={code}"));
        format!("http://{}/console/{}", self.address_here(), code.unwrap_or_default())
    }

    /// Stops accepting requests, finishes the accepted ones within the configured timeout, and closes the store.
    pub async fn stop(mut self) {
        // streams do not end by themselves
        self.stopping.cancel();
        join_all(self.handles.iter().map(|handle| handle.stop(true))).await;
        self.close().await;
    }

    async fn close(&mut self) {
        self.stopping.cancel();
        server_address::forget(&self.data_dir, self.address_here());
        self.jobs.stop().await;
        self.access.close().await;
        let store = self.store.clone();
        if tokio::task::spawn_blocking(move || store.close()).await.is_err() {
            tracing::error!("the store could not be closed");
        }
    }

    /// Prints the addresses and paths of this server; `storage` has the lines about data and keys.
    fn announce(&self, storage: &str) {
        let mut text = format!("orgmem {} listens on http://{}\n", env!("CARGO_PKG_VERSION"), self.address);
        #[cfg(feature = "console")]
        text.push_str(&format!("  console      {}\n", self.console_link()));
        text.push_str(&format!("  interface    http://{}/docs/\n{storage}", self.address_here()));
        if let Some(address) = self.plugin_address {
            text.push_str(&format!("  plugin       http://{address}/v1\n"));
        }
        text.push_str(&match &self.admin_token {
            Some(token) if token.is_new => format!("  admin token  {} (new)\n", token.path.display()),
            Some(token) => format!("  admin token  {}\n", token.path.display()),
            None => "  admin token  none: tokens come from the keys that are configured\n".to_owned(),
        });
        // a closed pipe does not stop the server, as in `orgmem serve | head -1`
        let mut out = io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        for migration in self.store.migrated() {
            tracing::info!(migration, "migrated");
        }
    }
}
