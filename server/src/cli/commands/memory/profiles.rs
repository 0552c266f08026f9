//! Profiles at the command line, and the memories of one.

use clap::Args;
use orgmem_types::{Isolation, ListMemories, Profile, ProfileSummary, Strategy};
use uuid::Uuid;

use crate::cli::commands::commit::Commit;
use crate::cli::commands::search;
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::paging::up_to;
use crate::cli::print::{Align, Table, block, line};
use crate::cli::remote::{Acting, Remote, Server};
use crate::cli::shown::OutputFormat;
use crate::cli::terminal::Terminal;

/// The server's ceiling for one page.
const PAGE: usize = 50;

/// List the profiles of a workspace: how it remembers
#[derive(Args, Debug)]
pub(crate) struct ListProfiles {
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// List a workspace's own memories that belong to a profile
#[derive(Args, Debug)]
pub(crate) struct ListEntries {
    /// Name or id of the profile [default: the default one]
    #[arg(short, long)]
    profile: Option<String>,
    /// At most so many
    #[arg(short, long, default_value_t = 10, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Commit a memory into a profile
#[derive(Args, Debug)]
pub(crate) struct WriteEntry {
    /// Name or id of the profile [default: the default one]
    #[arg(short, long)]
    profile: Option<String>,
    #[command(flatten)]
    commit: Commit,
}

/// Sum up a workspace's own memories that belong to a profile
#[derive(Args, Debug)]
pub(crate) struct Summarize {
    /// Name or id of the profile [default: the default one]
    profile: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    shown: OutputFormat,
    #[command(flatten)]
    server: Server,
}

const COLUMNS: [(&str, Align); 6] = [
    ("profile", Align::Left),
    ("id", Align::Left),
    ("reads", Align::Left),
    ("keeps", Align::Left),
    ("injects", Align::Left),
    ("does without", Align::Left),
];

impl ListProfiles {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let profiles = remote.client.list_profiles(remote.acting(&self.acting).await?).await?;
        self.shown.print(terminal, &profiles, |profiles, paint| {
            let mut table = Table::new(&COLUMNS);
            profiles.iter().for_each(|profile| table.row(row(profile)));
            table.render(paint)
        })
    }
}

impl ListEntries {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let at = remote.acting(&self.acting).await?;
        let profile_id = Some(find(&remote, at, self.profile.as_deref()).await?);
        let found = up_to(self.limit, PAGE, async |limit, cursor| {
            let page = ListMemories { profile_id, limit: Some(limit), cursor, ..ListMemories::default() };
            remote.client.search_memories(at, &page).await
        })
        .await?;
        self.shown.print(terminal, &found.items, |memories, paint| {
            memories.iter().map(|memory| search::render(memory, terminal.now, paint)).collect::<Vec<_>>().join("\n")
        })?;
        match (found.items.is_empty(), found.more) {
            (true, _) => terminal.note("nothing belongs to this profile"),
            (_, true) => terminal.note(&format!("the first {}; --limit shows more", self.limit)),
            _ => {}
        }
        Ok(())
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
        let at = remote.acting(&self.acting).await?;
        let profile = find(&remote, at, self.profile.as_deref()).await?;
        let summary = remote.client.summarize_profile(at, profile).await?;
        self.shown.print(terminal, &summary, |summary, _| render(summary))?;
        if let Some(reason) = &summary.fell_back {
            terminal.note(&format!("made by the server itself: {}", line(reason)));
        }
        Ok(())
    }
}

/// The profile of this name or id; the default one when none is named.
pub(crate) async fn find(remote: &Remote, at: Uuid, named: Option<&str>) -> Result<Uuid, CliError> {
    let profiles = remote.client.list_profiles(at).await?;
    let is_meant = |profile: &&Profile| match named {
        Some(named) => profile.name == named || profile.id.to_string() == named.to_lowercase(),
        None => profile.is_default,
    };
    profiles.iter().find(is_meant).map(|profile| profile.id).ok_or_else(|| {
        let names: Vec<String> = profiles.iter().map(|profile| line(&profile.name)).collect();
        let named = line(named.unwrap_or_default());
        CliError::NotWell(format!("the workspace has no profile `{named}`; it has {}", names.join(", ")))
    })
}

fn row(profile: &Profile) -> [String; 6] {
    let isolation = match profile.isolation {
        Isolation::Tree => "tree",
        Isolation::Team => "team",
        Isolation::Isolated => "isolated",
    };
    let strategy = match profile.injection.strategy {
        Strategy::Confidence => "confidence",
        Strategy::Recent => "recent",
        Strategy::Relevance => "relevance",
        Strategy::Off => "off",
    };
    let injects = match profile.injection.strategy {
        Strategy::Off => strategy.to_owned(),
        _ => format!("{} by {strategy}", profile.injection.limit),
    };
    let age = profile.retention.max_age_seconds.map(|seconds| format!("{seconds} s"));
    let entries = profile.retention.max_entries.map(|most| format!("{most} memories"));
    let keeps: Vec<String> = age.into_iter().chain(entries).collect();
    let or = |text: String, none: &str| if text.is_empty() { none.to_owned() } else { text };
    let mark = if profile.is_default { " (default)" } else { "" };
    [
        format!("{}{mark}", line(&profile.name)),
        profile.id.to_string(),
        isolation.to_owned(),
        or(keeps.join(", "), "all"),
        injects,
        or(profile.excluded_kinds.join(", "), "-"),
    ]
}

fn render(summary: &ProfileSummary) -> String {
    let scopes = &summary.scopes;
    let counted =
        format!("{} memories: {} LOCAL, {} TEAM, {} GLOBAL\n", summary.count, scopes.local, scopes.team, scopes.global);
    if summary.summary.is_empty() { counted } else { counted + &block(&summary.summary, 2) }
}
