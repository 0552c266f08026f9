//! Dry runs of moves and removals.

use std::collections::BTreeMap;

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Children, Memory, Oracle, Scope, Step};
use orgmem_tests::steps::name_of;
use orgmem_tests::{On, Response, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{at, of};

for_each_store!(
    dry_run_of_move_lists_affected_workspaces,
    dry_run_predicts_the_change,
    dry_run_is_refused_with_the_same_problem,
    dry_run_lists_only_visible_workspaces,
    expired_and_pending_memories_are_not_counted,
    long_lists_are_truncated_with_a_count,
);

/// A dry run of a step, as an admin.
async fn dry_run(app: &TestApp, step: &Step) -> Response {
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

async fn dry_run_of_move_lists_affected_workspaces(on: On) {
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
    let preview = dry_run(&app, &step).await.expect(200).json();
    assert_eq!(app.dump(), before, "a dry run changes nothing");
    assert_eq!((&preview["dry_run"], &preview["moved"], &preview["removed"]), (&json!(true), &json!(1), &json!(0)));
    let described = |workspace| {
        of(&preview, workspace).map(|affected| affected["summary"].as_str().expect("a sentence").to_owned())
    };
    let (name_of_bot, name_of_dev) = (name_of(bot), name_of(dev));
    let expected = format!(
        "loses 2 TEAM memories of {name_of_dev}; gains 1 TEAM memory of {}; 2 of its own stay bound to the team of \
         {name_of_dev} and only it will read them",
        name_of(guard),
    );
    assert_eq!(described(bot), Some(expected));
    for loser in [dev, peer] {
        assert_eq!(described(loser), Some(format!("loses 3 TEAM memories of {name_of_bot}")));
    }
    for winner in [ops, guard] {
        assert_eq!(described(winner), Some(format!("gains 1 TEAM memory of {name_of_bot}")));
    }
    assert_eq!(preview["affected"].as_array().map(Vec::len), Some(5), "nobody else: {preview}");
    let moved = of(&preview, bot).expect("it is affected");
    let left_alone = json!([{"team": dev, "team_name": name_of_dev, "memories": 2}]);
    assert_eq!((&moved["left_alone"], &moved["loses"]["team"]), (&left_alone, &json!(2)));
    // a move to the same parent, and an invalid move
    let nothing = dry_run(&app, &Step::Move { id: bot, to: dev }).await.expect(200).json();
    assert_eq!((&nothing["affected"], &nothing["moved"]), (&json!([]), &json!(0)));
    let named = app.admin().patch(&(at(bot) + "?dry_run=true"), json!({"name": "Renamed"})).await.expect(200).json();
    assert_eq!(named["affected"], json!([]));
    assert_eq!(app.dump(), before);
    let done = app.admin().patch(&(at(bot) + "?dry_run=false"), json!({"parent_id": ops})).await.expect(200).json();
    assert_eq!(done["parent_id"], json!(ops));
}

/// Counts of readable memories, by reader, author and scope.
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

/// The counts of `from` that `to` does not have.
fn missing(from: &Readable, to: &Readable) -> BTreeMap<(Uuid, Uuid, Scope), i64> {
    let gone = |(key, memories): (&(Uuid, Uuid, Scope), &Vec<Uuid>)| {
        let left = to.get(key);
        let count = memories.iter().filter(|id| !left.is_some_and(|left| left.contains(id))).count();
        (*key, i64::try_from(count).expect("few"))
    };
    from.iter().map(gone).filter(|(_, count)| *count > 0).collect()
}

fn listed(preview: &Value, which: &str) -> BTreeMap<(Uuid, Uuid, Scope), i64> {
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

async fn dry_run_predicts_the_change(on: On) {
    for seed in 0..4 {
        let mut seeded = Seeded::new(7_000 + seed);
        let app = TestApp::new(on).await;
        let mut oracle = Oracle::default();
        let mut tried_out = 0;
        for step in [seeded.org(9), seeded.org(4)].concat() {
            app.admin().run_step(&step).await.expect(201);
            oracle.apply(&step).expect("an org can be created");
        }
        while tried_out < 25 && oracle.live().len() > 2 {
            let step = seeded.step(&oracle);
            let (before, now) = (readable(&oracle), oracle.clone());
            let objections = oracle.apply(&step).err().unwrap_or_default();
            let is_change = matches!(step, Step::Move { .. } | Step::Remove { .. });
            let preview = if is_change { Some(dry_run(&app, &step).await) } else { None };
            let response = app.admin().run_step(&step).await;
            orgmem_tests::steps::assert_allowed(&objections, &step, &response);
            let Some(preview) = preview else { continue };
            assert_eq!(preview.status, response.status, "{step:?}");
            if !objections.is_empty() {
                continue;
            }
            tried_out += 1;
            let (preview, after) = (preview.json(), readable(&oracle));
            assert_eq!(listed(&preview, "loses"), missing(&before, &after), "{step:?} in\n{now}");
            assert_eq!(listed(&preview, "gains"), missing(&after, &before), "{step:?} in\n{now}");
            // the server's counts confirm it
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

async fn dry_run_is_refused_with_the_same_problem(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_LIMITS_TREE_DEPTH", "4").start().await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n  ops\nrival").await;
    let [acme, dev, bot, helper, ops, rival] =
        ["acme", "dev", "bot", "helper", "ops", "rival"].map(|name| org.id(name));
    let problem_of = |response: Response| {
        let mut body = response.json();
        assert!(response.status >= 400, "{}", response.describe());
        body.as_object_mut().expect("a problem").remove("request_id");
        (response.status, body)
    };
    let callers =
        [app.admin(), app.operator(dev), app.viewer(acme), app.agent(dev), app.operator(rival), app.anonymous()];
    for caller in &callers {
        for (id, to) in
            [(dev, helper), (dev, dev), (acme, ops), (dev, rival), (bot, ops), (bot, Uuid::from_u128(9)), (rival, dev)]
        {
            let body = json!({"parent_id": to});
            let of_change = caller.patch(&at(id), body.clone()).await;
            if of_change.status < 400 {
                continue;
            }
            assert_eq!(
                problem_of(caller.patch(&(at(id) + "?dry_run=true"), body).await),
                problem_of(of_change),
                "{id} to {to}"
            );
        }
        for (id, how) in [
            (dev, ""),
            (acme, "children=promote&"),
            (dev, "children=promote&"),
            (rival, "purge=true&"),
            (Uuid::from_u128(9), ""),
        ] {
            let of_change = caller.delete(&format!("{}?{how}", at(id))).await;
            if of_change.status < 400 {
                continue;
            }
            assert_eq!(
                problem_of(caller.delete(&format!("{}?{how}dry_run=true", at(id))).await),
                problem_of(of_change),
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

async fn dry_run_lists_only_visible_workspaces(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n    peer\n  ops").await;
    let [acme, dev, bot, ops] = ["acme", "dev", "bot", "ops"].map(|name| org.id(name));
    for (author, word) in [(acme, "above"), (dev, "lead"), (bot, "bot"), (ops, "sibling")] {
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
    // the operator also sees authors that the top of its subtree reads
    assert_eq!(of(&own, dev), of(&all, dev));
    assert_eq!((&own["removed"], &own["more"]), (&json!(4), &json!(0)));
}

async fn expired_and_pending_memories_are_not_counted(on: On) {
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
        let preview = dry_run(&app, &Step::Move { id: bot, to: ops }).await.expect(200).json();
        of(&preview, peer).map(|affected| affected["loses"]["team"].clone())
    };
    assert_eq!(lost().await, Some(json!(2)));
    app.advance(chrono::TimeDelta::seconds(60));
    assert_eq!(lost().await, Some(json!(1)));
    agent.delete(&format!("{}/memories/{stays}", at(bot))).await.expect(200);
    assert_eq!(lost().await, None);
}

async fn long_lists_are_truncated_with_a_count(on: On) {
    let app = TestApp::new(on).await;
    let drawing = (0..230).map(|n| format!("    bot-{n}\n")).collect::<String>();
    let org = app.plant(&format!("acme\n  dev\n{drawing}  ops\n")).await;
    let (bot, ops) = (org.id("bot-0"), org.id("ops"));
    app.agent(bot).commit(bot, "TEAM", "shared with many").await;
    let preview = dry_run(&app, &Step::Move { id: bot, to: ops }).await.expect(200).json();
    let described = preview["affected"].as_array().map_or(0, Vec::len);
    let more = preview["more"].as_u64().expect("a count") as usize;
    // the moved workspace loses nothing, both parents and 229 siblings do
    assert_eq!(more, 32, "{described} are listed");
    assert_eq!(described, 199);
}
