use orgmem_types::{ImportNode, ImportQuery, ImportResponse};

use crate::cli::error::CliError;
use crate::cli::print::line;
use crate::cli::terminal::Terminal;
use crate::client::{Client, Document};
use crate::demo;

/// Loads the demo company into the server. Existing workspaces and memories do not change.
///
/// # Returns
/// The imported document.
pub(super) async fn load(client: &Client, terminal: &Terminal) -> Result<ImportNode, CliError> {
    let org = demo::organisation(terminal.now)?;
    terminal.note(&format!("loading {} into {} …", line(&org.name), client.address()));
    let response = client.import_org(&ImportQuery::default(), Document::Value(&org), None).await?;
    terminal.print(&render(&org, &response))?;
    Ok(org)
}

fn render(org: &ImportNode, response: &ImportResponse) -> String {
    let new = [
        (response.workspaces_created, "workspaces"),
        (response.memories_committed, "memories"),
        (response.entries_put, "entries"),
        (response.episodes_appended, "episodes"),
    ];
    let new: Vec<_> =
        new.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| format!("{count} {noun}")).collect();
    let existing = format!("{} workspaces, {} memories", response.workspaces_kept, response.memories_kept);
    let summary = match (response.workspaces_kept, new.as_slice()) {
        (0, new) => new.join(", "),
        (_, []) => format!("{existing}, all existed already"),
        (_, new) => format!("{existing} existed already; new: {}", new.join(", ")),
    };
    format!("{}: {summary}\n", line(&org.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples;

    #[test]
    fn new_and_existing_rows_are_counted_separately() {
        let org = crate::demo::organisation(samples::now()).expect("the files are right");
        let mut answer = ImportResponse {
            org_id: uuid::Uuid::nil(),
            dry_run: false,
            workspaces_created: 59,
            workspaces_kept: 0,
            memories_committed: 454,
            memories_kept: 0,
            entries_put: 113,
            episodes_appended: 150,
            workspace_ids: Vec::new(),
            redactions: Vec::new(),
        };
        let first = "Brindlemoor Robotics: 59 workspaces, 454 memories, 113 entries, 150 episodes\n";
        assert_eq!(render(&org, &answer), first);
        (answer.workspaces_created, answer.workspaces_kept) = (0, 59);
        (answer.memories_committed, answer.memories_kept) = (0, 454);
        (answer.entries_put, answer.episodes_appended) = (0, 0);
        assert_eq!(render(&org, &answer), "Brindlemoor Robotics: 59 workspaces, 454 memories, all existed already\n");
        (answer.memories_committed, answer.memories_kept) = (2, 452);
        let later = "Brindlemoor Robotics: 59 workspaces, 452 memories existed already; new: 2 memories\n";
        assert_eq!(render(&org, &answer), later);
    }
}
