use std::path::{Path, PathBuf};

use clap::Args;
use secrecy::SecretString;

use super::error::CliError;
use crate::client::Address;
use crate::config::{Config, ConfigError, FlagValue, Settings, Sources};
use crate::server_address;

/// The settings of this machine.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Local {
    /// Settings file [default: orgmem.toml in the current folder, if it exists]
    #[arg(long, value_name = "FILE", global = true, help_heading = "This machine")]
    pub(crate) config: Option<PathBuf>,
    /// Data folder, with the database, the keys and admin.token
    #[arg(long, value_name = "DIR", global = true, help_heading = "This machine")]
    pub(crate) data_dir: Option<String>,
}

impl Local {
    /// The effective settings. `flags` take precedence.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub(crate) fn load(&self, mut flags: Vec<FlagValue>) -> Result<Config, ConfigError> {
        if let Some(value) = &self.data_dir {
            flags.push(FlagValue { flag: "--data-dir", setting: "data_dir", value: value.clone() });
        }
        Config::load(&Sources::of_process(self.config.clone(), flags))
    }
}

/// The local address of the server with these settings.
pub(crate) fn address_of(settings: &Settings) -> String {
    format!("http://{}", server_address::on_this_machine(settings.listen))
}

/// The server of these settings, if `address` leads to it: the address in the settings, or in `server.address` of the data
/// folder. Only this server receives the admin token of the folder, because any program may listen on another port.
pub(crate) fn own_server(settings: &Settings, address: &Address) -> Option<Address> {
    let recorded = server_address::recorded(&settings.data_dir).map(|address| format!("http://{address}"));
    let candidates = recorded.into_iter().chain([address_of(settings)]);
    candidates.filter_map(|own| Address::parse(&own).ok()).find(|own| own.matches(address))
}

/// The admin token in the data folder, if it exists.
///
/// # Errors
/// [`CliError::Io`] when the file exists but cannot be read.
pub(crate) fn admin_token(data_dir: &Path) -> Result<Option<SecretString>, CliError> {
    let path = data_dir.join("admin.token");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::Io { action: format!("read the admin token in `{}`", path.display()), error }),
    }
}
