//! The quality of search results does not drop, and a server returns the rankings of the ranking crate.
//!
//! The tests run on the data set in `data`, and also on the sets in the folder `ORGMEM_QUALITY_DATA` if it is set. Tests
//! with embeddings need `ORGMEM_TEST_MODEL`, the folder of a model.

use std::path::{Path, PathBuf};

use orgmem_embed::Model;
use orgmem_quality::data::{Conversation, Item, Question, Set};
use orgmem_quality::embedder::Embedder;
use orgmem_quality::figures::{Figures, Table};
use orgmem_quality::in_process::{Indexed, IndexedSets, Surface};
use orgmem_quality::server;
use orgmem_recall::Scoring;
use orgmem_tests::On;

/// Lower bounds for a mean: the last measurement less a small margin.
struct Floor {
    recall: f64,
    ndcg: f64,
}

/// The set of this repository; measured: 0.777 / 0.647.
const KEYWORDS: Floor = Floor { recall: 0.76, ndcg: 0.633 };

/// The context block of the set of this repository; measured: 0.713 / 0.624.
const BLOCK: Floor = Floor { recall: 0.698, ndcg: 0.61 };

/// The set of this repository with all-MiniLM-L6-v2; measured: 0.957 / 0.810.
const EMBEDDINGS: Floor = Floor { recall: 0.94, ndcg: 0.795 };

/// Public sets with a floor of their own, which holds for the mean over all of them.
const PUBLIC_SETS: [&str; 4] = ["beam128k", "locomo", "locomo_facts", "realmem"];
const PUBLIC: Floor = Floor { recall: 0.66, ndcg: 0.52 };

/// The number of conversations of each public set.
const CONVERSATIONS: usize = 2;

/// The number of questions of each external conversation that a server is asked.
const QUESTIONS: usize = 20;

impl Floor {
    fn check(&self, measured: Figures) {
        let holds = measured.recall >= self.recall && measured.ndcg >= self.ndcg;
        assert!(holds, "{measured} is below {:.3} / {:.3}", self.recall, self.ndcg);
    }
}

fn own_sets() -> Vec<Set> {
    Set::all(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))).expect("the sets of the repository are valid")
}

fn external_sets() -> Vec<Set> {
    let Some(folder) = std::env::var_os("ORGMEM_QUALITY_DATA") else {
        eprintln!("`ORGMEM_QUALITY_DATA` is not set: external data sets are not tested");
        return Vec::new();
    };
    Set::all(Path::new(&folder)).expect("the sets of `ORGMEM_QUALITY_DATA` are valid")
}

fn model_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("ORGMEM_TEST_MODEL").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("`ORGMEM_TEST_MODEL` is not set: search with embeddings is not tested");
    }
    folder
}

/// The shortest conversation of each external set, with a part of its questions, to bound the time of the tests.
fn external_samples() -> Vec<Conversation> {
    let sample = |set: Set| {
        let mut shortest = set.conversations.into_iter().min_by_key(|conversation| conversation.items.len())?;
        shortest.questions.truncate(QUESTIONS);
        Some(shortest)
    };
    external_sets().into_iter().filter_map(sample).collect()
}

fn own_conversations() -> Vec<Conversation> {
    own_sets().into_iter().flat_map(|set| set.conversations).collect()
}

/// Measures and prints.
fn measure(sets: Vec<Set>, scoring: &Scoring, model: Option<&Model>) -> Table {
    let embedder = model.map(|model| -> &dyn Embedder { model });
    let table = IndexedSets::of(sets, embedder).expect("the model embeds all texts").ask(scoring, Surface::Search);
    println!("{}\n{}", table.header(), table.row("measured"));
    table
}

#[test]
fn gold_ids_of_own_sets_exist_when_the_question_is_asked() {
    for conversation in own_conversations() {
        for question in &conversation.questions {
            let exists = |id: &String| conversation.items[..question.after].iter().any(|item| item.id == *id);
            assert!(!question.gold.is_empty() && question.gold.iter().all(exists), "{question:?}");
        }
    }
}

#[test]
fn keyword_search_of_own_sets_reaches_the_floor() {
    KEYWORDS.check(measure(own_sets(), &Scoring::default(), None).mean());
}

#[test]
fn context_block_of_own_sets_reaches_the_floor() {
    let sets = IndexedSets::of(own_sets(), None).expect("no model is needed");
    BLOCK.check(sets.ask(&Scoring::default(), Surface::Block).mean());
}

#[test]
fn search_of_own_sets_with_a_model_reaches_the_floor() {
    let Some(folder) = model_folder() else { return };
    let model = Model::open(&folder).expect("the model opens");
    EMBEDDINGS.check(measure(own_sets(), &Scoring::with_meaning(), Some(&model)).mean());
}

