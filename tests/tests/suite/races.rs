//! Searches during moves: each response agrees with the tree before or after a move, and after the acknowledgement, on
//! every server, only with the tree after it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Memory, Oracle, Scope, Step};
use orgmem_tests::{Caller, On, TestApp, for_each_store};
use uuid::Uuid;

for_each_store!(searches_during_moves_are_consistent_from_eight_threads);

#[test]
fn searches_during_moves_are_consistent_on_two_servers() {
    orgmem_tests::run(async {
        let one = TestApp::new(On::Postgres).await;
        let other = one.second_server().await;
        race(&[&one, &other], 2).await;
    });
}

#[test]
fn search_on_another_server_uses_the_tree_of_an_acknowledged_move() {
    orgmem_tests::run(async {
        let one = TestApp::new(On::Postgres).await;
        let other = one.second_server().await;
        let history = MoveHistory::create(&one, 3).await;
        let servers = [&one, &other];
        for (number, step) in history.moves.iter().enumerate() {
            servers[number % 2].admin().run_step(step).await.expect(200);
            for reader in &history.readers {
                let found = search(&servers[(number + 1) % 2].agent(*reader), *reader).await;
                assert_eq!(found, history.readable_by(*reader, number + 1), "after {step:?}");
            }
        }
    });
}

async fn searches_during_moves_are_consistent_from_eight_threads(on: On) {
    let app = TestApp::new(on).await;
    race(&[&app], 1).await;
}

/// A tree and a sequence of moves, with the readable memories after each.
struct MoveHistory {
    moves: Vec<Step>,
    /// The oracle before the first move, after it, and so on.
    worlds: Vec<Oracle>,
    readers: Vec<Uuid>,
}

impl MoveHistory {
    /// Thirty workspaces, each with a memory for its team, one for a random team, and a private one.
    async fn create(app: &TestApp, seed: u64) -> Self {
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

    /// The memories readable by `reader` after `moves` moves.
    fn readable_by(&self, reader: Uuid, moves: usize) -> BTreeSet<Uuid> {
        self.worlds[moves].memories_read_by(reader).iter().map(|memory| memory.id).collect()
    }

    /// The result agrees with the state after one of these numbers of moves.
    fn matches_any(&self, reader: Uuid, found: &BTreeSet<Uuid>, moves: RangeInclusive<usize>) -> bool {
        moves.into_iter().any(|moves| self.readable_by(reader, moves) == *found)
    }
}

fn moved(step: &Step) -> Uuid {
    match step {
        Step::Move { id, .. } => *id,
        other => panic!("{other:?} is no move"),
    }
}

/// One page contains all results.
async fn search(caller: &Caller, reader: Uuid) -> BTreeSet<Uuid> {
    let page = caller.search(reader, &[("q", "compass")]).await;
    page.ids().into_iter().collect()
}

/// Counts of started and acknowledged moves.
#[derive(Default)]
struct Progress {
    begun: AtomicUsize,
    acknowledged: AtomicUsize,
    is_over: AtomicBool,
}

/// Moves on alternating servers while eight threads search on all of them.
async fn race(servers: &[&TestApp], seed: u64) {
    let history = Arc::new(MoveHistory::create(servers[0], seed).await);
    let progress = Arc::new(Progress::default());
    let searchers: Vec<_> = (0..8)
        .map(|number| {
            let server = servers[number % servers.len()];
            let connections = server.anonymous().on_own_connections();
            let agent = |reader: &Uuid| (*reader, connections.with_token(&server.token("agent", Some(*reader))));
            let callers: Vec<_> = history.readers.iter().map(agent).collect();
            let (history, progress) = (history.clone(), progress.clone());
            std::thread::spawn(move || searching(&history, &progress, &callers, number))
        })
        .collect();
    for (number, step) in history.moves.iter().enumerate() {
        progress.begun.store(number + 1, Ordering::SeqCst);
        servers[number % servers.len()].admin().run_step(step).await.expect(200);
        progress.acknowledged.store(number + 1, Ordering::SeqCst);
    }
    progress.is_over.store(true, Ordering::SeqCst);
    let searches: usize =
        searchers.into_iter().map(|searcher| searcher.join().expect("every response was right")).sum();
    assert!(searches >= history.moves.len(), "{searches} searches are no race");
}

/// Searches as alternating readers until after the last move; returns the number of searches.
fn searching(history: &MoveHistory, progress: &Progress, callers: &[(Uuid, Caller)], first: usize) -> usize {
    let mut searches = 0;
    orgmem_tests::run(async {
        for (reader, caller) in callers.iter().cycle().skip(first * 4) {
            let was_over = progress.is_over.load(Ordering::SeqCst);
            let earliest = progress.acknowledged.load(Ordering::SeqCst);
            let found = search(caller, *reader).await;
            let latest = progress.begun.load(Ordering::SeqCst);
            let is_right = history.matches_any(*reader, &found, earliest..=latest);
            assert!(is_right, "{reader} found {found:?}, as after none of {earliest} to {latest} moves");
            searches += 1;
            if was_over {
                return;
            }
        }
    });
    searches
}
