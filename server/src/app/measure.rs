//! Counts and times operations on memories, for all entry points.

use std::time::Instant;

use tracing::Instrument;

use super::{App, AppError};
use crate::telemetry::MemoryOperation;

impl App {
    pub(super) async fn measured<T>(
        &self,
        operation: MemoryOperation,
        work: impl Future<Output = Result<T, AppError>>,
    ) -> Result<T, AppError> {
        let span = tracing::debug_span!(
            "memory",
            otel.name = operation.name(),
            gen_ai.operation.name = operation.name(),
            gen_ai.provider.name = "orgmem",
            error.type = tracing::field::Empty,
        );
        let started = Instant::now();
        let outcome = work.instrument(span.clone()).await;
        let error_type = outcome.as_ref().err().map(|error| error.problem().code.as_str());
        span.record("error.type", error_type);
        self.operations.done(operation, started.elapsed(), error_type);
        outcome
    }
}
