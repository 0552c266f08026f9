//! Metrics for Prometheus. No label contains an id.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use orgmem_store::Store;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::drafted::DraftedBytes;
use crate::app::App;
use crate::audit::{ReadCounts, Reads};
use crate::embedding::{EmbeddingProgress, EmbeddingStatus};
use crate::jobs::Disk;
use crate::limits::LimitExceeded;
use crate::reranking::{RerankerStatus, RerankingProgress};

/// The metrics of one server. Clones share the numbers.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<RequestLabels, Histogram>,
    limited: Family<LimitLabels, Counter>,
}

pub(crate) struct RequestMetrics<'a> {
    /// The pattern of the path.
    pub(crate) route: &'static str,
    pub(crate) method: &'a Method,
    pub(crate) status: StatusCode,
    pub(crate) took: Duration,
}

/// Named as OpenTelemetry names them, with underscores for dots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    http_route: &'static str,
    http_request_method: &'static str,
    http_response_status_code: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabels {
    limit: String,
}

impl Metrics {
    /// The type of [`text`](Self::text).
    pub(crate) const CONTENT_TYPE: &'static str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    pub(crate) fn new(
        app: &App,
        reads: Arc<Reads>,
        (embedding, reranking): (Option<Arc<EmbeddingStatus>>, Option<Arc<RerankerStatus>>),
        disk: Option<Arc<Disk>>,
    ) -> Self {
        let (store, drafted) = (app.store().clone(), app.drafted().clone());
        let requests = Family::new_with_constructor(latencies as fn() -> Histogram);
        let mut registry = Registry::default();
        let help = "Time from the head of a request to its response";
        registry.register_with_unit("http_server_request_duration", help, Unit::Seconds, requests.clone());
        let help = "Time of an operation on memories, for all entry points";
        registry.register_with_unit("orgmem_memory_operation_duration", help, Unit::Seconds, app.operations().family());
        let help = "Summaries by maker, with the error of the language model";
        registry.register("orgmem_summaries", help, app.summarizer().family());
        if let Some(sources) = app.record_sources() {
            let help = "Requests to sources of record, by source and outcome";
            registry.register("orgmem_record_fetches", help, sources.family());
        }
        if let Some(providers) = app.providers() {
            let metrics = providers.metrics();
            registry.register("orgmem_provider_calls", "Calls of providers, by outcome", metrics.calls);
            let help = "Providers that returned an id which the reader may not see";
            registry.register("orgmem_provider_disqualifications", help, metrics.disqualifications);
            registry.register("orgmem_provider_outbox_rows", "Rows that wait for a provider", metrics.waiting);
            registry.register("orgmem_provider_outbox_dropped", "Rows that outboxes dropped", metrics.dropped);
        }
        let limited = Family::<LimitLabels, Counter>::default();
        registry.register("orgmem_limited_requests", "Requests beyond a limit on load", limited.clone());
        registry.register_collector(Box::new(Readings(move || of_store(&store))));
        registry.register_collector(Box::new(Readings(move || of_drafts(&drafted))));
        registry.register_collector(Box::new(Readings(move || of_reads(&reads))));
        if let Some(status) = embedding {
            registry.register_collector(Box::new(Readings(move || of_embedding(&status))));
        }
        if let Some(status) = reranking {
            registry.register_collector(Box::new(Readings(move || of_reranking(&status))));
        }
        if let Some(disk) = disk {
            registry.register_collector(Box::new(Readings(move || of_disk(&disk))));
        }
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("orgmem_build", "The release that runs", build);
        Self { registry: Arc::new(registry), requests, limited }
    }

    /// Counts a request beyond a limit.
    pub(crate) fn limited(&self, exceeded: &LimitExceeded) {
        self.limited.get_or_create(&LimitLabels { limit: exceeded.policy() }).inc();
    }

    pub(crate) fn served(&self, served: &RequestMetrics<'_>) {
        let labels = RequestLabels {
            http_route: served.route,
            http_request_method: known(served.method),
            http_response_status_code: served.status.as_u16(),
        };
        self.requests.get_or_create(&labels).observe(served.took.as_secs_f64());
    }

    /// All metrics as OpenMetrics text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // writing to a string does not fail
        let _ = text::encode(&mut text, &self.registry);
        text
    }
}

