use chrono::Utc;
use clap::{Args, Subcommand};
use orgmem_types::{AuditRow, Callers, ListAuditRows, ListMemoryAuditRows, VerifyAuditLog};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms::{self, TimeArg};
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, instant, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 500;

/// List and verify the audit log of reads and writes
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Audit {
    #[command(subcommand)]
    verb: AuditCommand,
}

#[derive(Subcommand, Debug)]
enum AuditCommand {
    /// List the audit log, newest first
    List {
        #[command(flatten)]
        rows: AuditRows,
        /// Maximum number of rows
        #[arg(short, long, default_value_t = 50, value_parser = forms::limit)]
        limit: usize,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// List who wrote and read one memory, in all workspaces that you may look into, newest first
    Memory {
        /// Id of the memory
        #[arg(value_parser = forms::id)]
        memory: Uuid,
        /// By agents or by people
        #[arg(long, value_parser = forms::callers, value_name = "agents|people")]
        callers: Option<Callers>,
        /// Maximum number of rows
        #[arg(short, long, default_value_t = 50, value_parser = forms::limit)]
        limit: usize,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Print the audit log as JSON, one row per line, newest first
    Export {
        #[command(flatten)]
        rows: AuditRows,
        #[command(flatten)]
        server: Server,
    },
    /// Verify that the audit log of a workspace's org is unchanged
    Verify {
        /// Workspace: its id, name or path
        workspace: String,
        #[command(flatten)]
        server: Server,
    },
}

#[derive(Args, Debug)]
struct AuditRows {
    /// Workspace: its id, name or path
    workspace: String,
    /// Include the workspaces below it
    #[arg(long)]
    subtree: bool,
    /// About this memory
    #[arg(long, value_name = "ID", value_parser = forms::id)]
    memory: Option<Uuid>,
    /// In this run
    #[arg(long, value_name = "ID", value_parser = forms::id)]
    run: Option<Uuid>,
    /// By this subject
    #[arg(long)]
    subject: Option<String>,
    /// By agents or by people
    #[arg(long, value_parser = forms::callers, value_name = "agents|people")]
    callers: Option<Callers>,
    /// Only this action, such as `search_memories`
    #[arg(long)]
    action: Option<String>,
    /// Since: 2h (ago), 2026-11-20 or 2026-11-20T08:00:00Z
    #[arg(long, value_name = "WHEN", value_parser = forms::moment)]
    since: Option<TimeArg>,
}

impl AuditRows {
    fn query(&self) -> ListAuditRows {
        ListAuditRows {
            subtree: self.subtree.then_some(true),
            memory_id: self.memory,
            run_id: self.run,
            subject: self.subject.clone(),
            callers: self.callers,
            action: self.action.clone(),
            since: self.since.map(|moment| moment.at(Utc::now())),
            ..ListAuditRows::default()
        }
    }
}

impl Audit {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            AuditCommand::List { rows, limit, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&rows.workspace).await?;
                let query = rows.query();
                let listed = first_rows(limit, PAGE, async |limit, cursor| {
                    let page = ListAuditRows { limit: Some(limit), cursor, ..query.clone() };
                    remote.client.read_access_log(workspace, &page).await
                })
                .await?;
                listed.print(terminal, format, "no matching rows", render)
            }
            AuditCommand::Memory { memory, callers, limit, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.of_memory(&acting, memory).await?;
                let listed = first_rows(limit, PAGE, async |limit, cursor| {
                    let page = ListMemoryAuditRows { callers, limit: Some(limit), cursor };
                    remote.client.read_memory_access_log(workspace, memory, &page).await
                })
                .await?;
                listed.print(terminal, format, "no matching rows", render)
            }
            AuditCommand::Export { rows, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&rows.workspace).await?;
                let mut query = ListAuditRows { limit: Some(PAGE as u64), ..rows.query() };
                loop {
                    let page = remote.client.read_access_log(workspace, &query).await?;
                    for row in &page.items {
                        terminal.print(&format!("{}\n", serde_json::json!(row)))?;
                    }
                    query.cursor = page.next;
                    if query.cursor.is_none() {
                        return Ok(());
                    }
                }
            }
            AuditCommand::Verify { workspace, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&workspace).await?;
                let (mut cursor, mut sealed) = (None, 0);
                loop {
                    let checked = remote.client.verify_access_log(workspace, &VerifyAuditLog { cursor }).await?;
                    sealed += checked.sealed_rows;
                    if let Some(fault) = checked.fault {
                        return Err(CliError::CheckFailed(fault));
                    }
                    cursor = checked.next;
                    if cursor.is_none() {
                        let unsealed = checked.waiting_rows;
                        return terminal.print(&format!("intact: {sealed} rows sealed, {unsealed} not sealed yet\n"));
                    }
                    terminal.note(&format!("{sealed} rows so far"));
                }
            }
        }
    }
}

fn render(rows: &[AuditRow], paint: Paint) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let columns = [
        ("row", Align::Right),
        ("when", Align::Left),
        ("action", Align::Left),
        ("subject", Align::Left),
        ("workspace", Align::Left),
        ("memories", Align::Right),
    ];
    let mut table = Table::new(&columns);
    for row in rows {
        table.row([
            row.seq.to_string(),
            instant(row.at),
            line(&row.action),
            line(&row.subject),
            row.workspace_id.to_string(),
            row.memories.len().to_string(),
        ]);
    }
    table.render(paint)
}
