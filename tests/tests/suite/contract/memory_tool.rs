//! The file-based memory tool: files of a workspace, which are its memories.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    commands_answer_in_the_texts_of_the_tool,
    files_are_memories_of_the_workspace,
    folders_are_moved_and_deleted_with_their_files,
    paths_outside_the_folder_are_refused,
    memories_of_others_are_read_only_files,
    blank_files_have_their_text,
    commands_at_the_same_time_both_take_effect,
    command_without_an_argument_is_a_problem,
);

struct Fixture {
    app: TestApp,
    bot: Uuid,
    peer: Uuid,
    acme: Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  bot\n  peer").await;
        let [bot, peer, acme] = ["bot", "peer", "acme"].map(|name| org.id(name));
        Self { app, bot, peer, acme }
    }

    async fn run(&self, command: Value) -> (String, bool) {
        run(&self.app.agent(self.bot), self.bot, command).await
    }

    async fn done(&self, command: Value) -> String {
        let (text, is_error) = self.run(command).await;
        assert!(!is_error, "{text}");
        text
    }

    async fn failed(&self, command: Value) -> String {
        let (text, is_error) = self.run(command).await;
        assert!(is_error, "{text}");
        text
    }

    async fn create(&self, path: &str, text: &str) {
        self.done(json!({"command": "create", "path": path, "file_text": text})).await;
    }

    /// The lines of a listing, without its heading.
    async fn list(&self, path: &str) -> Vec<String> {
        let listing = self.done(json!({"command": "view", "path": path})).await;
        listing.lines().skip(1).map(str::to_owned).collect()
    }
}

async fn run(caller: &Caller, workspace: Uuid, command: Value) -> (String, bool) {
    let answer = caller.post(&format!("/workspaces/{workspace}/memory-tool"), command).await.expect(200).json();
    (answer["content"].as_str().expect("a text").to_owned(), answer["is_error"].as_bool().expect("a boolean"))
}

async fn commands_answer_in_the_texts_of_the_tool(on: On) {
    let fixture = Fixture::new(on).await;
    let path = "/memories/prefs.md";
    let view = json!({"command": "view", "path": path});
    assert_eq!(
        fixture.failed(view.clone()).await,
        "The path /memories/prefs.md does not exist. Please provide a valid path."
    );
    let create = json!({"command": "create", "path": path, "file_text": "tone: brief\ntax: without\n"});
    assert_eq!(fixture.done(create.clone()).await, "File created successfully at: /memories/prefs.md");
    assert_eq!(fixture.failed(create).await, "Error: File /memories/prefs.md already exists");
    assert_eq!(
        fixture.done(view.clone()).await,
        "Here's the content of /memories/prefs.md with line numbers:\n     1\ttone: brief\n     2\ttax: without"
    );
    let replace = json!({"command": "str_replace", "path": path, "old_str": "without", "new_str": "with"});
    assert_eq!(
        fixture.done(replace.clone()).await,
        "The memory file has been edited.\n     1\ttone: brief\n     2\ttax: with"
    );
    assert_eq!(
        fixture.failed(replace).await,
        "No replacement was performed, old_str `without` did not appear verbatim in /memories/prefs.md."
    );
    let several = json!({"command": "str_replace", "path": path, "old_str": "t", "new_str": "T"});
    assert_eq!(
        fixture.failed(several).await,
        "No replacement was performed. Multiple occurrences of old_str `t` in lines: 1, 2. Please ensure it is unique"
    );
    let insert = |line: i64| json!({"command": "insert", "path": path, "insert_line": line, "insert_text": "# Sam\n"});
    assert_eq!(fixture.done(insert(0)).await, "The file /memories/prefs.md has been edited.");
    assert_eq!(
        fixture.failed(insert(9)).await,
        "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 3]"
    );
    let part = |range: [i64; 2]| json!({"command": "view", "path": path, "view_range": range});
    assert_eq!(
        fixture.done(part([2, -1])).await,
        "Here's the content of /memories/prefs.md with line numbers:\n     2\ttone: brief\n     3\ttax: with"
    );
    assert_eq!(
        fixture.failed(part([2, 4])).await,
        "Error: Invalid `view_range` parameter: [2, 4]. It should be within the range of lines of the file: [1, 3]"
    );
    let rename = json!({"command": "rename", "old_path": path, "new_path": "/memories/sam/prefs.md"});
    assert_eq!(fixture.done(rename.clone()).await, "Successfully renamed /memories/prefs.md to /memories/sam/prefs.md");
    assert_eq!(fixture.failed(rename).await, "Error: The path /memories/prefs.md does not exist");
    let delete = json!({"command": "delete", "path": "/memories/sam/prefs.md"});
    assert_eq!(fixture.done(delete.clone()).await, "Successfully deleted /memories/sam/prefs.md");
    assert_eq!(fixture.failed(delete).await, "Error: The path /memories/sam/prefs.md does not exist");
}

