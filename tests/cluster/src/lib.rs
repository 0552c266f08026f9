//! A private, durable PostgreSQL for tests and for the load generator.
//!
//! It is made from the machine's programs, listens on a socket in its own folder, and ends with the process that
//! started it, also after a crash.

mod lifeline;
mod programs;

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};

use tempfile::TempDir;

use programs::Programs;

/// The superuser; needs no password.
const USER: &str = "orgmem";

/// A running PostgreSQL.
#[derive(Debug)]
pub struct Cluster {
    programs: Programs,
    settings: Vec<String>,
    language: Option<&'static str>,
    folder: PathBuf,
    // the end of the process closes the pipe, which stops the cluster
    _lifeline: ChildStdin,
}

impl Cluster {
    /// Starts a cluster with these additional settings, each as `name=value`.
    pub fn start(settings: &[&str]) -> Result<Self, String> {
        Self::start_in(None, settings)
    }

    /// Starts a cluster whose messages are in `language`, for example `de`, if PostgreSQL has that translation.
    pub fn start_translated(language: &'static str, settings: &[&str]) -> Result<Self, String> {
        // messages follow LANGUAGE under every locale except `C`
        Self::start_in(Some(language), &[settings, &["lc_messages=C.UTF-8"]].concat())
    }

    fn start_in(language: Option<&'static str>, settings: &[&str]) -> Result<Self, String> {
        let programs = Programs::find()?;
        let folder = TempDir::with_prefix("orgmem-pg-").map_err(|error| error.to_string())?.keep();
        let owned = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))
            .and_then(|()| programs.run_as.as_ref().map_or(Ok(()), |user| chown(&folder, Some(user.number), None)));
        owned.map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let data = folder.join("data");
        run(programs.command("initdb").arg("-D").arg(&data).args([
            &format!("--username={USER}"),
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]))?;
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        run(&mut programs.start(&folder, &settings, language))?;
        let lifeline = lifeline::watch(&programs.stop(&folder), &folder).map_err(|error| format!("`sh`: {error}"))?;
        Ok(Self { programs, settings, language, folder, _lifeline: lifeline })
    }

    /// Stops the cluster immediately, without a checkpoint.
    pub fn crash(&self) -> Result<(), String> {
        run(&mut self.programs.stop(&self.folder))
    }

    /// Starts the cluster again on the same data.
    pub fn restart(&self) -> Result<(), String> {
        run(&mut self.programs.start(&self.folder, &self.settings, self.language))
    }

    /// The URL of a database; `postgres` always exists.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@/{database}?host={}", self.folder.display())
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{command:?} failed: {}{}", text(&output.stdout), text(&output.stderr)))
}
