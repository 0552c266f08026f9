//! Documents: budgets, profiles, removal, and calls of memories that do not see passages.

use chrono::TimeDelta;
use orgmem_tests::{On, for_each_store};
use serde_json::json;

use super::documents::{GUIDE, Library, id};

for_each_store!(
    profile_that_excludes_documents_hides_and_refuses_them,
    deleted_and_redacted_text_is_in_no_table,
    expired_document_is_absent_and_reclaimed,
    purge_of_a_workspace_removes_its_documents,
    budget_counts_passages_and_bytes,
    passages_are_no_memories_anywhere_else,
);

async fn profile_that_excludes_documents_hides_and_refuses_them(on: On) {
    let library = Library::new(on).await;
    let added = library.add(library.bot, json!({})).await;
    let operator = library.app.operator(library.lead);
    let profiles = library.at(library.bot, "profiles");
    let default = operator.get(&profiles).await.expect(200).items()[0]["id"].clone();
    let at = format!("{profiles}/{}", default.as_str().expect("an id"));
    operator.patch(&at, json!({"excluded_kinds": ["document"]})).await.expect(200);
    library.try_add(library.bot, json!({"title": "Another"})).await.refused(409, "kind_excluded");
    let agent = library.app.agent(library.bot);
    agent.get(&library.at(library.bot, &format!("documents/{}", id(&added)))).await.expect(404);
    assert!(agent.get(&library.at(library.bot, "documents")).await.expect(200).items().is_empty());
    assert!(library.search(library.bot, "documents", "courier").await.is_empty());
}

async fn deleted_and_redacted_text_is_in_no_table(on: On) {
    let library = Library::new(on).await;
    let operator = library.app.operator(library.lead);
    for way in ["delete", "redact"] {
        let word = format!("zebra{way}");
        let content = format!("{GUIDE}\n# {word}\n\nThe {word} is striped.\n");
        let added = library.add(library.bot, json!({"content": content, "title": way})).await;
        let at = library.at(library.bot, &format!("documents/{}", id(&added)));
        let agent = library.app.agent(library.bot);
        agent.patch(&at, json!({"content": format!("{content}\nMore of the {word}.\n")})).await.expect(200);
        assert!(!library.search(library.bot, "documents", &word).await.is_empty());
        if way == "delete" {
            agent.request("DELETE", &at).header("If-Match", "\"1\"").send().await.refused(409, "version_conflict");
            agent.delete(&at).await.expect(200);
        } else {
            let body = json!({"reason": "a customer asked"});
            agent.post(&format!("{at}/redact"), &body).await.expect(403);
            let redacted = operator.post(&format!("{at}/redact"), &body).await.expect(200).json();
            assert_eq!((&redacted["versions"], &redacted["already"]), (&json!(1), &json!(false)));
            assert_eq!(operator.post(&format!("{at}/redact"), &body).await.expect(200).json()["already"], true);
            library.try_add(library.bot, json!({"id": id(&added)})).await.refused(409, "id_taken");
        }
        operator.get(&at).await.expect(404);
        operator.get(&format!("{at}/content")).await.expect(404);
        assert!(library.search(library.bot, "documents", &word).await.is_empty());
        let rows = library.app.dump();
        let hits: Vec<&String> = rows.iter().filter(|row| row.contains(&word)).collect();
        assert!(hits.is_empty(), "{way}: {hits:?}");
    }
}

async fn expired_document_is_absent_and_reclaimed(on: On) {
    let library = Library::new(on).await;
    let end = library.app.now() + TimeDelta::hours(1);
    let added = library.add(library.bot, json!({"expires_at": end})).await;
    library.app.advance(TimeDelta::hours(1));
    let agent = library.app.agent(library.bot);
    agent.get(&library.at(library.bot, &format!("documents/{}", id(&added)))).await.expect(404);
    assert!(library.search(library.bot, "documents", "courier").await.is_empty());
    assert!(agent.get(&library.at(library.bot, "documents")).await.expect(200).items().is_empty());
    // the id is free for its author, and nothing of before remains
    let again = library.add(library.bot, json!({"id": id(&added), "content": "A new text."})).await;
    assert_eq!(again["passages"], 1);
    assert!(library.app.dump().iter().all(|row| !row.contains("free of")));
}

