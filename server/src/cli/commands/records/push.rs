use std::io::Read;

use clap::Args;
use orgmem_types::{PushRecords, RecordLine};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Write records: one JSON object a line with `entity`, `fields` and `as_of`; the workspace is the root of the tree
#[derive(Args, Debug)]
pub(crate) struct Push {
    /// The file; `-` reads standard input
    file: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Push {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let lines = parsed(&read(&self.file)?)?;
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let written = remote.client.write_records(workspace, &PushRecords { records: lines }, None).await?;
        self.format.print(terminal, &written, |written, _| {
            let mut text = format!("{} written\n", written.applied);
            for record in &written.others {
                let status = format!("{:?}", record.status).to_lowercase();
                text.push_str(&format!("{}: {status}  {}\n", line(&record.entity), line(&record.ignored.join(", "))));
            }
            text
        })
    }
}

fn read(file: &str) -> Result<String, CliError> {
    let mut text = String::new();
    let read = match file {
        "-" => std::io::stdin().read_to_string(&mut text).map(drop),
        file => std::fs::read_to_string(file).map(|read| text = read),
    };
    read.map_err(|error| CliError::Io { action: format!("read `{file}`"), error })?;
    Ok(text)
}

fn parsed(text: &str) -> Result<Vec<RecordLine>, CliError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parse = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| CliError::Usage(format!("line {}: {error}", at + 1)))
    };
    lines.map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_line_is_named() {
        let good = r#"{"entity": "a", "fields": {}, "as_of": "2025-01-01T00:00:00Z"}"#;
        assert_eq!(parsed(&format!("{good}\n\n{good}\n")).expect("lines").len(), 2);
        let error = parsed(&format!("{good}\n{{\n")).expect_err("invalid").to_string();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
