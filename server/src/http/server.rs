//! Configures and binds the HTTP server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use tokio_util::sync::CancellationToken;

use super::{AppState, endpoints};
use crate::config::Settings;
use crate::mcp::McpEndpoint;

/// Limit for the head of a request, and for the shutdown of a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Idle time between two requests, longer than the connection pools of common proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// A bound server and its address.
pub(crate) struct Listening {
    pub(crate) server: Server,
    pub(crate) address: SocketAddr,
}

/// Binds the address of the settings. Connections are accepted once the server is polled.
///
/// # Errors
/// When the address cannot be bound.
pub(crate) fn listen(settings: &Settings, state: Arc<AppState>, stopping: &CancellationToken) -> io::Result<Listening> {
    let listener = TcpListener::bind(settings.listen)?;
    let address = listener.local_addr()?;
    let workers = settings.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let mcp = Data::new(McpEndpoint::new(Arc::clone(&state.app), settings, stopping.clone()));
    let factory = move || {
        App::new()
            .app_data(Data::from(Arc::clone(&state.app)))
            .app_data(Data::from(Arc::clone(&state)))
            .app_data(mcp.clone())
            .configure(|config| endpoints::serve(config, &state))
    };
    let server = HttpServer::new(factory)
        .workers(workers)
        .max_connections(settings.limits.connections.div_ceil(workers))
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD_TIMEOUT)
        .client_disconnect_timeout(HEAD_TIMEOUT)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals()
        .listen(listener)?
        .run();
    Ok(Listening { server, address })
}
