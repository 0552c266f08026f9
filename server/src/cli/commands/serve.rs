use clap::Args;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::config::FlagValue;
use crate::serve;

/// Start the server
#[derive(Args, Debug)]
pub(crate) struct Serve {
    /// Address and port to listen on [default: 127.0.0.1:7070]
    #[arg(short, long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// PostgreSQL database, postgres://user:password@host/database [default: SQLite in the data folder]
    #[arg(long, value_name = "URL")]
    pub(crate) database_url: Option<String>,
    /// Log filter: a level, or levels by module such as "info,orgmem::http=debug" [default: info]
    #[arg(long, value_name = "FILTER")]
    pub(crate) log: Option<String>,
    /// Log format: text or json [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) log_format: Option<String>,
}

impl Serve {
    pub(crate) async fn run(self, local: &Local) -> Result<(), CliError> {
        let settings = local.load(self.flags())?.settings;
        Ok(serve::serve(settings).await?)
    }

    fn flags(self) -> Vec<FlagValue> {
        let flags = [
            ("--listen", "listen", self.listen),
            ("--database-url", "database_url", self.database_url),
            ("--log", "log", self.log),
            ("--log-format", "log_format", self.log_format),
        ];
        let flag = |(flag, setting, value): (_, _, Option<_>)| value.map(|value| FlagValue { flag, setting, value });
        flags.into_iter().filter_map(flag).collect()
    }
}
