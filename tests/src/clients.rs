//! The public MCP clients that the server is tried with, as their users install them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::program;

/// Where the clients are installed: the folder that `ORGMEM_TEST_CLIENTS` names, or one beside what cargo builds, into
/// which the first test that asks installs them.
///
/// # Panics
/// When they cannot be installed: what is missing is said.
pub fn clients() -> &'static Path {
    static CLIENTS: OnceLock<PathBuf> = OnceLock::new();
    CLIENTS.get_or_init(|| std::env::var_os("ORGMEM_TEST_CLIENTS").map_or_else(install, PathBuf::from))
}

/// The programs in `tests/clients` that drive the clients.
#[must_use]
pub fn client_programs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/clients"))
}

fn install() -> PathBuf {
    // target/<profile>/under-test/orgmem
    let target = program().ancestors().nth(3).expect("a program lies in the target folder");
    let folder = target.join("mcp-clients");
    std::fs::create_dir_all(&folder).expect("a folder in the target folder");
    // another test process may be at it
    let lock = File::create(folder.join("lock")).expect("a file in a new folder");
    lock.lock().expect("a lock on an own file");
    let mut install = Command::new(client_programs().join("install"));
    let output = install.arg(&folder).output().expect("the shell starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "the public MCP clients of these tests cannot be installed (tests/clients/install): {told}\n\
         where they are installed already, let ORGMEM_TEST_CLIENTS name the folder with `python` and `node` in it"
    );
    folder
}
