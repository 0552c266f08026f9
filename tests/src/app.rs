//! A server for one test.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use orgmem::config::{Config, Sources};
use orgmem::serve::{self, Running};
use orgmem_model::orgs::Drawn;
use orgmem_store::{Clock, ManualClock, StoreConfig, SystemClock};
use tempfile::TempDir;
use uuid::Uuid;

use crate::callers::{Caller, Context, client};
use crate::contract::Contract;
use crate::disk::Disk;
use crate::program::Program;
use crate::stores::{On, cluster, test_epoch};
use crate::tables::Tables;
use crate::tokens::{SECRET, Token};

/// =
pub struct TestApp {
    on: On,
    context: Arc<Context>,
    clock: Time,
    /// The environment of the server, for restarts.
    variables: Vec<(String, String)>,
    /// `None` after the server was stopped.
    server: Option<Server>,
    store: StoreConfig,
    disk: Option<Disk>,
    /// The data folder. On PostgreSQL a second server has a folder of its own.
    folder: TempDir,
}

pub struct Builder {
    on: On,
    variables: Vec<(String, String)>,
    is_program: bool,
    has_disk: bool,
    database: Option<String>,
    clock: Arc<ManualClock>,
}

enum Server {
    InProcess(Box<Running>),
    Program(Box<Program>),
}

enum Time {
    Manual(Arc<ManualClock>),
    System,
}

impl TestApp {
    pub async fn new(on: On) -> Self {
        Self::builder(on).start().await
    }

    #[must_use]
    pub fn builder(on: On) -> Builder {
        let clock = Arc::new(ManualClock::at(test_epoch()));
        Builder { on, variables: Vec::new(), is_program: false, has_disk: false, database: None, clock }
    }

    /// A second server on the same PostgreSQL database, with the same clock. Panics on SQLite.
    pub async fn second_server(&self) -> Self {
        self.second_server_with(Self::builder(self.on)).await
    }

    /// The same with these settings.
    pub async fn second_server_with(&self, mut builder: Builder) -> Self {
        let StoreConfig::Postgres { url, .. } = &self.store else { panic!("a SQLite database has only one server") };
        builder.database = Some(url.clone());
        match &self.clock {
            Time::Manual(clock) => builder.clock = clock.clone(),
            Time::System => builder.is_program = true,
        }
        builder.start().await
    }

    #[must_use]
    pub fn on(&self) -> On {
        self.on
    }

    /// `http://127.0.0.1:<port>`
    #[must_use]
    pub fn address(&self) -> &str {
        &self.context.address
    }

    /// `http://127.0.0.1:<port>` of the memory-plugin listener. Panics where it is off.
    #[must_use]
    pub fn plugin_address(&self) -> String {
        self.try_plugin_address().expect("the listener is on")
    }

    /// `None` where the memory-plugin listener is off.
    #[must_use]
    pub fn try_plugin_address(&self) -> Option<String> {
        let Some(Server::InProcess(running)) = &self.server else { panic!("only for a server in this process") };
        running.plugin_address().map(|address| format!("http://{address}"))
    }

    /// Runs the job that erases expired namespaces now.
    pub async fn sweep_plugin_namespaces(&self) {
        let Some(Server::InProcess(running)) = &self.server else { panic!("only for a server in this process") };
        running.sweep_plugin_namespaces().await.expect("the store responds");
    }

