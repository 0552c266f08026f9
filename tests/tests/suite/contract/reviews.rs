//! Reviews of stale claims, and the story of a customer over six weeks.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::pages::said;
use super::records::Shop as Records;

for_each_store!(
    difference_is_reviewed_once,
    each_version_field_and_record_value_is_a_difference,
    winning_record_lowers_the_confidence_once,
    disputed_record_is_announced_and_still_wins,
    reviews_are_decided_by_people_of_the_subtree,
    review_goes_with_the_content_of_its_item,
    reviews_of_an_end_user_are_erased,
    stale_page_goes_down_a_tier,
    customer_over_six_weeks_and_three_channels,
);

struct Shop(Records);

impl Shop {
    async fn new(on: On) -> Self {
        let shop = Self(Records::new(on).await);
        shop.price(50).await;
        shop
    }

    fn at(&self, rest: &str) -> String {
        format!("/workspaces/{}/{rest}", self.0.bot)
    }

    fn agent(&self) -> Caller {
        self.0.app.agent(self.0.bot)
    }

    fn operator(&self) -> Caller {
        self.0.app.operator(self.0.root)
    }

    async fn price(&self, price: i64) {
        self.0.app.advance(TimeDelta::seconds(1));
        let body = self.0.body(0, json!({"price": {"value": price, "unit": "EUR"}}));
        self.0.source().put(&self.0.at("/lamp"), body).await.expect(200);
    }

    async fn commit(&self, price: i64) -> Uuid {
        let claims = json!([{"entity": "lamp", "field": "price", "value": price}]);
        let memory = json!({"scope": "LOCAL", "content": format!("The lamp costs {price} EUR."), "claims": claims});
        self.agent().post(&self.at("memories"), memory).await.expect(201).id("id")
    }

    async fn read(&self, id: Uuid) -> Value {
        self.agent().get(&self.at(&format!("memories/{id}"))).await.expect(200).json()
    }

    async fn reviews(&self, query: &str) -> Vec<Value> {
        self.agent().get(&self.at(&format!("reviews{query}"))).await.expect(200).items()
    }

    async fn decide(&self, review: &Value, decision: &str) -> Value {
        let at = self.at(&format!("reviews/{}", review["id"].as_str().expect("an id")));
        let request = json!({"decision": decision, "note": "asked the shop"});
        self.operator().post(&at, request).await.expect(200).json()
    }

    async fn context(&self, query: &str) -> Value {
        let request = json!({"query": query, "subject": "ada"});
        self.agent().post(&self.at("context"), request).await.expect(200).json()
    }
}

async fn difference_is_reviewed_once(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(40).await;
    for _ in 0..3 {
        shop.read(id).await;
        shop.agent().get(&shop.at("memories?q=lamp")).await.expect(200);
    }
    let reviews = shop.reviews("").await;
    let [review] = reviews.as_slice() else { panic!("{reviews:#?}") };
    assert_eq!((&review["status"], &review["item_kind"]), (&json!("open"), &json!("memory")));
    assert_eq!((&review["item_id"], &review["item_version"]), (&json!(id), &json!(1)));
    assert_eq!((&review["claim"]["value"], &review["claim"]["record"]["value"]), (&json!(40), &json!(50)));
    assert_eq!(shop.reviews("?status=dismissed").await.len(), 0);
    assert_eq!(shop.reviews("?status=open&entity=lamp").await.len(), 1);
    assert_eq!(shop.reviews("?entity=lantern").await.len(), 0);
    let agrees = shop.commit(50).await;
    shop.read(agrees).await;
    assert_eq!(shop.reviews("").await.len(), 1, "claims that agree are no differences");
}

