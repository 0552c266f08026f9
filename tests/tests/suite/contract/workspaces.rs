//! Workspaces and their trees.

use chrono::TimeDelta;
use orgmem_tests::steps::name_of;
use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    workspace_has_its_position_and_counts,
    workspaces_are_listed_by_creation_and_filtered,
    list_contains_only_workspaces_of_the_caller,
    patch_changes_only_the_given_fields,
    tree_is_nested_to_the_requested_depth,
    move_carries_memories_along,
    removed_workspace_reads_nothing_and_has_no_readers,
    children_are_promoted_or_removed_as_requested,
    reach_contains_the_reason,
    reach_has_pages_with_totals,
    reach_is_selected_by_direction_relation_and_id,
);

async fn workspace_has_its_position_and_counts(on: On) {
    let app = TestApp::new(on).await;
    let id = Uuid::from_u128(0x77);
    let acme = app.admin().create("Acme", None).await;
    let dev = app.operator(acme).create("Dev", Some(acme)).await;
    let body = json!({"id": id, "name": "Bot", "parent_id": dev, "role": "planner", "metadata": {"z": 1, "a": [2]}});
    let created = app.operator(acme).post("/workspaces", body).await.expect(201);
    assert_eq!(created.header("location"), Some(&*format!("/workspaces/{id}")));
    app.operator(acme).create("Helper", Some(id)).await;
    app.advance(TimeDelta::seconds(9));
    for scope in ["LOCAL", "TEAM", "TEAM"] {
        app.agent(id).commit(id, scope, "x").await;
    }
    app.agent(acme).commit(acme, "GLOBAL", "x").await;
    let row = app.admin().get(&format!("/workspaces/{id}")).await.expect(200).json();
    let created = created.json();
    let expected = json!({
        "id": id, "name": "Bot", "parent_id": dev, "org_id": acme, "role": "planner", "metadata": {"z": 1, "a": [2]},
        "status": "online", "path": [{"id": acme, "name": "Acme"}, {"id": dev, "name": "Dev"}], "child_count": 1,
        "descendant_count": 1, "memories": {"local": 1, "team": 2, "global": 0}, "last_write_at": app.now(),
        "created_at": created["created_at"], "updated_at": created["updated_at"],
    });
    assert_eq!(row, expected);
    let root = app.admin().get(&format!("/workspaces/{acme}")).await.expect(200).json();
    assert_eq!((&root["parent_id"], &root["path"]), (&json!(null), &json!([])));
    assert_eq!((&root["descendant_count"], &root["memories"]["global"]), (&json!(3), &json!(1)));
    // a caller sees only its part of the ancestors
    for (caller, above) in [(app.viewer(dev), 1), (app.viewer(id), 0), (app.agent(id), 0)] {
        let row = caller.get(&format!("/workspaces/{id}")).await.expect(200).json();
        assert_eq!(row["path"].as_array().map(Vec::len), Some(above), "{row}");
    }
}

async fn workspaces_are_listed_by_creation_and_filtered(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\nrival").await;
    let admin = app.admin();
    let ids = async |query: &str| admin.get(&format!("/workspaces{query}")).await.expect(200).ids();
    let id = |name: &str| org.id(name);
    assert_eq!(ids("").await, [id("acme"), id("dev"), id("bot"), id("rival")]);
    assert_eq!(ids(&format!("?root={}", id("acme"))).await, [id("acme"), id("dev"), id("bot")]);
    assert_eq!(ids(&format!("?parent={}", id("acme"))).await, [id("dev")]);
    assert_eq!(ids(&format!("?root={}&parent={}", id("rival"), id("acme"))).await, Vec::<Uuid>::new());
    // an id that is not a root matches no workspace, for every caller
    for below in ["dev", "bot"] {
        assert_eq!(ids(&format!("?root={}", id(below))).await, Vec::<Uuid>::new());
        let of_top = app.viewer(id("dev")).get(&format!("/workspaces?root={}", id(below))).await.expect(200);
        assert_eq!(of_top.ids(), Vec::<Uuid>::new());
    }
    assert_eq!(ids(&format!("?root={}&parent={}", id("dev"), id("dev"))).await, Vec::<Uuid>::new());
    let name = name_of(id("bot")).to_uppercase();
    assert_eq!(ids(&format!("?q={}", &name[4..])).await, [id("bot")]);
    assert_eq!(ids("?q=%25").await, Vec::<Uuid>::new(), "a part of a name is no pattern");
    admin.delete(&format!("/workspaces/{}", id("bot"))).await.expect(200);
    assert_eq!(ids("").await, [id("acme"), id("dev"), id("rival")]);
    let removed = admin.get("/workspaces?status=removed").await.expect(200).items();
    assert_eq!(removed.len(), 1);
    assert_eq!((&removed[0]["id"], &removed[0]["status"]), (&json!(id("bot")), &json!("removed")));
}

