use clap::Args;
use orgmem_types::{CommittedMemory, Object, PatchMemory, Source};
use uuid::Uuid;

use crate::cli::commands::commit::replaced;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::{Acting, Server};
use crate::cli::shown::OutputFormat;
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input, words};

/// Edit a memory as its author; what is not named stays
#[derive(Args, Debug)]
pub(crate) struct Edit {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    /// New text; `-` reads it from standard input
    #[arg(long)]
    content: Option<String>,
    /// New label to file it by
    #[arg(short, long)]
    namespace: Option<String>,
    /// New kind
    #[arg(short, long)]
    kind: Option<String>,
    /// Where it comes from now
    #[arg(long, value_parser = words::of::<Source>(&words::CLAIMABLE_SOURCES))]
    source: Option<Source>,
    /// How sure it is, from 0 to 1
    #[arg(short, long)]
    confidence: Option<f64>,
    /// Tags in place of those it has; may be given again, `--tag ''` leaves none
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A JSON object in place of the one it has
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Id of the end user it is about
    #[arg(long)]
    subject: Option<String>,
    /// Whether it is listed before the others
    #[arg(long, value_name = "BOOL")]
    pin: Option<bool>,
    /// Forget it after this time: 90s, 15m, 12h, 7d
    #[arg(long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
    ttl: Option<i64>,
    /// Only when it has this version
    #[arg(long, value_name = "VERSION")]
    if_version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Edit {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let content = self.content.map(|content| input::text(content, std::io::stdin().lock())).transpose()?;
        let tags = (!self.tags.is_empty()).then(|| self.tags.into_iter().filter(|tag| !tag.is_empty()).collect());
        let change = PatchMemory {
            content,
            namespace: self.namespace,
            kind: self.kind,
            source: self.source,
            confidence: self.confidence,
            tags,
            metadata: self.metadata.map(Some),
            subject: self.subject.map(Some),
            session_id: None,
            pin: self.pin,
            expires_at: None,
            ttl_seconds: self.ttl,
        };
        if change == PatchMemory::default() {
            return Err(CliError::Usage("nothing to change; name it, as with --content or --tag".to_owned()));
        }
        let remote = self.server.connect(local)?;
        let author = remote.acting(&self.acting).await?;
        let edited = remote.client.edit_memory(author, self.memory, &change, self.if_version).await?;
        self.shown.print(terminal, &edited, |edited, _| render(edited))
    }
}

/// What became of a memory that was changed.
fn render(edited: &CommittedMemory) -> String {
    format!("{} is now version {}\n{}", edited.id, edited.version, replaced(&edited.redactions))
}
