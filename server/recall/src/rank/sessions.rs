//! The sessions of all views, and the neighbours of a memory in its session.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use hashbrown::HashTable;
use uuid::Uuid;

use super::searcher::{DocRef, Searcher, SegmentView};
use crate::index::HashedStr;

/// The name of a session, with its hash.
pub(super) type SessionName<'a> = HashedStr<'a>;

/// A visible memory of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct SessionDoc {
    /// Its position in the session: time, number and id.
    key: (i64, i64, Uuid),
    pub(super) at: DocRef,
}

/// A memory next to another one in the same session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour<S> {
    /// Distance from the other memory; negative before it.
    pub offset: i32,
    /// The handle of its partition.
    pub partition: S,
    /// The id of the memory.
    pub id: Uuid,
}

/// Finds sessions by name in all views.
///
/// A few look-ups ask each view. When they have cost as much as a directory of all sessions, it is built.
pub(super) struct SessionDirectory<'s, 'a, S> {
    searcher: &'s Searcher<'a, S>,
    /// Number of sessions of all views.
    pub(super) sessions: usize,
    /// Number of views that were asked.
    asked: Cell<usize>,
    /// All sessions, by the hash of their names: the number of the view, and that of the session there.
    all: OnceCell<HashTable<(u32, u32)>>,
}

impl<'s, 'a, S: Copy> SessionDirectory<'s, 'a, S> {
    pub(super) fn new(searcher: &'s Searcher<'a, S>) -> Self {
        let sessions = searcher.views.iter().map(|view| view.segment.sessions.len()).sum();
        SessionDirectory { searcher, sessions, asked: Cell::new(0), all: OnceCell::new() }
    }

    /// Writes the views with a session, and its number there, to `runs`.
    pub(super) fn runs(&self, name: SessionName<'_>, runs: &mut Vec<(u32, u32)>) {
        runs.clear();
        let views = &self.searcher.views;
        if self.all.get().is_none() && self.asked.get() + views.len() <= self.sessions {
            self.asked.set(self.asked.get() + views.len());
            let run = |(number, view): (u32, &SegmentView<'a, S>)| Some((number, view.segment.find_session(name)?));
            runs.extend((0..).zip(views).filter_map(run));
        } else {
            let all = self.all.get_or_init(|| self.directory());
            let is_it =
                |&&(view, session): &&(u32, u32)| views[view as usize].segment.hashed_session_name(session) == name;
            runs.extend(all.iter_hash(name.hash).filter(is_it));
            runs.sort_unstable();
        }
    }

    /// Writes the visible memories of a session, in order of commit, to `docs`.
    pub(super) fn docs(&self, runs: &[(u32, u32)], docs: &mut Vec<SessionDoc>) {
        docs.clear();
        for &(number, session) in runs {
            let view = &self.searcher.views[number as usize];
            for doc in view.segment.sessions.docs(session).filter(|doc| view.is_visible(*doc)) {
                let row = view.segment.row(doc);
                let key = (row.created_at(), row.number(), row.id());
                docs.push(SessionDoc { key, at: DocRef { view: number, doc } });
            }
        }
        if runs.len() > 1 {
            // stable: it merges sorted runs
            docs.sort_by_key(|doc| doc.key);
        }
    }

    fn directory(&self) -> HashTable<(u32, u32)> {
        let hash = |&(view, session): &(u32, u32)| self.searcher.views[view as usize].segment.session_hash(session);
        let mut all = HashTable::with_capacity(self.sessions);
        for (number, view) in (0..).zip(&self.searcher.views) {
            for session in 0..view.segment.sessions.len() as u32 {
                all.insert_unique(view.segment.session_hash(session), (number, session), hash);
            }
        }
        all
    }
}

impl<'a, S: Copy> Searcher<'a, S> {
    /// The neighbours of each of these memories in its session: at most `reach` before and as many after, in order of
    /// commit, whatever the filter of a search. Memories without a session have none.
    ///
    /// # Complexity
    /// O(s log s) for each session with s memories, plus O(segments) for each memory.
    pub fn neighbours(&self, ids: &[Uuid], reach: u8) -> HashMap<Uuid, Vec<Neighbour<S>>> {
        let directory = SessionDirectory::new(self);
        let mut sessions: HashMap<&str, Vec<SessionDoc>> = HashMap::new();
        let mut neighbours = HashMap::with_capacity(ids.len());
        for &id in ids {
            let Some(session) = self.session_of(id) else { continue };
            let docs = sessions.entry(session).or_insert_with(|| {
                let (mut runs, mut docs) = Default::default();
                directory.runs(session.into(), &mut runs);
                directory.docs(&runs, &mut docs);
                docs
            });
            let Some(at) = docs.iter().position(|doc| doc.key.2 == id) else { continue };
            let neighbour = |(position, doc): (usize, &SessionDoc)| Neighbour {
                offset: position as i32 - at as i32,
                partition: self.view(doc.at).handle,
                id: doc.key.2,
            };
            let near =
                docs.iter().enumerate().filter(|(position, _)| (1..=reach.into()).contains(&position.abs_diff(at)));
            neighbours.insert(id, near.map(neighbour).collect());
        }
        neighbours
    }

    /// The session of a visible memory.
    fn session_of(&self, id: Uuid) -> Option<&'a str> {
        self.views.iter().find_map(|view| {
            let doc = view.segment.find(id).filter(|doc| view.is_visible(*doc))?;
            view.segment.sessions.of_doc(doc).map(|session| view.segment.session_name(session))
        })
    }
}
