//! Skills: from a procedure that works to a package that a runtime loads, and back.

use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::evidence::{Team, procedure};

for_each_store!(
    procedure_becomes_a_skill_and_is_withdrawn,
    operator_approves_what_agents_draft,
    skill_is_never_wider_than_its_sources,
    reach_of_a_skill_follows_the_tree,
    edit_of_a_source_drafts_the_next_version,
    removed_source_leaves_nothing_of_the_skill,
    failing_skill_is_marked_and_withdrawn_by_the_rule,
    rule_of_the_org_approves_quoted_text,
    nearest_skill_of_a_name_counts,
    unchanged_list_is_not_sent_again,
);

const TEXT: &str = "# Deploy\n\nUse it when the shop is down.\n\n1. Press the archaeopteryx button.";

/// A team whose procedure has a title.
async fn team(on: On) -> Team {
    let team = Team::new(on).await;
    let memory = json!({"content": TEXT, "title": "Deploy the shop", "kind": "procedure", "scope": "TEAM"});
    let procedure = team.app.agent(team.author).commit_with(team.author, memory).await;
    Team { procedure, ..team }
}

fn at(workspace: Uuid, rest: &str) -> String {
    format!("/workspaces/{workspace}/skills{rest}")
}

async fn draft(team: &Team, workspace: Uuid, more: Value) -> Response {
    let mut body = json!({"memory_ids": [team.procedure]});
    body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    team.app.agent(workspace).post(&at(workspace, ""), body).await
}

async fn approve(team: &Team, workspace: Uuid, name: &str) -> Value {
    let path = at(workspace, &format!("/{name}/approve"));
    team.app.operator(workspace).post(&path, json!({})).await.expect(200).json()
}

/// The names and versions of the skills that a workspace can use.
async fn usable(app: &TestApp, workspace: Uuid) -> Vec<(String, i64)> {
    let listed = app.agent(workspace).get(&at(workspace, "")).await.expect(200).items();
    let of =
        |skill: &Value| (skill["name"].as_str().unwrap_or_default().to_owned(), skill["version"].as_i64().unwrap_or(0));
    listed.iter().map(of).collect()
}

fn file(skill: &Value, path: &str) -> String {
    let files = skill["files"].as_array().into_iter().flatten();
    let mut found = files.filter(|file| file["path"] == path).map(|file| file["text"].as_str().unwrap_or_default());
    found.next().unwrap_or_default().to_owned()
}

async fn rule(team: &Team, rule: Value) -> Response {
    let path = format!("/workspaces/{}/skill-rule", team.root);
    team.app.operator(team.root).request("PUT", &path).json(rule).send().await
}

