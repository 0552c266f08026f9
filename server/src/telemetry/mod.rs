//! Logs, metrics and traces.
//!
//! A request is logged and counted once, at the boundary; docs/logging.md describes the lines.

mod drafted;
mod logs;
mod metrics;
mod operations;
mod requests;
mod traces;

pub(crate) use drafted::DraftedBytes;
pub(crate) use metrics::{Metrics, RequestMetrics};
pub(crate) use operations::{MemoryOperation, Operations};
pub(crate) use requests::{request_done, request_failed, request_refused, request_span};

use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::Logging;

/// Logs or traces that cannot be set up.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum TelemetryError {
    #[error("`log` is not a filter: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    #[error("`otlp_endpoint` cannot be used: {0}")]
    TraceExporter(#[from] opentelemetry_otlp::ExporterBuildError),
    #[error("logs are set up twice: {0}")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Keeps logs and traces running. Dropping it sends the last traces.
#[must_use = "traces end when this is dropped"]
pub struct Telemetry {
    traces: Option<traces::TraceExporter>,
}

impl Telemetry {
    /// Sets up logs, and traces where a collector is configured, once for the whole process. Blocks.
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
