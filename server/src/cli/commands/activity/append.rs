use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{AppendEpisode, Object};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::cli::commands::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input};

/// Append an episode to the activity of a workspace
#[derive(Args, Debug)]
pub(crate) struct Append {
    /// Type of the activity, such as `task_update` or `error`
    activity_type: String,
    /// Summary; `-` reads it from standard input
    summary: Option<String>,
    /// Method called
    #[arg(long)]
    method: Option<String>,
    /// Status, such as `ok`
    #[arg(long)]
    status: Option<String>,
    /// Id of the target, such as another workspace
    #[arg(long, value_name = "ID", value_parser = forms::id)]
    target: Option<Uuid>,
    /// Text of an error
    #[arg(long, value_name = "TEXT")]
    error_detail: Option<String>,
    /// Duration in milliseconds
    #[arg(long, value_name = "MILLISECONDS")]
    duration_ms: Option<i64>,
    /// Body of the request, as JSON
    #[arg(long, value_name = "JSON", value_parser = input::json)]
    request_body: Option<Value>,
    /// Body of the response, as JSON
    #[arg(long, value_name = "JSON", value_parser = input::json)]
    response_body: Option<Value>,
    /// Metadata, a JSON object
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Actor within the workspace
    #[arg(long)]
    actor: Option<String>,
    /// Channel, such as `mail`
    #[arg(long)]
    channel: Option<String>,
    /// Id that related episodes share
    #[arg(long, value_name = "ID")]
    correlation_id: Option<String>,
    /// Session that it belongs to
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Category of the subject matter
    #[arg(long)]
    kind: Option<String>,
    /// Id of the end user concerned
    #[arg(long)]
    subject: Option<String>,
    /// Result of the activity: `success`, `failure` or `neutral`
    #[arg(long)]
    outcome: Option<String>,
    /// Importance, from 0 to 1
    #[arg(long, value_name = "NUMBER")]
    salience: Option<f64>,
    /// Claim about a record, as JSON with `entity`, `field` and `value`; repeat for more
    #[arg(long = "claim", value_name = "JSON", value_parser = input::object)]
    claims: Vec<Object>,
    /// Id of the episode that this one corrects
    #[arg(long, value_name = "ID", value_parser = forms::id)]
    supersedes: Option<Uuid>,
    /// When it happened, if not now: 2026-11-24 (midnight UTC) or 2026-11-24T08:00:00Z
    #[arg(long, value_name = "INSTANT", value_parser = forms::instant)]
    occurred_at: Option<DateTime<Utc>>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Append {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let summary = self.summary.map(|summary| input::text(summary, std::io::stdin().lock())).transpose()?;
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let claims: Vec<Value> = self.claims.into_iter().map(Value::Object).collect();
        let given = [
            ("activity_type", Some(Value::String(self.activity_type))),
            ("summary", summary.map(Value::String)),
            ("method", self.method.map(Value::String)),
            ("status", self.status.map(Value::String)),
            ("target_id", self.target.map(|id| Value::String(id.to_string()))),
            ("error_detail", self.error_detail.map(Value::String)),
            ("duration_ms", self.duration_ms.map(Value::from)),
            ("request_body", self.request_body),
            ("response_body", self.response_body),
            ("metadata", self.metadata.map(Value::Object)),
            ("actor", self.actor.map(Value::String)),
            ("channel", self.channel.map(Value::String)),
            ("correlation_id", self.correlation_id.map(Value::String)),
            ("session_id", self.session_id.map(Value::String)),
            ("kind", self.kind.map(Value::String)),
            ("subject", self.subject.map(Value::String)),
            ("outcome", self.outcome.map(Value::String)),
            ("salience", self.salience.map(Value::from)),
            ("claims", (!claims.is_empty()).then_some(Value::Array(claims))),
            ("occurred_at", self.occurred_at.map(|at| Value::String(at.to_rfc3339()))),
            ("supersedes", self.supersedes.map(|id| Value::String(id.to_string()))),
        ];
        let given: Map<_, _> = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
        let episode: AppendEpisode =
            serde_json::from_value(Value::Object(given)).map_err(|error| CliError::Usage(error.to_string()))?;
        let logged = remote.client.append_episode(workspace, &episode, None).await?;
        self.format.print(terminal, &logged, |logged, _| {
            let text = format!("logged {}  {}\n", logged.id, line(&logged.activity.activity_type));
            text + &redaction_lines(&logged.redactions)
        })
    }
}
