use orgmem_types::{ImportNode, ImportResponse};

use crate::cli::error::CliError;
use crate::cli::print::line;
use crate::cli::terminal::Terminal;
use crate::client::Client;
use crate::demo;

/// Loads the company into the server; what is there already stays as it is.
///
/// # Returns
/// The company as it was sent.
pub(super) async fn load(client: &Client, terminal: &Terminal) -> Result<ImportNode, CliError> {
    let org = demo::organisation(terminal.now)?;
    terminal.note(&format!("loading {} into {} …", line(&org.name), client.address()));
    let answer = client.import_org(&org).await?;
    terminal.print(&render(&org, &answer))?;
    Ok(org)
}

fn render(org: &ImportNode, answer: &ImportResponse) -> String {
    let new = [
        (answer.workspaces_created, "workspaces"),
        (answer.memories_committed, "memories"),
        (answer.entries_put, "entries"),
        (answer.episodes_appended, "episodes"),
    ];
    let new: Vec<_> =
        new.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let kept = format!("{} workspaces, {} memories", answer.workspaces_kept, answer.memories_kept);
    let render = match (answer.workspaces_kept, new.as_slice()) {
        (0, new) => new.join(", "),
        (_, []) => format!("{kept}, all there already"),
        (_, new) => format!("{kept} there already; new are {}", new.join(", ")),
    };
    format!("{}: {render}\n", line(&org.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples;

    #[test]
    fn what_is_new_is_told_and_what_was_there_is_not_told_as_new() {
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
            redactions: Vec::new(),
        };
        let first = "Brindlemoor Robotics: 59 workspaces, 454 memories, 113 entries, 150 episodes\n";
        assert_eq!(render(&org, &answer), first);
        (answer.workspaces_created, answer.workspaces_kept) = (0, 59);
        (answer.memories_committed, answer.memories_kept) = (0, 454);
        (answer.entries_put, answer.episodes_appended) = (0, 0);
        assert_eq!(render(&org, &answer), "Brindlemoor Robotics: 59 workspaces, 454 memories, all there already\n");
        (answer.memories_committed, answer.memories_kept) = (2, 452);
        let later = "Brindlemoor Robotics: 59 workspaces, 452 memories there already; new are 2 memories\n";
        assert_eq!(render(&org, &answer), later);
    }
}
