//! The server as a program of its own: what is killed, signalled, and driven over its standard streams.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::OnceLock;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

/// The file that cargo builds together with the tests; see `under_test.rs`.
const BUILT: &str = "orgmem-under-test";

/// The `orgmem` program, built as the tests are.
///
/// Cargo tells the path of a program to the tests of its own package alone, and building another package from within a
/// test would choose other features and compile everything once more. So this package has a program of the same one
/// line as `orgmem`'s, which cargo builds before it runs the tests.
///
/// # Panics
/// When it is not there: then the tests were not started by `cargo test`.
pub fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("this is a program");
        let built = test.ancestors().skip(1).take(3).map(|folder| folder.join(BUILT)).find(|file| file.is_file());
        let built = built.unwrap_or_else(|| panic!("`{BUILT}` is not beside {}; run `cargo test`", test.display()));
        named_orgmem(&built)
    })
}

/// The same file under the name that it tells in its usage.
fn named_orgmem(built: &std::path::Path) -> PathBuf {
    let folder = built.with_file_name("under-test");
    let (link, own) = (folder.join("orgmem"), folder.join(format!("orgmem.{}", std::process::id())));
    std::fs::create_dir_all(&folder).expect("a folder beside the program");
    std::fs::hard_link(built, &own).expect("a second name for the program");
    // another test process may be doing the same
    std::fs::rename(&own, &link).expect("a name takes the place of an older one");
    // renaming one name of a file to another of the same file leaves both
    let _ = std::fs::remove_file(&own);
    link
}

/// A server of `orgmem`'s, running: `orgmem serve`, or `orgmem demo`.
#[derive(Debug)]
pub struct Program {
    child: Child,
    address: SocketAddr,
    announced: String,
    /// Kept open, so that the program can write.
    _output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts `orgmem serve` with these settings in an otherwise empty environment, and waits until it says where it
    /// listens.
    ///
    /// # Panics
    /// When it ends before that.
    pub async fn start(variables: &[(String, String)]) -> Self {
        let mut command = Command::new(program());
        command.arg("serve").env_clear().envs(variables.iter().map(|(name, value)| (name, value)));
        Self::spawn(command, "listens on http://").await
    }

    /// Starts a command and reads what it prints, up to the line in which its address follows this text.
    ///
    /// # Panics
    /// When it ends before that.
    pub async fn spawn(mut command: Command, before_address: &str) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).kill_on_drop(true);
        let mut child = command.spawn().expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut announced = String::new();
        let address = loop {
            let before = announced.len();
            let read = output.read_line(&mut announced).await.expect("its output is text");
            assert!(read > 0, "{command:?} ended before it listened: {:?}", child.wait().await);
            if let Some((_, address)) = announced[before..].trim().split_once(before_address) {
                let address = address.split('/').next().unwrap_or_default();
                break address.parse().expect("an address and a port");
            }
        };
        Self { child, address, announced, _output: output }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it printed until it listened.
    #[must_use]
    pub fn announced(&self) -> &str {
        &self.announced
    }

    /// Its process id.
    ///
    /// # Panics
    /// When it has ended.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id().expect("it runs")
    }

    /// Ends it as `kill -9` does.
    ///
    /// # Panics
    /// When it has ended already.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("it can be killed");
    }

    /// Asks it to end, as `kill` does.
    ///
    /// # Panics
    /// When it has ended already.
    pub async fn terminate(&self) {
        let id = self.id().to_string();
        let signalled = Command::new("kill").args(["-TERM", &id]).status().await.expect("`kill` runs");
        assert!(signalled.success(), "it runs");
    }

    /// Waits until it has ended.
    ///
    /// # Panics
    /// When its exit code is not 0.
    pub async fn ended(mut self) {
        let ended = self.child.wait().await.expect("it ends");
        assert!(ended.success(), "it ended with {ended}");
    }

    /// Ends it as `kill` does, and waits until it has finished what it accepted.
    ///
    /// # Panics
    /// When its exit code is not 0.
    pub async fn stop(self) {
        self.terminate().await;
        self.ended().await;
    }
}
