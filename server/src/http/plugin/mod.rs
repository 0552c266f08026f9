//! The listener of the memory-plugin contract: its endpoints, its callers and its errors.
//!
//! Source: `docs/spec/plugin.md`.

mod caller;
mod error;
mod handlers;

use std::sync::Arc;

use actix_web::web::{self, ServiceConfig};
use actix_web::{Resource, Route};

pub(super) use caller::{PluginRefusal, admit};
pub(super) use error::plugin_error;

use super::boundary::Boundary;
use super::endpoint_auth::EndpointAuth;
use super::endpoints::{method_not_allowed, no_such_address};
use super::state::AppState;

/// Registers the endpoints.
pub(super) fn serve(config: &mut ServiceConfig, state: &Arc<AppState>) {
    let resource = |path: &'static str, methods: &'static str, routes: Vec<Route>| {
        let auth = if path == HEALTH { EndpointAuth::PluginHealth } else { EndpointAuth::Plugin };
        let boundary = Boundary::new(Arc::clone(state), path, auth);
        let resource = routes.into_iter().fold(web::resource(path), Resource::route);
        resource.default_service(web::route().to(move || method_not_allowed(methods.into()))).wrap(boundary)
    };
    config
        .service(resource(HEALTH, "GET, HEAD", vec![web::get().to(handlers::check_health)]))
        .service(resource(
            "/v1/namespaces/{name}",
            "PUT, PATCH, DELETE",
            vec![
                web::put().to(handlers::put_namespace),
                web::patch().to(handlers::patch_namespace),
                web::delete().to(handlers::delete_namespace),
            ],
        ))
        .service(resource("/v1/namespaces/{name}/memories", "POST", vec![web::post().to(handlers::write_memory)]))
        .service(resource("/v1/search", "POST", vec![web::post().to(handlers::search)]))
        .service(resource("/v1/memories/{id}", "DELETE", vec![web::delete().to(handlers::forget_memory)]));
    let boundary = Boundary::new(Arc::clone(state), "unknown", EndpointAuth::PluginHealth);
    config.default_service(web::route().to(no_such_address).wrap(boundary));
}

const HEALTH: &str = "/v1/health";
