//! Searches in the order of a reranker, with working and failing rerankers.

use std::path::Path;

use orgmem_tests::{On, RerankMode, StubEmbedder, StubReranker, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::semantic_search::{embedded, metric};

for_each_store!(
    results_have_the_order_of_the_reranker,
    pages_of_a_reranked_search_list_each_result_once,
    failing_reranker_leaves_the_order_of_the_search,
    failing_reranker_calls_for_attention,
    only_scored_searches_call_the_reranker,
    unreadable_text_is_never_sent,
    memory_that_changes_while_the_reranker_works_is_scored_or_absent,
    endpoint_without_a_model_gets_its_own_form_in_parts,
    passages_are_reranked_too,
    cross_encoder_in_a_folder_orders_results,
);

async fn with(on: On, reranker: &StubReranker) -> TestApp {
    let app = TestApp::builder(on).with("ORGMEM_RERANKER", reranker.address()).with("ORGMEM_RERANKING_MODEL", "first");
    app.with("ORGMEM_RERANKING_KEY", "sk-rerank").with("ORGMEM_RERANKING_TIMEOUT_MS", "5000").start().await
}

/// Commits memories that match `falcon`, in a few requests. The reranker prefers those that are worth more.
async fn commit_worth(app: &TestApp, workspace: Uuid, worth: impl IntoIterator<Item = usize>) {
    let memory = |worth: usize| {
        // the order of the search depends on the length of the text, and that of the reranker does not
        let rest = "the wind blows over the hill ".repeat(worth % 7);
        json!({"scope": "LOCAL", "content": format!("falcon number worth {worth} {rest}")})
    };
    let memories: Vec<Value> = worth.into_iter().map(memory).collect();
    for part in memories.chunks(50) {
        let path = format!("/workspaces/{workspace}/memories/batch");
        app.agent(workspace).post(&path, json!({"memories": part})).await.expect(200);
    }
}

fn worth(item: &Value) -> i64 {
    let content = item["content"].as_str().unwrap_or_default();
    let mut words = content.split_whitespace().skip_while(|word| *word != "worth").skip(1);
    words.next().and_then(|word| word.parse().ok()).unwrap_or(-1)
}

async fn results_have_the_order_of_the_reranker(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    commit_worth(&app, bot, [3, 9, 1, 12, 7]).await;
    let titled = json!({"scope": "LOCAL", "title": "worth 8", "content": "a falcon with a title"});
    agent.commit_with(bot, titled).await;
    let by_words = agent.search(bot, &[("q", "falcon"), ("mode", "keyword"), ("explain", "true")]).await.items();
    let found = agent.search(bot, &[("q", "falcon"), ("explain", "true")]).await.items();
    let order: Vec<i64> = found.iter().map(worth).collect();
    assert_eq!(order, [12, 9, -1, 7, 3, 1]);
    for (rank, item) in (1..).zip(&found) {
        let before = by_words.iter().find(|before| before["id"] == item["id"]).expect("words find it too");
        let explanation = &item["explanation"];
        assert_eq!((&explanation["rank"], &item["score"]), (&json!(rank), &before["score"]), "{item}");
        assert_eq!(explanation["reranked"]["from_rank"], before["explanation"]["rank"], "{item}");
        assert_eq!(before["explanation"].get("reranked"), None, "{before}");
    }
    assert_eq!(found[2]["explanation"]["reranked"]["score"], 8.0);
    let requests = reranker.requests();
    assert_eq!((requests.len(), reranker.keys()), (1, vec!["Bearer sk-rerank".to_owned()]));
    let mut request = requests[0].clone();
    let texts = request["documents"].take();
    let expected =
        json!({"model": "first", "query": "falcon", "documents": null, "top_n": 6, "return_documents": false});
    assert_eq!(request, expected);
    assert!(texts.as_array().is_some_and(|texts| texts.contains(&json!("worth 8\na falcon with a title"))), "{texts}");
    // the scores are cached
    let best = agent.search(bot, &[("q", "falcon"), ("limit", "2")]).await.items();
    assert_eq!(best.iter().map(worth).collect::<Vec<_>>(), [12, 9]);
    assert_eq!(reranker.requests().len(), 1);
}

async fn pages_of_a_reranked_search_list_each_result_once(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    // in no order
    commit_worth(&app, bot, (0..67).map(|number| number * 29 % 67)).await;
    let path = format!("/workspaces/{bot}/memories?q=falcon");
    let (by_words, _) = agent.all_pages(&format!("{path}&mode=keyword")).await;
    let mut expected: Vec<i64> = by_words.iter().map(worth).collect();
    expected[..50].sort_unstable_by(|a, b| b.cmp(a));
    for (limit, pages) in [(7, 10), (10, 7), (50, 2), (49, 2), (1, 67)] {
        let (items, count) = agent.all_pages(&format!("{path}&limit={limit}&explain=true")).await;
        assert_eq!(items.iter().map(worth).collect::<Vec<_>>(), expected, "{limit}");
        assert_eq!(count, pages, "{limit}");
        let ranks: Vec<Value> = items.iter().map(|item| item["explanation"]["rank"].clone()).collect();
        assert_eq!(ranks, (1..=67).map(|rank| json!(rank)).collect::<Vec<_>>(), "{limit}");
    }
    assert_eq!(reranker.requests().len(), 1, "the scores are cached");
    // later pages depend neither on the reranker nor on later commits
    let first = agent.get(&format!("{path}&limit=30")).await.expect(200);
    reranker.set_mode(RerankMode::Error);
    commit_worth(&app, bot, [500]).await;
    let gone = expected[40];
    let id = by_words.iter().find(|item| worth(item) == gone).expect("it is there")["id"].clone();
    agent.delete(&format!("/workspaces/{bot}/memories/{}", id.as_str().expect("an id"))).await.expect(200);
    let (rest, _) = agent.all_pages(&first.next().expect("there is more")).await;
    let listed: Vec<i64> = first.items().iter().chain(&rest).map(worth).collect();
    expected.retain(|worth| *worth != gone);
    assert_eq!(listed, expected);
    assert_eq!(reranker.requests().len(), 1);
    for cursor in ["WyJyZXJhbmtlZCIsWzEsMixudWxsLCJBQSJdXQ", "WyJyZXJhbmtlZCIsMV0"] {
        agent.get(&format!("{path}&cursor={cursor}")).await.refused(400, "invalid_cursor");
    }
}

async fn failing_reranker_leaves_the_order_of_the_search(on: On) {
    let reranker = StubReranker::start();
    let app = TestApp::builder(on).with("ORGMEM_RERANKER", reranker.address()).with("ORGMEM_RERANKING_MODEL", "first");
    // the hanging one takes all of it
    let app = app.with("ORGMEM_RERANKING_TIMEOUT_MS", "1500").start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    commit_worth(&app, bot, [3, 9, 1, 12, 7]).await;
    for (failures, (mode, why)) in (1..).zip(RerankMode::FAULTS) {
        reranker.set_mode(mode);
        // a new query for each mode avoids the cache
        let q = format!("falcon {mode:?}");
        let by_words = agent.search(bot, &[("q", &q), ("mode", "keyword"), ("limit", "3")]).await;
        let found = agent.search(bot, &[("q", &q), ("limit", "3")]).await;
        assert_eq!(found.items(), by_words.items(), "{mode:?}");
        assert_eq!(found.next().is_some(), by_words.next().is_some(), "{mode:?}");
        assert_eq!(metric(&app, "orgmem_reranker_failed_total").await, failures, "{mode:?}");
        assert_eq!(metric(&app, "orgmem_reranker_up").await, 0, "{mode:?}");
        let stats = app.admin().get("/admin/stats").await.expect(200).json()["reranker"].clone();
        assert!(stats["failing"].as_str().is_some_and(|error| error.contains(why)), "{mode:?}: {stats}");
    }
    reranker.set_mode(RerankMode::Normal);
    let found = agent.search(bot, &[("q", "falcon well again")]).await.items();
    assert_eq!(found.iter().map(worth).collect::<Vec<_>>(), [12, 9, 7, 3, 1]);
    assert_eq!(metric(&app, "orgmem_reranker_up").await, 1);
    assert_eq!(metric(&app, "orgmem_reranker_succeeded_total").await, 1);
}

async fn failing_reranker_calls_for_attention(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    commit_worth(&app, bot, [1, 2]).await;
    let attention = async || app.admin().get("/admin/tree?days=1").await.expect(200).json()["attention"].clone();
    reranker.set_mode(RerankMode::Error);
    app.agent(bot).search(bot, &[("q", "falcon")]).await;
    let shown = attention().await;
    assert_eq!((shown[0]["kind"].as_str(), shown[0].get("org_id")), (Some("reranker_failing"), None), "{shown}");
    assert!(shown[0]["detail"].as_str().is_some_and(|detail| detail.contains(reranker.address())), "{shown}");
    reranker.set_mode(RerankMode::Normal);
    app.agent(bot).search(bot, &[("q", "falcon")]).await;
    assert_eq!(attention().await, json!([]));
}

async fn only_scored_searches_call_the_reranker(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    commit_worth(&app, bot, [1, 2, 3]).await;
    let others: [&[(&str, &str)]; 6] = [
        &[("q", "falcon"), ("mode", "keyword")],
        &[("q", "falcon"), ("order", "recent")],
        &[("q", "falcon"), ("order", "confidence")],
        &[("q", "  ")],
        &[],
        &[("q", "nothing like it")],
    ];
    for query in others {
        agent.search(bot, query).await;
    }
    let path = format!("/workspaces/{bot}/memories/count?q=falcon");
    agent.get(&path).await.expect(200);
    agent.post(&format!("/workspaces/{bot}/context"), json!({"query": "falcon"})).await.expect(200);
    assert_eq!(reranker.requests(), Vec::<Value>::new());
    // with its calls a search is one search of the budget
    let admin = app.admin();
    let budget = json!({"searches_per_minute": 2});
    admin.request("PUT", &format!("/workspaces/{bot}/budget")).json(budget).send().await.expect(200);
    for q in ["falcon", "falcon worth"] {
        agent.search(bot, &[("q", q)]).await;
    }
    assert_eq!(reranker.requests().len(), 2);
    agent.get(&format!("/workspaces/{bot}/memories?q=falcons")).await.refused(429, "rate_limited");
    assert_eq!(reranker.requests().len(), 2, "a refused search calls nothing");
}

async fn unreadable_text_is_never_sent(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let org = app.plant("acme\n  left\n    a\n  right\n    b").await;
    let (a, b) = (org.id("a"), org.id("b"));
    let other = app.admin().create("globex", None).await;
    commit_worth(&app, a, [1, 2]).await;
    for workspace in [b, other] {
        app.agent(workspace).commit(workspace, "LOCAL", "a secret falcon worth 100").await;
        app.agent(workspace).commit(workspace, "TEAM", "a falcon of the team worth 90").await;
    }
    let found = app.agent(a).search(a, &[("q", "falcon")]).await.items();
    assert_eq!(found.iter().map(worth).collect::<Vec<_>>(), [2, 1]);
    assert!(reranker.texts().iter().all(|text| text.starts_with("falcon number")), "{:?}", reranker.texts());
    // a caller without access causes no call
    let calls = reranker.requests().len();
    app.agent(other).get(&format!("/workspaces/{a}/memories?q=falcon+number")).await.expect(404);
    assert_eq!(reranker.requests().len(), calls);
}

async fn memory_that_changes_while_the_reranker_works_is_scored_or_absent(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    commit_worth(&app, bot, [3, 9]).await;
    let edited = agent.commit(bot, "LOCAL", "falcon worth 5").await;
    let removed = agent.commit(bot, "LOCAL", "falcon worth 70").await;
    reranker.set_mode(RerankMode::Held);
    let searching = agent.search(bot, &[("q", "falcon")]);
    let changing = async {
        reranker.arrived().await;
        agent.delete(&format!("/workspaces/{bot}/memories/{removed}")).await.expect(200);
        let path = format!("/workspaces/{bot}/memories/{edited}");
        agent.patch(&path, json!({"content": "falcon worth 40"})).await.expect(200);
        agent.commit(bot, "LOCAL", "falcon worth 6").await;
        reranker.set_mode(RerankMode::Normal);
        reranker.release();
    };
    let (found, ()) = tokio::join!(searching, changing);
    assert_eq!(found.items().iter().map(worth).collect::<Vec<_>>(), [40, 9, 6, 3]);
    let mut second: Vec<String> = reranker.texts().split_off(4);
    second.sort_unstable();
    assert_eq!(second, ["falcon worth 40", "falcon worth 6"], "only texts without a score are sent again");
}

async fn endpoint_without_a_model_gets_its_own_form_in_parts(on: On) {
    let reranker = StubReranker::start();
    let app = TestApp::builder(on).with("ORGMEM_RERANKER", &format!("{}/", reranker.address()));
    let app = app.with("ORGMEM_RERANKING_TIMEOUT_MS", "5000").start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    commit_worth(&app, bot, (0..40).map(|number| number * 7 % 40)).await;
    let found = app.agent(bot).search(bot, &[("q", "falcon")]).await.items();
    assert_eq!(found.iter().map(worth).collect::<Vec<_>>(), (0..40).rev().collect::<Vec<_>>());
    let requests = reranker.requests();
    let mut counts: Vec<usize> =
        requests.iter().map(|request| request["texts"].as_array().map_or(0, Vec::len)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [8, 32]);
    assert!(requests.iter().all(|request| request["truncate"] == json!(true) && request.get("model").is_none()));
    assert!(reranker.keys().iter().all(String::is_empty));
}

async fn passages_are_reranked_too(on: On) {
    let reranker = StubReranker::start();
    let app = with(on, &reranker).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    commit_worth(&app, bot, [3, 9]).await;
    let document = json!({
        "title": "Birds", "content": "# Falcons\n\nThe falcon is worth 7 doves.\n", "media_type": "text/markdown",
        "scope": "LOCAL",
    });
    agent.post(&format!("/workspaces/{bot}/documents"), document).await.expect(201);
    let found = agent.search(bot, &[("q", "falcon"), ("in", "memories,documents")]).await.items();
    let types: Vec<(i64, &str)> =
        found.iter().map(|item| (worth(item), item["type"].as_str().unwrap_or_default())).collect();
    assert_eq!(types, [(9, "memory"), (7, "passage"), (3, "memory")], "{found:?}");
}

async fn cross_encoder_in_a_folder_orders_results(on: On) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/embed/tests/models/cross-bert");
    let scores = std::fs::read(folder.join("scores.json")).expect("the model has scores");
    let scores: Value = serde_json::from_slice(&scores).expect("they are JSON");
    // the stub gives texts without known words the same vector, so this query finds all of them
    let (query, texts) = (&scores["queries"][1], [1, 2, 3, 5, 6]);
    let embedder = StubEmbedder::start();
    let app = TestApp::builder(on).with("ORGMEM_EMBEDDER", embedder.address()).with("ORGMEM_EMBEDDING_MODEL", "first");
    let app = app.with("ORGMEM_RERANKER", &folder.display().to_string()).with("ORGMEM_RERANKING_TIMEOUT_MS", "10000");
    let app = app.start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let mut expected = Vec::new();
    for index in texts {
        let content = scores["passages"][index].as_str().expect("a text");
        let id = agent.commit(bot, "LOCAL", content).await;
        expected.push((scores["scores"][1][index].as_f64().expect("a number"), id));
    }
    embedded(&app, 5).await;
    expected.sort_by(|a, b| b.0.total_cmp(&a.0));
    let query = query.as_str().expect("a text");
    let found = agent.search(bot, &[("q", query), ("mode", "semantic"), ("explain", "true")]).await;
    assert_eq!(found.ids(), expected.iter().map(|(_, id)| *id).collect::<Vec<_>>());
    for (item, (should, _)) in found.items().iter().zip(&expected) {
        let is = item["explanation"]["reranked"]["score"].as_f64().expect("a score");
        assert!((is - should).abs() < 2e-4, "{is} is not {should}");
    }
    assert_eq!(metric(&app, "orgmem_reranker_succeeded_total").await, 1);
}
