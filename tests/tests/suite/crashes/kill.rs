//! Repeated `kill -9` during sixty-four writers, on the same data.

use orgmem_tests::generators::Seeded;
use orgmem_tests::{On, TestApp, for_each_store, repetitions};

use super::ledger::{Ledger, versions_grow};
use super::load::{Load, WRITERS, create_org};

for_each_store!(acknowledged_writes_survive_repeated_kills);

async fn acknowledged_writes_survive_repeated_kills(on: On) {
    let rounds = repetitions(20, 50);
    let mut seeded = Seeded::new(9);
    let mut app = TestApp::builder(on).as_program().with("ORGMEM_LOG", "error").start().await;
    let org = create_org(&app).await;
    let mut ledger = Ledger::default();
    for round in 0..rounds {
        let mut load = Load::start(&app, &org, round, || 0);
        load.acknowledged(seeded.one_of(&[1, 20, 64, 150, 300])).await;
        app.kill().await;
        load.end(&mut ledger).await;
        app.restart().await;
        let faults = ledger.faults(&mut app.tables(), 0).expect("the tables can be read");
        assert!(faults.is_empty(), "round {round}: {faults:#?}");
        // the server agrees with the tables
        let bot = org.id(&format!("bot-{}", seeded.one_of(&(0..WRITERS).collect::<Vec<_>>())));
        let counted = app.admin().get(&format!("/workspaces/{bot}")).await.expect(200).json()["memories"].clone();
        for scope in ["LOCAL", "TEAM"] {
            let path = format!("/workspaces/{bot}/memories?scope={scope}&author={bot}&q=crane");
            let (found, _) = app.agent(bot).all_pages(&path).await;
            assert_eq!(Some(found.len() as u64), counted[scope.to_lowercase()].as_u64(), "round {round}, {scope}");
        }
    }
    assert!(ledger.acknowledged() > rounds * 50, "{} writes are no load", ledger.acknowledged());
    let unanswered = ledger.0.len() - ledger.acknowledged();
    assert!(unanswered > rounds * WRITERS / 2, "the kills came when nobody wrote: {unanswered}");
    versions_grow(&ledger);
}
