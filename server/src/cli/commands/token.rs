use clap::{Args, Subcommand};
use orgmem_types::{IssueToken, Role};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::print::{instant, json, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

/// Issue and revoke tokens
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Token {
    #[command(subcommand)]
    verb: TokenCommand,
}

#[derive(Subcommand, Debug)]
enum TokenCommand {
    /// Issue a token bound to a workspace, or an admin's, which is bound to none, and print it
    Issue {
        /// Workspace to bind it to: its id, name or path. An admin's token names one too, and covers the whole server
        workspace: String,
        /// What it may be used for
        #[arg(short, long, default_value = "agent", value_parser = words::of::<Role>(&words::ROLES))]
        role: Role,
        /// Its lifetime, such as 12h or 30d [default: an agent's 24h, a person's 12h]
        #[arg(short, long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
        expires_in: Option<i64>,
        /// A name for the log [default: role and workspace]
        #[arg(long)]
        subject: Option<String>,
        /// Print JSON, with the id to revoke it by
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: Server,
    },
    /// Revoke one token
    Revoke {
        /// Its id, the `jti` that was told when it was issued
        #[arg(value_parser = forms::id)]
        jti: Uuid,
        #[command(flatten)]
        server: Server,
    },
    /// Revoke every token that is bound to a workspace and was issued up to now; an admin's is bound to none
    RevokeAll {
        /// Workspace: its id, name or path
        workspace: String,
        #[command(flatten)]
        server: Server,
    },
}

impl Token {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            TokenCommand::Issue { workspace, role, expires_in, subject, json: whole, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&workspace).await?;
                let issued = remote.client.issue_token(workspace, &IssueToken { role, expires_in, subject }).await?;
                if whole {
                    return terminal.print(&json(&issued));
                }
                terminal.print(&format!("{}\n", line(&issued.token)))?;
                let (jti, until) = (issued.jti, instant(issued.expires_at));
                terminal.note(&format!(
                    "{}, until {until}; revoke it with `orgmem token revoke {jti}`",
                    line(&issued.subject)
                ));
                if issued.role == Role::Admin {
                    terminal.note(
                        "it is bound to no workspace: it may do everything on this server, and revoke-all spares it",
                    );
                }
                Ok(())
            }
            TokenCommand::Revoke { jti, server } => {
                let revoked = server.connect(local)?.client.revoke_token(jti).await?;
                terminal.print("revoked\n")?;
                if !revoked.known {
                    terminal.note(&format!(
                        "no token with the id {jti} is known to have been issued here: if it is not a platform's own, nor \
                         that of admin.token, look whether it is mistyped"
                    ));
                }
                Ok(())
            }
            TokenCommand::RevokeAll { workspace, server } => {
                let remote = server.connect(local)?;
                remote.client.revoke_tokens(remote.workspace(&workspace).await?).await?;
                terminal.print("revoked all that are bound to it and were issued up to now\n")
            }
        }
    }
}