/// The last section of 40 KB answers the question, in other words.
#[test]
fn end_of_a_long_memory_is_found_by_its_meaning() {
    let Some(folder) = model_folder() else { return };
    let model = Model::open(&folder).expect("the model opens");
    let rules = (1..=800).map(|rule| format!("Rule {rule}: carriers sign list {} at gate {}.", rule * 7, rule % 9));
    let answer = "If the sprinklers flood the archive, call the night porter immediately. He shuts the main valve in the \
        boiler room, and the pumps begin to work. Wet papers are laid out to dry and never stacked. The insurer wants \
        photographs of every soaked shelf. Nobody enters the archive before the floor is dry. Damp books go to the \
        freezer of the university, because mould grows within two days. Maps and drawings come first, then letters. The \
        flood is entered in the log of the archive on the same evening.";
    let long = rules.chain([answer.to_owned()]).collect::<Vec<_>>().join(" ");
    assert!(long.len() > 30_000, "{}", long.len());
    let item = |id: &str, text: &str| Item {
        id: id.to_owned(),
        session: None,
        speaker: "Ada".to_owned(),
        at: chrono::DateTime::UNIX_EPOCH,
        text: text.to_owned(),
    };
    let conversation = Conversation {
        name: "rules".to_owned(),
        items: vec![item("long", &long), item("short", "The canteen serves soup on Mondays.")],
        questions: vec![Question {
            text: "whom do I phone when water damages our documents?".to_owned(),
            after: 2,
            gold: vec!["long".to_owned()],
        }],
    };
    let indexed = Indexed::new(conversation, Some(&model)).expect("the model embeds all texts");
    let rankings = indexed.rankings(&Scoring::with_meaning(), Surface::Search);
    assert_eq!(rankings[0].first().map(String::as_str), Some("long"), "{rankings:?}");
}

#[test]
fn keyword_search_of_public_sets_reaches_the_floor() {
    let mut sets = external_sets();
    sets.retain(|set| PUBLIC_SETS.contains(&set.name.as_str()));
    if sets.len() < PUBLIC_SETS.len() {
        eprintln!("the floor needs the sets {PUBLIC_SETS:?}: not tested");
        return;
    }
    let sets = sets.into_iter().map(|set| set.first(CONVERSATIONS)).collect();
    PUBLIC.check(measure(sets, &Scoring::default(), None).mean());
}

#[test]
fn a_model_improves_the_results_of_public_facts() {
    let Some(folder) = model_folder() else { return };
    let mut sets = external_sets();
    sets.retain(|set| set.name == "locomo_facts");
    if sets.is_empty() {
        return;
    }
    let sets: Vec<Set> = sets.into_iter().map(|set| set.first(1)).collect();
    let model = Model::open(&folder).expect("the model opens");
    let keywords = measure(sets.clone(), &Scoring::default(), None).mean();
    let both = measure(sets, &Scoring::with_meaning(), Some(&model)).mean();
    assert!(
        both.recall > keywords.recall + 0.02 && both.ndcg > keywords.ndcg + 0.02,
        "{keywords}, with a model {both}"
    );
}

/// Compares the rankings of a server with those of the ranking crate, to the last id.
async fn compare_rankings(conversation: Conversation, on: On, model: Option<&Path>, surface: Surface) {
    let name = conversation.name.clone();
    let by_server = server::rankings_of(&conversation, on, model, surface).await;
    let model = model.map(|folder| Model::open(folder).expect("the model opens"));
    let scoring = if model.is_some() { Scoring::with_meaning() } else { Scoring::default() };
    let embedder = model.as_ref().map(|model| -> &dyn Embedder { model });
    let indexed = Indexed::new(conversation, embedder).expect("the model embeds all texts");
    assert_eq!(by_server, indexed.rankings(&scoring, surface), "{name}");
}

async fn server_ranks_own_sets_like_the_crate(on: On) {
    for conversation in own_conversations() {
        compare_rankings(conversation, on, None, Surface::Search).await;
    }
}

async fn context_block_of_own_sets_equals_that_of_the_crate(on: On) {
    for conversation in own_conversations() {
        compare_rankings(conversation, on, None, Surface::Block).await;
    }
}

async fn server_with_a_model_ranks_own_sets_like_the_crate(on: On) {
    let Some(folder) = model_folder() else { return };
    for conversation in own_conversations() {
        compare_rankings(conversation, on, Some(&folder), Surface::Search).await;
    }
}

async fn server_ranks_external_sets_like_the_crate(on: On) {
    for conversation in external_samples() {
        compare_rankings(conversation, on, None, Surface::Search).await;
    }
}

/// Limited to one set of short messages, because a model needs much time for long texts.
async fn server_with_a_model_ranks_an_external_set_like_the_crate(on: On) {
    let Some(folder) = model_folder() else { return };
    let mut sets = external_sets();
    sets.retain(|set| set.name == "locomo");
    let conversations = sets.into_iter().flat_map(|set| set.conversations);
    let Some(mut shortest) = conversations.min_by_key(|conversation| conversation.items.len()) else { return };
    shortest.questions.truncate(QUESTIONS);
    compare_rankings(shortest, on, Some(&folder), Surface::Search).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_sqlite_ranks_own_sets_like_the_crate() {
    server_ranks_own_sets_like_the_crate(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_postgres_ranks_own_sets_like_the_crate() {
    server_ranks_own_sets_like_the_crate(On::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn context_block_on_sqlite_equals_that_of_the_crate() {
    context_block_of_own_sets_equals_that_of_the_crate(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn context_block_on_postgres_equals_that_of_the_crate() {
    context_block_of_own_sets_equals_that_of_the_crate(On::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_sqlite_with_a_model_ranks_own_sets_like_the_crate() {
    server_with_a_model_ranks_own_sets_like_the_crate(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_postgres_with_a_model_ranks_own_sets_like_the_crate() {
    server_with_a_model_ranks_own_sets_like_the_crate(On::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_sqlite_ranks_external_sets_like_the_crate() {
    server_ranks_external_sets_like_the_crate(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_postgres_ranks_external_sets_like_the_crate() {
    server_ranks_external_sets_like_the_crate(On::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_sqlite_with_a_model_ranks_an_external_set_like_the_crate() {
    server_with_a_model_ranks_an_external_set_like_the_crate(On::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_on_postgres_with_a_model_ranks_an_external_set_like_the_crate() {
    server_with_a_model_ranks_an_external_set_like_the_crate(On::Postgres).await;
}
