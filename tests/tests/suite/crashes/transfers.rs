//! Exports, imports and copies that are killed at any point and repeated: the end is the same as without kills.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use orgmem_store::{Selection, StoreConfig, export};
use orgmem_tests::generators::Seeded;
use orgmem_tests::{On, Shell, TestApp, cluster, for_each_store, repetitions};
use serde_json::{Value, json};
use tempfile::TempDir;

for_each_store!(killed_export_has_no_file, killed_import_continues_with_whole_orgs, killed_copy_continues_and_is_exact);

/// A stopped server's data, and commands on it.
struct Fixture {
    /// The data of the source. It exists until the drop.
    _app: TestApp,
    source: StoreConfig,
    shell: Shell,
    folder: TempDir,
    whole: Vec<u8>,
    seeded: Seeded,
}

async fn fixture(on: On, seed: u64) -> Fixture {
    let mut app = TestApp::new(on).await;
    let names = ["acme", "globex", "initech"];
    let org = app.plant(&names.map(|name| format!("{name}\n  dev-{name}\n")).concat()).await;
    for name in names {
        let dev = org.id(&format!("dev-{name}"));
        for part in 0..2 {
            let memory =
                |n: usize| json!({"content": format!("{name} {part} {n} {}", "crane ".repeat(60)), "scope": "TEAM"});
            let batch: Vec<Value> = (0..400).map(memory).collect();
            let path = format!("/workspaces/{dev}/memories/batch");
            app.agent(dev).post(&path, json!({"memories": batch})).await.expect(200);
        }
    }
    let source = match app.database_url() {
        Some(url) => StoreConfig::postgres(url),
        None => StoreConfig::sqlite(app.folder().join("orgmem.db")),
    };
    app.stop().await;
    let shell = on_database(Shell::new(), &source, app.folder());
    let whole = exported(&source);
    Fixture { _app: app, source, shell, folder: TempDir::new().expect("a folder"), whole, seeded: Seeded::new(seed) }
}

fn on_database(shell: Shell, config: &StoreConfig, folder: &Path) -> Shell {
    let shell = shell.with("ORGMEM_DATA_DIR", &folder.display().to_string());
    if let StoreConfig::Postgres { url, .. } = config { shell.with("ORGMEM_DATABASE_URL", url) } else { shell }
}

fn exported(config: &StoreConfig) -> Vec<u8> {
    let mut file = Vec::new();
    export(config, &Selection::All, &mut file, &mut |_| {}).expect("an export");
    file
}

/// Starts a command and kills it when it ends or after a random while. Returns whether it ended by itself.
async fn killed(shell: &Shell, arguments: &[&str], seeded: &mut Seeded) -> bool {
    let mut command = shell.command("orgmem");
    let mut child = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    // up to the time that the whole command takes
    let until = Duration::from_millis(seeded.one_of(&[0, 20, 80, 200, 400, 800, 1_600]));
    match tokio::time::timeout(until, child.wait()).await {
        Ok(status) => status.expect("a state").success(),
        Err(_) => {
            child.kill().await.expect("it can be killed");
            false
        }
    }
}

async fn killed_export_has_no_file(on: On) {
    let mut f = fixture(on, 3).await;
    let file = f.folder.path().join("all.jsonl");
    let name = file.display().to_string();
    for _ in 0..repetitions(4, 10) {
        let ended = killed(&f.shell, &["export", &name], &mut f.seeded).await;
        match std::fs::read(&file) {
            Ok(found) => assert!(found == f.whole, "a file with its name is complete"),
            Err(_) => assert!(!ended),
        }
        let _ = std::fs::remove_file(&file);
    }
    let _ = f.shell.enter(&format!("orgmem export {name}")).await.success();
    assert!(std::fs::read(&file).expect("a file") == f.whole);
}

/// A new target: its configuration, a shell on it, and its name as an argument.
fn target(on: On, folder: &Path) -> (StoreConfig, Shell, String) {
    let data_dir = folder.join("target");
    std::fs::create_dir_all(&data_dir).expect("a folder");
    let (config, name) = match on {
        On::Sqlite => (StoreConfig::sqlite(data_dir.join("orgmem.db")), data_dir.display().to_string()),
        On::Postgres => {
            let url = cluster().empty_database();
            (StoreConfig::postgres(url.clone()), url)
        }
    };
    let shell = on_database(Shell::new(), &config, &data_dir);
    (config, shell, name)
}

async fn killed_import_continues_with_whole_orgs(on: On) {
    let mut f = fixture(on, 5).await;
    let file: PathBuf = f.folder.path().join("all.jsonl");
    std::fs::write(&file, &f.whole).expect("written");
    let (config, shell, _) = target(on, f.folder.path());
    let name = file.display().to_string();
    for _ in 0..repetitions(4, 10) {
        killed(&shell, &["import", &name], &mut f.seeded).await;
        // whole orgs only: their last lines are those of the file
        let Ok(part) = std::panic::catch_unwind(|| exported(&config)) else { continue };
        let (whole, part) = (text(&f.whole), text(&part).to_owned());
        for line in part.lines().filter(|line| line.starts_with("{\"end\"") && !line.contains(NIL)) {
            assert!(whole.contains(line), "{line}");
        }
    }
    let _ = shell.enter(&format!("orgmem import {name}")).await.success();
    assert!(exported(&config) == f.whole, "the import is complete");
}

const NIL: &str = "00000000-0000-0000-0000-000000000000";

fn text(file: &[u8]) -> &str {
    std::str::from_utf8(file).expect("UTF-8")
}

async fn killed_copy_continues_and_is_exact(on: On) {
    let mut f = fixture(on, 7).await;
    // to the other product
    let other = if on == On::Sqlite { On::Postgres } else { On::Sqlite };
    let (config, _, name) = target(other, f.folder.path());
    let from = match &f.source {
        StoreConfig::Sqlite { path, .. } => path.display().to_string(),
        StoreConfig::Postgres { url, .. } => url.clone(),
    };
    let arguments = ["migrate", "--from", &from, "--to", &name];
    for _ in 0..repetitions(4, 10) {
        killed(&f.shell, &arguments, &mut f.seeded).await;
    }
    // PostgreSQL shows the connections of killed programs for some milliseconds
    for attempt in 0.. {
        let done = f.shell.enter(&format!("orgmem migrate --from '{from}' --to '{name}'")).await;
        let is_complete = done.code == Some(0) || done.err.contains("the target has data");
        assert!(is_complete || attempt < 50, "{done:?}");
        if is_complete {
            break;
        }
    }
    assert!(exported(&config) == f.whole, "the copy is exact");
}
