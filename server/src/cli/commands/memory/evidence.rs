use clap::Args;
use orgmem_types::{Evidence as Counts, ReportOutcome, UseOutcome};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

/// The words of outcomes in arguments.
const OUTCOMES: [&str; 2] = ["success", "failure"];

/// Show how often runs used a procedure, and how they ended
#[derive(Args, Debug)]
pub(crate) struct Evidence {
    /// Id of the procedure
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Report the outcome of a use of a procedure that the end of its run does not show
#[derive(Args, Debug)]
pub(crate) struct Outcome {
    /// Id of the procedure
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// `success` or `failure`
    #[arg(value_parser = words::of::<UseOutcome>(&OUTCOMES))]
    outcome: UseOutcome,
    /// Run that read the procedure [default: one voice of the workspace]
    #[arg(long, value_name = "RUN", value_parser = forms::id)]
    run_id: Option<Uuid>,
    /// A line for people
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Evidence {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let evidence = remote.client.read_evidence(reader, self.memory).await?;
        self.format.print(terminal, &evidence, render)
    }
}

impl Outcome {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let request = ReportOutcome { outcome: self.outcome, run_id: self.run_id, note: self.note };
        let reported = remote.client.report_outcome(reader, self.memory, &request).await?;
        self.format.print(terminal, &reported, |reported, _| {
            format!("reported for version {} of {}\n", reported.version, reported.memory_id)
        })
    }
}

/// The counts, and what the rule misses.
pub(crate) fn render(evidence: &Counts, paint: Paint) -> String {
    let Counts { version, uses, successes, failures, open, runs, workspaces, sessions, lower_bound, .. } = evidence;
    let head = match evidence.candidate {
        true => paint.good("candidate for a skill"),
        false => paint.strong("no candidate"),
    };
    let mut text = format!(
        "{head}\nversion {version}: {uses} uses, {successes} successes, {failures} failures, {open} open\n{runs} runs, \
         {sessions} sessions, {workspaces} workspaces; success rate at least {lower_bound:.2}\n"
    );
    for missing in &evidence.missing {
        text.push_str(&format!("missing: {}\n", line(missing)));
    }
    for earlier in &evidence.history {
        text.push_str(&format!(
            "version {}: {} uses, {} successes, {} failures\n",
            earlier.version, earlier.uses, earlier.successes, earlier.failures
        ));
    }
    for note in &evidence.notes {
        text.push_str(&format!("note: {}\n", line(&note.note)));
    }
    text
}
