//! A runtime's folder follows the skills of a workspace: `orgmem skills sync --watch`, with the real program.

use std::path::Path;
use std::process::Stdio;

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr};
use uuid::Uuid;

for_each_store!(folder_follows_every_change, folder_is_synchronised_once, packages_are_equal_on_every_database);

/// A running `orgmem skills sync`, and what it reports.
struct Sync {
    reports: Lines<BufReader<ChildStderr>>,
    _child: Child,
}

impl Sync {
    fn start(shell: &Shell, folder: &str) -> Self {
        let mut command = shell.command("orgmem");
        command.args(["skills", "sync", folder, "--watch"]).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let reports = BufReader::new(child.stderr.take().expect("its reports are piped")).lines();
        Self { reports, _child: child }
    }

    /// Waits for the report of a change.
    async fn reports(&mut self, expected: &str) {
        loop {
            let line = self.reports.next_line().await.expect("text").expect("it runs");
            if line.contains(expected) {
                return;
            }
        }
    }
}

struct Org {
    app: TestApp,
    root: Uuid,
    elsewhere: Uuid,
    author: Uuid,
    peer: Uuid,
    procedure: Uuid,
}

impl Org {
    async fn new(on: On) -> Self {
        let app = TestApp::builder(on).as_program().start().await;
        let org = app.plant("acme\n  lead\n    author\n    peer\n  elsewhere").await;
        let author = org.id("author");
        let memory = json!({
            "id": "00000000-0000-4000-8000-00000000000a", "content": "Press the green button.", "title": "Deploy",
            "kind": "procedure", "scope": "TEAM",
        });
        let procedure = app.agent(author).commit_with(author, memory).await;
        let (root, elsewhere, peer) = (org.id("acme"), org.id("elsewhere"), org.id("peer"));
        Self { app, root, elsewhere, author, peer, procedure }
    }

    fn skills(&self, rest: &str) -> String {
        format!("/workspaces/{}/skills{rest}", self.author)
    }

    fn memory(&self, rest: &str) -> String {
        format!("/workspaces/{}/memories/{}{rest}", self.author, self.procedure)
    }

    async fn draft(&self) {
        let body = json!({"memory_ids": [self.procedure]});
        self.app.agent(self.author).post(&self.skills(""), body).await.expect(201);
    }

    async fn approve(&self) {
        self.app.operator(self.author).post(&self.skills("/deploy/approve"), json!({})).await.expect(200);
    }

    /// A shell of the peer's runtime.
    fn runtime(&self) -> Shell {
        let token = self.app.token("agent", Some(self.peer)).text();
        Shell::new().with("ORGMEM_URL", self.app.address()).with("ORGMEM_TOKEN", &token)
    }
}

fn text(shell: &Shell, path: &str) -> String {
    std::fs::read_to_string(shell.home().join(path)).unwrap_or_default()
}

fn exists(shell: &Shell, path: &str) -> bool {
    Path::exists(&shell.home().join(path))
}

