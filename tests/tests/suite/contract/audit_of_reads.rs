//! The queue of audit rows of reads, and rows that cannot be written.

use chrono::TimeDelta;
use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::audit_log::{actions, log};

for_each_store!(
    waiting_reads_are_refused_while_the_log_is_unwritable,
    dropped_rows_are_counted_and_recorded,
    unwritable_org_does_not_drop_rows_of_another,
    unwritable_org_does_not_block_other_orgs,
);

/// Reads the memories of this workspace `times` times.
async fn read(app: &TestApp, bot: Uuid, times: usize) {
    for _ in 0..times {
        app.agent(bot).get(&format!("/workspaces/{bot}/memories")).await.expect(200);
    }
}

/// SQL that makes the database refuse audit rows of this org, and SQL that undoes it.
fn refusals(on: On, org: Uuid) -> (String, &'static str) {
    match on {
        On::Sqlite => (
            format!(
                "CREATE TRIGGER refusal BEFORE INSERT ON access_log WHEN NEW.org_id = x'{}' \
                 BEGIN SELECT RAISE(ABORT, 'no row of this org'); END",
                org.simple()
            ),
            "DROP TRIGGER refusal",
        ),
        On::Postgres => (
            format!("ALTER TABLE access_log ADD CONSTRAINT refusal CHECK (org_id <> '{org}') NOT VALID"),
            "ALTER TABLE access_log DROP CONSTRAINT refusal",
        ),
    }
}

async fn waiting_reads_are_refused_while_the_log_is_unwritable(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_ACCESS_LOG_WAIT_FOR_READS", "yes").start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let list = format!("/workspaces/{bot}/memories");
    agent.get(&list).await.expect(200);
    app.execute_sql("ALTER TABLE access_log RENAME TO access_log_elsewhere");
    let refused: Response = agent.get(&list).await;
    assert!(refused.status >= 500, "{}", refused.describe());
    app.execute_sql("ALTER TABLE access_log_elsewhere RENAME TO access_log");
    agent.get(&list).await.expect(200);
    let searches = log(&app.admin(), bot, "?action=search_memories").await;
    assert_eq!(searches.len(), 2, "what was refused was not read");
}

async fn dropped_rows_are_counted_and_recorded(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_ACCESS_LOG_WAITING_READS", "1").start().await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    app.execute_sql("ALTER TABLE access_log RENAME TO access_log_elsewhere");
    read(&app, bot, 5).await;
    app.execute_sql("ALTER TABLE access_log_elsewhere RENAME TO access_log");
    app.advance(TimeDelta::seconds(1));
    let rows = log(&app.admin(), acme, "?subtree=true").await;
    let searches_recorded = rows.iter().filter(|row| row["action"] == "search_memories").count();
    let lost: u64 =
        rows.iter().filter(|row| row["action"] == "lose_reads").filter_map(|row| row["context"]["lost"].as_u64()).sum();
    assert_eq!((searches_recorded, lost), (1, 4), "{rows:#?}");
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    assert!(metrics.contains("orgmem_access_log_lost_reads_total 4"), "{metrics}");
}

async fn unwritable_org_does_not_drop_rows_of_another(on: On) {
    let app = TestApp::builder(on).with("ORGMEM_ACCESS_LOG_WAITING_READS", "8").start().await;
    let org = app.plant("acme\n  bot\nother\n  agent").await;
    let (acme, other) = (org.id("acme"), org.id("other"));
    let (refuse, take) = refusals(on, acme);
    app.execute_sql(&refuse);
    read(&app, org.id("bot"), 10).await;
    read(&app, org.id("agent"), 2).await;
    let rows = log(&app.admin(), other, "?subtree=true").await;
    let recorded = actions(&rows);
    assert_eq!(recorded.iter().filter(|recorded| **recorded == "search_memories").count(), 2, "{recorded:?}");
    assert!(!recorded.contains(&"lose_reads"), "{recorded:?}");
    app.execute_sql(take);
    let rows = log(&app.admin(), acme, "?subtree=true").await;
    let searches_recorded = rows.iter().filter(|row| row["action"] == "search_memories").count();
    let lost: Vec<&Value> = rows.iter().filter(|row| row["action"] == "lose_reads").collect();
    assert_eq!(
        (searches_recorded, lost.len(), &lost[0]["context"]["lost"]),
        (4, 1, &json!(6)),
        "half of the queue is reserved for it"
    );
}

async fn unwritable_org_does_not_block_other_orgs(on: On) {
    let mut app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\nother\n  agent").await;
    app.execute_sql(&refusals(on, org.id("acme")).0);
    read(&app, org.id("bot"), 2).await;
    read(&app, org.id("agent"), 2).await;
    app.stop().await;
    let searches = "SELECT ID(org_id) || ' ' || count(*) AS line FROM access_log WHERE verb = 'search_memories' \
                    GROUP BY org_id";
    let written = app.tables().try_query(searches).expect("the query succeeds");
    assert_eq!(written, [format!("{} 2", org.id("other").simple())]);
    let unsealed = app.tables().try_query("SELECT ID(org_id) AS line FROM orgs WHERE access_seq > sealed_seq");
    assert!(unsealed.expect("the query succeeds").is_empty());
}
