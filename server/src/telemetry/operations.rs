use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

use super::metrics::latencies;

/// `gen_ai.operation.name` of OpenTelemetry's conventions for generative AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemoryOperation {
    Create,
    /// A commit with an id.
    Upsert,
    Update,
    Search,
    Delete,
}

impl MemoryOperation {
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

/// Counts and durations of operations of all entry points. Clones share the numbers.
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

    /// Counts an operation; `error_type` is the problem code of a failure.
    pub(crate) fn done(&self, operation: MemoryOperation, took: Duration, error_type: Option<&'static str>) {
        let labels = OperationLabels { gen_ai_operation_name: operation.name(), error_type };
        self.0.get_or_create(&labels).observe(took.as_secs_f64());
    }

    pub(super) fn family(&self) -> Family<OperationLabels, Histogram> {
        self.0.clone()
    }
}
