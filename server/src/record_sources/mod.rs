//! Records that are fetched from the sources of record in the settings.
//!
//! A read that meets claims about entities of a source ends, asks the source outside of any transaction, and runs again. A
//! source that does not answer leaves the claims unverified.
//!
//! Source: `docs/spec/records.md`, "Fetched records".

mod request;
mod source;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::future::join_all;
use orgmem_hierarchy::OrgId;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Clock, Requester};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::config::RecordSourceSettings;
use crate::outbound::OutboundError;
pub(crate) use source::FetchedFields;
use source::{RecordSource, SourceContext};

/// Entities that one read asks sources for.
const MAX_QUERIES: usize = 32;

/// An entity to ask a source for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EntityQuery {
    /// Position of the source in the settings.
    source: usize,
    entity: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct FetchLabels {
    source: String,
    outcome: &'static str,
}

/// All sources. One org cannot take all requests of a source, and learns nothing of the requests of another.
pub(crate) struct RecordSources {
    sources: Vec<Arc<RecordSource>>,
    clock: Arc<dyn Clock>,
    fetches: Family<FetchLabels, Counter>,
}

impl RecordSources {
    /// # Returns
    /// `None` without sources.
    ///
    /// # Errors
    /// [`OutboundError`] of the first source that cannot be used.
    pub(crate) fn open(
        settings: &[RecordSourceSettings],
        clock: Arc<dyn Clock>,
        scrubber: &'static Scrubber,
    ) -> Result<Option<Arc<Self>>, OutboundError> {
        let fetches = Family::default();
        let context = SourceContext { clock: Arc::clone(&clock), scrubber, fetches: fetches.clone() };
        let sources = settings.iter().map(|settings| RecordSource::open(settings, context.clone()).map(Arc::new));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        Ok((!sources.is_empty()).then(|| Arc::new(Self { sources, clock, fetches })))
    }

    pub(crate) fn family(&self) -> Family<FetchLabels, Counter> {
        self.fetches.clone()
    }

    /// The question for a field of an entity, to the first source that answers for both in this org.
    pub(crate) fn query(&self, org: OrgId, entity: &str, field: &str) -> Option<EntityQuery> {
        let source = self.sources.iter().position(|source| source.answers_for(org, entity, field))?;
        Some(EntityQuery { source, entity: entity.to_owned() })
    }

    /// A recent answer, or a recent failure.
    pub(crate) fn cached(&self, org: OrgId, query: &EntityQuery) -> Option<FetchedFields> {
        self.sources.get(query.source)?.cached(org, &query.entity, self.clock.now())
    }

    /// Asks the sources. Entities beyond the limit of one read, and those of a source that does not answer in time, are
    /// absent from the result.
    pub(crate) async fn fetch(
        &self,
        org: OrgId,
        queries: BTreeSet<EntityQuery>,
        requester: Requester,
    ) -> HashMap<EntityQuery, FetchedFields> {
        let fetches = queries.into_iter().take(MAX_QUERIES).filter_map(|query| {
            let source = self.sources.get(query.source)?;
            Some(async move {
                let fields = source.fetch(org, &query.entity, requester).await?;
                Some((query, fields))
            })
        });
        join_all(fetches).await.into_iter().flatten().collect()
    }
}
