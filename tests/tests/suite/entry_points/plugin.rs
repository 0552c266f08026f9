//! Every path of the memory-plugin listener: the registry lists exactly the served ones, and each refuses other callers.

use std::collections::BTreeSet;

use orgmem_tests::entry_points::PLUGIN_PATHS;
use orgmem_tests::{On, TestApp, run};
use reqwest::Client;
use serde_json::{Value, json};

const SERVED: &str = include_str!("../../../../server/src/http/plugin/mod.rs");
const SPECIFIED: &str = include_str!("../../../../docs/spec/plugin.md");

const TOKEN: &str = "a-token-that-a-platform-and-this-server-share";

#[test]
fn registry_lists_exactly_the_paths_of_the_listener() {
    let listed: BTreeSet<&str> = PLUGIN_PATHS.iter().map(|row| row.path).collect();
    let served: BTreeSet<&str> = SERVED.split('"').filter(|text| text.starts_with("/v1/")).collect();
    assert_eq!(served, listed);
    let calls: BTreeSet<String> = PLUGIN_PATHS.iter().map(|row| format!("{} {}", row.method, row.path)).collect();
    let specified = SPECIFIED.split('`').filter(|text| text.contains(" /v1/"));
    let specified: BTreeSet<String> =
        specified.map(|text| text.split(" {").next().unwrap_or(text).to_owned()).collect();
    assert_eq!(specified, calls);
}

#[test]
fn path_of_the_listener_accepts_only_its_methods_and_callers() {
    run(async {
        let app = TestApp::builder(On::Sqlite).with("ORGMEM_PLUGIN_LISTEN", "127.0.0.1:0");
        let app = app.with("ORGMEM_PLUGIN_TOKEN", TOKEN).start().await;
        let client = Client::new();
        let call = async |method: &str, path: &str, headers: &[(&str, &str)]| {
            let path = path.replace("{name}", "custom:a").replace("{id}", "00000000-0000-4000-8000-000000000007");
            let method = method.parse().expect("a method");
            let request = client.request(method, format!("{}{path}", app.plugin_address())).json(&json!({}));
            let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
            let response = request.send().await.expect("a response");
            let status = response.status().as_u16();
            (status, response.json::<Value>().await.unwrap_or_default()["code"].clone())
        };
        let bearer = format!("Bearer {TOKEN}");
        let known = ("authorization", bearer.as_str());
        for row in PLUGIN_PATHS {
            let (method, path) = (row.method, row.path);
            let without = call(method, path, &[]).await;
            let foreign =
                call(method, path, &[("authorization", &format!("Bearer {}", app.token("admin", None).text()))]).await;
            if row.needs_token {
                assert_eq!(
                    [&without, &foreign],
                    [&(401, json!("forbidden")), &(401, json!("forbidden"))],
                    "{method} {path}"
                );
            } else {
                assert_eq!([without.0, foreign.0], [200, 200], "{method} {path}");
            }
            assert!(![401, 403, 405].contains(&call(method, path, &[known]).await.0), "{method} {path}");
            let page = call(method, path, &[known, ("origin", "http://127.0.0.1")]).await;
            assert_eq!(page, (403, json!("forbidden")), "{method} {path}");
        }
        for path in PLUGIN_PATHS.iter().map(|row| row.path).collect::<BTreeSet<_>>() {
            let listed: Vec<_> = PLUGIN_PATHS.iter().filter(|row| row.path == path).map(|row| row.method).collect();
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
                if !listed.contains(&method) {
                    let refused = call(method, path, &[known]).await;
                    assert_eq!(refused, (405, json!("bad_request")), "{method} {path}");
                }
            }
        }
        // nor does it serve the other interface
        for path in ["/workspaces", "/mcp", "/console/", "/openapi.json", "/metrics", "/healthz"] {
            assert_eq!(call("GET", path, &[known]).await, (404, json!("not_found")), "{path}");
        }
    });
}
