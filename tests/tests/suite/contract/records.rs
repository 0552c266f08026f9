//! Records: who writes and reads them, and that the newer value wins.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    pushed_record_is_read_in_the_whole_tree,
    newer_as_of_wins_whatever_arrives_last,
    lines_are_written_all_or_none,
    source_writes_records_and_nothing_else,
    source_token_is_bound_to_a_root,
    write_is_audited_and_announced_without_values,
    records_of_an_end_user_and_of_an_org_are_erased,
);

pub(super) struct Shop {
    pub(super) app: TestApp,
    pub(super) root: Uuid,
    pub(super) bot: Uuid,
}

impl Shop {
    pub(super) async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  bot").await;
        Self { root: org.id("acme"), bot: org.id("bot"), app }
    }

    pub(super) fn source(&self) -> Caller {
        self.app.bearer(&self.app.token("source", Some(self.root)).text())
    }

    pub(super) fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}/records{rest}", self.root)
    }

    /// A body with values that held `seconds` ago.
    pub(super) fn body(&self, seconds: i64, fields: Value) -> Value {
        json!({"fields": fields, "as_of": self.app.now() - TimeDelta::seconds(seconds), "source": "erp"})
    }

    async fn read(&self, entity: &str) -> orgmem_tests::Response {
        self.app.agent(self.bot).get(&format!("/workspaces/{}/records/{entity}", self.bot)).await
    }

    async fn values(&self, entity: &str) -> Value {
        let record = self.read(entity).await.expect(200).json();
        let fields = record["fields"].as_object().cloned().unwrap_or_default();
        fields.into_iter().map(|(name, field)| (name, field["value"].clone())).collect()
    }
}

async fn pushed_record_is_read_in_the_whole_tree(on: On) {
    let shop = Shop::new(on).await;
    let body = shop.body(60, json!({"price": {"value": 19.5, "unit": "EUR"}, "sold_out": {"value": false}}));
    let written = shop.source().put(&shop.at("/sku%2F1"), body.clone()).await.expect(200).json();
    assert_eq!(written, json!({"entity": "sku/1", "status": "applied"}));
    let record = shop.read("sku%2F1").await.expect(200).json();
    assert_eq!(record["entity"], "sku/1");
    assert_eq!(record["fields"]["price"]["value"], 19.5);
    assert_eq!(
        (&record["fields"]["price"]["unit"], &record["fields"]["price"]["source"]),
        (&json!("EUR"), &json!("erp"))
    );
    assert_eq!(record["fields"]["sold_out"]["value"], false);
    shop.source().put(&shop.at("/sku-2"), body).await.expect(200);
    let list = |query: &str| format!("/workspaces/{}/records{query}", shop.bot);
    let entities = async |query: &str| -> Vec<String> {
        let rows = shop.app.agent(shop.bot).get(&list(query)).await.expect(200).items();
        rows.iter().map(|row| row["entity"].as_str().expect("an entity").to_owned()).collect()
    };
    assert_eq!(entities("").await, ["sku-2", "sku/1"]);
    assert_eq!(entities("?prefix=sku-").await, ["sku-2"]);
    assert_eq!(entities("?limit=1").await, ["sku-2"]);
    shop.read("sku-3").await.refused(404, "not_found");
    let other = shop.app.admin().create("other", None).await;
    let foreign = shop.app.agent(other).get(&format!("/workspaces/{other}/records")).await.expect(200);
    assert_eq!(foreign.items(), Vec::<Value>::new());
}