async fn files_are_memories_of_the_workspace(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.create("/memories/prefs.md", "the customer prefers tea; key sk-abcdefghijklmnopqrstuvwxyz123456").await;
    let bot = fixture.app.agent(fixture.bot);
    let found = bot.get(&format!("/workspaces/{}/memories?q=tea", fixture.bot)).await.expect(200).json();
    assert_eq!(found[0]["title"], "prefs.md");
    assert_eq!((&found[0]["kind"], &found[0]["scope"]), (&json!("file"), &json!("LOCAL")));
    let content = found[0]["content"].as_str().expect("a text");
    assert!(content.contains("[REDACTED:") && !content.contains("sk-abc"), "{content}");
    // another workspace has a folder of its own
    let peer = fixture.app.agent(fixture.peer);
    let view = json!({"command": "view", "path": "/memories/prefs.md"});
    assert!(run(&peer, fixture.peer, view).await.1);
    let edit = json!({"command": "str_replace", "path": "/memories/prefs.md", "old_str": "tea", "new_str": "coffee"});
    fixture.done(edit).await;
    let id = found[0]["id"].as_str().expect("an id");
    let history = bot.get(&format!("/workspaces/{}/memories/{id}/history", fixture.bot)).await.expect(200).items();
    assert_eq!(history.len(), 2);
    bot.delete(&format!("/workspaces/{}/memories/{id}", fixture.bot)).await.expect(200);
    assert_eq!(fixture.list("/memories").await, ["0B\t/memories", "0B\t/memories/org", "0B\t/memories/team"]);
    fixture.create("/memories/prefs.md", "again").await;
}

async fn folders_are_moved_and_deleted_with_their_files(on: On) {
    let fixture = Fixture::new(on).await;
    for path in ["/memories/a/one.md", "/memories/a/b/two.md", "/memories/ab.md"] {
        fixture.create(path, "text").await;
    }
    let create = |path: &str| json!({"command": "create", "path": path, "file_text": "x"});
    assert_eq!(fixture.failed(create("/memories/a")).await, "Error: File /memories/a already exists");
    assert_eq!(fixture.failed(create("/memories/ab.md/x")).await, "Error: /memories/ab.md is a file");
    let rename = |from: &str, to: &str| json!({"command": "rename", "old_path": from, "new_path": to});
    assert_eq!(
        fixture.failed(rename("/memories/a", "/memories/a/c")).await,
        "Error: The destination /memories/a/c already exists"
    );
    assert_eq!(
        fixture.failed(rename("/memories/a", "/memories/ab.md")).await,
        "Error: The destination /memories/ab.md already exists"
    );
    fixture.done(rename("/memories/a", "/memories/c")).await;
    assert_eq!(
        fixture.list("/memories/c").await,
        ["8B\t/memories/c", "4B\t/memories/c/b", "4B\t/memories/c/b/two.md", "4B\t/memories/c/one.md"]
    );
    fixture.done(json!({"command": "delete", "path": "/memories/c"})).await;
    let left = fixture.list("/memories").await;
    assert_eq!(left, ["4B\t/memories", "4B\t/memories/ab.md", "0B\t/memories/org", "0B\t/memories/team"]);
}

