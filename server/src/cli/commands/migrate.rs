//! `orgmem migrate`: a copy of a whole database.

use std::path::Path;

use clap::Args;
use orgmem_store::{MigrateSummary, StoreConfig, migrate};

use crate::cli::error::CliError;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::Paint;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::Terminal;
use crate::config::mask;
use crate::serve::{DATABASE, keep_files_private, make_data_dir};

/// Copy a whole database into an empty one, between SQLite and PostgreSQL, and verify every row
#[derive(Args, Debug)]
pub(crate) struct Migrate {
    /// Database to read: a data folder, the path of a SQLite file, or postgres://…
    #[arg(long, value_name = "DATABASE")]
    from: String,
    /// Empty database to write, named in the same way
    #[arg(long, value_name = "DATABASE")]
    to: String,
    #[command(flatten)]
    format: OutputFormat,
}

impl Migrate {
    pub(crate) fn run(self, terminal: &Terminal) -> Result<(), CliError> {
        let (from, to) = (database(&self.from), database(&self.to));
        keep_files_private();
        if let StoreConfig::Sqlite { path, .. } = &to
            && let Some(folder) = path.parent()
        {
            make_data_dir(folder)?;
        }
        let name = shown(&from);
        let mut progress = ProgressLine::on(terminal);
        let summary = migrate(&from, &to, &name, &mut |progressed| progress.show(progressed))?;
        progress.end();
        self.format.print(terminal, &summary, |summary, _: Paint| render(summary))?;
        if summary.complete {
            terminal.note("start the server on the new database with the same keys: jwt.secret and seal.key, or the secrets that replace them");
            return Ok(());
        }
        let reason = "the copy is verified but not complete, because a server still uses the source: stop it, and run the same \
             command again; it copies what has changed since";
        Err(CliError::CheckFailed(reason.to_owned()))
    }
}

/// The database that an argument names.
fn database(argument: &str) -> StoreConfig {
    if argument.starts_with("postgres://") || argument.starts_with("postgresql://") {
        return StoreConfig::postgres(argument);
    }
    let path = Path::new(argument.strip_prefix("sqlite:").unwrap_or(argument));
    let is_file = path.is_file() || path.extension().is_some_and(|extension| extension == "db");
    StoreConfig::sqlite(if is_file { path.to_owned() } else { path.join(DATABASE) })
}

/// The name of a database without its password.
fn shown(config: &StoreConfig) -> String {
    match config {
        StoreConfig::Sqlite { path, .. } => {
            std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string()
        }
        StoreConfig::Postgres { url, .. } => mask::masked("database_url", url),
    }
}

fn render(summary: &MigrateSummary) -> String {
    format!(
        "{} orgs with {} rows: {} rows written, all verified\n",
        summary.orgs.saturating_sub(1),
        summary.rows,
        summary.written
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_named_by_folder_file_or_url() {
        let check = |argument: &str, expected: &str| assert_eq!(shown(&database(argument)), expected);
        check("/srv/orgmem", "/srv/orgmem/orgmem.db");
        check("sqlite:/srv/orgmem", "/srv/orgmem/orgmem.db");
        check("/srv/other.db", "/srv/other.db");
        check("postgres://orgmem:hunter2@db/orgmem", "postgres://orgmem:****@db/orgmem");
    }
}