async fn list_contains_only_workspaces_of_the_caller(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops\nrival").await;
    let id = |name: &str| org.id(name);
    let dev = id("dev");
    assert_eq!(app.agent(dev).get("/workspaces").await.expect(200).ids(), [dev]);
    for watcher in [app.viewer(dev), app.operator(dev)] {
        assert_eq!(watcher.get("/workspaces").await.expect(200).ids(), [dev, id("bot"), id("peer")]);
        let none = watcher.get(&format!("/workspaces?parent={}", id("acme"))).await.expect(200);
        assert_eq!(none.ids(), [dev]);
    }
    assert_eq!(app.admin().get("/workspaces").await.expect(200).ids().len(), 6);
}

async fn patch_changes_only_the_given_fields(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.admin().create("Acme", None).await;
    let body = json!({"name": "Bot", "parent_id": acme, "role": "planner", "metadata": {"a": 1}});
    let bot = app.admin().post("/workspaces", body).await.expect(201).id("id");
    let patch =
        async |body: Value| app.operator(acme).patch(&format!("/workspaces/{bot}"), body).await.expect(200).json();
    let row = patch(json!({"name": "Renamed"})).await;
    assert_eq!(
        (&row["name"], &row["role"], &row["metadata"]),
        (&json!("Renamed"), &json!("planner"), &json!({"a": 1}))
    );
    let row = patch(json!({"role": null})).await;
    assert_eq!((&row["name"], &row["role"], &row["metadata"]), (&json!("Renamed"), &json!(null), &json!({"a": 1})));
    let row = patch(json!({"metadata": null, "role": "lead"})).await;
    assert_eq!((&row["role"], &row["metadata"]), (&json!("lead"), &json!(null)));
    let same = patch(json!({})).await;
    assert_eq!(same["name"], "Renamed");
}

async fn tree_is_nested_to_the_requested_depth(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n  ops").await;
    let nested = async |depth: &str| {
        let tree = app.viewer(org.id("acme")).get(&format!("/workspaces/{}/tree{depth}", org.id("acme"))).await;
        drawn(&tree.expect(200).json(), &org)
    };
    assert_eq!(nested("").await, "acme(dev(bot(helper)) ops)");
    assert_eq!(nested("?depth=0").await, "acme");
    assert_eq!(nested("?depth=1").await, "acme(dev ops)");
    assert_eq!(nested("?depth=2").await, "acme(dev(bot) ops)");
    let cut = app.admin().get(&format!("/workspaces/{}/tree?depth=0", org.id("acme"))).await.expect(200).json();
    assert_eq!(cut["child_count"], 2, "children are counted, shown or not");
}

fn drawn(node: &Value, org: &orgmem_tests::orgs::Drawn) -> String {
    let name = org.name(orgmem_tests::id_of(node, "id"));
    let mut below: Vec<_> = node["children"].as_array().into_iter().flatten().map(|child| drawn(child, org)).collect();
    below.sort();
    if below.is_empty() { name } else { format!("{name}({})", below.join(" ")) }
}

