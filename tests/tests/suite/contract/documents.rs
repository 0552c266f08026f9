//! Documents: versions, passages, reach, removal, and that searches of memories do not see them.

use chrono::TimeDelta;
use orgmem_tests::{On, Response, StubEmbedder, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::semantic_search::embedded;

for_each_store!(
    document_is_stored_in_passages_and_read_again,
    upload_of_the_same_content_changes_nothing,
    edit_leaves_unchanged_passages_as_they_are,
    passages_are_found_with_document_headings_and_offsets,
    order_of_memories_is_the_same_with_and_without_documents,
    memories_and_passages_share_one_ranking,
    document_follows_the_reach_of_its_scope,
    credential_in_a_document_is_replaced_before_it_is_cut,
    invalid_fields_are_refused,
    list_filters_and_continues_by_cursor,
    passages_are_found_by_meaning_and_keep_their_vectors,
);

pub(super) const GUIDE: &str = "# Returns\n\nA parcel may come back within thirty days.\n\n## Costs\n\nThe courier is free of \
     charge.\n\n# Warranty\n\nTwo years on every lamp.\n";

pub(super) struct Library {
    pub(super) app: TestApp,
    pub(super) lead: Uuid,
    pub(super) bot: Uuid,
    pub(super) peer: Uuid,
}

impl Library {
    pub(super) async fn new(on: On) -> Self {
        Self::on(TestApp::new(on).await).await
    }

    async fn with_embedder(on: On, embedder: &StubEmbedder) -> Self {
        let app =
            TestApp::builder(on).with("ORGMEM_EMBEDDER", embedder.address()).with("ORGMEM_EMBEDDING_MODEL", "first");
        Self::on(app.start().await).await
    }

    async fn on(app: TestApp) -> Self {
        let org = app.plant("acme\n  lead\n    bot\n    peer").await;
        Self { lead: org.id("lead"), bot: org.id("bot"), peer: org.id("peer"), app }
    }

    pub(super) fn at(&self, workspace: Uuid, rest: &str) -> String {
        format!("/workspaces/{workspace}/{rest}")
    }

    pub(super) async fn try_add(&self, workspace: Uuid, more: Value) -> Response {
        let mut document =
            json!({"title": "Handbook", "content": GUIDE, "media_type": "text/markdown", "scope": "LOCAL"});
        for (name, value) in more.as_object().expect("an object") {
            document[name] = value.clone();
        }
        self.app.agent(workspace).post(&self.at(workspace, "documents"), document).await
    }

    pub(super) async fn add(&self, workspace: Uuid, more: Value) -> Value {
        self.try_add(workspace, more).await.expect(201).json()
    }

    pub(super) async fn search(&self, workspace: Uuid, within: &str, query: &str) -> Vec<Value> {
        let query = [("in", within), ("q", query), ("limit", "20")];
        self.app.operator(workspace).search(workspace, &query).await.expect(200).items()
    }

    fn texts(found: &[Value]) -> Vec<&str> {
        found.iter().map(|item| item["content"].as_str().expect("a text")).collect()
    }
}

pub(super) fn id(document: &Value) -> &str {
    document["id"].as_str().expect("an id")
}

async fn document_is_stored_in_passages_and_read_again(on: On) {
    let library = Library::new(on).await;
    let more = json!({"collection": "shop", "tags": ["a", "a"], "author": "Ada", "source_uri": "file:///g.md",
        "metadata": {"tier": 2}});
    let added = library.add(library.bot, more).await;
    assert_eq!((&added["version"], &added["passages"], &added["unchanged"]), (&json!(1), &json!(3), &json!(false)));
    let caller = library.app.operator(library.bot);
    let at = library.at(library.bot, &format!("documents/{}", id(&added)));
    let read = caller.get(&at).await.expect(200);
    assert_eq!(read.header("etag"), Some("\"1\""));
    let read = read.json();
    assert_eq!(
        [&read["title"], &read["collection"], &read["tags"], &read["author"], &read["metadata"], &read["chars"]],
        [&json!("Handbook"), &json!("shop"), &json!(["a"]), &json!("Ada"), &json!({"tier": 2}), &json!(GUIDE.len())]
    );
    let whole = caller.get(&format!("{at}/content")).await.expect(200).json();
    assert_eq!(whole["content"], GUIDE);
    assert!(whole["next"].is_null());
    for passage in whole["passages"].as_array().expect("passages") {
        let range = format!("{at}/content?from={}&length={}", passage["from"], passage["length"]);
        let part = caller.get(&range).await.expect(200).json();
        let number = |name: &str| passage[name].as_u64().expect("a number") as usize;
        let (from, length) = (number("from"), number("length"));
        assert_eq!(part["content"], GUIDE[from..from + length]);
        assert_eq!(part["passages"].as_array().map(Vec::len), Some(1));
    }
    let middle = caller.get(&format!("{at}/content?from=5&length=20")).await.expect(200).json();
    assert_eq!((&middle["content"], &middle["next"]), (&json!(GUIDE[5..25]), &json!(25)));
    // an agent reads it as text of others, also its own
    let quoted = library.app.agent(library.bot).get(&format!("{at}/content?length=9")).await.expect(200).json();
    assert_eq!(quoted["content"], format!("[MEMORY id={} scope=LOCAL from=document]: # Returns", id(&added)));
}

async fn upload_of_the_same_content_changes_nothing(on: On) {
    let library = Library::new(on).await;
    let first = library.add(library.bot, json!({})).await;
    let before = library.app.dump();
    let again = library.add(library.bot, json!({})).await;
    assert_eq!((id(&again), &again["version"], &again["unchanged"]), (id(&first), &json!(1), &json!(true)));
    let named = library.add(library.bot, json!({"id": id(&first)})).await;
    assert_eq!(named["unchanged"], true);
    assert_eq!(library.app.dump(), before);
    // another scope is another document
    let shared = library.add(library.bot, json!({"scope": "TEAM"})).await;
    assert_ne!(id(&shared), id(&first));
    let refused = library.try_add(library.peer, json!({"id": id(&first)})).await;
    refused.refused(409, "id_taken");
}

async fn edit_leaves_unchanged_passages_as_they_are(on: On) {
    let library = Library::new(on).await;
    let added = library.add(library.bot, json!({})).await;
    let (agent, at) = (library.app.agent(library.bot), library.at(library.bot, &format!("documents/{}", id(&added))));
    let passages = |content: &Value| -> Vec<Value> {
        content["passages"].as_array().expect("passages").iter().map(|passage| passage["id"].clone()).collect()
    };
    let before = passages(&agent.get(&format!("{at}/content")).await.expect(200).json());
    let changed = GUIDE.replace("A parcel", "A zeppelin");
    let edited = agent.request("PATCH", &at).header("If-Match", "\"1\"").json(json!({"content": changed})).send().await;
    let edited = edited.expect(200);
    assert_eq!(edited.header("etag"), Some("\"2\""));
    assert_eq!((&edited.json()["version"], &edited.json()["new_passages"]), (&json!(2), &json!(1)));
    let content = agent.get(&format!("{at}/content")).await.expect(200).json();
    let after = passages(&content);
    assert_ne!(after[0], before[0]);
    assert_eq!(after[1..], before[1..]);
    assert_eq!(content["passages"][2]["from"], changed.find("# Warranty").expect("a heading"));
    assert!(library.search(library.bot, "documents", "parcel").await.is_empty());
    assert_eq!(library.search(library.bot, "documents", "zeppelin").await.len(), 1);
    let relabelled = agent.patch(&at, json!({"tags": ["new"], "collection": "x"})).await.expect(200).json();
    assert_eq!((&relabelled["version"], &relabelled["new_passages"]), (&json!(3), &json!(0)));
    let tagged = [("in", "documents"), ("q", "courier"), ("tag", "new")];
    assert_eq!(library.app.operator(library.bot).search(library.bot, &tagged).await.expect(200).items().len(), 1);
    assert_eq!(agent.patch(&at, json!({"tags": ["new"]})).await.expect(200).json()["unchanged"], true);
    let stale = agent.request("PATCH", &at).header("If-Match", "\"1\"").json(json!({"title": "x"})).send().await;
    let problem = stale.refused(409, "version_conflict");
    assert_eq!(problem["current_version"], 3);
    library
        .app
        .agent(library.peer)
        .patch(&at.replace(&library.bot.to_string(), &library.peer.to_string()), json!({"title": "x"}))
        .await
        .expect(404);
}

async fn passages_are_found_with_document_headings_and_offsets(on: On) {
    let library = Library::new(on).await;
    let added = library.add(library.bot, json!({"source_uri": "file:///guide.md"})).await;
    library.app.agent(library.bot).commit(library.bot, "LOCAL", "the courier rang").await;
    let found = library.search(library.bot, "documents", "courier").await;
    assert_eq!(found.len(), 1);
    let place = &found[0]["passage"];
    assert_eq!(found[0]["type"], "passage");
    assert_eq!(place["document_id"], added["id"]);
    assert_eq!(place["heading"], json!(["Returns", "Costs"]));
    assert_eq!((&place["title"], &place["source_uri"]), (&json!("Handbook"), &json!("file:///guide.md")));
    let from = place["from"].as_u64().expect("an offset") as usize;
    let length = place["length"].as_u64().expect("a length") as usize;
    assert_eq!(found[0]["content"], GUIDE[from..from + length]);
    assert!(GUIDE[from..].starts_with("## Costs"));
    // words of headings and of the title count
    assert_eq!(
        library.search(library.bot, "documents", "warranty").await[0]["passage"]["heading"],
        json!(["Warranty"])
    );
    assert_eq!(library.search(library.bot, "documents", "handbook").await.len(), 3);
}

async fn order_of_memories_is_the_same_with_and_without_documents(on: On) {
    let (with, without) = (Library::new(on).await, Library::new(on).await);
    let texts = ["the courier is late", "a courier and a parcel", "parcel parcel", "a lamp of the courier", "nothing"];
    for library in [&with, &without] {
        for text in texts {
            library.app.agent(library.bot).commit(library.bot, "LOCAL", text).await;
        }
    }
    let many = format!("{GUIDE}\n{}", "The courier brings a parcel with a lamp.\n\n".repeat(200));
    with.add(with.bot, json!({"content": many})).await;
    for query in ["courier", "parcel courier", "lamp", "courier late parcel"] {
        let scores = |found: Vec<Value>| -> Vec<(Value, Value)> {
            found.into_iter().map(|item| (item["content"].clone(), item["score"].clone())).collect()
        };
        let (seen, expected) = (
            with.app.operator(with.bot).search(with.bot, &[("q", query)]).await.expect(200).items(),
            without.app.operator(without.bot).search(without.bot, &[("q", query)]).await.expect(200).items(),
        );
        assert!(seen.iter().all(|item| item.get("type").is_none()));
        assert_eq!(scores(seen), scores(expected), "{query}");
        let named = with.search(with.bot, "memories", query).await;
        assert!(named.iter().all(|item| item.get("passage").is_none()));
    }
}

async fn memories_and_passages_share_one_ranking(on: On) {
    let library = Library::new(on).await;
    library.add(library.bot, json!({})).await;
    library.app.agent(library.bot).commit(library.bot, "LOCAL", "the courier is free of charge on Mondays").await;
    for within in ["memories,documents", "documents,memories"] {
        let found = library.search(library.bot, within, "courier charge").await;
        let types: Vec<&Value> = found.iter().map(|item| &item["type"]).collect();
        assert_eq!(found.len(), 2);
        assert!(types.contains(&&json!("memory")) && types.contains(&&json!("passage")));
        let scores: Vec<f64> = found.iter().map(|item| item["score"].as_f64().expect("a score")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b));
    }
    let path = library.at(library.bot, "memories?in=rows&q=x");
    library.app.operator(library.bot).get(&path).await.refused(400, "invalid_field");
}