async fn newer_as_of_wins_whatever_arrives_last(on: On) {
    let shop = Shop::new(on).await;
    let source = shop.source();
    let put = |seconds, price: i64| shop.body(seconds, json!({"price": {"value": price}}));
    source.put(&shop.at("/sku-1"), put(10, 20)).await.expect(200);
    let late = source.put(&shop.at("/sku-1"), put(20, 18)).await.expect(200).json();
    assert_eq!(late, json!({"entity": "sku-1", "status": "ignored", "ignored": ["price"]}));
    assert_eq!(shop.values("sku-1").await, json!({"price": 20}));

    let stock = shop.body(15, json!({"stock": {"value": 3}}));
    assert_eq!(source.patch(&shop.at("/sku-1"), stock).await.expect(200).json()["status"], "ignored");
    let stock = shop.body(5, json!({"stock": {"value": 3}, "price": null}));
    assert_eq!(source.patch(&shop.at("/sku-1"), stock).await.expect(200).json()["status"], "applied");
    assert_eq!(shop.values("sku-1").await, json!({"stock": 3}));
    let partly = shop.body(7, json!({"stock": {"value": 2}, "colour": {"value": "red"}}));
    let partly = source.patch(&shop.at("/sku-1"), partly).await.expect(200).json();
    assert_eq!((&partly["status"], &partly["ignored"]), (&json!("partial"), &json!(["stock"])));
    assert_eq!(shop.values("sku-1").await, json!({"stock": 3, "colour": "red"}));

    source.delete(&shop.at("/sku-1")).await.expect(200);
    shop.read("sku-1").await.refused(404, "not_found");
    assert_eq!(source.put(&shop.at("/sku-1"), put(1, 20)).await.expect(200).json()["status"], "ignored");
    shop.read("sku-1").await.refused(404, "not_found");
    shop.app.advance(TimeDelta::seconds(5));
    source.put(&shop.at("/sku-1"), put(1, 21)).await.expect(200);
    assert_eq!(shop.values("sku-1").await, json!({"price": 21}));

    for (body, field) in [
        (shop.body(-600, json!({"price": {"value": 1}})), "as_of"),
        (shop.body(0, json!({"price": {"value": [1]}})), "fields.value"),
        (shop.body(0, json!({"price": {"value": 1, "unit": "x".repeat(33)}})), "fields.unit"),
        (shop.body(0, json!({})), "fields"),
    ] {
        let refused = source.put(&shop.at("/sku-1"), body).await.refused(400, "invalid_field");
        assert_eq!(refused["field"], field, "{refused}");
    }
    source.put(&shop.at("/sku-1"), json!({"fields": {}})).await.expect(400);
}

async fn lines_are_written_all_or_none(on: On) {
    let shop = Shop::new(on).await;
    let as_of = shop.app.now();
    let line = |entity: &str, price: Value| json!({"entity": entity, "fields": {"price": price}, "as_of": as_of});
    let text = |lines: &[Value]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let push = async |body: String| {
        let request = shop.source().request("POST", &shop.at(""));
        request.body("application/x-ndjson", body).send().await
    };
    let good = [line("a", json!({"value": 1})), line("b", json!({"value": 2})), line("a", json!({"value": 3}))];
    assert_eq!(push(text(&good)).await.expect(200).json(), json!({"applied": 3, "others": []}));
    assert_eq!(shop.values("a").await, json!({"price": 3}), "of equal instants the later line wins");
    let bad = [line("a", json!({"value": 9})), line("c", json!({"value": {}}))];
    let refused = push(text(&bad)).await.refused(400, "invalid_field");
    assert!(refused["detail"].as_str().is_some_and(|detail| detail.starts_with("record 2: ")), "{refused}");
    assert_eq!(shop.values("a").await, json!({"price": 3}));
    push("{\n".to_owned()).await.expect(400);
    push("\n\n".to_owned()).await.expect(400);
    let array = shop.source().post(&shop.at(""), json!({"records": good})).await.expect(200).json();
    assert_eq!(array["applied"], 3);
    let gone = json!({"entity": "b", "as_of": as_of});
    push(text(&[gone])).await.expect(200);
    shop.read("b").await.refused(404, "not_found");
}

