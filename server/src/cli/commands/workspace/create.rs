use clap::Args;
use orgmem_types::{CreateWorkspace, ListWorkspaces, Object, Workspace};
use uuid::Uuid;

use super::show;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Remote, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input};

/// The server's maximum page size.
const PAGE: u64 = 500;

/// Create a workspace under a parent or, as an admin, the root of a new org
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// Name of the workspace
    name: String,
    /// Parent workspace; without it a new root
    #[arg(short, long, value_name = "WORKSPACE")]
    parent: Option<String>,
    /// Role of its agent, in words
    #[arg(short, long)]
    role: Option<String>,
    /// Metadata, a JSON object
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Id of the workspace
    #[arg(long, value_parser = forms::id)]
    id: Option<Uuid>,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// A sibling of the same name, for a warning. Errors are ignored, because the workspace exists already.
async fn find_namesake(remote: &Remote, created: &Workspace) -> Option<Uuid> {
    let query = ListWorkspaces {
        q: Some(created.name.clone()),
        parent: created.parent_id,
        limit: Some(PAGE),
        ..ListWorkspaces::default()
    };
    let found = remote.client.list_workspaces(&query).await.ok()?.items;
    let is_namesake = |other: &Workspace| {
        other.id != created.id && other.parent_id == created.parent_id && other.name == created.name
    };
    found.iter().find(|other| is_namesake(other)).map(|other| other.id)
}

impl Create {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = CreateWorkspace {
            name: self.name,
            parent_id: remote.workspace_if_any(self.parent.as_deref()).await?,
            id: self.id,
            role: self.role,
            metadata: self.metadata,
        };
        let created = remote.client.create_workspace(&workspace, None).await?;
        self.format.print(terminal, &created, |created, paint| show::render(created, terminal.now, paint))?;
        if let Some(namesake) = find_namesake(&remote, &created).await {
            let (name, id) = (line(&created.name), created.id);
            terminal.note(&format!(
                "another workspace here is also named {name}, {namesake}; use ids to distinguish them, this one is {id}"
            ));
        }
        Ok(())
    }
}
