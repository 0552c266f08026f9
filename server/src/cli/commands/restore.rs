//! `orgmem restore`: the database of a backup in an empty data folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use orgmem_store::{DatabaseRemovals, Repeated, RestoreOptions, Restored, Restoring, Store, StoreConfig, SystemClock};
use serde::Serialize;

use super::backup::size;
use crate::auth::existing_seal_keys;
use crate::cli::error::CliError;
use crate::cli::forms::{self, TimeArg};
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::Terminal;
use crate::config::Settings;
use crate::removals::repeat;
use crate::serve::{DATABASE, ServeError, keep_files_private, store_config};

/// Restore a backup into an empty data folder, and repeat the removals that were made since
#[derive(Args, Debug)]
pub(crate) struct Restore {
    /// Folder of the backups
    folder: PathBuf,
    /// Empty or new data folder
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The newest backup not after this moment [default: the newest one]
    #[arg(long, value_name = "TIME", value_parser = forms::moment)]
    at: Option<TimeArg>,
    #[command(flatten)]
    format: OutputFormat,
}

/// A restored backup with the repeated removals.
#[derive(Debug, Serialize)]
struct Outcome {
    #[serde(flatten)]
    restored: Restored,
    /// Removals that were repeated.
    repeated: Repeated,
    /// Whether the removals of the current database of this machine are among them.
    with_current: bool,
}

impl Restore {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let settings = local.load(Vec::new())?.settings;
        keep_files_private();
        let options = RestoreOptions {
            at: self.at.map(|at| at.at(terminal.now)),
            to: self.to.clone(),
            database: DATABASE,
            keys: existing_seal_keys(&settings).map_err(ServeError::from)?,
        };
        let mut progress = ProgressLine::on(terminal);
        let mut restoring = Restoring::begin(&self.folder, options, &mut |progressed| progress.show(progressed))?;
        let current = current(&settings, &self.to, terminal);
        let with_current = current.is_some();
        let repeated = repeat_all(&mut restoring, current, &mut progress).await?;
        let restored = restoring.finish()?;
        progress.end();
        let outcome = Outcome { restored, repeated, with_current };
        self.format.print(terminal, &outcome, |outcome, _| render(outcome))?;
        notes(&outcome, &self.folder).iter().for_each(|note| terminal.note(note));
        match &outcome.restored.audit_fault {
            None => Ok(()),
            Some(fault) => {
                let reason = format!("the backup is restored, but its audit log does not verify: {}", line(fault));
                Err(CliError::CheckFailed(reason))
            }
        }
    }
}

/// The removals of the SQLite database of the settings, if it exists, is readable, and is not the target.
fn current(settings: &Settings, to: &Path, terminal: &Terminal) -> Option<DatabaseRemovals> {
    let config = store_config(settings);
    let StoreConfig::Sqlite { path, .. } = &config else { return None };
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok())?;
    if !path.exists() || to.canonicalize().ok().is_some_and(|to| to == folder) {
        return None;
    }
    match DatabaseRemovals::open(&config) {
        Ok(removals) => Some(removals),
        Err(error) => {
            let path = path.display();
            terminal.note(&format!("`{path}` cannot be read, so removals that only it has are not repeated: {error}"));
            None
        }
    }
}

async fn repeat_all(
    restoring: &mut Restoring,
    current: Option<DatabaseRemovals>,
    progress: &mut ProgressLine<'_>,
) -> Result<Repeated, CliError> {
    let store = Store::open(&restoring.config(), Arc::new(SystemClock)).map_err(ServeError::from)?;
    let repeated = repeat_each(&store, restoring, current, progress).await;
    store.close();
    repeated
}

async fn repeat_each(
    store: &Store,
    restoring: &mut Restoring,
    mut current: Option<DatabaseRemovals>,
    progress: &mut ProgressLine<'_>,
) -> Result<Repeated, CliError> {
    let mut repeated = Repeated::default();
    loop {
        let next = match current.take() {
            Some(current) => Some(current),
            None => restoring.next_removals(&mut |progressed| progress.show(progressed))?,
        };
        let Some(mut source) = next else { return Ok(repeated) };
        repeated.add(repeat(store, &mut source, &mut |progressed| progress.show(progressed)).await?);
    }
}

fn render(outcome: &Outcome) -> String {
    let Outcome { restored, repeated, .. } = outcome;
    let mut text = format!("restored {}, {}\n", restored.name, size(restored.bytes));
    if restored.audit_fault.is_none() {
        text.push_str(&match restored.audit_rows {
            Some(rows) => format!("  the audit log is intact, {rows} rows\n"),
            None => "  the audit log was not verified: this machine has no key of it\n".to_owned(),
        });
    }
    let sources = match (&restored.newest, outcome.with_current) {
        (None, false) => return text + "  no later backup and no current database, so no removals to repeat\n",
        (Some(newest), false) => format!("backup {newest}"),
        (None, true) => "the current database".to_owned(),
        (Some(newest), true) => format!("backup {newest} and of the current database"),
    };
    text.push_str(&format!("  repeated the later removals of {sources}: {}\n", counts(repeated)));
    text
}

/// The numbers of repeated removals.
pub(super) fn counts(repeated: &Repeated) -> String {
    if repeated.total() == 0 {
        return "nothing had to be removed".to_owned();
    }
    let Repeated { redactions, deletions, episodes, entries, erasures, revocations, grants } = repeated;
    format!(
        "{redactions} redactions and {deletions} deletions of memories, {episodes} episodes, {entries} keys, \
         {erasures} erasures, {revocations} revocations of tokens, {grants} of grants"
    )
}

fn notes(outcome: &Outcome, folder: &Path) -> Vec<String> {
    let Restored { damaged, taken_at, .. } = &outcome.restored;
    let mut notes: Vec<String> = damaged
        .iter()
        .map(|fault| format!("a later backup is damaged, so its removals are not known: {}", line(fault)))
        .collect();
    if outcome.repeated.total() > 0 {
        notes.push(format!(
            "backups until {} in `{}` still have what was removed, until they are deleted",
            taken_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            folder.display()
        ));
    }
    notes.push(
        "before the start, put the keys of the old data folder (jwt.secret, seal.key) next to the database, but not \
         access-anchors"
            .to_owned(),
    );
    notes
}
