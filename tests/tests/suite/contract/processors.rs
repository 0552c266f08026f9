//! Rows become facts, by HTTP, MCP and the command line: import, run, patterns of a change, withdrawal, erasure, transfer.

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    rows_become_facts_that_a_review_finds,
    bad_rows_are_named_and_good_ones_stored,
    definitions_are_checked_and_scopes_follow_the_tree,
    rows_and_facts_are_erased_exported_and_counted,
);

struct Shop {
    app: TestApp,
    root: Uuid,
    lead: Uuid,
    bot: Uuid,
}

impl Shop {
    async fn new(on: On) -> Self {
        Self::of(TestApp::new(on).await).await
    }

    async fn of(app: TestApp) -> Self {
        let org = app.plant("acme\n  lead\n    bot").await;
        let (root, lead, bot) = (org.id("acme"), org.id("lead"), org.id("bot"));
        Self { app, root, lead, bot }
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}/{rest}", self.bot)
    }

    async fn collection(&self) {
        let settings = json!({"key": "id", "time": "opened"});
        self.app.agent(self.bot).put(&self.at("collections/bugs"), settings).await.expect(200);
    }

    async fn lines(&self, rows: &[Value]) -> Value {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let request = self.app.agent(self.bot).request("POST", &self.at("collections/bugs/rows"));
        request.body("application/x-ndjson", text).send().await.expect(200).json()
    }

    async fn activate(&self, set: Value) {
        // a schedule that no test meets
        let mut all = json!({"collection": "bugs", "schedule": "0 0 1 1 *"});
        all.as_object_mut().expect("an object").extend(set.as_object().cloned().unwrap_or_default());
        let define = json!({"built_in": "bug-import", "set": all});
        self.app.operator(self.root).post(&self.at("processors"), define).await.expect(200);
    }

    async fn run(&self) -> Value {
        self.app.agent(self.bot).post(&self.at("processors/bug-import/run"), json!(null)).await.expect(200).json()
    }

    async fn facts(&self, reader: Uuid) -> Vec<Value> {
        let query = format!("/workspaces/{reader}/memories?source=processor");
        self.app.agent(reader).get(&query).await.expect(200).items()
    }
}

fn bug(id: u32, component: &str) -> Value {
    json!({"id": id, "component": component, "type": "crash", "root_cause": "race", "severity": "high",
        "opened": format!("2026-05-{:02}", id % 28 + 1)})
}

fn counts(report: &Value) -> Value {
    json!([report["read"], report["inserted"], report["updated"], report["rolled_back"], report["untouched"]])
}

