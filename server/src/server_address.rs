//! The file in the data folder with the address of its running server, for commands on the same machine. The settings
//! may not contain the address, as with `--listen` or port 0. Commands send the admin token of the folder only to this
//! address.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

const FILE: &str = "server.address";

/// Writes the address. A failure is only logged: commands then need `--url`.
pub(crate) fn record(data_dir: &Path, address: SocketAddr) {
    let path = data_dir.join(FILE);
    if let Err(error) = std::fs::write(&path, format!("{address}\n")) {
        tracing::warn!(%error, path = %path.display(), "cannot write the address of the server for local commands");
    }
}

/// The address of the server of this folder. Outdated if the server was killed.
pub(crate) fn recorded(data_dir: &Path) -> Option<SocketAddr> {
    std::fs::read_to_string(data_dir.join(FILE)).ok()?.trim().parse().ok()
}

/// Removes the file, unless another server has replaced it.
pub(crate) fn forget(data_dir: &Path, address: SocketAddr) {
    if recorded(data_dir) == Some(address) {
        // an outdated address only makes local commands fail to connect
        let _: io::Result<()> = std::fs::remove_file(data_dir.join(FILE));
    }
}

/// The address for local clients of a server that listens on `address`: loopback if it listens on all interfaces.
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
    fn address_is_removed_only_by_its_own_server() {
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
    fn unspecified_address_becomes_loopback() {
        let shown = |text| on_this_machine(address(text)).to_string();
        assert_eq!(["0.0.0.0:80", "[::]:80", "10.0.0.5:80"].map(shown), ["127.0.0.1:80", "[::1]:80", "10.0.0.5:80"]);
    }
}
