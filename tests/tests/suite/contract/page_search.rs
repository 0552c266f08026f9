//! Pages in searches: `in=pages`, in one ranking with memories and passages.

use chrono::TimeDelta;
use orgmem_tests::{On, StubEmbedder, TestApp, for_each_store};
use serde_json::{Value, json};

use super::pages::Shop;
use super::redacting::is_in_tables;
use super::semantic_search::embedded;

for_each_store!(
    pages_are_found_in_one_ranking_with_memories_and_passages,
    search_without_pages_is_that_of_a_server_without_pages,
    scores_are_those_of_a_server_with_only_the_readable_pages,
    page_of_a_redacted_episode_is_not_found_from_then_on,
    profile_that_excludes_a_kind_hides_its_pages_from_searches_at_once,
    page_with_a_stale_claim_shows_the_record,
    pages_count_for_no_budget,
    page_is_found_by_meaning_and_keeps_its_vector,
    search_of_pages_refuses_conditions_on_confidence,
);

/// The type, the content and the score of each result for a person.
async fn found(shop: &Shop, query: &str) -> Vec<(String, String, f64)> {
    let items = shop.app.operator(shop.bot).get(&shop.at(&format!("memories?{query}"))).await.expect(200).items();
    let text = |item: &Value, field: &str| item[field].as_str().unwrap_or("memory").to_owned();
    let row = |item: &Value| (text(item, "type"), text(item, "content"), item["score"].as_f64().unwrap_or_default());
    items.iter().map(row).collect()
}

fn types(found: &[(String, String, f64)]) -> Vec<&str> {
    let mut types: Vec<&str> = found.iter().map(|(kind, ..)| kind.as_str()).collect();
    types.sort_unstable();
    types
}

async fn with_a_memory_and_a_document(on: On) -> Shop {
    let shop = Shop::new(on).await;
    shop.app.agent(shop.bot).commit(shop.bot, "LOCAL", "The back door is green.").await;
    let document = json!({"title": "Doors", "content": "Every back door has two locks.", "scope": "LOCAL"});
    shop.app.agent(shop.bot).post(&shop.at("documents"), document).await.expect(201);
    shop
}

async fn pages_are_found_in_one_ranking_with_memories_and_passages(on: On) {
    let shop = with_a_memory_and_a_document(on).await;
    shop.say("Deliver to the back door.", json!({"actor": "ada"})).await;
    shop.say("No plastic.", json!({"subject": "bob", "session_id": "s-2"})).await;
    assert_eq!(types(&found(&shop, "q=back+door&in=memories,pages,documents").await), ["memory", "passage"]);
    shop.compact().await;
    for all in ["memories,pages,documents", "documents,pages,memories", "pages,memories,documents"] {
        let found = found(&shop, &format!("q=back+door&in={all}")).await;
        assert_eq!(types(&found), ["memory", "page", "passage"]);
        assert!(found.is_sorted_by(|one, other| one.2 >= other.2), "{found:?}");
    }
    for (items, expected) in [
        ("pages", &["page"][..]),
        ("memories,pages", &["memory", "page"]),
        ("documents,pages", &["page", "passage"]),
        ("memories,documents", &["memory", "passage"]),
    ] {
        assert_eq!(types(&found(&shop, &format!("q=back+door&in={items}")).await), expected, "{items}");
    }
    assert_eq!(types(&found(&shop, "in=pages").await), ["page", "page"], "without a query the newest");
    assert_eq!(found(&shop, "in=pages&subject=bob").await.len(), 1);
    assert_eq!(found(&shop, "in=pages&session_id=s-1").await.len(), 1);
    assert_eq!(found(&shop, "in=pages&kind=page&tag=support").await.len(), 2);
    assert_eq!(found(&shop, "in=pages&kind=fact").await.len(), 0);
    assert_eq!(found(&shop, "in=pages&tier=user").await.len(), 2);

    let page = shop.get("memories?q=back+door&in=pages").await[0].clone();
    let listed = shop.get("pages?subject=ada").await[0].clone();
    let quoted = format!("[MEMORY id={} ", listed["id"].as_str().expect("an id"));
    let content = page["content"].as_str().expect("a text");
    assert!(content.starts_with(&quoted) && content.contains("from=page"), "{content}");
    assert!(content.contains("ada: Deliver to the back door."), "{content}");
    for (member, value) in
        [("id", &listed["id"]), ("confidence", &listed["confidence"]), ("created_at", &listed["last_at"])]
    {
        assert_eq!(&page[member], value, "{member}");
    }
    assert_eq!((&page["type"], &page["kind"], &page["tags"]), (&json!("page"), &json!("page"), &json!(["support"])));
    assert_eq!((&page["subject"], &page["session_id"]), (&json!("ada"), &json!("s-1")));
    assert_eq!((&page["page"]["tier"], &page["page"]["source_count"]), (&json!("hot"), &json!(1)));
    assert_eq!(page["can"], Value::Null, "nobody edits a page");
    let log = shop.app.admin().get(&shop.at("access-log?action=search_memories")).await.expect(200).items();
    assert_eq!(log[0]["context"]["page_ids"], json!([listed["id"]]), "{}", log[0]);

    // later text of the thread
    shop.say("Or to the kiosk.", json!({"actor": "ada"})).await;
    shop.compact().await;
    assert_eq!(types(&found(&shop, "q=kiosk&in=pages").await), ["page"]);
    // warm, then cold
    shop.app.advance(TimeDelta::days(20));
    shop.compact().await;
    assert_eq!(found(&shop, "q=door&in=pages").await[0].1, shop.get("pages?subject=ada").await[0]["content"]);
    shop.app.advance(TimeDelta::days(80));
    shop.compact().await;
    assert_eq!(shop.get("pages?tier=cold").await.as_array().map(Vec::len), Some(2));
    assert_eq!(found(&shop, "in=pages").await.len(), 0, "cold pages have no text");
}

