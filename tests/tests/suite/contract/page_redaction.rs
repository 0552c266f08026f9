//! What redaction, correction and erasure of episodes remove from pages.

use std::time::{Duration, Instant};

use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::pages::Shop;
use super::redacting::{is_in_files, is_in_tables};

for_each_store!(
    redacted_episode_leaves_its_page_at_once_and_the_rest_is_compacted_again,
    corrected_episode_leaves_its_page_at_once,
    erased_end_user_leaves_no_page,
    purged_workspace_leaves_no_page,
);

/// A unique text.
const MARK: &str = "archaeopteryx";

async fn redacted_episode_leaves_its_page_at_once_and_the_rest_is_compacted_again(on: On) {
    let shop = Shop::new(on).await;
    shop.say("Deliver to the back door.", json!({})).await;
    let secret = shop.say(&format!("My {MARK} is ill."), json!({})).await;
    let single = json!({"session_id": MARK, "correlation_id": MARK, "subject": MARK});
    let single = shop.say(&format!("The {MARK} again."), single).await;
    shop.compact().await;
    assert_eq!(shop.pages().await.len(), 2);
    assert!(is_in_tables(&shop.app, MARK));
    let operator = shop.app.operator(shop.bot);
    for episode in [secret, single] {
        let path = shop.at(&format!("activity/{episode}/redact"));
        operator.post(&path, json!({"reason": "asked for"})).await.expect(200);
    }
    assert_eq!(shop.pages().await.len(), 0, "hidden at once");
    assert!(!is_in_tables(&shop.app, MARK));
    let report = shop.compact().await;
    assert_eq!(report["left_out"]["redacted"], 2, "{report}");
    let page = shop.pages().await.pop().expect("of the rest");
    assert_eq!(page["content"], "agent: Deliver to the back door.");
    let until = Instant::now() + Duration::from_secs(60);
    while is_in_files(shop.app.folder(), MARK) {
        assert!(Instant::now() < until, "it stays in a file of the data folder");
        shop.pages().await;
    }
}

async fn corrected_episode_leaves_its_page_at_once(on: On) {
    let shop = Shop::new(on).await;
    let wrong = shop.say("Deliver to the front door.", json!({})).await;
    shop.compact().await;
    shop.say("Deliver to the back door.", json!({"supersedes": wrong})).await;
    assert_eq!(shop.pages().await.len(), 0, "hidden at once");
    shop.compact().await;
    assert_eq!(shop.pages().await[0]["content"], "agent: Deliver to the back door.");
}

async fn erased_end_user_leaves_no_page(on: On) {
    let shop = Shop::new(on).await;
    shop.say(&format!("My {MARK} is ill."), json!({"subject": MARK})).await;
    shop.say("Deliver to the back door.", json!({"session_id": "s-2"})).await;
    shop.compact().await;
    // not compacted yet
    shop.say(&format!("The {MARK} again."), json!({"subject": MARK, "session_id": "s-3"})).await;
    let erase = json!({"org_id": shop.root, "subject": MARK, "reason": "asked for"});
    shop.app.admin().post("/admin/erasures", erase).await.expect(200);
    assert!(!is_in_tables(&shop.app, MARK));
    assert_eq!(shop.pages().await.len(), 1);
    shop.compact().await;
    assert_eq!(shop.pages().await.len(), 1);
}

async fn purged_workspace_leaves_no_page(on: On) {
    let shop = Shop::new(on).await;
    shop.say(&format!("My {MARK} is ill."), json!({"subject": MARK, "session_id": MARK})).await;
    shop.compact().await;
    let path = format!("/workspaces/{}?purge=true", shop.bot);
    shop.app.operator(shop.root).delete(&path).await.expect(200);
    assert!(!is_in_tables(&shop.app, MARK));
}
