//! Every setting, typed. What each means is told in `server/config/orgmem.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};

use super::layers::Layers;
use super::reader::SettingsReader;
use super::{ConfigError, forms, mask};

const GIB: usize = 1 << 30;
const YEAR_SECONDS: u64 = 365 * 24 * 60 * 60;

/// All settings, checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder of the database, the keys and `admin.token`.
    pub data_dir: PathBuf,
    /// The PostgreSQL to use, a `postgres://` address; `None` means SQLite in the data folder.
    pub database_url: Option<SecretString>,
    /// Threads that serve requests; `None` means one for each core.
    pub workers: Option<usize>,
    /// How long a stopping server waits for accepted requests.
    pub shutdown_timeout: Duration,
    /// What goes where for whoever runs the server.
    pub logging: Logging,
    /// Whose tokens are believed.
    pub jwt: JwtSettings,
    /// What is too much.
    pub limits: LimitSettings,
    /// How the store works.
    pub store: StoreSettings,
    /// How the access log is kept.
    pub access_log: AccessLogSettings,
    /// What turns texts to vectors.
    pub embedder: EmbedderSettings,
    /// How long events are kept.
    pub events_kept: Duration,
    /// How long a run may be open.
    pub run_timeout: chrono::TimeDelta,
    /// How long the rows of runs are kept once they are over.
    pub runs_kept: Duration,
    /// Who sums up what a profile holds.
    pub summary: SummarySettings,
    /// Who may call `/mcp` from a browser, and by which name.
    pub mcp: McpSettings,
    /// Who may show a part of the console within a page of their own.
    pub console: ConsoleSettings,
    /// Episode types of this deployment, besides the built-in ones.
    pub episode_types: Vec<String>,
}

/// Logs and traces.
#[derive(Clone, Debug)]
pub struct Logging {
    /// A filter as `tracing_subscriber::EnvFilter` reads it; it parses.
    pub filter: String,
    /// How log lines look.
    pub format: LogFormat,
    /// The OTLP collector for traces, an http(s) address.
    pub otlp_endpoint: Option<String>,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object a line.
    Json,
}

/// Keys, and what tokens must say.
#[derive(Clone, Debug)]
pub struct JwtSettings {
    /// The secret that signs and verifies, at least 32 bytes.
    pub secret: Option<SecretString>,
    /// The secret before it, which only verifies.
    pub previous_secret: Option<SecretString>,
    /// PEM files of public keys.
    pub public_keys: Vec<PathBuf>,
    /// The key set of an identity provider.
    pub jwks: Option<Jwks>,
    /// The `iss` of every token.
    pub issuer: String,
    /// The `aud` of every token.
    pub audience: String,
    /// How far a signer's clock may be off.
    pub leeway: Duration,
    /// How long an agent's token lives.
    pub agent_lifetime: Duration,
    /// How long the token of a viewer, an operator or an admin lives.
    pub people_lifetime: Duration,
    /// The longest life any token may have.
    pub max_lifetime: Duration,
}

/// Where a JSON Web Key Set is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jwks {
    /// In a file.
    File(PathBuf),
    /// At an http(s) address.
    Address(String),
}

/// What is refused for being too much.
#[derive(Clone, Copy, Debug)]
pub struct LimitSettings {
    /// Bytes of the body of one request.
    pub body_bytes: usize,
    /// Bytes of the body of a batch or an import.
    pub bulk_body_bytes: usize,
    /// How large memories and entries may be.
    pub content: orgmem_policies::DraftLimits,
    /// Levels of a JSON body.
    pub json_depth: usize,
    /// Connections open at once.
    pub connections: usize,
    /// How long a request may take.
    pub request_timeout: Duration,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// How large a tree may grow.
    pub tree: orgmem_hierarchy::TreeLimits,
}

/// Pools and caches.
#[derive(Clone, Copy, Debug)]
pub struct StoreSettings {
    /// Connections that read at the same time.
    pub readers: usize,
    /// Connections that write at the same time, on PostgreSQL.
    pub writers: usize,
    /// Bytes that the keyword index may take in memory.
    pub index_cache_bytes: usize,
}

