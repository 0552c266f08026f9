//! The release program as a child process.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crate::error::Outcome;
use crate::storage::Storage;
use crate::token;

/// A listening program; ends on drop.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    /// Open, so that the program can write to it.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// `orgmem serve` with its data in `storage` and default settings, except the log level and the limits on rates.
    pub(crate) fn start(program: &Path, storage: &Storage) -> Outcome<Self> {
        Self::start_with(program, storage, &[])
    }

    /// With these environment variables.
    pub(crate) fn start_with(program: &Path, storage: &Storage, settings: &[(&str, &str)]) -> Outcome<Self> {
        let mut command = Command::new(program);
        command.arg("serve").env_clear().env("ORGMEM_LISTEN", "127.0.0.1:0").env("ORGMEM_LOG", "warn");
        command.env("ORGMEM_DATA_DIR", storage.folder()).env("ORGMEM_JWT_SECRET", token::SECRET);
        for level in ["CALLER", "ORG"] {
            command.env(format!("ORGMEM_LIMITS_{level}_REQUESTS_PER_MINUTE"), "0");
        }
        if let Some(database) = storage.database() {
            command.env("ORGMEM_DATABASE_URL", database);
        }
        command.envs(settings.iter().copied());
        Self::run(command)
    }

    /// "Hello", with as many threads as `orgmem serve`.
    pub(crate) fn hello() -> Outcome<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("hello");
        Self::run(command)
    }

    fn run(mut command: Command) -> Outcome<Self> {
        let description = format!("{command:?}");
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|e| format!("{description}: {e}"))?;
        let mut output = BufReader::new(child.stdout.take().ok_or("its output is not piped")?);
        let mut line = String::new();
        while output.read_line(&mut line)? > 0 {
            if let Some((_, address)) = line.trim().split_once("listens on http://") {
                return Ok(Self { child, address: address.parse()?, _output: output });
            }
            line.clear();
        }
        Err(format!("{description} ended before it listened: {}", child.wait()?).into())
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn memory(&self) -> Outcome<Memory> {
        Memory::of(self.child.id())
    }

    /// Sends SIGTERM and waits for the exit.
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
        // =
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// =
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) resident: f64,
    /// Without the pages of the program's file.
    pub(crate) private: f64,
}

impl Memory {
    fn of(process: u32) -> Outcome<Self> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let of = |name: &str| -> Outcome<f64> {
            let line =
                status.lines().find_map(|line| line.strip_prefix(name)).ok_or("missing line in the process status")?;
            let kilobytes: f64 = line.trim_matches([':', ' ', '\t', 'k', 'B']).parse()?;
            Ok(kilobytes * 1024.0)
        };
        Ok(Self { resident: of("VmRSS")?, private: of("RssAnon")? })
    }
}

/// `orgmem` in the folder of this program.
pub(crate) fn default_program() -> Outcome<PathBuf> {
    let program = std::env::current_exe()?.with_file_name("orgmem");
    if program.is_file() {
        return Ok(program);
    }
    let message = format!(
        "`{}` does not exist: build it (`cargo build --profile dist -p orgmem`) or set `--program`",
        program.display()
    );
    Err(message.into())
}