async fn move_carries_memories_along(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n  ops\n    oncall").await;
    let id = |name: &str| org.id(name);
    let (bot, ops) = (id("bot"), id("ops"));
    let shared = app.agent(bot).commit(bot, "TEAM", "how we deploy").await;
    let bound = json!({"content": "for dev's team", "scope": "TEAM", "team": id("dev")});
    let bound = app.agent(bot).commit_with(bot, bound).await;
    let finds = async |name: &str| app.agent(id(name)).search(id(name), &[]).await.ids();
    assert_eq!(finds("dev").await, [bound, shared]);
    assert_eq!(finds("oncall").await, Vec::<Uuid>::new());
    app.operator(id("acme")).move_workspace(bot, ops).await;
    assert_eq!(finds("dev").await, Vec::<Uuid>::new());
    assert_eq!(finds("ops").await, [shared]);
    assert_eq!(finds("oncall").await, [shared], "siblings now");
    assert_eq!(finds("helper").await, [shared], "it came along");
    assert_eq!(finds("bot").await, [bound, shared], "bound to a former parent's team: only the author");
    let row = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json();
    assert_eq!((&row["parent_id"], &row["memories"]["team"]), (&json!(ops), &json!(2)));
}

async fn removed_workspace_reads_nothing_and_has_no_readers(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let id = app.agent(bot).commit(bot, "TEAM", "shared").await;
    let (agent, path) = (app.agent(bot), format!("/workspaces/{bot}"));
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids(), [id]);
    app.operator(acme).delete(&path).await.expect(200);
    assert_eq!(app.agent(peer).search(peer, &[]).await.ids(), Vec::<Uuid>::new());
    app.agent(peer).get(&format!("/workspaces/{peer}/memories/{id}")).await.refused(404, "not_found");
    agent.get("/me").await.refused(401, "token_invalid");
    app.agent(peer).get(&path).await.refused(404, "not_found");
    for one_who_may_know in [app.viewer(acme), app.operator(acme), app.admin()] {
        one_who_may_know.get(&path).await.refused(410, "gone");
        one_who_may_know.get(&format!("{path}/memories")).await.refused(410, "gone");
    }
    let again = json!({"id": bot, "name": "again", "parent_id": acme});
    app.admin().post("/workspaces", again).await.refused(409, "id_taken");
    let row = app.admin().get(&format!("/workspaces/{acme}")).await.expect(200).json();
    assert_eq!((&row["child_count"], &row["descendant_count"]), (&json!(1), &json!(1)));
}

async fn children_are_promoted_or_removed_as_requested(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n      helper\n    peer\n  ops\n    oncall").await;
    let id = |name: &str| org.id(name);
    let remove =
        async |name: &str, how: &str| app.operator(id("acme")).delete(&format!("/workspaces/{}{how}", id(name))).await;
    let refused = remove("dev", "").await.refused(409, "confirmation_required");
    assert_eq!(refused["children_count"], 2);
    let promoted = remove("dev", "?children=promote").await.expect(200).json();
    assert_eq!(promoted, json!({"status": "removed", "cascade_deleted": 0, "promoted": 2}));
    let row = app.admin().get(&format!("/workspaces/{}", id("bot"))).await.expect(200).json();
    assert_eq!(row["parent_id"], json!(id("acme")));
    let cascaded = remove("bot", "?children=cascade").await.expect(200).json();
    assert_eq!(cascaded, json!({"status": "removed", "cascade_deleted": 1, "promoted": 0}));
    app.admin().get(&format!("/workspaces/{}", id("helper"))).await.refused(410, "gone");
    remove("acme", "?children=promote").await.refused(409, "tree_conflict");
    let all = app.admin().delete(&format!("/workspaces/{}?children=cascade", id("acme"))).await.expect(200).json();
    assert_eq!(all["cascade_deleted"], 3);
    assert_eq!(app.admin().get("/workspaces").await.expect(200).ids(), Vec::<Uuid>::new());
}

async fn reach_contains_the_reason(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let reach = app.agent(bot).get(&format!("/workspaces/{bot}/reach?scope=TEAM")).await.expect(200).json();
    let names = |side: &str| -> Vec<String> {
        let rows = reach[side].as_array().into_iter().flatten();
        let mut names: Vec<_> = rows
            .map(|row| {
                format!(
                    "{} {}",
                    row["via"].as_str().unwrap_or_default(),
                    org.name(orgmem_tests::id_of(row, "workspace_id"))
                )
            })
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("reads"), ["parent dev", "self bot", "sibling peer"]);
    assert_eq!(names("read_by").len(), 3);
    let sibling =
        reach["reads"].as_array().into_iter().flatten().find(|row| row["via"] == "sibling").expect("there is one");
    assert_eq!(sibling["reason"], format!("sibling under {}", name_of(org.id("dev"))));
    let relation = app.viewer(org.id("acme")).get(&format!("/workspaces/{bot}/reach/{peer}")).await.expect(200).json();
    assert_eq!((&relation["relation"], &relation["common_ancestor"]), (&json!("sibling"), &json!(org.id("dev"))));
    let scopes: Vec<_> = relation["rows"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| (row["scope"].clone(), row["reads"].clone()))
        .collect();
    assert_eq!(scopes, [(json!("LOCAL"), json!(false)), (json!("TEAM"), json!(true)), (json!("GLOBAL"), json!(false))]);
}

