//! What a move, a removal and a redaction would do, told before: nothing is changed, and what is told is what then
//! happens.

use std::collections::BTreeMap;

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Children, Memory, Oracle, Scope, Step};
use orgmem_tests::steps::name_of;
use orgmem_tests::{Answer, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    a_move_is_foretold_workspace_by_workspace,
    what_a_change_would_do_is_what_it_does,
    what_is_refused_is_refused_in_the_same_words,
    a_caller_is_told_of_what_it_may_see_alone,
    what_has_expired_or_is_pending_is_neither_gained_nor_lost,
    of_many_some_are_told_and_the_rest_are_counted,
    a_purge_is_foretold_with_its_receipt,
    a_redaction_is_foretold_with_those_who_will_notice,
    a_profile_is_foretold_with_what_expires_and_what_is_read,
    a_profile_that_is_refused_is_refused_beforehand,
);

fn at(workspace: Uuid) -> String {
    format!("/workspaces/{workspace}")
}

/// A step with a dry run, as an admin.
async fn tried(app: &TestApp, step: &Step) -> Answer {
    match step {
        Step::Move { id, to } => app.admin().patch(&(at(*id) + "?dry_run=true"), json!({"parent_id": to})).await,
        Step::Remove { id, children } => {
            let children = match children {
                Children::Refuse => "",
                Children::Promote => "&children=promote",
                Children::Cascade => "&children=cascade",
            };
            app.admin().delete(&format!("{}?dry_run=true{children}", at(*id))).await
        }
        other => unreachable!("{other:?} has no dry run"),
    }
}

fn of(preview: &Value, workspace: Uuid) -> Option<&Value> {
    preview["affected"].as_array()?.iter().find(|affected| id_of(affected, "workspace_id") == workspace)
}

async fn a_move_is_foretold_workspace_by_workspace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\n    guard\n  far").await;
    let [dev, bot, peer, ops, guard] = ["dev", "bot", "peer", "ops", "guard"].map(|name| org.id(name));
    for word in ["one", "two"] {
        app.agent(dev).commit(dev, "TEAM", &format!("{word} of the lead")).await;
        app.agent(bot)
            .commit_with(bot, json!({"content": format!("{word} bound"), "scope": "TEAM", "team": dev}))
            .await;
    }
    app.agent(bot).commit(bot, "TEAM", "open").await;
    app.agent(bot).commit(bot, "LOCAL", "secret").await;
    app.agent(guard).commit(guard, "TEAM", "of the guard").await;
    let before = app.dump();
    let step = Step::Move { id: bot, to: ops };
    let preview = tried(&app, &step).await.expect(200).json();
    assert_eq!(app.dump(), before, "a dry run changes nothing");
    assert_eq!((&preview["dry_run"], &preview["moved"], &preview["removed"]), (&json!(true), &json!(1), &json!(0)));
    let told = |workspace| {
        of(&preview, workspace).map(|affected| affected["summary"].as_str().expect("a sentence").to_owned())
    };
    let (name_of_bot, name_of_dev) = (name_of(bot), name_of(dev));
    let expected = format!(
        "loses 2 TEAM memories of {name_of_dev}; gains 1 TEAM memory of {}; 2 of its own stay bound to the team of \
         {name_of_dev} and only it will read them",
        name_of(guard),
    );
    assert_eq!(told(bot), Some(expected));
    for loser in [dev, peer] {
        assert_eq!(told(loser), Some(format!("loses 3 TEAM memories of {name_of_bot}")));
    }
    for winner in [ops, guard] {
        assert_eq!(told(winner), Some(format!("gains 1 TEAM memory of {name_of_bot}")));
    }
    assert_eq!(preview["affected"].as_array().map(Vec::len), Some(5), "nobody else: {preview}");
    let moved = of(&preview, bot).expect("it is affected");
    let alone = json!([{"team": dev, "team_name": name_of_dev, "memories": 2}]);
    assert_eq!((&moved["left_alone"], &moved["loses"]["team"]), (&alone, &json!(2)));
    // where it is already, and what is no move
    let nothing = tried(&app, &Step::Move { id: bot, to: dev }).await.expect(200).json();
    assert_eq!((&nothing["affected"], &nothing["moved"]), (&json!([]), &json!(0)));
    let named = app.admin().patch(&(at(bot) + "?dry_run=true"), json!({"name": "Renamed"})).await.expect(200).json();
    assert_eq!(named["affected"], json!([]));
    assert_eq!(app.dump(), before);
    let done = app.admin().patch(&(at(bot) + "?dry_run=false"), json!({"parent_id": ops})).await.expect(200).json();
    assert_eq!(done["parent_id"], json!(ops));
}

