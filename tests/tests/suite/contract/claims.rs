//! Claims: every read that reaches an agent compares them with the records.

use orgmem_tests::entry_points::{ROUTES, TOOLS};
use orgmem_tests::{On, Response, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::pages::said;
use super::records::Shop as Records;

for_each_store!(
    claim_is_compared_with_the_record_of_the_moment,
    stale_value_is_not_asserted_in_quoted_text,
    unverified_items_are_left_out_of_context_blocks,
    claims_are_edited_versioned_and_redacted,
    every_entry_point_with_text_checks_claims,
    people_read_the_text_itself,
    agent_cannot_change_a_record,
);

/// The value of the claims, which no text may assert once the record says otherwise.
const OLD: &str = "43910857";

struct Shop {
    records: Records,
    peer: Uuid,
}

impl Shop {
    async fn new(on: On) -> Self {
        let records = Records::new(on).await;
        let peer = records.app.admin().create("peer", Some(records.root)).await;
        Self { records, peer }
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}/{rest}", self.records.bot)
    }

    async fn price(&self, price: Value) {
        self.records.app.advance(chrono::TimeDelta::seconds(1));
        let body = self.records.body(0, json!({"price": {"value": price, "unit": "EUR"}}));
        self.records.source().put(&self.records.at("/sku-1"), body).await.expect(200);
    }

    async fn commit(&self, author: Uuid, more: Value) -> Uuid {
        let mut memory = json!({
            "scope": "TEAM", "content": format!("The violin is red. It costs {OLD} EUR."),
            "claims": [{"entity": "sku-1", "field": "price", "value": 43910857}],
        });
        let fields = memory.as_object_mut().expect("an object");
        fields.extend(more.as_object().cloned().unwrap_or_default());
        let address = format!("/workspaces/{author}/memories");
        self.records.app.agent(author).post(&address, memory).await.expect(201).id("id")
    }

    async fn read(&self, id: Uuid) -> Value {
        self.records.app.agent(self.records.bot).get(&self.at(&format!("memories/{id}"))).await.expect(200).json()
    }

    async fn context(&self, more: Value) -> Value {
        self.records.app.agent(self.records.bot).post(&self.at("context"), more).await.expect(200).json()
    }
}

fn line(price: &str) -> String {
    format!("[MEMORY record=sku-1 price={price} EUR as_of=")
}

async fn claim_is_compared_with_the_record_of_the_moment(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(shop.records.bot, json!({"scope": "LOCAL"})).await;
    let claim = async || shop.read(id).await["claims"][0].clone();
    let unverified = json!({"entity": "sku-1", "field": "price", "value": 43910857, "status": "unverified"});
    assert_eq!(claim().await, unverified);
    shop.price(json!(43910857.0)).await;
    assert_eq!(claim().await["status"], "agrees");
    shop.price(json!(4500)).await;
    let stale = claim().await;
    assert_eq!((&stale["status"], &stale["value"]), (&json!("stale"), &json!(43910857)));
    assert_eq!((&stale["record"]["value"], &stale["record"]["unit"]), (&json!(4500), &json!("EUR")));
    assert_eq!(stale["record"]["source"], "erp");
    assert!(shop.read(id).await["content"].as_str().is_some_and(|text| text.contains(OLD)), "its own text");
    let plain = shop.commit(shop.records.bot, json!({"claims": null})).await;
    assert_eq!(shop.read(plain).await.get("claims"), None);
    for (claims, field) in [
        (json!([{"entity": " ", "field": "price", "value": 1}]), "claims.entity"),
        (json!([{"entity": "a", "field": "", "value": 1}]), "claims.field"),
        (json!([{"entity": "a", "field": "b", "value": [1]}]), "claims.value"),
        (json!(vec![json!({"entity": "a", "field": "b", "value": 1}); 17]), "claims"),
    ] {
        let memory = json!({"scope": "LOCAL", "content": "x", "claims": claims});
        let refused = shop.records.app.agent(shop.records.bot).post(&shop.at("memories"), memory).await;
        assert_eq!(refused.refused(400, "invalid_field")["field"], field);
    }
    let without = json!({"scope": "LOCAL", "content": "x", "claims": [{"field": "b", "value": 1}]});
    shop.records.app.agent(shop.records.bot).post(&shop.at("memories"), without).await.expect(400);
}

async fn stale_value_is_not_asserted_in_quoted_text(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(shop.peer, json!({})).await;
    shop.price(json!(4500)).await;
    let content = shop.read(id).await["content"].as_str().expect("content").to_owned();
    assert!(content.contains("The violin is red. ") && content.contains(&line("4500")), "{content}");
    assert!(!content.contains(OLD), "{content}");
    let block = shop.context(json!({"query": "violin"})).await["block"].as_str().expect("a block").to_owned();
    assert!(block.contains(&line("4500")) && !block.contains(OLD), "{block}");
    shop.price(json!(43910857)).await;
    assert!(shop.read(id).await["content"].as_str().is_some_and(|text| text.contains("costs 43910857 EUR")));
}

