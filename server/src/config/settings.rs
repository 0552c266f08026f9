//! Every setting, typed. `server/config/orgmem.toml` describes them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use orgmem_policies::Role;
use secrecy::{ExposeSecret, SecretString};

use super::layers::Layers;
use super::load::LoadSettings;
use super::mcp::McpSettings;
use super::models::{ExtractorSettings, ModelSettings};
use super::pages::PageSettings;
use super::plugin::PluginSettings;
use super::providers::ProvidersSettings;
use super::reader::SettingsReader;
use super::record_sources::RecordSourceSettings;
use super::reranker::RerankerSettings;
use super::{ClaimName, ConfigError, forms, mask};

const GIB: usize = 1 << 30;
const YEAR_SECONDS: u64 = 365 * 24 * 60 * 60;

/// All settings, validated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder of the database, the keys and `admin.token`.
    pub data_dir: PathBuf,
    /// The `postgres://` address of the database; `None` means SQLite in the data folder.
    pub database_url: Option<SecretString>,
    /// Number of threads for requests; `None` means one per core.
    pub workers: Option<usize>,
    /// How long a stopping server waits for accepted requests.
    pub shutdown_timeout: Duration,
    /// Logs and traces.
    pub logging: Logging,
    /// Keys and claims of tokens.
    pub jwt: JwtSettings,
    /// Sizes, times and counts.
    pub limits: LimitSettings,
    /// Pools and caches.
    pub store: StoreSettings,
    /// The audit log.
    pub access_log: AccessLogSettings,
    /// The embedder for semantic search.
    pub embedder: EmbedderSettings,
    /// The reranker of searches.
    pub reranker: RerankerSettings,
    /// Retention of events.
    pub event_retention: Duration,
    /// Time after which a stream whose client does not read ends.
    pub slow_reader: Duration,
    /// Time after which an open run ends.
    pub run_timeout: chrono::TimeDelta,
    /// Retention of ended runs.
    pub run_retention: Duration,
    /// Time without a write after which a session ends.
    pub session_idle: Duration,
    /// Summaries of profiles.
    pub summary: SummarySettings,
    /// The extraction of facts from turns.
    pub extractor: ExtractorSettings,
    /// Hosts and origins allowed to call `/mcp`.
    pub mcp: McpSettings,
    /// Origins allowed to embed the console.
    pub console: ConsoleSettings,
    /// Pages and their compaction.
    pub pages: PageSettings,
    /// Sources of records that are fetched.
    pub record_sources: Vec<RecordSourceSettings>,
    /// Providers besides the built-in one.
    pub providers: ProvidersSettings,
    /// The listener of the memory-plugin contract.
    pub plugin: PluginSettings,
    /// Episode types in addition to the built-in ones.
    pub episode_types: Vec<String>,
    /// The folder of templates for `POST /org/import`.
    pub templates_dir: Option<PathBuf>,
    /// A file with rules for credentials, in addition to the built-in ones.
    pub secret_rules: Option<PathBuf>,
}

/// Logs and traces.
#[derive(Clone, Debug)]
pub struct Logging {
    /// A valid filter for `tracing_subscriber::EnvFilter`.
    pub filter: String,
    /// The format of log lines.
    pub format: LogFormat,
    /// The OTLP collector for traces, an http(s) address.
    pub otlp_endpoint: Option<String>,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object per line.
    Json,
}