async fn each_version_field_and_record_value_is_a_difference(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(40).await;
    shop.read(id).await;
    shop.price(60).await;
    shop.read(id).await;
    assert_eq!(shop.reviews("").await.len(), 2, "another value of the record");
    shop.price(60).await;
    shop.read(id).await;
    assert_eq!(shop.reviews("").await.len(), 2, "the same value again");
    shop.agent().patch(&shop.at(&format!("memories/{id}")), json!({"title": "Lamp"})).await.expect(200);
    shop.read(id).await;
    let reviews = shop.reviews("").await;
    assert_eq!(reviews.iter().map(|review| &review["item_version"]).collect::<Vec<_>>(), [2, 1, 1]);
    let page = shop.agent().get(&shop.at("reviews?limit=2")).await.expect(200);
    assert_eq!(page.items().len(), 2);
    let (all, pages) = shop.agent().all_pages(&shop.at("reviews?limit=1")).await;
    assert_eq!((all.len(), pages), (3, 3));
}

async fn winning_record_lowers_the_confidence_once(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(40).await;
    assert!(shop.context("lamp").await["block"].as_str().is_some_and(|block| block.contains("record=lamp price=50")));
    let review = shop.reviews("").await.remove(0);
    let decided = shop.decide(&review, "record_wins").await;
    assert_eq!((&decided["status"], &decided["confidence"]), (&json!("record_wins"), &json!(0.3)), "{decided}");
    assert_eq!((&decided["note"], &decided["item_version"]), (&json!("asked the shop"), &json!(2)));
    assert_eq!(decided["remedies"], json!(["edit", "redact"]));
    let memory = shop.read(id).await;
    assert_eq!((&memory["confidence"], &memory["version"]), (&json!(0.3), &json!(2)));
    assert_eq!(shop.reviews("").await.len(), 1, "the same difference");
    let context = shop.context("lamp").await;
    assert_eq!(context["block"], "");
    assert_eq!(context["left_out"][0]["why"], "stale");
    shop.decide(&review, "record_wins").await;
    assert_eq!(shop.read(id).await["version"], 2, "a repeated decision changes nothing");
    shop.price(40).await;
    assert!(shop.context("lamp").await["block"].as_str().is_some_and(|block| block.contains("costs 40")));
}

async fn disputed_record_is_announced_and_still_wins(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(40).await;
    shop.read(id).await;
    let review = shop.reviews("").await.remove(0);
    shop.decide(&review, "memory_was_right").await;
    let memory = shop.read(id).await;
    assert_eq!((&memory["claims"][0]["status"], &memory["confidence"]), (&json!("stale"), &json!(0.5)));
    let address = shop.at("events?follow=false");
    let events = format!("{:?}", shop.agent().subscribe(&address, Some(0)).await.rest().await);
    assert!(events.contains("record_disputed") && events.contains("lamp"), "{events}");
    let address = format!("/workspaces/{}/access-log?action=decide_review", shop.0.bot);
    let row = shop.operator().get(&address).await.expect(200).items().remove(0);
    assert_eq!((&row["context"]["decision"], &row["role"]), (&json!("memory_was_right"), &json!("operator")));
    shop.decide(&review, "dismissed").await;
    assert_eq!(shop.reviews("?status=dismissed").await.len(), 1, "the latest decision counts");
}

async fn reviews_are_decided_by_people_of_the_subtree(on: On) {
    let shop = Shop::new(on).await;
    let id = shop.commit(40).await;
    shop.read(id).await;
    let review = shop.reviews("").await.remove(0)["id"].as_str().expect("an id").to_owned();
    let request = json!({"decision": "dismissed"});
    let own = shop.at(&format!("reviews/{review}"));
    shop.agent().post(&own, request.clone()).await.refused(403, "forbidden");
    shop.0.app.viewer(shop.0.root).post(&own, request.clone()).await.refused(403, "forbidden");
    let root = format!("/workspaces/{}/reviews", shop.0.root);
    assert_eq!(shop.operator().get(&root).await.expect(200).items().len(), 0);
    assert_eq!(shop.operator().get(&format!("{root}?subtree=true")).await.expect(200).items().len(), 1);
    shop.agent().get(&shop.at("reviews?subtree=true")).await.refused(403, "forbidden");
    let peer = shop.0.app.admin().create("peer", Some(shop.0.root)).await;
    let elsewhere = format!("/workspaces/{peer}/reviews/{review}");
    shop.operator().post(&elsewhere, request.clone()).await.refused(404, "not_found");
    let foreign = shop.0.app.admin().create("other", None).await;
    let foreign = format!("/workspaces/{foreign}/reviews/{review}");
    shop.0.app.admin().post(&foreign, request.clone()).await.refused(404, "not_found");
    shop.operator().post(&own, json!({"decision": "maybe"})).await.expect(400);
    shop.operator().post(&own, json!({"decision": "dismissed", "note": "a\nb"})).await.refused(400, "invalid_field");
    shop.operator().post(&format!("{root}/{review}"), request).await.expect(200);
}

