//! Memories by namespace: the same memories as by scope.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    namespaces_are_those_of_the_position_in_the_tree,
    memory_of_a_namespace_has_its_scope_and_team,
    namespace_lists_exactly_its_readable_memories,
    unreadable_namespace_lists_nothing,
    namespaces_follow_a_move,
    isolated_workspace_does_not_read_the_org,
    listing_pages_by_at_most_a_hundred,
    own_memory_is_forgotten_and_any_other_is_absent,
    commits_of_a_run_are_pending,
    repeated_commit_with_the_same_key_returns_the_first_response,
    hidden_characters_of_names_are_visible_for_agents,
);

fn at(workspace: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/v2/{rest}")
}

struct Fixture {
    app: TestApp,
    acme: Uuid,
    dev: Uuid,
    bot: Uuid,
    peer: Uuid,
    ops: Uuid,
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
        let [acme, dev, bot, peer, ops] = ["acme", "dev", "bot", "peer", "ops"].map(|name| org.id(name));
        Self { app, acme, dev, bot, peer, ops }
    }

    fn agent(&self, workspace: Uuid) -> Caller {
        self.app.agent(workspace)
    }

    async fn commit(&self, author: Uuid, namespace: &str, content: &str) -> Value {
        let body = json!({"content": content, "namespace": namespace});
        self.agent(author).post(&at(author, "memories"), body).await.expect(201).json()
    }

    /// The contents in a namespace, in the order of the alphabet.
    async fn contents(&self, reader: Uuid, query: &[(&str, &str)]) -> Vec<String> {
        let found = self.agent(reader).get_with(&at(reader, "memories"), query).await.expect(200).json();
        let content = |memory: &Value| {
            let content = memory["content"].as_str().expect("a text");
            // text of others is quoted
            content.lines().last().unwrap_or_default().rsplit("]: ").next().unwrap_or_default().to_owned()
        };
        let mut contents: Vec<String> = found["memories"].as_array().expect("a list").iter().map(content).collect();
        contents.sort_unstable();
        contents
    }

    /// The names of the readable and of the writable namespaces.
    async fn names(&self, workspace: Uuid) -> [Vec<String>; 2] {
        let listed = self.agent(workspace).get(&at(workspace, "namespaces")).await.expect(200).json();
        ["readable", "writable"].map(|side| {
            let names = listed[side].as_array().expect("a list").iter();
            names.map(|namespace| namespace["name"].as_str().expect("a name").to_owned()).collect()
        })
    }
}

async fn namespaces_are_those_of_the_position_in_the_tree(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { acme, dev, bot, .. } = fixture;
    let listed = fixture.agent(bot).get(&at(bot, "namespaces")).await.expect(200).json();
    let row = |kind: &str, id: Uuid, label: &str, display_name: &str, writable: bool| {
        let name = format!("{kind}:{id}");
        json!({"name": name, "kind": kind, "label": label, "display_name": display_name, "writable": writable})
    };
    let names = fixture.app.admin().get("/workspaces").await.expect(200).items();
    let name = |id: Uuid| {
        let row = names.iter().find(|row| row["id"] == json!(id)).expect("a row");
        row["name"].as_str().expect("a name").to_owned()
    };
    let (own, parent, root) = (name(bot), name(dev), name(acme));
    let writable = [
        row("workspace", bot, &own, &format!("Workspace {own}"), true),
        row("team", dev, &parent, &format!("Team of {parent}"), true),
        row("team", bot, &own, &format!("Team of {own}"), true),
    ];
    let org = row("org", acme, &root, &format!("Organisation {root}"), false);
    assert_eq!(listed["writable"], json!(writable));
    assert_eq!(listed["readable"], json!([&writable[..], &[org]].concat()));
    // the root has no parent and writes the org
    let expected = [format!("workspace:{acme}"), format!("team:{acme}"), format!("org:{acme}")];
    assert_eq!(fixture.names(acme).await, [expected.to_vec(), expected.to_vec()]);
}

