//! Logs, metrics and traces.
//!
//! A request is logged and counted once, at the boundary; docs/logging.md says how lines look.

mod logs;
mod metrics;
mod operations;
mod requests;
mod traces;

pub(crate) use metrics::{Metrics, Served};
pub(crate) use operations::{MemoryOperation, Operations};
pub(crate) use requests::{request_done, request_failed, request_span};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::Logging;

/// Why logs or traces cannot be set up; it stops the start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("`log` is no filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// The exporter of traces cannot be made.
    #[error("`otlp_endpoint` cannot be used: {0}")]
    TraceExporter(#[from] opentelemetry_otlp::ExporterBuildError),
    /// Something in this process logs already.
    #[error("logs are set up twice: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// What must live as long as the process logs and traces. Dropping it sends the traces that are still waiting.
#[must_use = "traces end when this is dropped"]
pub struct Telemetry {
    traces: Option<traces::TraceExporter>,
}

impl Telemetry {
    /// Sets up logs, and traces where a collector is configured, for the whole process. Blocks; call it before serving.
    ///
    /// # Errors
    /// [`TelemetryError`] when the settings cannot be used or it was done before.
    pub fn start(settings: &Logging) -> Result<Self, TelemetryError> {
        let traces = settings.otlp_endpoint.as_deref().map(traces::TraceExporter::to).transpose()?;
        let layer = traces.as_ref().map(traces::TraceExporter::layer);
        tracing_subscriber::registry().with(layer).with(logs::layer(settings)?).try_init()?;
        logs::log_panics();
        Ok(Self { traces })
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(traces) = &self.traces {
            traces.flush();
        }
    }
}
