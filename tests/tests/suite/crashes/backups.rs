//! Backups and restores by the program: under load, when it is killed, and with removals after the backup.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use orgmem_store::StoreConfig;
use orgmem_tests::orgs::Drawn;
use orgmem_tests::{On, SECRET, Shell, Tables, TestApp, cluster, for_each_store, repetitions, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;
use uuid::Uuid;

use super::ledger::Ledger;
use super::load::{Load, create_org};

for_each_store!(removals_after_a_backup_are_repeated_from_a_file);

/// A shell whose settings name this data folder, and the secret of the tests.
fn shell(data_dir: &Path) -> Shell {
    Shell::new().with("ORGMEM_DATA_DIR", &data_dir.display().to_string()).with("ORGMEM_JWT_SECRET", SECRET)
}

/// Runs a command with `--json` and returns its result.
async fn json_of(shell: &Shell, line: &str) -> Value {
    let output = shell.enter(&format!("{line} --json")).await.success();
    serde_json::from_str(&output.out).unwrap_or_else(|error| panic!("{error}: {output:#?}"))
}

fn database(folder: &Path) -> StoreConfig {
    StoreConfig::sqlite(folder.join("orgmem.db"))
}

#[test]
fn backups_under_load_restore_to_consistent_moments() {
    run(async {
        let backups = repetitions(7, 20);
        let mut app = TestApp::builder(On::Sqlite).as_program().with("ORGMEM_LOG", "error").start().await;
        let org = create_org(&app).await;
        let folder = TempDir::new().expect("a temporary folder");
        let here = shell(app.folder());
        // acknowledgements have the number of backups that had begun
        let begun = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&begun);
        let mut load = Load::start(&app, &org, 0, move || counter.load(Ordering::SeqCst));
        let mut made = Vec::new();
        for number in 0..backups {
            load.acknowledged(40).await;
            begun.store(number + 1, Ordering::SeqCst);
            made.push(json_of(&here, &format!("orgmem backup {}", folder.path().display())).await);
        }
        load.acknowledged(40).await;
        app.kill().await;
        let mut ledger = Ledger::default();
        load.end(&mut ledger).await;
        assert!(ledger.acknowledged() > backups * 40, "{} writes are no load", ledger.acknowledged());
        // without the removals of the current database, so that the moment is exact
        let elsewhere = shell(&folder.path().join("nowhere"));
        for (number, backup) in made.iter().enumerate() {
            assert_eq!(backup["audit_fault"], Value::Null, "{backup}");
            assert!(backup["audit_rows"].as_u64() > Some(0), "the audit log was verified: {backup}");
            let to = TempDir::new().expect("a temporary folder");
            let at = backup["taken_at"].as_str().expect("a time");
            let restore = format!("orgmem restore {} --to {} --at {at}", folder.path().display(), to.path().display());
            // a folder without later backups is not the point here: the newest one repeats what was forgotten since
            let restored = json_of(&elsewhere, &restore).await;
            assert_eq!((&restored["name"], &restored["audit_fault"]), (&backup["name"], &Value::Null), "{restored}");
            let mut tables = Tables::of(&database(to.path())).expect("it is a database");
            let faults = ledger.faults(&mut tables, number).expect("the tables can be read");
            assert!(faults.is_empty(), "backup {number}: {faults:#?}");
        }
        let first = made[0]["new_bytes"].as_u64().expect("a number");
        let total: u64 = made.iter().map(|backup| backup["new_bytes"].as_u64().expect("a number")).sum();
        let whole: u64 = made.iter().map(|backup| backup["bytes"].as_u64().expect("a number")).sum();
        assert!(first > 0 && total <= whole, "{total} of {whole} bytes were copied");
    });
}

