//! The middleware around every endpoint: assigns request ids, authenticates callers, enforces the time limit, catches
//! panics, writes problems, logs and counts.

use std::any::Any;
use std::future::{Ready, ready};
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};
use actix_web::http::header::{HeaderMap, HeaderName};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use orgmem_policies::drafts::{MAX_CONTEXT_BYTES, check_context};
use orgmem_policies::scrub::Scrubber;
use serde_json::Value;
use tracing::Instrument;
use uuid::Uuid;

use super::answer;
use super::credentials;
use super::endpoint_auth::EndpointAuth;
use super::error::HttpError;
use super::headers;
use super::plugin;
use super::rate_limit;
use super::request_id::RequestId;
use super::state::AppState;
use super::unread_body::UnreadBody;
use crate::app::AppError;
use crate::auth::VerifiedClaims;
use crate::decode::ReadFault;
use crate::limits::{LimitKeys, LimitKind, RateStatus};
use crate::mcp;
use crate::telemetry::{self, RequestMetrics};

/// The run that a request belongs to.
const RUN_ID: HeaderName = HeaderName::from_static("x-run-id");

/// The object that a caller adds to the audit rows of a request.
const CONTEXT: HeaderName = HeaderName::from_static("x-audit-context");
const CONTEXT_NAME: &str = "X-Audit-Context";

/// Wraps the resource at one address.
pub(crate) struct Boundary {
    context: Rc<RouteContext>,
}

struct RouteContext {
    state: Arc<AppState>,
    /// The pattern of the address, for logs and metrics. It contains no ids.
    route: &'static str,
    access: EndpointAuth,
    /// Whether pages of other origins may call the address ([`crate::mcp::BrowserAccess`]).
    is_cross_origin: bool,
}

/// The addresses for pages of other origins.
const CROSS_ORIGIN: [&str; 2] = ["/mcp", "/workspaces/{id}/mcp"];

impl Boundary {
    pub(crate) fn new(state: Arc<AppState>, route: &'static str, access: EndpointAuth) -> Self {
        let is_cross_origin = CROSS_ORIGIN.contains(&route);
        Self { context: Rc::new(RouteContext { state, route, access, is_cross_origin }) }
    }
}

impl<S> Transform<S, ServiceRequest> for Boundary
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error> + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type InitError = ();
    type Transform = BoundaryService<S>;
    type Future = Ready<Result<Self::Transform, Self::InitError>>;

    fn new_transform(&self, inner: S) -> Self::Future {
        ready(Ok(BoundaryService { context: Rc::clone(&self.context), inner: Rc::new(inner) }))
    }
}

pub(crate) struct BoundaryService<S> {
    context: Rc<RouteContext>,
    inner: Rc<S>,
}

impl<S> Service<ServiceRequest> for BoundaryService<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error> + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self::Response, Self::Error>>;

    forward_ready!(inner);

    fn call(&self, mut request: ServiceRequest) -> Self::Future {
        let started = Instant::now();
        let context = Rc::clone(&self.context);
        let inner = Rc::clone(&self.inner);
        let id = RequestId::of(request.headers());
        let method = request.method().clone();
        if method == Method::HEAD {
            // handled as GET; the connection omits the body
            request.head_mut().method = Method::GET;
            request.extensions_mut().insert(headers::HeadOnly);
        }
        let span = telemetry::request_span(&method, context.route, id.as_str(), request.headers());
        let http = request.request().clone();
        let body = UnreadBody::of(&mut request);
        let response = async move {
            let outcome = context.handle(request, inner, &id).await;
            body.discard().await;
            Ok(context.finish(http, outcome, &method, &id, started))
        };
        if span.is_disabled() { Box::pin(response) } else { Box::pin(response.instrument(span)) }
    }
}

impl RouteContext {
    /// Checks the origin and the caller before anything else of the request is read, then calls the handler.
    async fn handle<S>(&self, request: ServiceRequest, inner: Rc<S>, id: &RequestId) -> Result<HttpResponse, HttpError>
    where
        S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
    {
        if self.is_cross_origin {
            self.state.browsers.check(request.headers())?;
            if mcp::is_preflight(request.method(), request.headers()) {
                return Ok(HttpResponse::NoContent().finish());
            }
        }
        if let EndpointAuth::Token { served, without_query, without_version } = &self.access {
            let token = credentials::token(request.method(), request.headers())?;
            let claims = self.state.auth.authenticate(token, self.state.app.now()).await?;
            let keys = self.limit_keys(&claims, &request).await?;
            self.begin(keys, &request)?;
            if served.contains(request.method()) {
                let run = run_id(request.headers())?;
                let context = context(request.headers(), self.state.app.scrubber())?;
                let user = headers::end_user(request.headers(), self.state.app.scrubber())?;
                let claims = claims.naming(&user).map_err(AppError::Forbidden)?;
                request.extensions_mut().insert(Arc::new(claims.in_request(&id.sealed(), run, context)));
            }
            if without_query.contains(request.method()) {
                refuse_query(request.query_string())?;
            }
            if without_version.contains(request.method()) {
                headers::refuse_conditions(request.headers())?;
            }
        }
        if self.access.is_plugin() {
            self.admit_platform(&request, id).await?;
        }
        let handled = AssertUnwindSafe(async move { inner.call(request).await }).catch_unwind();
        let limit = self.state.limits.request_timeout;
        match tokio::time::timeout(limit, handled).await {
            Ok(Ok(Ok(response))) => Ok(response.into_parts().1),
            Ok(Ok(Err(error))) => Ok(HttpResponse::from_error(error)),
            Ok(Err(panic)) => Err(HttpError::Panicked(panic_text(&*panic))),
            Err(_) => Err(HttpError::TimedOut { seconds: limit.as_secs() }),
        }
    }