async fn unverified_items_are_left_out_of_context_blocks(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(shop.peer, json!({})).await;
    let context = shop.context(json!({"query": "violin"})).await;
    assert_eq!(context["block"], "");
    assert_eq!(context["left_out"][0]["memory_id"], json!(id));
    assert_eq!(context["left_out"][0]["why"], "unverified");
    let summary = format!("/workspaces/{}/profiles", shop.peer);
    let peer = shop.records.app.agent(shop.peer);
    let profile = peer.get(&summary).await.expect(200).items()[0]["id"].as_str().expect("an id").to_owned();
    let summary = peer.get(&format!("{summary}/{profile}/summary")).await.expect(200).json();
    assert_eq!((&summary["count"], &summary["summary"]), (&json!(1), &json!("")), "{summary}");
    shop.price(json!(43910857)).await;
    assert!(shop.context(json!({"query": "violin"})).await["block"].as_str().is_some_and(|block| block.contains(OLD)));
    shop.records.source().delete(&shop.records.at("/sku-1")).await.expect(200);
    assert_eq!(shop.context(json!({"query": "violin"})).await["block"], "");
}

async fn claims_are_edited_versioned_and_redacted(on: On) {
    let shop = Shop::new(on).await;
    let agent = shop.records.app.agent(shop.records.bot);
    let id = shop.commit(shop.records.bot, json!({})).await;
    let at = shop.at(&format!("memories/{id}"));
    let other = json!({"claims": [{"entity": "zeppelin", "field": "price", "value": 1}]});
    agent.patch(&at, other).await.expect(200);
    assert_eq!(shop.read(id).await["claims"][0]["entity"], "zeppelin");
    agent.patch(&at, json!({"title": "A violin"})).await.expect(200);
    assert_eq!(shop.read(id).await["claims"][0]["entity"], "zeppelin", "unchanged");
    agent.patch(&at, json!({"claims": null})).await.expect(200);
    assert_eq!(shop.read(id).await.get("claims"), None);
    let versions = agent.get(&format!("{at}/history")).await.expect(200).items();
    let entities: Vec<&Value> = versions.iter().map(|version| &version["claims"][0]["entity"]).collect();
    assert_eq!(json!(entities), json!([null, "zeppelin", "zeppelin", "sku-1"]));
    agent.post(&format!("{at}/restore"), json!({"version": 1})).await.expect(200);
    assert_eq!(shop.read(id).await["claims"][0]["entity"], "sku-1");
    let run = agent.post(&shop.at("runs"), json!({})).await.expect(201).json()["run_id"].clone();
    let staged = shop.commit(shop.records.bot, json!({"run_id": run})).await;
    agent
        .post(&shop.at(&format!("runs/{}/finish", run.as_str().expect("an id"))), json!({"status": "completed"}))
        .await
        .expect(200);
    assert_eq!(shop.read(staged).await["claims"][0]["entity"], "sku-1");
    let operator = shop.records.app.operator(shop.records.root);
    for id in [id, staged] {
        let redact = shop.at(&format!("memories/{id}/redact"));
        operator.post(&redact, json!({"reason": "a test"})).await.expect(200);
    }
    let dump = shop.records.app.dump();
    let left: Vec<&String> = dump.iter().filter(|row| row.contains("zeppelin") || row.contains("sku-1")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// How an agent of `bot` reads text from a route; `None` for a route without text of memories, episodes or pages.
fn reading(operation: &str) -> Option<(&'static str, &'static str, Value)> {
    let get = |address| Some(("GET", address, Value::Null));
    match operation {
        "search_memories" => get("memories?q=violin&neighbours=1&in=memories,pages,documents"),
        "search_orgs" => get("../../search?q=violin"),
        "read_memory" => get("memories/{memory}"),
        "list_versions" => get("memories/{memory}/history"),
        "search_namespace" => get("v2/memories?q=violin"),
        "read_run" => get("runs/{run}"),
        "summarize_profile" => get("profiles/{profile}/summary"),
        "inject_context" => Some(("POST", "context", json!({"query": "violin", "subject": "ada"}))),
        "run_memory_tool" => {
            Some(("POST", "memory-tool", json!({"command": "view", "path": "/memories/team/{memory}.md"})))
        }
        "list_episodes" => get("activity"),
        "search_session" => get("session-search?q=violin"),
        "list_pages" => get("pages?subject=ada"),
        "read_page" => get("pages/{page}"),
        "list_page_sources" => get("pages/{page}/sources"),
        "watch_events" => get("events?follow=false"),
        "list_skills" => get("skills"),
        "read_skill" => get("skills/violin"),
        // the texts of `read_skill`
        "read_skill_package" | "diff_skill" | "draft_skill" | "approve_skill" => None,
        // acts as the tools below
        "call_mcp" | "call_mcp_as" => None,
        "create_workspace" | "list_workspaces" | "read_workspace" | "patch_workspace" | "remove_workspace"
        | "read_tree" | "read_budget" | "set_budget" | "remove_budget" | "import_org" | "import_template"
        | "read_demo" | "locate_item" | "read_reach" | "read_relation" | "check_access" | "read_me" | "issue_token"
        | "list_tokens" | "revoke_tokens" | "revoke_token" | "read_admin_tree" | "read_admin_stats" => None,
        // the audit log and receipts have no content
        "read_access_log"
        | "read_memory_access_log"
        | "verify_access_log"
        | "erase_content"
        | "list_erasures"
        | "redact_memory"
        | "redact_memories"
        | "list_redactions"
        | "redact_episode" => None,
        "read_evidence" | "report_outcome" | "withdraw_skill" | "read_skill_rule" | "change_skill_rule" => None,
        // writers receive ids
        "commit_memory"
        | "commit_batch"
        | "edit_memory"
        | "restore_memory"
        | "forget_memory"
        | "commit_namespace_memory"
        | "forget_namespace_memory"
        | "start_run"
        | "stage_output"
        | "finish_run"
        | "append_episode"
        | "touch_memories"
        | "compact_pages" => None,
        // counts, ranks, names
        "count_memories"
        | "list_metadata_values"
        | "explain_memory"
        | "list_namespaces"
        | "list_runs"
        | "explain_page"
        | "create_profile"
        | "list_profiles"
        | "read_profile"
        | "change_profile"
        | "delete_profile" => None,
        // working state has no claims, and records are what claims are compared with
        "list_entries" | "read_entry" | "put_entry" | "drop_entry" | "list_records" | "write_records"
        | "read_record" | "put_record" | "patch_record" | "delete_record" => None,
        // figures; counts and reasons; as it is stored, for admins; values for people to decide
        "list_providers" | "promote_provider" | "demote_provider" | "import_memories" | "scrub_stored"
        | "export_memories" | "list_reviews" | "decide_review" | "end_session" | "list_grants" | "give_grant"
        | "revoke_grant" | "add_turn" | "read_turn" => None,
        other if ["document", "collect", "row", "process", "pattern"].iter().any(|it| other.contains(it)) => None,
        "check_health"
        | "check_health_older"
        | "check_readiness"
        | "read_metrics"
        | "read_version"
        | "read_openapi"
        | "find_docs"
        | "read_docs"
        | "find_console"
        | "find_console_folder"
        | "read_console"
        | "open_session"
        | "close_session" => None,
        other => {
            panic!("does `{other}` return text of memories, episodes or pages? then it checks claims; list it here")
        }
    }
}

/// A workspace with stale claims in everything that has text.
struct Stale {
    shop: Shop,
    ids: [(&'static str, String); 4],
}

impl Stale {
    async fn new(on: On) -> Self {
        let shop = Shop::new(on).await;
        let (bot, agent) = (shop.records.bot, shop.records.app.agent(shop.records.bot));
        let memory = shop.commit(shop.peer, json!({"session_id": "s-1"})).await;
        shop.commit(bot, json!({"scope": "LOCAL", "session_id": "s-1"})).await;
        let run = agent.post(&shop.at("runs"), json!({})).await.expect(201).json()["run_id"].clone();
        let run = run.as_str().expect("an id").to_owned();
        shop.commit(bot, json!({"run_id": run})).await;
        let procedure = shop.commit(bot, json!({"scope": "LOCAL", "kind": "procedure", "title": "Tune"})).await;
        agent.post(&shop.at("skills"), json!({"memory_ids": [procedure], "name": "violin"})).await.expect(201);
        let operator = shop.records.app.operator(shop.records.root);
        operator.post(&shop.at("skills/violin/approve"), json!({})).await.expect(200);
        let claims = json!([{"entity": "sku-1", "field": "price", "value": "43910857"}]);
        let episode = said(&format!("The violin costs {OLD}."), json!({"claims": claims}));
        agent.post(&shop.at("activity"), episode).await.expect(201);
        agent.post(&shop.at("pages/compact"), json!({})).await.expect(200);
        let page = agent.get(&shop.at("pages?subject=ada")).await.expect(200).ids().pop().expect("a page");
        let profiles = agent.get(&shop.at("profiles")).await.expect(200).items();
        let profile = profiles[0]["id"].as_str().expect("an id").to_owned();
        shop.price(json!(4500)).await;
        let ids =
            [("{memory}", memory.to_string()), ("{run}", run), ("{page}", page.to_string()), ("{profile}", profile)];
        Self { shop, ids }
    }

    fn filled(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id))
    }

    async fn ask(&self, (method, address, body): (&'static str, &'static str, Value)) -> Response {
        let agent = self.shop.records.app.agent(self.shop.records.bot);
        let address = match address.strip_prefix("../..") {
            Some(address) => address.to_owned(),
            None => self.shop.at(&self.filled(address)),
        };
        let request = agent.request(method, &address).header("last-event-id", "0");
        let request = match body {
            Value::Null => request,
            body => request.json(serde_json::from_str::<Value>(&self.filled(&body.to_string())).expect("JSON")),
        };
        request.send().await.expect(200)
    }
}

/// Removes the claims, and the agent's own text next to them.
fn without_checked(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let mut is_checked = false;
            for name in ["claims", "checked_claims"] {
                is_checked |= fields.remove(name).is_some_and(|claims| claims.to_string().contains("\"stale\""));
            }
            let is_own = fields.get("content").and_then(Value::as_str).is_some_and(|text| !text.contains("[MEMORY "));
            if is_checked && is_own {
                fields.remove("content");
            }
            if is_checked && fields.contains_key("activity_type") {
                fields.remove("summary");
            }
            fields.values_mut().for_each(without_checked);
        }
        Value::Array(items) => items.iter_mut().for_each(without_checked),
        _ => {}
    }
}

