//! Pages that the profile of their workspace shares with its teams, or a root's with the whole org.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::pages::Shop;

for_each_store!(
    pages_are_shared_and_withdrawn_by_the_profile_at_once,
    only_a_root_shares_its_pages_with_the_org,
    shared_pages_keep_the_rules_of_author_and_reader,
);

async fn set(shop: &Shop, workspace: Uuid, settings: Value) {
    let path = format!("/workspaces/{workspace}/profiles/{workspace}");
    shop.app.admin().patch(&path, settings).await.expect(200);
}

/// The pages that a workspace finds.
async fn found(shop: &Shop, reader: Uuid, query: &str) -> Vec<Value> {
    found_on(&shop.app, reader, query).await
}

async fn found_on(server: &TestApp, reader: Uuid, query: &str) -> Vec<Value> {
    let path = format!("/workspaces/{reader}/memories?in=memories,pages{query}");
    server.agent(reader).get(&path).await.expect(200).items()
}

#[test]
fn another_server_shares_and_withdraws_pages_at_once() {
    orgmem_tests::run(async {
        let shop = Shop::new(On::Postgres).await;
        let other = shop.app.second_server().await;
        shop.say("Deliver to the back door.", json!({})).await;
        shop.compact().await;
        let id = shop.pages().await[0]["id"].as_str().expect("an id").to_owned();
        let path = format!("/workspaces/{}/pages/{id}", shop.peer);
        for (scope, count) in [("LOCAL", 0), ("TEAM", 1), ("LOCAL", 0), ("TEAM", 1)] {
            set(&shop, shop.bot, json!({"page_scope": scope})).await;
            assert_eq!(found_on(&other, shop.peer, "&q=door").await.len(), count, "{scope}");
            let read = other.agent(shop.peer).get(&path).await;
            assert_eq!(read.status, if count == 1 { 200 } else { 404 }, "{scope}");
        }
    });
}

async fn pages_are_shared_and_withdrawn_by_the_profile_at_once(on: On) {
    let shop = Shop::new(on).await;
    let other = shop.app.admin().create("other", Some(shop.peer)).await;
    shop.say("Deliver to the back door.", json!({})).await;
    shop.compact().await;
    let id = shop.pages().await[0]["id"].as_str().expect("an id").to_owned();
    let peer = shop.app.agent(shop.peer);
    let own = |rest: &str| format!("/workspaces/{}/{rest}", shop.peer);
    for (scope, count) in [("LOCAL", 0), ("TEAM", 1), ("LOCAL", 0), ("TEAM", 1)] {
        set(&shop, shop.bot, json!({"page_scope": scope})).await;
        assert_eq!(found(&shop, shop.peer, "&q=door").await.len(), count, "{scope}");
        assert_eq!(found(&shop, shop.root, "&q=door").await.len(), count, "{scope}");
        assert_eq!(found(&shop, other, "&q=door").await.len(), 0, "not of a team of `bot`");
        assert_eq!(found(&shop, shop.bot, &format!("&q=door&scope={scope}")).await.len(), 1);
        let read = peer.get(&own(&format!("pages/{id}"))).await;
        assert_eq!(read.status, if count == 1 { 200 } else { 404 }, "{scope}");
    }
    let page = found(&shop, shop.peer, "&q=door").await[0].clone();
    assert_eq!((&page["scope"], &page["via"]), (&json!("TEAM"), &json!("sibling")), "{page}");
    assert_eq!((&page["id"], &page["workspace_id"]), (&json!(id), &json!(shop.bot)));
    assert!(page["content"].as_str().is_some_and(|text| text.contains("from=page")), "{page}");
    assert_eq!(found(&shop, shop.peer, "&q=door&scope=LOCAL").await.len(), 0);
    assert_eq!(found(&shop, shop.peer, &format!("&q=door&author={}", shop.bot)).await.len(), 1);
    // the list, the episodes and the working set are those of the own workspace
    assert_eq!(peer.get(&own("pages")).await.expect(200).items(), Vec::<Value>::new());
    peer.get(&own(&format!("pages/{id}/sources"))).await.refused(404, "not_found");
    let log = shop.app.admin().get(&own("access-log?action=read_page")).await.expect(200).items();
    assert_eq!((log.len(), &log[0]["context"]["page_id"]), (2, &json!(id)));
}

async fn only_a_root_shares_its_pages_with_the_org(on: On) {
    let shop = Shop::new(on).await;
    let path = format!("/workspaces/{0}/profiles/{0}", shop.bot);
    let admin = shop.app.admin();
    let refused = admin.patch(&path, json!({"page_scope": "GLOBAL"})).await;
    assert_eq!(refused.status, 403, "{:?}", String::from_utf8_lossy(&refused.body));
    let episode = super::pages::said("The office closes at noon.", json!({}));
    let at = |rest: &str| format!("/workspaces/{}/{rest}", shop.root);
    let agent = shop.app.agent(shop.root);
    agent.post(&at("activity"), episode).await.expect(201);
    agent.post(&at("pages/compact"), json!({})).await.expect(200);
    assert_eq!(found(&shop, shop.bot, "&q=office").await.len(), 0);
    set(&shop, shop.root, json!({"page_scope": "GLOBAL"})).await;
    let page = found(&shop, shop.bot, "&q=office").await[0].clone();
    assert_eq!((&page["scope"], &page["via"]), (&json!("GLOBAL"), &json!("org")), "{page}");
    set(&shop, shop.bot, json!({"isolation": "team"})).await;
    assert_eq!(found(&shop, shop.bot, "&q=office").await.len(), 0, "the reader's isolation");
}

async fn shared_pages_keep_the_rules_of_author_and_reader(on: On) {
    let shop = Shop::new(on).await;
    shop.say("I like oat milk.", json!({"kind": "taste"})).await;
    let eve = json!({"kind": "delivery", "subject": "eve", "session_id": "s-2"});
    let secret = shop.say("Milk to the back door.", eve).await;
    shop.compact().await;
    set(&shop, shop.bot, json!({"page_scope": "TEAM"})).await;
    let milk = async |more: &str| found(&shop, shop.peer, &format!("&q=milk{more}")).await.len();
    assert_eq!(milk("").await, 2);
    set(&shop, shop.peer, json!({"excluded_kinds": ["taste"]})).await;
    assert_eq!(milk("").await, 1, "the reader's");
    set(&shop, shop.peer, json!({"excluded_kinds": [], "subjects": "separate"})).await;
    assert_eq!([milk("").await, milk("&subject=eve").await, milk("&subject=ada").await], [0, 1, 1]);
    set(&shop, shop.peer, json!({"subjects": "open"})).await;
    set(&shop, shop.bot, json!({"excluded_kinds": ["delivery"]})).await;
    assert_eq!(milk("").await, 1, "the author's");
    let id = shop.app.admin().get(&shop.at("pages?subject=ada")).await.expect(200).ids().pop().expect("a page");
    let peer = shop.app.agent(shop.peer);
    peer.get(&format!("/workspaces/{}/pages/{id}", shop.peer)).await.expect(200);
    set(&shop, shop.bot, json!({"excluded_kinds": ["taste"]})).await;
    peer.get(&format!("/workspaces/{}/pages/{id}", shop.peer)).await.refused(404, "not_found");
    assert_eq!(milk("").await, 1);
    let path = shop.at(&format!("activity/{secret}/redact"));
    shop.app.operator(shop.bot).post(&path, json!({"reason": "asked for"})).await.expect(200);
    assert_eq!(milk("").await, 0, "a redaction");
}
