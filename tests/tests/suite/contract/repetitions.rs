//! Memories with the same content: none is hidden, repetitions rank lower, and `collapse` groups them.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    memories_that_differ_in_any_character_are_all_found,
    each_pair_of_contrary_memories_is_found_and_explained,
    equal_memories_in_other_sessions_profiles_and_scopes_are_found,
    equal_memories_in_one_scope_and_session_are_both_found,
    repetitions_rank_below_other_matches,
    collapsed_search_names_the_repetitions,
    count_equals_the_number_of_results_with_and_without_collapse,
    why_names_one_cause_and_the_memory_concerned,
    unreadable_repetitions_change_nothing,
    score_of_a_repetition_is_explained,
);

fn at(workspace: Uuid, query: &str) -> String {
    format!("/workspaces/{workspace}/memories{query}")
}

async fn found(caller: &Caller, workspace: Uuid, query: &str) -> Vec<Value> {
    caller.all_pages(&at(workspace, query)).await.0
}

fn ids(items: &[Value]) -> Vec<Uuid> {
    items.iter().map(|item| id_of(item, "id")).collect()
}

async fn why(caller: &Caller, workspace: Uuid, memory: Uuid, query: &str) -> Value {
    caller.get(&at(workspace, &format!("/{memory}/why?{query}"))).await.expect(200).json()
}

async fn memories_that_differ_in_any_character_are_all_found(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let texts = [
        "The offset is -5",
        "The offset is 5",
        "The offset is +5",
        "the offset is 5",
        "The offset is 5.",
        "The offset is 5?",
        "The offsets are 5",
        "The offset is 5 %",
        "The offset is 5 €",
        "The offset is 5 $",
        "The offset is > 5",
        "The offset is < 5",
        "The offset is >= 5",
        "The offset is == 5",
        "The offset is = 5",
        "The offset is != 5",
        "The offset is 5!",
        "The offset is 5°",
        "The offset is ~5",
        "The offset is 5-",
        "The offset in C is 5",
        "The offset in C++ is 5",
        "The offset in C# is 5",
        "The offset is (5)",
        "The offset is \"5\"",
        "The  offset is 5",
        "The öffset is 5",
        "The offset is 5 @ada",
        "The offset is #5",
    ];
    let mut made = Vec::new();
    for text in texts {
        made.push(agent.commit(bot, "LOCAL", text).await);
    }
    made.sort_unstable();
    for query in ["?q=offset+5", "?q=offset+5&mode=keyword", "?q=offset+5&order=recent", "?q=5&order=confidence", ""] {
        let mut found = ids(&found(&agent, bot, query).await);
        found.sort_unstable();
        assert_eq!(found, made, "{query}");
    }
}

/// Also by one author, with equal tags and kind: only an equal id replaces a memory.
async fn equal_memories_in_one_scope_and_session_are_both_found(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memory = json!({
        "scope": "TEAM", "content": "the kiln is lit", "session_id": "s1", "kind": "fact", "tags": ["kiln"],
        "subject": "ada",
    });
    let mut made = [agent.commit_with(bot, memory.clone()).await, agent.commit_with(bot, memory).await];
    made.sort_unstable();
    for query in ["", "?q=kiln+lit", "?q=%22the+kiln+is+lit%22", "?session_id=s1", "?q=kiln&order=recent"] {
        let mut found = ids(&found(&agent, bot, query).await);
        found.sort_unstable();
        assert_eq!(found, made, "{query}");
    }
    let counted = agent.get(&at(bot, "/count?q=kiln")).await.expect(200).json();
    assert_eq!(counted["count"], 2);
    for memory in made {
        assert_eq!(why(&agent, bot, memory, "q=kiln").await["cause"], "found");
    }
}

async fn each_pair_of_contrary_memories_is_found_and_explained(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.plant("acme").await.id("acme");
    for (one, other) in [
        ("limit temperature to 5", "limit temperature to -5"),
        ("book +100 EUR", "book -100 EUR"),
        ("keep x > y", "keep x < y"),
        ("compare by ==", "compare by !="),
        ("write it in C++", "write it in C"),
        ("it costs $100", "it costs €100"),
        ("discount of 10 %", "discount of 10"),
        ("agents approve refunds", "agents approved refunds"),
        ("ship to US", "ship to us"),
    ] {
        let bot = app.admin().create("bot", Some(acme)).await;
        let agent = app.agent(bot);
        let mut made = [agent.commit(bot, "LOCAL", one).await, agent.commit(bot, "LOCAL", other).await];
        made.sort_unstable();
        for text in [one, other, ""] {
            let query = [("q", text)];
            let mut found = agent.search(bot, &query).await.ids();
            found.sort_unstable();
            assert_eq!(found, made, "{one:?}, {other:?} by {text:?}");
            let count = agent.get_with(&at(bot, "/count"), &query).await.expect(200).json();
            assert_eq!(count["count"], 2, "{one:?}, {other:?} by {text:?}");
            for memory in made {
                let why = agent.get_with(&at(bot, &format!("/{memory}/why")), &query).await.expect(200).json();
                assert_eq!((&why["cause"], &why["memory_id"]), (&json!("found"), &json!(memory)), "{why}");
            }
        }
    }
}