async fn review_goes_with_the_content_of_its_item(on: On) {
    let shop = Shop::new(on).await;
    let claims = json!([{"entity": "lamp", "field": "price", "value": "zeppelin"}]);
    let memory = json!({"scope": "LOCAL", "content": "a lamp", "claims": claims});
    let memory = shop.agent().post(&shop.at("memories"), memory).await.expect(201).id("id");
    let episode = said("a lamp", json!({"claims": claims}));
    let episode = shop.agent().post(&shop.at("activity"), episode).await.expect(201).id("id");
    shop.read(memory).await;
    shop.agent().get(&shop.at("activity")).await.expect(200);
    assert_eq!(shop.reviews("").await.len(), 2);
    // read, and redacted before the row of the read is written
    shop.price(60).await;
    shop.read(memory).await;
    shop.agent().get(&shop.at("activity")).await.expect(200);
    let reason = json!({"reason": "a test"});
    shop.operator().post(&shop.at(&format!("memories/{memory}/redact")), reason.clone()).await.expect(200);
    shop.operator().post(&shop.at(&format!("activity/{episode}/redact")), reason).await.expect(200);
    assert_eq!(shop.reviews("").await, Vec::<Value>::new());
    let left: Vec<String> = shop.0.app.dump().into_iter().filter(|row| row.contains("zeppelin")).collect();
    assert!(left.is_empty(), "{left:?}");
}

async fn reviews_of_an_end_user_are_erased(on: On) {
    let shop = Shop::new(on).await;
    for (subject, value) in [("ada", "zeppelin"), ("bob", "balloon")] {
        let claims = json!([{"entity": "lamp", "field": "price", "value": value}]);
        let episode = said("a lamp", json!({"claims": claims, "subject": subject}));
        shop.agent().post(&shop.at("activity"), episode).await.expect(201);
    }
    shop.agent().get(&shop.at("activity")).await.expect(200);
    assert_eq!(shop.reviews("").await.len(), 2);
    let request = json!({"org_id": shop.0.root, "reason": "a request", "subject": "ada"});
    shop.0.app.admin().post("/admin/erasures", request).await.expect(200);
    let left: Vec<Value> = shop.reviews("").await.iter().map(|review| review["claim"]["value"].clone()).collect();
    assert_eq!(left, ["balloon"]);
    assert!(!shop.0.app.dump().join("\n").contains("zeppelin"));
}

async fn stale_page_goes_down_a_tier(on: On) {
    let shop = Shop::new(on).await;
    let claims = json!([{"entity": "lamp", "field": "price", "value": 50}]);
    let episode = said("The lamp costs 50 EUR. It is blue.", json!({"claims": claims}));
    shop.agent().post(&shop.at("activity"), episode).await.expect(201);
    let compact = async || shop.agent().post(&shop.at("pages/compact"), json!({})).await.expect(200);
    compact().await;
    let page = async || shop.agent().get(&shop.at("pages")).await.expect(200).items().remove(0);
    let before = page().await;
    assert_eq!((&before["tier"], &before["claims"][0]["status"]), (&json!("hot"), &json!("agrees")));
    shop.price(60).await;
    let stale = page().await;
    assert_eq!((&stale["tier"], &stale["claims"][0]["status"]), (&json!("hot"), &json!("stale")));
    let content = stale["content"].as_str().expect("content");
    assert!(content.contains("record=lamp price=60 EUR") && !content.contains("50 EUR"), "{content}");
    compact().await;
    assert_eq!(page().await["tier"], "warm");
    shop.price(50).await;
    compact().await;
    let again = page().await;
    assert_eq!((&again["tier"], &again["id"]), (&json!("hot"), &before["id"]));
}

