//! The index in memory agrees with the database, also after writes by other servers.

use std::sync::mpsc;

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_recall::PageRequest;
use orgmem_store::{ReadPlan, Search, Store};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::{ACME, Commit, about, commit, commit_all, contents, forget, search, search_at};
use super::orgs::{Failure, Org, draw};
use crate::stores::{On, TestStore};

on_both!(
    searches_during_commits_find_every_acknowledged_memory,
    index_stays_within_its_memory_limit,
    every_plan_has_the_same_result
);

async fn searches_during_commits_find_every_acknowledged_memory(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let mut tasks = tokio::task::JoinSet::new();
    for name in ["bot-1", "bot-2", "dev", "ops"] {
        let (store, acme) = (t.store.clone(), acme.clone());
        tasks.spawn(async move { commit_and_search(&store, &acme, name).await });
    }
    tasks.join_all().await;
    let mut all = about("race");
    all.cut.limit = 100;
    let all = search(&t.store, &acme, acme.get("dev"), all).await;
    assert_eq!(all.hits.len(), 3 * 17, "its own and its children's");
}

/// Rows have only the current state of a changed memory; an older snapshot has the previous one.
#[test]
fn older_snapshot_finds_the_previous_state() {
    crate::run(On::Postgres, async |t: TestStore| {
        let acme = draw(&t.store, ACME).await;
        let (here, there) = (t.second_server(), t.store.clone());
        let bot = acme.get("bot-1");
        let draft =
            |id, text: &str| Commit::new(bot, Scope::Team, text).with(|input| input.id = Some(Uuid::from_u128(id)));
        commit(&there, &acme, draft(1, "buoy one")).await.expect("a commit");
        assert_eq!(contents(&search(&here, &acme, bot, about("buoy")).await), ["buoy one"]);

        let late = OldSnapshot::begin(&here, &acme, bot);
        commit(&there, &acme, draft(1, "buoy one again")).await.expect("an edit");
        search(&here, &acme, bot, about("buoy")).await;
        assert_eq!(late.end().await, ["buoy one again"], "by a newer snapshot");

        // written and changed after this server's last read
        commit(&there, &acme, draft(2, "buoy two")).await.expect("a commit");
        let late = OldSnapshot::begin(&here, &acme, bot);
        commit(&there, &acme, draft(2, "buoy two again")).await.expect("an edit");
        search(&here, &acme, bot, about("buoy")).await;
        assert_eq!(late.end().await, ["buoy one again", "buoy two again"]);

        commit(&there, &acme, draft(3, "buoy three")).await.expect("a commit");
        let late = OldSnapshot::begin(&here, &acme, bot);
        commit(&there, &acme, draft(3, "buoy three again")).await.expect("an edit");
        // a change of another partition waits with this one
        search(&here, &acme, acme.get("ops"), about("buoy")).await;
        assert_eq!(late.end().await, ["buoy one again", "buoy three again", "buoy two again"]);
    });
}

/// A search for buoys with an older snapshot.
struct OldSnapshot {
    go_on: mpsc::Sender<()>,
    found: tokio::task::JoinHandle<Vec<String>>,
}

impl OldSnapshot {
    fn begin(store: &Store, acme: &Org, reader: WorkspaceId) -> Self {
        let (reading, begun) = mpsc::channel();
        let (go_on, waited) = mpsc::channel::<()>();
        let (store, org) = (store.clone(), acme.id);
        let found = tokio::spawn(async move {
            let found: Result<_, Failure> = store
                .read(ReadPlan::Scan, move |tx| {
                    let pass = read_pass(tx, org, reader)?;
                    reading.send(()).ok();
                    waited.recv().ok();
                    Ok(tx.search(&pass, &about("buoy"))?)
                })
                .await;
            let mut found: Vec<String> = contents(&found.expect("an answer")).into_iter().map(str::to_owned).collect();
            found.sort();
            found
        });
        begun.recv().expect("the read begins");
        Self { go_on, found }
    }