#[test]
fn killed_backup_is_invisible_and_the_next_one_complete() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().with("ORGMEM_LOG", "error").start().await;
        let org = create_org(&app).await;
        let folder = TempDir::new().expect("a temporary folder");
        let here = shell(app.folder());
        let backup = format!("orgmem backup {}", folder.path().display());
        let mut complete = 0;
        for round in 0..8 {
            let bot = org.id(&format!("bot-{round}"));
            for n in 0..30 {
                app.agent(bot).commit(bot, "TEAM", &format!("{round} {n} {}", "crane ".repeat(400))).await;
            }
            let mut command: Command = here.command("orgmem");
            command.arg("backup").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("it starts");
            // at the beginning, while it copies, while it writes chunks, or later
            let begun = [folder.path().join("lock"), folder.path().join("partial/orgmem.db")];
            let chunks = round * 2;
            let is_time = || match round {
                0 | 1 => begun[round].exists(),
                _ => count_files(&folder.path().join("chunks")) >= chunks,
            };
            let ended = loop {
                if let Some(status) = child.try_wait().expect("a state") {
                    break Some(status);
                }
                if is_time() {
                    break None;
                }
                tokio::task::yield_now().await;
            };
            child.kill().await.ok();
            // a backup that ended before the kill is complete
            complete += usize::from(ended.is_some_and(|status| status.success()));
            let listed = match folder.path().join("format").exists() {
                true => json_of(&here, &format!("{backup} --list")).await.as_array().expect("a list").clone(),
                false => Vec::new(),
            };
            assert!(listed.iter().all(|backup| backup["fault"].is_null()), "{listed:?}");
            assert!(listed.len() >= complete, "{listed:?}");
        }
        let made = json_of(&here, &backup).await;
        assert!(!folder.path().join("partial").exists());
        let to = folder.path().join("restored");
        let restored =
            json_of(&here, &format!("orgmem restore {} --to {}", folder.path().display(), to.display())).await;
        assert_eq!(restored["name"], made["name"]);
        let rows = |config: &StoreConfig| Tables::of(config).expect("a database").dump();
        assert_eq!(rows(&database(app.folder())).len(), rows(&database(&to)).len());
    });
}

fn count_files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| if entry.path().is_dir() { count_files(&entry.path()) } else { 1 }).sum()
}

/// Unique texts of what is removed after the backup, and of what remains.
const REMOVED: [&str; 11] = [
    "quetzala7f1",
    "quetzalb7f2",
    "quetzalc7f3",
    "quetzald7f4",
    "quetzale7f5",
    "quetzalf7f6",
    "quetzala8f7",
    "quetzalb8f8",
    "quetzalc8f9",
    "quetzald8f0",
    "quetzale8f1",
];
const REMAINING: &str = "heronb7f1";

/// The kinds of removals, and how many of each are repeated. The erasure of an end user who has only a grant counts none.
const KINDS: [&str; 7] = ["redactions", "deletions", "episodes", "entries", "erasures", "revocations", "grants"];
const REPEATED: [u64; 7] = [1, 2, 1, 1, 2, 1, 1];

struct Contents {
    dev: Uuid,
    bot: Uuid,
    temp: Uuid,
    redacted: Uuid,
    deleted: Uuid,
    episode: Uuid,
    pending: Uuid,
    run: Uuid,
    grant: Uuid,
    token: String,
}

async fn fill(app: &TestApp, org: &Drawn) -> Contents {
    let (dev, bot, temp) = (org.id("dev"), org.id("bot"), org.id("temp"));
    let agent = app.agent(bot);
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let redacted = agent.commit(bot, "TEAM", REMOVED[0]).await;
    agent.patch(&at(&format!("memories/{redacted}")), json!({"content": REMOVED[1]})).await.expect(200);
    let deleted = agent.commit(bot, "LOCAL", REMOVED[2]).await;
    let about = json!({"content": REMOVED[3], "scope": "TEAM", "subject": "ada"});
    agent.commit_with(bot, about).await;
    app.agent(temp).commit(temp, "TEAM", REMOVED[4]).await;
    agent.post(&at("memory"), json!({"key": "state", "value": REMOVED[5]})).await.expect(200);
    agent.post(&at("memory"), json!({"key": REMOVED[6], "value": 1, "subject": "ada"})).await.expect(200);
    let body = json!({"activity_type": "agent_log", "summary": REMOVED[7]});
    let episode = agent.post(&at("activity"), body).await.expect(201).id("id");
    let run = agent.post(&at("runs"), json!({})).await.expect(201).id("run_id");
    let pending = json!({"content": REMOVED[8], "scope": "TEAM", "run_id": run});
    let pending = agent.post(&at("memories"), pending).await.expect(201).id("id");
    agent.commit(bot, "TEAM", REMAINING).await;
    let give = async |subject: &str, evidence: &str| {
        let grant = json!({"subject": subject, "sessions": "all", "to": {"session": "s-1"}, "evidence": evidence});
        app.operator(dev).post(&at("grants"), grant).await.expect(201).id("id")
    };
    let grant = give("bob", REMOVED[9]).await;
    give("bob", REMAINING).await;
    // the only trace of this end user
    give("carol", REMOVED[10]).await;
    let token = app.admin().post(&at("tokens"), json!({"role": "agent"})).await.expect(201).json();
    let token = token["token"].as_str().expect("a token").to_owned();
    Contents { dev, bot, temp, redacted, deleted, episode, pending, run, grant, token }
}

