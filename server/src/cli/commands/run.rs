use clap::{Args, Subcommand};
use orgmem_types::{
    self as wire, FinishRun, ListRuns, PendingMemory, ReadRun, RunEnding, RunOutput, RunStatus, StartRun,
};
use uuid::Uuid;

use super::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Table, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input, words};

/// The server's maximum page size.
const PAGE: usize = 200;

/// Manage gated runs: memories committed in a run are pending until it completes
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Run {
    #[command(subcommand)]
    verb: RunCommand,
}

#[derive(Subcommand, Debug)]
enum RunCommand {
    /// Start a run and print its id
    Start {
        /// Label of the run
        label: Option<String>,
        /// Session that it belongs to
        #[arg(long, value_name = "SESSION")]
        session_id: Option<String>,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Show a run and its pending memories
    Show {
        /// Id of the run
        #[arg(value_parser = forms::id)]
        run: Uuid,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// List runs, newest first
    List {
        /// Only runs with this status
        #[arg(long, value_parser = words::of::<RunStatus>(&STATUSES))]
        status: Option<RunStatus>,
        /// Only runs of this session
        #[arg(long, value_name = "SESSION")]
        session_id: Option<String>,
        /// Maximum number of runs
        #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
        limit: usize,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Add the output of a node to a run, and stage the memories in its `__lf_memory_writes`
    Output {
        /// Id of the run
        #[arg(value_parser = forms::id)]
        run: Uuid,
        /// A JSON object; `-` reads it from standard input
        output: String,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// End a run: commit its pending memories, or drop them
    Finish {
        /// Id of the run
        #[arg(value_parser = forms::id)]
        run: Uuid,
        /// Outcome: `completed` commits the pending memories, the others drop them
        #[arg(value_parser = words::of::<RunEnding>(&ENDINGS))]
        status: RunEnding,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
}

const COLUMNS: [(&str, Align); 5] = [
    ("run", Align::Left),
    ("status", Align::Left),
    ("writes", Align::Right),
    ("started", Align::Left),
    ("label", Align::Left),
];

const STATUSES: [&str; 5] = ["open", "completed", "failed", "cancelled", "timed_out"];
const ENDINGS: [&str; 3] = ["completed", "failed", "cancelled"];

impl Run {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            RunCommand::Start { label, session_id, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let run = remote.client.start_run(workspace, &StartRun { session_id, label }, None).await?;
                format.print(terminal, &run, |run, _| format!("{}\n", run.run_id))?;
                if !run.redactions.is_empty() {
                    terminal.note(redaction_lines(&run.redactions).trim_end());
                }
                Ok(())
            }
            RunCommand::Show { run, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let query = ReadRun { limit: Some(PAGE as u64), cursor: None };
                let found = remote.client.read_run(workspace, run, &query).await?;
                format.print(terminal, &found, |found, _| {
                    found.pending.iter().fold(render(&found.run), |text, memory| text + &render_pending(memory))
                })
            }
            RunCommand::List { status, session_id, limit, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let found = first_rows(limit, PAGE, async |limit, cursor| {
                    let query = ListRuns { status, session_id: session_id.clone(), limit: Some(limit), cursor };
                    remote.client.list_runs(workspace, &query).await
                })
                .await?;
                found.print(terminal, format, "no runs", |runs, paint| {
                    let mut table = Table::new(&COLUMNS);
                    for run in runs {
                        table.row([
                            run.run_id.to_string(),
                            status_word(run.status).to_owned(),
                            run.write_count.to_string(),
                            ago(run.started_at, terminal.now),
                            run.label.as_deref().map(line).unwrap_or_default(),
                        ]);
                    }
                    if runs.is_empty() { String::new() } else { table.render(paint) }
                })
            }
            RunCommand::Output { run, output, acting, format, server } => {
                let text = input::text(output, std::io::stdin().lock())?;
                let output = input::object(&text).map_err(CliError::Usage)?;
                let output: RunOutput = serde_json::from_value(serde_json::Value::Object(output))
                    .map_err(|error| CliError::Usage(format!("`__lf_memory_writes` must be a list: {error}")))?;
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let staged = remote.client.stage_output(workspace, run, &output, None).await?;
                format.print(terminal, &staged, |staged, _| {
                    let redactions = staged.items.iter().map(|item| redaction_lines(&item.redactions));
                    format!("staged {} for {}\n", staged.buffered, staged.run_id) + &redactions.collect::<String>()
                })
            }
            RunCommand::Finish { run, status, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let run = remote.client.finish_run(workspace, run, &FinishRun { status }, None).await?;
                format.print(terminal, &run, |run, _| render(run))
            }
        }
    }
}

fn status_word(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Open => "open",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Cancelled => "cancelled",
        RunStatus::TimedOut => "timed out",
    }
}

fn render(run: &wire::Run) -> String {
    let outcome = match run.status {
        RunStatus::Open => format!("{} pending", run.write_count),
        RunStatus::Completed => format!("{} committed", run.write_count),
        RunStatus::Failed | RunStatus::Cancelled | RunStatus::TimedOut => format!("{} dropped", run.dropped_count),
    };
    let label = run.label.as_deref().map(|label| format!("  {}", line(label))).unwrap_or_default();
    format!("{}  {}, {outcome}{label}\n", run.run_id, status_word(run.status))
}

fn render_pending(memory: &PendingMemory) -> String {
    format!("\n{}  {} in {}\n{}", memory.id, memory.scope, line(&memory.namespace), block(&memory.content, 2))
}
