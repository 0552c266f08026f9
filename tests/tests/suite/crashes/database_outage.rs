//! A PostgreSQL that crashes and restarts, fails over to its standby, or whose disk is full: the server reports it and
//! recovers without a restart.

use orgmem_tests::{Cluster, On, TestApp, run};
use serde_json::json;

use super::ledger::{Ledger, versions_grow};
use super::load::{Load, create_org};

#[test]
fn server_recovers_after_database_crash() {
    run(async {
        let cluster = Cluster::start();
        let app = TestApp::builder(On::Postgres).in_database(&cluster.database()).start().await;
        let org = create_org(&app).await;
        let bot = org.id("bot-0");
        let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
        let mut ledger = Ledger::default();
        for round in 0..3 {
            let mut load = Load::start(&app, &org, round, || 0);
            load.acknowledged(150).await;
            cluster.crash();
            load.end(&mut ledger).await;
            let agent = app.agent(bot);
            let refused = agent.post(&at("memory"), json!({"key": "away", "value": round})).await;
            refused.refused(503, "unavailable");
            assert!(refused.header("retry-after").is_some(), "{}", refused.describe());
            agent.get(&at("memories?q=crane")).await.refused(503, "unavailable");
            agent.get("/readyz").await.refused(503, "unavailable");
            agent.get("/healthz").await.expect(200);
            cluster.restart();
            agent.post(&at("memory"), json!({"key": "back", "value": round})).await.expect(200);
            agent.get(&at("memories?q=crane")).await.expect(200);
            agent.get("/readyz").await.expect(200);
            let faults = ledger.faults(&mut app.tables(), 0).expect("the tables can be read");
            assert!(faults.is_empty(), "round {round}: {faults:#?}");
        }
        versions_grow(&ledger);
    });
}

/// The address of the database names both hosts.
#[test]
fn acknowledged_writes_survive_failover_to_standby() {
    run(async {
        let cluster = Cluster::start_with_standby();
        let app = TestApp::builder(On::Postgres).in_database(&cluster.database_on_primary()).start().await;
        let org = create_org(&app).await;
        let bot = org.id("bot-0");
        let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
        let agent = app.agent(bot);
        let mut ledger = Ledger::default();
        let mut load = Load::start(&app, &org, 0, || 0);
        load.acknowledged(300).await;
        cluster.crash();
        load.end(&mut ledger).await;
        // a standby takes no writes, and its reads could be old
        agent.post(&at("memory"), json!({"key": "away", "value": 1})).await.refused(503, "unavailable");
        agent.get(&at("memories?q=crane")).await.refused(503, "unavailable");
        cluster.promote_standby();
        agent.post(&at("memory"), json!({"key": "back", "value": 1})).await.expect(200);
        agent.get(&at("memories?q=crane")).await.expect(200);
        agent.get("/readyz").await.expect(200);
        let mut load = Load::start(&app, &org, 1, || 0);
        load.acknowledged(300).await;
        load.end(&mut ledger).await;
        let faults = ledger.faults(&mut app.tables(), 0).expect("the tables can be read");
        assert!(faults.is_empty(), "{faults:#?}");
        versions_grow(&ledger);
    });
}

/// A trigger raises PostgreSQL's error for a full disk.
#[test]
fn server_recovers_after_full_disk_of_database() {
    run(async {
        let app = TestApp::new(On::Postgres).await;
        let org = app.plant("acme\n  bot").await;
        let bot = org.id("bot");
        let agent = app.agent(bot);
        let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
        let before = agent.commit(bot, "TEAM", "there was room").await;
        let mut tables = app.tables();
        let full = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION \
             'could not extend file \"base/16384/16397\": No space left on device' USING ERRCODE = '53100'; END $$";
        tables.execute(full).expect("a function");
        let on_each = ["memories", "entries", "episodes"];
        for table in on_each {
            let trigger =
                format!("CREATE TRIGGER full_disk BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION full_disk()");
            tables.execute(&trigger).expect("a trigger");
        }
        let stored = app.dump();
        for (rest, body) in [
            ("memories", json!({"content": "there is none", "scope": "TEAM"})),
            ("memory", json!({"key": "room", "value": 0})),
            ("activity", json!({"activity_type": "agent_log"})),
        ] {
            let problem = agent.post(&at(rest), body).await.refused(503, "unavailable");
            assert!(!problem.to_string().contains("base/16384"), "the log's business: {problem}");
        }
        assert_eq!(app.dump(), stored, "nothing was changed");
        assert_eq!(agent.search(bot, &[("q", "room")]).await.ids(), [before], "reading goes on");
        for table in on_each {
            tables.execute(&format!("DROP TRIGGER full_disk ON {table}")).expect("it is there");
        }
        let after = agent.commit(bot, "TEAM", "there is room again").await;
        assert_eq!(agent.search(bot, &[("q", "again")]).await.ids(), [after]);
    });
}