async fn equal_memories_in_other_sessions_profiles_and_scopes_are_found(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (agent, profiles) = (app.agent(bot), format!("/workspaces/{bot}/profiles"));
    let profile = app.admin().post(&profiles, json!({"name": "night"})).await.expect(201).json()["id"].clone();
    let commit = async |more: Value| {
        let mut memory = json!({"content": "The kiln is lit at dawn", "scope": "LOCAL"});
        memory.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        agent.commit_with(bot, memory).await
    };
    let plain = commit(json!({})).await;
    for (more, filter) in [
        (json!({"session_id": "s1"}), "session_id=s1".to_owned()),
        (json!({"tags": ["fire"]}), "tag=fire".to_owned()),
        (json!({"kind": "note"}), "kind=note".to_owned()),
        (json!({"scope": "TEAM"}), "scope=TEAM".to_owned()),
        (json!({"profile_id": profile}), format!("profile_id={}", profile.as_str().expect("an id"))),
    ] {
        let id = commit(more).await;
        assert_eq!(ids(&found(&agent, bot, &format!("?q=kiln&{filter}")).await), [id], "{filter}");
    }
    let all = ids(&found(&agent, bot, "?q=kiln").await);
    assert!(all.len() == 6 && all.contains(&plain), "{all:?}");
}

/// Four workspaces that say the same, and one that says something else.
async fn plant(app: &TestApp) -> (Uuid, Vec<Uuid>, Uuid) {
    let org = app.plant("acme\n  bot\n  peer\n  ops\n  dev").await;
    let mut copies = Vec::new();
    for (name, text) in [
        ("bot", "Deploys freeze on Fridays"),
        ("peer", "deploys freeze on Fridays."),
        ("ops", "Deploys freeze on Friday!"),
        ("dev", "deploys  freeze on \"Fridays\""),
    ] {
        app.advance(TimeDelta::seconds(1));
        copies.push(app.agent(org.id(name)).commit(org.id(name), "TEAM", text).await);
    }
    app.advance(TimeDelta::seconds(1));
    let dev = org.id("dev");
    let other = "a hotfix may go out on Fridays if the engineer on call and a second one agree on it";
    let other = app.agent(dev).commit(dev, "TEAM", other).await;
    (org.id("bot"), copies, other)
}

async fn repetitions_rank_below_other_matches(on: On) {
    let app = TestApp::new(on).await;
    let (bot, copies, other) = plant(&app).await;
    let agent = app.agent(bot);
    let hits = found(&agent, bot, "?q=fridays").await;
    assert_eq!(ids(&hits), [copies[3], other, copies[2], copies[1], copies[0]]);
    let (one_by_one, pages) = agent.all_pages(&at(bot, "?q=fridays&limit=1")).await;
    assert_eq!((one_by_one, pages), (hits, 5));
    let newest_first = ids(&found(&agent, bot, "?q=fridays&order=recent").await);
    assert_eq!(newest_first, [other, copies[3], copies[2], copies[1], copies[0]]);
}

async fn collapsed_search_names_the_repetitions(on: On) {
    let app = TestApp::new(on).await;
    let (bot, copies, other) = plant(&app).await;
    let agent = app.agent(bot);
    let named = json!({"count": 3, "ids": [copies[2], copies[1], copies[0]]});
    for query in ["?q=fridays&collapse=true", "?q=fridays&collapse=true&order=recent", "?collapse=true&scope=TEAM"] {
        for limit in [50, 1] {
            let hits = found(&agent, bot, &format!("{query}&limit={limit}")).await;
            let mut listed = ids(&hits);
            listed.sort_unstable();
            let mut expected = [copies[3], other];
            expected.sort_unstable();
            assert_eq!(listed, expected, "{query}");
            let collapsed =
                |id: Uuid| hits.iter().find(|hit| id_of(hit, "id") == id).and_then(|hit| hit.get("collapsed"));
            assert_eq!((collapsed(copies[3]), collapsed(other)), (Some(&named), None), "{query}");
        }
    }
    let plain = found(&agent, bot, "?q=fridays").await;
    assert!(plain.iter().all(|hit| hit.get("collapsed").is_none()));
    agent.get(&at(bot, "?q=fridays&collapse=perhaps")).await.refused(400, "invalid_field");
}

