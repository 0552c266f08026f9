//! Budgets of workspaces, at every entry point that adds content or searches.

use orgmem_tests::{Caller, On, StubEmbedder, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::semantic_search::embedded;

for_each_store!(
    budget_is_set_read_and_removed,
    only_an_operator_above_or_an_admin_sets_a_budget,
    child_cannot_have_more_than_a_workspace_above,
    used_up_budget_refuses_every_entry_point_that_adds_content,
    used_up_budget_refuses_no_read_and_no_deletion,
    batch_commits_what_has_room,
    move_into_a_budget_without_room_is_refused,
    agent_sees_its_own_budget_only,
    writes_and_searches_of_a_subtree_have_a_rate,
    caller_without_permission_uses_up_no_rate,
    repeated_request_counts_once,
    embedded_texts_have_a_rate,
    bytes_are_counted_from_what_is_stored,
);

pub(super) fn budget(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}/budget")
}

async fn set(caller: &Caller, workspace: Uuid, limits: Value) -> orgmem_tests::Response {
    caller.request("PUT", &budget(workspace)).json(limits).send().await
}

fn memories(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}/memories")
}

fn local(content: &str) -> Value {
    json!({"content": content, "scope": "LOCAL"})
}

async fn find(caller: &Caller, workspace: Uuid, query: &str) -> orgmem_tests::Response {
    caller.get_with(&memories(workspace), &[("q", query)]).await
}

async fn budget_is_set_read_and_removed(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (acme, dev, bot, admin) = (org.id("acme"), org.id("dev"), org.id("bot"), app.admin());
    assert_eq!(admin.get(&budget(dev)).await.expect(200).json(), json!({"own": null, "inherited": []}));
    app.agent(bot).commit(bot, "LOCAL", "one").await;
    let unused = json!({"writes_per_minute": 0, "searches_per_minute": 0, "embeddings_per_day": 0});
    let used = |memories: i64, bytes: i64| {
        let mut used = unused.clone();
        (used["memories"], used["bytes"]) = (memories.into(), bytes.into());
        used
    };
    // the text and an empty list of tags
    let own = json!({"workspace_id": dev, "limits": {"memories": 7, "searches_per_minute": 9}, "used": used(1, 5)});
    let made = set(&admin, dev, json!({"memories": 7, "searches_per_minute": 9})).await.expect(200);
    assert_eq!(made.json(), json!({"own": own, "inherited": []}));
    assert_eq!(admin.get(&format!("/workspaces/{dev}")).await.expect(200).json()["budget"], own);
    let tree = admin.get(&format!("/workspaces/{acme}/tree")).await.expect(200).json();
    assert_eq!((tree.get("budget"), &tree["children"][0]["budget"]), (None, &own));
    assert_eq!(tree["children"][1].get("budget"), None);
    set(&admin, dev, json!({"bytes": 1_000})).await.expect(200);
    let own = json!({"workspace_id": dev, "limits": {"bytes": 1_000}, "used": used(1, 5)});
    let inherited = admin.get(&budget(bot)).await.expect(200).json();
    assert_eq!(inherited, json!({"own": null, "inherited": [own]}), "the request replaces all limits");
    admin.delete(&budget(dev)).await.expect(200);
    admin.delete(&budget(dev)).await.expect(200);
    assert_eq!(admin.get(&budget(bot)).await.expect(200).json(), json!({"own": null, "inherited": []}));
    for limits in [json!({"memories": 0}), json!({"bytes": -1}), json!({"writes_per_minute": 1_u64 << 53})] {
        set(&admin, dev, limits).await.refused(400, "invalid_field");
    }
    set(&admin, dev, json!({"rows": 1})).await.refused(400, "invalid_field");
    let log = admin.get(&format!("/workspaces/{dev}/access-log?action=edit_workspace")).await.expect(200).items();
    let limits: Vec<Value> = log.iter().map(|row| row["context"]["budget"].clone()).collect();
    assert_eq!(
        limits,
        [json!({}), json!({}), json!({"bytes": 1_000}), json!({"memories": 7, "searches_per_minute": 9})]
    );
}