    async fn end(self) -> Vec<String> {
        drop(self.go_on);
        self.found.await.expect("no panic")
    }
}

/// Commits 25 memories and deletes every third one, with a search after each step.
async fn commit_and_search(store: &Store, acme: &Org, name: &str) {
    let author = acme.get(name);
    let scope = if name == "ops" { Scope::Local } else { Scope::Team };
    for n in 0..25u128 {
        let id = Uuid::from_u128(u128::from(author.uuid().as_u128() as u64) << 64 | n);
        let text = format!("race {name} {n}");
        let draft = Commit::new(author, scope, &text).with(|input| input.id = Some(id));
        commit(store, acme, draft).await.expect("a commit");
        let found = search(store, acme, author, about(&format!("race {name} {n}"))).await;
        assert!(contents(&found).contains(&text.as_str()), "{text} is missing");
        if n % 3 == 2 {
            assert!(forget(store, acme, author, id).await);
            let found = search(store, acme, author, about(&format!("race {name} {n}"))).await;
            assert!(!contents(&found).contains(&text.as_str()), "{text} was forgotten");
        }
    }
}

#[test]
fn commit_is_found_by_the_next_search_on_another_server() {
    crate::run(On::Postgres, async |t: TestStore| {
        let other = t.second_server();
        let acme = draw(&t.store, ACME).await;
        let bot = acme.get("bot-1");
        let id = |n: u128| Uuid::from_u128(n + 1);
        for n in 0..30u128 {
            let (here, there) = if n % 2 == 0 { (&t.store, &other) } else { (&other, &t.store) };
            let draft = Commit::new(bot, Scope::Team, &format!("shared {n}")).with(|input| input.id = Some(id(n)));
            commit(here, &acme, draft).await.expect("a commit");
            let found = search(there, &acme, acme.get("bot-2"), about("shared")).await;
            assert!(contents(&found).contains(&format!("shared {n}").as_str()));
            if n > 3 {
                assert!(forget(here, &acme, bot, id(n - 3)).await);
                let found = search(there, &acme, acme.get("dev"), about("shared")).await;
                assert!(!contents(&found).contains(&format!("shared {}", n - 3).as_str()));
            }
        }
    });
}

/// The plan of a search depends on its cost and does not affect its result.
async fn every_plan_has_the_same_result(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for stock in [1_990u128, 100] {
        let text = |n| format!("stock {stock} of part number {n}");
        let commits = (0..stock).map(|n| Commit::new(bot, Scope::Team, &text(n))).collect();
        commit_all(&t.store, &acme, commits).await;
        let query = || Search {
            cut: PageRequest { limit: 20, ..PageRequest::default() },
            ..about(&format!("stock {stock} number 77"))
        };
        let found = search(&t.store, &acme, acme.get("dev"), query()).await;
        assert_eq!(contents(&found)[0], text(77));
        let on_pool = search_at(ReadPlan::Scan, &t.store, &acme, acme.get("dev"), query()).await;
        assert_eq!(contents(&found), contents(&on_pool));
    }
}

async fn index_stays_within_its_memory_limit(mut t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    for name in ["bot-1", "bot-2", "dev"] {
        let text = format!("cached by {name}");
        commit(&t.store, &acme, Commit::new(acme.get(name), Scope::Team, &text)).await.expect("a commit");
    }
    let found = search(&t.store, &acme, acme.get("dev"), about("cached")).await;
    let bytes = t.store.load().index_bytes;

    t.config = t.config.with_index_cache(1);
    let t = t.reopened();
    let retry = search(&t.store, &acme, acme.get("dev"), about("cached")).await;
    assert_eq!(contents(&retry), contents(&found), "however little is cached, everything is found");
    let fewer = t.store.load().index_bytes;
    assert!(fewer < bytes, "what was used last is cached, {fewer} bytes of {bytes}");
}
