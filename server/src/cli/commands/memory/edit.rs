use clap::Args;
use orgmem_types::{CommittedMemory, Object, PatchMemory, Source};
use uuid::Uuid;

use crate::cli::commands::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input, words};

/// Edit a memory as its author; other fields do not change
#[derive(Args, Debug)]
pub(crate) struct Edit {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// New text; `-` reads it from standard input
    #[arg(long)]
    content: Option<String>,
    /// New title; `--title ''` removes it
    #[arg(long)]
    title: Option<String>,
    /// New label
    #[arg(short, long)]
    namespace: Option<String>,
    /// New kind
    #[arg(short, long)]
    kind: Option<String>,
    /// New source
    #[arg(long, value_parser = words::of::<Source>(&words::CLAIMABLE_SOURCES))]
    source: Option<Source>,
    /// New confidence, from 0 to 1
    #[arg(short, long)]
    confidence: Option<f64>,
    /// New tags, which replace all others; may be repeated, `--tag ''` removes all
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// New metadata, a JSON object
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Id of the end user that it is about
    #[arg(long)]
    subject: Option<String>,
    /// Whether it ends with its session; `false` keeps it
    #[arg(long, value_name = "BOOL")]
    session_only: Option<bool>,
    /// Whether it is pinned: listed before other memories
    #[arg(long, value_name = "BOOL")]
    pin: Option<bool>,
    /// Expire it after this time: 90s, 15m, 12h, 7d
    #[arg(long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
    ttl: Option<i64>,
    /// Only if the memory has this version
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Edit {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let content = self.content.map(|content| input::text(content, std::io::stdin().lock())).transpose()?;
        let tags = (!self.tags.is_empty()).then(|| self.tags.into_iter().filter(|tag| !tag.is_empty()).collect());
        let change = PatchMemory {
            content,
            title: self.title.map(|title| (!title.is_empty()).then_some(title)),
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            confidence: self.confidence,
            tags,
            metadata: self.metadata.map(Some),
            subject: self.subject.map(Some),
            session_id: None,
            session_only: self.session_only,
            pin: self.pin,
            expires_at: None,
            ttl_seconds: self.ttl,
            claims: None,
        };
        if change == PatchMemory::default() {
            return Err(CliError::Usage("nothing to change; use options such as --content or --tag".to_owned()));
        }
        let remote = self.server.connect(local)?;
        let author = remote.acting(&self.acting).await?;
        let edited = remote.client.edit_memory(author, self.memory, &change, self.if_version).await?;
        self.format.print(terminal, &edited, |edited, _| render(edited))
    }
}

fn render(edited: &CommittedMemory) -> String {
    format!("{} is now version {}\n{}", edited.id, edited.version, redaction_lines(&edited.redactions))
}
