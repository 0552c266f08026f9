use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::io::{BufReader, stdin, stdout};
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::remote::{Acting, Server};
use crate::client::Client;
use crate::mcp::SkillChanges;

/// The time between two questions for changed skills.
const INTERVAL: Duration = Duration::from_millis(900);

/// Serve MCP over standard input and output, for clients that start a program
#[derive(Args, Debug)]
pub(crate) struct Mcp {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Mcp {
    pub(crate) async fn run(self, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.workspace_if_any(self.acting.workspace.as_deref()).await?;
        let (changes, count) = watch::channel(0);
        let wanted = Arc::new(Notify::new());
        tokio::spawn(watch_skills(remote.client.clone(), workspace, Arc::clone(&wanted), changes));
        let mut bridge = remote.client.bridge(workspace)?.with_skills(SkillChanges { wanted, count });
        let outcome = bridge.run(BufReader::new(stdin()), stdout()).await;
        outcome.map_err(|error| CliError::Io { action: "forward messages".to_owned(), error })
    }
}

/// Counts the changes of what the workspace can use, by default that of the token. An unchanged list is no read in the audit
/// log.
async fn watch_skills(client: Client, workspace: Option<Uuid>, wanted: Arc<Notify>, changes: watch::Sender<u64>) {
    wanted.notified().await;
    let mut known: Option<String> = None;
    let mut acting = workspace;
    while !changes.is_closed() {
        if acting.is_none() {
            acting = client.read_me().await.ok().and_then(|me| me.workspace_id);
        }
        if let Some(workspace) = acting
            && let Ok(Some((tag, _))) = client.changed_skills(workspace, known.as_deref()).await
            && known.replace(tag).is_some()
        {
            changes.send_modify(|count| *count += 1);
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