async fn document_follows_the_reach_of_its_scope(on: On) {
    let library = Library::new(on).await;
    let local = library.add(library.bot, json!({})).await;
    let shared = library.add(library.bot, json!({"scope": "TEAM", "title": "Shared"})).await;
    let (peer, stranger) = (library.peer, library.app.admin().create("other", None).await);
    for (reader, sees_local, sees_shared) in [(library.bot, 200, 200), (peer, 404, 200)] {
        for (document, status) in [(&local, sees_local), (&shared, sees_shared)] {
            let at = library.at(reader, &format!("documents/{}", id(document)));
            library.app.agent(reader).get(&at).await.expect(status);
            library.app.agent(reader).get(&format!("{at}/content")).await.expect(status);
        }
    }
    let at = library.at(stranger, &format!("documents/{}", id(&shared)));
    library.app.agent(stranger).get(&at).await.expect(404);
    let listed = library.app.agent(peer).get(&library.at(peer, "documents")).await.expect(200).items();
    assert_eq!(listed.iter().map(id).collect::<Vec<_>>(), [id(&shared)]);
    let found =
        library.app.agent(peer).search(peer, &[("in", "documents"), ("q", "courier")]).await.expect(200).items();
    assert_eq!(found.len(), 1);
    let content = found[0]["content"].as_str().expect("a text");
    assert!(content.starts_with(&format!("[MEMORY id={} scope=TEAM from=document]: ", id(&found[0]))), "{content}");
    assert!(library.search(stranger, "documents", "courier").await.is_empty());
    library.app.agent(peer).delete(&library.at(peer, &format!("documents/{}", id(&shared)))).await.expect(404);
    let refused = library.try_add(library.bot, json!({"scope": "GLOBAL"})).await;
    assert_eq!(refused.json()["status"], 403);
}