async fn procedure_becomes_a_skill_and_is_withdrawn(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    let candidates = async || app.agent(peer).get(&at(peer, "?status=candidate")).await.expect(200).items();
    for n in 0..5 {
        assert_eq!(candidates().await, Vec::<Value>::new());
        team.used(peer, &format!("s-{}", n % 2), "completed").await;
    }
    let candidate = candidates().await.remove(0);
    assert_eq!((&candidate["name"], &candidate["evidence"]["successes"]), (&json!("deploy-the-shop"), &json!(5)));
    assert!(candidate["description"].as_str().is_some_and(|text| text.starts_with("[MEMORY id=")), "{candidate}");
    // the author sees its own text
    let own = app.agent(author).get(&at(author, "?status=candidate")).await.expect(200).items();
    assert_eq!(own[0]["description"], "Deploy the shop. Use it when the shop is down.");

    let drafted = draft(&team, author, json!({})).await.expect(201).json();
    assert_eq!(
        (&drafted["status"], &drafted["scope"], &drafted["version"]),
        (&json!("draft"), &json!("TEAM"), &json!(1))
    );
    assert_eq!(usable(app, peer).await, []);
    assert_eq!(candidates().await.len(), 1, "drafts of others are their matter");
    let approved = approve(&team, author, "deploy-the-shop").await;
    assert_eq!((&approved["status"], &approved["active_version"]), (&json!("active"), &json!(1)));
    for workspace in [author, peer, team.root] {
        assert_eq!(usable(app, workspace).await, [("deploy-the-shop".to_owned(), 1)]);
    }
    assert_eq!(candidates().await, Vec::<Value>::new());
    let skill = app.agent(peer).get(&at(peer, "/deploy-the-shop")).await.expect(200).json();
    let text = file(&skill, "SKILL.md");
    assert!(text.starts_with("---\nname: deploy-the-shop\ndescription: \"Deploy the shop. Use"), "{text}");
    assert!(text.contains("\n# Deploy the shop\n\n# Deploy\n"), "{text}");
    let provenance: Value = serde_json::from_str(&file(&skill, "provenance.json")).expect("JSON");
    assert_eq!(provenance["memories"][0]["memory_id"], json!(team.procedure));
    assert_eq!(provenance["evidence"][0]["successes"], 5);
    // twice in a row, the same bytes
    let package = async || app.agent(peer).get(&at(peer, "/deploy-the-shop/package")).await.expect(200);
    let (one, two) = (package().await, package().await);
    assert_eq!(one.header("content-type"), Some("application/gzip"));
    assert_eq!((one.header("etag"), &one.body), (two.header("etag"), &two.body));
    assert_eq!(
        one.header("etag").map(|tag| tag.trim_matches('"').to_owned()),
        skill["hash"].as_str().map(str::to_owned)
    );

    let withdrawn = app.operator(author).delete(&at(author, "/deploy-the-shop")).await;
    withdrawn.expect(200);
    assert_eq!(usable(app, peer).await, []);
    app.agent(peer).get(&at(peer, "/deploy-the-shop")).await.refused(404, "not_found");
    let listed = app.agent(author).get(&at(author, "?status=withdrawn")).await.expect(200).items();
    assert_eq!(listed[0]["withdrawn_because"], "operator");
    // each step has an audit row, an episode and an event
    let log = app.admin().get(&format!("/workspaces/{author}/access-log?limit=200")).await.expect(200).items();
    let steps = log.iter().filter_map(|row| row["action"].as_str()).filter(|action| action.ends_with("_skill"));
    assert_eq!(
        steps.filter(|action| *action != "read_skill").collect::<Vec<_>>(),
        ["withdraw_skill", "approve_skill", "draft_skill"]
    );
    let episodes = app.admin().get(&format!("/workspaces/{author}/activity?type=skill_promotion")).await.expect(200);
    assert_eq!(episodes.items().len(), 3);
    let events = app.agent(peer).request("GET", &format!("/workspaces/{peer}/events?follow=false"));
    let events = events.header("last-event-id", "0").send_unchecked().await;
    let events = String::from_utf8_lossy(&events.body).into_owned();
    assert!(events.contains("event: skill_promoted") && events.contains("event: skill_withdrawn"), "{events}");
    assert!(!events.contains("deploy-the-shop"), "events have ids, never names");
}

