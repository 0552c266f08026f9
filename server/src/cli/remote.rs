use clap::Args;
use orgmem_types::{ListWorkspaces, Object};
use uuid::Uuid;

use super::environment::token_of_environment;
use super::error::CliError;
use super::input;
use super::local::{Local, address_of, admin_token, own_server};
use super::naming::{self, NameError};
use super::paging::first_rows;
use crate::client::{Address, Client};

/// Maximum number of workspaces fetched to resolve a name.
const CANDIDATES: usize = 5_000;

/// The running server.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Server {
    /// Address of the server [default: the address in the settings of this machine]
    #[arg(long, env = "ORGMEM_URL", hide_env_values = true, value_name = "URL", help_heading = "Server")]
    pub(crate) url: Option<String>,
    /// JSON object to add to the audit rows of the calls, such as '{"ticket": "T-7"}'
    #[arg(long, value_name = "JSON", value_parser = input::object, help_heading = "Server")]
    pub(crate) audit_context: Option<Object>,
}

/// The workspace that a command acts as.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Acting {
    /// Workspace to act as: its id, name or path [default: the workspace of the token]
    #[arg(short, long, alias = "agent", value_name = "WORKSPACE")]
    pub(crate) workspace: Option<String>,
}

/// A running server, with a token.
pub(crate) struct Remote {
    pub(crate) client: Client,
}

impl Server {
    /// The address of the server, by default the one in the settings of this machine.
    pub(crate) fn address(&self, local: &Local) -> Result<Address, CliError> {
        let url = self.url.as_deref().filter(|url| !url.is_empty());
        Ok(match url {
            Some(url) => Address::parse(url)?,
            None => Address::parse(&address_of(&local.load(Vec::new())?.settings))?,
        })
    }

    /// The server with the token in ORGMEM_TOKEN or, for the server of this machine's settings, its admin token.
    ///
    /// # Errors
    /// [`CliError::Config`], [`CliError::Client`] and [`CliError::Io`]. Nothing is sent yet.
    pub(crate) fn connect(&self, local: &Local) -> Result<Remote, CliError> {
        let client = self.client(local)?;
        Ok(Remote {
            client: match &self.audit_context {
                Some(context) => client.with_audit_context(context)?,
                None => client,
            },
        })
    }

    fn client(&self, local: &Local) -> Result<Client, CliError> {
        let address = self.address(local)?;
        if let Some(token) = token_of_environment() {
            return Ok(Client::new(address, Some(token))?);
        }
        if !address.is_loopback() {
            return Ok(Client::new(address, None)?);
        }
        let settings = local.load(Vec::new())?.settings;
        Ok(match own_server(&settings, &address) {
            Some(own) => Client::new(own, admin_token(&settings.data_dir)?)?,
            None => Client::new(address, None)?,
        })
    }
}

impl Remote {
    /// Resolves an id, a name, or a path such as `Acme/Dev Lead/Bot-7`.
    ///
    /// # Errors
    /// [`CliError::Name`] when no or several workspaces match; [`CliError::Client`].
    pub(crate) async fn workspace(&self, name: &str) -> Result<Uuid, CliError> {
        if let Ok(id) = Uuid::try_parse(name) {
            return Ok(id);
        }
        let own_name = naming::own_name(name);
        if own_name.is_empty() {
            return Err(NameError::Unknown(name.to_owned()).into());
        }
        let listed = first_rows(CANDIDATES, 500, async |limit, cursor| {
            let q = Some(own_name.to_owned());
            let query = ListWorkspaces { q, limit: Some(limit), cursor, ..ListWorkspaces::default() };
            self.client.list_workspaces(&query).await
        })
        .await?;
        if listed.more {
            return Err(NameError::TooMany(name.to_owned()).into());
        }
        Ok(naming::choose(name, &listed.items)?)
    }

    /// Resolves an optional name.
    pub(crate) async fn workspace_if_any(&self, name: Option<&str>) -> Result<Option<Uuid>, CliError> {
        match name {
            Some(name) => self.workspace(name).await.map(Some),
            None => Ok(None),
        }
    }

