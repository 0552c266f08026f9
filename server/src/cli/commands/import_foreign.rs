//! `orgmem import --from`: files of other tools, as memories of a running server.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_store::TransferProgress;
use orgmem_types::{DryRun, ExportedMemory};
use serde::Serialize;
use tokio::sync::mpsc;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::progress::ProgressLine;
use crate::cli::remote::{Remote, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;
use crate::foreign::{ForeignError, ForeignMemory, Format, Output, Tally, Target};

/// A request has at most this number of memories, and about this number of bytes.
const BATCH: usize = 250;
const BATCH_BYTES: usize = 1 << 20;

/// Errors that the outcome lists.
const MAX_ERRORS: usize = 20;

#[derive(Args, Debug)]
pub(crate) struct ForeignOptions {
    /// Format of the file of another tool; its memories are imported through the server
    #[arg(long, value_name = "FORMAT", help_heading = "Files of other tools")]
    pub(super) from: Option<Format>,
    /// Workspace that becomes the author: its id, name or path. Without it, the authors that a platform's array names
    #[arg(short, long, value_name = "WORKSPACE", requires = "from", help_heading = "Files of other tools")]
    workspace: Option<String>,
    /// Who can read the memories; a platform's array has its own scopes
    #[arg(short, long, default_value = "LOCAL", ignore_case = true, value_parser = words::scope(), requires = "from", help_heading = "Files of other tools")]
    scope: Scope,
    /// Import the other memories although the server refuses some
    #[arg(long, requires = "from", help_heading = "Files of other tools")]
    skip_invalid: bool,
}

pub(crate) struct ForeignImport {
    pub(super) from: Format,
    pub(super) file: PathBuf,
    pub(super) dry_run: bool,
    pub(super) options: ForeignOptions,
}

/// The outcome, as printed.
#[derive(Debug, Serialize)]
struct Outcome {
    format: Format,
    dry_run: bool,
    #[serde(flatten)]
    tally: Tally,
    imported: u64,
    /// Memories that exist already.
    exist: u64,
    /// Memories that the server refuses.
    refused: u64,
    /// The first of them, by their position in the file.
    errors: Vec<RefusedMemory>,
    /// Credentials that are replaced, by kind.
    redactions: BTreeMap<String, u64>,
}

#[derive(Debug, Serialize)]
struct RefusedMemory {
    at: String,
    error: String,
}

impl ForeignImport {
    pub(super) async fn run(
        self,
        terminal: &Terminal,
        local: &Local,
        server: &Server,
        format: OutputFormat,
    ) -> Result<(), CliError> {
        let remote = server.connect(local)?;
        let workspace = remote.workspace_if_any(self.options.workspace.as_deref()).await?;
        if workspace.is_none() && self.from != Format::Platform {
            return Err(CliError::Usage("this format names no workspace; choose one with --workspace".to_owned()));
        }
        let target = Target { workspace, scope: self.options.scope, now: terminal.now };
        let mut progress = ProgressLine::on(terminal);
        // the server checks every memory before it stores the first one
        let checked = self.pass(&remote, &target, true, &mut progress).await;
        let checked = checked.inspect_err(|_| terminal.note("nothing was imported"))?;
        let may_import = checked.refused == 0 || self.options.skip_invalid;
        if self.dry_run || !may_import {
            progress.end();
            format.print(terminal, &checked, |outcome, _| outcome.render())?;
            return match checked.refused {
                0 => Ok(()),
                refused if self.dry_run => Err(refusal(refused, "would not be imported")),
                refused => {
                    Err(refusal(refused, "cannot be imported, so nothing was; --skip-invalid imports the others"))
                }
            };
        }
        let imported = self.pass(&remote, &target, false, &mut progress).await;
        progress.end();
        let imported = imported.inspect_err(|_| {
            terminal.note("a part was imported; the same command imports the rest");
        })?;
        format.print(terminal, &imported, |outcome, _| outcome.render())?;
        if imported.refused > checked.refused {
            return Err(refusal(imported.refused, "were not imported"));
        }
        Ok(())
    }

    /// Reads the file and sends its memories to the server.
    async fn pass(
        &self,
        remote: &Remote,
        target: &Target,
        dry_run: bool,
        progress: &mut ProgressLine<'_>,
    ) -> Result<Outcome, CliError> {
        let (sender, mut batches) = mpsc::channel(1);
        let (from, file, target) = (self.from, self.file.clone(), target.clone());
        let reading = tokio::task::spawn_blocking(move || read(from, &file, &target, &sender));
        let mut outcome = Outcome::new(from, dry_run);
        let query = DryRun { dry_run: Some(dry_run) };
        let mut rows = 0;
        while let Some(Batch { positions, memories }) = batches.recv().await {
            let response = remote.client.import_memories(&query, &memories).await?;
            outcome.imported += response.imported as u64;
            outcome.exist += response.skipped as u64;
            for error in response.errors {
                outcome.refused += 1;
                if outcome.errors.len() < MAX_ERRORS {
                    let at = positions.get(error.index).cloned().unwrap_or_default();
                    outcome.errors.push(RefusedMemory { at, error: error.error });
                }
            }
            for redaction in response.redactions {
                *outcome.redactions.entry(redaction.kind).or_default() += redaction.count as u64;
            }
            rows += memories.len() as u64;
            progress.show(TransferProgress {
                step: if dry_run { "check" } else { "import" },
                unit: "rows",
                rows,
                total: 0,
            });
        }
        let stopped = |error: tokio::task::JoinError| CliError::Usage(format!("the file was not read: {error}"));
        outcome.tally = reading.await.map_err(stopped)??;
        Ok(outcome)
    }
}

fn refusal(count: u64, what: &str) -> CliError {
    CliError::CheckFailed(format!("{count} memories {what}"))
}

/// Memories of one request.
#[derive(Default)]
struct Batch {
    positions: Vec<String>,
    memories: Vec<ExportedMemory>,
}

/// Reads the file on a thread of its own, one batch ahead of the server.
fn read(from: Format, file: &Path, target: &Target, sender: &mpsc::Sender<Batch>) -> Result<Tally, ForeignError> {
    let (mut batch, mut bytes) = (Batch::default(), 0);
    let send = |batch: Batch| sender.blocking_send(batch).map_err(|_| ForeignError::Stopped);
    let mut give = |ForeignMemory { at, memory }| {
        bytes += memory.content.len() + memory.metadata.as_ref().map_or(0, json_bytes);
        batch.positions.push(at);
        batch.memories.push(memory);
        if batch.memories.len() < BATCH && bytes < BATCH_BYTES {
            return Ok(());
        }
        bytes = 0;
        send(std::mem::take(&mut batch))
    };
    let mut output = Output::new(&mut give);
    from.read(file, target, &mut output)?;
    let tally = output.into_tally();
    if !batch.memories.is_empty() {
        send(batch)?;
    }
    Ok(tally)
}

fn json_bytes(metadata: &orgmem_types::Object) -> usize {
    serde_json::to_string(metadata).map_or(0, |text| text.len())
}

impl Outcome {
    fn new(format: Format, dry_run: bool) -> Self {
        Self {
            format,
            dry_run,
            tally: Tally::default(),
            imported: 0,
            exist: 0,
            refused: 0,
            errors: Vec::new(),
            redactions: BTreeMap::new(),
        }
    }

    fn render(&self) -> String {
        let verb = if self.dry_run { "would import" } else { "imported" };
        let Tally { read, memories, duplicates, unmapped } = &self.tally;
        let read: Vec<String> = read.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let read = if read.is_empty() { "nothing".to_owned() } else { read.join(", ") };
        let mut text = format!("read {read}: {memories} memories\n{verb} {} memories\n", self.imported);
        let counts = [
            (self.exist, "exist already"),
            (*duplicates, "are repeated in the file"),
            (self.refused, "refused by the server"),
        ];
        for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
            text.push_str(&format!("{count} {what}\n"));
        }
        for RefusedMemory { at, error } in &self.errors {
            text.push_str(&format!("  {}: {}\n", line(at), line(error)));
        }
        for (kind, count) in &self.redactions {
            let times = if *count == 1 { String::new() } else { format!(" ({count} times)") };
            text.push_str(&format!("replaced by [REDACTED:{}]{times}\n", line(kind)));
        }
        for (path, count) in unmapped {
            text.push_str(&format!("not imported: {} ({count})\n", line(path)));
        }
        text
    }
}
