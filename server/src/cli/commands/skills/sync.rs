use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use orgmem_types::{Skill, WatchEvents};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Server};
use crate::cli::skill_folder::{Change, SkillFolder, Wanted};
use crate::cli::terminal::Terminal;
use crate::client::{Client, ClientError};
use crate::skill_archive::unpack;

/// The longest time until a change without an event is noticed, such as the move of another workspace.
const INTERVAL: Duration = Duration::from_millis(900);

/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Keep a folder of skill packages equal to what a workspace can use
#[derive(Args, Debug)]
pub(crate) struct Sync {
    /// The folder from which a runtime loads skills
    dir: PathBuf,
    /// Follow changes until interrupted
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    server: Server,
}

impl Sync {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let folder = SkillFolder::open(&self.dir, workspace).map_err(|error| self.failed(error))?;
        let mut following = Following { client: remote.client, workspace, folder, listed: None, foreign: Vec::new() };
        if !self.watch {
            return following.follow(terminal).await.map_err(|fault| fault.or(|error| self.failed(error)));
        }
        let changed = Arc::new(Notify::new());
        let events = tokio::spawn(notify(following.client.clone(), workspace, Arc::clone(&changed)));
        let mut pause = INTERVAL;
        let result = loop {
            match following.follow(terminal).await {
                Ok(()) => pause = INTERVAL,
                // a server that is away comes back; a caller that is refused stays refused
                Err(Fault::Client(ClientError::Problem(problem))) if problem.status < 429 => {
                    break Err(ClientError::Problem(problem).into());
                }
                Err(Fault::Client(error)) => {
                    terminal.note(&format!("{error}; trying again"));
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Err(Fault::Disk(error)) => break Err(self.failed(error)),
            }
            tokio::select! {
                () = changed.notified(), if pause == INTERVAL => {}
                () = tokio::time::sleep(pause) => {}
            }
        };
        events.abort();
        result
    }

    fn failed(&self, error: std::io::Error) -> CliError {
        CliError::Io { action: format!("follow the skills in {}", line(&self.dir.display().to_string())), error }
    }
}

enum Fault {
    Client(ClientError),
    Disk(std::io::Error),
}

impl Fault {
    fn or(self, disk: impl FnOnce(std::io::Error) -> CliError) -> CliError {
        match self {
            Self::Client(error) => error.into(),
            Self::Disk(error) => disk(error),
        }
    }
}

impl From<ClientError> for Fault {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

struct Following {
    client: Client,
    workspace: Uuid,
    folder: SkillFolder,
    /// The tag of the last list, and what it lists.
    listed: Option<(String, Vec<Wanted>)>,
    /// Names in use by others, which were reported.
    foreign: Vec<String>,
}

impl Following {
    /// Makes the folder equal to the list of the server. An edited package is noticed although the list is unchanged.
    async fn follow(&mut self, terminal: &Terminal) -> Result<(), Fault> {
        let known = self.listed.as_ref().map(|(tag, _)| tag.as_str());
        if let Some((tag, skills)) = self.client.changed_skills(self.workspace, known).await? {
            self.listed = Some((tag, skills.iter().filter_map(wanted).collect()));
        }
        let listed = self.listed.as_ref().map(|(_, listed)| listed.clone()).unwrap_or_default();
        for change in self.folder.compare(&listed)? {
            let (name, edited, done) = match change {
                Change::Install(wanted) => {
                    let Some(package) = self.client.skill_package(self.workspace, &wanted.name).await? else {
                        // out of reach since the list; the next one does not have it
                        self.listed = None;
                        continue;
                    };
                    let files = unpack(&wanted.name, &package)?;
                    if orgmem_policies::skill_package::hash_of(&files) != wanted.hash {
                        // changed since the list
                        self.listed = None;
                        continue;
                    }
                    let edited = self.folder.install(&wanted, &files)?;
                    (wanted.name, edited, format!("version {}", wanted.version))
                }
                Change::Remove(name) => {
                    let edited = self.folder.remove(&name)?;
                    (name, edited, "removed".to_owned())
                }
                Change::Foreign(name) => {
                    if !self.foreign.contains(&name) {
                        terminal.note(&format!("{name}: left as it is, because orgmem did not write the folder"));
                        self.foreign.push(name);
                    }
                    continue;
                }
            };
            if let Some(aside) = edited {
                terminal.note(&format!("{name}: it was edited; moved to {}", line(&aside.display().to_string())));
            }
            terminal.note(&format!("{name}: {done}"));
        }
        Ok(())
    }
}

fn wanted(skill: &Skill) -> Option<Wanted> {
    Some(Wanted { name: skill.name.clone(), version: skill.version?, hash: skill.hash.clone()? })
}

/// Notifies of every event of the workspace. A stream that ends is opened again.
async fn notify(client: Client, workspace: Uuid, changed: Arc<Notify>) {
    let query = WatchEvents { subtree: None, follow: Some(true), memories: Some(false) };
    loop {
        if let Ok(mut events) = client.watch_events(workspace, &query, None).await {
            while let Ok(Some(_)) = events.next().await {
                changed.notify_one();
            }
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