async fn operator_approves_what_agents_draft(on: On) {
    let team = team(on).await;
    let (app, author) = (&team.app, team.author);
    draft(&team, author, json!({"name": "deploy", "description": "Deploys."})).await.expect(201);
    let path = at(author, "/deploy/approve");
    app.agent(author).post(&path, json!({})).await.refused(403, "forbidden");
    app.agent(author).delete(&at(author, "/deploy")).await.refused(403, "forbidden");
    app.viewer(team.root).post(&path, json!({})).await.refused(403, "forbidden");
    app.operator(author).post(&path, json!({"version": 2})).await.refused(409, "no_draft");
    app.operator(author).post(&path, json!({"version": 1})).await.expect(200);
    app.operator(author).post(&path, json!({})).await.refused(409, "no_draft");
    app.operator(author).post(&path, json!({"version": 1})).await.expect(200);
    // a name, a list and a kind of another form
    for (body, field) in [
        (json!({"name": "../deploy"}), "name"),
        (json!({"name": "Deploy"}), "name"),
        (json!({"description": " "}), "description"),
        (json!({"memory_ids": []}), "memory_ids"),
        (json!({"memory_ids": [team.procedure, team.procedure]}), "memory_ids"),
    ] {
        assert_eq!(draft(&team, author, body).await.refused(400, "invalid_field")["field"], field);
    }
    let fact = app.agent(author).commit(author, "LOCAL", "a fact").await;
    draft(&team, author, json!({"memory_ids": [fact]})).await.refused(409, "not_a_procedure");
    let secret = "with AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";
    let scrubbed = draft(&team, author, json!({"name": "other", "description": secret})).await.expect(201).json();
    assert_eq!(scrubbed["redactions"][0]["field"], "description", "{scrubbed}");
    let rule_path = format!("/workspaces/{author}/skill-rule");
    let rules = app.operator(author).request("PUT", &rule_path).json(json!({})).send().await;
    rules.refused(400, "invalid_field");
    rule(&team, json!({"lower_bound": 2})).await.refused(400, "invalid_field");
}

async fn skill_is_never_wider_than_its_sources(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    let local = json!({"content": "alone", "kind": "procedure", "scope": "LOCAL"});
    let local = app.agent(author).commit_with(author, local).await;
    let both = json!({"memory_ids": [team.procedure, local], "name": "both"});
    let mut wide = both.clone();
    wide["scope"] = json!("TEAM");
    draft(&team, author, wide).await.refused(409, "skill_too_wide");
    assert_eq!(draft(&team, author, both).await.expect(201).json()["scope"], "LOCAL");
    draft(&team, author, json!({"scope": "GLOBAL", "name": "all"})).await.refused(403, "scope_forbidden");
    // what is out of reach does not exist
    draft(&team, peer, json!({"memory_ids": [local], "name": "x"})).await.refused(404, "not_found");
    // text of another workspace stays quoted, in the package of every reader
    draft(&team, peer, json!({"name": "borrowed", "description": "Obey."})).await.expect(201);
    approve(&team, peer, "borrowed").await;
    for workspace in [peer, author] {
        let skill = app.agent(workspace).get(&at(workspace, "/borrowed")).await.expect(200).json();
        let text = file(&skill, "SKILL.md");
        assert_eq!(text.matches(&format!("[MEMORY id={} scope=TEAM", team.procedure)).count(), 2, "{text}");
    }
}

async fn reach_of_a_skill_follows_the_tree(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  lead\n    author\n    peer\n  elsewhere").await;
    let (author, peer, lead) = (org.id("author"), org.id("peer"), org.id("lead"));
    let team =
        Team { procedure: procedure(&app.agent(author), author, TEXT).await, root: org.id("acme"), author, peer, app };
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    approve(&team, author, "deploy").await;
    let app = &team.app;
    assert_eq!(usable(app, peer).await.len(), 1);
    assert_eq!(usable(app, org.id("elsewhere")).await, []);
    app.admin().move_workspace(peer, org.id("elsewhere")).await;
    assert_eq!(usable(app, peer).await, []);
    app.agent(peer).get(&at(peer, "/deploy/package")).await.refused(404, "not_found");
    app.admin().move_workspace(peer, lead).await;
    assert_eq!(usable(app, peer).await.len(), 1);
    // a skill of the lead made of a memory of a child: readers of the lead who do not read the child do not read it
    let borrowed = draft(&team, lead, json!({"name": "borrowed"})).await.expect(201).json();
    assert_eq!(borrowed["scope"], "TEAM");
    approve(&team, lead, "borrowed").await;
    assert_eq!(usable(app, peer).await.len(), 2);
    assert_eq!(usable(app, team.root).await, [], "the root reads the lead, but not its child");
    // a profile that excludes the kind withholds skills, too
    let path = format!("/workspaces/{peer}/profiles/{peer}");
    app.admin().patch(&path, json!({"excluded_kinds": ["procedure"]})).await.expect(200);
    assert_eq!(usable(app, peer).await, []);
}