async fn memory_of_a_namespace_has_its_scope_and_team(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { acme, dev, bot, .. } = fixture;
    for (author, namespace, scope, team, label) in [
        (bot, format!("workspace:{bot}"), "LOCAL", Value::Null, "general"),
        (bot, format!("team:{dev}"), "TEAM", json!(dev), "general"),
        (bot, format!("team:{bot}"), "TEAM", json!(bot), "general"),
        (acme, format!("org:{acme}"), "GLOBAL", Value::Null, "general"),
        (bot, "custom:recipes".to_owned(), "LOCAL", Value::Null, "recipes"),
    ] {
        let committed = fixture.commit(author, &namespace, &format!("into {namespace}")).await;
        assert_eq!(
            (&committed["namespace"], &committed["scope"], &committed["team"]),
            (&json!(namespace), &json!(scope), &team)
        );
        let memory = format!("/workspaces/{author}/memories/{}", committed["id"].as_str().expect("an id"));
        let memory = fixture.agent(author).get(&memory).await.expect(200).json();
        assert_eq!((&memory["scope"], &memory["team"], &memory["namespace"]), (&json!(scope), &team, &json!(label)));
    }
    // without a namespace: its own
    let body = json!({"content": "unfiled", "kind": "summary", "pin": true, "source": "tool"});
    let response = fixture.agent(bot).post(&at(bot, "memories"), body).await.expect(201);
    assert_eq!(response.json()["namespace"], format!("workspace:{bot}"));
    let location = format!("/workspaces/{bot}/memories/{}", response.id("id"));
    assert_eq!(response.header("location"), Some(&*location));
    let memory = fixture.agent(bot).get(&location).await.expect(200).json();
    assert_eq!(
        [&memory["scope"], &memory["kind"], &memory["pin"], &memory["source"]],
        [&json!("LOCAL"), &json!("summary"), &json!(true), &json!("tool")]
    );
}

async fn namespace_lists_exactly_its_readable_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { acme, dev, bot, peer, .. } = fixture;
    let (of_bot, of_dev) = (format!("team:{bot}"), format!("team:{dev}"));
    fixture.commit(bot, &format!("workspace:{bot}"), "kiln own").await;
    fixture.commit(bot, "custom:recipes", "kiln recipe").await;
    fixture.commit(bot, &of_bot, "kiln of my team").await;
    fixture.commit(peer, &of_dev, "kiln of the peer").await;
    fixture.commit(dev, &of_dev, "kiln of the lead").await;
    fixture.commit(peer, &format!("workspace:{peer}"), "kiln hidden").await;
    fixture.commit(acme, &format!("org:{acme}"), "kiln of all").await;
    fixture.agent(peer).commit(peer, "TEAM", "kiln of no one team").await;
    let cases = [
        (format!("workspace:{bot}"), vec!["kiln own", "kiln recipe"]),
        ("custom:recipes".to_owned(), vec!["kiln recipe"]),
        (of_bot, vec!["kiln of my team"]),
        (of_dev, vec!["kiln of the lead", "kiln of the peer"]),
        (format!("org:{acme}"), vec!["kiln of all"]),
    ];
    for (namespace, expected) in &cases {
        for query in [&[("q", "kiln")][..], &[]] {
            let query = [&[("namespace", namespace.as_str())], query].concat();
            assert_eq!(fixture.contents(bot, &query).await, *expected, "{query:?}");
        }
    }
    let all = fixture.contents(bot, &[]).await;
    assert_eq!(all.len(), 7, "{all:?}");
    assert_eq!(fixture.contents(bot, &[("namespace", "")]).await, all);
    assert_eq!(fixture.contents(bot, &[("kind", "summary")]).await, Vec::<String>::new());
    // a memory that is bound to no team has no namespace
    let found = fixture.agent(bot).get_with(&at(bot, "memories"), &[("q", "no one team")]).await.expect(200).json();
    assert_eq!((&found["memories"][0]["scope"], &found["memories"][0]["namespace"]), (&json!("TEAM"), &Value::Null));
    // the same scores as in the search over everything
    let score = |found: &Value| found["memories"][0]["score"].clone();
    let narrow = [("q", "recipe"), ("namespace", "custom:recipes")];
    let narrow = fixture.agent(bot).get_with(&at(bot, "memories"), &narrow).await.expect(200).json();
    let wide = fixture.agent(bot).get_with(&at(bot, "memories"), &[("q", "recipe")]).await.expect(200).json();
    assert_eq!(score(&narrow), score(&wide));
    assert_eq!(narrow["memories"][0]["label"], "recipes");
}

