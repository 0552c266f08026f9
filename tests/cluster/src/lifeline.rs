//! Stops the cluster at the end of the process.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};

/// Starts a shell that waits for the end of this process and then stops the cluster.
pub(crate) fn watch(stop: &Command, folder: &Path) -> std::io::Result<ChildStdin> {
    let script = r#"folder=$1; shift; read -r _; "$@" >/dev/null 2>&1; rm -rf "$folder""#;
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh"]).arg(folder).arg(stop.get_program()).args(stop.get_args()).current_dir("/");
    // in its own process group, because a signal to the tests must not interrupt the clean-up
    let shell = shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    shell?.stdin.take().ok_or_else(|| std::io::Error::other("its input is not piped"))
}
