//! Cores that do not sleep.
//!
//! Who asks one thing at a time lets a core go to sleep between question and answer, on both sides. To wake it takes tens
//! of microseconds on a virtual machine, and its caches may be somebody else's by then. The limits ask nobody, so they do
//! not pay for that; with every core kept busy by what yields to anything else, neither does the server.

use std::hint::black_box;
use std::io::Read;
use std::process::{Child, Command, Stdio};

use crate::error::Outcome;

/// One process a core that does nothing, of the kind that runs when nothing else does; until this is dropped.
pub(crate) struct Awake(Vec<Child>);

impl Awake {
    /// # Errors
    /// Where `chrt` (of util-linux) is not there.
    pub(crate) fn keep() -> Outcome<Self> {
        let mut awake = Self(Vec::new());
        for _ in 0..std::thread::available_parallelism()?.into() {
            let mut spinning = Command::new("chrt");
            spinning.args(["--idle", "0"]).arg(std::env::current_exe()?).arg("spin").stdin(Stdio::piped());
            awake.0.push(spinning.spawn().map_err(|error| format!("`chrt` of util-linux: {error}"))?);
        }
        Ok(awake)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for spinning in &mut self.0 {
            // one that has ended by itself is gone already
            let _ = spinning.kill();
            let _ = spinning.wait();
        }
    }
}

/// Does nothing until whoever started it is gone.
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
