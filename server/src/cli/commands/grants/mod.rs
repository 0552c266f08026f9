//! Grants of end users.

use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use orgmem_types::{AllSessions, GiveGrant, Grant, GrantReader, GrantedSessions, ListGrants};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input};

/// The server's maximum page size.
const PAGE: usize = 200;

/// Give, list and revoke grants: the consent of an end user that sessions are read in other ones
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Grants {
    #[command(subcommand)]
    verb: GrantsCommand,
}

#[derive(Subcommand, Debug)]
enum GrantsCommand {
    Give(Give),
    List(List),
    Revoke(Revoke),
}

/// Record the consent of an end user that sessions of a workspace are read in other ones
#[derive(Args, Debug)]
pub(crate) struct Give {
    /// The end user who agreed
    subject: String,
    /// A session that may be read; may be repeated [default: all sessions]
    #[arg(long = "session", value_name = "SESSION")]
    sessions: Vec<String>,
    /// The only session that may read [default: any session of the end user]
    #[arg(long, value_name = "SESSION")]
    to_session: Option<String>,
    /// The workspace that may read, by its id, name or path [default: the workspace of the grant]
    #[arg(long, value_name = "WORKSPACE", required_unless_present = "to_session")]
    to_workspace: Option<String>,
    /// End of validity, such as 2026-12-31T00:00:00Z
    #[arg(long, value_name = "INSTANT", value_parser = forms::instant)]
    expires_at: Option<DateTime<Utc>>,
    /// What the end user agreed to; `-` reads the standard input
    #[arg(long, value_name = "TEXT")]
    evidence: String,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// List the grants of a workspace, newest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only grants of this end user
    #[arg(long)]
    subject: Option<String>,
    /// Maximum number of grants
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Revoke a grant
#[derive(Args, Debug)]
pub(crate) struct Revoke {
    /// Id of the grant
    #[arg(value_parser = forms::id)]
    grant: Uuid,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Grants {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            GrantsCommand::Give(give) => give.run(terminal, local).await,
            GrantsCommand::List(list) => list.run(terminal, local).await,
            GrantsCommand::Revoke(revoke) => revoke.run(terminal, local).await,
        }
    }
}

impl Give {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let sessions = match self.sessions {
            all if all.is_empty() => GrantedSessions::All(AllSessions::All),
            sessions => GrantedSessions::These(sessions),
        };
        let reader = remote.workspace_if_any(self.to_workspace.as_deref()).await?;
        let request = GiveGrant {
            subject: self.subject,
            sessions,
            to: GrantReader { session: self.to_session, workspace: reader },
            expires_at: self.expires_at,
            evidence: input::text(self.evidence, std::io::stdin())?,
        };
        let given = remote.client.give_grant(workspace, &request, None).await?;
        self.format.print(terminal, &given, |given, paint| render(&given.grant, terminal.now, paint))
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = ListGrants { subject: self.subject, ..ListGrants::default() };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListGrants { limit: Some(limit), cursor, ..query.clone() };
            remote.client.list_grants(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no grants", |grant, paint| render(grant, terminal.now, paint))
    }
}

impl Revoke {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let revoked = remote.client.revoke_grant(workspace, self.grant).await?;
        self.format.print(terminal, &revoked, |_, _| format!("revoked grant {}\n", self.grant))
    }
}

/// The end user, the sessions that may be read and who may read them, then the evidence.
fn render(grant: &Grant, now: DateTime<Utc>, paint: Paint) -> String {
    let sessions = match &grant.sessions {
        GrantedSessions::All(_) => "all sessions".to_owned(),
        GrantedSessions::These(sessions) => {
            format!("sessions {}", sessions.iter().map(|session| line(session)).collect::<Vec<_>>().join(", "))
        }
    };
    let session = grant.to.session.as_deref().map(|session| format!("  to session {}", line(session)));
    let workspace = grant.to.workspace.map(|workspace| format!("  to workspace {workspace}"));
    let expiry = grant.expires_at.map(|at| format!("  expires {}", ago(at, now)));
    let foot = format!("by {}  {}", line(&grant.granted_by), ago(grant.created_at, now));
    format!(
        "{}  {}  {sessions}{}{}{}\n{}  {}\n",
        grant.id,
        paint.strong(&line(&grant.subject)),
        session.unwrap_or_default(),
        workspace.unwrap_or_default(),
        expiry.unwrap_or_default(),
        block(&grant.evidence, 2),
        paint.faint(&foot),
    )
}
