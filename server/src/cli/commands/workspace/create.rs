use clap::Args;
use orgmem_types::{CreateWorkspace, Object};
use uuid::Uuid;

use super::show;
use crate::cli::error::CliError;
use crate::cli::input;
use crate::cli::local::Local;
use crate::cli::remote::Server;
use crate::cli::shown::Shown;
use crate::cli::terminal::Terminal;

/// Create a workspace under a parent or, as an admin, the root of a new org
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// Its name
    name: String,
    /// Workspace it will be a child of; without it a new root
    #[arg(short, long, value_name = "WORKSPACE")]
    parent: Option<String>,
    /// What its agent does
    #[arg(short, long)]
    role: Option<String>,
    /// A JSON object
    #[arg(long, value_name = "JSON", value_parser = input::object)]
    metadata: Option<Object>,
    /// Id of your choice
    #[arg(long)]
    id: Option<Uuid>,
    #[command(flatten)]
    shown: Shown,
    #[command(flatten)]
    server: Server,
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
        let created = remote.client.create_workspace(&workspace).await?;
        self.shown.print(terminal, &created, |created, paint| show::told(created, terminal.now, paint))
    }
}
