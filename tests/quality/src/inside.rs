//! Without a server: the crate that ranks, and nothing else.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use orgmem_recall::{
    Byline, Cut, Doc, Embedding, Embeddings, Filter, Meta, Moment, Query, Scoring, Segment, Shelf, Shelves, analyze,
    in_first_person,
};
use uuid::Uuid;

use crate::data::{Conversation, Failure, Set};
use crate::figures::{Figures, Table};
use crate::meaning::Embedder;

/// Answers that are asked for.
pub const LIMIT: usize = 20;

/// A conversation, indexed.
pub struct Indexed {
    conversation: Conversation,
    /// One for each speaker: name and what he said.
    shelves: Vec<(Byline, Segment)>,
    /// What each question means; nothing without a model.
    meanings: Vec<Embedding>,
}

impl Indexed {
    /// The conversation as the server would hold it, with this embedder if any.
    ///
    /// # Errors
    /// Those of the embedder.
    pub fn new(conversation: Conversation, embedder: Option<&dyn Embedder>) -> Result<Self, Failure> {
        let texts: Vec<&str> = conversation.items.iter().map(|item| item.text.as_str()).collect();
        let embeddings: Vec<Option<Embeddings>> = match embedder {
            Some(embedder) => embedder.embed_parts(&texts)?.into_iter().map(Some).collect(),
            None => vec![None; texts.len()],
        };
        let speakers = conversation.speakers();
        let questions: Vec<String> =
            conversation.questions.iter().map(|question| in_first_person(&question.text, &speakers)).collect();
        let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
        let meanings = embedder.map(|embedder| embedder.embed_questions(&questions)).transpose()?.unwrap_or_default();
        let mut said: HashMap<String, Vec<Doc>> = HashMap::new();
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
                session_id: Some(item.session.clone()),
                ..Meta::default()
            };
            said.entry(item.speaker.clone()).or_default().push(Doc { meta, analysis: analyze(&item.text), embeddings });
        }
        let shelf = |(speaker, docs): (String, Vec<Doc>)| (Byline::of(&speaker), Segment::build(docs));
        let shelves = said.into_iter().map(shelf).collect();
        Ok(Self { conversation, shelves, meanings })
    }

    /// For each question the ids of what was found, best first.
    #[must_use]
    pub fn rankings(&self, scoring: &Scoring) -> Vec<Vec<String>> {
        let shelves: Vec<Shelf<'_, ()>> = (1..)
            .zip(&self.shelves)
            .map(|(author, (byline, segment))| Shelf { handle: (), author: Uuid::from_u128(author), byline, segment })
            .collect();
        let ranking = |text: &str, after: usize, meaning: Option<&Embedding>| {
            let moment = Moment { now: 0, as_of: i64::try_from(after).ok() };
            let query = Query::parse(text).with_meaning(meaning.cloned().into_iter().collect());
            let shelves = Shelves::at(moment, &shelves);
            let candidates = shelves.candidates_by(scoring, &query, &Filter::default());
            let hits = shelves.cut(candidates, &Cut { limit: LIMIT, ..Cut::default() });
            let item = |id: Uuid| self.conversation.items[id.as_u128() as usize - 1].id.clone();
            hits.into_iter().map(|hit| item(hit.id)).collect()
        };
        let questions = self.conversation.questions.iter().enumerate();
        questions.map(|(number, question)| ranking(&question.text, question.after, self.meanings.get(number))).collect()
    }
}

/// Sets, indexed.
pub struct Inside(Vec<(String, Vec<Indexed>)>);

impl Inside {
    /// Indexes all sets.
    ///
    /// # Errors
    /// Those of the embedder.
    pub fn of(sets: Vec<Set>, embedder: Option<&dyn Embedder>) -> Result<Self, Failure> {
        let indexed = |set: Set| {
            let conversations = in_turns(set.conversations, |conversation| Indexed::new(conversation, embedder));
            Ok((set.name, conversations.into_iter().collect::<Result<_, Failure>>()?))
        };
        Ok(Self(sets.into_iter().map(indexed).collect::<Result<_, Failure>>()?))
    }

    /// Asks all questions with these weights.
    #[must_use]
    pub fn ask(&self, scoring: &Scoring) -> Table {
        let figures = |(name, conversations): &(String, Vec<Indexed>)| {
            let rankings = in_turns(conversations.iter().collect(), |indexed: &Indexed| indexed.rankings(scoring));
            let conversations = conversations.iter().map(|indexed| &indexed.conversation);
            (name.clone(), Figures::of(conversations, &rankings))
        };
        Table(self.0.iter().map(figures).collect())
    }
}

/// What `work` makes of each of `items`, on all cores.
fn in_turns<T: Clone + Send + Sync, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, Into::into);
    let turn = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return done };
            done.push((number, work(item.clone())));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(turn)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, done)| done).collect()
}