/// The access log.
#[derive(Clone, Debug)]
pub struct AccessLogSettings {
    /// The secret that vouches for its chain.
    pub key: Option<SecretString>,
    /// Those before it, which only verify.
    pub previous_keys: Vec<SecretString>,
    /// Whether reads wait for their rows.
    pub wait_for_reads: bool,
    /// Rows of reads that may wait, of all orgs together.
    pub waiting_reads: usize,
    /// How long rows are kept; `None` means for ever.
    pub kept: Option<Duration>,
}

/// What turns texts to vectors.
#[derive(Clone, Debug)]
pub struct EmbedderSettings {
    /// Where it is; `None` means that search goes by words alone.
    pub source: Option<EmbedderSource>,
    /// The model that an endpoint is asked for.
    pub model: Option<String>,
    /// The key that an endpoint is shown.
    pub key: Option<SecretString>,
    /// How long an endpoint or a hub may take.
    pub timeout: Duration,
    /// The hub that models are downloaded from, an http(s) address.
    pub hub: String,
}

/// Where an embedder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedderSource {
    /// A folder with a model.
    Folder(PathBuf),
    /// A model of this name on the hub.
    Hub(String),
    /// An endpoint at this http(s) address.
    Address(String),
}

/// Summaries.
#[derive(Clone, Debug)]
pub struct SummarySettings {
    /// The language model that makes them; `None` means the server does.
    pub model: Option<ModelSettings>,
}

/// A language model behind an endpoint that speaks OpenAI's chat completions.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Where it is, up to `/chat/completions`.
    pub endpoint: String,
    /// What it is called there.
    pub name: String,
    /// The key it asks for.
    pub key: Option<SecretString>,
    /// How long it may take.
    pub timeout: Duration,
}

/// Headers that `/mcp` answers to, besides those of loopback.
#[derive(Clone, Debug)]
pub struct McpSettings {
    /// `Host` values, in lower case.
    pub allowed_hosts: Vec<String>,
    /// `Origin` values.
    pub allowed_origins: Vec<String>,
}

/// The console.
#[derive(Clone, Debug)]
pub struct ConsoleSettings {
    /// Origins of the pages that may show the page to embed, as browsers name them.
    pub framers: Vec<String>,
}

impl Settings {
    /// The address of the database as a person may see it, without a password; none for SQLite in the data folder.
    pub(crate) fn database_shown(&self) -> Option<String> {
        self.database_url.as_ref().map(|url| mask::shown("database_url", url.expose_secret()))
    }

    pub(super) fn read(layers: &Layers) -> Result<Self, ConfigError> {
        let from = SettingsReader(layers);
        Ok(Self {
            listen: from.text("listen", &forms::LISTEN)?,
            data_dir: from.text("data_dir", &forms::PATH)?,
            database_url: from.optional("database_url", &forms::DATABASE)?,
            workers: Some(from.whole("workers", 0..=1024)?).filter(|workers| *workers > 0),
            shutdown_timeout: from.seconds("shutdown_timeout_seconds", 0..=3600)?,
            logging: Logging::read(&from)?,
            jwt: JwtSettings::read(&from)?,
            limits: LimitSettings::read(&from)?,
            store: StoreSettings::read(&from)?,
            access_log: AccessLogSettings::read(&from)?,
            embedder: EmbedderSettings::read(&from)?,
            events_kept: from.seconds("events.keep_seconds", 60..=YEAR_SECONDS)?,
            run_timeout: chrono::TimeDelta::seconds(from.whole("runs.timeout_seconds", 1..=31_536_000_i64)?),
            runs_kept: from.seconds("runs.keep_seconds", 3_600..=YEAR_SECONDS)?,
            summary: SummarySettings::read(&from)?,
            mcp: McpSettings::read(&from)?,
            console: ConsoleSettings { framers: from.list("console.framers", &forms::FRAMER)? },
            episode_types: from.list("activity.types", &forms::EPISODE_TYPE)?,
        })
    }
}

impl Logging {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            filter: from.text("log", &forms::LOG)?,
            format: from.text("log_format", &forms::LOG_FORMAT)?,
            otlp_endpoint: from.optional("otlp_endpoint", &forms::ENDPOINT)?,
        })
    }
}

