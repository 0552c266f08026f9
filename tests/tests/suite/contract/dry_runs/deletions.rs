//! Dry runs of purges, redactions and profile changes.

use orgmem_tests::{On, Response, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{at, of};

for_each_store!(
    dry_run_of_purge_returns_the_receipt,
    dry_run_of_redaction_lists_its_readers,
    subscribers_and_readers_of_the_run_count_as_readers,
    dry_run_of_profile_counts_expiries_gains_and_losses,
    dry_run_of_invalid_profile_is_refused_with_the_same_problem,
);

async fn dry_run_of_purge_returns_the_receipt(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let [dev, bot, ops] = ["dev", "bot", "ops"].map(|name| org.id(name));
    app.agent(bot).commit(bot, "TEAM", "shared").await;
    app.agent(dev).commit(dev, "TEAM", "shared too").await;
    let before = app.dump();
    let path = at(dev) + "?children=cascade&purge=true&dry_run=true";
    let preview = app.operator(dev).delete(&path).await.expect(200).json();
    assert_eq!((&preview["erased"]["memories"], &preview["erased"]["workspaces"]), (&json!(2), &json!(2)));
    let preview = app.admin().delete(&path).await.expect(200).json();
    assert_eq!(of(&preview, ops).map(|affected| &affected["loses"]["team"]), Some(&json!(1)));
    assert_eq!(app.dump(), before);
    app.agent(bot).search(bot, &[]).await.expect(200);
    let done = app.admin().delete(&path.replace("&dry_run=true", "")).await.expect(200).json();
    assert_eq!(done["erased"]["memories"], preview["erased"]["memories"]);
}

async fn dry_run_of_redaction_lists_its_readers(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let [dev, bot, peer, ops] = ["dev", "bot", "peer", "ops"].map(|name| org.id(name));
    let id = app.agent(bot).commit(bot, "TEAM", "the zeppelin lands at noon").await;
    let local = app.agent(bot).commit(bot, "LOCAL", "a secret").await;
    app.agent(bot)
        .patch(&format!("{}/memories/{id}", at(bot)), json!({"content": "the zeppelin lands"}))
        .await
        .expect(200);
    let run = app.agent(peer).post(&(at(peer) + "/runs"), json!({})).await.expect(201).id("run_id");
    let search = with_run(&app, peer, run);
    search.send().await.expect(200);
    app.agent(dev).get(&format!("{}/memories/{id}", at(dev))).await.expect(200);
    let path = format!("{}/memories/{id}/redact", at(dev));
    let why = json!({"reason": "it was never so"});
    let before = app.dump();
    let dry_run = app.operator(dev).post(&(path.clone() + "?dry_run=true"), why.clone()).await.expect(200).json();
    assert_eq!(app.dump(), before, "a dry run takes nothing out");
    assert_eq!(
        (&dry_run["dry_run"], &dry_run["versions"], &dry_run["already"]),
        (&json!(true), &json!(1), &json!(false))
    );
    let readers: Vec<(Uuid, u64)> = readers_of(&dry_run);
    assert_eq!(readers.len(), 2, "{dry_run}");
    assert!(readers.contains(&(peer, 1)) && readers.contains(&(dev, 1)), "{dry_run}");
    assert_eq!((&dry_run["runs"], &dry_run["readers_partial"]), (&json!([run]), &json!(false)));
    assert_eq!(app.agent(bot).search(bot, &[("q", "zeppelin")]).await.ids(), [id], "it is still found");
    let change_dry_run = app.admin().get(&(at(dev) + "/access-log?action=read_access_log")).await.expect(200).items();
    assert_eq!(change_dry_run.len(), 1, "the question about readers is audited too");
    // an operator of a smaller subtree sees less; a caller who may not redact may not try
    let of_bot = app.operator(bot).post(&format!("{}/memories/{id}/redact?dry_run=true", at(bot)), why.clone()).await;
    assert_eq!(readers_of(&of_bot.expect(200).json()), [(bot, 1)], "only its own search");
    for caller in [app.viewer(dev), app.agent(bot)] {
        caller
            .post(&format!("{}/memories/{id}/redact?dry_run=true", at(bot)), why.clone())
            .await
            .refused(403, "forbidden");
    }
    app.operator(ops)
        .post(&format!("{}/memories/{id}/redact?dry_run=true", at(ops)), why.clone())
        .await
        .refused(404, "not_found");
    // several memories, with and without a dry run
    let many = json!({"memories": [id, local, Uuid::from_u128(404)], "reason": "it was never so"});
    let path_of_many = format!("{}/memories/redact", at(bot));
    let before = app.dump();
    let dry_run = app.admin().post(&(path_of_many.clone() + "?dry_run=true"), many.clone()).await.expect(200).json();
    assert_eq!(app.dump(), before);
    assert_eq!((&dry_run["redacted"], &dry_run["refused"]), (&json!(2), &json!(1)));
    assert_eq!(dry_run["items"][0]["redacted"]["runs"], json!([run]));
    assert_eq!(dry_run["items"][1]["redacted"]["readers"], json!([]));
    let done = app.admin().post(&path_of_many, many).await.expect(200).json();
    assert_eq!((&done["redacted"], &done["items"][0]["redacted"]["dry_run"]), (&json!(2), &json!(false)));
    assert_eq!(readers_of(&done["items"][0]["redacted"]).len(), 3);
    let again =
        app.operator(dev).post(&format!("{}/memories/{id}/redact?dry_run=true", at(bot)), why).await.expect(200).json();
    assert_eq!(again["already"], true);
}

async fn subscribers_and_readers_of_the_run_count_as_readers(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let [dev, bot, peer] = ["dev", "bot", "peer"].map(|name| org.id(name));
    let redaction = async |id: Uuid| {
        let path = format!("{}/memories/{id}/redact?dry_run=true", at(bot));
        app.operator(dev).post(&path, json!({"reason": "it was never so"})).await.expect(200).json()
    };
    let id = app.agent(bot).commit(bot, "TEAM", "the zeppelin lands at noon").await;
    assert_eq!(readers_of(&redaction(id).await), []);
    let change_dry_run = app.agent(peer).subscribe(&(at(peer) + "/events?follow=false"), Some(0)).await.rest().await;
    assert!(change_dry_run.iter().any(|event| event.data["memory"]["id"] == json!(id)), "with its content");
    assert_eq!(readers_of(&redaction(id).await), [(peer, 1)]);

    let runs = at(bot) + "/runs";
    let run = app.agent(bot).post(&runs, json!({})).await.expect(201).id("run_id");
    let pending = json!({"content": "the airship lands at noon", "scope": "TEAM", "run_id": run});
    let pending = app.agent(bot).commit_with(bot, pending).await;
    let shown = app.viewer(dev).get(&format!("{runs}/{run}")).await.expect(200).json();
    assert_eq!(shown["pending"][0]["content"], "the airship lands at noon");
    app.agent(bot).post(&format!("{runs}/{run}/finish"), json!({"status": "completed"})).await.expect(200);
    let dry_run = redaction(pending).await;
    assert_eq!((readers_of(&dry_run), &dry_run["runs"]), (vec![(bot, 1)], &json!([])), "the run itself read nothing");
}

fn with_run(app: &TestApp, workspace: Uuid, run: Uuid) -> orgmem_tests::Request {
    let search = app.agent(workspace).request("GET", &(at(workspace) + "/memories?q=zeppelin"));
    search.header("x-run-id", run.to_string())
}

fn readers_of(redacted: &Value) -> Vec<(Uuid, u64)> {
    let readers = redacted["readers"].as_array().expect("a list");
    readers.iter().map(|reader| (id_of(reader, "workspace_id"), reader["reads"].as_u64().expect("a count"))).collect()
}

async fn dry_run_of_profile_counts_expiries_gains_and_losses(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let [acme, bot, peer] = ["acme", "bot", "peer"].map(|name| org.id(name));
    let profiles = at(bot) + "/profiles";
    app.agent(bot).commit(bot, "LOCAL", "the first of its own").await;
    let gone = app.agent(bot).commit(bot, "TEAM", "forgotten and so not counted").await;
    app.agent(bot).delete(&format!("{}/memories/{gone}", at(bot))).await.expect(200);
    app.advance(chrono::TimeDelta::seconds(3600));
    for (kind, content) in [("fact", "the second of its own"), ("trace", "the third of its own")] {
        app.agent(bot).commit_with(bot, json!({"content": content, "scope": "TEAM", "kind": kind})).await;
    }
    app.agent(peer).commit_with(peer, json!({"content": "their trace", "scope": "TEAM", "kind": "trace"})).await;
    app.agent(acme).commit(acme, "GLOBAL", "for everybody").await;
    let before = app.dump();
    let change_dry_run =
        async |change: Value| app.operator(acme).patch(&format!("{profiles}/{bot}?dry_run=true"), change).await;
    let counts =
        |preview: &Value| ["expires", "too_old", "too_many"].map(|name| preview[name].as_i64().expect("a count"));
    let nothing = json!({"local": 0, "team": 0, "global": 0});

    // by retention: memories that are too old, and those beyond the limit
    let short = change_dry_run(json!({"retention": {"max_age_seconds": 60}})).await.expect(200).json();
    assert_eq!((&short["dry_run"], counts(&short)), (&json!(true), [1, 1, 0]));
    assert_eq!(
        (&short["profile"]["retention"], &short["profile"]["id"]),
        (&json!({"max_age_seconds": 60}), &json!(bot))
    );
    assert_eq!((&short["gains"], &short["loses"]), (&nothing, &nothing));
    let few = json!({"retention": {"max_age_seconds": 60, "max_entries": 1}});
    assert_eq!(counts(&change_dry_run(few).await.expect(200).json()), [2, 1, 1]);
    assert_eq!(counts(&change_dry_run(json!({"retention": {"max_entries": 3}})).await.expect(200).json()), [0, 0, 0]);
    assert_eq!(counts(&change_dry_run(json!({"name": "renamed"})).await.expect(200).json()), [0, 0, 0]);

    // by isolation and excluded kinds
    let isolated = change_dry_run(json!({"isolation": "isolated"})).await.expect(200).json();
    assert_eq!((&isolated["loses"], &isolated["gains"]), (&json!({"local": 0, "team": 1, "global": 1}), &nothing));
    let traceless = change_dry_run(json!({"excluded_kinds": ["trace"]})).await.expect(200).json();
    assert_eq!(traceless["loses"], json!({"local": 0, "team": 2, "global": 0}));

    // a new profile affects only its own memories
    let create = async |more: Value| {
        let mut body = json!({"name": "strict", "isolation": "team", "retention": {"max_age_seconds": 60},
            "seed_entries": [{"content": "be brief"}, {"content": "be kind"}]});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        app.operator(acme).post(&(profiles.clone() + "?dry_run=true"), body).await.expect(200).json()
    };
    let aside = create(json!({})).await;
    assert_eq!((counts(&aside), &aside["loses"], &aside["profile"]["seed_count"]), ([0, 0, 0], &nothing, &json!(2)));
    // its seeds count for the limit
    let crowded = create(json!({"retention": {"max_entries": 1}})).await;
    assert_eq!(counts(&crowded), [1, 0, 1]);
    let default = create(json!({"is_default": true})).await;
    assert_eq!((counts(&default), &default["loses"]["global"]), ([1, 1, 0], &json!(1)));
    assert_eq!(app.dump(), before, "a dry run changes nothing");

    // the change does the same
    let visible = async || app.agent(bot).search(bot, &[]).await.ids().len();
    assert_eq!(visible().await, 5);
    app.operator(acme)
        .patch(&format!("{profiles}/{bot}?dry_run=false"), json!({"isolation": "isolated"}))
        .await
        .expect(200);
    assert_eq!(visible().await, 3);
    // gains and losses together
    let turned = change_dry_run(json!({"isolation": "tree", "excluded_kinds": ["trace"]})).await.expect(200).json();
    assert_eq!(turned["gains"], json!({"local": 0, "team": 0, "global": 1}));
    assert_eq!(turned["loses"], json!({"local": 0, "team": 1, "global": 0}));
    app.operator(acme)
        .patch(&format!("{profiles}/{bot}"), json!({"isolation": "tree", "excluded_kinds": ["trace"]}))
        .await
        .expect(200);
    assert_eq!(visible().await, 3);
}

async fn dry_run_of_invalid_profile_is_refused_with_the_same_problem(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nrival").await;
    let (acme, bot, rival) = (org.id("acme"), org.id("bot"), org.id("rival"));
    let profiles = at(bot) + "/profiles";
    let body = json!({"name": "night", "retention": {"max_entries": 5}});
    app.admin().post(&profiles, body.clone()).await.expect(201);
    let before = app.dump();
    let problem_of = |response: Response| {
        let mut problem = response.json();
        for of_the_request in ["instance", "request_id"] {
            problem.as_object_mut().expect("a problem").remove(of_the_request);
        }
        (response.status, problem)
    };
    let callers = [app.admin(), app.operator(acme), app.viewer(acme), app.agent(bot), app.operator(rival), app.admin()];
    for (caller, bad) in callers.into_iter().zip([
        body.clone(),
        json!({"name": " "}),
        json!({"name": "day"}),
        json!({"name": "day"}),
        json!({"name": "day"}),
        json!({"name": "day", "seed_entries": [{"content": "x", "scope": "GLOBAL"}]}),
    ]) {
        let of_change = problem_of(caller.post(&profiles, bad.clone()).await);
        assert!(of_change.0 >= 400, "{bad}");
        assert_eq!(
            problem_of(caller.post(&(profiles.clone() + "?dry_run=true"), bad.clone()).await),
            of_change,
            "{bad}"
        );
        let (change, at) = (json!({"is_default": false, "name": bad["name"]}), format!("{profiles}/{bot}"));
        let of_change = problem_of(caller.patch(&at, change.clone()).await);
        assert!(of_change.0 >= 400, "{change}");
        assert_eq!(problem_of(caller.patch(&(at + "?dry_run=true"), change.clone()).await), of_change, "{change}");
    }
    app.admin()
        .patch(&format!("{profiles}/{}?dry_run=true", Uuid::from_u128(7)), json!({}))
        .await
        .refused(404, "not_found");
    app.admin()
        .post(&(profiles.clone() + "?dry_run=maybe"), json!({"name": "day"}))
        .await
        .refused(400, "invalid_field");
    assert_eq!(app.dump(), before);
}