async fn unreadable_namespace_lists_nothing(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { acme, dev, bot, peer, ops, .. } = fixture;
    fixture.commit(peer, &format!("workspace:{peer}"), "kiln hidden").await;
    fixture.commit(peer, &format!("team:{peer}"), "kiln of its team").await;
    fixture.commit(ops, &format!("team:{acme}"), "kiln of the lead").await;
    let absent = Uuid::from_u128(7);
    let names = [
        format!("workspace:{peer}"),
        format!("team:{peer}"),
        format!("team:{acme}"),
        format!("org:{dev}"),
        format!("team:{absent}"),
        format!("org:{absent}"),
        "team:dev".to_owned(),
        "nothing".to_owned(),
    ];
    for name in &names {
        assert_eq!(fixture.contents(bot, &[("namespace", name)]).await, Vec::<String>::new(), "{name}");
    }
}

async fn namespaces_follow_a_move(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { dev, bot, ops, .. } = fixture;
    let former = format!("team:{dev}");
    fixture.commit(bot, &former, "kiln of the former team").await;
    assert_eq!(fixture.contents(bot, &[("namespace", &former)]).await.len(), 1);
    fixture.app.admin().move_workspace(bot, ops).await;
    let [readable, writable] = fixture.names(bot).await;
    for names in [&readable, &writable] {
        assert!(names.contains(&format!("team:{ops}")) && !names.contains(&former), "{names:?}");
    }
    // its memory is still its own, but it is no longer in that team
    assert_eq!(fixture.contents(bot, &[("namespace", &former)]).await, Vec::<String>::new());
    assert_eq!(fixture.contents(bot, &[]).await, ["kiln of the former team"]);
    assert_eq!(fixture.contents(dev, &[]).await, Vec::<String>::new());
}

async fn isolated_workspace_does_not_read_the_org(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { acme, bot, .. } = fixture;
    let org = format!("org:{acme}");
    fixture.commit(acme, &org, "kiln of all").await;
    assert_eq!(fixture.contents(bot, &[("namespace", &org)]).await, ["kiln of all"]);
    let profile = json!({"name": "team only", "isolation": "team", "is_default": true});
    fixture.app.admin().post(&format!("/workspaces/{bot}/profiles"), profile).await.expect(201);
    let [readable, _] = fixture.names(bot).await;
    assert!(!readable.contains(&org), "{readable:?}");
    assert_eq!(fixture.contents(bot, &[("namespace", &org)]).await, Vec::<String>::new());
}

async fn listing_pages_by_at_most_a_hundred(on: On) {
    let fixture = Fixture::new(on).await;
    let bot = fixture.bot;
    let memories: Vec<_> = (0..120).map(|n| json!({"content": format!("kiln {n}"), "scope": "LOCAL"})).collect();
    let batch = json!({"memories": memories});
    fixture.agent(bot).post(&format!("/workspaces/{bot}/memories/batch"), batch).await.expect(200);
    let page = async |query: &[(&str, &str)]| {
        let own = format!("workspace:{bot}");
        let query = [&[("namespace", own.as_str())], query].concat();
        fixture.agent(bot).get_with(&at(bot, "memories"), &query).await.expect(200)
    };
    let count = |page: &Value| page["memories"].as_array().map(Vec::len);
    assert_eq!(count(&page(&[]).await.json()), Some(50));
    let first = page(&[("limit", "1000")]).await;
    assert_eq!(count(&first.json()), Some(100));
    let cursor = first.json()["next"].as_str().expect("a cursor").to_owned();
    assert!(first.next().is_some_and(|link| link.contains(&cursor)));
    let last = page(&[("limit", "100"), ("cursor", &cursor)]).await.json();
    assert_eq!((count(&last), &last["next"]), (Some(20), &Value::Null));
}