async fn purge_of_a_workspace_removes_its_documents(on: On) {
    let library = Library::new(on).await;
    library.add(library.bot, json!({"scope": "TEAM"})).await;
    let at = format!("/workspaces/{}?purge=true", library.bot);
    library.app.admin().delete(&at).await.expect(200);
    assert!(library.search(library.peer, "documents", "courier").await.is_empty());
    assert!(library.app.dump().iter().all(|row| !row.contains("courier")));
}

async fn budget_counts_passages_and_bytes(on: On) {
    let library = Library::new(on).await;
    let operator = library.app.operator(library.lead);
    let at = library.at(library.bot, "budget");
    operator.put(&at, json!({"memories": 4})).await.expect(200);
    let added = library.add(library.bot, json!({})).await;
    let used = async || operator.get(&at).await.expect(200).json()["own"]["used"].clone();
    let bytes = i64::try_from(GUIDE.len() + "Handbook".len() + "[]".len()).expect("small");
    assert_eq!(
        used().await,
        json!({"memories": 3, "bytes": bytes, "writes_per_minute": 0, "searches_per_minute": 0,
        "embeddings_per_day": 0})
    );
    library.try_add(library.bot, json!({"title": "Another"})).await.refused(409, "budget_exceeded");
    let one = library.at(library.bot, &format!("documents/{}", id(&added)));
    library.app.agent(library.bot).patch(&one, json!({"content": "One passage."})).await.expect(200);
    assert_eq!(used().await["memories"], 1);
    library.app.agent(library.bot).delete(&one).await.expect(200);
    let used = used().await;
    assert_eq!((&used["memories"], &used["bytes"]), (&json!(0), &json!(0)));
}

async fn passages_are_no_memories_anywhere_else(on: On) {
    let library = Library::new(on).await;
    let (app, bot) = (&library.app, library.bot);
    let agent = app.agent(bot);
    let memory = json!({"content": "a courier", "scope": "LOCAL", "pin": true, "metadata": {"tier": 2}});
    let memory = agent.commit_with(bot, memory).await;
    library.add(bot, json!({"metadata": {"tier": 2}})).await;
    let passage = library.search(bot, "documents", "courier").await[0]["id"].clone();
    let passage = passage.as_str().expect("an id");
    agent.get(&library.at(bot, &format!("memories/{passage}"))).await.expect(404);
    agent.delete(&library.at(bot, &format!("memories/{passage}"))).await.expect(404);
    agent.patch(&library.at(bot, &format!("memories/{passage}")), json!({"pin": true})).await.expect(404);
    agent.get(&library.at(bot, &format!("memories/{passage}/history"))).await.expect(404);
    let list = async |query: &[(&str, &str)]| agent.search(bot, query).await.expect(200).ids();
    assert_eq!(list(&[]).await, [memory]);
    assert_eq!(list(&[("pinned", "true")]).await, [memory]);
    assert_eq!(list(&[("metadata", r#"{"tier": 2}"#)]).await, [memory]);
    assert_eq!(list(&[("in", "memories,documents"), ("metadata", r#"{"tier": 2}"#)]).await, [memory]);
    assert_eq!(list(&[("ids", &format!("{memory},{passage}"))]).await, [memory]);
    let count = agent.get(&library.at(bot, "memories/count")).await.expect(200).json();
    assert_eq!(count["count"], 1);
    let count = agent.get(&library.at(bot, "memories/count?q=courier")).await.expect(200).json();
    assert_eq!(count["count"], 1);
    let until = app.now() + TimeDelta::days(3);
    let touch = json!({"memories": [{"id": passage, "expires_at": until}]});
    let touched = agent.post(&library.at(bot, "memories/touch"), touch).await;
    assert!(touched.status != 200 || !touched.describe().contains(&until.to_rfc3339()), "{}", touched.describe());
    let session = agent.get(&library.at(bot, "session-search?q=courier")).await.expect(200).describe();
    assert!(!session.contains(passage));
    let values = agent.get(&library.at(bot, "memories/values?member=tier")).await.expect(200).items();
    assert_eq!(values[0]["count"], 1);
    let context = agent.post(&library.at(bot, "context"), json!({"query": "courier"})).await.expect(200).describe();
    assert!(!context.contains("free of charge"));
    let stats = app.admin().get("/admin/stats").await.expect(200).json();
    assert_eq!(stats["memories"]["local"].as_i64().or(stats["memories"].as_i64()), Some(1), "{stats}");
}
