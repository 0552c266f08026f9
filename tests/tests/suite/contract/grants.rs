//! Grants: what they show, to whom, and when they end.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, Request, TestApp, for_each_store, with_query};
use serde_json::{Value, json};
use uuid::Uuid;

use super::audit_log::log;
use super::redacting::is_in_files;

for_each_store!(
    grant_shows_memories_of_its_sessions_to_its_reader_only,
    only_the_platform_and_the_end_user_give_and_revoke_grants,
    invalid_grants_are_refused,
    revoked_or_expired_grant_shows_nothing_on_any_server,
    read_under_a_grant_is_named_in_its_answer_and_its_audit_row,
    erased_end_user_leaves_no_evidence,
);

/// Only in the evidence of Ada's grants.
const EVIDENCE: &str = "quokka";

/// A bot and its peer, whose profiles keep end users and sessions apart.
struct Fixture {
    app: TestApp,
    acme: Uuid,
    bot: Uuid,
    peer: Uuid,
    /// Ada's memories of the sessions `s-1` and `s-2`, of Eve's session `s-1`, and of session `s-1` without an end user.
    one: Uuid,
    two: Uuid,
    eve: Uuid,
    lone: Uuid,
    /// Workspaces that read nothing of the bot's: one of its tree and one of another.
    outside: [Uuid; 2],
}

impl Fixture {
    async fn new(on: On) -> Self {
        Self::of(TestApp::new(on).await).await
    }

    async fn of(app: TestApp) -> Self {
        let org = app.plant("acme\n  bot\n  peer\n  ops\n    deep\nbeta\n  other").await;
        let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
        let agent = app.agent(bot);
        let memory = |content: &str, subject: Option<&str>, session: &str| json!({"content": content, "scope": "TEAM", "subject": subject, "session_id": session});
        let one = agent.commit_with(bot, memory("ada tunes the violin", Some("ada"), "s-1")).await;
        let two = agent.commit_with(bot, memory("ada sells a violin", Some("ada"), "s-2")).await;
        let eve = agent.commit_with(bot, memory("eve has a violin", Some("eve"), "s-1")).await;
        let lone = agent.commit_with(bot, memory("a violin was heard", None, "s-1")).await;
        for workspace in [bot, peer] {
            let profile = json!({"name": "apart", "is_default": true, "subjects": "separate", "sessions": "separate"});
            app.admin().post(&format!("/workspaces/{workspace}/profiles"), profile).await.expect(201);
        }
        let outside = [org.id("deep"), org.id("other")];
        Self { app, acme, bot, peer, one, two, eve, lone, outside }
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}{rest}", self.bot)
    }

    async fn bound(&self, user: Value) -> Caller {
        let mut request = json!({"role": "agent"});
        request.as_object_mut().expect("an object").extend(user.as_object().expect("an object").clone());
        let issued = self.app.admin().post(&self.at("/tokens"), request).await.expect(201).json();
        self.app.bearer(issued["token"].as_str().expect("a token"))
    }

    async fn give(&self, grant: Value) -> Uuid {
        self.app.operator(self.bot).post(&self.at("/grants"), grant).await.expect(201).id("id")
    }
}

/// A grant of Ada with these fields.
fn grant(fields: Value) -> Value {
    let mut grant = json!({"subject": "ada", "sessions": ["s-1"], "evidence": format!("Ada: yes, {EVIDENCE}")});
    grant.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    grant
}

fn named(caller: &Caller, path: &str, (user, session): (&str, &str)) -> Request {
    caller.request("GET", path).header("X-End-User", user).header("X-Session-Id", session)
}

/// The ids that a search of the reader finds for this end user and session.
async fn found(caller: &Caller, reader: Uuid, user: (&str, &str), query: &[(&str, &str)]) -> Vec<Uuid> {
    let path = with_query(&format!("/workspaces/{reader}/memories"), query);
    let mut ids = named(caller, &path, user).send().await.expect(200).ids();
    ids.sort_unstable();
    ids
}

fn sorted<const N: usize>(mut ids: [Uuid; N]) -> [Uuid; N] {
    ids.sort_unstable();
    ids
}

const NOTHING: [Uuid; 0] = [];

const GRANTED: (&str, &str) = ("sessions", "granted");

