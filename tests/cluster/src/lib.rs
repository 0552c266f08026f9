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

/// The only name that needs a password. A test creates the role.
const WITH_PASSWORD: &str = "locked";

/// A running PgBouncer.
#[derive(Debug)]
pub struct Pooler {
    _lifeline: ChildStdin,
}

const POOLER_PORT: u16 = 6432;

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
        let folder = new_folder(&programs)?;
        let data = folder.join("data");
        run(programs.command("initdb").arg("-D").arg(&data).args([
            &format!("--username={USER}"),
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]))?;
        let rules = data.join("pg_hba.conf");
        let trust = fs::read_to_string(&rules).map_err(|error| format!("`{}`: {error}", rules.display()))?;
        fs::write(&rules, format!("local all {WITH_PASSWORD} scram-sha-256\n{trust}"))
            .map_err(|error| format!("`{}`: {error}", rules.display()))?;
        Self::start_on(programs, folder, language, settings)
    }

    /// Starts the cluster whose data are in `folder`.
    fn start_on(
        programs: Programs,
        folder: PathBuf,
        language: Option<&'static str>,
        settings: &[&str],
    ) -> Result<Self, String> {
        let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
        run(&mut programs.start(&folder, &settings, language))?;
        let lifeline = lifeline::watch(&programs.stop(&folder), &folder).map_err(|error| format!("`sh`: {error}"))?;
        Ok(Self { programs, settings, language, folder, _lifeline: lifeline })
    }

    /// Starts a standby of the cluster with these settings. Commits wait for it if those of the cluster contain
    /// `synchronous_standby_names=*`.
    pub fn start_standby(&self, settings: &[&str]) -> Result<Self, String> {
        let programs = Programs::find()?;
        let folder = new_folder(&programs)?;
        let mut copy = programs.command("pg_basebackup");
        copy.arg("-h").arg(&self.folder).arg("-D").arg(folder.join("data"));
        run(copy.args(["-U", USER, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]))?;
        Self::start_on(programs, folder, self.language, settings)
    }

    /// Makes a standby the primary.
    pub fn promote(&self) -> Result<(), String> {
        run(self.tool("pg_ctl").arg("-D").arg(self.folder.join("data")).args(["-w", "promote"]))
    }

    /// A program of this PostgreSQL, such as `pg_dump`, as the user of the cluster.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        self.programs.command(name)
    }

    /// Stops the cluster immediately, without a checkpoint.
    pub fn crash(&self) -> Result<(), String> {
        run(&mut self.programs.stop(&self.folder))
    }

    /// Starts the cluster again on the same data.
    pub fn restart(&self) -> Result<(), String> {
        run(&mut self.programs.start(&self.folder, &self.settings, self.language))
    }

    /// Starts a PgBouncer in front of the cluster, which pools by transaction. It ends with this process.
    pub fn start_pooler(&self, connect_query: &str) -> Result<Pooler, String> {
        let folder = self.folder.display();
        // each test has a database, whose idle connections count against the limit of the cluster
        let settings = format!(
            "[databases]\n* = host={folder} user={USER} connect_query='{connect_query}'\n[pgbouncer]\nlisten_addr =\n\
             listen_port = {POOLER_PORT}\nunix_socket_dir = {folder}\nauth_type = any\npool_mode = transaction\n\
             max_client_conn = 2000\ndefault_pool_size = 10\nserver_idle_timeout = 5\nlogfile = {folder}/pooler.log\n"
        );
        let file = self.folder.join("pooler.ini");
        fs::write(&file, settings).map_err(|error| format!("`{}`: {error}", file.display()))?;
        // the end of this process closes the standard input of the shell, which then stops the pooler
        let script = format!("pgbouncer -q {} & pooler=$!; read -r line; kill -INT $pooler", file.display());
        let mut command = self.programs.command("/bin/sh");
        command.args(["-c", &script]).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let lifeline = child.as_mut().ok().and_then(|child| child.stdin.take());
        let socket = self.folder.join(format!(".s.PGSQL.{POOLER_PORT}"));
        for _ in 0..200 {
            if socket.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        match lifeline.filter(|_| socket.exists()) {
            Some(lifeline) => Ok(Pooler { _lifeline: lifeline }),
            None => Err("PgBouncer does not start: install it (`apt-get install pgbouncer`)".into()),
        }
    }

    /// The URL of a database through the pooler.
    #[must_use]
    pub fn pooler_url(&self, database: &str) -> String {
        format!("{}&port={POOLER_PORT}", self.url(database))
    }

    /// The log of the cluster up to now.
    pub fn log(&self) -> Result<String, String> {
        let path = self.folder.join("log");
        let log = fs::read(&path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        Ok(String::from_utf8_lossy(&log).into_owned())
    }

    /// The URL of a database; `postgres` always exists.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@/{database}?host={}", self.folder.display())
    }

    /// The URL of a database on the cluster or its standby, whichever is the primary.
    #[must_use]
    pub fn url_on_primary(&self, standby: &Self, database: &str) -> String {
        format!("{},{}&target_session_attrs=read-write", self.url(database), standby.folder.display())
    }

    /// The URL of a database for the role `locked` with a password.
    #[must_use]
    pub fn url_with_password(&self, database: &str, password: &str) -> String {
        self.url(database).replacen(USER, &format!("{WITH_PASSWORD}:{password}"), 1)
    }
}

/// A new folder of the user that runs PostgreSQL.
fn new_folder(programs: &Programs) -> Result<PathBuf, String> {
    let folder = TempDir::with_prefix("orgmem-pg-").map_err(|error| error.to_string())?.keep();
    let owned = fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))
        .and_then(|()| programs.run_as.as_ref().map_or(Ok(()), |user| chown(&folder, Some(user.number), None)));
    owned.map_err(|error| format!("`{}`: {error}", folder.display()))?;
    Ok(folder)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!("{command:?} failed: {}{}", text(&output.stdout), text(&output.stderr)))
}