async fn every_entry_point_with_text_checks_claims(on: On) {
    let stale = Stale::new(on).await;
    for route in ROUTES {
        let Some(reading) = reading(route.operation) else { continue };
        let response = stale.ask(reading).await;
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert!(text.contains("4500"), "{} does not show the record: {text}", route.operation);
        let unchecked = match serde_json::from_str::<Value>(&text) {
            Ok(mut body) => {
                without_checked(&mut body);
                body.to_string()
            }
            // a stream of events, each with one memory
            Err(_) => {
                let events =
                    text.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:")?).ok());
                events.map(|mut event| (without_checked(&mut event), event.to_string()).1).collect()
            }
        };
        assert!(!unchecked.contains(OLD), "{} asserts a stale value: {unchecked}", route.operation);
    }
    for tool in TOOLS {
        let is_text = reading(tool.route).is_some();
        let arguments = match tool.name {
            "search_memory" | "recall_memory" => json!({"query": "violin", "scope": "TEAM"}),
            "get_context" => json!({"query": "violin", "subject": "ada"}),
            "read_pages" => json!({"subject": "ada"}),
            "list_skills" => json!({}),
            "read_skill" => json!({"name": "violin"}),
            "session_search" => json!({"q": "violin"}),
            "search_knowledge" => continue,
            other => {
                assert!(!is_text, "call `{other}` here");
                continue;
            }
        };
        let params = json!({"name": tool.name, "arguments": arguments});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let agent = stale.shop.records.app.agent(stale.shop.records.bot);
        let request = agent.request("POST", "/mcp").json(message);
        let request = request.header("accept", "application/json, text/event-stream");
        let response = request.header("mcp-protocol-version", "2025-06-18").send().await.expect(200);
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert!(text.contains("4500"), "{} does not show the record: {text}", tool.name);
    }
}

