//! The command line, as somebody types it into a shell.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::Command;

use crate::TestApp;
use crate::program::program;

/// A person's shell: a home and a folder of their own, `orgmem` on the path, and next to nothing in the environment.
pub struct Shell {
    home: TempDir,
    variables: BTreeMap<String, String>,
}

/// What a line printed, and how it ended.
#[derive(Clone, Debug)]
pub struct Said {
    /// The line.
    pub line: String,
    /// The exit code; none when it was killed.
    pub code: Option<i32>,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Shell {
    /// One that knows of no server.
    ///
    /// # Panics
    /// When there is no room for a folder.
    #[must_use]
    pub fn new() -> Self {
        let home = TempDir::with_prefix("orgmem-home-").expect("a temporary folder");
        let known = std::env::var("PATH").unwrap_or_default();
        let folder = program().parent().expect("a program lies in a folder").display();
        let variables = [("HOME", home.path().display().to_string()), ("PATH", format!("{folder}:{known}"))];
        let variables = variables.map(|(name, value)| (name.to_owned(), value)).into();
        Self { home, variables }
    }

    /// One that talks to this server, as an admin.
    #[must_use]
    pub fn to(app: &TestApp) -> Self {
        let token = app.token("admin", None).text();
        Self::new().with("ORGMEM_URL", app.address()).with("ORGMEM_TOKEN", &token)
    }

    /// With a variable in its environment; an empty one counts as absent.
    #[must_use]
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.insert(variable.to_owned(), value.to_owned());
        self
    }

    /// The home, which lines are typed in.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// A process that is to be started from this shell.
    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables).current_dir(self.home()).kill_on_drop(true);
        command
    }

    /// Types a line, or several, and waits until all is done.
    ///
    /// # Panics
    /// When there is no shell.
    pub async fn enter(&self, line: &str) -> Said {
        let mut shell = self.command("sh");
        let output = shell.args(["-c", line]).stdin(Stdio::null()).output().await.expect("a shell starts");
        Said {
            line: line.to_owned(),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Default for Shell {
    fn default() -> Self {
        Self::new()
    }
}

impl Said {
    /// The same, which must have gone well.
    ///
    /// # Panics
    /// When it has not: the test has failed.
    #[track_caller]
    #[must_use]
    pub fn well(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }
}
