//! Documents and pages move to another database with everything else, by a copy and by a file.

use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::documents::{GUIDE, Library, id};
use super::pages::said;

for_each_store!(copy_has_the_same_documents, imported_file_has_the_same_documents);

/// What a reader sees of a document: its fields, its text and the passages that a search finds.
async fn seen(app: &TestApp, bot: Uuid, document: &str) -> Vec<Value> {
    let operator = app.operator(bot);
    let at = format!("/workspaces/{bot}/documents/{document}");
    let mut seen = vec![operator.get(&at).await.expect(200).json()];
    seen.push(operator.get(&format!("{at}/content")).await.expect(200).json());
    seen.extend(operator.search(bot, &[("in", "documents"), ("q", "courier lamp")]).await.items());
    seen.extend(operator.search(bot, &[("in", "memories,pages"), ("q", "back door")]).await.items());
    seen
}

/// A stopped server with a document of two versions, a redacted one and a page, and what a reader saw.
async fn source(on: On) -> (Library, String, Vec<Value>) {
    let mut library = Library::new(on).await;
    let added = library.add(library.bot, json!({"tags": ["a"]})).await;
    let at = library.at(library.bot, &format!("documents/{}", id(&added)));
    let changed = GUIDE.replace("thirty", "forty");
    library.app.agent(library.bot).patch(&at, json!({"content": changed})).await.expect(200);
    let gone = library.add(library.bot, json!({"title": "Gone", "content": "A zeppelin."})).await;
    let redact = library.at(library.bot, &format!("documents/{}/redact", id(&gone)));
    library.app.operator(library.lead).post(&redact, json!({"reason": "asked for"})).await.expect(200);
    let agent = library.app.agent(library.bot);
    let at = |rest: &str| format!("/workspaces/{}/{rest}", library.bot);
    agent.post(&at("activity"), said("Deliver to the back door.", json!({}))).await.expect(201);
    agent.post(&at("pages/compact"), json!({})).await.expect(200);
    let before = seen(&library.app, library.bot, id(&added)).await;
    assert_eq!(before.len(), 5);
    library.app.stop().await;
    (library, id(&added).to_owned(), before)
}

/// The database of a stopped server, as an argument.
fn database(app: &TestApp) -> String {
    app.database_url().map_or_else(|| app.folder().display().to_string(), str::to_owned)
}

fn shell(app: &TestApp) -> Shell {
    let shell = Shell::new().with("ORGMEM_DATA_DIR", &app.folder().display().to_string());
    if let Some(url) = app.database_url() { shell.with("ORGMEM_DATABASE_URL", url) } else { shell }
}

/// A stopped server on an empty database of the other product.
async fn target(on: On) -> TestApp {
    let mut target = TestApp::new(if on == On::Sqlite { On::Postgres } else { On::Sqlite }).await;
    target.stop().await;
    target
}

async fn check(mut target: TestApp, (library, document, before): (Library, String, Vec<Value>)) {
    target.restart().await;
    assert_eq!(seen(&target, library.bot, &document).await, before);
    let at = format!("/workspaces/{}/documents/{document}", library.bot);
    let edited = target.agent(library.bot).patch(&at, json!({"content": GUIDE})).await.expect(200).json();
    assert_eq!((&edited["version"], &edited["new_passages"]), (&json!(3), &json!(1)));
    target.agent(library.bot).delete(&at).await.expect(200);
    let rows = target.dump();
    assert!(rows.iter().all(|row| !row.contains("courier") && !row.contains("zeppelin")));
}

async fn copy_has_the_same_documents(on: On) {
    let source = source(on).await;
    let target = target(on).await;
    let copy = format!("orgmem migrate --from '{}' --to '{}'", database(&source.0.app), database(&target));
    let _ = shell(&source.0.app).enter(&copy).await.success();
    check(target, source).await;
}

async fn imported_file_has_the_same_documents(on: On) {
    let source = source(on).await;
    let target = target(on).await;
    let file = source.0.app.folder().join("all.jsonl").display().to_string();
    let _ = shell(&source.0.app).enter(&format!("orgmem export {file}")).await.success();
    let _ = shell(&target).enter(&format!("orgmem import {file}")).await.success();
    check(target, source).await;
}