async fn only_an_operator_above_or_an_admin_sets_a_budget(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let (acme, dev, bot) = (org.id("acme"), org.id("dev"), org.id("bot"));
    let limits = json!({"memories": 5});
    set(&app.operator(acme), dev, limits.clone()).await.expect(200);
    set(&app.operator(dev), bot, limits.clone()).await.expect(200);
    let refused = set(&app.operator(dev), dev, json!({"memories": 500})).await;
    let detail = "the budget of a workspace binds its own operator; an operator above it or an admin may set it";
    assert_eq!(refused.refused(403, "forbidden")["detail"], detail);
    app.operator(dev).delete(&budget(dev)).await.refused(403, "forbidden");
    set(&app.operator(acme), acme, limits.clone()).await.refused(403, "forbidden");
    for caller in [app.agent(dev), app.viewer(acme), app.operator(org.id("ops"))] {
        set(&caller, dev, limits.clone()).await.refused(403, "forbidden");
    }
    set(&app.admin(), acme, limits).await.expect(200);
}

async fn child_cannot_have_more_than_a_workspace_above(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (acme, bot, admin) = (org.id("acme"), org.id("bot"), app.admin());
    set(&admin, acme, json!({"memories": 5, "writes_per_minute": 60})).await.expect(200);
    let problem = set(&admin, bot, json!({"memories": 6})).await.refused(409, "budget_exceeded");
    assert_eq!(
        (&problem["budget_of"], &problem["budget"], &problem["limit"]),
        (&json!(acme), &json!("memories"), &json!(5))
    );
    set(&admin, bot, json!({"writes_per_minute": 61})).await.refused(409, "budget_exceeded");
    set(&admin, bot, json!({"memories": 5, "writes_per_minute": 60, "bytes": 1_000})).await.expect(200);
    set(&admin, acme, json!({"memories": 1})).await.expect(200);
    app.agent(bot).commit(bot, "LOCAL", "one").await;
    let refused = app.agent(bot).post(&memories(bot), local("two")).await;
    assert_eq!(refused.refused(409, "budget_exceeded")["budget_of"], json!(acme), "the smaller one binds");
}

async fn used_up_budget_refuses_every_entry_point_that_adds_content(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (acme, dev, bot) = (org.id("acme"), org.id("dev"), org.id("bot"));
    let (agent, admin) = (app.agent(bot), app.admin());
    let id = agent.commit(bot, "LOCAL", "first").await;
    agent.patch(&format!("{}/{id}", memories(bot)), json!({"content": "second"})).await.expect(200);
    let run = agent.post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201).id("run_id");
    let staged = json!({"content": "pending", "scope": "LOCAL", "run_id": run});
    agent.post(&memories(bot), staged.clone()).await.expect(201);
    set(&admin, dev, json!({"bytes": 1})).await.expect(200);
    let problem = agent.post(&memories(bot), local("x")).await.refused(409, "budget_exceeded");
    let detail = format!(
        "the budget of workspace `{dev}` is used up: it and everything below it may have 1 bytes of memories; delete \
         memories, or ask an operator above that workspace for a larger budget"
    );
    assert_eq!(problem["detail"], detail);
    assert_eq!(
        (&problem["budget_of"], &problem["budget"], &problem["limit"]),
        (&json!(dev), &json!("bytes"), &json!(1))
    );
    let upsert = json!({"content": "x", "scope": "LOCAL", "id": id});
    agent.post(&memories(bot), upsert).await.refused(409, "budget_exceeded");
    agent.post(&memories(bot), staged).await.refused(409, "budget_exceeded");
    agent.patch(&format!("{}/{id}", memories(bot)), json!({"content": "third"})).await.refused(409, "budget_exceeded");
    let restored = agent.post(&format!("{}/{id}/restore", memories(bot)), json!({"version": 1})).await;
    restored.refused(409, "budget_exceeded");
    let batch = agent.post(&format!("{}/batch", memories(bot)), json!({"memories": [local("x")]})).await.expect(200);
    assert_eq!(batch.json()["items"][0]["refused"]["code"], "budget_exceeded");
    let v2 = json!({"content": "x", "namespace": format!("workspace:{bot}")});
    agent.post(&format!("/workspaces/{bot}/v2/memories"), v2).await.refused(409, "budget_exceeded");
    let output = json!({"__lf_memory_writes": [{"content": "x"}]});
    agent.post(&format!("/workspaces/{bot}/runs/{run}/outputs"), output).await.refused(409, "budget_exceeded");
    let finish = format!("/workspaces/{bot}/runs/{run}/finish");
    agent.post(&finish, json!({"status": "completed"})).await.refused(409, "budget_exceeded");
    let profile = json!({"name": "seeded", "seed_entries": [{"content": "x"}]});
    admin.post(&format!("/workspaces/{bot}/profiles"), profile).await.refused(409, "budget_exceeded");
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "commit_memory", "arguments": {"content": "x", "scope": "LOCAL"}},
    });
    let answer = agent.post(&format!("/workspaces/{bot}/mcp"), call).await.expect(200).json();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(answer.to_string().contains("is used up"), "{answer}");
    agent.post(&finish, json!({"status": "failed"})).await.expect(200);
    set(&admin, dev, json!({"memories": 1})).await.expect(200);
    let refused = app.agent(dev).post(&memories(dev), json!({"content": "x", "scope": "TEAM"})).await;
    assert_eq!(refused.refused(409, "budget_exceeded")["budget"], "memories");
    app.agent(acme).commit(acme, "GLOBAL", "above the budget").await;
}

