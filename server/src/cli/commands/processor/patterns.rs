use std::io::Read;

use clap::Args;
use orgmem_types::{FindPatterns, Patterns as Found};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Show the facts of processors that bear on the files of a change
#[derive(Args, Debug)]
pub(crate) struct Patterns {
    /// Paths of changed files
    #[arg(required_unless_present = "diff")]
    paths: Vec<String>,
    /// A unified diff; `-` reads standard input, as in `git diff | orgmem patterns --diff -`
    #[arg(long, value_name = "FILE")]
    diff: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Patterns {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let diff = self.diff.as_deref().map(read).transpose()?;
        // only the names of files leave the machine
        let of_diff = diff.map(|diff| orgmem_distil::changed_paths(&diff)).unwrap_or_default();
        let request = FindPatterns { paths: self.paths.into_iter().chain(of_diff).collect(), diff: None };
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let found = remote.client.find_patterns(workspace, &request).await?;
        self.format.print(terminal, &found, render)
    }
}

fn read(file: &str) -> Result<String, CliError> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => std::io::stdin().read_to_end(&mut bytes).map(drop),
        file => std::fs::read(file).map(|read| bytes = read),
    };
    read.map_err(|error| CliError::Io { action: format!("read `{file}`"), error })?;
    // a diff may have lines in any encoding
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn render(found: &Found, paint: Paint) -> String {
    if found.patterns.is_empty() {
        return format!("no patterns for {} files\n", found.files);
    }
    let mut text = String::new();
    for pattern in &found.patterns {
        let memory = &pattern.memory;
        let confidence = paint.strong(&format!("{:.2}", memory.confidence));
        text.push_str(&format!("{confidence}  {}\n", line(&memory.content)));
        text.push_str(&format!("  files: {}\n", line(&pattern.files.join(", "))));
        let sources = memory.metadata.as_ref().and_then(|metadata| metadata.get("source_row_keys"));
        let sources = sources.and_then(|keys| keys.as_array()).cloned().unwrap_or_default();
        let sources: Vec<&str> = sources.iter().filter_map(|key| key.as_str()).collect();
        text.push_str(&format!("  sources: {}\n", line(&sources.join(", "))));
    }
    if found.more {
        text.push_str("more patterns bear on these files; name fewer\n");
    }
    text
}