/// What each can read, by author and scope.
type Readable = BTreeMap<(Uuid, Uuid, Scope), Vec<Uuid>>;

fn readable(oracle: &Oracle) -> Readable {
    let mut all = Readable::new();
    for reader in oracle.live() {
        for &Memory { id, author, scope, .. } in oracle.memories_read_by(reader) {
            all.entry((reader, author, scope)).or_default().push(id);
        }
    }
    all
}

/// What is in one and not in the other, counted.
fn missing(from: &Readable, to: &Readable) -> BTreeMap<(Uuid, Uuid, Scope), i64> {
    let gone = |(key, memories): (&(Uuid, Uuid, Scope), &Vec<Uuid>)| {
        let left = to.get(key);
        let count = memories.iter().filter(|id| !left.is_some_and(|left| left.contains(id))).count();
        (*key, i64::try_from(count).expect("few"))
    };
    from.iter().map(gone).filter(|(_, count)| *count > 0).collect()
}

fn told_of(preview: &Value, which: &str) -> BTreeMap<(Uuid, Uuid, Scope), i64> {
    let mut all = BTreeMap::new();
    for affected in preview["affected"].as_array().expect("a list") {
        let reader = id_of(affected, "workspace_id");
        let mut sums = [0; 3];
        assert_eq!(affected["more_authors"], 0, "a small org: {affected}");
        for author in affected["authors"].as_array().expect("a list") {
            let counts = [Scope::Local, Scope::Team, Scope::Global].into_iter().zip(["local", "team", "global"]);
            for (number, (scope, word)) in counts.enumerate() {
                let count = author[which][word].as_i64().expect("a count");
                sums[number] += count;
                if count > 0 {
                    all.insert((reader, id_of(author, "workspace_id"), scope), count);
                }
            }
        }
        assert_eq!(affected[which], json!({"local": sums[0], "team": sums[1], "global": sums[2]}), "{affected}");
    }
    all
}

async fn what_a_change_would_do_is_what_it_does(on: On) {
    for seed in 0..4 {
        let mut seeded = Seeded::new(7_000 + seed);
        let app = TestApp::new(on).await;
        let mut oracle = Oracle::default();
        let mut tried_out = 0;
        for step in [seeded.org(9), seeded.org(4)].concat() {
            app.admin().take(&step).await.expect(201);
            oracle.apply(&step).expect("an org can be created");
        }
        while tried_out < 25 && oracle.live().len() > 2 {
            let step = seeded.step(&oracle);
            let (before, now) = (readable(&oracle), oracle.clone());
            let objections = oracle.apply(&step).err().unwrap_or_default();
            let is_change = matches!(step, Step::Move { .. } | Step::Remove { .. });
            let preview = if is_change { Some(tried(&app, &step).await) } else { None };
            let answer = app.admin().take(&step).await;
            orgmem_tests::steps::hold_to(&objections, &step, &answer);
            let Some(preview) = preview else { continue };
            assert_eq!(preview.status, answer.status, "{step:?}");
            if !objections.is_empty() {
                continue;
            }
            tried_out += 1;
            let (preview, after) = (preview.json(), readable(&oracle));
            assert_eq!(told_of(&preview, "loses"), missing(&before, &after), "{step:?} in\n{now}");
            assert_eq!(told_of(&preview, "gains"), missing(&after, &before), "{step:?} in\n{now}");
            // what the server then counts is what is left
            if let Some(affected) =
                preview["affected"].as_array().and_then(|all| all.iter().find(|one| one["removed"] == json!(false)))
            {
                let reader = id_of(affected, "workspace_id");
                let count =
                    app.admin().get(&(at(reader) + "/memories/count")).await.expect(200).json()["count"].clone();
                assert_eq!(count, json!(oracle.memories_read_by(reader).len()), "{step:?}");
            }
        }
        assert!(tried_out > 0);
    }
}