async fn grant_shows_memories_of_its_sessions_to_its_reader_only(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, bot, peer, one, two, eve, lone, .. } = &fixture;
    let (agent, of_peer) = (app.agent(*bot), app.agent(*peer));
    let violin = [("q", "violin"), GRANTED];
    // without a grant nothing changes
    assert_eq!(found(&agent, *bot, ("ada", "s-3"), &violin).await, NOTHING);
    fixture.give(grant(json!({"to": {"session": "s-3"}}))).await;
    for query in [&violin[..], &[GRANTED], &[GRANTED, ("order", "confidence")], &[GRANTED, ("collapse", "true")]] {
        assert_eq!(found(&agent, *bot, ("ada", "s-3"), query).await, [*one], "{query:?}");
    }
    // not without the parameter, nor in another session, for another end user or another workspace
    assert_eq!(found(&agent, *bot, ("ada", "s-3"), &[("q", "violin")]).await, NOTHING);
    assert_eq!(found(&agent, *bot, ("ada", "s-4"), &violin).await, NOTHING);
    assert_eq!(found(&agent, *bot, ("eve", "s-3"), &violin).await, NOTHING);
    assert_eq!(found(&of_peer, *peer, ("ada", "s-3"), &violin).await, NOTHING);
    // neither Eve's memory of the same session nor the one of nobody is shown, which belongs to `s-1` only
    let own = found(&agent, *bot, ("ada", "s-1"), &violin).await;
    assert_eq!(own, sorted([*one, *lone]));
    // a workspace that reads the memories, in every session of the end user; all sessions
    fixture.give(grant(json!({"sessions": "all", "to": {"workspace": peer}}))).await;
    assert_eq!(found(&of_peer, *peer, ("ada", "s-9"), &violin).await, sorted([*one, *two]));
    assert_eq!(found(&of_peer, *peer, ("eve", "s-9"), &violin).await, NOTHING);
    assert_eq!(found(&agent, *bot, ("ada", "s-9"), &violin).await, NOTHING);
    let count = |caller: &Caller, reader: Uuid, query: &'static str| {
        named(caller, &format!("/workspaces/{reader}/memories/count{query}"), ("ada", "s-9"))
    };
    assert_eq!(count(&of_peer, *peer, "?sessions=granted").send().await.expect(200).json(), json!({"count": 2}));
    assert_eq!(count(&of_peer, *peer, "").send().await.expect(200).json(), json!({"count": 0}));
    // by id, as a citation is opened
    let open = |memory: &Uuid, query: &str| {
        named(&of_peer, &format!("/workspaces/{peer}/memories/{memory}{query}"), ("ada", "s-9"))
    };
    open(two, "?sessions=granted").send().await.expect(200);
    open(two, "").send().await.refused(404, "not_found");
    open(eve, "?sessions=granted").send().await.refused(404, "not_found");
    // other reads are not widened
    for rest in [format!("/memories/{two}/history"), format!("/memories/{two}/evidence")] {
        let path = format!("/workspaces/{peer}{rest}");
        named(&of_peer, &path, ("ada", "s-9")).send().await.refused(404, "not_found");
    }
    let refused =
        named(&of_peer, &format!("/workspaces/{peer}/memories/values?member=x&sessions=granted"), ("ada", "s"));
    refused.send().await.refused(400, "invalid_field");
    // the tree decides first: a LOCAL memory of the bot is not in the reach of its peer
    let local = json!({"content": "a local violin", "scope": "LOCAL", "subject": "ada", "session_id": "s-5"});
    agent.commit_with(*bot, local).await;
    assert_eq!(found(&of_peer, *peer, ("ada", "s-9"), &violin).await, sorted([*one, *two]));
    // a search by a tool cites session, time and id
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search_memory", "arguments": {"query": "tunes", "sessions": "granted"}}});
    let request = of_peer.request("POST", &format!("/workspaces/{peer}/mcp"));
    let request = request.header("X-End-User", "ada").header("X-Session-Id", "s-9").json(call);
    let answer = request.send().await.expect(200).json();
    let hit = &answer["result"]["structuredContent"]["memories"][0];
    assert_eq!((&hit["id"], &hit["session_id"]), (&json!(one), &json!("s-1")), "{answer}");
    assert!(hit["created_at"].is_string() && hit["granted_by"].is_string(), "{answer}");
}

