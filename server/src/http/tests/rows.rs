//! The answers of rows, processors and turns.

use serde_json::json;

use super::answers::{Validator, id_of};

pub(super) async fn rows(api: &mut Validator, workspace: &str) {
    let ids = [("id", workspace)];
    let of_bugs = [("id", workspace), ("name", "bugs")];
    let settings = json!({"key": "id", "time": "opened", "schema": {"properties": {"part": {"type": "string"}}}});
    api.call("put_collection", &of_bugs, "", Some(settings)).await;
    api.call("list_collections", &ids, "", None).await;
    api.call("read_collection", &of_bugs, "", None).await;
    let rows = json!([{"id": 1, "part": "web", "opened": "2026-05-01"}, {"id": 2, "part": 2}, {"id": 3}]);
    let written = api.call("write_rows", &of_bugs, "", Some(rows)).await.json();
    assert_eq!((&written["inserted"], &written["faults"][0]["line"]), (&json!(2), &json!(1)), "{written}");
    api.call("list_rows", &of_bugs, "?prefix=1", None).await;
    let define = json!({"built_in": "bug-import", "set": {"collection": "bugs"}});
    api.call("define_processor", &ids, "", Some(define)).await;
    let of_processor = [("id", workspace), ("name", "bug-import")];
    api.call("list_processors", &ids, "", None).await;
    api.call("read_processor", &of_processor, "", None).await;
    api.call("run_processor", &of_processor, "?dry_run=true", None).await;
    api.call("run_processor", &of_processor, "", None).await;
    api.call("list_processor_runs", &of_processor, "", None).await;
    api.call("find_patterns", &ids, "", Some(json!({"paths": ["src/web.rs"]}))).await;
    api.call("delete_processor", &of_processor, "", None).await;
    api.call("withdraw_rows", &of_bugs, "", Some(json!({"keys": ["1", "9"], "reason": "a test"}))).await;
    api.call("delete_row", &[("id", workspace), ("name", "bugs"), ("key", "3")], "", None).await;
    api.call("delete_collection", &of_bugs, "", None).await;
    let turn = json!({"session_id": "s", "messages": [{"content": "a violin", "at": "2026-01-02T03:04:05Z"}]});
    let turn = id_of(&api.call("add_turn", &ids, "", Some(turn)).await);
    api.call("read_turn", &[("id", workspace), ("tid", turn.as_str())], "", None).await;
}