async fn what_is_refused_is_refused_in_the_same_words(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_LIMITS_TREE_DEPTH", "4").start().await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n  ops\nrival").await;
    let [acme, dev, bot, helper, ops, rival] =
        ["acme", "dev", "bot", "helper", "ops", "rival"].map(|name| org.id(name));
    let said = |answer: Answer| {
        let mut body = answer.json();
        assert!(answer.status >= 400, "{}", answer.shown());
        body.as_object_mut().expect("a problem").remove("request_id");
        (answer.status, body)
    };
    let callers =
        [app.admin(), app.operator(dev), app.viewer(acme), app.agent(dev), app.operator(rival), app.stranger()];
    for caller in &callers {
        for (id, to) in
            [(dev, helper), (dev, dev), (acme, ops), (dev, rival), (bot, ops), (bot, Uuid::from_u128(9)), (rival, dev)]
        {
            let body = json!({"parent_id": to});
            let in_earnest = caller.patch(&at(id), body.clone()).await;
            if in_earnest.status < 400 {
                continue;
            }
            assert_eq!(said(caller.patch(&(at(id) + "?dry_run=true"), body).await), said(in_earnest), "{id} to {to}");
        }
        for (id, how) in [
            (dev, ""),
            (acme, "children=promote&"),
            (dev, "children=promote&"),
            (rival, "purge=true&"),
            (Uuid::from_u128(9), ""),
        ] {
            let in_earnest = caller.delete(&format!("{}?{how}", at(id))).await;
            if in_earnest.status < 400 {
                continue;
            }
            assert_eq!(
                said(caller.delete(&format!("{}?{how}dry_run=true", at(id))).await),
                said(in_earnest),
                "{id} {how}"
            );
        }
    }
    let same = app.dump();
    for bad in ["maybe", "1"] {
        app.admin().patch(&format!("{}?dry_run={bad}", at(bot)), json!({})).await.refused(400, "invalid_field");
    }
    app.admin().patch(&(at(bot) + "?dry_run=true"), json!({"name": " "})).await.refused(400, "invalid_field");
    assert_eq!(app.dump(), same);
}

async fn a_caller_is_told_of_what_it_may_see_alone(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n    peer\n  ops").await;
    let [acme, dev, bot, ops] = ["acme", "dev", "bot", "ops"].map(|name| org.id(name));
    for (author, word) in [(acme, "above"), (dev, "lead"), (bot, "bot"), (ops, "beside")] {
        app.agent(author).commit(author, "TEAM", word).await;
    }
    let path = at(dev) + "?children=cascade&dry_run=true";
    let all = app.admin().delete(&path).await.expect(200).json();
    let own = app.operator(dev).delete(&path).await.expect(200).json();
    let affected = |preview: &Value| -> Vec<Uuid> {
        preview["affected"].as_array().expect("a list").iter().map(|one| id_of(one, "workspace_id")).collect()
    };
    assert!([acme, ops, dev, bot].iter().all(|id| affected(&all).contains(id)), "{all}");
    assert!(
        affected(&own).contains(&dev) && !affected(&own).contains(&acme) && !affected(&own).contains(&ops),
        "{own}"
    );
    // what the top of its subtree reads of those outside, the operator may see
    assert_eq!(of(&own, dev), of(&all, dev));
    assert_eq!((&own["removed"], &own["more"]), (&json!(4), &json!(0)));
}

async fn what_has_expired_or_is_pending_is_neither_gained_nor_lost(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let [bot, peer, ops] = ["bot", "peer", "ops"].map(|name| org.id(name));
    let agent = app.agent(bot);
    agent.commit_with(bot, json!({"content": "soon gone", "scope": "TEAM", "ttl_seconds": 60})).await;
    let stays = agent.commit(bot, "TEAM", "stays").await;
    let run = agent.post(&(at(bot) + "/runs"), json!({})).await.expect(201).id("run_id");
    agent
        .post(&(at(bot) + "/memories"), json!({"content": "pending", "scope": "TEAM", "run_id": run}))
        .await
        .expect(201);
    let lost = async || {
        let preview = tried(&app, &Step::Move { id: bot, to: ops }).await.expect(200).json();
        of(&preview, peer).map(|affected| affected["loses"]["team"].clone())
    };
    assert_eq!(lost().await, Some(json!(2)));
    app.pass(chrono::TimeDelta::seconds(60));
    assert_eq!(lost().await, Some(json!(1)));
    agent.delete(&format!("{}/memories/{stays}", at(bot))).await.expect(200);
    assert_eq!(lost().await, None);
}

async fn of_many_some_are_told_and_the_rest_are_counted(on: On) {
    let app = TestApp::new(on).await;
    let drawing = (0..230).map(|n| format!("    bot-{n}\n")).collect::<String>();
    let org = app.plant(&format!("acme\n  dev\n{drawing}  ops\n")).await;
    let (bot, ops) = (org.id("bot-0"), org.id("ops"));
    app.agent(bot).commit(bot, "TEAM", "shared with many").await;
    let preview = tried(&app, &Step::Move { id: bot, to: ops }).await.expect(200).json();
    let told = preview["affected"].as_array().map_or(0, Vec::len);
    let more = preview["more"].as_u64().expect("a count") as usize;
    // itself loses nothing, the two parents and 229 beside it do
    assert_eq!(more, 32, "{told} are told");
    assert_eq!(told, 199);
}

