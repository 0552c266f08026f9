use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{ReachQuery, ReachResponse, ReachRow, RelationResponse};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::naming::own_name;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Paint, Table, line};
use crate::cli::remote::{Remote, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Show whom a workspace can read and who can read it, or the relationship of two workspaces, with reasons
#[derive(Args, Debug)]
pub(crate) struct Reach {
    /// Workspace: its id, name or path
    workspace: String,
    /// Other workspace, to show the relationship of the two
    other: Option<String>,
    /// Only this scope
    #[arg(short, long, ignore_case = true, value_parser = words::scope(), conflicts_with = "other")]
    scope: Option<Scope>,
    #[command(flatten)]
    format: OutputFormat,
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
                let reach = whole_reach(&remote, id, self.scope).await?;
                self.format.print(terminal, &reach, render_reach)
            }
        }
    }

    async fn relation(&self, remote: &Remote, other: &str, terminal: &Terminal) -> Result<(), CliError> {
        // names as typed: an agent may read its relation to a workspace whose name it may not read
        let (first_id, second_id) = (remote.workspace(&self.workspace).await?, remote.workspace(other).await?);
        let relation = remote.client.read_relation(first_id, second_id).await?;
        let (first, second) = (own_name(&self.workspace), own_name(other));
        self.format.print(terminal, &relation, |relation, paint| render_relation(relation, first, second, paint))
    }
}

/// All pages of a reach.
async fn whole_reach(remote: &Remote, id: Uuid, scope: Option<Scope>) -> Result<ReachResponse, CliError> {
    let mut query = ReachQuery { scope, ..ReachQuery::default() };
    let mut whole = remote.client.read_reach(id, &query).await?;
    while let Some(cursor) = whole.next.take() {
        query.cursor = Some(cursor);
        let page = remote.client.read_reach(id, &query).await?;
        whole.reads.extend(page.reads);
        whole.read_by.extend(page.read_by);
        whole.next = page.next;
    }
    Ok(whole)
}

fn render_reach(reach: &ReachResponse, paint: Paint) -> String {
    let heading = |text| paint.strong(text) + "\n";
    [heading("reads"), render_rows(&reach.reads, paint), heading("\nis read by"), render_rows(&reach.read_by, paint)]
        .concat()
}

fn render_rows(rows: &[ReachRow], paint: Paint) -> String {
    let columns = ["scope", "workspace", "reason", "id"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    for row in rows {
        table.row([row.scope.to_string(), line(&row.name), line(&row.reason), row.workspace_id.to_string()]);
    }
    table.render(paint)
}

/// Every scope in both directions.
fn render_relation(relation: &RelationResponse, first: &str, second: &str, paint: Paint) -> String {
    let columns = ["scope", "reader", "author", "", "reason"].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    let mark = |can_read| if can_read { "✔" } else { "✘" }.to_owned();
    for row in &relation.rows {
        let scope = row.scope.to_string();
        table.row([scope.clone(), line(first), line(second), mark(row.reads), line(&row.reads_reason)]);
        table.row([scope, line(second), line(first), mark(row.read_by), line(&row.read_by_reason)]);
    }
    table.render(paint)
}

#[cfg(test)]
mod tests {
    use orgmem_hierarchy::Relation;
    use orgmem_types::RelationRow;

    use super::*;

    #[test]
    fn relation_is_shown_in_both_directions() {
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
        assert_eq!(render_relation(&relation, "bot", "acme", Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
