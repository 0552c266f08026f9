use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{ListVersions, MemoryVersion};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 50;

/// Show the versions of a memory, the current one first
#[derive(Args, Debug)]
pub(crate) struct History {
    /// Id of the memory
    #[arg(value_parser = forms::id)]
    memory: Uuid,
    #[command(flatten)]
    acting: Acting,
    /// Maximum number of versions
    #[arg(short, long, default_value_t = 10, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl History {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListVersions { limit: Some(limit), cursor };
            remote.client.list_versions(reader, self.memory, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no versions", |version, paint| render(version, terminal.now, paint))
    }
}

fn render(version: &MemoryVersion, now: DateTime<Utc>, paint: Paint) -> String {
    let mut head = vec![
        paint.strong(&format!("version {}", version.version)),
        format!("by {}", line(&version.workspace_name)),
        ago(version.written_at, now),
    ];
    if version.current {
        head.push("current".to_owned());
    }
    let mut foot = vec![version.scope.to_string(), line(&version.namespace), line(&version.kind)];
    foot.push(format!("confidence {}", version.confidence));
    foot.extend(version.tags.iter().map(|tag| format!("#{}", line(tag))));
    format!("{}\n{}  {}\n", head.join("  "), block(&version.content, 2), paint.faint(&foot.join("  ")))
}
