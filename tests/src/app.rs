//! A server of its own for every test.

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

use crate::callers::{Caller, Place, client};
use crate::contract::Contract;
use crate::disk::Disk;
use crate::program::Program;
use crate::stores::{On, cluster, test_epoch};
use crate::tables::Tables;
use crate::tokens::{SECRET, Token};

/// A running server with a store of its own, at a port that was free.
///
/// ```no_run
/// # use orgmem_tests::{On, TestApp};
/// # async fn example() {
/// let app = TestApp::new(On::Sqlite).await;
/// let org = app.plant("
///     acme
///       dev
///         bot
/// ").await;
/// let memory = app.agent(org.id("dev")).commit(org.id("dev"), "TEAM", "deploys happen on tuesdays").await;
/// let found = app.agent(org.id("bot")).search(org.id("bot"), &[("q", "when to deploy")]).await;
/// assert_eq!(found.ids(), [memory]);
/// # }
/// ```
pub struct TestApp {
    on: On,
    place: Arc<Place>,
    clock: Time,
    /// What it was started with.
    variables: Vec<(String, String)>,
    /// None once it was stopped.
    server: Option<Server>,
    store: StoreConfig,
    disk: Option<Disk>,
    /// The data folder; a second server of one database has none of the first's.
    folder: TempDir,
}

/// What a test wants of its server.
pub struct Builder {
    on: On,
    variables: Vec<(String, String)>,
    is_program: bool,
    has_disk: bool,
    database: Option<String>,
    clock: Arc<ManualClock>,
}

enum Server {
    Here(Running),
    Program(Box<Program>),
}

enum Time {
    Manual(Arc<ManualClock>),
    System,
}

impl TestApp {
    /// One in this process, with a clock that stands still.
    pub async fn new(on: On) -> Self {
        Self::builder(on).start().await
    }

    /// One that is to be as the test wants it.
    #[must_use]
    pub fn builder(on: On) -> Builder {
        let clock = Arc::new(ManualClock::at(test_epoch()));
        Builder { on, variables: Vec::new(), is_program: false, has_disk: false, database: None, clock }
    }

    /// A second server on the same PostgreSQL, with the same clock.
    ///
    /// # Panics
    /// On SQLite, whose data folder is one server's.
    pub async fn second_server(&self) -> Self {
        let StoreConfig::Postgres { url, .. } = &self.store else { panic!("SQLite serves one server") };
        let mut builder = Self::builder(self.on);
        builder.database = Some(url.clone());
        match &self.clock {
            Time::Manual(clock) => builder.clock = clock.clone(),
            Time::System => builder.is_program = true,
        }
        builder.start().await
    }

    /// Which database it has.
    #[must_use]
    pub fn on(&self) -> On {
        self.on
    }

    /// Where it listens: `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.place.address
    }

    /// Its data folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it says of itself in `/openapi.json`.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.place.contract
    }

    /// The time of its clock.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        match &self.clock {
            Time::Manual(clock) => clock.now(),
            Time::System => SystemClock.now(),
        }
    }

    /// Lets time pass.
    ///
    /// # Panics
    /// When the server goes by the machine's clock.
    pub fn pass(&self, time: TimeDelta) {
        match &self.clock {
            Time::Manual(clock) => clock.advance(time),
            Time::System => panic!("a program goes by the machine's clock"),
        }
    }

    /// Somebody without a token.
    #[must_use]
    pub fn stranger(&self) -> Caller {
        Caller::new(self.place.clone(), None)
    }

    /// Whoever has this token.
    #[must_use]
    pub fn bearer(&self, token: &str) -> Caller {
        Caller::new(self.place.clone(), Some(token.to_owned()))
    }

    /// An admin.
    #[must_use]
    pub fn admin(&self) -> Caller {
        self.bearer(&self.token("admin", None).text())
    }

    /// An operator of a workspace and those below it.
    #[must_use]
    pub fn operator(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("operator", Some(workspace)).text())
    }

    /// A viewer of a workspace and those below it.
    #[must_use]
    pub fn viewer(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("viewer", Some(workspace)).text())
    }

    /// The agent of a workspace.
    #[must_use]
    pub fn agent(&self, workspace: Uuid) -> Caller {
        self.bearer(&self.token("agent", Some(workspace)).text())
    }

    /// A right token, to be made wrong or to be revoked.
    #[must_use]
    pub fn token(&self, role: &str, workspace: Option<Uuid>) -> Token {
        Token::new(role, workspace, self.now())
    }

    /// Creates the orgs of a drawing.
    pub async fn plant(&self, drawing: &str) -> Drawn {
        let drawn = orgmem_model::orgs::draw(drawing);
        self.admin().take_all(drawn.steps()).await;
        drawn
    }

    /// Every row of every table, to be compared.
    #[must_use]
    pub fn dump(&self) -> Vec<String> {
        self.tables().dump()
    }

    /// The tables themselves, past the server.
    ///
    /// # Panics
    /// When they cannot be reached.
    #[must_use]
    pub fn tables(&self) -> Tables {
        Tables::of(&self.store).expect("the tables can be reached")
    }

    /// The disk that SQLite writes to, where the test has it in its hands.
    ///
    /// # Panics
    /// When it has not.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        self.disk.as_ref().expect("`on_disk` was asked for")
    }

    /// Does this to its database, behind its back.
    ///
    /// # Panics
    /// When the database refuses it.
    pub fn tamper(&self, statements: &str) {
        self.tables().execute(statements).expect("the database takes it");
    }

    /// Stops it as SIGTERM does, and waits until it has. What it stored stays until this is dropped.
    pub async fn stop(&mut self) {
        stop(self.server.take()).await;
    }

    /// Ends the program as `kill -9` does. What it stored stays.
    ///
    /// # Panics
    /// When it does not run as a program.
    pub async fn kill(&mut self) {
        match self.server.take() {
            Some(Server::Program(program)) => program.kill().await,
            _ => panic!("only a program that runs can be killed"),
        }
    }

    /// Waits until the program has ended, which something else has asked it to, with exit code 0.
    ///
    /// # Panics
    /// When it has another, or does not run as a program.
    pub async fn ended(&mut self) {
        match self.server.take() {
            Some(Server::Program(program)) => program.ended().await,
            _ => panic!("only a program that runs can end"),
        }
    }

    /// Changes a setting for when it is started once more.
    pub fn set(&mut self, variable: &str, value: &str) {
        self.variables.retain(|(name, _)| name != variable);
        self.variables.push((variable.to_owned(), value.to_owned()));
    }

    /// Starts it once more on what it has stored, at another port: callers are to be asked for anew.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn restart(&mut self) {
        self.stop().await;
        let (server, place) = launch(self.folder.path(), &self.variables, &self.clock).await;
        (self.server, self.place) = (Some(server), place);
    }

    /// The program that it is.
    ///
    /// # Panics
    /// When it is none, or was stopped.
    #[must_use]
    pub fn program(&self) -> &Program {
        match &self.server {
            Some(Server::Program(program)) => program,
            _ => panic!("it runs in this process, or not at all"),
        }
    }

    pub(crate) fn place(&self) -> Arc<Place> {
        self.place.clone()
    }
}