async fn used_up_budget_refuses_no_read_and_no_deletion(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (dev, bot) = (org.id("dev"), org.id("bot"));
    let (agent, admin) = (app.agent(bot), app.admin());
    let ids = [agent.commit(bot, "LOCAL", "red violin").await, agent.commit(bot, "LOCAL", "blue violin").await];
    set(&admin, dev, json!({"memories": 1, "bytes": 1})).await.expect(200);
    assert_eq!(agent.search(bot, &[("q", "violin")]).await.expect(200).items().len(), 2);
    agent.get(&format!("{}/{}", memories(bot), ids[0])).await.expect(200);
    agent.post(&format!("/workspaces/{bot}/context"), json!({"query": "violin"})).await.expect(200);
    for id in ids {
        agent.delete(&format!("{}/{id}", memories(bot))).await.expect(200);
    }
    let own = admin.get(&budget(dev)).await.expect(200).json();
    assert_eq!((&own["own"]["used"]["memories"], &own["own"]["used"]["bytes"]), (&json!(0), &json!(0)));
    set(&admin, dev, json!({"memories": 1})).await.expect(200);
    agent.commit(bot, "LOCAL", "green violin").await;
}

async fn batch_commits_what_has_room(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    set(&app.admin(), acme, json!({"memories": 2})).await.expect(200);
    let batch = json!({"memories": [local("one"), local("two"), local("three")]});
    let outcome = app.agent(bot).post(&format!("{}/batch", memories(bot)), batch).await.expect(200).json();
    assert_eq!((&outcome["committed"], &outcome["refused"]), (&json!(2), &json!(1)));
    assert_eq!(outcome["items"][2]["refused"]["code"], "budget_exceeded");
}

