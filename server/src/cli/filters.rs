//! Filters for the memories that a workspace can read.

use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{CountMemories, MemoryTier, Mode, ReadSessions, Source};

use super::error::CliError;
use super::forms::{self, TimeArg};
use super::remote::Remote;
use super::words;

/// Filters, combined with "and".
#[derive(Args, Debug)]
pub(crate) struct Filters {
    /// Only this scope
    #[arg(short, long, ignore_case = true, value_parser = words::scope())]
    scope: Option<Scope>,
    /// With this label
    #[arg(short, long)]
    namespace: Option<String>,
    /// Of this kind
    #[arg(short, long)]
    kind: Option<String>,
    /// From this source
    #[arg(long, value_parser = words::of::<Source>(&words::SOURCES))]
    source: Option<Source>,
    /// With this tag
    #[arg(short, long)]
    tag: Option<String>,
    /// Written by this workspace
    #[arg(short, long, value_name = "WORKSPACE")]
    author: Option<String>,
    /// About this end user
    #[arg(long)]
    subject: Option<String>,
    /// Of this session
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Also of other sessions of the end user, as grants show them
    #[arg(long)]
    granted: bool,
    /// Of this tier
    #[arg(long, value_parser = words::of::<MemoryTier>(&words::TIERS))]
    tier: Option<MemoryTier>,
    /// Committed since: 2h (ago), 2026-11-20 or 2026-11-20T08:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    since: Option<TimeArg>,
    /// Committed before
    #[arg(long, value_name = "MOMENT", value_parser = forms::moment)]
    until: Option<TimeArg>,
    /// With at least this confidence, from 0 to 1
    #[arg(long, value_name = "CONFIDENCE")]
    min_confidence: Option<f64>,
    /// Only pinned memories, or with `false` only others
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pinned: Option<bool>,
    /// With metadata that match these conditions: a JSON object such as '{"tier": {"$gte": 2}}'
    #[arg(long, value_name = "JSON")]
    metadata: Option<String>,
    /// Name repetitions of one content in the first one instead of listing them
    #[arg(long)]
    collapse: bool,
    /// Search mode [default: the best that the server supports]
    #[arg(long, value_parser = words::of::<Mode>(&words::MODES))]
    mode: Option<Mode>,
}

impl Filters {
    /// The filters with `query`, with the name of the author resolved to its id.
    pub(crate) async fn resolve(
        self,
        remote: &Remote,
        query: Option<String>,
        now: DateTime<Utc>,
    ) -> Result<CountMemories, CliError> {
        Ok(CountMemories {
            q: query,
            mode: self.mode,
            scope: self.scope,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            tag: self.tag,
            author: remote.workspace_if_any(self.author.as_deref()).await?,
            subject: self.subject,
            session_id: self.session_id,
            sessions: self.granted.then_some(ReadSessions::Granted),
            tier: self.tier,
            run_id: None,
            profile_id: None,
            since: self.since.map(|moment| moment.at(now)),
            until: self.until.map(|moment| moment.at(now)),
            min_confidence: self.min_confidence,
            pinned: self.pinned,
            metadata: self.metadata,
            ids: None,
            collapse: self.collapse.then_some(true),
        })
    }
}
