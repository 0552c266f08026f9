use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{AdminTreeQuery, MemoryCounts, TreeNode, TreeQuery};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Align, Paint, Table, ago, line};
use crate::cli::remote::{Remote, Server};
use crate::cli::terminal::Terminal;

/// Each level of a tree is two levels of JSON, and the parser accepts 128.
const MAX_DEPTH: u64 = 50;

/// Show the tree of workspaces with their numbers of memories
#[derive(Args, Debug)]
pub(crate) struct Tree {
    /// Top workspace: its id, name or path [default: all that the token covers]
    workspace: Option<String>,
    /// Number of levels below it
    #[arg(short, long, default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(u64).range(..=MAX_DEPTH))]
    depth: u64,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Tree {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let tops = match &self.workspace {
            Some(name) => vec![remote.workspace(name).await?],
            None => tops(&remote).await?,
        };
        let query = TreeQuery { depth: Some(self.depth as usize) };
        let mut trees = Vec::with_capacity(tops.len());
        for top in tops {
            trees.push(remote.client.read_tree(top, &query).await?);
        }
        self.format.print(terminal, &trees, |trees, paint| draw(trees, terminal.now, paint))?;
        if trees.is_empty() {
            terminal.note("no workspaces yet; `orgmem workspace create <name>` creates the root of an org");
        }
        Ok(())
    }
}

/// The top workspaces of the caller: its own workspace, or all roots for an admin.
async fn tops(remote: &Remote) -> Result<Vec<uuid::Uuid>, CliError> {
    match remote.client.read_me().await?.workspace_id {
        Some(workspace) => Ok(vec![workspace]),
        None => {
            let tree = remote.client.read_admin_tree(&AdminTreeQuery::default()).await?;
            Ok(tree.orgs.iter().map(|org| org.org_id).collect())
        }
    }
}

/// The trees as a table. The first column shows the branches.
fn draw(trees: &[TreeNode], now: DateTime<Utc>, paint: Paint) -> String {
    let columns = [
        ("workspace", Align::Left),
        ("local", Align::Right),
        ("team", Align::Right),
        ("global", Align::Right),
        ("last write", Align::Left),
        ("id", Align::Left),
    ];
    let mut table = Table::new(&columns);
    // an explicit stack instead of recursion, because trees may be deep
    let mut rows: Vec<_> = trees.iter().rev().map(|tree| (tree, String::new(), String::new())).collect();
    while let Some((node, prefix, child_prefix)) = rows.pop() {
        let MemoryCounts { local, team, global } = node.memories;
        let hidden = node.child_count.saturating_sub(node.children.len());
        let more = if hidden == 0 { String::new() } else { format!(" (+{hidden})") };
        table.row([
            format!("{prefix}{}{more}", line(&node.name)),
            count(local),
            count(team),
            count(global),
            node.last_write_at.map(|then| ago(then, now)).unwrap_or_default(),
            node.id.to_string(),
        ]);
        for (index, child) in node.children.iter().enumerate().rev() {
            let is_last = index + 1 == node.children.len();
            let (branch, continuation) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            rows.push((child, format!("{child_prefix}{branch}"), format!("{child_prefix}{continuation}")));
        }
    }
    if trees.is_empty() { String::new() } else { table.render(paint) }
}

/// A count, with a dot for zero.
fn count(number: i64) -> String {
    if number == 0 { "·".to_owned() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::cli::samples;

    fn node(number: u128, name: &str, children: Vec<TreeNode>) -> TreeNode {
        TreeNode {
            id: Uuid::from_u128(number),
            name: name.to_owned(),
            role: None,
            child_count: children.len(),
            memories: MemoryCounts { local: number as i64 - 1, team: 2, global: 0 },
            last_write_at: (number > 2).then(samples::now),
            budget: None,
            children,
        }
    }

    #[test]
    fn tree_is_drawn_with_branches_and_hidden_counts() {
        let mut bot = node(3, "bot", vec![]);
        bot.child_count = 4;
        let tree = node(1, "acme", vec![node(2, "dev", vec![bot, node(4, "青森", vec![])]), node(5, "ops\n", vec![])]);
        let lines = [
            "workspace       local  team  global  last write  id",
            "acme                ·     2       ·              00000000-0000-0000-0000-000000000001",
            "├─ dev              1     2       ·              00000000-0000-0000-0000-000000000002",
            "│  ├─ bot (+4)      2     2       ·  just now    00000000-0000-0000-0000-000000000003",
            "│  └─ 青森          3     2       ·  just now    00000000-0000-0000-0000-000000000004",
            "└─ ops              4     2       ·  just now    00000000-0000-0000-0000-000000000005",
        ];
        assert_eq!(draw(&[tree], samples::now(), Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
