use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{Workspace, WorkspaceStatus};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::naming::path;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, ago, instant, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Show a workspace: its position in the tree and its counts
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Workspace: its id, name, or path such as "Acme/Dev Lead/Bot-7"
    workspace: String,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Show {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let id = remote.workspace(&self.workspace).await?;
        let workspace = remote.client.read_workspace(id).await?;
        self.format.print(terminal, &workspace, |workspace, paint| render(workspace, terminal.now, paint))
    }
}

/// The path, then one line per field.
pub(super) fn render(workspace: &Workspace, now: DateTime<Utc>, paint: Paint) -> String {
    let memories = workspace.memories;
    let metadata = workspace.metadata.as_ref().and_then(|object| serde_json::to_string(object).ok());
    let children = match (workspace.child_count, workspace.descendant_count) {
        (0, _) => None,
        (children, below) if below > children => Some(format!("{children}, and {} below them", below - children)),
        (children, _) => Some(children.to_string()),
    };
    let fields = [
        ("id", Some(workspace.id.to_string())),
        ("role", workspace.role.as_deref().map(line)),
        ("status", (workspace.status == WorkspaceStatus::Removed).then(|| "removed".to_owned())),
        ("children", children),
        ("memories", Some(format!("{} LOCAL, {} TEAM, {} GLOBAL", memories.local, memories.team, memories.global))),
        ("last write", workspace.last_write_at.map(|then| ago(then, now))),
        ("created", Some(instant(workspace.created_at))),
        ("metadata", metadata.as_deref().map(line)),
    ];
    let mut text = paint.strong(&line(&path(workspace))) + "\n";
    for (name, value) in fields {
        if let Some(value) = value {
            text.push_str(&format!("  {}  {value}\n", paint.faint(&format!("{name:<10}"))));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples;

    #[test]
    fn workspace_is_shown_field_by_field() {
        let mut workspace = samples::workspace(7, &["acme", "dev", "bot\u{1b}[2J"]);
        workspace.role = Some("answers\nmail".into());
        workspace.memories.team = 12;
        (workspace.child_count, workspace.descendant_count) = (2, 5);
        let lines = [
            r"acme/dev/bot\u{1b}[2J",
            "  id          00000000-0000-0000-0000-000000000007",
            "  role        answers mail",
            "  children    2, and 3 below them",
            "  memories    0 LOCAL, 12 TEAM, 0 GLOBAL",
            "  created     2026-11-20 08:00:00Z",
        ];
        assert_eq!(render(&workspace, samples::now(), Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
