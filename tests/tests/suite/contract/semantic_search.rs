//! Semantic search, with working and failing embedders.

use std::time::Duration;

use orgmem_tests::{On, StubEmbedder, StubMode, TestApp, for_each_store};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    synonym_is_found_without_common_words,
    memory_is_found_by_any_of_its_sentences,
    unreadable_memory_does_not_affect_semantic_search,
    memory_is_found_by_words_without_the_embedder,
    failing_embedder_falls_back_to_words_with_a_warning,
    failing_embedder_calls_for_attention,
    rejected_text_does_not_block_others,
    edited_memory_is_embedded_again_and_redacted_one_is_removed,
    previous_model_serves_until_the_new_one_is_complete,
    queue_survives_a_restart,
    unusual_queries_work_in_every_mode,
    count_uses_the_mode_of_the_search,
);

async fn with(on: On, embedder: &StubEmbedder) -> TestApp {
    let app = TestApp::builder(on).with("ORGMEM_EMBEDDER", embedder.address()).with("ORGMEM_EMBEDDING_MODEL", "first");
    app.with("ORGMEM_EMBEDDING_KEY", "sk-stub").with("ORGMEM_EMBEDDING_TIMEOUT_SECONDS", "1").start().await
}

/// The value of a metric.
pub(super) async fn metric(app: &TestApp, name: &str) -> i64 {
    let metrics = app.anonymous().get("/metrics").await.expect(200).body;
    let metrics = String::from_utf8(metrics).expect("it is text");
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("there is no {name}"))
}