impl JwtSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let max_lifetime = from.whole("jwt.max_lifetime_seconds", 60..=YEAR_SECONDS)?;
        Ok(Self {
            secret: from.optional("jwt.secret", &forms::SECRET)?,
            previous_secret: from.optional("jwt.previous_secret", &forms::SECRET)?,
            public_keys: from.list("jwt.public_keys", &forms::PATH)?,
            jwks: from.optional("jwt.jwks", &forms::JWKS)?,
            issuer: from.text("jwt.issuer", &forms::NOT_BLANK)?,
            audience: from.text("jwt.audience", &forms::NOT_BLANK)?,
            leeway: from.seconds("jwt.leeway_seconds", 0..=300)?,
            agent_lifetime: from.seconds("jwt.agent_lifetime_seconds", 60..=max_lifetime)?,
            people_lifetime: from.seconds("jwt.people_lifetime_seconds", 60..=max_lifetime)?,
            max_lifetime: Duration::from_secs(max_lifetime),
        })
    }
}

impl LimitSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let body_bytes = from.whole("limits.body_bytes", 1024..=GIB)?;
        Ok(Self {
            body_bytes,
            bulk_body_bytes: from.whole("limits.bulk_body_bytes", body_bytes..=GIB)?,
            content: orgmem_policies::DraftLimits {
                content_bytes: from.whole("limits.content_bytes", 1..=body_bytes)?,
                value_bytes: from.whole("limits.value_bytes", 1..=body_bytes)?,
            },
            json_depth: from.whole("limits.json_depth", 8..=120)?,
            connections: from.whole("limits.connections", 1..=1_000_000)?,
            request_timeout: from.seconds("limits.request_timeout_seconds", 1..=3600)?,
            body_timeout: from.seconds("limits.body_timeout_seconds", 1..=3600)?,
            tree: orgmem_hierarchy::TreeLimits {
                max_levels: from.whole("limits.tree_depth", 1..=1000)?,
                max_workspaces: from.whole("limits.tree_size", 1..=10_000_000)?,
            },
        })
    }
}

impl StoreSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            readers: from.whole("store.readers", 1..=256)?,
            writers: from.whole("store.writers", 1..=64)?,
            index_cache_bytes: from.whole("store.index_cache_bytes", 1 << 20..=64 * GIB)?,
        })
    }
}

impl AccessLogSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let days = from.whole("access_log.keep_days", 0..=36_500_u64)?;
        Ok(Self {
            key: from.optional("access_log.key", &forms::SECRET)?,
            previous_keys: from.list("access_log.previous_keys", &forms::SECRET)?,
            wait_for_reads: from.text("access_log.wait_for_reads", &forms::YES_OR_NO)?,
            waiting_reads: from.whole("access_log.waiting_reads", 1..=1_000_000)?,
            kept: (days > 0).then(|| Duration::from_secs(days * 24 * 60 * 60)),
        })
    }
}

impl EmbedderSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            source: from.optional("embedder", &forms::EMBEDDER)?,
            model: from.optional("embedding.model", &forms::NOT_BLANK)?,
            key: from.optional("embedding.key", &forms::KEY)?,
            timeout: from.seconds("embedding.timeout_seconds", 1..=600)?,
            hub: from.text("embedding.hub", &forms::ENDPOINT)?,
        })
    }
}

impl SummarySettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let endpoint: Option<String> = from.optional("summary.endpoint", &forms::ENDPOINT)?;
        let (key, timeout) =
            (from.optional("summary.api_key", &forms::KEY)?, from.seconds("summary.timeout_seconds", 1..=120)?);
        let name: Option<String> = from.optional("summary.model", &forms::NOT_BLANK)?;
        let Some(endpoint) = endpoint else { return Ok(Self { model: None }) };
        let name = name.map_or_else(|| from.text("summary.model", &forms::NOT_BLANK), Ok)?;
        Ok(Self { model: Some(ModelSettings { endpoint, name, key, timeout }) })
    }
}

impl McpSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            allowed_hosts: from.list("mcp.allowed_hosts", &forms::HOST)?,
            allowed_origins: from.list("mcp.allowed_origins", &forms::ORIGIN)?,
        })
    }
}
