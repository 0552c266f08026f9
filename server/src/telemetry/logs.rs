use std::io::IsTerminal;

use tracing::Subscriber;
use tracing_subscriber::filter::{EnvFilter, ParseError};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, fmt};

use crate::config::{LogFormat, Logging};

/// Filters of frameworks that log too much. `rmcp::service` warns of each mistake of a client, with its values; the dispatcher logs
/// each request that is not HTTP as an error of the server.
const QUIET: &str =
    "actix_server=warn,actix_http=warn,actix_http::h1::dispatcher=off,mio=warn,rmcp=warn,rmcp::service=error";

/// Log lines on the standard error: the standard output is for the results of commands.
pub(super) fn layer<S>(settings: &Logging) -> Result<Box<dyn Layer<S> + Send + Sync>, ParseError>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let filter = EnvFilter::try_new(format!("{QUIET},{}", settings.filter))?;
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    Ok(match settings.format {
        LogFormat::Text => lines.with_filter(filter).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_filter(filter).boxed(),
    })
}

/// Logs panics like other errors.
pub(super) fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let backtrace = std::backtrace::Backtrace::capture();
        let payload = panic.payload_as_str().unwrap_or("no message");
        tracing::error!(place, %backtrace, "panicked: {payload}");
    }));
}

#[cfg(test)]
mod tests {
    use tracing::Level;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn mistakes_of_clients_are_not_logged() {
        let filter = EnvFilter::try_new(format!("{QUIET},info")).expect("a filter");
        tracing::subscriber::with_default(tracing_subscriber::registry().with(filter), || {
            assert!(!tracing::enabled!(target: "rmcp::service", Level::WARN));
            assert!(tracing::enabled!(target: "rmcp::service", Level::ERROR));
            assert!(tracing::enabled!(target: "rmcp", Level::WARN));
            assert!(!tracing::enabled!(target: "actix_http::h1::dispatcher", Level::ERROR));
            assert!(tracing::enabled!(target: "actix_http::h2", Level::WARN));
        });
    }
}