async fn only_the_platform_and_the_end_user_give_and_revoke_grants(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, acme, bot, peer, .. } = &fixture;
    let of_ada = fixture.bound(json!({"end_user": "ada"})).await;
    let of_eve = fixture.bound(json!({"end_user": "eve"})).await;
    let in_session = fixture.bound(json!({"end_user": "ada", "session_id": "s-3"})).await;
    let only_session = fixture.bound(json!({"session_id": "s-3"})).await;
    let to = grant(json!({"to": {"session": "s-3"}}));
    for caller in [&app.agent(*bot), &app.viewer(*acme), &of_eve, &in_session, &only_session, &app.operator(*peer)] {
        caller.post(&fixture.at("/grants"), to.clone()).await.refused(403, "forbidden");
    }
    let given = of_ada.post(&fixture.at("/grants"), to.clone()).await.expect(201).json();
    assert_eq!(given["to"], json!({"session": "s-3", "workspace": bot}));
    assert_eq!((&given["subject"], &given["sessions"]), (&json!("ada"), &json!(["s-1"])));
    assert!(given["granted_by"].is_string() && given["created_at"].is_string() && given["workspace_id"] == json!(bot));
    let by_platform = app.operator(*acme).post(&fixture.at("/grants"), to.clone()).await.expect(201).id("id");
    let of_eves =
        app.admin().post(&fixture.at("/grants"), grant(json!({"subject": "eve", "to": {"session": "s"}}))).await;
    let of_eves = of_eves.expect(201).id("id");
    let by_ada = orgmem_tests::id_of(&given, "id");
    // lists: people see all, agents the end user of the call
    let list = |query: &str| fixture.at(&format!("/grants{query}"));
    for (caller, query, expected) in [
        (&app.viewer(*acme), "", &[of_eves, by_platform, by_ada][..]),
        (&app.operator(*bot), "?subject=ada", &[by_platform, by_ada]),
        (&app.agent(*bot), "", &[]),
        (&app.agent(*bot), "?subject=eve", &[of_eves]),
        (&of_ada, "", &[by_platform, by_ada]),
        (&in_session, "", &[by_platform, by_ada]),
    ] {
        assert_eq!(caller.get(&list(query)).await.expect(200).ids(), expected, "{query}");
    }
    let page = app.admin().get(&list("?limit=2")).await.expect(200);
    assert_eq!(page.ids(), [of_eves, by_platform]);
    let next = page.next().expect("a next page");
    assert_eq!(app.admin().get(&next).await.expect(200).ids(), [by_ada]);
    of_ada.get(&list("?subject=eve")).await.refused(403, "forbidden");
    only_session.get(&list("")).await.refused(403, "forbidden");
    app.agent(*peer).get(&list("")).await.refused(403, "forbidden");
    // revoking needs the permission of giving; a grant of another end user is absent for a bound token
    let revoke = |id: Uuid| fixture.at(&format!("/grants/{id}"));
    for caller in [&app.agent(*bot), &app.viewer(*acme), &in_session, &only_session] {
        caller.delete(&revoke(by_ada)).await.refused(403, "forbidden");
    }
    of_eve.delete(&revoke(by_ada)).await.refused(404, "not_found");
    let elsewhere = format!("/workspaces/{peer}/grants/{by_ada}");
    app.admin().delete(&elsewhere).await.refused(404, "not_found");
    of_ada.delete(&revoke(by_platform)).await.expect(200);
    of_ada.delete(&revoke(by_platform)).await.refused(404, "not_found");
    app.operator(*bot).delete(&revoke(by_ada)).await.expect(200);
    let rows = log(&app.admin(), *bot, "?action=revoke_grant").await;
    assert_eq!(rows.len(), 2);
    let rows = log(&app.admin(), *bot, "?action=give_grant").await;
    assert_eq!(rows.len(), 3);
    assert!(!json!(rows).to_string().contains(EVIDENCE), "the log outlives an erasure");
}

async fn invalid_grants_are_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let operator = fixture.app.operator(fixture.acme);
    let (peer, absent) = (fixture.peer, Uuid::from_u128(7));
    for (fields, field) in [
        (json!({"to": {}}), "to"),
        (json!({"to": {"session": ""}}), "to.session"),
        (json!({"to": {"workspace": absent}}), "to.workspace"),
        (json!({"to": {"session": "s"}, "subject": " ada"}), "subject"),
        (json!({"to": {"session": "s"}, "sessions": []}), "sessions"),
        (json!({"to": {"session": "s"}, "sessions": ["\n"]}), "sessions"),
        (json!({"to": {"session": "s"}, "evidence": " "}), "evidence"),
        (json!({"to": {"session": "s"}, "evidence": "x".repeat(4097)}), "evidence"),
        (json!({"to": {"session": "s"}, "expires_at": "2001-01-01T00:00:00Z"}), "expires_at"),
    ] {
        let refused = operator.post(&fixture.at("/grants"), grant(fields)).await.refused(400, "invalid_field");
        assert_eq!(refused["field"], field, "{refused}");
    }
    for fields in
        [json!({"to": {"session": "s"}, "sessions": "some"}), json!({"to": {"session": "s", "org": 1}}), json!({})]
    {
        assert_eq!(operator.post(&fixture.at("/grants"), grant(fields)).await.status, 400);
    }
    for outside in fixture.outside {
        let to = grant(json!({"to": {"workspace": outside}}));
        fixture.app.admin().post(&fixture.at("/grants"), to).await.refused(400, "invalid_field");
    }
    let secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    let to = grant(json!({"to": {"workspace": peer}, "evidence": format!("yes, with {secret}")}));
    let given = operator.post(&fixture.at("/grants"), to).await.expect(201).json();
    assert!(!given.to_string().contains(secret) && given["redactions"][0]["field"] == "evidence", "{given}");
}