/// `via name scope` of the rows of one direction, in order.
fn reach_rows(reach: &Value, side: &str) -> Vec<String> {
    let rows = reach[side].as_array().into_iter().flatten();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.map(|row| format!("{} {} {}", text(&row["via"]), text(&row["name"]), text(&row["scope"]))).collect()
}

async fn reach_has_pages_with_totals(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    a\n    b\n    c\n  ops").await;
    let acme = org.id("acme");
    let whole = app.viewer(acme).get(&format!("/workspaces/{acme}/reach")).await.expect(200);
    assert_eq!(whole.next(), None);
    let whole = whole.json();
    let (mut reads, mut read_by) = (Vec::new(), Vec::new());
    let mut path = Some(format!("/workspaces/{acme}/reach?limit=2"));
    let mut pages = 0;
    while let Some(next) = path {
        let page = app.viewer(acme).get(&next).await.expect(200);
        path = page.next();
        let page = page.json();
        assert_eq!(page["reads_totals"], whole["reads_totals"]);
        assert!(reach_rows(&page, "reads").len() <= 2 && reach_rows(&page, "read_by").len() <= 2, "{page}");
        reads.extend(reach_rows(&page, "reads"));
        read_by.extend(reach_rows(&page, "read_by"));
        pages += 1;
        // a cursor survives a change of the tree: rows before it are not repeated
        if pages == 1 {
            app.operator(acme).create("late", Some(org.id("ops"))).await;
        }
    }
    assert_eq!(reads, reach_rows(&whole, "reads"));
    assert_eq!(read_by.len(), reach_rows(&whole, "read_by").len() + 1);
    assert!(read_by.iter().any(|row| row.contains("late")), "{read_by:?}");
    let totals = json!([
        {"via": "self", "workspaces": 1, "local": 1, "team": 1, "global": 1},
        {"via": "child", "workspaces": 2, "local": 0, "team": 2, "global": 0},
    ]);
    assert_eq!(whole["reads_totals"], totals);
    let by_all = whole["read_by_totals"].as_array().into_iter().flatten().find(|total| total["via"] == "org");
    assert_eq!(by_all.map(|total| (&total["workspaces"], &total["global"])), Some((&json!(5), &json!(5))));
}

async fn reach_is_selected_by_direction_relation_and_id(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    a\n    b\n    c\n  ops").await;
    let [acme, a, b, c, ops] = ["acme", "a", "b", "c", "ops"].map(|name| org.id(name));
    let get =
        async |query: &str| app.viewer(acme).get(&format!("/workspaces/{a}/reach?{query}")).await.expect(200).json();
    let one_side = get("direction=read_by&via=sibling").await;
    assert_eq!((reach_rows(&one_side, "reads").len(), reach_rows(&one_side, "read_by").len()), (0, 2));
    let among = get(&format!("among={b},{ops}&direction=reads")).await;
    assert_eq!(among["reads"].as_array().map(|rows| rows.len()), Some(1));
    assert_eq!(orgmem_tests::id_of(&among["reads"][0], "workspace_id"), b);
    let none = get(&format!("among={ops}")).await;
    assert_eq!((reach_rows(&none, "reads").len(), reach_rows(&none, "read_by").len()), (0, 0));
    for query in ["among=x".to_owned(), format!("among={}", vec![c.to_string(); 201].join(","))] {
        let path = format!("/workspaces/{a}/reach?{query}");
        let refused = app.viewer(acme).get(&path).await.refused(400, "invalid_field");
        assert_eq!(refused["field"], "among");
    }
    app.viewer(acme).get(&format!("/workspaces/{a}/reach?cursor=x")).await.expect(400);
}
