//! A shell for tests of the command line.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::Command;

use crate::TestApp;
use crate::program::program;

/// A shell with its own home, `orgmem` on the path, and an otherwise almost empty environment.
pub struct Shell {
    home: TempDir,
    variables: BTreeMap<String, String>,
}

#[derive(Clone, Debug)]
pub struct ShellOutput {
    pub line: String,
    /// `None` after a signal.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Shell {
    #[must_use]
    pub fn new() -> Self {
        let home = TempDir::with_prefix("orgmem-home-").expect("a temporary folder");
        let known = std::env::var("PATH").unwrap_or_default();
        let folder = program().parent().expect("a program lies in a folder").display();
        let variables = [("HOME", home.path().display().to_string()), ("PATH", format!("{folder}:{known}"))];
        let variables = variables.map(|(name, value)| (name.to_owned(), value)).into();
        Self { home, variables }
    }

    /// A shell with the address of this server and an admin's token.
    #[must_use]
    pub fn to(app: &TestApp) -> Self {
        let token = app.token("admin", None).text();
        Self::new().with("ORGMEM_URL", app.address()).with("ORGMEM_TOKEN", &token)
    }

    /// `orgmem` treats an empty variable as absent.
    #[must_use]
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.insert(variable.to_owned(), value.to_owned());
        self
    }

    /// The home and working folder.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    #[must_use]
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(&self.variables).current_dir(self.home()).kill_on_drop(true);
        command
    }

    /// Runs one or more lines with `sh -c`.
    pub async fn enter(&self, line: &str) -> ShellOutput {
        let mut shell = self.command("sh");
        let output = shell.args(["-c", line]).stdin(Stdio::null()).output().await.expect("a shell starts");
        ShellOutput {
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

impl ShellOutput {
    #[track_caller]
    #[must_use]
    pub fn success(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }
}