    /// Checks a request to the memory-plugin listener.
    async fn admit_platform(&self, request: &ServiceRequest, id: &RequestId) -> Result<(), HttpError> {
        let needs_caller = self.access == EndpointAuth::Plugin;
        let token = self.state.plugin_token.as_ref().filter(|_| needs_caller);
        plugin::admit(request.headers(), token)?;
        if needs_caller {
            let claims = self.state.app.plugin_claims().await?;
            self.begin(self.limit_keys(&claims, request).await?, request)?;
            refuse_query(request.query_string())?;
            let context = context(request.headers(), self.state.app.scrubber())?;
            request.extensions_mut().insert(Arc::new(claims.in_request(&id.sealed(), None, context)));
        }
        Ok(())
    }

    /// Counts the request until its response is written. The permit is in the extensions, which end with the request.
    fn begin(&self, keys: LimitKeys, request: &ServiceRequest) -> Result<(), HttpError> {
        let status = self.state.load.count(keys, 1)?;
        let permit = self.state.load.begin(keys, LimitKind::Requests, 1)?;
        let mut extensions = request.extensions_mut();
        extensions.insert(permit);
        extensions.insert(keys);
        if let Some(status) = status {
            extensions.insert(status);
        }
        Ok(())
    }

    /// The org of the token's workspace; of an admin's call that of the workspace in the address, if it is cached. An agent
    /// that names a workspace of another org must not use up that org's limits.
    async fn limit_keys(&self, claims: &VerifiedClaims, request: &ServiceRequest) -> Result<LimitKeys, HttpError> {
        let app = &self.state.app;
        let org = match claims.identity().workspace {
            Some(_) => app.org_of_caller(claims).await?,
            None => {
                let named = request.match_info().get("id").and_then(|id| Uuid::try_parse(id).ok());
                named.and_then(|workspace| app.store().org_hint(workspace.into()))
            }
        };
        Ok(LimitKeys { org, ..LimitKeys::of_token(claims) })
    }

    /// Writes the problem of an error, then logs and counts the response.
    fn finish(
        &self,
        request: HttpRequest,
        outcome: Result<HttpResponse, HttpError>,
        method: &Method,
        id: &RequestId,
        started: Instant,
    ) -> ServiceResponse {
        let response = match outcome {
            Ok(response) => match response.error().map(|error| (error.as_error::<HttpError>(), error)) {
                None => response,
                Some((Some(error), _)) => self.refuse(error, method, id),
                Some((None, error)) => self.refuse(&of_framework(error), method, id),
            },
            Err(error) => self.refuse(&error, method, id),
        };
        let mut response = answer::finish(response, &request, id);
        if let Some(status) = request.extensions().get::<RateStatus>() {
            rate_limit::add_status(response.headers_mut(), *status);
        }
        if self.is_cross_origin {
            self.state.browsers.add_headers(method, request.headers(), response.headers_mut());
        }
        let status = response.status();
        let took = started.elapsed();
        self.state.metrics.served(&RequestMetrics { route: self.route, method, status, took });
        telemetry::request_done(method, self.route, id.as_str(), status, took);
        ServiceResponse::new(request, response)
    }

    fn refuse(&self, error: &HttpError, method: &Method, id: &RequestId) -> HttpResponse {
        if let Some(exceeded) = error.limit() {
            self.state.metrics.limited(exceeded);
        }
        let response = match self.access.is_plugin() {
            true => plugin::plugin_error(error, id),
            false => answer::problem(error, id),
        };
        if let (HttpError::App(AppError::NotAdmitted(_)), EndpointAuth::Plugin) = (error, &self.access) {
            self.state.app.forget_plugin_org();
        }
        let status = response.status();
        if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
            telemetry::request_failed(error, method, self.route, id.as_str(), status);
        } else if status.is_client_error() {
            telemetry::request_refused(error.problem().code.as_str(), method, self.route, id.as_str(), status);
        }
        response
    }
}

fn run_id(headers: &HeaderMap) -> Result<Option<Uuid>, HttpError> {
    let Some(run) = headers::single_value(headers, &RUN_ID, "X-Run-Id")? else { return Ok(None) };
    let run = run.to_str().ok().and_then(|run| Uuid::try_parse(run).ok());
    run.map(Some).ok_or(HttpError::Header { name: "X-Run-Id", expected: "the id of a run" })
}

