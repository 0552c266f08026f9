//! Profiles: show, create, change, delete. `memory list-profiles` lists them.

mod settings;

use clap::{Args, Subcommand};
use orgmem_types::{ChangedProfile, CreateProfile, DryRun, PatchProfile, ProfilePreview};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::memory::{find_profile, profile_table};
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use settings::SettingsArgs;

/// Manage the profiles of a workspace: retention, isolation and the context block
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ProfileArgs {
    #[command(subcommand)]
    verb: ProfileCommand,
}

#[derive(Subcommand, Debug)]
enum ProfileCommand {
    /// Show a profile
    Show {
        /// Name or id of the profile [default: the default profile]
        profile: Option<String>,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Create a profile
    Create {
        /// Name of the profile
        name: String,
        /// Content of a memory to commit with it; may be repeated
        #[arg(long = "seed", value_name = "CONTENT")]
        seeds: Vec<String>,
        #[command(flatten)]
        settings: SettingsArgs,
        /// Create nothing; show the memories that would expire, be gained or be lost
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Change a profile; settings without an option stay
    Change {
        /// Name or id of the profile
        profile: String,
        /// New name
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        settings: SettingsArgs,
        /// Change nothing; show the memories that would expire, be gained or be lost
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Delete a profile; its memories move to the default profile
    Delete {
        /// Name or id of the profile
        profile: String,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
}

impl ProfileArgs {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ProfileCommand::Show { profile, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.of_profile(&acting, profile.as_deref()).await?;
                let id = find_profile(&remote, workspace, profile.as_deref()).await?;
                let found = remote.client.read_profile(workspace, id).await?;
                format.print(terminal, &found, |found, paint| profile_table(std::slice::from_ref(found), paint))
            }
            ProfileCommand::Create { name, seeds, settings, dry_run, acting, format, server } => {
                let mut request = settings.into_request();
                request.insert("name".to_owned(), Value::String(name));
                let seeds = seeds.into_iter().map(|content| json!({"content": content})).collect();
                request.insert("seed_entries".to_owned(), Value::Array(seeds));
                let request: CreateProfile = typed(request)?;
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let query = DryRun { dry_run: Some(dry_run) };
                let created = remote.client.create_profile(workspace, &query, &request, None).await?;
                format.print(terminal, &created, render)
            }
            ProfileCommand::Change { profile, name, settings, dry_run, acting, format, server } => {
                let mut request = settings.into_request();
                request.extend(name.map(|name| ("name".to_owned(), Value::String(name))));
                if request.is_empty() {
                    let message = "nothing to change; use options such as --strategy or --max-age";
                    return Err(CliError::Usage(message.to_owned()));
                }
                let request: PatchProfile = typed(request)?;
                let remote = server.connect(local)?;
                let workspace = remote.of_profile(&acting, Some(&profile)).await?;
                let profile = find_profile(&remote, workspace, Some(&profile)).await?;
                let query = DryRun { dry_run: Some(dry_run) };
                let changed = remote.client.change_profile(workspace, profile, &query, &request).await?;
                format.print(terminal, &changed, render)
            }
            ProfileCommand::Delete { profile, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.of_profile(&acting, Some(&profile)).await?;
                let id = find_profile(&remote, workspace, Some(&profile)).await?;
                let deleted = remote.client.delete_profile(workspace, id).await?;
                format.print(terminal, &deleted, |_, _| format!("deleted {}\n", line(&profile)))
            }
        }
    }
}

fn typed<T: DeserializeOwned>(request: Map<String, Value>) -> Result<T, CliError> {
    serde_json::from_value(Value::Object(request)).map_err(|error| CliError::Usage(error.to_string()))
}

fn render(changed: &ChangedProfile, paint: Paint) -> String {
    match changed {
        ChangedProfile::Done(profile) => profile_table(std::slice::from_ref(profile), paint),
        ChangedProfile::Planned(preview) => render_preview(preview),
    }
}

fn render_preview(preview: &ProfilePreview) -> String {
    let counts = |counts: &orgmem_types::MemoryCounts| {
        format!("{} LOCAL, {} TEAM, {} GLOBAL", counts.local, counts.team, counts.global)
    };
    format!(
        "would expire {} memories: {} too old, {} too many\nwould gain {}\nwould lose {}\nnothing was changed\n",
        preview.expires,
        preview.too_old,
        preview.too_many,
        counts(&preview.gains),
        counts(&preview.loses),
    )
}
