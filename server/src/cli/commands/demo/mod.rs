//! `orgmem demo`: an example company, and a demonstration of the tree's effect.

mod guide;
mod load;
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use orgmem_store::SystemClock;

use crate::cli::error::CliError;
use crate::cli::local::{Local, admin_token};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::client::{Address, Client};
use crate::config::{FlagValue, SettingOrigin, Settings};
use crate::serve::{self, Running, StopSignals};
use crate::telemetry::Telemetry;

/// Start a server with an example company of agents
#[derive(Args, Debug)]
pub(crate) struct Demo {
    /// Fill the server at this address instead of starting one
    #[arg(long, value_name = "URL", conflicts_with_all = ["listen", "database_url"])]
    url: Option<String>,
    /// Run the demonstration and exit
    #[arg(long)]
    once: bool,
    /// Address and port to listen on [default: 127.0.0.1:7070; with --once any free port]
    #[arg(short, long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// PostgreSQL database [default: SQLite in a separate data folder]
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
}

impl Demo {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match &self.url {
            Some(url) => {
                let server = Server { url: Some(url.clone()), ..Server::default() };
                let client = server.connect(local)?.client;
                present(&client, terminal).await?;
                terminal.print(&guide::text(client.address(), None, None, terminal.paint))
            }
            None => self.serve(terminal, local).await,
        }
    }

    async fn serve(&self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        serve::keep_files_private();
        let settings = self.settings(local)?;
        let data_dir = settings.data_dir.clone();
        let _telemetry = Telemetry::start(&settings.logging).map_err(serve::ServeError::from)?;
        let running = serve::start(settings, Arc::new(SystemClock)).await?;
        let mut signals = StopSignals::catch().map_err(serve::ServeError::Server)?;
        let shown = self.show(&running, &data_dir, terminal).await;
        if shown.is_ok() && !self.once {
            terminal.note("serving until Ctrl-C");
            signals.next().await;
        }
        running.stop().await;
        if let Err(CliError::Client(_) | CliError::CheckFailed(_)) = &shown {
            terminal.note(&format!("to start over, remove `{}`", data_dir.display()));
        }
        shown
    }

    async fn show(&self, running: &Running, data_dir: &Path, terminal: &Terminal) -> Result<(), CliError> {
        let address = Address::parse(&format!("http://{}", running.address_here()))?;
        let client = Client::new(address, admin_token(data_dir)?)?;
        let is_as_expected = present(&client, terminal).await?;
        if self.once {
            let reason = "the demo org was changed, so the demonstration does not work";
            return if is_as_expected { Ok(()) } else { Err(CliError::CheckFailed(reason.to_owned())) };
        }
        let admin_token = running.admin_token().map(|token| token.path.as_path());
        #[cfg(feature = "console")]
        let console = Some(running.console_link());
        #[cfg(not(feature = "console"))]
        let console: Option<String> = None;
        terminal.print(&guide::text(client.address(), admin_token, console.as_deref(), terminal.paint))
    }

    /// The settings of this machine with a separate data folder and database, so that the demo does not mix with real
    /// memories unless the arguments name their folder or database.
    fn settings(&self, local: &Local) -> Result<Settings, CliError> {
        // overrides DATABASE_URL, which may belong to another program
        let mut flags = vec![FlagValue {
            flag: "--database-url",
            setting: "database_url",
            value: self.database_url.clone().unwrap_or_default(),
        }];
        let config = local.load(flags.clone())?;
        if matches!(config.origin("log"), Some(SettingOrigin::Default)) {
            flags.push(FlagValue { flag: "the demo", setting: "log", value: "warn".to_owned() });
        }
        let any_port = self.once.then(|| "127.0.0.1:0".to_owned());
        if let Some(value) = self.listen.clone().or(any_port) {
            flags.push(FlagValue { flag: "--listen", setting: "listen", value });
        }
        let mut settings = local.load(flags)?.settings;
        if local.data_dir.is_none() {
            settings.data_dir = demo_folder(&settings.data_dir);
        }
        Ok(settings)
    }
}

/// Loads the company and runs the demonstration.
///
/// # Returns
/// Whether the demonstration succeeded.
async fn present(client: &Client, terminal: &Terminal) -> Result<bool, CliError> {
    let org = load::load(client, terminal).await?;
    let show = show::play(client, &org).await?;
    terminal.print(&show.render(terminal.paint))?;
    Ok(show.is_as_expected())
}

/// The folder of the demo next to the real data folder: `…/orgmem-demo`.
fn demo_folder(data_dir: &Path) -> PathBuf {
    let mut name = data_dir.file_name().unwrap_or_default().to_owned();
    name.push("-demo");
    data_dir.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demo_folder_is_next_to_the_data_folder() {
        assert_eq!(
            demo_folder(Path::new("/home/ada/.local/share/orgmem")),
            Path::new("/home/ada/.local/share/orgmem-demo")
        );
        assert_eq!(demo_folder(Path::new("data")), Path::new("data-demo"));
    }
}
