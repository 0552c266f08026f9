//! `orgmem export`: rows of the database as lines of JSON, without the server.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use orgmem_store::{ExportSummary, Selection, TransferError, export};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::Terminal;
use crate::serve::store_config;

/// Export everything, or an org, from the database of this machine's settings; one row per line
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// File to write; standard output by default
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Only this org: its id, or the name of its root
    #[arg(long)]
    org: Option<String>,
    /// Only the data of this workspace: its id or name. `orgmem import --into` puts it into an org
    #[arg(long, conflicts_with_all = ["org", "subject"])]
    workspace: Option<String>,
    /// Only the data about this end user of --org. `orgmem import --into` puts it into an org
    #[arg(long, requires = "org")]
    subject: Option<String>,
}

impl Export {
    pub(crate) fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let config = store_config(&local.load(Vec::new())?.settings);
        let selection = match (self.org, self.workspace, self.subject) {
            (None, None, _) => Selection::All,
            (_, Some(workspace), _) => Selection::Workspace(workspace),
            (Some(org), None, None) => Selection::Org(org),
            (Some(org), None, Some(subject)) => Selection::Subject { org, subject },
        };
        let mut progress = ProgressLine::on(terminal);
        let mut report = |progressed| progress.show(progressed);
        let written = if self.file == Path::new("-") {
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            export(&config, &selection, &mut out, &mut report)
        } else {
            to_file(&self.file, |out| export(&config, &selection, out, &mut report))
        };
        let summary = written.map_err(|error| match error {
            TransferError::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => CliError::Closed,
            error => error.into(),
        })?;
        progress.end();
        terminal.note(&render(&summary));
        Ok(())
    }
}

/// Writes a file that appears when it is complete, readable by its owner only.
pub(super) fn to_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, TransferError>,
) -> Result<T, TransferError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = private_file(&part).map_err(TransferError::Write).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let summary = write(&mut out)?;
        let file = out.into_inner().map_err(|error| TransferError::Write(error.into_error()))?;
        file.sync_all().and_then(|()| std::fs::rename(&part, path)).map_err(TransferError::Write)?;
        Ok(summary)
    });
    if written.is_err() {
        // the error of the export matters
        let _ = std::fs::remove_file(&part);
    }
    written
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn render(summary: &ExportSummary) -> String {
    let rows: u64 = summary.rows.values().sum();
    let memories = summary.rows.get("memories").copied().unwrap_or_default();
    format!("exported {rows} rows, {memories} of them memories; without keys and tokens")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("all.jsonl");
        let failed = to_file(&path, |out| {
            out.write_all(b"half").map_err(TransferError::Write)?;
            Err::<ExportSummary, _>(TransferError::Refused("on purpose".into()))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0, "nothing remains");
        to_file(&path, |out| {
            out.write_all(b"whole").map_err(TransferError::Write)?;
            Ok(ExportSummary::default())
        })
        .expect("written");
        assert_eq!(std::fs::read(&path).expect("a file"), b"whole");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