impl Builder {
    /// As a program of its own, by the machine's clock.
    #[must_use]
    pub fn as_program(mut self) -> Self {
        self.is_program = true;
        self
    }

    /// On a disk that the test has in its hands. For SQLite in this process.
    #[must_use]
    pub fn on_disk(mut self) -> Self {
        self.has_disk = true;
        self
    }

    /// In a database of the test's own choice, on PostgreSQL.
    #[must_use]
    pub fn in_database(mut self, url: &str) -> Self {
        self.database = Some(url.to_owned());
        self
    }

    /// With a clock that stands at `time` to begin with.
    #[must_use]
    pub fn at(mut self, time: DateTime<Utc>) -> Self {
        self.clock = Arc::new(ManualClock::at(time));
        self
    }

    /// With a setting, as the environment has it: `ORGMEM_LIMITS_BODY_BYTES`.
    #[must_use]
    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Starts it.
    ///
    /// # Panics
    /// When it does not start, which fails the test.
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
        let (server, place) = launch(folder.path(), &variables, &clock).await;
        TestApp { on: self.on, place, clock, variables, server: Some(server), store, disk, folder }
    }
}

/// Starts a server on what is stored in this folder, or in the database of these settings.
async fn launch(folder: &Path, variables: &[(String, String)], clock: &Time) -> (Server, Arc<Place>) {
    let (server, address) = match clock {
        Time::System => {
            let program = Program::start(variables).await;
            let address = program.address();
            (Server::Program(Box::new(program)), address)
        }
        Time::Manual(clock) => {
            let running = start_here(folder, variables, clock.clone()).await;
            let address = running.address();
            (Server::Here(running), address)
        }
    };
    (server, place(format!("http://{address}")).await)
}

/// A server in this process: the same as the program's but for its clock, its signals and its logs.
async fn start_here(folder: &Path, variables: &[(String, String)], clock: Arc<ManualClock>) -> Running {
    let mut sources = Sources::empty(folder);
    sources.variables = variables.iter().map(|(name, value)| (OsString::from(name), value.into())).collect();
    let config = Config::load(&sources).unwrap_or_else(|error| panic!("the settings of a test are right: {error}"));
    serve::start(config.settings, clock).await.unwrap_or_else(|error| panic!("a server starts: {error}"))
}

async fn stop(server: Option<Server>) {
    match server {
        Some(Server::Here(running)) => running.stop().await,
        Some(Server::Program(program)) => program.stop().await,
        None => {}
    }
}

/// However a test ends, its server does too: connections and threads are given back.
impl Drop for TestApp {
    fn drop(&mut self) {
        let server = self.server.take();
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(stop(server)));
    }
}

/// The server at an address, once it has said what it is like.
async fn place(address: String) -> Arc<Place> {
    let client = client();
    let silent = Place { address: address.clone(), client: client.clone(), contract: Arc::new(Contract::none()) };
    let said = Caller::new(Arc::new(silent), None).get("/openapi.json").await.expect(200);
    Arc::new(Place { address, client, contract: Arc::new(Contract::new(said.json())) })
}