/// Keys and claims of tokens.
#[derive(Clone, Debug)]
pub struct JwtSettings {
    /// The secret that signs and verifies, at least 32 bytes.
    pub secret: Option<SecretString>,
    /// The previous secret, which only verifies.
    pub previous_secret: Option<SecretString>,
    /// PEM files of public keys.
    pub public_keys: Vec<PathBuf>,
    /// The key set of an identity provider.
    pub jwks: Option<Jwks>,
    /// The `iss` of this server's tokens, and by default of all tokens.
    pub issuer: String,
    /// The `aud` of this server's tokens, and by default of all tokens.
    pub audience: String,
    /// The `iss` of tokens signed with `public_keys`.
    pub public_keys_issuer: Option<String>,
    /// The `iss` of tokens of the identity provider.
    pub jwks_issuer: Option<String>,
    /// The `aud` of tokens of the identity provider.
    pub jwks_audience: Option<String>,
    /// Claims that the identity provider names differently.
    pub jwks_claims: Vec<(ClaimName, String)>,
    /// The roles of values of the identity provider's `role` claim, the first match first.
    pub jwks_roles: Vec<(String, Role)>,
    /// Tolerance for differences between clocks.
    pub leeway: Duration,
    /// Default lifetime of agents' tokens.
    pub agent_lifetime: Duration,
    /// Default lifetime of the tokens of viewers, operators and admins.
    pub people_lifetime: Duration,
    /// Maximum lifetime of a token.
    pub max_lifetime: Duration,
}

/// The location of a JSON Web Key Set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jwks {
    /// In a file.
    File(PathBuf),
    /// At an http(s) address.
    Address(String),
}

/// Limits of requests and trees.
#[derive(Clone, Copy, Debug)]
pub struct LimitSettings {
    /// Maximum size of a body.
    pub body_bytes: usize,
    /// Maximum size of the body of a batch or an import.
    pub bulk_body_bytes: usize,
    /// Maximum sizes of memories and entries.
    pub content: orgmem_policies::DraftLimits,
    /// Maximum nesting of a JSON body.
    pub json_depth: usize,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum time until the response.
    pub request_timeout: Duration,
    /// Maximum time until a body has arrived.
    pub body_timeout: Duration,
    /// Rates and amounts in flight, of callers, orgs and the server.
    pub load: LoadSettings,
    /// Maximum depth and size of a tree.
    pub tree: orgmem_hierarchy::TreeLimits,
}

/// Pools and caches.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// A pooler in front of PostgreSQL that pools by transaction.
    pub pooler_url: Option<SecretString>,
    /// Number of connections for reads.
    pub readers: usize,
    /// Number of connections for writes, on PostgreSQL.
    pub writers: usize,
    /// Maximum size of the keyword index in memory.
    pub index_cache_bytes: usize,
    /// Free space of the data folder below which the server is not ready, with the embedded database.
    pub min_free_bytes: u64,
}

/// The audit log.
#[derive(Clone, Debug)]
pub struct AccessLogSettings {
    /// The secret that seals the chain.
    pub key: Option<SecretString>,
    /// The previous secrets, which only verify.
    pub previous_keys: Vec<SecretString>,
    /// Whether reads wait until their rows are written.
    pub wait_for_reads: bool,
    /// Maximum number of queued rows of reads, of all orgs together.
    pub waiting_reads: usize,
    /// Retention of rows; `None` means unlimited.
    pub retention: Option<Duration>,
    /// Retention of rows of reads; `None` means as long as other rows.
    pub read_retention: Option<Duration>,
}

/// The embedder.
#[derive(Clone, Debug)]
pub struct EmbedderSettings {
    /// Its location; `None` means keyword search only.
    pub source: Option<EmbedderSource>,
    /// The name of the model at an endpoint.
    pub model: Option<String>,
    /// The API key of an endpoint.
    pub key: Option<SecretString>,
    /// Timeout of an endpoint or a hub.
    pub timeout: Duration,
    /// The http(s) address of the hub for model downloads.
    pub hub: String,
}

/// The location of an embedder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedderSource {
    /// A folder with a model.
    Folder(PathBuf),
    /// A model of this name on the hub.
    Hub(String),
    /// An endpoint at this http(s) address.
    Address(String),
}

/// Summaries of profiles.
#[derive(Clone, Debug)]
pub struct SummarySettings {
    /// The language model; `None` means extractive summaries by the server.
    pub model: Option<ModelSettings>,
}

/// The console.
#[derive(Clone, Debug)]
pub struct ConsoleSettings {
    /// Origins allowed to embed the console, in the spelling of browsers.
    pub framers: Vec<String>,
}