async fn search_without_pages_is_that_of_a_server_without_pages(on: On) {
    let (with, without) = (with_a_memory_and_a_document(on).await, with_a_memory_and_a_document(on).await);
    for shop in [&with, &without] {
        shop.say("Deliver to the back door, the green one.", json!({})).await;
    }
    with.compact().await;
    for query in ["q=back+door", "q=green", "in=memories,documents&q=back+door", "in=documents&q=door", ""] {
        assert_eq!(found(&with, query).await, found(&without, query).await, "{query}");
    }
    assert_eq!(found(&with, "q=back+door&in=pages").await.len(), 1);
}

async fn scores_are_those_of_a_server_with_only_the_readable_pages(on: On) {
    let (full, only) = (with_a_memory_and_a_document(on).await, with_a_memory_and_a_document(on).await);
    for shop in [&full, &only] {
        let path = format!("/workspaces/{0}/profiles/{0}", shop.bot);
        shop.app.admin().patch(&path, json!({"subjects": "separate"})).await.expect(200);
    }
    for n in 0..12 {
        let (session, text) = (format!("s-{n}"), format!("Message {n}: the back door, please."));
        for (subject, shops) in [("ada", vec![&full, &only]), ("eve", vec![&full])] {
            let more = json!({"subject": subject, "session_id": session, "correlation_id": session});
            for shop in shops {
                shop.say(&text, more.clone()).await;
            }
        }
        only.app.advance(TimeDelta::seconds(1));
    }
    for shop in [&full, &only] {
        shop.compact().await;
    }
    for query in ["in=memories,pages,documents&q=back+door", "in=pages&q=message+7", "in=memories,pages"] {
        let here = found(&full, &format!("{query}&subject=ada")).await;
        assert_eq!(here.iter().filter(|(kind, ..)| kind == "page").count(), 12, "{query}: {here:?}");
        let there = found(&only, &format!("{query}&subject=ada")).await;
        let rounded = |found: &[(String, String, f64)]| -> Vec<(String, String)> {
            found.iter().map(|(kind, text, score)| (text.clone(), format!("{kind} {score:.9}"))).collect()
        };
        assert_eq!(rounded(&here), rounded(&there), "{query}");
        assert!(found(&full, query).await.iter().all(|(kind, ..)| kind != "page"), "a call without an end user");
    }
}

async fn page_of_a_redacted_episode_is_not_found_from_then_on(on: On) {
    const MARK: &str = "archaeopteryx";
    let shop = Shop::new(on).await;
    shop.say("Deliver to the back door.", json!({})).await;
    let secret = shop.say(&format!("My {MARK} is ill."), json!({})).await;
    shop.compact().await;
    assert_eq!(found(&shop, &format!("q={MARK}&in=pages")).await.len(), 1);
    let path = shop.at(&format!("activity/{secret}/redact"));
    shop.app.operator(shop.bot).post(&path, json!({"reason": "asked for"})).await.expect(200);
    for query in [MARK, "door"] {
        assert_eq!(found(&shop, &format!("q={query}&in=pages")).await.len(), 0, "{query}");
    }
    assert!(!is_in_tables(&shop.app, MARK));
    shop.compact().await;
    assert_eq!(found(&shop, &format!("q={MARK}&in=memories,pages")).await.len(), 0);
    assert_eq!(found(&shop, "q=door&in=pages").await.len(), 1, "of the rest");

    let wrong = shop.say("The kiosk is open.", json!({"session_id": "s-2"})).await;
    shop.compact().await;
    shop.say("The kiosk is closed.", json!({"session_id": "s-2", "supersedes": wrong})).await;
    assert_eq!(found(&shop, "q=kiosk&in=pages").await.len(), 0, "a correction");
    let erase = json!({"org_id": shop.root, "subject": "ada", "reason": "asked for"});
    shop.app.admin().post("/admin/erasures", erase).await.expect(200);
    assert_eq!(found(&shop, "in=pages").await.len(), 0, "an erasure");
}

