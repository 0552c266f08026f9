use clap::Args;
use orgmem_types::Me as Response;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{instant, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::cli::words;

/// Show whose token the commands use, its workspace and its permissions
#[derive(Args, Debug)]
pub(crate) struct Me {
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Me {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let me = self.server.connect(local)?.client.read_me().await?;
        self.format.print(terminal, &me, |me, _| render(me))
    }
}

fn render(me: &Response) -> String {
    let bound = match (&me.workspace_name, me.workspace_id) {
        (Some(name), Some(id)) => format!("of {} ({id})", line(name)),
        _ => "of the whole server".to_owned(),
    };
    let (subject, until) = (line(&me.subject), instant(me.expires_at));
    format!("{subject}, {} {bound}, until {until}\nmay: {}\n", words::name_of(&me.role), me.may.join(", "))
}