impl Settings {
    /// The address of the database with its password masked; `None` for SQLite in the data folder.
    pub(crate) fn database_shown(&self) -> Option<String> {
        self.database_url.as_ref().map(|url| mask::masked("database_url", url.expose_secret()))
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
            reranker: RerankerSettings::read(&from)?,
            event_retention: from.seconds("events.keep_seconds", 60..=YEAR_SECONDS)?,
            slow_reader: from.seconds("events.slow_reader_seconds", 1..=3600)?,
            run_timeout: chrono::TimeDelta::seconds(from.whole("runs.timeout_seconds", 1..=31_536_000_i64)?),
            run_retention: from.seconds("runs.keep_seconds", 3_600..=YEAR_SECONDS)?,
            session_idle: from.seconds("sessions.idle_seconds", 60..=YEAR_SECONDS)?,
            summary: SummarySettings::read(&from)?,
            extractor: ExtractorSettings::read(&from)?,
            mcp: McpSettings::read(&from)?,
            console: ConsoleSettings { framers: from.list("console.framers", &forms::FRAMER)? },
            pages: PageSettings::read(&from)?,
            record_sources: RecordSourceSettings::read_all(&from)?,
            providers: ProvidersSettings::read(&from)?,
            plugin: PluginSettings::read(&from)?,
            episode_types: from.list("activity.types", &forms::EPISODE_TYPE)?,
            templates_dir: from.optional("templates_dir", &forms::PATH)?,
            secret_rules: from.optional("scrub.rules", &forms::PATH)?,
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
            public_keys_issuer: from.optional("jwt.public_keys_issuer", &forms::NOT_BLANK)?,
            jwks_issuer: from.optional("jwt.jwks_issuer", &forms::NOT_BLANK)?,
            jwks_audience: from.optional("jwt.jwks_audience", &forms::NOT_BLANK)?,
            jwks_claims: from.list("jwt.jwks_claims", &forms::CLAIM)?,
            jwks_roles: from.list("jwt.jwks_roles", &forms::MAPPED_ROLE)?,
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
        let bulk_body_bytes = from.whole("limits.bulk_body_bytes", body_bytes..=GIB)?;
        Ok(Self {
            body_bytes,
            bulk_body_bytes,
            content: orgmem_policies::DraftLimits {
                content_bytes: from.whole("limits.content_bytes", 1..=body_bytes)?,
                value_bytes: from.whole("limits.value_bytes", 1..=body_bytes)?,
            },
            json_depth: from.whole("limits.json_depth", 8..=120)?,
            connections: from.whole("limits.connections", 1..=1_000_000)?,
            request_timeout: from.seconds("limits.request_timeout_seconds", 1..=3600)?,
            body_timeout: from.seconds("limits.body_timeout_seconds", 1..=3600)?,
            load: LoadSettings::read(from, bulk_body_bytes)?,
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
            pooler_url: from.optional("store.pooler_url", &forms::DATABASE)?,
            readers: from.whole("store.readers", 1..=256)?,
            writers: from.whole("store.writers", 1..=64)?,
            index_cache_bytes: from.whole("store.index_cache_bytes", 1 << 20..=64 * GIB)?,
            min_free_bytes: from.whole("store.min_free_bytes", 0..=1 << 50)?,
        })
    }
}

impl AccessLogSettings {
    fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let days = |name| -> Result<Option<Duration>, ConfigError> {
            let days = from.whole(name, 0..=36_500_u64)?;
            Ok((days > 0).then(|| Duration::from_secs(days * 24 * 60 * 60)))
        };
        Ok(Self {
            key: from.optional("access_log.key", &forms::SECRET)?,
            previous_keys: from.list("access_log.previous_keys", &forms::SECRET)?,
            wait_for_reads: from.text("access_log.wait_for_reads", &forms::YES_OR_NO)?,
            waiting_reads: from.whole("access_log.waiting_reads", 1..=1_000_000)?,
            retention: days("access_log.keep_days")?,
            read_retention: days("access_log.keep_read_days")?,
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
        Ok(Self { model: ModelSettings::read(from, "summary")? })
    }
}
