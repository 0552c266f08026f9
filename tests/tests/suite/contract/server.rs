//! Health, version, metrics, identity, admin counts and documentation.

use chrono::TimeDelta;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    health_and_readiness_need_no_token,
    server_without_disk_space_is_alive_and_not_ready,
    metrics_count_by_route_without_ids,
    me_returns_identity_and_permissions,
    admin_reads_counts_of_every_org,
    admin_reads_activity_by_day,
    timed_out_runs_call_for_attention,
    documentation_loads_no_other_host,
    head_equals_get_without_a_body,
    slash_at_the_end_of_the_base_address_is_harmless,
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

async fn slash_at_the_end_of_the_base_address_is_harmless(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memory = json!({"content": "the kiln is lit", "scope": "LOCAL"});
    let path = format!("//workspaces/{bot}/memories");
    agent.request("POST", &path).json(memory).send_unchecked().await.expect(201);
    assert_eq!(agent.request("GET", &path).send_unchecked().await.expect(200).items().len(), 1);
    // a slash within a key is not one of the address
    agent.post(&format!("/workspaces/{bot}/memory"), json!({"key": "a//b", "value": 1})).await.expect(200);
    let entry = agent.get(&format!("/workspaces/{bot}/memory/a%2F%2Fb")).await.expect(200).json();
    assert_eq!(entry["key"], "a//b");
    app.anonymous().request("GET", &path).send_unchecked().await.refused(401, "token_missing");
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
    let attention = app.admin().get("/admin/tree?days=1").await.expect(200).json()["attention"].clone();
    match on {
        On::Sqlite => {
            assert_eq!(attention.as_array().map(Vec::len), Some(1), "{attention}");
            assert_eq!((&attention[0]["kind"], attention[0].get("org_id")), (&json!("disk_full"), None), "{attention}");
            let detail = attention[0]["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("1000000000000000"), "{detail}");
        }
        On::Postgres => assert_eq!(attention, json!([])),
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

async fn admin_reads_activity_by_day(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nrival").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    app.agent(bot).commit(bot, "TEAM", "x").await;
    let first = app.now().date_naive();
    app.advance(TimeDelta::days(1));
    app.agent(bot).commit(bot, "LOCAL", "y").await;
    app.agent(bot).commit(bot, "LOCAL", "z").await;
    app.agent(bot).post(&format!("/workspaces/{bot}/memory"), json!({"key": "k", "value": 1})).await.expect(200);
    app.agent(bot).search(bot, &[("q", "x")]).await;
    app.viewer(acme).get(&format!("/workspaces/{bot}/memories")).await.expect(200);
    // the log includes the reads before this one
    app.admin().get(&format!("/workspaces/{acme}/access-log")).await.expect(200);
    let tree = app.admin().get("/admin/tree?days=3").await.expect(200).json();
    let days = tree["orgs"][0]["activity"].as_array().cloned().unwrap_or_default();
    let figures = |day: &serde_json::Value| {
        ["memories", "writes", "reads_by_agents", "reads_by_people"].map(|name| day[name].as_i64().unwrap_or(-1))
    };
    assert_eq!(days.len(), 3, "{tree}");
    assert_eq!(figures(&days[0]), [0, 0, 0, 0]);
    // the two workspaces, and the memory
    assert_eq!((figures(&days[1])[0], figures(&days[1])[2..].to_vec()), (1, vec![0, 0]));
    assert_eq!(figures(&days[2]), [2, 3, 1, 1]);
    assert_eq!(days[1]["day"], json!(first));
    assert_eq!(tree["orgs"][1]["activity"].as_array().map(Vec::len), Some(3));
    assert_eq!(tree["attention"], json!([]));
    let plain = app.admin().get("/admin/tree").await.expect(200).json();
    assert_eq!((plain.get("attention"), plain["orgs"][0].get("activity")), (None, None));
    for days in ["0", "91"] {
        let refused = app.admin().get(&format!("/admin/tree?days={days}")).await.refused(400, "invalid_field");
        assert_eq!(refused["field"], "days");
    }
    app.operator(acme).get("/admin/tree?days=3").await.refused(403, "forbidden");
}

async fn timed_out_runs_call_for_attention(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nrival").await;
    let bot = org.id("bot");
    app.agent(bot).post(&format!("/workspaces/{bot}/runs"), json!({})).await.expect(201);
    app.advance(TimeDelta::hours(2));
    let attention = async || app.admin().get("/admin/tree?days=1").await.expect(200).json()["attention"].clone();
    let shown = attention().await;
    assert_eq!((&shown[0]["kind"], &shown[0]["org_id"]), (&json!("runs_timed_out"), &json!(org.id("acme"))), "{shown}");
    assert_eq!(shown.as_array().map(Vec::len), Some(1));
    app.advance(TimeDelta::hours(25));
    assert_eq!(attention().await, json!([]));
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