async fn move_into_a_budget_without_room_is_refused(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops\n    peer").await;
    let (dev, ops, bot, peer, admin) = (org.id("dev"), org.id("ops"), org.id("bot"), org.id("peer"), app.admin());
    app.agent(bot).commit(bot, "LOCAL", "one").await;
    app.agent(peer).commit(peer, "LOCAL", "two").await;
    set(&admin, ops, json!({"memories": 1})).await.expect(200);
    let at = format!("/workspaces/{bot}");
    let problem = admin.patch(&at, json!({"parent_id": ops})).await.refused(409, "budget_exceeded");
    assert_eq!(problem["budget_of"], json!(ops));
    admin.patch(&format!("{at}?dry_run=true"), json!({"parent_id": peer})).await.refused(409, "budget_exceeded");
    set(&admin, ops, json!({"memories": 2})).await.expect(200);
    admin.patch(&at, json!({"parent_id": ops})).await.expect(200);
    app.agent(bot).post(&memories(bot), local("three")).await.refused(409, "budget_exceeded");
    admin.patch(&at, json!({"parent_id": peer})).await.expect(200);
    admin.patch(&at, json!({"parent_id": dev})).await.expect(200);
    app.agent(bot).commit(bot, "LOCAL", "three").await;
    app.agent(peer).commit(peer, "LOCAL", "four").await;
    app.agent(peer).post(&memories(peer), local("five")).await.refused(409, "budget_exceeded");
}

