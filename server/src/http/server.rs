//! Configures and binds the HTTP server.

use std::any::Any;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{NormalizePath, TrailingSlash};
#[cfg(target_os = "linux")]
use actix_web::rt::net::TcpStream;
use actix_web::web::{Data, ServiceConfig};
use actix_web::{App, HttpServer};
use tokio_util::sync::CancellationToken;

use super::{AppState, endpoints, plugin};
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
    let mcp = Data::new(McpEndpoint::new(Arc::clone(&state.app), settings, stopping.clone()));
    bind(settings, settings.listen, state, move |config, state| {
        config.app_data(mcp.clone());
        endpoints::serve(config, state);
    })
}

/// Binds the address of the memory-plugin listener; `None` where the settings have none.
///
/// # Errors
/// When the address cannot be bound.
pub(crate) fn listen_plugin(settings: &Settings, state: Arc<AppState>) -> io::Result<Option<Listening>> {
    settings.plugin.listen.map(|address| bind(settings, address, state, plugin::serve)).transpose()
}

fn bind(
    settings: &Settings,
    address: SocketAddr,
    state: Arc<AppState>,
    serve: impl Fn(&mut ServiceConfig, &Arc<AppState>) + Clone + Send + 'static,
) -> io::Result<Listening> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let workers = settings.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let stuck_after = 2 * settings.slow_reader;
    let factory = move || {
        App::new()
            .app_data(Data::from(Arc::clone(&state.app)))
            .app_data(Data::from(Arc::clone(&state)))
            .configure(|config| serve(config, &state))
            // clients append `/workspaces` to a base address that may end with a slash
            .wrap(NormalizePath::new(TrailingSlash::MergeOnly))
    };
    let server = HttpServer::new(factory)
        .workers(workers)
        .max_connections(settings.limits.connections.div_ceil(workers))
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD_TIMEOUT)
        .client_disconnect_timeout(HEAD_TIMEOUT)
        // a client that closes its connection is seen as one that closes its half: the request is given up
        .h1_allow_half_closed(false)
        .shutdown_timeout(settings.shutdown_timeout.as_secs())
        .disable_signals()
        .on_connect(move |connection, _| close_when_stuck(connection, stuck_after))
        .listen(listener)?
        .run();
    Ok(Listening { server, address })
}

/// Closes the connection when the client receives nothing of what was sent to it for this time. Only the kernel can: a
/// response is not polled while the client does not read it.
#[cfg(target_os = "linux")]
fn close_when_stuck(connection: &dyn Any, after: Duration) {
    let Some(stream) = connection.downcast_ref::<TcpStream>() else { return };
    let millis = u32::try_from(after.as_millis()).unwrap_or(u32::MAX);
    if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(stream, millis) {
        tracing::debug!(%error, "a connection has no limit for clients that do not read");
    }
}

/// Other platforms have no such option: connections end by the keep-alive of TCP.
#[cfg(not(target_os = "linux"))]
fn close_when_stuck(_: &dyn Any, _: Duration) {}