/// Removes everything in [`REMOVED`].
async fn remove(app: &TestApp, org: &Drawn, contents: &Contents) {
    let Contents { dev, bot, temp, redacted, deleted, episode, pending, run, grant, token } = contents;
    let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
    let why = json!({"reason": "asked for by the person"});
    let agent = app.agent(*bot);
    let path = format!("/workspaces/{dev}/memories/{redacted}/redact");
    app.operator(*dev).post(&path, why.clone()).await.expect(200);
    agent.delete(&at(&format!("memories/{deleted}"))).await.expect(200);
    agent.delete(&at("memory/state")).await.expect(200);
    app.admin().post(&at(&format!("activity/{episode}/redact")), why.clone()).await.expect(200);
    agent.post(&at(&format!("runs/{run}/finish")), json!({"status": "completed"})).await.expect(200);
    agent.delete(&at(&format!("memories/{pending}"))).await.expect(200);
    for subject in ["ada", "carol"] {
        let erase = json!({"org_id": org.id("acme"), "subject": subject, "reason": "asked for by the person"});
        app.admin().post("/admin/erasures", erase).await.expect(200);
    }
    app.operator(*dev).delete(&at(&format!("grants/{grant}"))).await.expect(200);
    app.admin().delete(&format!("/workspaces/{temp}?purge=true&confirm=true")).await.expect(200);
    let listed = app.admin().get(&at("tokens")).await.expect(200).json();
    let id =
        listed.as_array().or(listed["items"].as_array()).expect("tokens")[0]["jti"].as_str().expect("an id").to_owned();
    app.admin().delete(&format!("/tokens/{id}")).await.expect(200);
    app.bearer(token).get(&at("memory")).await.refused(401, "token_invalid");
}

/// The files below a folder that contain one of the texts, in any case.
fn files_with(folder: &Path, texts: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            found.extend(files_with(&path, texts));
            continue;
        }
        let bytes = std::fs::read(&path).expect("a file").to_ascii_lowercase();
        if texts.iter().any(|text| bytes.windows(text.len()).any(|window| window == text.as_bytes())) {
            found.push(path);
        }
    }
    found
}

#[test]
fn removals_after_a_backup_are_repeated_by_a_restore() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().with("ORGMEM_LOG", "error").start().await;
        let org = app.plant("acme\n  dev\n    bot\n    temp\n      below\n  ops").await;
        let contents = fill(&app, &org).await;
        // enough for segments of the index, which have the words too
        for n in 0..60 {
            app.agent(contents.bot).commit(contents.bot, "TEAM", &format!("crane {n}")).await;
        }
        while app.tables().try_query("SELECT 'a segment' AS line FROM memory_segments").expect("rows").is_empty() {
            tokio::task::yield_now().await;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let (here, elsewhere) = (shell(app.folder()), shell(&folder.path().join("nowhere")));
        let backups = folder.path().join("backups of acme");
        let backup = format!("orgmem backup '{}'", backups.display());
        let first = json_of(&here, &backup).await;
        remove(&app, &org, &contents).await;
        // the server removes the words from the segments of its index soon
        while !files_with(app.folder(), &REMOVED).is_empty() {
            tokio::task::yield_now().await;
        }
        let at = first["taken_at"].as_str().expect("a time");
        let restore = |to: &Path| format!("orgmem restore '{}' --at {at} --to {}", backups.display(), to.display());
        // only the running server knows the removals
        let by_current = folder.path().join("by-current");
        check_restored(&json_of(&here, &restore(&by_current)).await, &by_current);
        // only a later backup knows them
        json_of(&here, &backup).await;
        let by_backup = folder.path().join("by-backup");
        check_restored(&json_of(&elsewhere, &restore(&by_backup)).await, &by_backup);
        // a backup of the restored data passes the removals on
        let passed_on = shell(&by_backup);
        assert_eq!(
            json_of(&passed_on, &backup).await["audit_fault"],
            Value::Null,
            "the repeated removals are in the log"
        );
        let again = folder.path().join("again");
        check_restored(&json_of(&elsewhere, &restore(&again)).await, &again);
        // the older backup has the content until it is dropped
        assert!(!files_with(&backups, &REMOVED).is_empty(), "the search covers the chunks");
        let dropped = json_of(&here, &format!("{backup} --keep 1")).await;
        assert!(dropped["dropped"]["chunks"].as_u64() > Some(0), "{dropped}");
        assert_eq!(files_with(&backups, &REMOVED), Vec::<PathBuf>::new());
        assert!(!files_with(&backups, &[REMAINING]).is_empty());
    });
}