async fn own_memory_is_forgotten_and_any_other_is_absent(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { dev, bot, peer, .. } = fixture;
    let id = |committed: &Value| committed["id"].as_str().expect("an id").to_owned();
    let own = id(&fixture.commit(bot, &format!("team:{dev}"), "kiln of mine").await);
    let other = id(&fixture.commit(peer, &format!("team:{dev}"), "kiln of the peer").await);
    let path = |memory: &str| at(bot, &format!("memories/{memory}"));
    // an admin covers the author, but the memory is not the workspace's own
    for caller in [fixture.agent(bot), fixture.app.admin()] {
        caller.delete(&path(&other)).await.refused(404, "not_found");
    }
    let stale = fixture.agent(bot).request("DELETE", &path(&own)).header("if-match", "\"7\"");
    stale.send().await.refused(409, "version_conflict");
    let deleted = fixture.agent(bot).delete(&path(&own)).await.expect(200).json();
    assert_eq!(deleted, json!({"status": "deleted"}));
    fixture.agent(bot).delete(&path(&own)).await.refused(404, "not_found");
    assert_eq!(fixture.contents(bot, &[]).await, ["kiln of the peer"]);
}

async fn commits_of_a_run_are_pending(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { dev, bot, peer, .. } = fixture;
    let agent = fixture.agent(bot);
    let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).id("run_id");
    let body = json!({"content": "kiln of the run", "namespace": format!("team:{dev}"), "run_id": run});
    let committed = agent.post(&at(bot, "memories"), body).await.expect(201);
    assert_eq!(committed.json()["pending"], true);
    assert_eq!(committed.header("location"), Some(&*format!("/workspaces/{bot}/runs/{run}")));
    let query = [("namespace", &*format!("team:{dev}"))];
    assert_eq!(fixture.contents(peer, &query).await, Vec::<String>::new());
    let finish = format!("/workspaces/{bot}/runs/{run}/finish");
    agent.post(&finish, json!({"status": "completed"})).await.expect(200);
    assert_eq!(fixture.contents(peer, &query).await, ["kiln of the run"]);
}

async fn repeated_commit_with_the_same_key_returns_the_first_response(on: On) {
    let fixture = Fixture::new(on).await;
    let bot = fixture.bot;
    let send = async || {
        let request = fixture.agent(bot).request("POST", &at(bot, "memories")).header("idempotency-key", "k1");
        request.json(json!({"content": "kiln once", "namespace": "custom:notes"})).send().await.expect(201).json()
    };
    assert_eq!(send().await, send().await);
    assert_eq!(fixture.contents(bot, &[]).await, ["kiln once"]);
}

async fn hidden_characters_of_names_are_visible_for_agents(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { dev, bot, .. } = fixture;
    let name = json!({"name": "dev\u{200b}team"});
    fixture.app.admin().patch(&format!("/workspaces/{dev}"), name).await.expect(200);
    let label = async |caller: Caller| {
        let listed = caller.get(&at(bot, "namespaces")).await.expect(200).json();
        listed["readable"][1]["display_name"].as_str().expect("a name").to_owned()
    };
    assert_eq!(label(fixture.app.admin()).await, "Team of dev\u{200b}team");
    let shown = label(fixture.agent(bot)).await;
    assert!(shown.starts_with("Team of dev") && !shown.contains('\u{200b}'), "{shown}");
}
