//! A private PostgreSQL, durable like the real thing, for tests and for the load generator.
//!
//! It is made from the programs found on this machine, listens on a socket in a folder of its own, and is gone when the
//! process that started it is, however that ends.

mod lifeline;
mod programs;

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};

use tempfile::TempDir;

use programs::Programs;

/// The superuser, who needs no password.
const USER: &str = "orgmem";

/// A PostgreSQL that runs.
#[derive(Debug)]
pub struct Cluster {
    programs: Programs,
    settings: Vec<String>,
    folder: PathBuf,
    // closing it, which the end of the process does, ends the cluster
    _lifeline: ChildStdin,
}

impl Cluster {
    /// Starts one with these settings besides its own, each as `name=value`.
    ///
    /// # Errors
    /// When there is no PostgreSQL on this machine, or it does not start: what is missing is said.
    pub fn start(settings: &[&str]) -> Result<Self, String> {
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
        run(&mut programs.begin(&folder, &settings))?;
        let lifeline = lifeline::watch(&programs.end(&folder), &folder).map_err(|error| format!("`sh`: {error}"))?;
        Ok(Self { programs, settings, folder, _lifeline: lifeline })
    }

    /// Ends it as a crash does: nothing is written that was not.
    ///
    /// # Errors
    /// When it does not run.
    pub fn crash(&self) -> Result<(), String> {
        run(&mut self.programs.end(&self.folder))
    }

    /// Starts it again on what it has stored.
    ///
    /// # Errors
    /// When it does not start.
    pub fn come_back(&self) -> Result<(), String> {
        run(&mut self.programs.begin(&self.folder, &self.settings))
    }

    /// The address of one of its databases; there is `postgres` from the start.
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
