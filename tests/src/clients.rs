//! The public MCP clients, installed as their users install them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::program::program;

/// The folder of the clients: `ORGMEM_TEST_CLIENTS`, or a folder next to cargo's output into which the first caller
/// installs them.
pub fn clients() -> &'static Path {
    static CLIENTS: OnceLock<PathBuf> = OnceLock::new();
    CLIENTS.get_or_init(|| std::env::var_os("ORGMEM_TEST_CLIENTS").map_or_else(install, PathBuf::from))
}

#[must_use]
pub fn client_programs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/clients"))
}

fn install() -> PathBuf {
    // target/<profile>/under-test/orgmem
    let target = program().ancestors().nth(3).expect("the program is in the target folder");
    let folder = target.join("mcp-clients");
    std::fs::create_dir_all(&folder).expect("a folder in the target folder");
    // another test process may install at the same time
    let lock = File::create(folder.join("lock")).expect("a file in a new folder");
    lock.lock().expect("a lock on an own file");
    let mut install = Command::new(client_programs().join("install"));
    let output = install.arg(&folder).output().expect("the shell starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "the public MCP clients of these tests cannot be installed (tests/clients/install): {stderr}\n\
         set ORGMEM_TEST_CLIENTS to a folder with an installation (`python` and `node`)"
    );
    folder
}
