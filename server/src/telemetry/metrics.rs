//! What is counted, for Prometheus. No label has an id in it.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use orgmem_store::Store;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::Operations;
use crate::audit::{ReadCounts, Reads};
use crate::embedding::{EmbeddingStatus, Progress};
use crate::summary::Summarizer;

/// The counters of one server. Cheap to clone; all clones count together.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<RequestLabels, Histogram>,
}

/// A request that was answered.
pub(crate) struct Served<'a> {
    /// The pattern of its address.
    pub(crate) route: &'static str,
    /// Its method.
    pub(crate) method: &'a Method,
    /// How it was answered.
    pub(crate) status: StatusCode,
    /// How long that took.
    pub(crate) took: Duration,
}

/// Named as OpenTelemetry names them, with underscores for dots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    http_route: &'static str,
    http_request_method: &'static str,
    http_response_status_code: u16,
}

impl Metrics {
    /// The type of [`text`](Self::text).
    pub(crate) const CONTENT_TYPE: &'static str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// The counters of a server over this store, whose services count in `operations`.
    pub(crate) fn new(
        store: Store,
        operations: &Operations,
        summarizer: &Summarizer,
        reads: Arc<Reads>,
        embedding: Option<Arc<EmbeddingStatus>>,
    ) -> Self {
        let requests = Family::new_with_constructor(latencies as fn() -> Histogram);
        let mut registry = Registry::default();
        let help = "Time from the head of a request to its answer";
        registry.register_with_unit("http_server_request_duration", help, Unit::Seconds, requests.clone());
        let help = "Time that an operation on memories took, through whichever door";
        registry.register_with_unit("orgmem_memory_operation_duration", help, Unit::Seconds, operations.family());
        let help = "Summaries, by who made them, and why a language model did not where it should have";
        registry.register("orgmem_summaries", help, summarizer.family());
        registry.register_collector(Box::new(StoreLoad(store)));
        registry.register_collector(Box::new(ReadRows(reads)));
        if let Some(embedding) = embedding {
            registry.register_collector(Box::new(EmbeddingCollector(embedding)));
        }
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("orgmem_build", "The release that runs", build);
        Self { registry: Arc::new(registry), requests }
    }

    /// Counts a request.
    pub(crate) fn served(&self, served: &Served<'_>) {
        let labels = RequestLabels {
            http_route: served.route,
            http_request_method: known(served.method),
            http_response_status_code: served.status.as_u16(),
        };
        self.requests.get_or_create(&labels).observe(served.took.as_secs_f64());
    }

    /// Everything that was counted, as OpenMetrics text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // writing into a string does not fail
        let _ = text::encode(&mut text, &self.registry);
        text
    }
}

/// How busy the store is when it is asked.
struct StoreLoad(Store);

impl std::fmt::Debug for StoreLoad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.load().fmt(f)
    }
}

impl Collector for StoreLoad {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let load = self.0.load();
        let gauges = [
            ("orgmem_store_waiting_writes", "Writes that wait for a commit", None, load.waiting_writes),
            ("orgmem_store_index_cache", "Memory that the keyword index takes", Some(&Unit::Bytes), load.index_bytes),
        ];
        for (name, help, unit, value) in gauges {
            let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
            gauge.encode(encoder.encode_descriptor(name, help, unit, gauge.metric_type())?)?;
        }
        Ok(())
    }
}

/// How the rows of reads fare when it is asked.
struct ReadRows(Arc<Reads>);

impl std::fmt::Debug for ReadRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.counts().fmt(f)
    }
}

impl Collector for ReadRows {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let ReadCounts { waiting, written, lost } = self.0.counts();
        let waiting = ConstGauge::new(i64::try_from(waiting).unwrap_or(i64::MAX));
        let (name, help) = ("orgmem_access_log_waiting_reads", "Rows of reads that wait to be written");
        waiting.encode(encoder.encode_descriptor(name, help, None, waiting.metric_type())?)?;
        for (name, help, value) in [
            ("orgmem_access_log_written_reads", "Rows of reads that were written", written),
            ("orgmem_access_log_lost_reads", "Rows of reads that could not be kept", lost),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

/// How embedding fares when it is asked.
#[derive(Debug)]
struct EmbeddingCollector(Arc<EmbeddingStatus>);

impl Collector for EmbeddingCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let Progress { waiting, embedded, refused, failed, failing } = self.0.progress();
        for (name, help, value) in [
            ("orgmem_embedding_waiting", "Memories that wait to be embedded, counted up to 100000", waiting),
            ("orgmem_embedding_up", "Whether the embedder answered last", i64::from(failing.is_none())),
        ] {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
        }
        for (name, help, value) in [
            ("orgmem_embedding_embedded", "Memories that were embedded", embedded),
            ("orgmem_embedding_refused", "Memories that the embedder made nothing of", refused),
            ("orgmem_embedding_failed", "Calls of the embedder that failed", failed),
        ] {
            let counter = ConstCounter::new(value);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

/// From 100 µs to 13 s, each twice the one before.
pub(super) fn latencies() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 18))
}

/// Methods are text that anybody can make up, and labels live for ever.
fn known(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PATCH" => "PATCH",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "_OTHER",
    }
}