/// The object that the caller adds to the audit rows of the request, scrubbed.
fn context(headers: &HeaderMap, scrubber: &Scrubber) -> Result<Option<Value>, HttpError> {
    let Some(text) = headers::single_value(headers, &CONTEXT, CONTEXT_NAME)? else { return Ok(None) };
    let fault = HttpError::Header { name: CONTEXT_NAME, expected: "a JSON object of at most 2048 bytes" };
    if text.len() > MAX_CONTEXT_BYTES {
        return Err(fault);
    }
    let Ok(object) = serde_json::from_slice(text.as_bytes()) else { return Err(fault) };
    Ok(Some(check_context(object, scrubber).map_err(AppError::from)?))
}

/// Refuses parameters on endpoints that read none: a client may rely on a parameter, such as `dry_run`.
fn refuse_query(query: &str) -> Result<(), ReadFault> {
    match query.split(['=', '&']).find(|name| !name.is_empty()) {
        None => Ok(()),
        Some(_) => crate::decode::query::<NoParameters>(query).map(drop),
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoParameters {}

fn of_framework(error: &Error) -> HttpError {
    HttpError::Framework { status: error.as_response_error().status_code(), detail: error.to_string() }
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::test::{TestRequest, call_service, init_service, read_body_json};
    use actix_web::{App, web};

    use super::*;
    use crate::http::state::AppState;

    async fn check<F, Fut>(handler: F, expected: u16, detail: &str)
    where
        F: actix_web::Handler<(), Output = Fut>,
        Fut: actix_web::Responder + 'static,
    {
        let dir = tempfile::tempdir().expect("a folder");
        let mut state = AppState::for_test(dir.path()).await;
        state.limits.request_timeout = Duration::from_millis(50);
        let boundary = Boundary::new(Arc::new(state), "/", EndpointAuth::Open);
        let app = App::new().service(web::resource("/").route(web::get().to(handler)).wrap(boundary));
        let service = init_service(app).await;
        let answer = call_service(&service, TestRequest::get().uri("/").to_request()).await;
        assert_eq!(answer.status().as_u16(), expected);
        assert!(answer.headers().contains_key("x-request-id"));
        let body: Value = read_body_json(answer).await;
        assert_eq!(body["detail"], detail);
    }

    #[actix_web::test]
    async fn panic_in_handler_returns_internal_error() {
        let panics = || async { if true { panic!("a secret of the server's") } else { "" } };
        check(panics, 500, "internal error; the server's log has the cause under this request id").await;
    }

    #[actix_web::test]
    async fn slow_handler_returns_unavailable() {
        let sleeps = || async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            ""
        };
        let detail = "no response within 0 seconds; the call may still be carried out";
        check(sleeps, 503, detail).await;
    }

    /// The log lines of a request to `handler`.
    async fn logged<F, Fut>(handler: F, uri: &str) -> String
    where
        F: actix_web::Handler<(), Output = Fut>,
        Fut: actix_web::Responder + 'static,
    {
        let dir = tempfile::tempdir().expect("a folder");
        let state = Arc::new(AppState::for_test(dir.path()).await);
        let boundary = Boundary::new(state, "/things", EndpointAuth::Open);
        let app = App::new().service(web::resource("/things").route(web::get().to(handler)).wrap(boundary));
        let service = init_service(app).await;
        let file = tempfile::NamedTempFile::new().expect("a file");
        let lines = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::INFO);
        let lines = lines.with_writer(std::sync::Mutex::new(file.reopen().expect("a file"))).finish();
        // with a single dispatcher, a line that a thread without one reaches first would be off for all threads
        let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::default());
        let logging = tracing::subscriber::set_default(lines);
        call_service(&service, TestRequest::get().uri(uri).to_request()).await;
        drop(logging);
        std::fs::read_to_string(file.path()).expect("the log")
    }

    #[actix_web::test]
    async fn mistake_of_a_caller_is_logged_at_info_without_its_values() {
        let refuses = || async { Err::<&str, _>(HttpError::NoSuchAddress) };
        let line = logged(refuses, "/things?q=hunter2").await;
        for part in [" INFO ", "a request was refused", "route=\"/things\"", "status=404", "code=\"not_found\""] {
            assert!(line.contains(part), "`{part}` is not in {line}");
        }
        assert!(!line.contains("hunter2") && line.lines().count() == 1, "{line}");
        assert_eq!(logged(|| async { "fine" }, "/things").await, "");
    }

    #[actix_web::test]
    async fn failure_of_the_server_is_logged_as_an_error() {
        let panics = || async { if true { panic!("a cause") } else { "" } };
        let line = logged(panics, "/things").await;
        assert!(line.contains(" ERROR ") && line.contains("a request failed") && line.contains("a cause"), "{line}");
    }
}