async fn rows_become_facts_that_a_review_finds(on: On) {
    let shop = Shop::of(TestApp::builder(on).as_program().start().await).await;
    shop.collection().await;
    let written = shop.lines(&[bug(1, "auth service"), bug(2, "auth service"), bug(3, "billing")]).await;
    assert_eq!((&written["inserted"], &written["refused"]), (&json!(3), &json!(0)), "{written}");
    shop.activate(json!({"scope": "TEAM"})).await;
    assert_eq!(counts(&shop.run().await), json!([3, 0, 0, 0, 2]), "two rows are no pattern");

    shop.lines(&[bug(2, "auth service"), bug(4, "auth service"), bug(5, "auth service")]).await;
    let dry = shop.app.agent(shop.bot).post(&shop.at("processors/bug-import/run?dry_run=true"), json!(null)).await;
    let dry = dry.expect(200).json();
    assert_eq!((counts(&dry), &dry["facts"][0]["change"]), (json!([2, 1, 0, 0, 0]), &json!("inserted")), "{dry}");
    assert_eq!(shop.facts(shop.bot).await, Vec::<Value>::new(), "a dry run writes nothing");
    assert_eq!(counts(&shop.run().await), json!([2, 1, 0, 0, 0]), "an equal row is not read again");
    let [fact] = <[Value; 1]>::try_from(shop.facts(shop.lead).await).expect("one fact, of the team");
    let metadata = &fact["metadata"];
    assert_eq!((&fact["source"], &fact["kind"]), (&json!("processor"), &json!("bug_pattern")));
    assert_eq!(metadata["source_row_keys"], json!(["5", "4", "2", "1"]));
    assert_eq!(metadata["confidence_parts"]["total"], fact["confidence"]);
    let row = shop.app.agent(shop.bot).get(&shop.at("collections/bugs/rows?key=5")).await.expect(200).items().remove(0);
    assert_eq!((&row["values"]["component"], row["extracted_at"].is_string()), (&json!("auth service"), true));

    // a review of a change, by MCP and by the command line
    let diff = "--- a/src/auth_service/mod.rs\n+++ b/src/auth_service/mod.rs\n@@ -1 +1 @@\n-a\n+b\n";
    let params = json!({"name": "patterns_for_change", "arguments": {"paths": ["docs/a.md"], "diff": diff}});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = shop.app.agent(shop.lead).request("POST", "/mcp").json(message);
    let request = request.header("accept", "application/json, text/event-stream");
    let answer = request.header("mcp-protocol-version", "2025-06-18").send().await.expect(200);
    let answer = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(answer.contains("src/auth_service/mod.rs") && answer.contains("auth service"), "{answer}");
    let shell = Shell::to(&shop.app);
    let token = shop.app.token("agent", Some(shop.bot)).text();
    let typed =
        format!("export ORGMEM_TOKEN={token}; printf -- '{}' | orgmem patterns --diff -", diff.replace('\n', "\\n"));
    let shown = shell.enter(&typed).await.success().out;
    assert!(shown.contains("sources: 5, 4, 2, 1"), "{shown}");
    let other = json!({"paths": ["src/mail_service/auth.rs"]});
    let none = shop.app.agent(shop.bot).post(&shop.at("patterns"), other).await.expect(200).json();
    assert_eq!((&none["files"], &none["patterns"]), (&json!(1), &json!([])));

    // another source is a new version; too few rows roll the fact back
    shop.lines(&[bug(6, "auth service")]).await;
    assert_eq!(counts(&shop.run().await), json!([1, 0, 1, 0, 0]));
    let id = fact["id"].as_str().expect("an id").to_owned();
    let withdraw = json!({"keys": ["1", "2", "6", "none"], "reason": "duplicates"});
    let gone =
        shop.app.agent(shop.bot).post(&shop.at("collections/bugs/rows/withdraw"), withdraw).await.expect(200).json();
    assert_eq!(gone, json!({"removed": 3, "unknown": 1}));
    assert_eq!(counts(&shop.run().await), json!([0, 0, 0, 1, 0]));
    assert_eq!(shop.facts(shop.lead).await, Vec::<Value>::new());
    let why = shop.app.agent(shop.bot).get(&shop.at(&format!("memories/{id}/why"))).await.expect(200).json();
    assert!(why.to_string().contains("superseded"), "{why}");
    let dump = shop.app.dump().join("\n");
    assert!(dump.contains("2 rows of the group remain; a fact needs 3"), "the history has the reason");
    let runs = shop.app.agent(shop.bot).get(&shop.at("processors/bug-import/runs?limit=2")).await.expect(200).items();
    assert_eq!(runs.iter().map(|run| run["rolled_back"].clone()).collect::<Vec<_>>(), [json!(1), json!(0)]);
    assert_eq!(counts(&shop.run().await), json!([0, 0, 0, 0, 0]));
}

async fn bad_rows_are_named_and_good_ones_stored(on: On) {
    let shop = Shop::new(on).await;
    let rows = shop.at("collections/bugs/rows");
    let agent = shop.app.agent(shop.bot);
    agent.post(&rows, json!([bug(1, "web")])).await.refused(404, "not_found");
    shop.collection().await;
    let text = format!("{}\n\n{{\n{{\"id\": 2, \"opened\": \"soon\"}}\n{}\n", bug(1, "web"), bug(3, "web"));
    let request = agent.request("POST", &rows).body("application/x-ndjson", text).send().await.expect(200).json();
    let lines: Vec<&Value> = request["faults"].as_array().expect("faults").iter().map(|fault| &fault["line"]).collect();
    assert_eq!((lines, &request["inserted"], &request["refused"]), (vec![&json!(3), &json!(4)], &json!(2), &json!(2)));
    let secret = json!([{"id": 4, "component": "web", "note": "token ghp_abcdefghijklmnopqrstuvwxyz0123456789"}]);
    let scrubbed = agent.post(&rows, secret).await.expect(200).json();
    assert_eq!(scrubbed["redactions"][0]["count"], json!(1), "{scrubbed}");
    assert!(!shop.app.dump().join("\n").contains("ghp_abcdefghijkl"));
    let keys = |rows: Vec<Value>| rows.iter().map(|row| row["key"].clone()).collect::<Vec<_>>();
    let (all, pages) = agent.all_pages(&format!("{rows}?limit=2")).await;
    assert_eq!((keys(all), pages), (vec![json!("1"), json!("3"), json!("4")], 2));
    agent.delete(&format!("{rows}/4")).await.expect(200);
    agent.delete(&format!("{rows}/4")).await.refused(404, "not_found");
    let other_key = json!({"key": "component"});
    agent.put(&shop.at("collections/bugs"), other_key).await.refused(409, "collection_has_rows");
    let listed = agent.get(&shop.at("collections")).await.expect(200).json();
    assert_eq!((&listed[0]["name"], &listed[0]["rows"]), (&json!("bugs"), &json!(2)));
    agent.delete(&shop.at("collections/bugs")).await.expect(200);
    assert_eq!(agent.get(&shop.at("collections")).await.expect(200).json(), json!([]));
}

