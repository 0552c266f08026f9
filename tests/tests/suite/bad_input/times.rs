//! Times outside the range of a database or of RFC 3339.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use orgmem_tests::{On, for_each_store};
use serde_json::{Value, json};

use super::fixture::Fixture;

for_each_store!(
    filter_accepts_times_out_of_range,
    cursor_with_time_out_of_range_is_refused,
    import_with_time_out_of_range_is_refused,
    expiry_after_the_year_9999_is_refused,
    leap_second_is_refused_where_it_would_be_stored,
);

/// The first and last years that the parser accepts.
const FAR: [&str; 2] = ["-262143-01-01T00:00:00Z", "%2B262142-12-31T23:59:59Z"];

async fn filter_accepts_times_out_of_range(on: On) {
    let fixture = Fixture::new(on).await;
    let [first, last] = FAR;
    let lists = ["session-search?kind=memory", "session-search?q=deploys", "session-search?", "memories?", "activity?"];
    for list in lists.into_iter().chain(["access-log?"]) {
        for (span, has_rows) in [
            (format!("since={first}&until={last}"), true),
            (format!("since=-4714-01-01T00:00:00Z&until={last}"), true),
            (format!("since={first}&until={first}"), false),
            (format!("since={last}&until={last}"), false),
        ] {
            let path = fixture.filled(&format!("/workspaces/{{bot}}/{list}&{span}").replace("?&", "?"));
            let rows = fixture.caller("operator").get(&path).await.expect(200).items();
            assert_eq!(!rows.is_empty(), has_rows, "{path}");
        }
    }
}

async fn cursor_with_time_out_of_range_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let cursor = |position: &Value| URL_SAFE_NO_PAD.encode(fixture.filled(&position.to_string()));
    for (year, status) in [("-262143", 400), ("-4714", 400), ("-0001", 400), ("+10000", 400), ("0000", 200)] {
        let time = format!("{year}-01-01T00:00:00Z");
        for (at, list, position) in [
            ("/workspaces/{bot}/session-search", "session", json!({"words": 0, "created_at": time, "id": "{none}"})),
            ("/workspaces", "workspaces", json!([time, "{none}", "{none}"])),
            ("/workspaces/{bot}/tokens", "tokens", json!([time, "{none}"])),
        ] {
            let path = fixture.filled(&format!("{at}?cursor={}", cursor(&json!([list, position]))));
            let response = fixture.caller("operator").get(&path).await;
            assert_eq!(response.status, status, "{}", response.describe());
            if status == 400 {
                fixture.check_response(
                    &response,
                    "400 invalid_cursor: `cursor` is not one that this list gave; start again without it",
                );
            }
        }
    }
}

async fn import_with_time_out_of_range_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let wants = "400 invalid_field: in `new`: `created_at` must be a time from 1970 on and before the year 10000";
    for time in ["-200000-01-01T00:00:00Z", "-4714-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"] {
        let memory = json!({"content": "x", "scope": "LOCAL", "created_at": time});
        let episode = json!({"activity_type": "agent_log", "created_at": time});
        for document in [json!({"initial_memories": [memory]}), json!({"episodes": [episode]})] {
            let mut document = document;
            document["name"] = json!("new");
            fixture.check(&[("admin POST /orgs/import", &document.to_string(), wants)]).await;
        }
    }
}

/// Neither database can represent a leap second; filters use the second after it.
async fn leap_second_is_refused_where_it_would_be_stored(on: On) {
    let fixture = Fixture::new(on).await;
    let time = "2116-12-31T23:59:60.5Z";
    let memory = json!({"content": "x", "scope": "LOCAL", "expires_at": time}).to_string();
    let wants = "400 invalid_field: `expires_at` must be a time that is not a leap second";
    fixture
        .check(&[
            ("agent POST /workspaces/{bot}/memories", &memory, wants),
            ("agent PATCH /workspaces/{bot}/memories/{memory}", &json!({"expires_at": time}).to_string(), wants),
        ])
        .await;
    let time = "2016-12-31T23:59:60Z";
    let memory = json!({"content": "x", "scope": "LOCAL", "created_at": time});
    let document = json!({"name": "new", "initial_memories": [memory]}).to_string();
    let wants = "400 invalid_field: in `new`: `created_at` must be a time that is not a leap second";
    fixture.check(&[("admin POST /orgs/import", &document, wants)]).await;
    for list in ["memories", "activity", "session-search", "access-log"] {
        let path = fixture.filled(&format!("/workspaces/{{bot}}/{list}?since={time}&until=2017-01-01T00:00:00Z"));
        let response = fixture.caller("operator").get(&path).await;
        assert_eq!(response.status, 200, "{}", response.describe());
    }
}

async fn expiry_after_the_year_9999_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let memories = "agent POST /workspaces/{bot}/memories";
    let (change, wants) = (
        "agent PATCH /workspaces/{bot}/memories/{memory}",
        "400 invalid_field: `expires_at` must be a time before the year 10000",
    );
    for time in ["+10000-01-01T00:00:00Z", "+262142-12-31T23:59:59Z"] {
        let memory = json!({"content": "x", "scope": "LOCAL", "expires_at": time}).to_string();
        fixture.check(&[(memories, &memory, wants), (change, &json!({"expires_at": time}).to_string(), wants)]).await;
    }
    let memory = json!({"content": "x", "scope": "LOCAL", "expires_at": "9999-12-31T23:59:59.999999Z"});
    let path = fixture.filled("/workspaces/{bot}/memories");
    let committed = fixture.caller("agent").post(&path, memory).await.expect(201).json();
    assert_eq!(committed["expires_at"], "9999-12-31T23:59:59.999999Z");
}
