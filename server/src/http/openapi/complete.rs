//! Adds shared problems, headers and security schemes to the operations.

use orgmem_types::Problem;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::info::{Info, LicenseBuilder};
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Components, OpenApi, Ref, RefOr, Response};
use utoipa::{PartialSchema, ToSchema};

use super::flatten::flatten;
use super::responses::problem;
use crate::decode;
use crate::http::credentials;

const LICENSE: &str = env!("CARGO_PKG_LICENSE");

const BEARER: &str = "bearer";
/// The cookie of a console session. Writes also need `X-Orgmem-Console`.
const SESSION: &str = "session";

/// Shared problems: name, status, description.
const SHARED: [(&str, &str, &str); 12] = [
    (
        "BadRequest",
        "400",
        "`bad_request`, `invalid_field`, `invalid_cursor` or `not_configured`: the request is invalid",
    ),
    ("Unauthorized", "401", "`token_missing` or `token_invalid`: see `WWW-Authenticate`"),
    ("Forbidden", "403", "`forbidden` or `scope_forbidden`: the caller lacks the permission"),
    ("NotFound", "404", "`not_found`: absent, or hidden from the caller, which is indistinguishable"),
    ("RequestTimeout", "408", "`request_timeout`: the body did not arrive in time"),
    ("TooLarge", "413", "`too_large`: the body has more than `limit_bytes`"),
    ("UnsupportedMediaType", "415", "`unsupported_media_type`: the body has another media type"),
    ("IdempotencyMismatch", "422", "`idempotency_mismatch`: the key was used for another request"),
    ("Busy", "429", "`rate_limited`, `too_many_in_flight` or `busy`: see `Retry-After`"),
    ("Internal", "500", "`internal`: an error of the server, logged under `request_id`"),
    ("Unavailable", "503", "`unavailable`: no response from the store in time, see `Retry-After`"),
    ("NoSuchFile", "404", "`not_found`: the page has no such file"),
];

/// Descriptions of headers.
const HEADERS: [(&str, &str); 15] = [
    ("Idempotency-Key", "1 to 255 visible ASCII characters; a repeated request returns the first response"),
    ("If-Match", "the expected version, as `ETag` gave it; `\"0\"`: must not exist"),
    ("If-None-Match", "`*`: the key must not exist yet"),
    ("X-Request-Id", "the id of the request: the caller's own, or a new one"),
    ("Location", "the address of the resource"),
    ("Link", "the next page, with `rel=\"next\"`; absent on the last page"),
    ("ETag", "the version, for a later `If-Match`; of a file, for a later `If-None-Match`"),
    ("X-Orgmem-Console", "any value: pages of other origins cannot send it"),
    ("Set-Cookie", "`orgmem_session`, hidden from scripts and other sites"),
    ("Retry-After", "seconds to wait"),
    ("RateLimit", "the remaining quota `r` of a limit, and the seconds `t` until it is whole again"),
    ("RateLimit-Policy", "the quota `q` of a limit, in a window of `w` seconds or of the unit `qu`"),
    ("Last-Event-ID", "the id of the last received event; the stream continues after it"),
    ("X-Audit-Context", "a JSON object of at most 2048 bytes that is added to the audit rows of the request, scrubbed"),
    ("X-Run-Id", "the run of the request: its memories are pending in it; also for the access log"),
];

/// Completes the description that utoipa derived from the handlers.
pub(in crate::http) fn complete(mut api: OpenApi) -> OpenApi {
    let mut info = Info::new("orgmem", env!("CARGO_PKG_VERSION"));
    info.description = Some("A memory server for organisations of AI agents.".to_owned());
    info.license = Some(LicenseBuilder::new().name(LICENSE).identifier(Some(LICENSE)).build());
    api.info = info;
    let either = [BEARER, SESSION].map(|scheme| SecurityRequirement::new(scheme, Vec::<String>::new()));
    api.security = Some(either.into());
    for (path, item) in &mut api.paths.paths {
        let all = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for (method, operation) in METHODS.into_iter().zip(all) {
            if let Some(operation) = operation {
                complete_operation(path, operation);
                describe_foreign_fields(&format!("{method} {path}"), operation);
            }
        }
    }
    let components = api.components.get_or_insert_default();
    add_shared(components);
    flatten(&mut api);
    api
}

/// The methods in the order of the fields of a path.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Names the fields that only existing clients send.
fn describe_foreign_fields(name: &str, operation: &mut Operation) {
    let fields: Vec<String> = decode::foreign_names(name).iter().map(|name| format!("`{name}`")).collect();
    if !fields.is_empty() {
        let description = operation.description.get_or_insert_default();
        let separator = if description.is_empty() { "" } else { "\n\n" };
        description.push_str(&format!("{separator}Existing clients may also send {}.", fields.join(", ")));
    }
}

