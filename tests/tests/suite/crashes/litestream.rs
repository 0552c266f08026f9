//! Continuous replication by Litestream, next to a server that writes and removes data.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use orgmem_store::StoreConfig;
use orgmem_tests::{On, Tables, TestApp, run};
use serde_json::json;
use tempfile::TempDir;
use tokio::process::{Child, Command};
use uuid::Uuid;

use super::ledger::Ledger;
use super::load::{Load, create_org};

/// The program, which `tests/litestream/install` installs where Go is. Without it the test is skipped.
fn litestream() -> Option<PathBuf> {
    let path = std::env::var_os("ORGMEM_TEST_LITESTREAM").map(PathBuf::from);
    if path.is_none() {
        eprintln!("skipped: ORGMEM_TEST_LITESTREAM is not set; tests/run sets it");
    }
    path
}

/// The settings of `deploy/litestream`, with other paths.
fn settings(data: &Path, replica: &Path) -> String {
    let settings = include_str!("../../../../deploy/litestream/litestream.yml");
    let settings = settings.replace("/var/lib/orgmem", &data.display().to_string());
    settings.replace("/srv/replica/orgmem", &replica.display().to_string())
}

struct Replication {
    program: PathBuf,
    settings: PathBuf,
    database: PathBuf,
    running: Child,
}

impl Replication {
    fn start(program: PathBuf, data: &Path, folder: &Path) -> Self {
        let file = folder.join("litestream.yml");
        std::fs::write(&file, settings(data, &folder.join("replica"))).expect("written");
        let mut command = Command::new(&program);
        command.args(["replicate", "-config"]).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let running = command.kill_on_drop(true).spawn().expect("it starts");
        Self { program, settings: file, database: data.join("orgmem.db"), running }
    }

    /// Restores the replica into a new file.
    async fn restore(&self, to: &Path) -> bool {
        let mut command = Command::new(&self.program);
        command.args(["restore", "-config"]).arg(&self.settings).arg("-o").arg(to).arg(&self.database);
        command.output().await.expect("it runs").status.success()
    }
}

#[test]
fn litestream_replica_restores_to_a_consistent_moment() {
    let Some(program) = litestream() else { return };
    run(async {
        let mut app = TestApp::builder(On::Sqlite).as_program().with("ORGMEM_LOG", "error").start().await;
        let org = create_org(&app).await;
        let folder = TempDir::new().expect("a temporary folder");
        let mut replication = Replication::start(program, app.folder(), folder.path());
        let bot = org.id("bot-0");
        let first = app.agent(bot).commit(bot, "TEAM", "the first of all").await;
        // until the first snapshot is there
        let early = folder.path().join("early.db");
        while !(replication.restore(&early).await && has(&early, first)) {
            let _ = std::fs::remove_file(&early);
        }
        let mut ledger = Ledger::default();
        let mut load = Load::start(&app, &org, 0, || 1);
        load.acknowledged(600).await;
        // a redaction truncates the log that Litestream reads
        let redacted = app.agent(bot).commit(bot, "TEAM", "quetzal to be redacted").await;
        let path = format!("/workspaces/{bot}/memories/{redacted}/redact");
        app.admin().post(&path, json!({"reason": "asked for by the person"})).await.expect(200);
        load.acknowledged(600).await;
        replication.running.kill().await.expect("it can be killed");
        app.kill().await;
        load.end(&mut ledger).await;
        // no write is due, but each is whole, and the tables agree
        let restored = folder.path().join("restored.db");
        assert!(replication.restore(&restored).await);
        let mut tables = Tables::of(&StoreConfig::sqlite(&restored)).expect("it is a database");
        let faults = ledger.faults(&mut tables, 0).expect("the tables can be read");
        assert!(faults.is_empty(), "{faults:#?}");
        assert!(has(&restored, first));
        // the server serves it, and Litestream continues after a restart of both
        app.restart().await;
        app.agent(bot).commit(bot, "TEAM", "after the restart").await;
    });
}

fn has(database: &Path, memory: Uuid) -> bool {
    let Ok(mut tables) = Tables::of(&StoreConfig::sqlite(database)) else { return false };
    let ids = tables.try_query("SELECT ID(id) AS line FROM memories").unwrap_or_default();
    ids.iter().any(|id| id.parse::<Uuid>().is_ok_and(|id| id == memory))
}
