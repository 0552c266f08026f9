//! The benchmark in process, with the ranking crate only.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use orgmem_recall::{
    Byline, Doc, Embedding, Embeddings, Filter, Meta, Order, PageRequest, Partition, PartitionIndex, Query, ReadTime,
    Scoring, Searcher, analyze, in_first_person,
};
use uuid::Uuid;

use crate::data::{Conversation, Failure, Set};
use crate::embedder::Embedder;
use crate::figures::{Figures, Table};

/// The number of results that a question requests.
pub const LIMIT: usize = 20;

/// The number of memories of a context block, by default.
pub const BLOCK_LIMIT: usize = 5;

/// The response that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// The results of a search.
    Search,
    /// The memories of the context block of the default profile.
    Block,
}

/// A conversation with its index.
pub struct Indexed {
    conversation: Conversation,
    /// The name and the items of each speaker.
    speakers: Vec<(Byline, PartitionIndex)>,
    /// One for each question; empty without a model.
    embeddings: Vec<Embedding>,
}

impl Indexed {
    /// Indexes a conversation as the server does, with embeddings if there is an `embedder`.
    ///
    /// # Errors
    /// The errors of the embedder.
    pub fn new(conversation: Conversation, embedder: Option<&dyn Embedder>) -> Result<Self, Failure> {
        let texts: Vec<&str> = conversation.items.iter().map(|item| item.text.as_str()).collect();
        let embeddings: Vec<Option<Embeddings>> = match embedder {
            Some(embedder) => embedder.embed_parts(&texts)?.into_iter().map(Some).collect(),
            None => vec![None; texts.len()],
        };
        let names = conversation.speakers();
        let questions: Vec<String> =
            conversation.questions.iter().map(|question| in_first_person(&question.text, &names)).collect();
        let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
        let question_embeddings =
            embedder.map(|embedder| embedder.embed_questions(&questions)).transpose()?.unwrap_or_default();
        let mut docs: HashMap<String, Vec<Doc>> = HashMap::new();
        for ((number, item), embeddings) in (1..).zip(&conversation.items).zip(embeddings) {
            let meta = Meta {
                id: Uuid::from_u128(number as u128),
                seq: number,
                number,
                created_at: item.at.timestamp_micros(),
                confidence: 0.5,
                namespace: "general".into(),
                kind: "fact".into(),
                source: "agent".into(),
                session_id: item.session.clone(),
                ..Meta::default()
            };
            docs.entry(item.speaker.clone()).or_default().push(Doc { meta, analysis: analyze(&item.text), embeddings });
        }
        let indexed = |(speaker, docs): (String, Vec<Doc>)| (Byline::of(&speaker), PartitionIndex::build(docs));
        let speakers = docs.into_iter().map(indexed).collect();
        Ok(Self { conversation, speakers, embeddings: question_embeddings })
    }

    /// For each question the ids of the results, best first.
    #[must_use]
    pub fn rankings(&self, scoring: &Scoring, surface: Surface) -> Vec<Vec<String>> {
        let partitions: Vec<Partition<'_, ()>> = (1..)
            .zip(&self.speakers)
            .map(|(author, (byline, segment))| Partition {
                handle: (),
                author: Uuid::from_u128(author),
                byline,
                index: segment,
            })
            .collect();
        let ranking = |text: &str, after: usize, embedding: Option<&Embedding>| {
            let moment = ReadTime { now: 0, as_of: i64::try_from(after).ok() };
            let query = Query::parse(text).with_meaning(embedding.cloned().into_iter().collect());
            let searcher = Searcher::at(moment, &partitions);
            let query = searcher.understand(&query).query;
            let mut candidates = searcher.candidates_with(scoring, &query, &Filter::default());
            searcher.put_newest_first(&query, &mut candidates);
            let (candidates, limit) = match surface {
                Surface::Search => (candidates, LIMIT),
                Surface::Block => (searcher.collapsed(&candidates, Order::Relevance).0, BLOCK_LIMIT),
            };
            let hits = searcher.page(&candidates, &PageRequest { limit, ..PageRequest::default() });
            let item = |id: Uuid| self.conversation.items[id.as_u128() as usize - 1].id.clone();
            hits.into_iter().map(|hit| item(hit.id)).collect()
        };
        let questions = self.conversation.questions.iter().enumerate();
        questions.map(|(index, question)| ranking(&question.text, question.after, self.embeddings.get(index))).collect()
    }
}

/// Data sets with the indexes of their conversations.
pub struct IndexedSets(Vec<(String, Vec<Indexed>)>);

impl IndexedSets {
    /// Indexes all sets.
    ///
    /// # Errors
    /// The errors of the embedder.
    pub fn of(sets: Vec<Set>, embedder: Option<&dyn Embedder>) -> Result<Self, Failure> {
        let indexed = |set: Set| {
            let conversations = parallel_map(set.conversations, |conversation| Indexed::new(conversation, embedder));
            Ok((set.name, conversations.into_iter().collect::<Result<_, Failure>>()?))
        };
        Ok(Self(sets.into_iter().map(indexed).collect::<Result<_, Failure>>()?))
    }

    /// Asks all questions with the weights of `scoring`.
    #[must_use]
    pub fn ask(&self, scoring: &Scoring, surface: Surface) -> Table {
        let figures = |(name, conversations): &(String, Vec<Indexed>)| {
            let rankings =
                parallel_map(conversations.iter().collect(), |indexed: &Indexed| indexed.rankings(scoring, surface));
            let conversations = conversations.iter().map(|indexed| &indexed.conversation);
            (name.clone(), Figures::of(conversations, &rankings))
        };
        Table(self.0.iter().map(figures).collect())
    }
}

/// Applies `work` to `items` on all cores; the results are in the order of `items`.
fn parallel_map<T: Clone + Send + Sync, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, Into::into);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item.clone())));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker panicked")).collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, done)| done).collect()
}