async fn edit_of_a_source_drafts_the_next_version(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    approve(&team, author, "deploy").await;
    let change = json!({"content": TEXT.replace("archaeopteryx", "blue")});
    app.agent(author).patch(&team.path(author, ""), change).await.expect(200);
    let skill = app.agent(peer).get(&at(peer, "/deploy")).await.expect(200).json();
    assert!(file(&skill, "SKILL.md").contains("archaeopteryx"), "the active version stays");
    assert_eq!(skill.get("draft_version"), None, "drafts are of the own workspace");
    let drafts = app.agent(author).get(&at(author, "?status=draft")).await.expect(200).items();
    assert_eq!((&drafts[0]["draft_version"], &drafts[0]["active_version"]), (&json!(2), &json!(1)));
    let difference = app.agent(author).get(&at(author, "/deploy/diff")).await.expect(200).json();
    assert_eq!((&difference["from"], &difference["to"]), (&json!(1), &json!(2)));
    let lines = difference["diff"].as_str().expect("a text");
    assert!(lines.contains("-1. Press the archaeopteryx button.\n+1. Press the blue button."), "{lines}");
    approve(&team, author, "deploy").await;
    assert_eq!(usable(app, peer).await, [("deploy".to_owned(), 2)]);
    let versions = app.agent(author).get(&at(author, "/deploy")).await.expect(200).json()["versions"].clone();
    assert_eq!(versions.as_array().map(Vec::len), Some(2));
    // a superseded source is not read any more
    let next = json!({"content": "new", "kind": "procedure", "scope": "TEAM", "supersedes": team.procedure});
    app.agent(author).commit_with(author, next).await;
    assert_eq!(usable(app, peer).await, []);
    let withdrawn = app.agent(author).get(&at(author, "?status=withdrawn")).await.expect(200).items();
    assert_eq!(withdrawn[0]["withdrawn_because"], "source_superseded");
}

async fn removed_source_leaves_nothing_of_the_skill(on: On) {
    for removal in ["redact", "forget", "purge", "expire"] {
        let team = team(on).await;
        let (app, author, peer) = (&team.app, team.author, team.peer);
        let drafter = if removal == "purge" { peer } else { author };
        draft(&team, drafter, json!({"name": "archaeopteryx", "description": "The archaeopteryx button."}))
            .await
            .expect(201);
        approve(&team, drafter, "archaeopteryx").await;
        assert_eq!(usable(app, peer).await.len(), 1);
        match removal {
            "redact" => {
                let reason = json!({"reason": "a test"});
                app.operator(team.root).post(&team.path(author, "/redact"), reason).await.expect(200);
            }
            "forget" => drop(app.agent(author).delete(&team.path(author, "")).await.expect(200)),
            "purge" => drop(app.admin().delete(&format!("/workspaces/{author}?purge=true")).await.expect(200)),
            _ => {
                let end = json!({"content": TEXT, "kind": "procedure", "scope": "TEAM", "id": team.procedure, "ttl_seconds": 60});
                app.agent(author).commit_with(author, end).await;
                app.advance(chrono::TimeDelta::hours(1));
            }
        }
        assert_eq!(usable(app, peer).await, [], "{removal}");
        app.agent(peer).get(&at(peer, "/archaeopteryx")).await.refused(404, "not_found");
        if removal == "expire" {
            continue;
        }
        let rows = app.dump().join("\n").to_lowercase();
        assert!(!rows.contains("archaeopteryx"), "{removal}");
        let drafter_sees = app.agent(drafter).get(&at(drafter, "?status=withdrawn")).await;
        let withdrawn = drafter_sees.expect(200).items();
        assert_eq!(withdrawn[0]["withdrawn_because"], "source_removed", "{removal}");
        assert!(withdrawn[0]["name"].as_str().is_some_and(|name| name.starts_with("withdrawn-")));
    }
}

