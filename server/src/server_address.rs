//! Where the server of a data folder listens, noted there for the commands of the same machine: the settings need not
//! say, as with `--listen` or port 0. The admin token beside the note is sent to no other address.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

/// The file in the data folder.
const FILE: &str = "server.address";

/// Notes where the server listens. A folder that cannot be written is told: those who ask name the address then.
pub(crate) fn record(data_dir: &Path, address: SocketAddr) {
    let path = data_dir.join(FILE);
    if let Err(error) = std::fs::write(&path, format!("{address}\n")) {
        tracing::warn!(%error, path = %path.display(), "where the server listens could not be noted");
    }
}

/// Where the server of this folder listens, or listened when it was killed; none when none does.
pub(crate) fn recorded(data_dir: &Path) -> Option<SocketAddr> {
    std::fs::read_to_string(data_dir.join(FILE)).ok()?.trim().parse().ok()
}

/// Takes the note away, unless it is another server's by now.
pub(crate) fn forget(data_dir: &Path, address: SocketAddr) {
    if recorded(data_dir) == Some(address) {
        // a note that stays names an address at which nobody answers
        let _: io::Result<()> = std::fs::remove_file(data_dir.join(FILE));
    }
}

/// Where a server that listens at `address` is asked from its own machine: one that listens everywhere, at loopback.
pub(crate) fn on_this_machine(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.is_ipv4() {
            true => Ipv4Addr::LOCALHOST.into(),
            false => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_note_lasts_until_its_own_server_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (address("127.0.0.1:7070"), address("[::1]:7071"));
        assert_eq!(recorded(folder.path()), None);
        record(folder.path(), first);
        record(folder.path(), second);
        forget(folder.path(), first);
        assert_eq!(recorded(folder.path()), Some(second));
        forget(folder.path(), second);
        assert_eq!(recorded(folder.path()), None);
    }

    #[test]
    fn who_listens_everywhere_is_asked_at_loopback() {
        let shown = |text| on_this_machine(address(text)).to_string();
        assert_eq!(["0.0.0.0:80", "[::]:80", "10.0.0.5:80"].map(shown), ["127.0.0.1:80", "[::1]:80", "10.0.0.5:80"]);
    }
}
