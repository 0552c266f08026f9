//! Monitoring. These calls need no token and reveal nothing about stored data.

use actix_web::HttpResponse;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Data;
use orgmem_types::{Health, Version};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::state::AppState;
use crate::telemetry::Metrics;

/// Checks whether the server is alive.
#[utoipa::path(
    get, path = "/healthz", tag = "server", security(()),
    responses((status = 200, body = Health, description = "the server is alive")),
)]
pub(crate) async fn check_health() -> Answer {
    ok(&Health::ok())
}

/// Checks whether the server is alive; the older name of `/healthz`.
#[utoipa::path(
    get, path = "/health", tag = "server", security(()),
    responses((status = 200, body = Health, description = "the server is alive")),
)]
pub(crate) async fn check_health_older() -> Answer {
    ok(&Health::ok())
}

/// Checks whether the store responds.
#[utoipa::path(
    get, path = "/readyz", tag = "server", security(()),
    responses((status = 200, body = Health, description = "the store responds")),
)]
pub(crate) async fn check_readiness(app: App) -> Answer {
    app.ready().await?;
    ok(&Health::ok())
}

/// Reads the release of the server.
#[utoipa::path(
    get, path = "/version", tag = "server", security(()),
    responses((status = 200, body = Version, description = "the release")),
)]
pub(crate) async fn read_version() -> Answer {
    ok(&Version { name: "orgmem".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// Reads the metrics for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "server", security(()),
    responses(
        (status = 200, body = String, content_type = Metrics::CONTENT_TYPE, description = "OpenMetrics text"),
    ),
)]
pub(crate) async fn read_metrics(state: Data<AppState>) -> Answer {
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, Metrics::CONTENT_TYPE)).body(state.metrics.text()))
}
