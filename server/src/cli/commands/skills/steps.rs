use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{ApproveSkill, DraftSkill, SkillApproval, SkillRule};
use uuid::Uuid;

use super::read::summary;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

const APPROVALS: [&str; 2] = ["operator", "auto"];

/// Draft a skill from procedures
#[derive(Args, Debug)]
pub(crate) struct Draft {
    /// Ids of the procedures, in the order of the package
    #[arg(required = true, value_parser = forms::id)]
    memories: Vec<Uuid>,
    /// Name of the skill [default: made of the title of the first procedure]
    #[arg(long)]
    name: Option<String>,
    /// What it does and when to use it [default: made of the first procedure]
    #[arg(long)]
    description: Option<String>,
    /// Scope of the skill [default: the narrowest of the procedures]
    #[arg(short, long, value_parser = words::scope())]
    scope: Option<Scope>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Approve the draft of a skill
#[derive(Args, Debug)]
pub(crate) struct Approve {
    /// Name of the skill
    name: String,
    /// Refuse any other draft than this version
    #[arg(long, value_name = "NUMBER")]
    version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Withdraw a skill
#[derive(Args, Debug)]
pub(crate) struct Withdraw {
    /// Name of the skill
    name: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the rule that makes candidates, or change some of its values
#[derive(Args, Debug)]
pub(crate) struct Rule {
    /// Successes of a candidate
    #[arg(long, value_name = "NUMBER")]
    successes: Option<u32>,
    /// Distinct runs among them
    #[arg(long, value_name = "NUMBER")]
    runs: Option<u32>,
    /// Distinct sessions among them
    #[arg(long, value_name = "NUMBER")]
    sessions: Option<u32>,
    /// Least lower bound of the success rate
    #[arg(long, value_name = "RATE")]
    lower_bound: Option<f64>,
    /// Part of the successes that the author's own workspace may supply
    #[arg(long, value_name = "PERCENT")]
    own_percent: Option<u32>,
    /// A skill whose lower bound is below this is failing
    #[arg(long, value_name = "RATE")]
    failing_below: Option<f64>,
    /// The last uses that decide about it
    #[arg(long, value_name = "NUMBER")]
    failing_uses: Option<u32>,
    /// Whether a failing skill is withdrawn
    #[arg(long, value_name = "BOOL")]
    withdraw_failing: Option<bool>,
    /// Who approves drafts
    #[arg(long, value_parser = words::of::<SkillApproval>(&APPROVALS))]
    approval: Option<SkillApproval>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Draft {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let (memory_ids, scope) = (self.memories, self.scope);
        let request = DraftSkill { memory_ids, name: self.name, description: self.description, scope, team: None };
        let skill = remote.client.draft_skill(workspace, &request).await?;
        self.format.print(terminal, &skill, summary)
    }
}

impl Approve {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let request = ApproveSkill { version: self.version };
        let skill = remote.client.approve_skill(workspace, &self.name, &request).await?;
        self.format.print(terminal, &skill, summary)
    }
}

impl Withdraw {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let done = remote.client.withdraw_skill(workspace, &self.name).await?;
        self.format.print(terminal, &done, |_, _| "withdrawn\n".to_owned())
    }
}

impl Rule {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let known = remote.client.read_skill_rule(workspace).await?;
        let rule = SkillRule {
            successes: self.successes.unwrap_or(known.successes),
            runs: self.runs.unwrap_or(known.runs),
            sessions: self.sessions.unwrap_or(known.sessions),
            lower_bound: self.lower_bound.unwrap_or(known.lower_bound),
            own_percent: self.own_percent.unwrap_or(known.own_percent),
            failing_below: self.failing_below.unwrap_or(known.failing_below),
            failing_uses: self.failing_uses.unwrap_or(known.failing_uses),
            withdraw_failing: self.withdraw_failing.unwrap_or(known.withdraw_failing),
            approval: self.approval.unwrap_or(known.approval),
        };
        let rule = match rule == known {
            true => known,
            false => remote.client.change_skill_rule(workspace, &rule).await?,
        };
        self.format.print(terminal, &rule, |rule, _| {
            format!(
                "candidate: {} successes in {} runs of {} sessions, lower bound {}; at most {} % by the author\n\
                 failing: lower bound below {} in the last {} uses{}\napproval: {}\n",
                rule.successes,
                rule.runs,
                rule.sessions,
                rule.lower_bound,
                rule.own_percent,
                rule.failing_below,
                rule.failing_uses,
                if rule.withdraw_failing { "; then withdrawn" } else { "" },
                if rule.approval == SkillApproval::Auto { "auto" } else { "operator" },
            )
        })
    }
}
