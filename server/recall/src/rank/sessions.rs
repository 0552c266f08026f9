//! The sessions of all views, and the neighbours of a memory in its session.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::searcher::{DocRef, Searcher, SegmentView};
use crate::index::{Field, SessionDoc, SessionKey, Symbol};

/// A time, and the order of commits at that time.
type TimeOrder = (i64, i64);

/// The documents of one session in one view, invisible ones included: the number of the view, and the documents in order.
type Run<'a> = (u32, &'a [SessionDoc]);

/// The memories of a session, or those of a day without a session, in all partitions.
pub(super) struct SessionGroup<'a> {
    pub(super) is_session: bool,
    first: TimeOrder,
    last: TimeOrder,
    runs: Vec<Run<'a>>,
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

impl<'a, S: Copy> Searcher<'a, S> {
    /// All groups with a visible memory, in no particular order.
    pub(super) fn session_groups(&self) -> Vec<SessionGroup<'a>> {
        let mut numbers = HashMap::<_, _, RandomState>::default();
        let mut groups: Vec<SessionGroup<'a>> = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            for (session, docs) in view.segment.sessions.iter() {
                let mut visible = docs.iter().filter(|doc| view.is_visible(doc.doc)).map(time_order);
                let Some(first) = visible.next() else { continue };
                let last = visible.next_back().unwrap_or(first);
                let name = match session {
                    SessionKey::Session(session) => (Some(view.segment.string(session)), 0),
                    SessionKey::Day(day) => (None, day),
                };
                let known = *numbers.entry(name).or_insert(groups.len());
                if known == groups.len() {
                    groups.push(SessionGroup { is_session: name.0.is_some(), first, last, runs: Vec::new() });
                }
                let group = &mut groups[known];
                group.first = group.first.min(first);
                group.last = group.last.max(last);
                group.runs.push((number, docs));
            }
        }
        groups
    }

    /// Writes the visible memories of `group`, in order of commit, to `docs`; each with the number of its view.
    pub(super) fn ordered_docs(&self, group: &SessionGroup<'_>, docs: &mut Vec<(SessionDoc, u32)>) {
        docs.clear();
        for &(number, run) in &group.runs {
            let view = &self.views[number as usize];
            docs.extend(run.iter().filter(|doc| view.is_visible(doc.doc)).map(|&doc| (doc, number)));
        }
        if group.runs.len() > 1 {
            // stable: it merges sorted runs
            docs.sort_by_key(|(doc, _)| (doc.created_at, doc.number, doc.id));
        }
    }

    /// The neighbours of each of these memories in its session: at most `reach` before and as many after, in order of
    /// commit, whatever the filter of a search. Memories without a session have none.
    ///
    /// # Complexity
    /// O(s log s) for each session with s memories.
    pub fn neighbours(&self, ids: &[Uuid], reach: u8) -> HashMap<Uuid, Vec<Neighbour<S>>> {
        let mut sessions: HashMap<&str, Vec<(SessionDoc, u32)>> = HashMap::new();
        let mut neighbours = HashMap::with_capacity(ids.len());
        for &id in ids {
            let Some(session) = self.session_of(id) else { continue };
            let docs = sessions.entry(session).or_insert_with(|| self.docs_of_session(session));
            let Some(at) = docs.iter().position(|(doc, _)| doc.id == id) else { continue };
            let neighbour = |(position, (doc, view)): (usize, &(SessionDoc, u32))| Neighbour {
                offset: position as i32 - at as i32,
                partition: self.views[*view as usize].handle,
                id: doc.id,
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
            let session = view.segment.row(doc).field(Field::Session);
            (session != Symbol::NONE).then(|| view.segment.string(session))
        })
    }

    fn docs_of_session(&self, session: &str) -> Vec<(SessionDoc, u32)> {
        let run = |(number, view): (u32, &SegmentView<'a, S>)| {
            let symbol = view.segment.symbol(session)?;
            Some((number, view.segment.sessions.find(SessionKey::Session(symbol))))
        };
        let runs = (0..).zip(&self.views).filter_map(run).collect();
        let group = SessionGroup { is_session: true, first: (0, 0), last: (0, 0), runs };
        let mut docs = Vec::new();
        self.ordered_docs(&group, &mut docs);
        docs
    }
}

impl SessionGroup<'_> {
    /// Its documents, in no particular order, invisible ones included.
    pub(super) fn docs(&self) -> impl Iterator<Item = DocRef> {
        self.runs.iter().flat_map(|&(view, docs)| docs.iter().map(move |doc| DocRef { view, doc: doc.doc }))
    }
}

fn time_order(doc: &SessionDoc) -> TimeOrder {
    (doc.created_at, doc.number)
}

/// The age of each group: how many of those that began before `until` ended later.
pub(super) fn ages(groups: &[SessionGroup<'_>], until: Option<i64>) -> Vec<usize> {
    let counted = groups.iter().filter(|group| until.is_none_or(|until| group.first.0 < until));
    let mut ends: Vec<TimeOrder> = counted.map(|group| group.last).collect();
    ends.sort_unstable();
    groups.iter().map(|group| ends.len() - ends.partition_point(|end| *end <= group.last)).collect()
}
