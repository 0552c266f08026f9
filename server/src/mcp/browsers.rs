//! Which pages and host names may reach MCP, and the headers that let a browser show a page the response (CORS).
//!
//! The checks also protect servers on loopback from pages that rebind their own host name to it.

use std::net::SocketAddr;

use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST, HeaderMap, HeaderName,
    HeaderValue, ORIGIN, VARY,
};

use super::TransportRefusal;
use crate::authority::Authority;
use crate::config::McpSettings;

/// GET and DELETE are answered with 405, which a page can only see if they are allowed.
const METHODS: HeaderValue = HeaderValue::from_static("GET, POST, DELETE, OPTIONS");
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, mcp-method, mcp-name, \
     x-run-id, x-audit-context, idempotency-key, x-request-id",
);
const RESPONSE_HEADERS: HeaderValue =
    HeaderValue::from_static("mcp-protocol-version, mcp-session-id, www-authenticate, x-request-id, retry-after");
/// Seconds for which a browser may reuse the response to a preflight request.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// The allowed host names and origins.
#[derive(Debug)]
pub struct BrowserAccess {
    hosts: Vec<Authority>,
    origins: Vec<Origin>,
    /// Whether the server listens only on this machine. Then its pages, of any port, may call it.
    is_loopback: bool,
}

impl BrowserAccess {
    /// The access by these settings to a server that listens on `listen`.
    #[must_use]
    pub fn new(settings: &McpSettings, listen: SocketAddr) -> Self {
        Self {
            hosts: settings.allowed_hosts.iter().filter_map(|host| Authority::parse(host)).collect(),
            origins: settings.allowed_origins.iter().filter_map(|origin| Origin::parse(origin)).collect(),
            is_loopback: listen.ip().is_loopback(),
        }
    }

    /// Checks `Host` and `Origin`. Clients besides browsers send no `Origin`.
    ///
    /// # Errors
    /// [`TransportRefusal::Host`], [`TransportRefusal::Origin`].
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), TransportRefusal> {
        let host = single(headers, &HOST).ok().flatten().and_then(Authority::parse);
        let is_known =
            host.is_some_and(|host| host.is_loopback() || self.hosts.iter().any(|known| known.includes(&host)));
        if !is_known {
            return Err(TransportRefusal::Host);
        }
        match single(headers, &ORIGIN)? {
            Some(origin) if !self.allows(origin) => Err(TransportRefusal::Origin),
            _ => Ok(()),
        }
    }

    fn allows(&self, origin: &str) -> bool {
        Origin::parse(origin)
            .is_some_and(|origin| (self.is_loopback && origin.is_loopback()) || self.origins.contains(&origin))
    }

    /// Adds the headers of CORS to the response to an allowed page. They never allow cookies.
    pub fn add_headers(&self, method: &Method, request: &HeaderMap, response: &mut HeaderMap) {
        response.append(VARY, HeaderValue::from_static("Origin"));
        let Some(origin) = request.get(ORIGIN).filter(|_| self.check(request).is_ok()) else { return };
        response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        response.insert(ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
        if is_preflight(method, request) {
            response.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            response.insert(ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            response.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
        }
    }
}

/// Whether a browser asks if a page may send a request. Such requests have no token.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The value of a header that occurs at most once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, TransportRefusal> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| TransportRefusal::Origin),
        (Some(_), Some(_)) => Err(TransportRefusal::Origin),
    }
}

/// The origin of a page: scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    authority: Authority,
}

impl Origin {
    fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let port = match scheme.as_str() {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        Some(Self { authority: Authority::parse(authority)?.with_default_port(port), scheme })
    }

    fn is_loopback(&self) -> bool {
        matches!(self.scheme.as_str(), "http" | "https") && self.authority.is_loopback()
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn access(listen: &str) -> BrowserAccess {
        let settings = McpSettings {
            allowed_hosts: vec!["memory.example.org".into(), "10.0.0.5:7070".into()],
            allowed_origins: vec!["https://app.example.org".into(), "http://app.example.org:3000".into()],
        };
        BrowserAccess::new(&settings, listen.parse().expect("an address"))
    }

    fn check(access: &BrowserAccess, headers: &[(&str, &str)]) -> Option<String> {
        let request = headers.iter().fold(TestRequest::default(), |request, header| request.append_header(*header));
        access.check(request.to_http_request().headers()).err().map(|refusal| format!("{refusal:?}"))
    }

    #[test]
    fn host_is_loopback_or_in_the_settings() {
        let access = access("0.0.0.0:7070");
        for host in ["localhost", "127.0.0.1:7070", "[::1]:1", "Memory.Example.org:443", "10.0.0.5:7070"] {
            assert_eq!(check(&access, &[("host", host)]), None, "{host}");
        }
        for host in ["127.0.0.1:evil.com", "evil.example", "10.0.0.5", "10.0.0.5:70700", "memory.example.org.evil.com"]
        {
            assert_eq!(check(&access, &[("host", host)]).as_deref(), Some("Host"), "{host}");
        }
        assert_eq!(check(&access, &[]).as_deref(), Some("Host"));
        assert_eq!(check(&access, &[("host", "localhost"), ("host", "localhost")]).as_deref(), Some("Host"));
    }

    #[test]
    fn origin_is_in_the_settings_or_loopback_of_a_loopback_server() {
        let local = ["http://localhost:5173", "http://127.0.0.1", "https://[::1]:8080", "HTTP://LOCALHOST:6274"];
        let listed = ["https://app.example.org", "https://APP.example.org:443", "http://app.example.org:3000"];
        let foreign = [
            "https://evil.example",
            "http://app.example.org",
            "https://app.example.org:444",
            "https://app.example.org.evil.com",
            "https://app.example.org/",
            "http://localhost.evil.com",
            "http://127.0.0.1:evil.com",
            "file://localhost",
            "null",
            "",
        ];
        let (on_loopback, public) = (access("127.0.0.1:7070"), access("0.0.0.0:7070"));
        let refused = |access, origin| check(access, &[("host", "localhost"), ("origin", origin)]);
        for origin in local {
            assert_eq!(refused(&on_loopback, origin), None, "{origin}");
            assert_eq!(refused(&public, origin).as_deref(), Some("Origin"), "{origin}");
        }
        for access in [&on_loopback, &public] {
            for origin in listed {
                assert_eq!(refused(access, origin), None, "{origin}");
            }
            for origin in foreign {
                assert_eq!(refused(access, origin).as_deref(), Some("Origin"), "{origin}");
            }
        }
    }
}