/// Checks what was repeated, and the files of a restored data folder.
fn check_restored(restored: &Value, to: &Path) {
    let repeated = |kind: &str| restored["repeated"][kind].as_u64().unwrap_or_default();
    assert_eq!(KINDS.map(repeated), REPEATED, "{restored}");
    assert_eq!(files_with(to, &REMOVED), Vec::<PathBuf>::new());
    assert!(!files_with(to, &[REMAINING]).is_empty(), "the search covers the files");
    assert_eq!(std::fs::read_dir(to).expect("a folder").count(), 1, "only the database");
}

/// Dumps of the database's own tools, and a file of removals.
async fn removals_after_a_backup_are_repeated_from_a_file(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    temp\n      below\n  ops").await;
    let contents = fill(&app, &org).await;
    let folder = TempDir::new().expect("a temporary folder");
    let copy = Copy::of(&app, on, folder.path()).await;
    remove(&app, &org, &contents).await;
    let file = folder.path().join("removals.jsonl");
    let here = copy.source.enter(&format!("orgmem removals export {}", file.display())).await.success();
    assert!(here.err.contains("their content is not in the file"), "{here:?}");
    let list = std::fs::read_to_string(&file).expect("a file");
    assert!(REMOVED.iter().all(|text| !list.to_lowercase().contains(text)), "{list}");
    let target = copy.restore(folder.path()).await;
    let rows = |config: &StoreConfig| Tables::of(config).expect("a database").dump().join("\n").to_lowercase();
    assert!(rows(&target.config).contains(REMOVED[0]), "the copy is older");
    let apply = format!("orgmem removals apply {}", file.display());
    let repeated = json_of(&target.shell, &apply).await;
    assert_eq!(KINDS.map(|kind| repeated[kind].as_u64().unwrap_or_default()), REPEATED, "{repeated}");
    let text = rows(&target.config);
    let left: Vec<&str> = REMOVED.into_iter().filter(|removed| text.contains(removed)).collect();
    assert!(left.is_empty() && text.contains(REMAINING), "{left:?}");
    let again = json_of(&target.shell, &apply).await;
    assert!(KINDS.iter().all(|kind| again[kind] == 0), "a second time changes nothing: {again}");
    // a changed file changes nothing
    let changed = folder.path().join("changed.jsonl");
    std::fs::write(&changed, list.replacen("\"redaction\"", "\"deletion\"", 1)).expect("written");
    let refused = target.shell.enter(&format!("orgmem removals apply {}", changed.display())).await;
    assert!(refused.code == Some(1) && refused.err.contains("line "), "{refused:?}");
}

/// A copy of a database, made by the tools of its product.
struct Copy {
    source: Shell,
    dump: PathBuf,
    on: On,
}

struct Target {
    shell: Shell,
    config: StoreConfig,
}

impl Copy {
    async fn of(app: &TestApp, on: On, folder: &Path) -> Self {
        let source = shell(app.folder());
        match app.database_url() {
            None => {
                let dump = folder.join("backups");
                json_of(&source, &format!("orgmem backup {}", dump.display())).await;
                Self { source, dump, on }
            }
            Some(url) => {
                let (dump, source) = (folder.join("orgmem.dump"), source.with("ORGMEM_DATABASE_URL", url));
                let refused = source.enter(&format!("orgmem backup {}", folder.display())).await;
                assert!(refused.code == Some(1) && refused.out.contains("pg_dump --format=custom"), "{refused:?}");
                let dumped = cluster().tool("pg_dump").args(["--format=custom", url]).output().expect("it runs");
                assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
                std::fs::write(&dump, dumped.stdout).expect("written");
                Self { source, dump, on }
            }
        }
    }

    async fn restore(&self, folder: &Path) -> Target {
        let to = folder.join("restored");
        if self.on == On::Sqlite {
            let elsewhere = shell(&folder.join("nowhere"));
            json_of(&elsewhere, &format!("orgmem restore {} --to {}", self.dump.display(), to.display())).await;
            return Target { shell: shell(&to), config: database(&to) };
        }
        let url = cluster().empty_database();
        let dump = std::fs::File::open(&self.dump).expect("a dump");
        let mut command = cluster().tool("pg_restore");
        let restored = command.args(["--no-owner", "--exit-on-error", "--dbname", &url]).stdin(dump).output();
        let restored = restored.expect("it runs");
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
        Target { shell: shell(&to).with("ORGMEM_DATABASE_URL", &url), config: StoreConfig::postgres(url) }
    }
}
