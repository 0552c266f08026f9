use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{ReachResponse, ReachRow, RelationResponse};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::naming::own_name;
use crate::cli::print::{Align, Paint, Table, line};
use crate::cli::remote::{Remote, Server};
use crate::cli::shown::OutputFormat;
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Show whom a workspace reads and who reads it, or how it stands to another, with the reasons
#[derive(Args, Debug)]
pub(crate) struct Reach {
    /// Workspace: its id, name or path
    workspace: String,
    /// Another one, to be told how the two stand to each other
    other: Option<String>,
    /// One scope alone
    #[arg(short, long, ignore_case = true, value_parser = words::scope(), conflicts_with = "other")]
    scope: Option<Scope>,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Reach {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        match &self.other {
            Some(other) => self.relation(&remote, other, terminal).await,
            None => {
                let id = remote.workspace(&self.workspace).await?;
                let reach = remote.client.read_reach(id, self.scope).await?;
                self.shown.print(terminal, &reach, reach_told)
            }
        }
    }

    async fn relation(&self, remote: &Remote, other: &str, terminal: &Terminal) -> Result<(), CliError> {
        // an agent may know how it stands to a workspace that it may not read: the two are called as they were typed
        let (at, to) = (remote.workspace(&self.workspace).await?, remote.workspace(other).await?);
        let relation = remote.client.read_relation(at, to).await?;
        let (one, other) = (own_name(&self.workspace), own_name(other));
        self.shown.print(terminal, &relation, |relation, paint| relation_told(relation, one, other, paint))
    }
}

fn reach_told(reach: &ReachResponse, paint: Paint) -> String {
    let heading = |text| paint.strong(text) + "\n";
    [heading("reads"), rows_told(&reach.reads, paint), heading("\nis read by"), rows_told(&reach.read_by, paint)]
        .concat()
}

fn rows_told(rows: &[ReachRow], paint: Paint) -> String {
    let columns = ["scope", "workspace", "reason", "id"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    for row in rows {
        table.row([row.scope.to_string(), line(&row.name), line(&row.reason), row.workspace_id.to_string()]);
    }
    table.render(paint)
}

/// Three scopes in both directions, `✔` where the one can read the other.
fn relation_told(relation: &RelationResponse, one: &str, other: &str, paint: Paint) -> String {
    let columns = ["scope", "reader", "author", "", "reason"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    let mark = |may| if may { "✔" } else { "✘" }.to_owned();
    for row in &relation.rows {
        let scope = row.scope.to_string();
        table.row([scope.clone(), line(one), line(other), mark(row.reads), line(&row.reads_reason)]);
        table.row([scope, line(other), line(one), mark(row.read_by), line(&row.read_by_reason)]);
    }
    table.render(paint)
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::Relation;
    use orgmem_types::RelationRow;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_relation_is_told_in_both_directions() {
        let relation = RelationResponse {
            workspace_id: Uuid::from_u128(1),
            other_id: Uuid::from_u128(2),
            relation: Relation::Ancestor,
            common_ancestor: Uuid::from_u128(2),
            rows: vec![RelationRow {
                scope: Scope::Global,
                reads: true,
                reads_reason: "GLOBAL of its org".into(),
                read_by: false,
                read_by_reason: "only a root writes GLOBAL".into(),
            }],
        };
        let lines = [
            "scope   reader  author     reason",
            "GLOBAL  bot     acme    ✔  GLOBAL of its org",
            "GLOBAL  acme    bot     ✘  only a root writes GLOBAL",
        ];
        assert_eq!(relation_told(&relation, "bot", "acme", Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