async fn revoked_or_expired_grant_shows_nothing_on_any_server(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, bot, one, .. } = &fixture;
    let end = app.now() + TimeDelta::minutes(5);
    fixture.give(grant(json!({"to": {"session": "s-3"}, "expires_at": end}))).await;
    let search = async |app: &TestApp| found(&app.agent(*bot), *bot, ("ada", "s-3"), &[GRANTED]).await;
    assert_eq!(search(app).await, [*one]);
    app.advance(TimeDelta::minutes(5));
    assert_eq!(search(app).await, NOTHING);
    assert_eq!(app.admin().get(&fixture.at("/grants")).await.expect(200).ids(), NOTHING);
    let second = fixture.give(grant(json!({"to": {"session": "s-3"}}))).await;
    let other = if on == On::Postgres { Some(app.second_server().await) } else { None };
    let others = other.as_ref();
    for server in std::iter::once(app).chain(others) {
        assert_eq!(search(server).await, [*one]);
    }
    app.admin().delete(&fixture.at(&format!("/grants/{second}"))).await.expect(200);
    for server in others.into_iter().chain([app]) {
        assert_eq!(search(server).await, NOTHING);
    }
}

async fn read_under_a_grant_is_named_in_its_answer_and_its_audit_row(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, bot, one, .. } = &fixture;
    let id = fixture.give(grant(json!({"to": {"session": "s-3"}}))).await;
    let unused = fixture.give(grant(json!({"sessions": ["s-8"], "to": {"session": "s-3"}}))).await;
    let tenant = app.agent(*bot).commit(*bot, "LOCAL", "violins have four strings").await;
    let agent = app.agent(*bot);
    let list = named(&agent, &fixture.at("/memories?q=violin&sessions=granted"), ("ada", "s-3")).send().await;
    let items = list.expect(200).items();
    let by = |memory: Uuid| items.iter().find(|item| item["id"] == json!(memory)).expect("found")["granted_by"].clone();
    assert_eq!((by(*one), by(tenant)), (json!(id), Value::Null));
    let read = named(&agent, &fixture.at(&format!("/memories/{one}?sessions=granted")), ("ada", "s-3"));
    assert_eq!(read.send().await.expect(200).json()["granted_by"], json!(id));
    named(&agent, &fixture.at("/memories/count?sessions=granted"), ("ada", "s-3")).send().await.expect(200);
    named(&agent, &fixture.at("/memories?q=violin"), ("ada", "s-3")).send().await.expect(200);
    for (action, used) in [("search_memories", vec![id]), ("read_memory", vec![id]), ("count_memories", vec![])] {
        let rows = log(&app.admin(), *bot, &format!("?action={action}")).await;
        let rows: Vec<&Value> = rows.iter().filter(|row| row["context"]["grants_in_force"].is_array()).collect();
        assert_eq!(rows.len(), 1, "{action}");
        assert_eq!(rows[0]["context"]["grants_in_force"], json!([id, unused]), "{action}");
        assert_eq!(rows[0]["context"]["granted_by"], json!(used), "{action}");
    }
}

async fn erased_end_user_leaves_no_evidence(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, acme, bot, .. } = &fixture;
    let mut given = Vec::new();
    for _ in 0..2 {
        let request = app.operator(*bot).request("POST", &fixture.at("/grants")).header("Idempotency-Key", "g-1");
        let request = request.json(grant(json!({"to": {"session": "s-3"}})));
        given.push(request.send().await.expect(201).json());
    }
    assert_eq!(given[0], given[1]);
    let revoked = fixture.give(grant(json!({"to": {"session": "s-4"}}))).await;
    app.admin().delete(&fixture.at(&format!("/grants/{revoked}"))).await.expect(200);
    let of_eve =
        fixture.give(json!({"subject": "eve", "sessions": "all", "to": {"session": "s"}, "evidence": "yes"})).await;
    assert!(on == On::Postgres || is_in_files(app.folder(), EVIDENCE), "the search covers the database file");
    let body = json!({"org_id": acme, "subject": "ada", "reason": "asked to be forgotten"});
    app.admin().post("/admin/erasures", body).await.expect(200);
    assert_eq!(app.admin().get(&fixture.at("/grants")).await.expect(200).ids(), [of_eve]);
    let rows: Vec<String> = app.dump().into_iter().filter(|row| row.contains(EVIDENCE)).collect();
    assert!(rows.is_empty(), "{rows:?}");
    let until = Instant::now() + Duration::from_secs(60);
    while is_in_files(app.folder(), EVIDENCE) {
        assert!(Instant::now() < until, "it stays in a file of the data folder");
        app.admin().get(&fixture.at("/grants")).await.expect(200);
    }
}
