//! Records that are fetched from the sources of record in the settings.
//!
//! A read that meets claims about entities of a source ends, asks the source outside of any transaction, and runs again. A
//! source that does not answer leaves the claims unverified.
//!
//! Source: `docs/spec/records.md`, "Fetched records".

mod breaker;
mod request;
mod source;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use orgmem_hierarchy::OrgId;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Clock, Requester};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

use crate::config::RecordSourceSettings;
pub(crate) use source::FetchedFields;
use source::{RecordSource, SourceContext};

/// Entities that one read asks sources for.
const MAX_QUERIES: usize = 32;

/// A source that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordSourceError {
    /// The file of a header cannot be read.
    #[error("the file `{path}` of `sources.{source_name}.header_file` cannot be read: {cause}", path = .path.display())]
    Unreadable {
        /// The name of the source.
        source_name: String,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The value of a header has other characters than a header may have, or is empty.
    #[error("the value of the header of `sources.{0}` must be one line of visible ASCII")]
    Header(String),
    /// The client cannot be made.
    #[error("no HTTP client for `sources.{0}`: {1}")]
    Client(String, String),
}

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
    /// [`RecordSourceError`] of the first source that cannot be used.
    pub(crate) fn open(
        settings: &[RecordSourceSettings],
        clock: Arc<dyn Clock>,
        scrubber: &'static Scrubber,
    ) -> Result<Option<Arc<Self>>, RecordSourceError> {
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