async fn profile_that_excludes_a_kind_hides_its_pages_from_searches_at_once(on: On) {
    let shop = Shop::new(on).await;
    shop.say("I like oat milk.", json!({"kind": "Taste"})).await;
    shop.say("The milk is late.", json!({"kind": "delivery"})).await;
    shop.say("More milk.", json!({"kind": "gossip", "session_id": "s-2"})).await;
    shop.compact().await;
    assert_eq!(found(&shop, "q=milk&in=pages").await.len(), 2);
    let admin = shop.app.admin();
    for (workspace, kind, remaining) in [(shop.bot, "gossip", 1), (shop.root, "taste", 0)] {
        let path = format!("/workspaces/{workspace}/profiles/{workspace}");
        admin.patch(&path, json!({"excluded_kinds": [kind]})).await.expect(200);
        assert_eq!(found(&shop, "q=milk&in=pages").await.len(), remaining, "{kind}");
    }
    shop.compact().await;
    assert_eq!(found(&shop, "q=milk&in=pages").await.len(), 1, "without the excluded episode");
    let path = format!("/workspaces/{0}/profiles/{0}", shop.bot);
    admin.patch(&path, json!({"excluded_kinds": ["page"]})).await.expect(200);
    assert_eq!(found(&shop, "q=milk&in=pages").await.len(), 0, "the kind of all pages");
}

async fn page_with_a_stale_claim_shows_the_record(on: On) {
    let shop = Shop::new(on).await;
    let claims = json!([{"entity": "hall", "field": "seats", "value": 43_910}]);
    shop.say("The hall has 43910 seats.", json!({"claims": claims})).await;
    shop.compact().await;
    let read = async || shop.get("memories?q=hall&in=pages").await[0].clone();
    assert_eq!(read().await["claims"][0]["status"], "unverified");
    shop.app.advance(TimeDelta::seconds(1));
    let record = json!({"fields": {"seats": {"value": 600}}, "as_of": shop.app.now(), "source": "erp"});
    let source = shop.app.bearer(&shop.app.token("source", Some(shop.root)).text());
    source.put(&format!("/workspaces/{}/records/hall", shop.root), record).await.expect(200);
    let stale = read().await;
    assert_eq!(stale["claims"][0]["status"], "stale", "{stale}");
    assert!(stale["content"].as_str().is_some_and(|text| text.contains("600")), "{stale}");
    assert!(stale["content"].as_str().is_some_and(|text| !text.contains("43910")), "{stale}");
}

async fn pages_count_for_no_budget(on: On) {
    let shop = Shop::new(on).await;
    let (admin, path) = (shop.app.admin(), format!("/workspaces/{}/budget", shop.root));
    admin.put(&path, json!({"memories": 100})).await.expect(200);
    shop.app.agent(shop.bot).commit(shop.bot, "LOCAL", "one").await;
    let used = async || {
        let used = admin.get(&path).await.expect(200).json()["own"]["used"].clone();
        (used["memories"].clone(), used["bytes"].clone())
    };
    let before = used().await;
    shop.say("Deliver to the back door.", json!({})).await;
    shop.compact().await;
    assert_eq!(found(&shop, "in=pages").await.len(), 1);
    assert_eq!(used().await, before);
    // a new budget counts what is there
    admin.delete(&path).await.expect(200);
    admin.put(&path, json!({"memories": 50})).await.expect(200);
    assert_eq!(used().await, before);
}

async fn page_is_found_by_meaning_and_keeps_its_vector(on: On) {
    let embedder = StubEmbedder::start();
    let app = TestApp::builder(on).with("ORGMEM_EMBEDDER", embedder.address()).with("ORGMEM_EMBEDDING_MODEL", "first");
    let app = app.with("ORGMEM_EMBEDDING_KEY", "sk-stub").with("ORGMEM_EMBEDDING_TIMEOUT_SECONDS", "1").start().await;
    let shop = Shop::within(app).await;
    let kitten = shop.say("Our kitten sleeps all day", json!({})).await;
    shop.compact().await;
    embedded(&shop.app, 1).await;
    let feline = async || found(&shop, "q=feline&mode=semantic&in=memories,pages").await.len();
    assert_eq!(feline().await, 1);
    // another tier with the same text, and another placement
    let texts = embedder.texts().len();
    shop.say("It snores.", json!({"session_id": "s-2"})).await;
    shop.compact().await;
    embedded(&shop.app, 2).await;
    assert_eq!(embedder.texts()[texts..].iter().filter(|text| text.contains("kitten")).count(), 0);
    let path = shop.at(&format!("activity/{kitten}/redact"));
    shop.app.operator(shop.bot).post(&path, json!({"reason": "asked for"})).await.expect(200);
    assert_eq!(feline().await, 0);
}

async fn search_of_pages_refuses_conditions_on_confidence(on: On) {
    let shop = Shop::new(on).await;
    let agent = shop.app.agent(shop.bot);
    for query in ["min_confidence=0.4", "order=confidence"] {
        agent.get(&shop.at(&format!("memories?in=memories,pages&{query}"))).await.refused(400, "invalid_field");
        agent.get(&shop.at(&format!("memories?in=memories,documents&{query}"))).await.expect(200);
    }
    agent.get(&shop.at("memories?in=pages&tier=knowledge")).await.refused(400, "invalid_field");
}
