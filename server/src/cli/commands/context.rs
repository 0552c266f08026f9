use clap::Args;
use orgmem_types::InjectContext;

use super::memory::find_profile;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::block;
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// Print the block of memories for an agent's prompt
#[derive(Args, Debug)]
pub(crate) struct Context {
    /// Topic of the prompt
    query: Option<String>,
    /// Session of the prompt; its memories come first
    #[arg(long, value_name = "SESSION")]
    session_id: Option<String>,
    /// Name or id of the profile [default: the default profile]
    #[arg(short, long)]
    profile: Option<String>,
    /// Person or thing whose working set is added
    #[arg(long)]
    subject: Option<String>,
    /// Size of the working set in tokens [default: 1500]
    #[arg(long, value_name = "TOKENS")]
    token_budget: Option<u64>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Context {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.of_profile(&self.acting, self.profile.as_deref()).await?;
        let profile_id = match self.profile.as_deref() {
            Some(name) => Some(find_profile(&remote, workspace, Some(name)).await?),
            None => None,
        };
        let (query, session_id) = (self.query, self.session_id);
        let (subject, token_budget) = (self.subject, self.token_budget);
        let request = InjectContext { query, session_id, profile_id, subject, token_budget };
        let context = remote.client.inject_context(workspace, &request).await?;
        self.format.print(terminal, &context, |context, _| block(&context.block, 0))?;
        terminal.note(&format!(
            "{} memories, {} tokens; {} further candidates were left out",
            context.entries.len(),
            context.tokens,
            context.left_out.len()
        ));
        Ok(())
    }
}
