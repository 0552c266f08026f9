//! What happened on shadowed surfaces, noted after the response in bounded memory. A job moves it to the outboxes.

use std::collections::{BTreeMap, HashMap, VecDeque};

use orgmem_hierarchy::OrgId;
use orgmem_policies::providers::ProviderRoute;
use orgmem_store::{ProvidedItem, ProvidedKind};
use parking_lot::Mutex;
use uuid::Uuid;

/// Notices that wait for the job.
const MAX_NOTICES: usize = 4_096;
/// The most bytes of a query that is repeated; longer ones are no sample of searches.
const MAX_QUERY_BYTES: usize = 4_096;

/// An item that was written, or a query that was answered.
#[derive(Clone, Debug)]
pub(crate) enum Notice {
    /// The channel of a page is that of its episodes.
    Item {
        item: ProvidedItem,
        channel: Option<String>,
    },
    Query {
        reader: orgmem_hierarchy::WorkspaceId,
        query: String,
        routes: Vec<ProviderRoute>,
    },
}

#[derive(Default)]
pub(super) struct Notices(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<(OrgId, Notice)>,
    /// By org and provider. Items of a full queue are counted for all providers of their channel.
    dropped: HashMap<(OrgId, String), i64>,
}

/// The notices of one org, in their order.
#[derive(Default)]
pub(super) struct OrgNotices {
    pub(super) notices: Vec<Notice>,
    pub(super) dropped: Vec<(String, i64)>,
}

impl Notices {
    /// Adds a notice, or counts it as dropped for these providers.
    pub(super) fn push(&self, org: OrgId, notice: Notice, providers: impl Iterator<Item = String>) {
        let mut state = self.0.lock();
        let is_long = matches!(&notice, Notice::Query { query, .. } if query.len() > MAX_QUERY_BYTES);
        if state.waiting.len() < MAX_NOTICES && !is_long {
            state.waiting.push_back((org, notice));
            return;
        }
        for provider in providers {
            *state.dropped.entry((org, provider)).or_default() += 1;
        }
    }

    /// Takes notices back that could not be queued, as far as there is room.
    pub(super) fn restore(&self, org: OrgId, OrgNotices { notices, dropped }: &OrgNotices) {
        let mut state = self.0.lock();
        let room = MAX_NOTICES.saturating_sub(state.waiting.len());
        state.waiting.extend(notices.iter().take(room).map(|notice| (org, notice.clone())));
        for (provider, count) in dropped {
            *state.dropped.entry((org, provider.clone())).or_default() += count;
        }
    }

    /// Takes all notices, by org.
    pub(super) fn take(&self) -> BTreeMap<Uuid, OrgNotices> {
        let State { waiting, dropped } = std::mem::take(&mut *self.0.lock());
        let mut taken: BTreeMap<Uuid, OrgNotices> = BTreeMap::new();
        for (org, notice) in waiting {
            taken.entry(org.uuid()).or_default().notices.push(notice);
        }
        for ((org, provider), count) in dropped {
            taken.entry(org.uuid()).or_default().dropped.push((provider, count));
        }
        taken
    }
}

impl Notice {
    pub(super) fn page(workspace: orgmem_hierarchy::WorkspaceId, id: Uuid) -> Self {
        Self::Item { item: ProvidedItem { kind: ProvidedKind::Page, workspace, id }, channel: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_are_bounded_and_what_is_dropped_is_counted() {
        let (notices, org) = (Notices::default(), OrgId::from(Uuid::from_u128(1)));
        for number in 0..MAX_NOTICES + 3 {
            let notice = Notice::page(Uuid::from_u128(2).into(), Uuid::from_u128(number as u128));
            notices.push(org, notice, ["one".to_owned(), "two".to_owned()].into_iter());
        }
        let mut taken = notices.take().remove(&org.uuid()).expect("notices");
        assert_eq!(taken.notices.len(), MAX_NOTICES);
        taken.dropped.sort();
        assert_eq!(taken.dropped, [("one".to_owned(), 3), ("two".to_owned(), 3)]);
        assert!(notices.take().is_empty());
    }
}
