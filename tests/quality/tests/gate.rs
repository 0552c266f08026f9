//! What the questions of a few conversations are answered with stays as good as it is, and a server answers as the ranking
//! crate alone does.
//!
//! The conversations are not part of the repository. They are looked for in `../shared/quality` beside it, or where
//! `ORGMEM_QUALITY_DATA` says; where they are not, these tests say so and hold nothing.

use std::path::{Path, PathBuf};

use orgmem_quality::data::{Conversation, Set};
use orgmem_quality::inside::{Indexed, Inside};
use orgmem_quality::server;
use orgmem_recall::Scoring;
use orgmem_tests::On;

/// Conversations of each set that are asked.
const CONVERSATIONS: usize = 2;

/// What the mean over the sets of the first conversations was when last changed, less what is not worth a failure.
const LEAST_RECALL: f64 = 0.66;
const LEAST_NDCG: f64 = 0.52;

fn sets() -> Option<Vec<Set>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/quality");
    let folder = std::env::var_os("ORGMEM_QUALITY_DATA").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("the conversations are not there, so nothing is held to them: `{}`", folder.display());
        return None;
    }
    Some(Set::all(&folder).expect("the sets are readable"))
}

#[test]
fn questions_are_answered_no_worse_than_before() {
    let Some(sets) = sets() else { return };
    let table = Inside::of(sets.into_iter().map(|set| set.first(CONVERSATIONS)).collect()).ask(&Scoring::default());
    println!("{}\n{}", table.head(), table.line("inside"));
    let mean = table.mean();
    assert!(mean.recall >= LEAST_RECALL && mean.ndcg >= LEAST_NDCG, "{mean}");
}

/// The shortest conversation of each set, so that it takes little time on either database.
fn shortest(sets: Vec<Set>) -> Vec<Conversation> {
    let shortest = |set: Set| set.conversations.into_iter().min_by_key(|conversation| conversation.items.len());
    sets.into_iter().filter_map(shortest).collect()
}

async fn a_server_ranks_as_recall_alone_does(on: On) {
    let Some(sets) = sets() else { return };
    for mut conversation in shortest(sets) {
        conversation.questions.truncate(20);
        let asked = server::rankings_of(&conversation, on).await;
        let name = conversation.name.clone();
        assert_eq!(asked, Indexed::new(conversation).rankings(&Scoring::default()), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_ranks_as_recall_alone_does() {
    a_server_ranks_as_recall_alone_does(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_postgres_ranks_as_recall_alone_does() {
    a_server_ranks_as_recall_alone_does(On::Postgres).await;
}
