//! Health, version, metrics, identity, admin counts and documentation.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    health_and_readiness_need_no_token,
    server_without_disk_space_is_alive_and_not_ready,
    metrics_count_by_route_without_ids,
    me_returns_identity_and_permissions,
    admin_reads_counts_of_every_org,
    documentation_loads_no_other_host,
    head_equals_get_without_a_body,
    stopped_server_has_finished_accepted_requests,
);

async fn health_and_readiness_need_no_token(on: On) {
    let app = TestApp::new(on).await;
    for path in ["/healthz", "/health", "/readyz"] {
        let health = app.anonymous().get(path).await.expect(200).json();
        assert_eq!(health["status"], "ok", "{path}");
    }
    let version = app.anonymous().get("/version").await.expect(200).json();
    assert_eq!(version, json!({"name": "orgmem", "version": env!("CARGO_PKG_VERSION")}));
}

/// PostgreSQL's server has a disk of its own.
async fn server_without_disk_space_is_alive_and_not_ready(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_STORE_MIN_FREE_BYTES", "1000000000000000").start().await;
    app.anonymous().get("/healthz").await.expect(200);
    let ready = app.anonymous().get("/readyz").await;
    match on {
        On::Sqlite => {
            let refused = ready.refused(503, "unavailable");
            let detail = refused["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("`store.min_free_bytes` requires 1000000000000000"), "{detail}");
        }
        On::Postgres => drop(ready.expect(200)),
    }
}

async fn metrics_count_by_route_without_ids(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let memory = app.agent(bot).commit(bot, "TEAM", "deploys happen on tuesdays").await;
    app.agent(bot).search(bot, &[("q", "tuesdays")]).await;
    app.agent(bot).get(&format!("/workspaces/{bot}/memories/{memory}")).await.expect(200);
    app.agent(bot).get("/nowhere/at/all").await.expect(404);
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let text = String::from_utf8(metrics.body).expect("text");
    assert!(text.contains("/workspaces/{id}/memories"), "{text}");
    assert!(text.trim_end().ends_with("# EOF"), "{text}");
    for id in
        [bot.to_string(), memory.to_string(), org.id("acme").to_string(), "nowhere".to_owned(), "tuesdays".to_owned()]
    {
        assert!(!text.contains(&id), "{id} is in the metrics");
    }
}

async fn me_returns_identity_and_permissions(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    for (caller, role, bound) in [
        (app.agent(bot), "agent", json!(bot)),
        (app.viewer(bot), "viewer", json!(bot)),
        (app.operator(bot), "operator", json!(bot)),
        (app.admin(), "admin", json!(null)),
    ] {
        let me = caller.get("/me").await.expect(200).json();
        assert_eq!((&me["role"], &me["workspace_id"]), (&json!(role), &bound));
        assert_eq!(me["org_id"], if bound.is_null() { json!(null) } else { json!(org.id("acme")) });
        let may: Vec<_> = me["may"].as_array().into_iter().flatten().filter_map(|action| action.as_str()).collect();
        assert_eq!(may.contains(&"write_memories"), role != "viewer", "{me}");
        assert_eq!(may.contains(&"remove_workspace"), matches!(role, "operator" | "admin"), "{me}");
        assert_eq!(may.contains(&"create_org"), role == "admin", "{me}");
        assert!(may.contains(&"read_memories"), "{me}");
    }
}

async fn admin_reads_counts_of_every_org(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nrival").await;
    let bot = org.id("bot");
    app.agent(bot).commit(bot, "TEAM", "x").await;
    app.agent(bot).post(&format!("/workspaces/{bot}/memory"), json!({"key": "k", "value": 1})).await.expect(200);
    let tree = app.admin().get("/admin/tree").await.expect(200).json();
    let counts: Vec<_> = tree["orgs"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (row["org_id"].clone(), row["workspaces"].clone(), row["memories"]["team"].clone()))
        .collect();
    assert_eq!(counts, [(json!(org.id("acme")), json!(2), json!(1)), (json!(org.id("rival")), json!(1), json!(0))]);
    let stats = app.admin().get("/admin/stats").await.expect(200).json();
    let store = if on == On::Sqlite { "sqlite" } else { "postgresql" };
    assert_eq!(stats["store"], store);
    for (member, count) in [("orgs", 2), ("workspaces", 3), ("entries", 1), ("episodes", 1)] {
        assert_eq!(stats[member], count, "{member}: {stats}");
    }
    assert!(stats["size_bytes"].as_i64().is_some_and(|size| size > 0), "{stats}");
}

async fn documentation_loads_no_other_host(on: On) {
    let app = TestApp::new(on).await;
    let moved = app.anonymous().get("/docs").await.expect(308);
    assert_eq!(moved.header("location"), Some("docs/"));
    let page = app.anonymous().get("/docs/").await.expect(200);
    let policy = page.header("content-security-policy").unwrap_or_default().to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("http"), "{policy}");
    let html = String::from_utf8(page.body).expect("a page is text");
    for attribute in ["src=\"", "href=\""] {
        for link in html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!link.contains("//"), "the page loads {link}");
            let file = app.anonymous().get(&format!("/docs/{}", link.trim_start_matches("./"))).await;
            assert_eq!(file.status, 200, "{link}");
        }
    }
}

async fn head_equals_get_without_a_body(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme").await;
    for path in ["/healthz".to_owned(), "/me".to_owned(), format!("/workspaces/{}", org.id("acme"))] {
        let get = app.admin().get(&path).await.expect(200);
        let head = app.admin().request("HEAD", &path).send_unchecked().await.expect(200);
        assert_eq!(head.body, b"");
        assert_eq!(head.header("content-type"), get.header("content-type"));
    }
}

async fn stopped_server_has_finished_accepted_requests(on: On) {
    let mut app = TestApp::new(on).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let agent = app.agent(acme);
    let writes: Vec<_> = (0..40)
        .map(|number| {
            let body = json!({"content": format!("number {number}"), "scope": "LOCAL"});
            let request = agent.request("POST", &format!("/workspaces/{acme}/memories")).json(body);
            tokio::spawn(request.send())
        })
        .collect();
    let mut acknowledged = 0;
    for write in writes {
        acknowledged += usize::from(write.await.is_ok_and(|response| response.status == 201));
    }
    app.stop().await;
    let stored = app.dump().iter().filter(|row| row.starts_with("memories ")).count();
    assert_eq!(stored, acknowledged);
}
