//! An embedder in the server's process.

use orgmem_tests::{On, StubHub, TestApp};

use super::semantic_search::embedded;

/// Requires a real model.
#[tokio::test(flavor = "multi_thread")]
async fn model_is_downloaded_once() {
    let Some(folder) = std::env::var_os("ORGMEM_TEST_MODEL") else {
        return eprintln!("`ORGMEM_TEST_MODEL` names no model, so none is downloaded");
    };
    let hub = StubHub::start(folder.as_ref());
    let app = TestApp::builder(On::Sqlite).with("ORGMEM_EMBEDDER", "hub:stub/model");
    let mut app = app.with("ORGMEM_EMBEDDING_HUB", hub.address()).start().await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let id = app.agent(acme).commit(acme, "LOCAL", "Our physician prescribed rest after the marathon").await;
    app.agent(acme).commit(acme, "LOCAL", "The invoice was paid by bank transfer").await;
    embedded(&app, 2).await;
    let query = [("q", "medical advice"), ("mode", "semantic")];
    assert_eq!(app.agent(acme).search(acme, &query).await.ids()[0], id);
    drop(hub);
    app.restart().await;
    assert_eq!(app.agent(acme).search(acme, &query).await.ids()[0], id);
}

/// Requires a real model. A thread of low priority starts when it is first needed.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn queries_of_the_busiest_org_are_embedded_at_a_low_priority() {
    let Some(folder) = std::env::var_os("ORGMEM_TEST_MODEL") else {
        return eprintln!("`ORGMEM_TEST_MODEL` names no model, so no query is embedded");
    };
    let app = TestApp::builder(On::Sqlite).as_program().with("ORGMEM_EMBEDDER", &folder.display().to_string());
    let app = app.start().await;
    let orgs = app.plant("acme\nglobex").await;
    let (busy, other) = (orgs.id("acme"), orgs.id("globex"));
    for workspace in [busy, other] {
        app.agent(workspace).commit(workspace, "LOCAL", "Our physician prescribed rest after the marathon").await;
    }
    embedded(&app, 2).await;
    let tasks = format!("/proc/{}/task", app.program().id());
    let low_priority_threads = || {
        let threads = std::fs::read_dir(&tasks).expect("it runs").filter_map(Result::ok);
        let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
        names.filter(|name| name.trim() == "orgmem-low").count()
    };
    app.agent(other).search(other, &[("q", "medical advice"), ("mode", "semantic")]).await;
    assert_eq!(low_priority_threads(), 0, "one query is not much");
    let is_low = async |number: usize| {
        let q = format!("{number} {}", "where did the runner find good advice on her health ".repeat(20));
        app.agent(busy).search(busy, &[("q", &q), ("mode", "semantic")]).await;
        app.agent(other).search(other, &[("q", "medical advice"), ("mode", "semantic")]).await;
        low_priority_threads() > 0
    };
    for number in 0..1_000 {
        if is_low(number).await {
            return;
        }
    }
    panic!("a thousand queries of one org had the priority of the requests of another");
}

#[tokio::test(flavor = "multi_thread")]
async fn unavailable_model_stops_the_start_with_one_line() {
    let nothing = tempfile::tempdir().expect("a folder");
    let hub = StubHub::start(nothing.path());
    let folder = tempfile::tempdir().expect("a folder");
    let start_error = async |embedder: &str, model: &str| {
        let mut sources = orgmem::config::Sources::empty(folder.path());
        let data_dir = folder.path().join("data").display().to_string();
        let variables = [
            ("ORGMEM_LISTEN", "127.0.0.1:0"),
            ("ORGMEM_DATA_DIR", &data_dir),
            ("ORGMEM_EMBEDDER", embedder),
            ("ORGMEM_EMBEDDING_MODEL", model),
            ("ORGMEM_EMBEDDING_HUB", hub.address()),
        ];
        sources.variables = variables.map(|(name, value)| (name.into(), value.into())).into();
        let settings = orgmem::config::Config::load(&sources).expect("the settings are right").settings;
        let started = orgmem::serve::start(settings, std::sync::Arc::new(orgmem_store::SystemClock)).await;
        started.err().expect("it does not start").to_string()
    };
    let absent = start_error("hub:stub/model", "").await;
    assert!(
        absent.contains("cannot download config.json") && absent.contains("put the files of the model into"),
        "{absent}"
    );
    let nowhere = start_error("/nowhere", "").await;
    assert!(nowhere.contains("cannot read /nowhere/config.json"), "{nowhere}");
    let nameless = start_error("http://127.0.0.1:9/v1", "").await;
    assert!(nameless.contains("`embedding.model` must name a model"), "{nameless}");
}
