//! Profiles and their memories.

use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{Isolation, ListMemories, Order, Profile, ProfileSummary, Strategy};
use uuid::Uuid;

use crate::cli::commands::commit::Commit;
use crate::cli::commands::search;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, block, line};
use crate::cli::remote::{Acting, Remote, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// The server's maximum page size.
const PAGE: usize = 50;

/// List the profiles of a workspace
#[derive(Args, Debug)]
pub(crate) struct ListProfiles {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// List a workspace's own memories of a profile, those with the highest confidence first
#[derive(Args, Debug)]
pub(crate) struct ListProfileMemories {
    /// Name or id of the profile [default: the default profile]
    #[arg(short, long)]
    profile: Option<String>,
    /// Only this scope; `project` and `conversation` mean LOCAL
    #[arg(short, long, ignore_case = true, value_parser = words::scope())]
    scope: Option<Scope>,
    /// Maximum number of memories
    #[arg(short, long, default_value_t = 10, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Commit a memory into a profile
#[derive(Args, Debug)]
pub(crate) struct WriteEntry {
    /// Name or id of the profile [default: the default profile]
    #[arg(short, long)]
    profile: Option<String>,
    #[command(flatten)]
    commit: Commit,
}

/// Summarise a workspace's own memories of a profile
#[derive(Args, Debug)]
pub(crate) struct Summarize {
    /// Name or id of the profile [default: the default profile]
    #[arg(id = "name", value_name = "PROFILE")]
    name: Option<String>,
    /// The same, as an option
    #[arg(short, long, conflicts_with = "name")]
    profile: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

const COLUMNS: [(&str, Align); 6] = [
    ("profile", Align::Left),
    ("id", Align::Left),
    ("isolation", Align::Left),
    ("retention", Align::Left),
    ("injection", Align::Left),
    ("excluded", Align::Left),
];

impl ListProfiles {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let profiles = remote.client.list_profiles(remote.acting(&self.acting).await?).await?;
        self.format.print(terminal, &profiles, |profiles, paint| profile_table(profiles, paint))
    }
}

pub(crate) fn profile_table(profiles: &[Profile], paint: Paint) -> String {
    let mut table = Table::new(&COLUMNS);
    profiles.iter().for_each(|profile| table.row(row(profile)));
    table.render(paint)
}

impl ListProfileMemories {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.of_profile(&self.acting, self.profile.as_deref()).await?;
        let profile_id = Some(find_profile(&remote, workspace, self.profile.as_deref()).await?);
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let (scope, order) = (self.scope, Some(Order::Confidence));
            let page = ListMemories { scope, order, profile_id, limit: Some(limit), cursor, ..ListMemories::default() };
            remote.client.search_memories(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no memories in this profile", |memory, paint| {
            search::render(memory, terminal.now, paint)
        })
    }
}

impl WriteEntry {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        self.commit.run_into(Some(self.profile), terminal, local).await
    }
}

impl Summarize {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let profile = self.profile.or(self.name);
        let workspace = remote.of_profile(&self.acting, profile.as_deref()).await?;
        let profile = find_profile(&remote, workspace, profile.as_deref()).await?;
        let summary = remote.client.summarize_profile(workspace, profile).await?;
        self.format.print(terminal, &summary, |summary, _| render(summary))?;
        if let Some(reason) = &summary.fell_back {
            terminal.note(&format!("summarised by the server itself: {}", line(reason)));
        }
        Ok(())
    }
}

/// The profile with this name or id, by default the default profile.
pub(crate) async fn find_profile(remote: &Remote, workspace: Uuid, name: Option<&str>) -> Result<Uuid, CliError> {
    let profiles = remote.client.list_profiles(workspace).await?;
    let matches = |profile: &&Profile| match name {
        Some(name) => profile.name == name || profile.id.to_string() == name.to_lowercase(),
        None => profile.is_default,
    };
    profiles.iter().find(matches).map(|profile| profile.id).ok_or_else(|| {
        let names: Vec<String> = profiles.iter().map(|profile| line(&profile.name)).collect();
        let name = line(name.unwrap_or_default());
        CliError::CheckFailed(format!("the workspace has no profile `{name}`; it has {}", names.join(", ")))
    })
}

fn row(profile: &Profile) -> [String; 6] {
    let isolation = match profile.isolation {
        Isolation::Tree => "tree",
        Isolation::Team => "team",
        Isolation::Isolated => "isolated",
        Isolation::Profile => "profile",
    };
    let strategy = match profile.injection.strategy {
        Strategy::Confidence => "confidence",
        Strategy::Recent => "recent",
        Strategy::Relevance => "relevance",
        Strategy::Off => "off",
    };
    let injection = match profile.injection.strategy {
        Strategy::Off => strategy.to_owned(),
        _ => format!("{} by {strategy}", profile.injection.limit),
    };
    let age = profile.retention.max_age_seconds.map(|seconds| format!("{seconds} s"));
    let entries = profile.retention.max_entries.map(|max| format!("{max} memories"));
    let retention: Vec<String> = age.into_iter().chain(entries).collect();
    let or = |text: String, default: &str| if text.is_empty() { default.to_owned() } else { text };
    let mark = if profile.is_default { " (default)" } else { "" };
    [
        format!("{}{mark}", line(&profile.name)),
        profile.id.to_string(),
        isolation.to_owned(),
        or(retention.join(", "), "all"),
        injection,
        or(profile.excluded_kinds.join(", "), "-"),
    ]
}

fn render(summary: &ProfileSummary) -> String {
    let scopes = &summary.scopes;
    let counts =
        format!("{} memories: {} LOCAL, {} TEAM, {} GLOBAL\n", summary.count, scopes.local, scopes.team, scopes.global);
    if summary.summary.is_empty() { counts } else { counts + &block(&summary.summary, 2) }
}