async fn folder_follows_every_change(on: On) {
    let org = Org::new(on).await;
    let runtime = org.runtime();
    std::fs::create_dir_all(runtime.home().join("skills/mine")).expect("a folder");
    std::fs::write(runtime.home().join("skills/mine/SKILL.md"), "mine").expect("a file");
    let mut sync = Sync::start(&runtime, "skills");
    // a promotion
    org.draft().await;
    org.approve().await;
    sync.reports("deploy: version 1").await;
    assert!(text(&runtime, "skills/deploy/SKILL.md").contains("green button"));
    // an edit, once it is approved
    let change = json!({"content": "Press the blue button."});
    org.app.agent(org.author).patch(&org.memory(""), change).await.expect(200);
    org.approve().await;
    sync.reports("deploy: version 2").await;
    assert!(text(&runtime, "skills/deploy/SKILL.md").contains("blue button"));
    // a local edit is moved aside
    std::fs::write(runtime.home().join("skills/deploy/SKILL.md"), "my own").expect("a file");
    sync.reports("it was edited").await;
    sync.reports("deploy: version 2").await;
    assert_eq!(text(&runtime, "skills/.orgmem/edited/deploy/SKILL.md"), "my own");
    assert!(text(&runtime, "skills/deploy/SKILL.md").contains("blue button"));
    // a withdrawal
    org.app.operator(org.author).delete(&org.skills("/deploy")).await.expect(200);
    sync.reports("deploy: removed").await;
    assert!(!exists(&runtime, "skills/deploy"));
    org.draft().await;
    org.approve().await;
    sync.reports("deploy: version 3").await;
    // moves out of reach: of the reader, and of the author
    org.app.admin().move_workspace(org.peer, org.elsewhere).await;
    sync.reports("deploy: removed").await;
    let lead = org.app.admin().get(&format!("/workspaces/{}", org.author)).await.expect(200).id("parent_id");
    org.app.admin().move_workspace(org.peer, lead).await;
    sync.reports("deploy: version 3").await;
    org.app.admin().move_workspace(org.author, org.elsewhere).await;
    sync.reports("deploy: removed").await;
    org.app.admin().move_workspace(org.author, lead).await;
    sync.reports("deploy: version 3").await;
    // an erasure
    let reason = json!({"reason": "a test"});
    org.app.operator(org.root).post(&org.memory("/redact"), reason).await.expect(200);
    sync.reports("deploy: removed").await;
    assert!(!exists(&runtime, "skills/deploy"));
    assert_eq!(text(&runtime, "skills/mine/SKILL.md"), "mine");
}

async fn folder_is_synchronised_once(on: On) {
    let org = Org::new(on).await;
    org.draft().await;
    org.approve().await;
    let runtime = org.runtime();
    let first = runtime.enter("orgmem skills sync skills").await;
    assert_eq!((first.code, exists(&runtime, "skills/deploy/provenance.json")), (Some(0), true), "{first:#?}");
    assert!(first.err.contains("deploy: version 1"), "{first:#?}");
    let second = runtime.enter("orgmem skills sync skills").await;
    assert_eq!((second.code, second.err.as_str()), (Some(0), ""), "{second:#?}");
    // a folder of another workspace, and a folder of others with the name of a skill
    let other = format!("orgmem skills sync {}/skills -w {}", runtime.home().display(), org.author);
    let other = Shell::to(&org.app).enter(&other).await;
    assert!(other.code != Some(0) && other.err.contains("it follows workspace"), "{other:#?}");
    std::fs::create_dir_all(runtime.home().join("taken/deploy")).expect("a folder");
    std::fs::write(runtime.home().join("taken/deploy/SKILL.md"), "mine").expect("a file");
    let taken = runtime.enter("orgmem skills sync taken").await;
    assert!(taken.code == Some(0) && taken.err.contains("left as it is"), "{taken:#?}");
    assert_eq!(text(&runtime, "taken/deploy/SKILL.md"), "mine");
}

/// The bytes of a package, with ids that a test can choose.
async fn packages_are_equal_on_every_database(on: On) {
    let mut packages = Vec::new();
    for on in [on, On::Sqlite] {
        let app = TestApp::new(on).await;
        let id = |number: u128| Uuid::from_u128(0x1000_0000_0000_4000_8000_0000_0000_0000 + number);
        let document = json!({"id": id(1), "name": "acme", "children": [{"id": id(2), "name": "bot"}]});
        app.admin().post("/orgs/import", document).await.expect(201);
        let bot = id(2);
        for (number, content) in [(3, "Press the button."), (4, &*"step\n".repeat(600))] {
            let memory = json!({"id": id(number), "content": content, "kind": "procedure", "scope": "LOCAL"});
            app.agent(bot).commit_with(bot, memory).await;
        }
        let skills = format!("/workspaces/{bot}/skills");
        let body = json!({"memory_ids": [id(3), id(4)], "name": "deploy", "description": "Deploys."});
        app.agent(bot).post(&skills, body).await.expect(201);
        let approved: Value = app.admin().post(&format!("{skills}/deploy/approve"), json!({})).await.expect(200).json();
        assert_eq!(approved["status"], "active");
        packages.push(app.agent(bot).get(&format!("{skills}/deploy/package")).await.expect(200).body);
    }
    assert!(packages[0] == packages[1] && packages[0].len() > 100);
}
