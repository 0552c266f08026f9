//! What the questions of a few conversations are answered with stays as good as it is, and a server answers as the ranking
//! crate alone does.
//!
//! The conversations are not part of the repository. They are looked for in `../shared/quality` beside it, or where
//! `ORGMEM_QUALITY_DATA` says; where they are not, these tests say so and hold nothing.

use std::path::{Path, PathBuf};

use orgmem_embed::Model;
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
    let inside = Inside::of(sets.into_iter().map(|set| set.first(CONVERSATIONS)).collect(), None);
    let table = inside.expect("there is no embedder to fail").ask(&Scoring::default());
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
        let asked = server::rankings_of(&conversation, on, None).await;
        let name = conversation.name.clone();
        let alone = Indexed::new(conversation, None).expect("there is no embedder to fail");
        assert_eq!(asked, alone.rankings(&Scoring::default()), "{name}");
    }
}

/// The folder of a model, where there is one.
fn model() -> Option<PathBuf> {
    let folder = std::env::var_os("ORGMEM_TEST_MODEL").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("`ORGMEM_TEST_MODEL` names no model, so nothing is held to what texts mean");
    }
    folder
}

/// What people say to each other is short, so that a model takes little time for it, and yet of several parts.
fn chat(sets: Vec<Set>) -> Option<Conversation> {
    shortest(sets.into_iter().filter(|set| set.name == "locomo").collect()).pop()
}

#[test]
fn a_model_answers_more() {
    let (Some(sets), Some(folder)) = (sets(), model()) else { return };
    let facts: Vec<Set> = sets.into_iter().filter(|set| set.name == "locomo_facts").map(|set| set.first(1)).collect();
    let model = Model::open(&folder).expect("the model opens");
    let inside = Inside::of(facts, Some(&model)).expect("texts can be embedded");
    let (words, both) = (inside.ask(&Scoring::default()).mean(), inside.ask(&Scoring::with_meaning()).mean());
    println!("words {words}\nboth {both}");
    assert!(both.recall > words.recall + 0.02 && both.ndcg > words.ndcg + 0.02, "{words}, and with a model {both}");
}

async fn a_server_with_a_model_ranks_as_recall_alone_does(on: On) {
    let (Some(sets), Some(folder)) = (sets(), model()) else { return };
    let Some(mut conversation) = chat(sets) else { return };
    conversation.questions.truncate(20);
    let asked = server::rankings_of(&conversation, on, Some(&folder)).await;
    let model = Model::open(&folder).expect("the model opens");
    let alone = Indexed::new(conversation, Some(&model)).expect("texts can be embedded");
    assert_eq!(asked, alone.rankings(&Scoring::with_meaning()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_with_a_model_ranks_as_recall_alone_does() {
    a_server_with_a_model_ranks_as_recall_alone_does(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_postgres_with_a_model_ranks_as_recall_alone_does() {
    a_server_with_a_model_ranks_as_recall_alone_does(On::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_ranks_as_recall_alone_does() {
    a_server_ranks_as_recall_alone_does(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_postgres_ranks_as_recall_alone_does() {
    a_server_ranks_as_recall_alone_does(On::Postgres).await;
}
