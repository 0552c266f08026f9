//! The records of a call that are fetched from sources.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use orgmem_hierarchy::OrgId;
use orgmem_policies::rules::FieldState;

use crate::record_sources::{EntityQuery, FetchedFields, RecordSources};

/// What sources answered for a call, and what they are to be asked. By default there are no sources.
#[derive(Clone, Default)]
pub(super) struct FetchedRecords {
    sources: Option<Arc<RecordSources>>,
    known: Arc<HashMap<EntityQuery, FetchedFields>>,
    wanted: BTreeSet<EntityQuery>,
}

impl FetchedRecords {
    /// Of a call that has asked for nothing so far.
    pub(super) fn new(sources: Option<Arc<RecordSources>>) -> Self {
        Self { sources, ..Self::default() }
    }

    /// The same call with the answers of sources.
    pub(super) fn with(self, known: HashMap<EntityQuery, FetchedFields>) -> Self {
        Self { known: Arc::new(known), wanted: BTreeSet::new(), ..self }
    }

    /// The state of a field by an answer. A question without an answer is noted.
    pub(super) fn field(&mut self, org: OrgId, entity: &str, field: &str) -> Option<FieldState> {
        let sources = self.sources.as_ref()?;
        let query = sources.query(org, entity, field)?;
        let answer = self.known.get(&query).cloned().or_else(|| sources.cached(org, &query));
        match answer {
            Some(fields) => fields.get(field).cloned(),
            None => {
                self.wanted.insert(query);
                None
            }
        }
    }

    pub(super) fn wanted(self) -> BTreeSet<EntityQuery> {
        self.wanted
    }
}