/// The story of `docs/pages.md`: what is remembered, what the record says, and the way back to the messages.
async fn customer_over_six_weeks_and_three_channels(on: On) {
    let shop = Shop::new(on).await;
    let say = async |text: &str, more: Value| {
        shop.0.app.advance(TimeDelta::seconds(1));
        shop.agent().post(&shop.at("activity"), said(text, more)).await.expect(201).id("id")
    };
    let address = say(
        "Please deliver to the back door, the front one sticks.",
        json!({"session_id": "call-1", "channel": "phone", "actor": "ada", "correlation_id": "address"}),
    )
    .await;
    shop.0.app.advance(TimeDelta::days(3));
    let chat = |more: Value| {
        let mut fields = json!({"session_id": "chat-1", "channel": "chat"});
        fields.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        fields
    };
    say("No plastic packaging for me.", chat(json!({"actor": "ada", "correlation_id": "packaging"}))).await;
    say("Delivered to the back door.", chat(json!({"outcome": "success", "correlation_id": "address"}))).await;
    shop.0.app.advance(TimeDelta::days(18));
    let mail = json!({"session_id": "mail-1", "channel": "mail", "actor": "ada", "correlation_id": "packaging"});
    say("The packaging was plastic again!", mail).await;
    let claims = json!([{"entity": "lamp", "field": "price", "value": 50}]);
    let offer = json!({"session_id": "mail-2", "channel": "mail", "correlation_id": "lamp", "claims": claims});
    let offer = say("The lamp costs 50 EUR.", offer).await;
    shop.0.app.advance(TimeDelta::days(14));
    shop.agent().post(&shop.at("pages/compact"), json!({})).await.expect(200);
    let query = "where do we deliver, in which packaging, what does the lamp cost?";
    let block = async || shop.context(query).await["block"].as_str().expect("a block").to_owned();
    let before = block().await;
    for remembered in ["back door", "plastic", "The lamp costs 50 EUR."] {
        assert!(before.contains(remembered), "{remembered}: {before}");
    }

    shop.price(55).await;
    let stale = block().await;
    assert!(stale.contains("back door") && stale.contains("record=lamp price=55 EUR"), "{stale}");
    assert!(!stale.contains("50 EUR"), "{stale}");
    let reviews = shop.reviews("?status=open").await;
    let [review] = reviews.as_slice() else { panic!("{reviews:#?}") };
    assert_eq!((&review["item_kind"], &review["item_id"]), (&json!("episode"), &json!(offer)));
    shop.decide(review, "record_wins").await;
    let decided = block().await;
    assert!(decided.contains("back door") && !decided.contains("lamp"), "{decided}");
    assert_eq!(shop.reviews("?status=open").await, Vec::<Value>::new());

    // the auditor walks from the answer to the messages
    let set = shop.context(query).await["working_set"].clone();
    let answer =
        set.as_array().into_iter().flatten().find(|page| page["sources"].to_string().contains(&address.to_string()));
    let page = answer.expect("the page about the address")["page"]["id"].as_str().expect("an id").to_owned();
    let viewer = shop.0.app.viewer(shop.0.root);
    let sources = viewer.get(&shop.at(&format!("pages/{page}/sources"))).await.expect(200).json()["sources"].clone();
    assert_eq!((&sources[0]["id"], &sources[0]["channel"]), (&json!(address), &json!("phone")));
    assert_eq!(sources[0]["summary"], "Please deliver to the back door, the front one sticks.");
    let log = viewer.get(&shop.at("access-log?action=inject_memories")).await.expect(200).items();
    assert!(log[0]["context"]["page_ids"].to_string().contains(&page), "{}", log[0]);
    let lamp = viewer.get(&shop.at("activity")).await.expect(200).items();
    let lamp = lamp.iter().find(|episode| episode["id"] == json!(offer)).expect("the message remains");
    assert_eq!(
        (&lamp["summary"], &lamp["checked_claims"][0]["status"]),
        (&json!("The lamp costs 50 EUR."), &json!("stale"))
    );
}