async fn failing_skill_is_marked_and_withdrawn_by_the_rule(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    approve(&team, author, "deploy").await;
    for n in 0..5 {
        // reading the skill in a run is a use of its sources
        let run = team.start(peer, &format!("s-{n}")).await;
        let read = app.agent(peer).request("GET", &at(peer, "/deploy")).header("x-run-id", run.to_string());
        let failing = read.send().await.expect(200).json()["failing"].clone();
        assert_eq!(failing, false);
        team.finish(peer, run, "failed").await;
        team.evidence().await;
    }
    let listed = app.agent(peer).get(&at(peer, "")).await.expect(200).items();
    assert_eq!(listed[0]["failing"], true, "{listed:?}");
    let seen = app.viewer(team.root).get(&at(author, "/deploy")).await.expect(200).json();
    assert_eq!((&seen["used_by"][0]["workspace_id"], &seen["used_by"][0]["uses"]), (&json!(peer), &json!(5)), "{seen}");
    rule(&team, json!({"withdraw_failing": true})).await.expect(200);
    team.used(peer, "s-9", "failed").await;
    team.evidence().await;
    assert_eq!(usable(app, peer).await, []);
    let withdrawn = app.agent(author).get(&at(author, "?status=withdrawn")).await.expect(200).items();
    assert_eq!(withdrawn[0]["withdrawn_because"], "failing");
}

async fn rule_of_the_org_approves_quoted_text(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    let changed = rule(&team, json!({"approval": "auto", "successes": 2, "runs": 2, "lower_bound": 0.3})).await;
    assert_eq!(changed.expect(200).json()["sessions"], 2);
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    // its own runs are half of what the rule asks for
    for n in 0..4 {
        team.used(author, &format!("own-{n}"), "completed").await;
    }
    team.evidence().await;
    assert_eq!(usable(app, peer).await, []);
    team.used(peer, "s-1", "completed").await;
    team.evidence().await;
    assert_eq!(usable(app, peer).await, [("deploy".to_owned(), 1)]);
    let skill = app.agent(peer).get(&at(peer, "/deploy")).await.expect(200).json();
    assert_eq!(skill["approved_by"], "orgmem");
    let text = file(&skill, "SKILL.md");
    assert_eq!(text.matches("[MEMORY id=").count(), 2, "no person approved the text: {text}");
}

async fn nearest_skill_of_a_name_counts(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    for workspace in [author, peer] {
        draft(&team, workspace, json!({"name": "deploy"})).await.expect(201);
        approve(&team, workspace, "deploy").await;
    }
    for workspace in [author, peer] {
        let skill = app.agent(workspace).get(&at(workspace, "/deploy")).await.expect(200).json();
        assert_eq!((&skill["workspace_id"], &skill["via"]), (&json!(workspace), &json!("self")));
        assert_eq!(usable(app, workspace).await.len(), 1);
    }
}

async fn unchanged_list_is_not_sent_again(on: On) {
    let team = team(on).await;
    let (app, author, peer) = (&team.app, team.author, team.peer);
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    approve(&team, author, "deploy").await;
    let list = async |tag: &str| {
        let request = app.agent(peer).request("GET", &at(peer, ""));
        let request = if tag.is_empty() { request } else { request.header("if-none-match", tag) };
        request.send().await
    };
    let first = list("").await.expect(200);
    let tag = first.header("etag").expect("a tag").to_owned();
    let reads = async || {
        let log = format!("/workspaces/{peer}/access-log?action=list_skills");
        app.admin().get(&log).await.expect(200).items().len()
    };
    let before = reads().await;
    let unchanged = list(&tag).await;
    assert_eq!((unchanged.status, unchanged.body.len()), (304, 0));
    assert_eq!(reads().await, before, "what was not sent was not read");
    draft(&team, author, json!({"name": "deploy"})).await.expect(201);
    assert_eq!(list(&tag).await.status, 304, "a draft changes nothing for readers");
    approve(&team, author, "deploy").await;
    assert_eq!(list(&tag).await.status, 200);
}
