//! The server as a separate process, for tests that kill it, signal it or use its standard streams.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// The binary of `under_test.rs`, which cargo builds before the tests.
const BINARY: &str = "orgmem-under-test";

/// The `orgmem` program under test.
///
/// Cargo gives the path of a binary only to tests of the same package. Building the package `orgmem` from a test would
/// select other features and compile everything again. So this package has a binary with the same one-line `main`.
pub fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("this is a program");
        let binary = test.ancestors().skip(1).take(3).map(|folder| folder.join(BINARY)).find(|file| file.is_file());
        let binary = binary.unwrap_or_else(|| panic!("`{BINARY}` is not next to {}; run `cargo test`", test.display()));
        named_orgmem(&binary)
    })
}

/// A hard link with the program's public name, which its usage text contains.
fn named_orgmem(binary: &std::path::Path) -> PathBuf {
    let folder = binary.with_file_name("under-test");
    let (link, link_of_process) = (folder.join("orgmem"), folder.join(format!("orgmem.{}", std::process::id())));
    std::fs::create_dir_all(&folder).expect("a folder next to the program");
    std::fs::hard_link(binary, &link_of_process).expect("a second name for the program");
    // another test process may do the same
    std::fs::rename(&link_of_process, &link).expect("a name takes the place of an older one");
    // a rename between two links of one file removes neither
    let _ = std::fs::remove_file(&link_of_process);
    link
}

/// A running `orgmem serve` or `orgmem demo`.
#[derive(Debug)]
pub struct Program {
    child: Child,
    address: SocketAddr,
    startup_output: String,
    /// Open, so that the program can write to it.
    _output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts `orgmem serve` with only these environment variables, and waits for its listen address.
    pub async fn start(variables: &[(String, String)]) -> Self {
        let mut command = Command::new(program());
        command.arg("serve").env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        Self::spawn(command, "listens on http://").await
    }

    /// Starts a command and reads its output up to the line with the address, which follows `before_address`.
    pub async fn spawn(mut command: Command, before_address: &str) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        let mut child = command.spawn().expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut startup_output = String::new();
        let address = loop {
            let before = startup_output.len();
            let read = output.read_line(&mut startup_output).await.expect("its output is text");
            assert!(read > 0, "{command:?} ended before it listened: {:?}", child.wait().await);
            if let Some((_, address)) = startup_output[before..].trim().split_once(before_address) {
                let address = address.split('/').next().unwrap_or_default();
                break address.parse().expect("an address and a port");
            }
        };
        Self { child, address, startup_output, _output: output }
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The output up to the line with the address.
    #[must_use]
    pub fn startup_output(&self) -> &str {
        &self.startup_output
    }

    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    pub async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Sends SIGTERM.
    pub async fn terminate(&self) {
        let id = self.id().to_string();
        let signalled = Command::new("kill").args(["-TERM", &id]).status().await.expect("`kill` runs");
        assert!(signalled.success(), "it runs");
    }

    /// Waits for an exit with code 0.
    pub async fn wait_for_exit(mut self) {
        let ended = self.child.wait().await.expect("it ends");
        assert!(ended.success(), "it ended with {ended}");
    }

    /// Sends SIGTERM and waits for the exit.
    pub async fn stop(self) {
        self.terminate().await;
        self.wait_for_exit().await;
    }
}
