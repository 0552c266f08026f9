//! Redaction and erasure of messages of turns, and of the facts that rest on them.

use chrono::TimeDelta;
use orgmem_tests::{ChatMode, On, for_each_store};
use serde_json::{Value, json};

use super::redacting::is_in_tables;
use super::turns::{Talk, fact};

for_each_store!(
    redacted_message_makes_no_fact,
    redacted_message_takes_its_facts_along,
    redacted_message_takes_only_the_versions_that_rest_on_it,
    erased_end_user_leaves_no_fact,
);

/// Redacts the first message of a turn; returns the memories that went with it.
async fn redact(talk: &Talk, turn: &Value) -> Value {
    let message = turn["episodes"][0].as_str().expect("an id");
    let redact = talk.at(&format!("activity/{message}/redact"));
    let redacted = talk.app.operator(talk.root).post(&redact, json!({"reason": "on request"})).await.expect(200).json();
    redacted["memories"].clone()
}

async fn redacted_message_makes_no_fact(on: On) {
    let talk = Talk::new(on).await;
    talk.model.set(ChatMode::Refuse(503));
    let id = talk.say("Deliver to Dock 9.", json!({})).await;
    let turn = talk.until(id, |turn| turn["error"].is_string()).await;
    let message = turn["episodes"][0].as_str().expect("an id");
    let redact = talk.at(&format!("activity/{message}/redact"));
    talk.app.operator(talk.root).post(&redact, json!({"reason": "on request"})).await.expect(200);
    talk.states(json!([fact(1, "Dock 9", "Ada wants deliveries at Dock 9.", "delivery address")]));
    talk.app.advance(TimeDelta::hours(1));
    let turn = talk.done(id).await;
    assert_eq!((&turn["refused"], &turn["memories"]), (&json!({"quote_absent": 1}), &json!([])));
    let (_, request) = talk.model.requests().pop().expect("a request");
    assert!(!request.to_string().contains("Dock 9"), "{request}");
}

async fn redacted_message_takes_its_facts_along(on: On) {
    let talk = Talk::new(on).await;
    talk.states(json!([
        fact(1, "zanzibar", "Ada lives in zanzibar.", "home"),
        fact(1, "zanzibar", "Ada moved her zanzibar boat.", "boat"),
        fact(2, "madrid", "Ada was told of madrid.", "travel"),
    ]));
    let messages = json!([
        {"role": "user", "content": "I live in zanzibar."}, {"role": "assistant", "content": "Not in madrid?"},
    ]);
    let turn = talk.done(talk.say("", json!({"messages": messages})).await).await;
    let of = |about: &str, memories: &[Value]| {
        let found = memories.iter().find(|memory| memory["metadata"]["about"] == about).expect("it is listed");
        found["id"].as_str().expect("an id").to_owned()
    };
    let memories = talk.memories().await;
    let (home, boat, travel) = (of("home", &memories), of("boat", &memories), of("travel", &memories));
    // an edit that removes the provenance does not keep the fact
    let edited = json!({"content": "Ada has a zanzibar boat.", "metadata": null});
    talk.app.agent(talk.bot).patch(&talk.at(&format!("memories/{boat}")), edited).await.expect(200);
    let mut redacted: Vec<Value> = redact(&talk, &turn).await.as_array().expect("a list").clone();
    redacted.sort_by_key(Value::to_string);
    let mut expected = vec![json!(home), json!(boat)];
    expected.sort_by_key(Value::to_string);
    assert_eq!(redacted, expected);
    assert_eq!(talk.memories().await.iter().map(|memory| memory["id"].clone()).collect::<Vec<_>>(), [json!(travel)]);
    let listed = talk.app.operator(talk.root).get(&talk.at("memories/redactions")).await.expect(200).items();
    assert!(listed.len() == 2 && listed.iter().all(|row| row["reason"] == "on request"), "{listed:?}");
    assert!(!is_in_tables(&talk.app, "zanzibar"));
    assert_eq!(redact(&talk, &turn).await, json!([]), "a second redaction changes nothing");
    assert_eq!(
        talk.turn(turn["id"].as_str().expect("an id").parse().expect("an id")).await["memories"],
        turn["memories"]
    );
}

async fn redacted_message_takes_only_the_versions_that_rest_on_it(on: On) {
    let talk = Talk::new(on).await;
    talk.states(json!([fact(1, "zanzibar", "Ada lives in zanzibar.", "home")]));
    let first = talk.done(talk.say("I live in zanzibar.", json!({})).await).await;
    talk.states(json!([fact(1, "madrid", "Ada lives in madrid.", "home")]));
    let second = talk.done(talk.say("I moved to madrid.", json!({})).await).await;
    assert_eq!(first["memories"], second["memories"]);
    let memory = first["memories"][0].as_str().expect("an id");
    let history = async || {
        let path = talk.at(&format!("memories/{memory}/history"));
        let versions = talk.app.agent(talk.bot).get(&path).await.expect(200).items();
        versions.iter().map(|version| version["version"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(history().await, [2, 1]);
    // an episode of a caller that names the turn does not belong to it
    let named = json!({"activity_type": "message", "summary": "x", "correlation_id": second["id"]});
    let named = talk.app.agent(talk.bot).post(&talk.at("activity"), named).await.expect(201).id("id");
    assert_eq!(redact(&talk, &json!({"episodes": [named]})).await, json!([]));
    assert_eq!(redact(&talk, &first).await, json!([]), "the memory is about the second message by now");
    assert_eq!(talk.memories().await[0]["content"], "Ada lives in madrid.");
    assert_eq!(history().await, [2]);
    assert!(!is_in_tables(&talk.app, "zanzibar"));
    let third = talk.done(talk.say("I live in madrid.", json!({})).await).await;
    assert_eq!(third["unchanged"], 1);
    assert_eq!(redact(&talk, &third).await, json!([]), "the fact rests on the message before");
    assert_eq!(redact(&talk, &second).await, json!([memory]));
    assert!(talk.memories().await.is_empty());
}

async fn erased_end_user_leaves_no_fact(on: On) {
    let talk = Talk::new(on).await;
    talk.states(json!([fact(1, "zanzibar", "Ada lives in zanzibar.", "home")]));
    let turn = talk.done(talk.say("I live in zanzibar.", json!({})).await).await;
    // the memory names nobody by now, but rests on the words of the end user
    let memory = turn["memories"][0].as_str().expect("an id");
    let edited = json!({"subject": null});
    talk.app.agent(talk.bot).patch(&talk.at(&format!("memories/{memory}")), edited).await.expect(200);
    let erase = json!({"org_id": talk.root, "subject": "ada", "reason": "on request"});
    let planned = talk.app.admin().post("/admin/erasures?dry_run=true", erase.clone()).await.expect(200).json();
    let receipt = talk.app.admin().post("/admin/erasures", erase).await.expect(200).json();
    assert_eq!((&receipt["memories"], &receipt["episodes"]), (&json!(1), &json!(2)), "{receipt}");
    assert_eq!(planned["memories"], receipt["memories"]);
    assert!(talk.memories().await.is_empty());
    assert!(!is_in_tables(&talk.app, "zanzibar"));
}
