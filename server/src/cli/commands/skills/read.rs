use clap::Args;
use orgmem_types::{DiffSkill, ListSkills, ReadSkill, Skill, SkillDetail, SkillStatus};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;

const STATUSES: [&str; 4] = ["candidate", "draft", "active", "withdrawn"];

/// List the skills that a workspace can use; or its drafts, its withdrawn skills, or candidates
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only skills with this status [default: active]
    #[arg(long, value_parser = words::of::<SkillStatus>(&STATUSES))]
    status: Option<SkillStatus>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show a skill with the files of its package
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// Name of the skill
    name: String,
    /// A version of an own skill [default: the active one]
    #[arg(long, value_name = "NUMBER")]
    version: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the difference of two versions of a skill
#[derive(Args, Debug)]
pub(crate) struct Diff {
    /// Name of the skill
    name: String,
    /// Earlier version [default: the active one]
    #[arg(long, value_name = "NUMBER")]
    from: Option<i64>,
    /// Later version [default: the draft]
    #[arg(long, value_name = "NUMBER")]
    to: Option<i64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl List {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let skills = remote.client.list_skills(workspace, &ListSkills { status: self.status }).await?;
        if skills.is_empty() {
            terminal.note("no skills");
        }
        self.format.print(terminal, &skills, |skills, paint| {
            skills.iter().map(|skill| summary(skill, paint)).collect::<Vec<_>>().join("\n")
        })
    }
}

impl Show {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let skill = remote.client.read_skill(workspace, &self.name, &ReadSkill { version: self.version }).await?;
        self.format.print(terminal, &skill, |SkillDetail { skill, files, .. }, paint| {
            let mut text = summary(skill, paint);
            for file in files {
                text.push_str(&format!("\n{}\n{}", paint.strong(&line(&file.path)), block(&file.text, 2)));
            }
            text
        })
    }
}

impl Diff {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = DiffSkill { from: self.from, to: self.to };
        let difference = remote.client.diff_skill(workspace, &self.name, &query).await?;
        self.format.print(terminal, &difference, |difference, _| block(&difference.diff, 0))
    }
}

/// Name, status and version, then the description.
pub(super) fn summary(skill: &Skill, paint: Paint) -> String {
    let status = format!("{:?}", skill.status).to_lowercase();
    let name = if skill.name.is_empty() { "(no name)" } else { &skill.name };
    let mut head = vec![paint.strong(&line(name)), if skill.failing { paint.bad("failing") } else { status }];
    head.extend(skill.version.map(|version| format!("version {version}")));
    head.extend(
        skill.draft_version.filter(|draft| skill.version != Some(*draft)).map(|draft| format!("draft {draft}")),
    );
    head.push(format!("{} of {}", skill.scope, line(&skill.workspace_name)));
    head.extend(skill.withdrawn_because.as_deref().map(line));
    head.extend(skill.sources.iter().map(|source| format!("memory {}", source.memory_id)));
    format!("{}\n{}", head.join("  "), block(&skill.description, 2))
}
