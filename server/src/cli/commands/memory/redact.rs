use clap::Args;
use orgmem_types::{DryRun, RedactMemories, RedactedMemory, RedactionItem, RedactionResponse};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Redact memories: delete their content and all earlier versions permanently
#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// Ids of the memories
    #[arg(required = true, value_parser = forms::id)]
    memories: Vec<Uuid>,
    /// Reason; it is stored, so it must not repeat the redacted content
    #[arg(short, long)]
    reason: String,
    /// Redact nothing; show the affected memories and their readers
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Redact {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = match self.memories.first() {
            Some(first) => remote.of_memory(&self.acting, *first).await?,
            None => remote.acting(&self.acting).await?,
        };
        let request = RedactMemories { memories: self.memories.clone(), reason: self.reason };
        let query = DryRun { dry_run: Some(self.dry_run) };
        let response = remote.client.redact_memories(workspace, &query, &request, None).await?;
        self.format.print(terminal, &response, |response, _| render(&self.memories, response))?;
        if let Some(RedactionItem::Redacted(first)) =
            response.items.iter().find(|item| matches!(item, RedactionItem::Redacted(_)))
        {
            terminal.note(&first.older_backups);
        }
        match response.refused {
            0 => Ok(()),
            refused => Err(CliError::CheckFailed(format!("{refused} of {} were not redacted", self.memories.len()))),
        }
    }
}

fn render(ids: &[Uuid], response: &RedactionResponse) -> String {
    let render_item = |(id, item): (&Uuid, &RedactionItem)| match item {
        RedactionItem::Redacted(redacted) if redacted.already => {
            format!("{id} was redacted before: {}\n", line(&redacted.reason))
        }
        RedactionItem::Redacted(redacted) => {
            let verb = if redacted.dry_run { "would redact" } else { "redacted" };
            format!("{verb} {id} with {} earlier versions\n{}", redacted.versions, render_readers(redacted))
        }
        RedactionItem::Refused(problem) => format!("{id} was not redacted: {}\n", line(&problem.detail)),
    };
    ids.iter().zip(&response.items).map(render_item).collect()
}

fn render_readers(redacted: &RedactedMemory) -> String {
    let render_reader = |reader: &orgmem_types::MemoryReader| {
        let by_people = match reader.reads_by_people {
            0 => String::new(),
            people => format!(", {people} of them by people"),
        };
        format!("  read {} times by {}{by_people}\n", reader.reads, line(&reader.name))
    };
    let runs = redacted.runs.iter().map(|run| format!("  read in run {run}\n"));
    let more = if redacted.readers_partial { "  and possibly by earlier readers\n" } else { "" };
    redacted.readers.iter().map(render_reader).chain(runs).collect::<String>() + more
}