async fn paths_outside_the_folder_are_refused(on: On) {
    let fixture = Fixture::new(on).await;
    for path in
        ["/etc/passwd", "/memories/../x", "/memories/%2e%2e/x", "/memories//x", "/memoriesx", "/memories/a\\..\\b"]
    {
        for command in [
            json!({"command": "view", "path": path}),
            json!({"command": "create", "path": path, "file_text": "x"}),
            json!({"command": "delete", "path": path}),
            json!({"command": "rename", "old_path": "/memories/x", "new_path": path}),
        ] {
            let text = fixture.failed(command).await;
            assert!(text.starts_with("Error: Invalid path "), "{text}");
        }
    }
    for path in ["/memories", "/memories/team", "/memories/org"] {
        fixture.failed(json!({"command": "delete", "path": path})).await;
        fixture.failed(json!({"command": "create", "path": path, "file_text": "x"})).await;
    }
    assert_eq!(fixture.list("/memories").await.len(), 3);
}

async fn memories_of_others_are_read_only_files(on: On) {
    let fixture = Fixture::new(on).await;
    let commit = |author: Uuid, scope: &str, content: &str| {
        let (caller, body) = (fixture.app.agent(author), json!({"scope": scope, "content": content}));
        async move {
            let committed = caller.post(&format!("/workspaces/{author}/memories"), body).await.expect(201).json();
            committed["id"].as_str().expect("an id").to_owned()
        }
    };
    let team = commit(fixture.peer, "TEAM", "deploys on Tuesdays").await;
    let org = commit(fixture.acme, "GLOBAL", "be kind").await;
    let hidden = commit(fixture.peer, "LOCAL", "a secret of the peer").await;
    assert_eq!(fixture.list("/memories/team").await[1..], [format!("19B\t/memories/team/{team}.md")]);
    assert_eq!(fixture.list("/memories/org").await[1..], [format!("7B\t/memories/org/{org}.md")]);
    let view = |folder: &str, id: &str| json!({"command": "view", "path": format!("/memories/{folder}/{id}.md")});
    let shown = fixture.done(view("team", &team)).await;
    assert!(shown.contains(&format!("     1\t[MEMORY id={team} scope=TEAM from=")), "{shown}");
    for (folder, id) in [("team", &hidden), ("team", &org), ("org", &team), ("org", &Uuid::nil().to_string())] {
        fixture.failed(view(folder, id)).await;
    }
    let path = format!("/memories/team/{team}.md");
    let answer = fixture.failed(json!({"command": "delete", "path": path})).await;
    assert_eq!(answer, "Error: /memories/team is read-only");
    fixture.failed(json!({"command": "str_replace", "path": path, "old_str": "Tuesdays", "new_str": "Mondays"})).await;
}

async fn blank_files_have_their_text(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.create("/memories/empty.md", "").await;
    let view = json!({"command": "view", "path": "/memories/empty.md"});
    let shown = fixture.done(view.clone()).await;
    assert_eq!(shown, "Here's the content of /memories/empty.md with line numbers:\n     1\t");
    let insert = json!({"command": "insert", "path": "/memories/empty.md", "insert_line": 0, "insert_text": "first\n"});
    fixture.done(insert).await;
    assert!(fixture.done(view).await.ends_with("     1\tfirst"));
}

async fn commands_at_the_same_time_both_take_effect(on: On) {
    let fixture = Fixture::new(on).await;
    fixture.create("/memories/log.md", "start\n").await;
    let insert =
        |text: String| json!({"command": "insert", "path": "/memories/log.md", "insert_line": 1, "insert_text": text});
    let add = |number: i32| fixture.done(insert(format!("line {number}")));
    tokio::join!(add(0), add(1), add(2), add(3));
    let shown = fixture.done(json!({"command": "view", "path": "/memories/log.md"})).await;
    assert_eq!(shown.lines().count(), 1 + 5, "{shown}");
    for number in 0..4 {
        assert!(shown.contains(&format!("line {number}")), "{shown}");
    }
}

async fn command_without_an_argument_is_a_problem(on: On) {
    let fixture = Fixture::new(on).await;
    let address = format!("/workspaces/{}/memory-tool", fixture.bot);
    let bot = fixture.app.agent(fixture.bot);
    for command in [
        json!({"command": "view"}),
        json!({"command": "create", "path": "/memories/x"}),
        json!({"command": "insert", "path": "/memories/x", "insert_text": "x"}),
        json!({"command": "rename", "old_path": "/memories/x"}),
    ] {
        bot.post(&address, command).await.refused(400, "invalid_field");
    }
}