async fn a_purge_is_foretold_with_its_receipt(on: On) {
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

async fn a_redaction_is_foretold_with_those_who_will_notice(on: On) {
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
    let tried = app.operator(dev).post(&(path.clone() + "?dry_run=true"), why.clone()).await.expect(200).json();
    assert_eq!(app.dump(), before, "a dry run takes nothing out");
    assert_eq!((&tried["dry_run"], &tried["versions"], &tried["already"]), (&json!(true), &json!(1), &json!(false)));
    let readers: Vec<(Uuid, u64)> = readers_of(&tried);
    assert_eq!(readers.len(), 2, "{tried}");
    assert!(readers.contains(&(peer, 1)) && readers.contains(&(dev, 1)), "{tried}");
    assert_eq!((&tried["runs"], &tried["readers_partial"]), (&json!([run]), &json!(false)));
    assert_eq!(app.agent(bot).search(bot, &[("q", "zeppelin")]).await.ids(), [id], "it is still found");
    let told = app.admin().get(&(at(dev) + "/access-log?action=read_access_log")).await.expect(200).items();
    assert_eq!(told.len(), 1, "who asked who had read is told of too");
    // an operator of less sees less; who may not redact may not try
    let of_bot = app.operator(bot).post(&format!("{}/memories/{id}/redact?dry_run=true", at(bot)), why.clone()).await;
    assert_eq!(readers_of(&of_bot.expect(200).json()), [(bot, 1)], "its own search alone");
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
    // many at once, in earnest and not
    let many = json!({"memories": [id, local, Uuid::from_u128(404)], "reason": "it was never so"});
    let path_of_many = format!("{}/memories/redact", at(bot));
    let before = app.dump();
    let tried = app.admin().post(&(path_of_many.clone() + "?dry_run=true"), many.clone()).await.expect(200).json();
    assert_eq!(app.dump(), before);
    assert_eq!((&tried["redacted"], &tried["refused"]), (&json!(2), &json!(1)));
    assert_eq!(tried["items"][0]["redacted"]["runs"], json!([run]));
    assert_eq!(tried["items"][1]["redacted"]["readers"], json!([]));
    let done = app.admin().post(&path_of_many, many).await.expect(200).json();
    assert_eq!((&done["redacted"], &done["items"][0]["redacted"]["dry_run"]), (&json!(2), &json!(false)));
    assert_eq!(readers_of(&done["items"][0]["redacted"]).len(), 3);
    let again =
        app.operator(dev).post(&format!("{}/memories/{id}/redact?dry_run=true", at(bot)), why).await.expect(200).json();
    assert_eq!(again["already"], true);
}

fn with_run(app: &TestApp, workspace: Uuid, run: Uuid) -> orgmem_tests::Request {
    let search = app.agent(workspace).request("GET", &(at(workspace) + "/memories?q=zeppelin"));
    search.header("x-run-id", run.to_string())
}

fn readers_of(redacted: &Value) -> Vec<(Uuid, u64)> {
    let readers = redacted["readers"].as_array().expect("a list");
    readers.iter().map(|reader| (id_of(reader, "workspace_id"), reader["reads"].as_u64().expect("a count"))).collect()
}

async fn a_profile_is_foretold_with_what_expires_and_what_is_read(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let [acme, bot, peer] = ["acme", "bot", "peer"].map(|name| org.id(name));
    let profiles = at(bot) + "/profiles";
    app.agent(bot).commit(bot, "LOCAL", "the first of its own").await;
    let gone = app.agent(bot).commit(bot, "TEAM", "forgotten and so not counted").await;
    app.agent(bot).delete(&format!("{}/memories/{gone}", at(bot))).await.expect(200);
    app.pass(chrono::TimeDelta::seconds(3600));
    for (kind, content) in [("fact", "the second of its own"), ("trace", "the third of its own")] {
        app.agent(bot).commit_with(bot, json!({"content": content, "scope": "TEAM", "kind": kind})).await;
    }
    app.agent(peer).commit_with(peer, json!({"content": "their trace", "scope": "TEAM", "kind": "trace"})).await;
    app.agent(acme).commit(acme, "GLOBAL", "for everybody").await;
    let before = app.dump();
    let told = async |change: Value| app.operator(acme).patch(&format!("{profiles}/{bot}?dry_run=true"), change).await;
    let counts =
        |preview: &Value| ["expires", "too_old", "too_many"].map(|name| preview[name].as_i64().expect("a count"));
    let nothing = json!({"local": 0, "team": 0, "global": 0});

    // by its retention: what is older, and what is too much of the rest
    let short = told(json!({"retention": {"max_age_seconds": 60}})).await.expect(200).json();
    assert_eq!((&short["dry_run"], counts(&short)), (&json!(true), [1, 1, 0]));
    assert_eq!(
        (&short["profile"]["retention"], &short["profile"]["id"]),
        (&json!({"max_age_seconds": 60}), &json!(bot))
    );
    assert_eq!((&short["gains"], &short["loses"]), (&nothing, &nothing));
    let few = json!({"retention": {"max_age_seconds": 60, "max_entries": 1}});
    assert_eq!(counts(&told(few).await.expect(200).json()), [2, 1, 1]);
    assert_eq!(counts(&told(json!({"retention": {"max_entries": 3}})).await.expect(200).json()), [0, 0, 0]);
    assert_eq!(counts(&told(json!({"name": "renamed"})).await.expect(200).json()), [0, 0, 0]);

    // by how far it reads, and which kinds it does without
    let alone = told(json!({"isolation": "isolated"})).await.expect(200).json();
    assert_eq!((&alone["loses"], &alone["gains"]), (&json!({"local": 0, "team": 1, "global": 1}), &nothing));
    let traceless = told(json!({"excluded_kinds": ["trace"]})).await.expect(200).json();
    assert_eq!(traceless["loses"], json!({"local": 0, "team": 2, "global": 0}));

    // one that is made: by itself it decides about its own memories alone
    let create = async |more: Value| {
        let mut body = json!({"name": "strict", "isolation": "team", "retention": {"max_age_seconds": 60},
            "seed_entries": [{"content": "be brief"}, {"content": "be kind"}]});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        app.operator(acme).post(&(profiles.clone() + "?dry_run=true"), body).await.expect(200).json()
    };
    let aside = create(json!({})).await;
    assert_eq!((counts(&aside), &aside["loses"], &aside["profile"]["seed_count"]), ([0, 0, 0], &nothing, &json!(2)));
    // what it begins with counts for how many it keeps
    let crowded = create(json!({"retention": {"max_entries": 1}})).await;
    assert_eq!(counts(&crowded), [1, 0, 1]);
    let default = create(json!({"is_default": true})).await;
    assert_eq!((counts(&default), &default["loses"]["global"]), ([1, 1, 0], &json!(1)));
    assert_eq!(app.dump(), before, "a dry run changes nothing");

    // and that is what happens
    let seen = async || app.agent(bot).search(bot, &[]).await.ids().len();
    assert_eq!(seen().await, 5);
    app.operator(acme)
        .patch(&format!("{profiles}/{bot}?dry_run=false"), json!({"isolation": "isolated"}))
        .await
        .expect(200);
    assert_eq!(seen().await, 3);
    // gained and lost at once, each counted
    let turned = told(json!({"isolation": "tree", "excluded_kinds": ["trace"]})).await.expect(200).json();
    assert_eq!(turned["gains"], json!({"local": 0, "team": 0, "global": 1}));
    assert_eq!(turned["loses"], json!({"local": 0, "team": 1, "global": 0}));
    app.operator(acme)
        .patch(&format!("{profiles}/{bot}"), json!({"isolation": "tree", "excluded_kinds": ["trace"]}))
        .await
        .expect(200);
    assert_eq!(seen().await, 3);
}

async fn a_profile_that_is_refused_is_refused_beforehand(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nrival").await;
    let (acme, bot, rival) = (org.id("acme"), org.id("bot"), org.id("rival"));
    let profiles = at(bot) + "/profiles";
    let body = json!({"name": "night", "retention": {"max_entries": 5}});
    app.admin().post(&profiles, body.clone()).await.expect(201);
    let before = app.dump();
    let said = |answer: Answer| {
        let mut problem = answer.json();
        for of_the_request in ["instance", "request_id"] {
            problem.as_object_mut().expect("a problem").remove(of_the_request);
        }
        (answer.status, problem)
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
        let in_earnest = said(caller.post(&profiles, bad.clone()).await);
        assert!(in_earnest.0 >= 400, "{bad}");
        assert_eq!(said(caller.post(&(profiles.clone() + "?dry_run=true"), bad.clone()).await), in_earnest, "{bad}");
        let (change, at) = (json!({"is_default": false, "name": bad["name"]}), format!("{profiles}/{bot}"));
        let in_earnest = said(caller.patch(&at, change.clone()).await);
        assert!(in_earnest.0 >= 400, "{change}");
        assert_eq!(said(caller.patch(&(at + "?dry_run=true"), change.clone()).await), in_earnest, "{change}");
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
