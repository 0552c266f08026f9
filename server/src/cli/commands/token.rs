use clap::{Args, Subcommand};
use orgmem_types::{DryRun, IssueToken, PageQuery, Role, TokenInfo};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, instant, json, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

/// The server's maximum page size.
const PAGE: usize = 200;

/// Issue, list and revoke tokens
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Token {
    #[command(subcommand)]
    verb: TokenCommand,
}

#[derive(Subcommand, Debug)]
enum TokenCommand {
    /// Issue and print a token bound to a workspace, or an admin token, which is bound to none
    Issue {
        /// Workspace to bind it to: its id, name or path. Required for an admin token too, which covers the whole server
        workspace: String,
        /// Role of the token
        #[arg(short, long, default_value = "agent", value_parser = words::of::<Role>(&words::ROLES))]
        role: Role,
        /// Lifetime, such as 12h or 30d [default: 24h for an agent, 12h for other roles]
        #[arg(short, long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
        expires_in: Option<i64>,
        /// Name of the bearer in logs [default: role and workspace]
        #[arg(long)]
        subject: Option<String>,
        /// Bind it to this end user: it reads and writes for that user only
        #[arg(long, value_name = "SUBJECT")]
        end_user: Option<String>,
        /// Bind it to this session
        #[arg(long, value_name = "SESSION")]
        session_id: Option<String>,
        /// Print JSON, which includes the id for a revocation
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: Server,
    },
    /// List the tokens issued for a workspace that have not expired, newest first
    List {
        /// Workspace: its id, name or path
        workspace: String,
        /// Maximum number of tokens
        #[arg(short, long, default_value_t = 50, value_parser = forms::limit)]
        limit: usize,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Revoke one token
    Revoke {
        /// Id of the token (`jti`)
        #[arg(value_parser = forms::id)]
        jti: Uuid,
        #[command(flatten)]
        server: Server,
    },
    /// Revoke every token of a workspace that was issued until now; admin tokens are not affected
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
            TokenCommand::Issue { workspace, role, expires_in, subject, end_user, session_id, json: whole, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&workspace).await?;
                let request = IssueToken { role, expires_in, subject, end_user, session_id };
                let issued = remote.client.issue_token(workspace, &request, None).await?;
                if whole {
                    return terminal.print(&json(&issued));
                }
                terminal.print(&format!("{}\n", line(&issued.token)))?;
                let (jti, until) = (issued.jti, instant(issued.expires_at));
                terminal.note(&format!(
                    "{}, valid until {until}; revoke it with `orgmem token revoke {jti}`",
                    line(&issued.subject)
                ));
                if issued.role == Role::Admin {
                    terminal.note(
                        "it is bound to no workspace: it permits everything on this server, and revoke-all does not affect it",
                    );
                }
                Ok(())
            }
            TokenCommand::List { workspace, limit, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.workspace(&workspace).await?;
                let listed = first_rows(limit, PAGE, async |limit, cursor| {
                    remote.client.list_tokens(workspace, &PageQuery { limit: Some(limit), cursor }).await
                })
                .await?;
                listed.print(terminal, format, "no tokens", render)
            }
            TokenCommand::Revoke { jti, server } => {
                let revoked = server.connect(local)?.client.revoke_token(jti).await?;
                terminal.print("revoked\n")?;
                if !revoked.known {
                    terminal.note(&format!(
                        "this server has not issued a token with the id {jti}: check the id, unless the token is from \
                         another issuer or from admin.token"
                    ));
                }
                Ok(())
            }
            TokenCommand::RevokeAll { workspace, server } => {
                let remote = server.connect(local)?;
                remote.client.revoke_tokens(remote.workspace(&workspace).await?, &DryRun::default()).await?;
                terminal.print("revoked all tokens of the workspace that were issued until now\n")
            }
        }
    }
}

fn render(tokens: &[TokenInfo], paint: Paint) -> String {
    if tokens.is_empty() {
        return String::new();
    }
    let columns = ["id", "role", "subject", "bound to", "valid until", "last used", ""].map(|name| (name, Align::Left));
    let mut table = Table::new(&columns);
    for token in tokens {
        table.row([
            token.jti.to_string(),
            words::name_of(&token.role),
            line(&token.subject),
            binding(token),
            instant(token.expires_at),
            token.last_used_at.map(instant).unwrap_or_default(),
            if token.revoked_at.is_some() { "revoked".to_owned() } else { String::new() },
        ]);
    }
    table.render(paint)
}

/// The end user and the session that a token is bound to.
fn binding(token: &TokenInfo) -> String {
    let session = token.session_id.as_ref().map(|session| format!("session {}", line(session)));
    token.end_user.as_deref().map(line).into_iter().chain(session).collect::<Vec<_>>().join(", ")
}
