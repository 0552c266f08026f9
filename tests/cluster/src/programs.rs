//! PostgreSQL's programs on this machine, and the user to run them as.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug)]
pub(crate) struct Programs {
    folder: PathBuf,
    /// `None` if the current user may run them.
    pub(crate) run_as: Option<User>,
}

/// A user other than root.
#[derive(Debug)]
pub(crate) struct User {
    name: &'static str,
    pub(crate) number: u32,
}

impl Programs {
    /// Searches `ORGMEM_TEST_POSTGRES_BIN`, Debian's folders, the folder of `pg_config`, and the path.
    pub(crate) fn find() -> Result<Self, String> {
        Ok(Self { folder: folder()?, run_as: unprivileged_user()? })
    }

    pub(crate) fn command(&self, name: &str) -> Command {
        let path = self.folder.join(name);
        let mut command = match &self.run_as {
            None => Command::new(path),
            Some(User { name, .. }) => {
                let mut command = Command::new("setpriv");
                let ids = [format!("--reuid={name}"), format!("--regid={name}"), "--clear-groups".into()];
                command.args(ids).arg(path);
                command
            }
        };
        // a folder that every user may enter
        command.current_dir("/");
        command
    }

    /// The command that starts the cluster in `folder`, with its socket.
    pub(crate) fn start(&self, folder: &Path, settings: &[String], language: Option<&str>) -> Command {
        let mut options = format!("-c listen_addresses='' -c unix_socket_directories='{}'", folder.display());
        for setting in settings {
            options.push_str(" -c ");
            options.push_str(setting);
        }
        let mut command = self.command("pg_ctl");
        command.arg("-D").arg(folder.join("data")).args(["-w", "-t", "60", "-o", &options, "-l"]);
        command.arg(folder.join("log")).arg("start").envs(language.map(|language| ("LANGUAGE", language)));
        command
    }

    /// The command that stops it immediately.
    pub(crate) fn stop(&self, folder: &Path) -> Command {
        let mut command = self.command("pg_ctl");
        command.arg("-D").arg(folder.join("data")).args(["-m", "immediate", "stop"]);
        command
    }
}

fn folder() -> Result<PathBuf, String> {
    let named = std::env::var_os("ORGMEM_TEST_POSTGRES_BIN").map(PathBuf::from);
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    debian.sort();
    debian.reverse();
    let config = Command::new("pg_config").arg("--bindir").output().ok();
    let config = config.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let mut folders = named.into_iter().chain(debian).chain(config).chain(on_path.unwrap_or_default());
    let found = folders.find(|folder| ["initdb", "pg_ctl", "postgres"].iter().all(|name| folder.join(name).is_file()));
    found.ok_or_else(|| {
        "no PostgreSQL on this machine: install one (`apt-get install postgresql`), or set ORGMEM_TEST_POSTGRES_BIN to \
         the folder of `initdb`"
            .into()
    })
}

/// The user to run PostgreSQL as, because it refuses to run as root.
fn unprivileged_user() -> Result<Option<User>, String> {
    let number = |args: &[&str]| -> Option<u32> {
        let output = Command::new("id").args(args).stderr(Stdio::null()).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    if number(&["-u"]) != Some(0) {
        return Ok(None);
    }
    let user = ["postgres", "nobody"].into_iter().find_map(|name| Some(User { name, number: number(&["-u", name])? }));
    user.map(Some).ok_or_else(|| "PostgreSQL does not run as root, and there is no user `postgres` or `nobody`".into())
}
