use std::path::{Path, PathBuf};

use clap::Args;
use secrecy::SecretString;

use super::error::CliError;
use crate::client::Address;
use crate::config::{Config, ConfigError, FlagValue, Settings, Sources};
use crate::server_address;

/// This machine's set-up.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Local {
    /// Settings file; without it orgmem.toml in this folder, when there is one
    #[arg(long, value_name = "FILE", global = true, help_heading = "This machine")]
    pub(crate) config: Option<PathBuf>,
    /// Data folder, with the database, the keys and admin.token
    #[arg(long, value_name = "DIR", global = true, help_heading = "This machine")]
    pub(crate) data_dir: Option<String>,
}

impl Local {
    /// The settings in force, with `flags` over all the others.
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

/// Where the server of these settings is asked from this machine.
pub(crate) fn address_of(settings: &Settings) -> String {
    format!("http://{}", server_address::on_this_machine(settings.listen))
}

/// The server of these settings, if that is where `asked` leads: where they listen, or where the server noted in the data
/// folder that it does. The admin token of that folder is for it alone, as anybody may listen at another port.
pub(crate) fn own_server(settings: &Settings, asked: &Address) -> Option<Address> {
    let noted = server_address::recorded(&settings.data_dir).map(|address| format!("http://{address}"));
    let own = noted.into_iter().chain([address_of(settings)]);
    own.filter_map(|address| Address::parse(&address).ok()).find(|own| own.is_meant_by(asked))
}

/// The admin token that the server left in its data folder; none when there is none.
///
/// # Errors
/// [`CliError::Io`] when it is there and cannot be read.
pub(crate) fn admin_token(data_dir: &Path) -> Result<Option<SecretString>, CliError> {
    let path = data_dir.join("admin.token");
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().into())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CliError::Io { what: format!("read the admin token in `{}`", path.display()), error }),
    }
}