async fn credential_in_a_document_is_replaced_before_it_is_cut(on: On) {
    let library = Library::new(on).await;
    let token = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let content = format!("# Keys\n\nUse {token} for the mirror.\n\n# Lamps\n\nTwo years.\n");
    let added = library.add(library.bot, json!({"content": content})).await;
    assert_eq!(added["redactions"][0]["field"], "content");
    assert!(library.app.dump().iter().all(|row| !row.contains(&token)));
    let found = library.search(library.bot, "documents", "lamps").await;
    let at = library.at(library.bot, &format!("documents/{}/content", id(&added)));
    let whole = library.app.operator(library.bot).get(&at).await.expect(200).json();
    let from = found[0]["passage"]["from"].as_u64().expect("an offset") as usize;
    assert!(whole["content"].as_str().expect("a text")[from..].starts_with("# Lamps"));
}

async fn invalid_fields_are_refused(on: On) {
    let library = Library::new(on).await;
    let before = library.app.dump();
    for (more, field) in [
        (json!({"content": " \n"}), "content"),
        (json!({"title": ""}), "title"),
        (json!({"media_type": "application/x-unknown"}), "media_type"),
        (json!({"collection": "x".repeat(51)}), "collection"),
        (json!({"tags": vec!["t"; 33]}), "tags"),
        (json!({"source_uri": "u".repeat(2_001)}), "source_uri"),
        (json!({"expires_at": "2000-01-01T00:00:00Z"}), "expires_at"),
    ] {
        let problem = library.try_add(library.bot, more).await.refused(400, "invalid_field");
        assert_eq!(problem["field"], field);
    }
    library.try_add(library.bot, json!({"subject": "ada"})).await.expect(400);
    let missing = library.at(library.bot, &format!("documents/{}/content?length=0", Uuid::nil()));
    library.app.agent(library.bot).get(&missing).await.refused(400, "invalid_field");
    assert_eq!(library.app.dump(), before);
}