async fn count_equals_the_number_of_results_with_and_without_collapse(on: On) {
    let app = TestApp::new(on).await;
    let (bot, ..) = plant(&app).await;
    let agent = app.agent(bot);
    let queries = ["?q=fridays", "?q=hotfix", "?q=nothing", "?", "?q=fridays&scope=TEAM", "?q=deploys&mode=keyword"];
    for query in queries {
        for collapse in ["", "&collapse=false", "&collapse=true"] {
            let count = agent.get(&at(bot, &format!("/count{query}{collapse}"))).await.expect(200).json();
            let listed = found(&agent, bot, &format!("{query}{collapse}")).await;
            assert_eq!(count["count"], listed.len(), "{query}{collapse}");
        }
    }
}

async fn why_names_one_cause_and_the_memory_concerned(on: On) {
    let app = TestApp::new(on).await;
    let (bot, copies, other) = plant(&app).await;
    let agent = app.agent(bot);
    let first = why(&agent, bot, copies[3], "q=fridays").await;
    assert_eq!((&first["cause"], first.get("repeats")), (&json!("found"), None), "{first}");
    let repeated = why(&agent, bot, copies[1], "q=fridays").await;
    assert_eq!((&repeated["cause"], &repeated["repeats"]), (&json!("found"), &json!(copies[3])), "{repeated}");
    assert_eq!(repeated["rank"], 4);
    assert!(repeated["reason"].as_str().is_some_and(|reason| reason.contains(&copies[3].to_string())), "{repeated}");
    let collapsed = why(&agent, bot, copies[1], "q=fridays&collapse=true").await;
    assert_eq!((&collapsed["cause"], &collapsed["repeats"]), (&json!("collapsed"), &json!(copies[3])), "{collapsed}");
    assert_eq!((&collapsed["readable"], &collapsed["found"]), (&json!(true), &json!(2)), "{collapsed}");
    assert!(collapsed["reason"].as_str().is_some_and(|reason| reason.contains(&copies[3].to_string())), "{collapsed}");
    let missed = why(&agent, bot, other, "q=kiln").await;
    assert_eq!((&missed["cause"], missed.get("repeats")), (&json!("not_found"), None), "{missed}");
    // a page of text that has a single word in common
    let words: Vec<String> = (0..100).map(|number| format!("subject{number}")).collect();
    for number in 0..30 {
        agent.commit(bot, "LOCAL", &format!("noodles number {number}")).await;
    }
    let noodles = agent.commit(bot, "LOCAL", "noodles with rice").await;
    let below = why(&agent, bot, noodles, &format!("q=noodles+{}", words.join("+"))).await;
    assert_eq!((&below["cause"], &below["readable"]), (&json!("below_minimum"), &json!(true)), "{below}");
}

async fn unreadable_repetitions_change_nothing(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer\n    deep\nrival").await;
    let (bot, peer, deep, rival) = (org.id("bot"), org.id("peer"), org.id("deep"), org.id("rival"));
    let agent = app.agent(bot);
    for text in ["the kiln is lit", "The kiln is lit.", "the kiln was lit by the kiln keeper"] {
        agent.commit(bot, "LOCAL", text).await;
        app.agent(peer).commit(peer, "TEAM", text).await;
    }
    let mut before = Vec::new();
    let queries = ["?q=kiln", "?q=kiln&collapse=true", "?q=kiln&explain=true", "?q=kiln&limit=2", "?collapse=true"];
    for query in queries {
        before.push(found(&agent, bot, query).await);
    }
    for (workspace, scope) in [(peer, "LOCAL"), (deep, "TEAM"), (deep, "LOCAL"), (rival, "GLOBAL"), (rival, "TEAM")] {
        for _ in 0..5 {
            app.agent(workspace).commit(workspace, scope, "The kiln is lit").await;
        }
    }
    for (query, before) in queries.into_iter().zip(before) {
        assert_eq!(found(&agent, bot, query).await, before, "{query}");
    }
}

async fn score_of_a_repetition_is_explained(on: On) {
    let app = TestApp::new(on).await;
    let (bot, copies, _) = plant(&app).await;
    let agent = app.agent(bot);
    let hits = found(&agent, bot, "?q=fridays&explain=true").await;
    for hit in &hits {
        let (id, explanation) = (id_of(hit, "id"), &hit["explanation"]);
        let parts = explanation["parts"].as_array().expect("a list");
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a number")).sum();
        assert!((sum - hit["score"].as_f64().expect("a score")).abs() < 1e-9, "{hit}");
        let is_repetition = copies[..3].contains(&id);
        assert_eq!(parts.iter().any(|part| part["part"] == "repetition"), is_repetition, "{hit}");
        assert_eq!(explanation.get("repeats"), is_repetition.then_some(&json!(copies[3])), "{hit}");
    }
}