    /// Sends what waits for providers now.
    pub async fn send_to_providers(&self) {
        let Some(Server::InProcess(running)) = &self.server else { panic!("only for a server in this process") };
        running.send_to_providers().await.expect("the store responds");
    }

    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.context.contract
    }

    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match &self.clock {
            Time::Manual(clock) => clock.now(),
            Time::System => SystemClock.now(),
        }
    }

    /// Moves the manual clock forward. Panics for a program, which uses the machine's clock.
    pub fn advance(&self, time: TimeDelta) {
        match &self.clock {
            Time::Manual(clock) => clock.advance(time),
            Time::System => panic!("a program uses the machine's clock"),
        }
    }

    #[must_use]
    pub fn anonymous(&self) -> Caller {
        Caller::new(self.context.clone(), None)
    }

    #[must_use]
    pub fn bearer(&self, token: &str) -> Caller {
        Caller::new(self.context.clone(), Some(token.to_owned()))
    }

    #[must_use]
    pub fn admin(&self) -> Caller {
        self.bearer(&self.token("admin", None).text())
    }

    #[must_use]
    pub fn operator(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("operator", Some(workspace)).text())
    }

    #[must_use]
    pub fn viewer(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("viewer", Some(workspace)).text())
    }

    #[must_use]
    pub fn agent(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("agent", Some(workspace)).text())
    }

    /// A valid token, which the test can alter.
    #[must_use]
    pub fn token(&self, role: &str, workspace: Option<Uuid>) -> Token {
        Token::new(role, workspace, self.now())
    }

    /// Creates the orgs of an indented drawing.
    pub async fn plant(&self, drawing: &str) -> Drawn {
        let drawn = orgmem_model::orgs::draw(drawing);
        self.admin().run_steps(drawn.steps()).await;
        drawn
    }

    /// All rows of all tables, see [`Tables::dump`].
    #[must_use]
    pub fn dump(&self) -> Vec<String> {
        self.tables().dump()
    }

    #[must_use]
    pub fn tables(&self) -> Tables {
        Tables::of(&self.store).expect("the database accepts a connection")
    }

    /// The simulated disk; only after [`Builder::on_disk`].
    #[must_use]
    pub fn disk(&self) -> &Disk {
        self.disk.as_ref().expect("the app was built with `on_disk`")
    }

    /// The address of the database; `None` on SQLite.
    #[must_use]
    pub fn database_url(&self) -> Option<&str> {
        if let StoreConfig::Postgres { url, .. } = &self.store { Some(url) } else { None }
    }

    /// Executes SQL directly on the database.
    pub fn execute_sql(&self, statements: &str) {
        self.tables().execute(statements).expect("the statement succeeds");
    }

    /// Stops the server as SIGTERM does. The stored data exist until the drop.
    pub async fn stop(&mut self) {
        stop(self.server.take()).await;
    }

    /// Ends the program with SIGKILL. The stored data exist until the drop.
    pub async fn kill(&mut self) {
        match self.server.take() {
            Some(Server::Program(program)) => program.kill().await,
            _ => panic!("no running program"),
        }
    }

    /// Waits until the program exits with code 0.
    pub async fn wait_for_exit(&mut self) {
        match self.server.take() {
            Some(Server::Program(program)) => program.wait_for_exit().await,
            _ => panic!("no running program"),
        }
    }

    /// Changes a setting; it takes effect at the next start.
    pub fn set(&mut self, variable: &str, value: &str) {
        self.variables.retain(|(name, _)| name != variable);
        self.variables.push((variable.to_owned(), value.to_owned()));
    }

    /// Starts the server again on the same data, on another port. Earlier callers become invalid.
    pub async fn restart(&mut self) {
        self.stop().await;
        let (server, context) = launch(self.folder.path(), &self.variables, &self.clock).await;
        (self.server, self.context) = (Some(server), context);
    }

    #[must_use]
    pub fn program(&self) -> &Program {
        match &self.server {
            Some(Server::Program(program)) => program,
            _ => panic!("no running program"),
        }
    }

    pub(crate) fn context(&self) -> Arc<Context> {
        self.context.clone()
    }
}

impl Builder {
    /// Runs the server as a separate process, with the machine's clock.
    #[must_use]
    pub fn as_program(mut self) -> Self {
        self.is_program = true;
        self
    }

    /// Runs SQLite on a simulated disk; only for a server in this process.
    #[must_use]
    pub fn on_disk(mut self) -> Self {
        self.has_disk = true;
        self
    }