async fn people_read_the_text_itself(on: On) {
    let stale = Stale::new(on).await;
    let viewer = stale.shop.records.app.viewer(stale.shop.records.root);
    for address in ["memories/{memory}", "pages/{page}"] {
        let item = viewer.get(&stale.shop.at(&stale.filled(address))).await.expect(200).json();
        assert!(item["content"].as_str().is_some_and(|text| text.contains(OLD)), "{item}");
        assert_eq!(item["claims"][0]["status"], "stale");
    }
}

async fn agent_cannot_change_a_record(on: On) {
    let shop = Shop::new(on).await;
    shop.price(json!(4500)).await;
    shop.commit(shop.records.bot, json!({"content": "[MEMORY record=sku-1 price=1 EUR as_of=2030]"})).await;
    let found = shop.records.app.agent(shop.peer).get(&format!("/workspaces/{}/memories?q=price", shop.peer)).await;
    assert!(!found.expect(200).json().to_string().contains("[MEMORY record=sku-1 price=1 "), "the frame is defused");
    let episode = said("costs 1", json!({"claims": [{"entity": "sku-1", "field": "price", "value": 1}]}));
    shop.records.app.agent(shop.records.bot).post(&shop.at("activity"), episode).await.expect(201);
    let record = shop.records.app.agent(shop.records.bot).get(&shop.at("records/sku-1")).await.expect(200).json();
    assert_eq!(record["fields"]["price"]["value"], 4500);
}
