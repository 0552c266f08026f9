//! Keeps all cores busy.
//!
//! With one request at a time, both sides sleep between request and response. A wake-up takes tens of microseconds on a
//! virtual machine, and the caches may be cold. The limits have no second side, so they do not pay for it. Low-priority
//! processes that keep every core busy remove this difference.

use std::hint::black_box;
use std::io::Read;
use std::process::{Child, Command, Stdio};

use crate::error::Outcome;

/// One idle-priority process per core, until this is dropped.
pub(crate) struct BusyCores(Vec<Child>);

impl BusyCores {
    pub(crate) fn start() -> Outcome<Self> {
        let mut busy = Self(Vec::new());
        for _ in 0..std::thread::available_parallelism()?.into() {
            let mut process = Command::new("chrt");
            process.args(["--idle", "0"]).arg(std::env::current_exe()?).arg("spin").stdin(Stdio::piped());
            busy.0.push(process.spawn().map_err(|error| format!("`chrt` of util-linux: {error}"))?);
        }
        Ok(busy)
    }
}

impl Drop for BusyCores {
    fn drop(&mut self) {
        for process in &mut self.0 {
            // it may have ended already
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Runs until the parent process closes the pipe.
pub(crate) fn spin() -> Outcome<()> {
    std::thread::spawn(|| {
        let mut rest = Vec::new();
        let _ = std::io::stdin().read_to_end(&mut rest);
        std::process::exit(0);
    });
    let mut count = 0_u64;
    loop {
        count = black_box(count.wrapping_add(1));
    }
}
