//! Moves race searches: every response is that of the tree before a move or after it, never a mixture; and after the
//! acknowledgement, on whatever server, only that of the tree after.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Memory, Oracle, Scope, Step};
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use uuid::Uuid;

for_each_store!(moves_race_searches_from_eight_threads);

#[test]
fn moves_race_searches_on_two_servers_of_one_postgres() {
    orgmem_tests::run(async {
        let one = TestApp::new(On::Postgres).await;
        let other = one.second_server().await;
        race(&[&one, &other], 2).await;
    });
}

#[test]
fn a_search_on_the_other_server_uses_the_tree_of_an_acknowledged_move() {
    orgmem_tests::run(async {
        let one = TestApp::new(On::Postgres).await;
        let other = one.second_server().await;
        let past = Past::make(&one, 3).await;
        let servers = [&one, &other];
        for (number, step) in past.moves.iter().enumerate() {
            servers[number % 2].admin().run_step(step).await.expect(200);
            for reader in &past.readers {
                let found = search(&servers[(number + 1) % 2].agent(*reader), *reader).await;
                assert_eq!(found, past.seen_by(*reader, number + 1), "after {step:?}");
            }
        }
    });
}

async fn moves_race_searches_from_eight_threads(on: On) {
    let app = TestApp::new(on).await;
    race(&[&app], 1).await;
}

/// A tree and moves of it, with what every reader sees after each.
struct Past {
    moves: Vec<Step>,
    /// The world before the first move, after it, and so on.
    worlds: Vec<Oracle>,
    readers: Vec<Uuid>,
}

impl Past {
    /// Thirty workspaces, each with a memory for its team, one for a team of its choice and one of its own.
    async fn make(app: &TestApp, seed: u64) -> Self {
        let mut seeded = Seeded::new(seed);
        let mut steps = seeded.org(30);
        let authors = Oracle::after(&steps).live();
        for author in &authors {
            for (scope, team) in [(Scope::Team, None), (Scope::Team, Some(*author)), (Scope::Local, None)] {
                let memory = Memory { id: seeded.id(), author: *author, scope, team, content: "compass".to_owned() };
                steps.push(Step::Commit(memory));
            }
        }
        app.admin().run_steps(&steps).await;
        let mut worlds = vec![Oracle::after(&steps)];
        let mut moves = Vec::new();
        while moves.len() < 120 {
            let mut fixture = worlds[moves.len()].clone();
            let step = Step::Move { id: seeded.one_of(&authors), to: seeded.one_of(&authors) };
            let before = fixture.parent(moved(&step));
            if fixture.apply(&step).is_ok() && fixture.parent(moved(&step)) != before {
                worlds.push(fixture);
                moves.push(step);
            }
        }
        Self { moves, worlds, readers: authors }
    }

    /// What `reader` finds after so many moves.
    fn seen_by(&self, reader: Uuid, moves: usize) -> BTreeSet<Uuid> {
        self.worlds[moves].memories_read_by(reader).iter().map(|memory| memory.id).collect()
    }

    /// Whether what was found is what is seen after one of these numbers of moves.
    fn is_of(&self, reader: Uuid, found: &BTreeSet<Uuid>, moves: RangeInclusive<usize>) -> bool {
        moves.into_iter().any(|moves| self.seen_by(reader, moves) == *found)
    }
}

fn moved(step: &Step) -> Uuid {
    match step {
        Step::Move { id, .. } => *id,
        other => panic!("{other:?} is no move"),
    }
}

/// What is found at once: all that matches is on one page.
async fn search(caller: &Caller, reader: Uuid) -> BTreeSet<Uuid> {
    let page = caller.search(reader, &[("q", "compass")]).await;
    page.ids().into_iter().collect()
}

/// How far the moves are.
#[derive(Default)]
struct Progress {
    begun: AtomicUsize,
    acknowledged: AtomicUsize,
    is_over: AtomicBool,
}

/// Moves on the servers in turn while eight threads search on all of them.
async fn race(servers: &[&TestApp], seed: u64) {
    let past = Arc::new(Past::make(servers[0], seed).await);
    let progress = Arc::new(Progress::default());
    let searchers: Vec<_> = (0..8)
        .map(|number| {
            let server = servers[number % servers.len()];
            let connections = server.anonymous().on_own_connections();
            let agent = |reader: &Uuid| (*reader, connections.with_token(&server.token("agent", Some(*reader))));
            let callers: Vec<_> = past.readers.iter().map(agent).collect();
            let (past, progress) = (past.clone(), progress.clone());
            std::thread::spawn(move || searching(&past, &progress, &callers, number))
        })
        .collect();
    for (number, step) in past.moves.iter().enumerate() {
        progress.begun.store(number + 1, Ordering::SeqCst);
        servers[number % servers.len()].admin().run_step(step).await.expect(200);
        progress.acknowledged.store(number + 1, Ordering::SeqCst);
    }
    progress.is_over.store(true, Ordering::SeqCst);
    let searches: usize = searchers.into_iter().map(|searcher| searcher.join().expect("no response was wrong")).sum();
    assert!(searches >= past.moves.len(), "{searches} searches are no race");
}

/// Searches as one reader after another until the moves are over, and once more; gives the number of searches.
fn searching(past: &Past, progress: &Progress, callers: &[(Uuid, Caller)], first: usize) -> usize {
    let mut searches = 0;
    orgmem_tests::run(async {
        for (reader, caller) in callers.iter().cycle().skip(first * 4) {
            let was_over = progress.is_over.load(Ordering::SeqCst);
            let earliest = progress.acknowledged.load(Ordering::SeqCst);
            let found = search(caller, *reader).await;
            let latest = progress.begun.load(Ordering::SeqCst);
            let is_right = past.is_of(*reader, &found, earliest..=latest);
            assert!(is_right, "{reader} found {found:?}, as after none of {earliest} to {latest} moves");
            searches += 1;
            if was_over {
                return;
            }
        }
    });
    searches
}
