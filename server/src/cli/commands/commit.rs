use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{Claim, CommitMemory, CommittedMemory, Object, Redaction, Source};
use uuid::Uuid;

use super::memory::find_profile;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input, words};

/// Commit a memory
#[derive(Args, Debug)]
pub(crate) struct Commit {
    /// Text of the memory; `-` reads it from standard input
    #[arg(required_unless_present = "text")]
    content: Option<String>,
    /// The same, as an option
    #[arg(
        long = "content",
        id = "text",
        value_name = "CONTENT",
        conflicts_with = "content",
        allow_hyphen_values = true
    )]
    text: Option<String>,
    /// What it states about a record: {"entity": …, "field": …, "value": …}; may be repeated
    #[arg(long = "claim", value_name = "JSON", value_parser = claim)]
    claims: Vec<Claim>,
    #[command(flatten)]
    acting: Acting,
    /// Who can read it
    #[arg(short, long, default_value = "LOCAL", ignore_case = true, value_parser = words::scope())]
    scope: Scope,
    /// With TEAM: bind it to the team of this workspace, the author itself or its parent
    #[arg(long, value_name = "WORKSPACE")]
    team: Option<String>,
    /// Title, one line; searchable
    #[arg(long)]
    title: Option<String>,
    /// Label for grouping memories [default: general]
    #[arg(short, long)]
    namespace: Option<String>,
    /// Kind: fact, summary, checkpoint or another word [default: fact]
    #[arg(short, long)]
    kind: Option<String>,
    /// Source of the memory
    #[arg(long, value_parser = words::of::<Source>(&words::CLAIMABLE_SOURCES))]
    source: Option<Source>,
    /// Confidence, from 0 to 1 [default: 0.5]
    #[arg(short, long)]
    confidence: Option<f64>,
    /// Tag; may be repeated
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Metadata, a JSON object
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Id of the end user that it is about
    #[arg(long)]
    subject: Option<String>,
    /// Session that it belongs to
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// End it with its session
    #[arg(long, requires = "session_id")]
    session_only: bool,
    /// Gated run that it belongs to; it is pending until the run completes
    #[arg(long, value_name = "RUN", value_parser = forms::id)]
    run_id: Option<Uuid>,
    /// Commit it at once where the run is not open
    #[arg(long, requires = "run_id")]
    ungated: bool,
    /// Pin it: list it before other memories
    #[arg(long)]
    pin: bool,
    /// Expire it after this time: 90s, 15m, 12h, 7d
    #[arg(long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
    ttl: Option<i64>,
    /// Expire it at this instant: 2026-12-24 (midnight UTC) or 2026-12-24T08:00:00Z
    #[arg(long, value_name = "INSTANT", value_parser = forms::instant, conflicts_with = "ttl")]
    expires_at: Option<DateTime<Utc>>,
    /// Id of an own memory that this one supersedes
    #[arg(long, value_name = "ID", value_parser = forms::id)]
    supersedes: Option<Uuid>,
    /// Id of the memory; committing the same id again replaces it
    #[arg(long, value_parser = forms::id)]
    id: Option<Uuid>,
    /// When it happened, if not now: 2026-11-24 (midnight UTC) or 2026-11-24T08:00:00Z
    #[arg(long, value_name = "INSTANT", value_parser = forms::instant)]
    occurred_at: Option<DateTime<Utc>>,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

fn claim(text: &str) -> Result<Claim, String> {
    serde_json::from_str(text).map_err(|error| format!("not a claim: {error}"))
}

impl Commit {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        self.run_into(None, terminal, local).await
    }

    /// Commits the memory. `profile` is `Some(None)` for the default profile.
    pub(super) async fn run_into(
        self,
        profile: Option<Option<String>>,
        terminal: &Terminal,
        local: &Local,
    ) -> Result<(), CliError> {
        let content = self.text.or(self.content).unwrap_or_default();
        let content = input::text(content, std::io::stdin().lock())?;
        let remote = self.server.connect(local)?;
        let author = remote.of_profile(&self.acting, profile.as_ref().and_then(Option::as_deref)).await?;
        let memory = CommitMemory {
            content,
            scope: self.scope,
            team: remote.workspace_if_any(self.team.as_deref()).await?,
            title: self.title,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            confidence: self.confidence,
            tags: self.tags,
            metadata: self.metadata,
            subject: self.subject,
            session_id: self.session_id,
            session_only: self.session_only,
            run_id: self.run_id,
            ungated: self.ungated,
            profile_id: match profile {
                Some(profile) => Some(find_profile(&remote, author, profile.as_deref()).await?),
                None => None,
            },
            pin: self.pin,
            expires_at: self.expires_at,
            ttl_seconds: self.ttl,
            supersedes: self.supersedes,
            id: self.id,
            claims: (!self.claims.is_empty()).then_some(self.claims),
            occurred_at: self.occurred_at,
        };
        let committed = remote.client.commit_memory(author, &memory, None).await?;
        self.format.print(terminal, &committed, |committed, _| render(committed))
    }
}

fn render(committed: &CommittedMemory) -> String {
    let outcome = if committed.pending { "pending:" } else { "committed" };
    let mut text = format!(
        "{outcome} {}  {} in {}{}\n",
        committed.id,
        committed.scope,
        line(&committed.namespace),
        if committed.version > 1 { format!(", version {}", committed.version) } else { String::new() },
    );
    text.push_str(&redaction_lines(&committed.redactions));
    text
}

/// The parts that the server redacted, one line for each kind.
pub(crate) fn redaction_lines(redactions: &[Redaction]) -> String {
    let render = |Redaction { field, kind, count }: &Redaction| {
        let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
        format!("replaced by [REDACTED:{}] in {}{times}\n", line(kind), line(field))
    };
    redactions.iter().map(render).collect()
}