    /// The workspace to act as, by default the workspace of the token.
    ///
    /// # Errors
    /// [`CliError::Usage`] when neither is given; the errors of [`Remote::workspace`].
    pub(crate) async fn acting(&self, acting: &Acting) -> Result<Uuid, CliError> {
        match &acting.workspace {
            Some(name) => self.workspace(name).await,
            None => {
                let unbound = "an admin token is bound to no workspace; choose one with --workspace";
                self.client.read_me().await?.workspace_id.ok_or_else(|| CliError::Usage(unbound.to_owned()))
            }
        }
    }
}

impl Remote {
    /// The workspace to act as: the chosen one, or else the workspace of the profile `profile` if that is an id, or of the
    /// token.
    ///
    /// # Errors
    /// As for [`Remote::acting`]; [`CliError::Client`] when no profile has the id.
    pub(crate) async fn of_profile(&self, acting: &Acting, profile: Option<&str>) -> Result<Uuid, CliError> {
        match profile.and_then(|profile| Uuid::try_parse(profile).ok()) {
            Some(id) if acting.workspace.is_none() => Ok(self.client.locate_item(id).await?.workspace_id),
            _ => self.acting(acting).await,
        }
    }

    /// The workspace to act as for a memory: the chosen one, or else the workspace of the token, or for an admin the
    /// author of the memory.
    ///
    /// # Errors
    /// As for [`Remote::acting`]; [`CliError::Client`] when no memory has the id.
    pub(crate) async fn of_memory(&self, acting: &Acting, memory: Uuid) -> Result<Uuid, CliError> {
        if acting.workspace.is_some() {
            return self.acting(acting).await;
        }
        match self.client.read_me().await?.workspace_id {
            Some(own) => Ok(own),
            None => Ok(self.client.locate_item(memory).await?.workspace_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::samples;
    use crate::client::ClientError;
    use crate::client::fake::{Fake, Reply};

    #[test]
    fn invalid_address_is_refused_without_a_request() {
        let server = Server { url: Some("127.0.0.1:7070".into()), ..Server::default() };
        let error = server.connect(&Local::default()).err().expect("no scheme");
        assert!(matches!(error, CliError::Client(ClientError::Address(_))), "{error}");
    }

    #[tokio::test]
    async fn name_is_searched_on_every_page() {
        let mut first = Reply::ok(&[samples::workspace(1, &["acme", "dev", "bot-7x"])]);
        first.headers = "Link: </workspaces?cursor=more>; rel=\"next\"\r\n";
        let second = Reply::ok(&[samples::workspace(2, &["acme", "dev", "bot-7"])]);
        let fake = Fake::start(vec![
            ("/workspaces?q=bot-7&limit=500", first),
            ("/workspaces?q=bot-7&limit=500&cursor=more", second),
        ])
        .await;
        let remote = Remote { client: fake.client() };
        assert_eq!(remote.workspace("acme/dev/bot-7").await.expect("there"), Uuid::from_u128(2));
    }

    #[tokio::test]
    async fn id_needs_no_request() {
        let fake = Fake::start(vec![]).await;
        let id = Uuid::from_u128(7);
        assert_eq!(Remote { client: fake.client() }.workspace(&id.to_string()).await.expect("an id"), id);
        assert!(fake.requests().is_empty());
    }

    #[tokio::test]
    async fn workspace_of_the_token_is_the_default() {
        let me = |workspace: Option<Uuid>| {
            Reply::ok(&serde_json::json!({
                "subject": "ada", "role": "agent", "workspace_id": workspace, "workspace_name": null, "org_id": null,
                "jti": Uuid::nil(), "expires_at": "2026-11-20T08:00:00Z", "may": [],
            }))
        };
        let bound = Fake::start(vec![("/me", me(Some(Uuid::from_u128(7))))]).await;
        let acting = Acting::default();
        let id = Remote { client: bound.client() }.acting(&acting).await.expect("bound");
        assert_eq!(id, Uuid::from_u128(7));
        let unbound = Fake::start(vec![("/me", me(None))]).await;
        let error = Remote { client: unbound.client() }.acting(&acting).await.expect_err("an admin");
        assert_eq!(error.to_string(), "an admin token is bound to no workspace; choose one with --workspace");
    }
}
