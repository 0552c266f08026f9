//! `orgmem backup`: a backup of the SQLite database, while a server uses it.

use std::path::{Path, PathBuf};

use clap::Args;
use orgmem_store::{BackedUp, BackupListing, BackupOptions, Retention, StoreConfig, backup, list_backups};

use crate::auth::existing_seal_keys;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Paint, Table, line};
use crate::cli::program::quoted;
use crate::cli::progress::ProgressLine;
use crate::cli::terminal::Terminal;
use crate::serve::{keep_files_private, store_config};

/// Back up the SQLite database of this machine's settings into a folder, also while a server uses it
#[derive(Args, Debug)]
pub(crate) struct Backup {
    /// Folder of the backups; made by the first one
    folder: PathBuf,
    /// Drop all but this number of backups, the newest ones
    #[arg(long, value_name = "NUMBER", value_parser = at_least_one)]
    keep: Option<usize>,
    /// Drop backups that are older than this number of days
    #[arg(long, value_name = "DAYS")]
    keep_days: Option<u32>,
    /// List the backups of the folder, and make none
    #[arg(long, conflicts_with_all = ["keep", "keep_days"])]
    list: bool,
    #[command(flatten)]
    format: OutputFormat,
}

impl Backup {
    pub(crate) fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        if self.list {
            return self.format.print(terminal, &list_backups(&self.folder)?, |backups, paint| list(backups, paint));
        }
        let settings = local.load(Vec::new())?.settings;
        let config = store_config(&settings);
        if matches!(config, StoreConfig::Postgres { .. }) {
            terminal.print(&commands_of_postgres(&self.folder))?;
            let reason = "no backup was made: the database is PostgreSQL, which has tools of its own, above";
            return Err(CliError::CheckFailed(reason.to_owned()));
        }
        keep_files_private();
        let keys = existing_seal_keys(&settings).map_err(crate::serve::ServeError::from)?;
        let retention = Retention { keep: self.keep, keep_days: self.keep_days };
        let mut progress = ProgressLine::on(terminal);
        let options = BackupOptions { retention, keys };
        let made = backup(&config, &self.folder, &options, &mut |progressed| progress.show(progressed))?;
        progress.end();
        self.format.print(terminal, &made, |made, _| render(made))?;
        terminal
            .note("the keys of the data folder are not in it (jwt.secret, seal.key): keep a copy of them elsewhere");
        faults(&made).map_or(Ok(()), |fault| Err(CliError::CheckFailed(fault)))
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number >= 1).ok_or_else(|| "a whole number, at least 1".to_owned())
}

/// What is wrong although the backup is complete.
fn faults(made: &BackedUp) -> Option<String> {
    let audit = made.audit_fault.as_ref().map(|fault| {
        format!("the backup is complete, but the audit log of the database does not verify: {}", line(fault))
    });
    audit.or_else(|| {
        let fault = made.dropped.damaged.as_ref()?;
        Some(format!("the backup is complete, but no chunks were deleted: {}; remove that file", line(fault)))
    })
}

fn render(made: &BackedUp) -> String {
    let mut text = format!(
        "backup {}: {} in {} chunks, {} new ({}); read back and verified\n",
        made.name,
        size(made.bytes),
        made.chunks,
        made.new_chunks,
        size(made.new_bytes),
    );
    if made.audit_fault.is_none() {
        text.push_str(&match made.audit_rows {
            Some(rows) => format!("  the audit log is intact, {rows} rows\n"),
            None => "  the audit log was not verified: this machine has no key of it\n".to_owned(),
        });
    }
    let dropped = &made.dropped;
    if !dropped.backups.is_empty() || dropped.chunks > 0 {
        let names = if dropped.backups.is_empty() { "no backups".to_owned() } else { dropped.backups.join(", ") };
        text.push_str(&format!("  dropped {names}, and {} chunks ({})\n", dropped.chunks, size(dropped.bytes)));
    }
    text
}

fn list(backups: &[BackupListing], paint: Paint) -> String {
    let mut table = Table::new(&[("backup", Align::Left), ("size", Align::Right), ("", Align::Left)]);
    for backup in backups {
        let fault = backup.fault.as_deref().map(line).unwrap_or_default();
        table.row([backup.name.clone(), size(backup.bytes), fault]);
    }
    table.render(paint)
}

/// A number of bytes in the largest unit of at least one.
pub(super) fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.into_iter().find(|(bits, _)| bytes >> bits > 0) {
        Some((bits, unit)) => format!("{:.1} {unit}", bytes as f64 / (1_u64 << bits) as f64),
        None => format!("{bytes} B"),
    }
}

/// The commands that back up a PostgreSQL database.
fn commands_of_postgres(folder: &Path) -> String {
    let dump = quoted(&folder.join("orgmem.dump").display().to_string());
    let removals = quoted(&folder.join("removals.jsonl").display().to_string());
    let base = quoted(&folder.join("base").display().to_string());
    format!(
        "pg_dump --format=custom --file={dump} \"$DATABASE_URL\"       # one moment; restore with pg_restore\n\
         orgmem removals export {removals}                     # what was removed, for older dumps\n\
         \n\
         pg_basebackup --pgdata={base} --wal-method=stream --checkpoint=fast   # the whole cluster, with archive_mode: any moment\n\
         \n\
         docs/operations.md, \"Back up\", has both walk-throughs\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let check = |bytes, expected: &str| assert_eq!(size(bytes), expected);
        check(0, "0 B");
        check(1023, "1023 B");
        check(1536, "1.5 KiB");
        check(5 << 20, "5.0 MiB");
        check(130 << 30, "130.0 GiB");
    }

    #[test]
    fn at_least_one_backup_is_retained() {
        assert_eq!(at_least_one("3"), Ok(3));
        assert!(at_least_one("0").is_err() && at_least_one("-1").is_err() && at_least_one("all").is_err());
    }
}