fn add_shared(components: &mut Components) {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let session = "a session of the console; writes also need the header `X-Orgmem-Console`";
    let session = ApiKeyValue::with_description(credentials::SESSION, session);
    components.add_security_scheme(SESSION, SecurityScheme::ApiKey(ApiKey::Cookie(session)));
    let mut schemas = vec![("Problem".to_owned(), Problem::schema())];
    Problem::schemas(&mut schemas);
    components.schemas.extend(schemas);
    for (name, status, description) in SHARED {
        let mut response = problem(description);
        describe_headers(&mut response, &["X-Request-Id"]);
        if matches!(status, "429" | "503") {
            describe_headers(&mut response, &["Retry-After"]);
        }
        if status == "429" {
            describe_headers(&mut response, &["RateLimit", "RateLimit-Policy"]);
        }
        components.responses.insert(name.to_owned(), response.into());
    }
}

fn complete_operation(path: &str, operation: &mut Operation) {
    if operation.security.is_none() {
        let id =
            ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
        let run = ParameterBuilder::new().name("X-Run-Id").parameter_in(ParameterIn::Header).schema(Some(id));
        let text = ObjectBuilder::new().schema_type(Type::String);
        let context =
            ParameterBuilder::new().name("X-Audit-Context").parameter_in(ParameterIn::Header).schema(Some(text));
        operation.parameters.get_or_insert_default().extend([run.build().into(), context.build().into()]);
    }
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.parameter_in == ParameterIn::Header
        {
            parameter.description = header_description(&parameter.name);
        }
        // a page size of any magnitude is accepted and reduced to the largest page
        if let RefOr::T(parameter) = parameter
            && parameter.name == "limit"
            && let Some(RefOr::T(Schema::Object(schema))) = &mut parameter.schema
        {
            schema.format = None;
        }
    }
    for response in operation.responses.responses.values_mut() {
        if let RefOr::T(response) = response {
            let names: Vec<String> = response.headers.keys().cloned().collect();
            describe_headers(response, &names.iter().map(String::as_str).collect::<Vec<_>>());
            describe_headers(response, &["X-Request-Id"]);
        }
    }
    for name in problems_of(path, operation) {
        let status = SHARED.iter().find(|shared| shared.0 == name).map_or("500", |shared| shared.1);
        let response = RefOr::Ref(Ref::from_response_name(name));
        operation.responses.responses.entry(status.to_owned()).or_insert(response);
    }
}

/// The names of the shared problems that an operation can return.
fn problems_of(path: &str, operation: &Operation) -> Vec<&'static str> {
    if operation.security.is_some() {
        return match path {
            "/readyz" => vec!["Internal", "Unavailable"],
            "/docs/{file}" | "/console/{file}" => vec!["NoSuchFile", "Internal"],
            "/console/session" if operation.request_body.is_none() => vec!["Forbidden", "Internal"],
            "/console/session" => vec![
                "BadRequest",
                "Unauthorized",
                "Forbidden",
                "RequestTimeout",
                "TooLarge",
                "UnsupportedMediaType",
                "Busy",
                "Internal",
                "Unavailable",
            ],
            _ => vec!["Internal"],
        };
    }
    let mut problems = vec!["BadRequest", "Unauthorized", "Busy", "Internal", "Unavailable"];
    if path != "/me" {
        problems.push("Forbidden");
    }
    // calls about the whole server name no resource; an erasure and an export of memories name an org
    let names_a_thing = matches!(path, "/admin/erasures" | "/admin/memories/export") || path.contains("{name}");
    if path != "/me" && (!path.starts_with("/admin/") || names_a_thing) {
        problems.push("NotFound");
    }
    if operation.request_body.is_some() {
        problems.extend(["RequestTimeout", "TooLarge", "UnsupportedMediaType"]);
    }
    let mut parameters = operation.parameters.iter().flatten();
    // a tool has its own way to report the mismatch
    let is_mcp = path.ends_with("/mcp");
    if !is_mcp
        && parameters.any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.name == "Idempotency-Key"))
    {
        problems.push("IdempotencyMismatch");
    }
    problems
}

fn describe_headers(response: &mut Response, names: &[&str]) {
    for name in names {
        let schema = ObjectBuilder::new().schema_type(Type::String);
        let header = HeaderBuilder::new().schema(Some(schema)).description(header_description(name)).build();
        response.headers.insert((*name).to_owned(), header.into());
    }
}

fn header_description(header: &str) -> Option<String> {
    HEADERS.iter().find(|(name, _)| *name == header).map(|(_, description)| (*description).to_owned())
}
