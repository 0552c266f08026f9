use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{MemoryCounts, TreeNode, TreeQuery};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::print::{Align, Paint, Table, ago, line};
use crate::cli::remote::{Remote, Server};
use crate::cli::shown::OutputFormat;
use crate::cli::terminal::Terminal;

/// Levels that fit into one answer: each is two of the 128 that a JSON reader goes down.
const MAX_DEPTH: u64 = 50;

/// Show the tree of workspaces, with what each remembers
#[derive(Args, Debug)]
pub(crate) struct Tree {
    /// Workspace to begin at: its id, name or path; without it all that the token covers
    workspace: Option<String>,
    /// So many levels below it
    #[arg(short, long, default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(u64).range(..=MAX_DEPTH))]
    depth: u64,
    #[command(flatten)]
    shown: OutputFormat,
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
        self.shown.print(terminal, &trees, |trees, paint| drawn(trees, terminal.now, paint))?;
        if trees.is_empty() {
            terminal.note("no workspaces yet; `orgmem workspace create <name>` makes the root of an org");
        }
        Ok(())
    }
}

/// Where the caller's trees begin: at the workspace it is bound to, for an admin at every root.
async fn tops(remote: &Remote) -> Result<Vec<uuid::Uuid>, CliError> {
    match remote.client.me().await?.workspace_id {
        Some(workspace) => Ok(vec![workspace]),
        None => Ok(remote.client.admin_tree().await?.orgs.iter().map(|org| org.org_id).collect()),
    }
}

/// The trees as a table whose first column is drawn.
fn drawn(trees: &[TreeNode], now: DateTime<Utc>, paint: Paint) -> String {
    let columns = [
        ("workspace", Align::Left),
        ("local", Align::Right),
        ("team", Align::Right),
        ("global", Align::Right),
        ("last write", Align::Left),
        ("id", Align::Left),
    ];
    let mut table = Table::new(&columns);
    // Trees are deep where people are many: a stack of our own, the next row on top.
    let mut rows: Vec<_> = trees.iter().rev().map(|tree| (tree, String::new(), String::new())).collect();
    while let Some((node, lead, below)) = rows.pop() {
        let MemoryCounts { local, team, global } = node.memories;
        let hidden = node.child_count.saturating_sub(node.children.len());
        let more = if hidden == 0 { String::new() } else { format!(" (+{hidden})") };
        table.row([
            format!("{lead}{}{more}", line(&node.name)),
            count(local),
            count(team),
            count(global),
            node.last_write_at.map(|then| ago(then, now)).unwrap_or_default(),
            node.id.to_string(),
        ]);
        for (nth, child) in node.children.iter().enumerate().rev() {
            let (corner, under) =
                if nth + 1 == node.children.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            rows.push((child, format!("{below}{corner}"), format!("{below}{under}")));
        }
    }
    if trees.is_empty() { String::new() } else { table.render(paint) }
}

/// A count; none is not worth a figure.
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
            children,
        }
    }

    #[test]
    fn a_tree_is_drawn_with_its_branches_and_what_is_not_shown() {
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
        assert_eq!(drawn(&[tree], samples::now(), Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
