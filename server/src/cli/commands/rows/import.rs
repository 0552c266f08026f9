use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use clap::{Args, ValueEnum};
use orgmem_distil::{Collection, Format, Schema};
use orgmem_types::{PutCollection, RowFault, WrittenRows};
use uuid::Uuid;

use super::lines::{Part, parts_of_lines, parts_of_text};
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Remote, Server};
use crate::cli::terminal::Terminal;
use crate::client::ClientError;

/// Faults that are shown.
const MAX_FAULTS: usize = 100;

/// Import the rows of a file into a collection: CSV, a JSON array or one JSON object a line
#[derive(Args, Debug)]
pub(crate) struct Import {
    /// The file; `-` reads standard input
    file: String,
    /// The collection
    #[arg(short, long)]
    collection: String,
    /// The column of the key: creates the collection, or changes its columns while it has no rows
    #[arg(long)]
    key: Option<String>,
    /// The column of the time
    #[arg(long, requires = "key")]
    time: Option<String>,
    /// The format; by default that of the extension `.csv`, `.json`, `.ndjson` or `.jsonl`
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    output: OutputFormat,
    #[command(flatten)]
    server: Server,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileFormat {
    Csv,
    Json,
    Ndjson,
}

impl Import {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let format = self.file_format()?;
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        if let Some(key) = &self.key {
            let known = remote.client.read_collection(workspace, &self.collection).await;
            let schema = known.ok().and_then(|known| known.schema);
            let settings = PutCollection { key: key.clone(), time: self.time.clone(), schema };
            remote.client.put_collection(workspace, &self.collection, &settings).await?;
        }
        let mut outcome = WrittenRows::default();
        match format {
            FileFormat::Ndjson => {
                for part in parts_of_lines(self.open()?) {
                    let part = part.map_err(|error| self.unreadable(error))?;
                    self.send(&remote, workspace, &part, &mut outcome).await?;
                }
            }
            FileFormat::Csv | FileFormat::Json => {
                let mut text = String::new();
                self.open()?.read_to_string(&mut text).map_err(|error| self.unreadable(error))?;
                let collection = self.settings(&remote, workspace).await?;
                let format = if format == FileFormat::Csv { Format::Csv } else { Format::Json };
                let (parts, faults, refused) = parts_of_text(&collection, format, &text);
                outcome.refused = refused;
                outcome.faults =
                    faults.into_iter().map(|fault| RowFault { line: fault.line, fault: fault.message }).collect();
                for part in parts {
                    self.send(&remote, workspace, &part, &mut outcome).await?;
                }
            }
        }
        outcome.faults.sort_by_key(|fault| fault.line);
        outcome.faults.truncate(MAX_FAULTS);
        self.output.print(terminal, &outcome, |outcome, _| report(outcome))
    }

    fn file_format(&self) -> Result<FileFormat, CliError> {
        let of_name = || match self.file.rsplit_once('.').map(|(_, extension)| extension) {
            Some("csv") => Some(FileFormat::Csv),
            Some("json") => Some(FileFormat::Json),
            Some("ndjson" | "jsonl") => Some(FileFormat::Ndjson),
            _ => None,
        };
        self.format.or_else(of_name).ok_or_else(|| {
            CliError::Usage(format!("the name `{}` does not say the format; give `--format`", line(&self.file)))
        })
    }

    fn open(&self) -> Result<Box<dyn BufRead>, CliError> {
        match self.file.as_str() {
            "-" => Ok(Box::new(BufReader::new(std::io::stdin()))),
            file => Ok(Box::new(BufReader::new(File::open(file).map_err(|error| self.unreadable(error))?))),
        }
    }

    fn unreadable(&self, error: std::io::Error) -> CliError {
        CliError::Io { action: format!("read `{}`", self.file), error }
    }

    /// The settings of the collection, with which the rows are checked before they are sent.
    async fn settings(&self, remote: &Remote, workspace: Uuid) -> Result<Collection, CliError> {
        let known = remote.client.read_collection(workspace, &self.collection).await?;
        let schema = known.schema.map(serde_json::Value::Object);
        let schema = schema.map(|schema| Schema::parse(&schema)).transpose();
        // a newer server may know more; it checks the rows
        Ok(Collection { key: known.key, time: known.time, schema: schema.unwrap_or_default() })
    }

    async fn send(
        &self,
        remote: &Remote,
        workspace: Uuid,
        part: &Part,
        outcome: &mut WrittenRows,
    ) -> Result<(), CliError> {
        let sent = remote.client.write_row_lines(workspace, &self.collection, part.text.clone()).await;
        let written = sent.map_err(|error| self.hint(error))?;
        outcome.inserted += written.inserted;
        outcome.updated += written.updated;
        outcome.unchanged += written.unchanged;
        outcome.refused += written.refused;
        let in_file = |fault: RowFault| {
            let at = part.lines.get(fault.line.saturating_sub(1)).copied();
            RowFault { line: at.unwrap_or(fault.line), ..fault }
        };
        outcome.faults.extend(written.faults.into_iter().map(in_file));
        for replaced in written.redactions {
            let known = outcome
                .redactions
                .iter_mut()
                .find(|known| (&known.field, &known.kind) == (&replaced.field, &replaced.kind));
            match known {
                Some(known) => known.count += replaced.count,
                None => outcome.redactions.push(replaced),
            }
        }
        Ok(())
    }

    fn hint(&self, error: ClientError) -> CliError {
        match error {
            ClientError::Problem(problem) if problem.status == 404 && problem.detail.contains("collection") => {
                let name = line(&self.collection);
                CliError::Usage(format!("there is no collection `{name}`; `--key <column>` creates it"))
            }
            other => other.into(),
        }
    }
}

fn report(outcome: &WrittenRows) -> String {
    let WrittenRows { inserted, updated, unchanged, refused, .. } = outcome;
    let mut text = format!("{inserted} inserted, {updated} updated, {unchanged} unchanged, {refused} refused\n");
    for fault in &outcome.faults {
        text.push_str(&format!("line {}: {}\n", fault.line, line(&fault.fault)));
    }
    for replaced in &outcome.redactions {
        text.push_str(&format!("replaced {} × {}\n", replaced.count, line(&replaced.kind)));
    }
    text
}
