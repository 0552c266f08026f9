//! Skills as resources and prompts of the protocol.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::send_body;

for_each_store!(skills_are_resources_and_prompts, resources_follow_the_reach_of_the_workspace);

/// The response to a request as the workspace of the token.
async fn ask(caller: &Caller, method: &str, params: Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    send_body(caller, "/mcp", message.to_string()).await.expect(200).json()
}

struct Team {
    app: TestApp,
    author: Uuid,
    peer: Uuid,
    elsewhere: Uuid,
    procedure: Uuid,
}

/// A team with a skill in use.
async fn team(on: On) -> Team {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  lead\n    author\n    peer\n  elsewhere").await;
    let author = org.id("author");
    let long = format!("Stop the workers.\n{}", "Wait.\n".repeat(600));
    let mut ids = Vec::new();
    for content in ["# Roll back\n\n1. Deploy the tag before.", &long] {
        let memory = json!({"content": content, "title": "Roll back", "kind": "procedure", "scope": "TEAM"});
        ids.push(app.agent(author).commit_with(author, memory).await);
    }
    let skills = format!("/workspaces/{author}/skills");
    let draft = json!({"memory_ids": ids, "name": "roll-back", "description": "Rolls back a deploy."});
    app.agent(author).post(&skills, draft).await.expect(201);
    let waiting = json!({"memory_ids": [ids[0]], "name": "waiting", "description": "Waits."});
    app.agent(author).post(&skills, waiting).await.expect(201);
    app.operator(author).post(&format!("{skills}/roll-back/approve"), json!({})).await.expect(200);
    Team { author, peer: org.id("peer"), elsewhere: org.id("elsewhere"), procedure: ids[0], app }
}

async fn skills_are_resources_and_prompts(on: On) {
    let team = team(on).await;
    let author = team.app.agent(team.author);
    let listed = ask(&author, "resources/list", json!({})).await;
    let expected = json!([{
        "uri": "skill://roll-back", "name": "roll-back", "description": "Rolls back a deploy.", "mimeType": "text/markdown",
    }]);
    assert_eq!(listed["result"]["resources"], expected, "{listed}");
    let read = ask(&author, "resources/read", json!({"uri": "skill://roll-back"})).await;
    let [content] = &read["result"]["contents"].as_array().expect("a list")[..] else { panic!("{read}") };
    assert_eq!((&content["uri"], &content["mimeType"]), (&json!("skill://roll-back"), &json!("text/markdown")));
    assert!(content["text"].as_str().is_some_and(|text| text.contains("1. Deploy the tag before.")), "{content}");
    let templates = ask(&author, "resources/templates/list", json!({})).await;
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "skill://{name}/{+path}");
    for (path, media_type, part) in [
        ("references/2.md", "text/markdown", "Stop the workers."),
        ("provenance.json", "application/json", "\"memories\""),
        ("SKILL.md", "text/markdown", "Deploy the tag before."),
    ] {
        let uri = format!("skill://roll-back/{path}");
        let read = ask(&author, "resources/read", json!({"uri": uri})).await;
        let content = &read["result"]["contents"][0];
        assert_eq!((&content["uri"], &content["mimeType"]), (&json!(uri), &json!(media_type)), "{read}");
        assert!(content["text"].as_str().is_some_and(|text| text.contains(part)), "{content}");
    }
    let prompts = ask(&author, "prompts/list", json!({})).await;
    let expected = json!([{"name": "roll-back", "description": "Rolls back a deploy."}]);
    assert_eq!(prompts["result"]["prompts"], expected, "{prompts}");
    let prompt = ask(&author, "prompts/get", json!({"name": "roll-back"})).await["result"].clone();
    assert_eq!(
        (&prompt["description"], &prompt["messages"][0]["role"]),
        (&json!("Rolls back a deploy."), &json!("user"))
    );
    let text = prompt["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("1. Deploy the tag before."), "{prompt}");
    for uri in ["skill://waiting", "skill://absent", "skill://roll-back/../x", "skill://", "file:///etc/passwd"] {
        let refused = ask(&author, "resources/read", json!({"uri": uri})).await;
        assert_eq!(refused["error"]["data"]["uri"], uri, "{refused}");
        assert!(
            refused["error"]["message"].as_str().is_some_and(|text| text.contains("unknown resource")),
            "{refused}"
        );
    }
    let refused = ask(&author, "prompts/get", json!({"name": "waiting"})).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

async fn resources_follow_the_reach_of_the_workspace(on: On) {
    let team = team(on).await;
    let peer = team.app.agent(team.peer);
    let names = async || {
        let listed = ask(&peer, "resources/list", json!({})).await["result"]["resources"].clone();
        let names = listed.as_array().expect("a list").iter().map(|row| row["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["roll-back"]);
    // text of another workspace is quoted
    let read = ask(&peer, "resources/read", json!({"uri": "skill://roll-back"})).await;
    let text = read["result"]["contents"][0]["text"].as_str().expect("a text").to_owned();
    assert!(text.contains("Deploy the tag before."), "{read}");
    team.app.admin().move_workspace(team.peer, team.elsewhere).await;
    assert_eq!(names().await, Vec::<Value>::new());
    let refused = ask(&peer, "resources/read", json!({"uri": "skill://roll-back"})).await;
    assert!(refused["error"].is_object(), "{refused}");
    // a run that reads the resource uses the procedure
    let author = team.app.agent(team.author);
    let runs = format!("/workspaces/{}/runs", team.author);
    let run = author.post(&runs, json!({})).await.expect(201).id("run_id");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "roll-back"}});
    let request = super::send_body_without_revision(&author, "/mcp", message.to_string());
    let request = request.header("mcp-protocol-version", super::REVISION).header("x-run-id", run.to_string());
    request.send().await.expect(200);
    author.post(&format!("{runs}/{run}/finish"), json!({"status": "completed"})).await.expect(200);
    let evidence = format!("/workspaces/{}/memories/{}/evidence", team.author, team.procedure);
    assert_eq!(author.get(&evidence).await.expect(200).json()["successes"], 1);
}
