//! The release program, running as it does for everybody.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::Outcome;
use crate::home::Home;
use crate::token;

/// A program that said where it listens. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    /// Kept open, so that the program can write.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// `orgmem serve` with its data in `home`, and nothing else set but the log.
    pub(crate) fn start(program: &Path, home: &Home) -> Outcome<Self> {
        Self::start_with(program, home, &[])
    }

    /// The same with these settings besides, as the environment gives them.
    pub(crate) fn start_with(program: &Path, home: &Home, settings: &[(&str, &str)]) -> Outcome<Self> {
        let mut command = Command::new(program);
        command.arg("serve").env_clear().env("ORGMEM_LISTEN", "127.0.0.1:0").env("ORGMEM_LOG", "warn");
        command.env("ORGMEM_DATA_DIR", home.folder()).env("ORGMEM_JWT_SECRET", token::SECRET);
        if let Some(database) = home.database() {
            command.env("ORGMEM_DATABASE_URL", database);
        }
        command.envs(settings.iter().copied());
        Self::run(command)
    }

    /// The framework's own "hello", with as many threads as `orgmem serve` has.
    pub(crate) fn hello() -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("hello");
        Self::run(command)
    }

    fn run(mut command: Command) -> Outcome<Self> {
        let shown = format!("{command:?}");
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|e| format!("{shown}: {e}"))?;
        let mut output = BufReader::new(child.stdout.take().ok_or("its output is not piped")?);
        let mut line = String::new();
        while output.read_line(&mut line)? > 0 {
            if let Some((_, address)) = line.trim().split_once("listens on http://") {
                return Ok(Self { child, address: address.parse()?, _output: output });
            }
            line.clear();
        }
        Err(format!("{shown} ended before it listened: {}", child.wait()?).into())
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it takes of the machine's memory now.
    pub(crate) fn memory(&self) -> Outcome<Memory> {
        Memory::of(self.child.id())
    }

    /// Ends it as `kill` does, and waits until it has finished what it accepted.
    pub(crate) fn stop(mut self) -> Outcome<()> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        let begin = Instant::now();
        while self.child.try_wait()?.is_none() {
            if begin.elapsed() > Duration::from_secs(60) {
                return Err("the server does not stop".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) resident: f64,
    /// The part that is the program's own: not the pages of its file.
    pub(crate) own: f64,
}

impl Memory {
    fn of(process: u32) -> Outcome<Self> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let of = |name: &str| -> Outcome<f64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("no such line in its status")?;
            let kilobytes: f64 = line.trim_matches([':', ' ', '\t', 'k', 'B']).parse()?;
            Ok(kilobytes * 1024.0)
        };
        Ok(Self { resident: of("VmRSS")?, own: of("RssAnon")? })
    }
}

/// The program beside this one.
pub(crate) fn beside_this_one() -> Outcome<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("orgmem");
    if program.is_file() {
        return Ok(program);
    }
    let told = format!(
        "`{}` is not there: build it (`cargo build --release -p orgmem`), or name it with `--program`",
        program.display()
    );
    Err(told.into())
}