/// Numbers that are read when the metrics are.
struct Readings<F>(F);

/// A name, its description and unit, and the number.
type Reading = (&'static str, &'static str, Option<&'static Unit>, Number);

enum Number {
    Gauge(i64),
    Counter(u64),
}

impl<F> std::fmt::Debug for Readings<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readings")
    }
}

impl<F: Fn() -> Vec<Reading> + Send + Sync + 'static> Collector for Readings<F> {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        for (name, help, unit, number) in self.0() {
            let metric: &dyn EncodeMetric = match number {
                Number::Gauge(value) => &ConstGauge::new(value),
                Number::Counter(value) => &ConstCounter::new(value),
            };
            metric.encode(encoder.encode_descriptor(name, help, unit, metric.metric_type())?)?;
        }
        Ok(())
    }
}

fn gauge(name: &'static str, help: &'static str, value: usize) -> Reading {
    (name, help, None, Number::Gauge(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn counter(name: &'static str, help: &'static str, value: u64) -> Reading {
    (name, help, None, Number::Counter(value))
}

fn of_store(store: &Store) -> Vec<Reading> {
    let load = store.load();
    let (name, help, _, bytes) =
        gauge("orgmem_store_index_cache", "Memory that the keyword index takes", load.index_bytes);
    vec![
        gauge("orgmem_store_waiting_writes", "Writes that wait for a commit", load.waiting_writes),
        (name, help, Some(&Unit::Bytes), bytes),
    ]
}

fn of_disk(disk: &Disk) -> Vec<Reading> {
    let free = i64::try_from(disk.free_bytes()).unwrap_or(i64::MAX);
    let help = "Free space on the disk of the embedded database";
    vec![("orgmem_store_disk_free", help, Some(&Unit::Bytes), Number::Gauge(free))]
}

fn of_drafts(drafted: &DraftedBytes) -> Vec<Reading> {
    let help = "Bytes of requests that were scrubbed on the threads of connections";
    let inline = ("orgmem_drafted_inline", help, Some(&Unit::Bytes), Number::Counter(drafted.inline()));
    let help = "Bytes of requests that were scrubbed on other threads";
    vec![inline, ("orgmem_drafted_pooled", help, Some(&Unit::Bytes), Number::Counter(drafted.pooled()))]
}

fn of_reads(reads: &Reads) -> Vec<Reading> {
    let ReadCounts { waiting, written, lost } = reads.counts();
    vec![
        gauge("orgmem_access_log_waiting_reads", "Rows of reads that wait to be written", waiting),
        counter("orgmem_access_log_written_reads", "Rows of reads that were written", written),
        counter("orgmem_access_log_lost_reads", "Rows of reads that were lost", lost),
    ]
}

fn of_embedding(status: &EmbeddingStatus) -> Vec<Reading> {
    let EmbeddingProgress { waiting, embedded, refused, failed, failing } = status.progress();
    let help = "Memories that wait to be embedded, counted up to 100000";
    vec![
        ("orgmem_embedding_waiting", help, None, Number::Gauge(waiting)),
        gauge("orgmem_embedding_up", "Whether the last call of the embedder succeeded", failing.is_none().into()),
        counter("orgmem_embedding_embedded", "Memories that were embedded", embedded),
        counter("orgmem_embedding_refused", "Memories that the embedder refused", refused),
        counter("orgmem_embedding_failed", "Calls of the embedder that failed", failed),
    ]
}

fn of_reranking(status: &RerankerStatus) -> Vec<Reading> {
    let RerankingProgress { succeeded, failed, failing } = status.progress();
    vec![
        gauge("orgmem_reranker_up", "Whether the last call of the reranker succeeded", failing.is_none().into()),
        counter("orgmem_reranker_succeeded", "Calls of the reranker that returned scores", succeeded),
        counter("orgmem_reranker_failed", "Calls of the reranker that failed or were late", failed),
    ]
}

/// From 100 µs to 13 s, each twice the one before.
pub(super) fn latencies() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 18))
}

/// The method as a label. Clients can invent methods, and labels are never deleted.
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
