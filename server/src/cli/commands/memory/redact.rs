use clap::Args;
use orgmem_types::{RedactMemories, RedactedMemory, RedactionItem, RedactionResponse};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::shown::OutputFormat;
use crate::cli::terminal::Terminal;

/// Redact memories: their content, with all earlier versions, is gone for good
#[derive(Args, Debug)]
pub(crate) struct Redact {
    /// Ids of the memories
    #[arg(required = true, value_parser = forms::id)]
    memories: Vec<Uuid>,
    /// Why; it is kept, so it must not repeat what is taken out
    #[arg(short, long)]
    reason: String,
    /// Redact nothing, and say what would go and who had read it
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Redact {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let at = remote.acting(&self.acting).await?;
        let request = RedactMemories { memories: self.memories.clone(), reason: self.reason };
        let answer = remote.client.redact_memories(at, &request, self.dry_run).await?;
        self.shown.print(terminal, &answer, |answer, _| render(&self.memories, answer))?;
        if let Some(RedactionItem::Redacted(first)) =
            answer.items.iter().find(|item| matches!(item, RedactionItem::Redacted(_)))
        {
            terminal.note(&first.older_backups);
        }
        match answer.refused {
            0 => Ok(()),
            refused => Err(CliError::NotWell(format!("{refused} of {} were not redacted", self.memories.len()))),
        }
    }
}

fn render(asked: &[Uuid], answer: &RedactionResponse) -> String {
    let one = |(id, item): (&Uuid, &RedactionItem)| match item {
        RedactionItem::Redacted(done) if done.already => format!("{id} was redacted before: {}\n", line(&done.reason)),
        RedactionItem::Redacted(done) => {
            let verb = if done.dry_run { "would redact" } else { "redacted" };
            format!("{verb} {id} with {} earlier versions\n{}", done.versions, read_by(done))
        }
        RedactionItem::Refused(problem) => format!("{id} was not redacted: {}\n", line(&problem.detail)),
    };
    asked.iter().zip(&answer.items).map(one).collect()
}

/// Who had read it.
fn read_by(done: &RedactedMemory) -> String {
    let by = |reader: &orgmem_types::MemoryReader| format!("  read {} times by {}\n", reader.reads, line(&reader.name));
    let runs = done.runs.iter().map(|run| format!("  read in run {run}\n"));
    let more = if done.readers_partial { "  and perhaps by more, longer ago\n" } else { "" };
    done.readers.iter().map(by).chain(runs).collect::<String>() + more
}
