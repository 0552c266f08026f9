//! Settings of the memory-plugin listener.

use std::net::SocketAddr;

use secrecy::SecretString;

use super::reader::SettingsReader;
use super::{ConfigError, forms};

/// The listener of the memory-plugin contract.
#[derive(Clone, Debug)]
pub struct PluginSettings {
    /// The address to listen on; `None` means off.
    pub listen: Option<SocketAddr>,
    /// The bearer token of its callers; `None` means that none is needed.
    pub token: Option<SecretString>,
}

impl PluginSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        let is_remote_meant: bool = from.text("plugin.allow_remote", &forms::YES_OR_NO)?;
        let form = if is_remote_meant { &forms::LISTEN } else { &forms::LISTEN_LOOPBACK };
        Ok(Self {
            listen: from.optional("plugin.listen", form)?,
            token: from.optional("plugin.token", &forms::SECRET)?,
        })
    }
}
