//! Traces to an OTLP collector.

use actix_web::http::header::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Span, Subscriber, warn};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::registry::LookupSpan;

pub(super) struct TraceExporter(SdkTracerProvider);

impl TraceExporter {
    /// Sends traces to this collector, in the background and in batches.
    pub(super) fn to(endpoint: &str) -> Result<Self, ExporterBuildError> {
        let address = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let exporter = SpanExporter::builder().with_http().with_protocol(Protocol::HttpBinary).with_endpoint(address);
        let resource = Resource::builder()
            .with_service_name("orgmem")
            .with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter.build()?).with_resource(resource);
        Ok(Self(provider.build()))
    }

    /// The spans of this server, independent of the log filter.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let ours = Targets::new().with_target("orgmem", LevelFilter::DEBUG);
        tracing_opentelemetry::layer().with_tracer(self.0.tracer("orgmem")).with_filter(ours)
    }

    pub(super) fn flush(&self) {
        if let Err(error) = self.0.shutdown() {
            warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Continues the trace of the request, if its headers name one (W3C Trace Context).
pub(super) fn continue_from(span: &Span, headers: &HeaderMap) {
    if headers.contains_key("traceparent") {
        let context = TraceContextPropagator::new().extract(&Headers(headers));
        // fails when the span is not traced
        let _ = span.set_parent(context);
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}
