use clap::Args;
use orgmem_types::{BudgetLimits, WorkspaceBudget};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::Paint;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// Show or set the budget of a workspace and everything below it
#[derive(Args, Debug)]
pub(crate) struct Budget {
    /// Workspace: its id, name or path
    workspace: String,
    /// Live memories; limits that are not named stay as they are
    #[arg(long, value_name = "COUNT")]
    memories: Option<i64>,
    /// Bytes of memories, with earlier versions
    #[arg(long, value_name = "COUNT")]
    bytes: Option<i64>,
    /// Memories, entries and episodes that are written in a minute
    #[arg(long, value_name = "COUNT")]
    writes_per_minute: Option<i64>,
    /// Searches in a minute
    #[arg(long, value_name = "COUNT")]
    searches_per_minute: Option<i64>,
    /// Memories and queries that are embedded in 24 hours
    #[arg(long, value_name = "COUNT")]
    embeddings_per_day: Option<i64>,
    /// Remove all limits of the workspace first
    #[arg(long)]
    clear: bool,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Budget {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let id = remote.workspace(&self.workspace).await?;
        let named = BudgetLimits {
            memories: self.memories,
            bytes: self.bytes,
            writes_per_minute: self.writes_per_minute,
            searches_per_minute: self.searches_per_minute,
            embeddings_per_day: self.embeddings_per_day,
        };
        if self.clear && named == BudgetLimits::default() {
            remote.client.remove_budget(id).await?;
        }
        let mut budget = remote.client.read_budget(id).await?;
        if named != BudgetLimits::default() {
            let known = budget.own.filter(|_| !self.clear).map(|own| own.limits).unwrap_or_default();
            budget = remote.client.set_budget(id, &merged(named, known)).await?;
        }
        self.format.print(terminal, &budget, render)
    }
}

fn merged(named: BudgetLimits, known: BudgetLimits) -> BudgetLimits {
    BudgetLimits {
        memories: named.memories.or(known.memories),
        bytes: named.bytes.or(known.bytes),
        writes_per_minute: named.writes_per_minute.or(known.writes_per_minute),
        searches_per_minute: named.searches_per_minute.or(known.searches_per_minute),
        embeddings_per_day: named.embeddings_per_day.or(known.embeddings_per_day),
    }
}

/// One line per limit, with what is used of it; the workspace's own budget first.
fn render(found: &WorkspaceBudget, paint: Paint) -> String {
    let budgets: Vec<_> = found.own.iter().chain(&found.inherited).collect();
    if budgets.is_empty() {
        return "no budget\n".to_owned();
    }
    let mut text = String::new();
    for budget in budgets {
        let (limits, used) = (budget.limits, budget.used);
        let lines = [
            ("memories", limits.memories, used.memories),
            ("bytes", limits.bytes, used.bytes),
            ("writes per minute", limits.writes_per_minute, used.writes_per_minute),
            ("searches per minute", limits.searches_per_minute, used.searches_per_minute),
            ("embeddings per day", limits.embeddings_per_day, used.embeddings_per_day),
        ];
        let heading = match found.own.as_ref() == Some(budget) {
            true => "own budget".to_owned(),
            false => format!("inherited from {}", budget.workspace_id),
        };
        text.push_str(&(paint.strong(&heading) + "\n"));
        for (name, limit, used) in lines {
            if let Some(limit) = limit {
                text.push_str(&format!("  {}  {used} of {limit}\n", paint.faint(&format!("{name:<19}"))));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use orgmem_types::{Budget, BudgetUsage};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn budget_is_shown_with_what_is_used() {
        let budget = |id, limits| {
            let used = BudgetUsage { memories: 7, bytes: 900, ..BudgetUsage::default() };
            Budget { workspace_id: Uuid::from_u128(id), limits, used }
        };
        let own = budget(2, BudgetLimits { memories: Some(10), ..BudgetLimits::default() });
        let above =
            budget(1, BudgetLimits { bytes: Some(1_000), searches_per_minute: Some(60), ..BudgetLimits::default() });
        let lines = [
            "own budget",
            "  memories             7 of 10",
            "inherited from 00000000-0000-0000-0000-000000000001",
            "  bytes                900 of 1000",
            "  searches per minute  0 of 60",
        ];
        let found = WorkspaceBudget { own: Some(own), inherited: vec![above] };
        assert_eq!(render(&found, Paint::none()).lines().collect::<Vec<_>>(), lines);
        assert_eq!(render(&WorkspaceBudget { own: None, inherited: vec![] }, Paint::none()), "no budget\n");
    }

    #[test]
    fn limits_that_are_not_named_stay() {
        let named = BudgetLimits { bytes: Some(2), ..BudgetLimits::default() };
        let known = BudgetLimits { memories: Some(1), bytes: Some(1), ..BudgetLimits::default() };
        let both = BudgetLimits { memories: Some(1), bytes: Some(2), ..BudgetLimits::default() };
        assert_eq!(merged(named, known), both);
    }
}
