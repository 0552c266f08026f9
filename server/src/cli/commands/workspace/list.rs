use clap::Args;
use orgmem_types::{ListWorkspaces, Workspace, WorkspaceStatus};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::naming::path;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

/// The server's maximum page size.
const PAGE: usize = 500;

/// List workspaces as a flat list, oldest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only workspaces whose name contains this text
    name: Option<String>,
    /// Only workspaces of the tree with this root
    #[arg(long, value_name = "WORKSPACE")]
    root: Option<String>,
    /// Only children of this workspace
    #[arg(short, long, value_name = "WORKSPACE")]
    parent: Option<String>,
    /// Only workspaces with this status [default: live]
    #[arg(long, value_parser = words::of::<WorkspaceStatus>(&words::STATES))]
    status: Option<WorkspaceStatus>,
    /// Maximum number of workspaces
    #[arg(short, long, default_value_t = 500, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl List {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let query = ListWorkspaces {
            root: remote.workspace_if_any(self.root.as_deref()).await?,
            parent: remote.workspace_if_any(self.parent.as_deref()).await?,
            status: self.status,
            q: self.name,
            limit: None,
            cursor: None,
        };
        let listed = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListWorkspaces { limit: Some(limit), cursor, ..query.clone() };
            remote.client.list_workspaces(&page).await
        })
        .await?;
        listed.print(terminal, self.format, "no matching workspaces that you may see", render)
    }
}

fn render(workspaces: &[Workspace], paint: Paint) -> String {
    if workspaces.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[("id", Align::Left), ("children", Align::Right), ("workspace", Align::Left)]);
    for workspace in workspaces {
        table.row([workspace.id.to_string(), workspace.child_count.to_string(), line(&path(workspace))]);
    }
    table.render(paint)
}