async fn definitions_are_checked_and_scopes_follow_the_tree(on: On) {
    let shop = Shop::new(on).await;
    let (operator, define) = (shop.app.operator(shop.root), shop.at("processors"));
    let global = json!({"built_in": "bug-import", "set": {"scope": "GLOBAL"}});
    operator.post(&define, global).await.refused(403, "scope_forbidden");
    let one = json!({"built_in": "bug-import", "set": {"dimensions": []}});
    let refused = operator.post(&define, one).await.refused(400, "invalid_field");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains("`dimensions` has 0")), "{refused}");
    operator.post(&define, json!({"built_in": "none"})).await.refused(400, "invalid_field");
    operator.post(&define, json!({})).await.refused(400, "invalid_field");
    shop.app.agent(shop.bot).post(&define, json!({"built_in": "bug-import"})).await.refused(403, "forbidden");
    let listed = shop.app.agent(shop.bot).get(&define).await.expect(200).json();
    assert_eq!((&listed[0]["name"], &listed[0]["active"]), (&json!("bug-import"), &json!(false)));
    for name in ["incidents", "review-comments"] {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../docs/processors/{name}.json"));
        let definition: Value = serde_json::from_slice(&std::fs::read(file).expect("an example")).expect("JSON");
        let defined = operator.post(&define, json!({"definition": definition})).await.expect(200).json();
        assert_eq!((&defined["name"], &defined["revision"]), (&json!(name), &json!(1)));
        let again = operator.post(&define, json!({"definition": definition})).await.expect(200).json();
        assert_eq!(again["revision"], json!(1), "an equal definition changes nothing");
    }
    operator.delete(&shop.at("processors/incidents")).await.expect(200);
    operator.delete(&shop.at("processors/incidents")).await.refused(404, "not_found");
}

async fn rows_and_facts_are_erased_exported_and_counted(on: On) {
    let mut shop = Shop::new(on).await;
    shop.collection().await;
    let person = json!({"id": "ada-lovelace", "component": "web", "type": "crash", "root_cause": "race", "opened": "2026-05-09"});
    shop.lines(&[person, bug(1, "web"), bug(2, "web"), bug(3, "web")]).await;
    shop.activate(json!({})).await;
    assert_eq!(counts(&shop.run().await), json!([4, 1, 0, 0, 0]));
    // a copy on the other database goes on
    shop.app.stop().await;
    let mut target = TestApp::new(if on == On::Sqlite { On::Postgres } else { On::Sqlite }).await;
    target.stop().await;
    let database = |app: &TestApp| app.database_url().map_or_else(|| app.folder().display().to_string(), str::to_owned);
    let copy = format!("orgmem migrate --from '{}' --to '{}'", database(&shop.app), database(&target));
    let _ = Shell::new().with("ORGMEM_DATA_DIR", &shop.app.folder().display().to_string()).enter(&copy).await.success();
    target.restart().await;
    shop.app = target;
    assert_eq!(counts(&shop.run().await), json!([0, 0, 0, 0, 0]), "nothing is read again");
    // the bytes of rows count for the budget
    let budget = format!("/workspaces/{}/budget", shop.lead);
    let used = shop.app.operator(shop.root).put(&budget, json!({"bytes": 1_000_000})).await.expect(200).json();
    let bytes = used["own"]["used"]["bytes"].as_i64().expect("a number");
    assert!(bytes > 400, "{used}");
    shop.app.operator(shop.root).put(&budget, json!({"bytes": bytes})).await.expect(200);
    let more = shop.app.agent(shop.bot).post(&shop.at("collections/bugs/rows"), json!([bug(9, "web")])).await;
    more.refused(409, "budget_exceeded");
    // an end user whose name is the key of a row
    let erase = json!({"org_id": shop.root, "subject": "ada-lovelace", "reason": "a request"});
    shop.app.admin().post("/admin/erasures", erase).await.expect(200);
    assert_eq!(shop.facts(shop.bot).await, Vec::<Value>::new(), "the fact named the key");
    assert_eq!(counts(&shop.run().await), json!([0, 1, 0, 0, 0]));
    let facts = shop.facts(shop.bot).await;
    assert_eq!(facts[0]["metadata"]["source_row_keys"], json!(["3", "2", "1"]));
    let dump = shop.app.dump().join("\n");
    assert!(!dump.contains("ada-lovelace"), "{dump}");
    let erase = json!({"org_id": shop.root, "whole_org": true, "reason": "a request"});
    shop.app.admin().post("/admin/erasures", erase).await.expect(200);
    assert!(!shop.app.dump().join("\n").contains("cause race"));
}