/// Waits until a metric reaches a value.
async fn until(app: &TestApp, name: &str, least: i64) {
    let come = async {
        while metric(app, name).await < least {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let came = tokio::time::timeout(Duration::from_secs(60), come).await;
    assert!(came.is_ok(), "{name} does not come to {least}");
}

pub(super) async fn embedded(app: &TestApp, least: i64) {
    until(app, "orgmem_embedding_embedded_total", least).await;
}

async fn synonym_is_found_without_common_words(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(bot);
    let car = agent.commit(bot, "TEAM", "The automobile is in the garage").await;
    let pet = agent.commit(bot, "TEAM", "Our kitten sleeps all day").await;
    let word = agent.commit(bot, "TEAM", "Parking rules of the vehicle fleet").await;
    embedded(&app, 3).await;
    let found = async |q: &str, mode: &str| app.agent(peer).search(peer, &[("q", q), ("mode", mode)]).await.ids();
    assert_eq!(found("who has a car", "keyword").await, Vec::<Uuid>::new());
    for mode in ["auto", "hybrid", "semantic"] {
        let mut ids = found("who has a car", mode).await;
        ids.sort_unstable();
        assert_eq!(ids, [car, word], "{mode}");
        assert_eq!(found("feline", mode).await, [pet], "{mode}");
    }
    // a match by words and meaning ranks before a match by one of them
    assert_eq!(found("car in the garage", "hybrid").await[0], car);
    let one = app.agent(peer).search(peer, &[("q", "feline")]).await.items().remove(0);
    assert!(one["similarity_score"].as_f64().is_some_and(|cosine| cosine > 0.9), "{one}");
    let one = app.agent(peer).search(peer, &[("q", "feline"), ("mode", "keyword")]).await.items();
    assert_eq!(one.len(), 0);
    assert!(embedder.keys().iter().all(|key| key == "Bearer sk-stub"));
    // author names are not embedded
    app.admin().patch(&format!("/workspaces/{peer}"), json!({"name": "Ada Smith"})).await.expect(200);
    agent.get(&format!("/workspaces/{bot}/memories?q=what+does+Ada+Smith+say&mode=hybrid")).await.expect(200);
    assert_eq!(embedder.texts().last().map(String::as_str), Some("what does I say"));
}

async fn memory_is_found_by_any_of_its_sentences(on: On) {
    let embedder = StubEmbedder::start();
    let mut app = with(on, &embedder).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let sentences = [
        "Invoices are approved by the finance lead on Mondays. ",
        "Our kitten sleeps in the server room whenever it rains. ",
        "Nobody has seen the stapler since the move to Berlin.",
    ];
    let much = agent.commit(bot, "TEAM", &sentences.concat()).await;
    embedded(&app, 1).await;
    assert_eq!(embedder.texts(), sentences);
    let found = agent.search(bot, &[("q", "feline"), ("mode", "semantic")]).await.items().remove(0);
    let single = agent.commit(bot, "TEAM", sentences[1]).await;
    embedded(&app, 2).await;
    let both = agent.search(bot, &[("q", "feline"), ("mode", "semantic")]).await.items();
    let cosine = |id: Uuid| both.iter().find(|one| one["id"] == json!(id)).map(|one| one["similarity_score"].clone());
    assert_eq!((found["id"].clone(), Some(found["similarity_score"].clone())), (json!(much), cosine(single)));
    assert_eq!(cosine(much), cosine(single), "{both:?}");
    // a restart does not change the scores
    app.restart().await;
    let again = app.agent(bot).search(bot, &[("q", "feline"), ("mode", "semantic")]).await.items();
    assert_eq!(again, both);
}

async fn unreadable_memory_does_not_affect_semantic_search(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme\n  left\n    a\n  right\n    b").await;
    let (a, b) = (org.id("a"), org.id("b"));
    let own = app.agent(a).commit(a, "LOCAL", "a physician").await;
    embedded(&app, 1).await;
    let without_others = app.agent(a).search(a, &[("q", "doctor"), ("mode", "hybrid")]).await.body;
    app.agent(b).commit(b, "TEAM", "the surgeon next door").await;
    app.agent(b).commit(b, "LOCAL", "a doctor, quite literally").await;
    embedded(&app, 3).await;
    let with_others = app.agent(a).search(a, &[("q", "doctor"), ("mode", "hybrid")]).await;
    assert_eq!(with_others.ids(), [own]);
    assert_eq!(with_others.body, without_others);
}

async fn memory_is_found_by_words_without_the_embedder(on: On) {
    let embedder = StubEmbedder::start();
    embedder.set_mode(StubMode::Hanging);
    let app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let id = app.agent(acme).commit(acme, "LOCAL", "releases happen on tuesdays").await;
    let found = app.agent(acme).search(acme, &[("q", "tuesdays"), ("mode", "keyword")]).await;
    assert_eq!(found.ids(), [id]);
    assert_eq!(app.agent(acme).search(acme, &[("q", "tuesdays")]).await.ids(), [id]);
}

async fn failing_embedder_falls_back_to_words_with_a_warning(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let agent = app.agent(acme);
    let id = agent.commit(acme, "LOCAL", "the car stands outside").await;
    embedded(&app, 1).await;
    for (mode, why) in [
        (StubMode::Error, "500"),
        (StubMode::RateLimited, "429"),
        (StubMode::Hanging, "in time"),
        (StubMode::ShortVectors, "a vector of 3 numbers, and those before had 7"),
        (StubMode::UnknownFormat, "not that of an embedder"),
    ] {
        embedder.set_mode(mode);
        // a new query for each mode avoids the cache
        let query = format!("stands {mode:?}");
        assert_eq!(agent.search(acme, &[("q", &query)]).await.ids(), [id], "{mode:?}");
        let path = format!("/workspaces/{acme}/memories?mode=hybrid&q=automobile+{mode:?}");
        let refused = agent.get(&path).await.expect(503).json();
        assert_eq!(refused["code"], "unavailable", "{mode:?}");
        assert!(refused["detail"].as_str().is_some_and(|detail| detail.contains(why)), "{mode:?}: {refused}");
        assert_eq!(metric(&app, "orgmem_embedding_up").await, 0, "{mode:?}");
    }
    // a successful query marks the embedder as healthy
    embedder.set_mode(StubMode::Normal);
    agent.get(&format!("/workspaces/{acme}/memories?mode=hybrid&q=well+again")).await.expect(200);
    assert_eq!(metric(&app, "orgmem_embedding_up").await, 1);
    embedder.set_mode(StubMode::UnknownFormat);
    // commits during the failure are embedded later
    let later = agent.commit(acme, "LOCAL", "an automobile, seen later").await;
    let failed = metric(&app, "orgmem_embedding_failed_total").await;
    until(&app, "orgmem_embedding_failed_total", failed + 1).await;
    assert_eq!(metric(&app, "orgmem_embedding_embedded_total").await, 1);
    embedder.set_mode(StubMode::Normal);
    embedded(&app, 2).await;
    let mut found = agent.search(acme, &[("q", "vehicle")]).await.ids();
    found.sort_unstable();
    assert_eq!(found, [id, later]);
    assert_eq!(metric(&app, "orgmem_embedding_up").await, 1);
}

async fn rejected_text_does_not_block_others(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let agent = app.agent(acme);
    let memory = |number: usize| {
        let content = match number {
            3 => "an unbearable text".to_owned(),
            5 => "an unspeakable text".to_owned(),
            _ => format!("car number {number}"),
        };
        json!({"content": content, "scope": "LOCAL"})
    };
    let batch = json!({"memories": (0..8).map(memory).collect::<Vec<_>>()});
    agent.post(&format!("/workspaces/{acme}/memories/batch"), batch).await.expect(200);
    embedded(&app, 6).await;
    assert_eq!(metric(&app, "orgmem_embedding_refused_total").await, 2);
    assert_eq!(agent.search(acme, &[("q", "automobile")]).await.ids().len(), 6);
    assert_eq!(agent.search(acme, &[("q", "unbearable"), ("mode", "keyword")]).await.ids().len(), 1);
}

async fn edited_memory_is_embedded_again_and_redacted_one_is_removed(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let agent = app.agent(bot);
    let (edited, pinned) =
        (agent.commit(bot, "LOCAL", "a kitten").await, agent.commit(bot, "LOCAL", "the physician").await);
    let redacted = agent.commit(bot, "LOCAL", "money back, please").await;
    embedded(&app, 3).await;
    let at = |id: Uuid, rest: &str| format!("/workspaces/{bot}/memories/{id}{rest}");
    let query_string = embedder.texts().len();
    agent.patch(&at(pinned, ""), json!({"pin": true})).await.expect(200);
    agent.patch(&at(edited, ""), json!({"content": "an automobile"})).await.expect(200);
    embedded(&app, 4).await;
    // a pin does not change the embedding
    assert_eq!(embedder.texts()[query_string..], ["an automobile"]);
    let found = async |q: &str| agent.search(bot, &[("q", q), ("mode", "semantic")]).await.ids();
    assert_eq!(found("car").await, [edited]);
    assert_eq!(found("feline").await, Vec::<Uuid>::new());
    assert_eq!(found("doctor").await, [pinned]);
    app.operator(bot).post(&at(redacted, "/redact"), json!({"reason": "leaked"})).await.expect(200);
    assert_eq!(found("refund").await, Vec::<Uuid>::new());
    let vectors = "SELECT CAST(count(*) AS TEXT) AS line FROM memory_index WHERE vector IS NOT NULL";
    assert_eq!(app.tables().try_query(vectors).expect("the query succeeds"), ["2"], "nothing of its vector is left");
}

async fn previous_model_serves_until_the_new_one_is_complete(on: On) {
    let embedder = StubEmbedder::start();
    let mut app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let id = app.agent(acme).commit(acme, "LOCAL", "an automobile").await;
    embedded(&app, 1).await;
    app.set("ORGMEM_EMBEDDING_MODEL", "second");
    app.restart().await;
    // with or without the new embedding
    assert_eq!(app.agent(acme).search(acme, &[("q", "car"), ("mode", "semantic")]).await.ids(), [id]);
    embedded(&app, 1).await;
    assert_eq!(app.agent(acme).search(acme, &[("q", "vehicle"), ("mode", "semantic")]).await.ids(), [id]);
}

async fn queue_survives_a_restart(on: On) {
    let embedder = StubEmbedder::start();
    embedder.set_mode(StubMode::Error);
    let mut app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let id = app.agent(acme).commit(acme, "LOCAL", "a rollout").await;
    app.stop().await;
    embedder.set_mode(StubMode::Normal);
    app.restart().await;
    embedded(&app, 1).await;
    assert_eq!(app.agent(acme).search(acme, &[("q", "deploy"), ("mode", "semantic")]).await.ids(), [id]);
}

async fn unusual_queries_work_in_every_mode(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    app.agent(acme).commit(acme, "LOCAL", "an automobile").await;
    embedded(&app, 1).await;
    let long = "car ".repeat(1_500);
    let odd = ["\"", "AND OR NOT", "🤖", "x", "the of and", "水管 car труба", "a\u{0}b", "*", "-", &long];
    for mode in ["auto", "keyword", "semantic", "hybrid"] {
        for q in odd {
            let path = orgmem_tests::with_query(&format!("/workspaces/{acme}/memories"), &[("q", q), ("mode", mode)]);
            let status = app.agent(acme).get(&path).await.status;
            assert!(matches!(status, 200 | 400 | 414), "{mode} {q:.20}: {status}");
        }
    }
}

async fn count_uses_the_mode_of_the_search(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let agent = app.agent(peer);
    app.agent(bot).commit(bot, "TEAM", "The automobile is in the garage").await;
    app.agent(bot).commit(bot, "TEAM", "Parking rules of the vehicle fleet").await;
    app.agent(bot).commit(bot, "LOCAL", "The vehicle that nobody else may see").await;
    agent.commit(peer, "LOCAL", "A kitten sleeps in the garage").await;
    embedded(&app, 4).await;
    let memories = format!("/workspaces/{peer}/memories");
    let counted = async |query_string: &str| {
        agent.get(&format!("{memories}/count?{query_string}")).await.expect(200).json()["count"].clone()
    };
    for q in ["car", "garage", "the+car+in+the+garage", "feline+vehicle", "%22", ""] {
        for how in
            ["mode=auto", "mode=keyword", "mode=semantic", "mode=hybrid", "mode=semantic&scope=LOCAL", "scope=TEAM"]
        {
            let query_string = format!("q={q}&{how}");
            let found = agent.get(&format!("{memories}?{query_string}")).await.expect(200).items().len();
            assert_eq!(counted(&query_string).await, json!(found), "{query_string}");
        }
    }
    assert_eq!([counted("q=car&mode=keyword").await, counted("q=car&mode=semantic").await], [json!(0), json!(2)]);
    assert_eq!(counted("q=car").await, json!(2), "without a mode as with `auto`");
    agent.get(&format!("{memories}/count?mode=guess")).await.refused(400, "invalid_field");
    embedder.set_mode(StubMode::Error);
    agent.get(&format!("{memories}/count?q=doctor&mode=semantic")).await.refused(503, "unavailable");
    assert_eq!(counted("q=doctor&mode=keyword").await, json!(0));
    let bare = TestApp::new(on).await;
    let acme = bare.plant("acme").await.id("acme");
    let path = format!("/workspaces/{acme}/memories/count?q=car&mode=semantic");
    bare.agent(acme).get(&path).await.refused(400, "not_configured");
}

async fn failing_embedder_calls_for_attention(on: On) {
    let embedder = StubEmbedder::start();
    let app = with(on, &embedder).await;
    let acme = app.plant("acme").await.id("acme");
    let agent = app.agent(acme);
    agent.commit(acme, "LOCAL", "the car is outside").await;
    embedded(&app, 1).await;
    let attention = async || app.admin().get("/admin/tree?days=1").await.expect(200).json()["attention"].clone();
    assert_eq!(attention().await, serde_json::json!([]));
    embedder.set_mode(StubMode::Error);
    let search = async |q: &str| agent.get(&format!("/workspaces/{acme}/memories?mode=semantic&q={q}")).await;
    search("automobile").await.refused(503, "unavailable");
    let shown = attention().await;
    assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
    assert_eq!((shown[0]["kind"].as_str(), shown[0].get("org_id")), (Some("embedder_failing"), None), "{shown}");
    assert!(shown[0]["detail"].as_str().is_some_and(|detail| detail.contains(embedder.address())), "{shown}");
    embedder.set_mode(StubMode::Normal);
    search("vehicle").await.expect(200);
    assert_eq!(attention().await, serde_json::json!([]));
}
