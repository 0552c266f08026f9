use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

use super::metrics::latencies;

/// What is done to memories, as OpenTelemetry's conventions for generative AI name it (`gen_ai.operation.name`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoryOperation {
    /// New memories are committed.
    Create,
    /// A memory is committed under an id of the caller's choice: a new one, or in place of the one there.
    Upsert,
    /// A memory that is there is changed.
    Update,
    /// Memories are searched.
    Search,
    /// A memory is forgotten.
    Delete,
}

impl MemoryOperation {
    /// The name of the conventions.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create_memory",
            Self::Upsert => "upsert_memory",
            Self::Update => "update_memory",
            Self::Search => "search_memory",
            Self::Delete => "delete_memory",
        }
    }
}

/// How often and how long, whichever door the request came through. Cheap to clone; all clones count together.
#[derive(Clone)]
pub(crate) struct Operations(Family<OperationLabels, Histogram>);

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OperationLabels {
    gen_ai_operation_name: &'static str,
    error_type: Option<&'static str>,
}

impl Operations {
    pub(crate) fn new() -> Self {
        Self(Family::new_with_constructor(latencies as fn() -> Histogram))
    }

    /// Counts one.
    ///
    /// # Arguments
    /// `error_type`: the code of the problem when it was refused or failed.
    pub(crate) fn done(&self, operation: MemoryOperation, took: Duration, error_type: Option<&'static str>) {
        let labels = OperationLabels { gen_ai_operation_name: operation.name(), error_type };
        self.0.get_or_create(&labels).observe(took.as_secs_f64());
    }

    pub(super) fn family(&self) -> Family<OperationLabels, Histogram> {
        self.0.clone()
    }
}
