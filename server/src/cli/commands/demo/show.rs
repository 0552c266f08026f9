//! The demonstration: an agent commits to its team, its sibling finds the memory, its cousin does not.

use orgmem_hierarchy::Scope;
use orgmem_types::{CommitMemory, ImportNode, IssueToken, ListMemories, Role};
use uuid::{Uuid, uuid};

use crate::cli::error::CliError;
use crate::cli::print::{Paint, block, line};
use crate::client::Client;

const AUTHOR: &str = "Fleet API";
const SIBLING: &str = "Telemetry Ingest";
const COUSIN: &str = "Cluster Ops";
const CONTENT: &str = "Furrow retries a 503 from Gauge after 2 s plus up to 7 s of jitter. Without the jitter all \
    1,384 docks come back in the same second.";
const QUERY: &str = "retry jitter docks";
/// A fixed id, so that a repeated demonstration replaces the memory.
const MEMORY: Uuid = uuid!("5f0b6a52-4c53-4bb1-9d1c-6f6a3a1d7e20");

/// The result of the demonstration.
pub(super) struct Show {
    sibling: Visibility,
    cousin: Visibility,
}

/// The visibility of the memory to one workspace.
struct Visibility {
    name: &'static str,
    found: bool,
    /// The server's reason.
    reason: String,
}

/// Runs the demonstration with agent tokens, which `admin` issues.
///
/// # Errors
/// [`CliError::Client`]; [`CliError::CheckFailed`] when a search contradicts the rules.
pub(super) async fn play(admin: &Client, org: &ImportNode) -> Result<Show, CliError> {
    let author = id_of(org, AUTHOR)?;
    let memory = CommitMemory {
        namespace: Some("retries".to_owned()),
        confidence: Some(0.9),
        id: Some(MEMORY),
        ..CommitMemory::new(CONTENT.to_owned(), Scope::Team)
    };
    as_agent(admin, author).await?.commit_memory(author, &memory, None).await?;
    let sibling = look(admin, org, SIBLING, author).await?;
    let cousin = look(admin, org, COUSIN, author).await?;
    Ok(Show { sibling, cousin })
}

async fn look(admin: &Client, org: &ImportNode, name: &'static str, author: Uuid) -> Result<Visibility, CliError> {
    let reader = id_of(org, name)?;
    let query = ListMemories { q: Some(QUERY.to_owned()), ..ListMemories::default() };
    let page = as_agent(admin, reader).await?.search_memories(reader, &query).await?;
    let found = page.items.iter().any(|memory| memory.id == MEMORY);
    let relation = admin.read_relation(reader, author).await?;
    let team = relation.rows.into_iter().find(|row| row.scope == Scope::Team);
    match team {
        Some(team) if team.reads == found => Ok(Visibility { name, found, reason: team.reads_reason }),
        _ => Err(CliError::CheckFailed(format!("the search of `{name}` contradicts the rules; please report this"))),
    }
}

/// A client with an agent token for `workspace`.
async fn as_agent(admin: &Client, workspace: Uuid) -> Result<Client, CliError> {
    let request = IssueToken {
        role: Role::Agent,
        expires_in: Some(600),
        subject: Some("demo".to_owned()),
        end_user: None,
        session_id: None,
    };
    let issued = admin.issue_token(workspace, &request, None).await?;
    Ok(Client::new(admin.address().clone(), Some(issued.token.into()))?)
}

fn id_of(org: &ImportNode, name: &str) -> Result<Uuid, CliError> {
    let mut waiting = vec![org];
    while let Some(node) = waiting.pop() {
        if node.name == name
            && let Some(id) = node.id
        {
            return Ok(id);
        }
        waiting.extend(&node.children);
    }
    Err(crate::demo::DemoError::Target(name.to_owned()).into())
}

impl Show {
    /// Whether the sibling found the memory and the cousin did not.
    pub(super) fn is_as_expected(&self) -> bool {
        self.sibling.found && !self.cousin.found
    }

    pub(super) fn render(&self, paint: Paint) -> String {
        let mut text = format!("\n{} commits to its team:\n{}", paint.strong(AUTHOR), block(CONTENT, 2));
        for Visibility { name, found, reason } in [&self.sibling, &self.cousin] {
            let outcome = if *found { paint.good("✔ finds it") } else { paint.bad("✘ does not find it") };
            let name = paint.strong(name);
            text.push_str(&format!("{name} searches `{QUERY}`:\n  {outcome}: {}\n", line(reason)));
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples;

    #[test]
    fn actors_are_in_the_company() {
        let org = crate::demo::organisation(samples::now()).expect("the files are right");
        for name in [AUTHOR, SIBLING, COUSIN] {
            assert!(id_of(&org, name).is_ok(), "{name}");
        }
    }

    #[test]
    fn result_is_shown_with_reasons() {
        let sibling = Visibility { name: SIBLING, found: true, reason: "sibling under Backend Lead".into() };
        let cousin = Visibility { name: COUSIN, found: false, reason: "not in a team with Fleet API".into() };
        let render = Show { sibling, cousin }.render(Paint::none());
        let lines = [
            "",
            "Fleet API commits to its team:",
            "  Furrow retries a 503 from Gauge after 2 s plus up to 7 s of jitter. Without the jitter all 1,384",
            "  docks come back in the same second.",
            "Telemetry Ingest searches `retry jitter docks`:",
            "  ✔ finds it: sibling under Backend Lead",
            "Cluster Ops searches `retry jitter docks`:",
            "  ✘ does not find it: not in a team with Fleet API",
            "",
        ];
        assert_eq!(render.lines().collect::<Vec<_>>(), lines);
    }
}