async fn list_filters_and_continues_by_cursor(on: On) {
    let library = Library::new(on).await;
    let mut all = Vec::new();
    for number in 0..5 {
        library.app.advance(TimeDelta::seconds(1));
        let more = json!({"title": format!("Part {number}"), "collection": format!("c{}", number % 2),
            "tags": [format!("t{number}")], "source_uri": format!("file:///{number}")});
        all.push(id(&library.add(library.bot, more).await).to_owned());
    }
    all.reverse();
    let operator = library.app.operator(library.bot);
    let (items, _) = operator.all_pages(&library.at(library.bot, "documents?limit=2")).await;
    assert_eq!(items.iter().map(id).collect::<Vec<_>>(), all);
    for (query, expected) in [
        ("collection=c1", 2),
        ("tag=t3", 1),
        ("source_uri=file%3A%2F%2F%2F4", 1),
        ("media_type=text%2Fmarkdown", 5),
        ("media_type=text%2Fplain", 0),
        ("scope=TEAM", 0),
    ] {
        let found = operator.get(&library.at(library.bot, &format!("documents?{query}"))).await.expect(200).items();
        assert_eq!(found.len(), expected, "{query}");
    }
    let texts = library.search(library.bot, "documents", "courier").await;
    assert_eq!(Library::texts(&texts).len(), 5);
}

async fn passages_are_found_by_meaning_and_keep_their_vectors(on: On) {
    let embedder = StubEmbedder::start();
    let library = Library::with_embedder(on, &embedder).await;
    let content = "# Cars\n\nThe automobile is in the garage.\n\n# Pets\n\nOur kitten sleeps all day.\n";
    let added = library.add(library.bot, json!({"content": content})).await;
    embedded(&library.app, 2).await;
    let found = async |query: &str| {
        let query = [("in", "documents"), ("q", query), ("mode", "semantic")];
        library.app.operator(library.bot).search(library.bot, &query).await.expect(200).items()
    };
    assert_eq!(found("vehicle").await[0]["passage"]["heading"], json!(["Cars"]));
    let sent = embedder.texts().len();
    let at = library.at(library.bot, &format!("documents/{}", id(&added)));
    let changed = content.replace("all day", "at night");
    library.app.agent(library.bot).patch(&at, json!({"content": changed, "tags": ["x"]})).await.expect(200);
    embedded(&library.app, 3).await;
    // the other passage has the vector of before
    assert_eq!(embedder.texts().len(), sent + 1);
    assert_eq!(found("vehicle").await[0]["passage"]["heading"], json!(["Cars"]));
    library.app.agent(library.bot).delete(&at).await.expect(200);
    let vectors = "SELECT CAST(count(*) AS TEXT) AS line FROM memory_index WHERE vector IS NOT NULL";
    assert_eq!(library.app.tables().try_query(vectors).expect("the query succeeds"), ["0"]);
}