    /// Uses this PostgreSQL database.
    #[must_use]
    pub fn in_database(mut self, url: &str) -> Self {
        self.database = Some(url.to_owned());
        self
    }

    /// The initial time of the manual clock.
    #[must_use]
    pub fn at(mut self, time: DateTime<Utc>) -> Self {
        self.clock = Arc::new(ManualClock::at(time));
        self
    }

    /// Adds a setting by the name of its environment variable, such as `ORGMEM_LIMITS_BODY_BYTES`.
    #[must_use]
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    pub async fn start(self) -> TestApp {
        let folder = TempDir::with_prefix("orgmem-test-").expect("a temporary folder");
        let store = match (self.on, self.database) {
            (On::Sqlite, _) => StoreConfig::sqlite(folder.path().join("orgmem.db")),
            (On::Postgres, Some(url)) => StoreConfig::postgres(url),
            (On::Postgres, None) => StoreConfig::postgres(cluster().database()),
        };
        let mut variables = vec![
            ("ORGMEM_LISTEN".to_owned(), "127.0.0.1:0".to_owned()),
            ("ORGMEM_DATA_DIR".to_owned(), folder.path().display().to_string()),
            ("ORGMEM_JWT_SECRET".to_owned(), SECRET.to_owned()),
            ("ORGMEM_WORKERS".to_owned(), "2".to_owned()),
            ("ORGMEM_STORE_READERS".to_owned(), "4".to_owned()),
        ];
        if let StoreConfig::Postgres { url, .. } = &store {
            variables.push(("ORGMEM_DATABASE_URL".to_owned(), url.clone()));
        }
        variables.extend(self.variables);
        let disk = self.has_disk.then(|| Disk::below(folder.path()));
        let clock = if self.is_program { Time::System } else { Time::Manual(self.clock) };
        let (server, context) = launch(folder.path(), &variables, &clock).await;
        TestApp { on: self.on, context, clock, variables, server: Some(server), store, disk, folder }
    }
}

async fn launch(folder: &Path, variables: &[(String, String)], clock: &Time) -> (Server, Arc<Context>) {
    let (server, address) = match clock {
        Time::System => {
            let program = Program::start(variables).await;
            let address = program.address();
            (Server::Program(Box::new(program)), address)
        }
        Time::Manual(clock) => {
            let running = start_in_process(folder, variables, clock.clone()).await;
            let address = running.address();
            (Server::InProcess(Box::new(running)), address)
        }
    };
    (server, context(format!("http://{address}")).await)
}

/// A server in this process. It differs from the program in its clock, signals and logs.
async fn start_in_process(folder: &Path, variables: &[(String, String)], clock: Arc<ManualClock>) -> Running {
    let mut sources = Sources::empty(folder);
    sources.variables = variables.iter().map(|(name, value)| (OsString::from(name), value.into())).collect();
    let config = Config::load(&sources).unwrap_or_else(|error| panic!("invalid settings: {error}"));
    serve::start(config.settings, clock).await.unwrap_or_else(|error| panic!("the server does not start: {error}"))
}

async fn stop(server: Option<Server>) {
    match server {
        Some(Server::InProcess(running)) => running.stop().await,
        Some(Server::Program(program)) => program.stop().await,
        None => {}
    }
}

/// Stops the server at the end of each test, also of a failed one.
impl Drop for TestApp {
    fn drop(&mut self) {
        let server = self.server.take();
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(stop(server)));
    }
}

async fn context(address: String) -> Arc<Context> {
    let client = client();
    let without_contract =
        Context { address: address.clone(), client: client.clone(), contract: Arc::new(Contract::none()) };
    let document = Caller::new(Arc::new(without_contract), None).get("/openapi.json").await.expect(200);
    Arc::new(Context { address, client, contract: Arc::new(Contract::new(document.json())) })
}
