//! What was said just before and after.

use std::collections::HashMap;

use uuid::Uuid;

use super::shelves::Shelves;
use crate::segment::{Seat, Sitting, Symbol};

/// A memory that was made close to another one in the same session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour<S> {
    /// How many memories after the other one; below 0 before it.
    pub offset: i32,
    /// The handle of the shelf that it lies on.
    pub shelf: S,
    /// The memory.
    pub id: Uuid,
}

impl<S: Copy> Shelves<'_, S> {
    /// The memories that were made next to each of these in its session, at most `reach` before and as many after, in the
    /// order in which they were made, whatever a filter says of them. None for one without a session.
    ///
    /// # Complexity
    /// O(s log s) for each session of s memories that one of these is of.
    pub fn neighbours(&self, ids: &[Uuid], reach: u8) -> HashMap<Uuid, Vec<Neighbour<S>>> {
        let mut sessions: HashMap<&str, Vec<(Seat, S)>> = HashMap::new();
        let mut all = HashMap::with_capacity(ids.len());
        for &id in ids {
            let Some(session) = self.session_of(id) else { continue };
            let seated = sessions.entry(session).or_insert_with(|| self.in_session(session));
            let Some(at) = seated.iter().position(|(seat, _)| seat.id == id) else { continue };
            let reach = usize::from(reach);
            let first = at.saturating_sub(reach);
            let near =
                seated.iter().enumerate().skip(first).take(at - first + 1 + reach).filter(|(place, _)| *place != at);
            let neighbour = |(place, (seat, shelf)): (usize, &(Seat, S))| Neighbour {
                offset: place as i32 - at as i32,
                shelf: *shelf,
                id: seat.id,
            };
            all.insert(id, near.map(neighbour).collect());
        }
        all
    }

    /// The session of a memory that is there.
    fn session_of(&self, id: Uuid) -> Option<&str> {
        self.views.iter().find_map(|view| {
            let doc = view.pack.find(id).filter(|doc| view.shows(*doc))?;
            let session = view.pack.row(doc).session_id;
            (session != Symbol::NONE).then(|| view.pack.string(session))
        })
    }

    /// The memories of a session that are there, in the order in which they were made.
    fn in_session(&self, session: &str) -> Vec<(Seat, S)> {
        let mut seated = Vec::new();
        for view in &self.views {
            let seats = view.pack.symbol(session).map(|symbol| view.pack.sittings.of_one(Sitting::Session(symbol)));
            let shown = seats.into_iter().flatten().filter(|seat| view.shows(seat.doc));
            seated.extend(shown.map(|seat| (*seat, view.handle)));
        }
        seated.sort_unstable_by_key(|(seat, _)| (seat.created_at, seat.number, seat.id));
        seated
    }
}