async fn agent_sees_its_own_budget_only(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let (acme, dev, bot, admin) = (org.id("acme"), org.id("dev"), org.id("bot"), app.admin());
    for (workspace, limit) in [(acme, 30), (dev, 20), (bot, 10)] {
        set(&admin, workspace, json!({"memories": limit})).await.expect(200);
    }
    let holders = async |caller: Caller| {
        let found = caller.get(&budget(bot)).await.expect(200).json();
        let inherited = found["inherited"].as_array().expect("a list").iter();
        std::iter::once(&found["own"]).chain(inherited).map(|found| found["workspace_id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(holders(app.agent(bot)).await, [json!(bot)]);
    assert_eq!(holders(app.viewer(dev)).await, [json!(bot), json!(dev)]);
    assert_eq!(holders(app.admin()).await, [json!(bot), json!(dev), json!(acme)]);
}

fn wait(response: &orgmem_tests::Response) -> u64 {
    response.header("retry-after").and_then(|seconds| seconds.parse().ok()).expect("seconds")
}

async fn writes_and_searches_of_a_subtree_have_a_rate(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (dev, bot, peer, ops) = (org.id("dev"), org.id("bot"), org.id("peer"), org.id("ops"));
    set(&app.admin(), dev, json!({"writes_per_minute": 1, "searches_per_minute": 1})).await.expect(200);
    app.agent(bot).commit(bot, "LOCAL", "one").await;
    let refused = app.agent(peer).post(&memories(peer), local("two")).await;
    let problem = refused.refused(429, "rate_limited");
    assert_eq!(problem["violated-policies"], json!(["budget-writes_per_minute"]));
    assert_eq!((&problem["budget_of"], &problem["limit"]), (&json!(dev), &json!(1)));
    let seconds = wait(&refused);
    assert!((1..=60).contains(&seconds), "{seconds}");
    assert_eq!(refused.header("ratelimit-policy"), Some("\"budget-writes_per_minute\";q=1;w=60"));
    assert_eq!(refused.header("ratelimit"), Some(&*format!("\"budget-writes_per_minute\";r=0;t={seconds}")));
    let entry = json!({"key": "a", "value": 1});
    app.agent(peer).post(&format!("/workspaces/{peer}/memory"), entry).await.refused(429, "rate_limited");
    let episode = json!({"activity_type": "task_update", "summary": "x"});
    app.agent(peer).post(&format!("/workspaces/{peer}/activity"), episode).await.refused(429, "rate_limited");
    app.agent(ops).commit(ops, "LOCAL", "elsewhere").await;
    app.agent(peer).search(peer, &[("q", "one")]).await.expect(200);
    find(&app.agent(bot), bot, "one").await.refused(429, "rate_limited");
    app.agent(bot).get(&format!("/workspaces/{bot}/session-search")).await.refused(429, "rate_limited");
    app.agent(bot)
        .post(&format!("/workspaces/{bot}/context"), json!({"query": "one"}))
        .await
        .refused(429, "rate_limited");
    app.agent(ops).search(ops, &[("q", "one")]).await.expect(200);
    let used = app.admin().get(&budget(dev)).await.expect(200).json()["own"]["used"].clone();
    assert_eq!((&used["writes_per_minute"], &used["searches_per_minute"]), (&json!(1), &json!(1)));
}

async fn caller_without_permission_uses_up_no_rate(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\nrival").await;
    let (dev, bot) = (org.id("dev"), org.id("bot"));
    set(&app.admin(), dev, json!({"writes_per_minute": 1, "searches_per_minute": 1})).await.expect(200);
    for caller in [app.agent(org.id("peer")), app.agent(org.id("rival")), app.viewer(dev)] {
        let status = caller.post(&memories(bot), local("not mine")).await.status;
        assert!(matches!(status, 403 | 404), "{status}");
    }
    find(&app.agent(org.id("peer")), bot, "x").await.refused(403, "forbidden");
    app.agent(bot).commit(bot, "LOCAL", "mine").await;
    app.agent(bot).search(bot, &[("q", "mine")]).await.expect(200);
}

async fn repeated_request_counts_once(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    set(&app.admin(), bot, json!({"writes_per_minute": 1})).await.expect(200);
    for _ in 0..3 {
        let request = app.agent(bot).request("POST", &memories(bot)).json(local("once"));
        request.header("idempotency-key", "the-same").send().await.expect(201);
    }
    app.agent(bot).post(&memories(bot), local("twice")).await.refused(429, "rate_limited");
}

async fn embedded_texts_have_a_rate(on: On) {
    let embedder = StubEmbedder::start();
    let app = TestApp::builder(on)
        .with("ORGMEM_EMBEDDER", embedder.address())
        .with("ORGMEM_EMBEDDING_MODEL", "first")
        .start()
        .await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    set(&app.admin(), bot, json!({"embeddings_per_day": 1})).await.expect(200);
    app.agent(bot).commit(bot, "LOCAL", "one").await;
    let refused = app.agent(bot).post(&memories(bot), local("two")).await;
    assert_eq!(refused.refused(429, "rate_limited")["violated-policies"], json!(["budget-embeddings_per_day"]));
    assert_eq!(refused.header("ratelimit-policy"), Some("\"budget-embeddings_per_day\";q=1;w=86400"));
    // queries are embedded for the models whose vectors the org has
    embedded(&app, 1).await;
    app.agent(bot).search(bot, &[("q", "a new query"), ("mode", "keyword")]).await.expect(200);
    find(&app.agent(bot), bot, "a new query").await.refused(429, "rate_limited");
    app.agent(peer).commit(peer, "LOCAL", "elsewhere").await;
    let used = app.admin().get(&budget(bot)).await.expect(200).json();
    assert_eq!(used["own"]["used"]["embeddings_per_day"], 1);
}

fn partitions(app: &TestApp) -> Vec<String> {
    app.dump().into_iter().filter(|row| row.starts_with("memory_partitions ")).collect()
}

/// The migration counts what is stored before it, as the writes after it do.
async fn bytes_are_counted_from_what_is_stored(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let memory = json!({
        "content": "ein Bär", "scope": "TEAM", "title": "größer", "tags": ["ä", "b"], "metadata": {"ö": [1, 2]},
    });
    let id = agent.commit_with(bot, memory).await;
    agent.patch(&format!("{}/{id}", memories(bot)), json!({"content": "zwei Bären"})).await.expect(200);
    let deleted = agent.commit(bot, "LOCAL", "deleted").await;
    agent.delete(&format!("{}/{deleted}", memories(bot))).await.expect(200);
    app.agent(peer).commit(peer, "LOCAL", "a neighbour").await;
    let counted = partitions(&app);
    assert!(counted.len() >= 3, "{counted:?}");
    let migration = |direction: &str| {
        let dialect = if on == On::Sqlite { "sqlite" } else { "postgres" };
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(dialect);
        std::fs::read_to_string(root.join("0140_budgets").join(direction)).expect("a migration")
    };
    app.execute_sql(&migration("down.sql"));
    app.execute_sql(&migration("up.sql"));
    assert_eq!(partitions(&app), counted);
}