async fn source_writes_records_and_nothing_else(on: On) {
    let shop = Shop::new(on).await;
    let (source, root) = (shop.source(), shop.root);
    let body = shop.body(0, json!({"price": {"value": 1}}));
    source.put(&shop.at("/sku-1"), body.clone()).await.expect(200);
    for address in
        ["", "/records", "/records/sku-1", "/memories", "/memory", "/activity", "/pages", "/access-log", "/tree"]
    {
        source.get(&format!("/workspaces/{root}{address}")).await.refused(403, "forbidden");
    }
    for (address, body) in [
        ("memories", json!({"content": "x", "scope": "GLOBAL"})),
        ("memory", json!({"key": "x", "value": 1})),
        ("activity", json!({"activity_type": "agent_log"})),
        ("context", json!({})),
        ("tokens", json!({"role": "agent"})),
    ] {
        source.post(&format!("/workspaces/{root}/{address}"), body).await.refused(403, "forbidden");
    }
    source.get("/search?q=x").await.refused(403, "forbidden");
    assert_eq!(source.get("/me").await.expect(200).json()["may"], json!(["write_records"]));
    let elsewhere = format!("/workspaces/{}/records/sku-1", shop.bot);
    source.put(&elsewhere, body.clone()).await.refused(403, "forbidden");
    for caller in [shop.app.agent(shop.root), shop.app.viewer(shop.root)] {
        caller.put(&shop.at("/sku-1"), body.clone()).await.refused(403, "forbidden");
    }
    for caller in [shop.app.operator(shop.bot), shop.app.admin()] {
        caller.put(&elsewhere, body.clone()).await.refused(403, "forbidden");
    }
    for caller in [shop.app.operator(shop.root), shop.app.admin()] {
        caller.put(&shop.at("/sku-1"), body.clone()).await.expect(200);
    }
}

async fn source_token_is_bound_to_a_root(on: On) {
    let shop = Shop::new(on).await;
    let tokens = |id: Uuid| format!("/workspaces/{id}/tokens");
    let request = json!({"role": "source"});
    shop.app.admin().post(&tokens(shop.bot), request.clone()).await.refused(403, "forbidden");
    shop.app.operator(shop.root).post(&tokens(shop.root), request.clone()).await.refused(403, "forbidden");
    let issued = shop.app.admin().post(&tokens(shop.root), request).await.expect(201).json();
    let source = shop.app.bearer(issued["token"].as_str().expect("a token"));
    source.put(&shop.at("/sku-1"), shop.body(0, json!({"price": {"value": 1}}))).await.expect(200);
}

async fn write_is_audited_and_announced_without_values(on: On) {
    let shop = Shop::new(on).await;
    shop.source().put(&shop.at("/ada"), shop.body(0, json!({"limit": {"value": "43918207 gold"}}))).await.expect(200);
    let operator = shop.app.operator(shop.root);
    let rows = operator.get(&format!("/workspaces/{}/access-log?action=write_records", shop.root)).await.expect(200);
    let row = rows.items().pop().expect("a row");
    assert_eq!((&row["role"], &row["context"]["fields"]), (&json!("source"), &json!(1)), "{row}");
    let address = format!("/workspaces/{}/events?follow=false", shop.root);
    let events = format!("{:?}", operator.subscribe(&address, Some(0)).await.rest().await);
    assert!(events.contains("record_changed") && events.contains("ada"), "{events}");
    for text in [row.to_string(), events] {
        assert!(!text.contains("43918207"), "{text}");
    }
    assert!(!row.to_string().contains("\"ada\""), "the audit log outlives the entity: {row}");
}

async fn records_of_an_end_user_and_of_an_org_are_erased(on: On) {
    let shop = Shop::new(on).await;
    for entity in ["ada", "sku-1"] {
        let body = shop.body(0, json!({"note": {"value": format!("zeppelin {entity}")}}));
        shop.source().put(&shop.at(&format!("/{entity}")), body).await.expect(200);
    }
    let erase = |more: Value| {
        let mut request = json!({"org_id": shop.root, "reason": "a request"});
        request.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        request
    };
    shop.app.admin().post("/admin/erasures", erase(json!({"subject": "ada"}))).await.expect(200);
    shop.read("ada").await.refused(404, "not_found");
    shop.read("sku-1").await.expect(200);
    let dump = shop.app.dump().join("\n");
    assert!(!dump.contains("zeppelin ada") && dump.contains("zeppelin sku-1"));
    shop.app.admin().post("/admin/erasures", erase(json!({"whole_org": true}))).await.expect(200);
    assert!(!shop.app.dump().join("\n").contains("zeppelin"));
}
