//! The list of all endpoints. Routes and the OpenAPI description are generated from it; a test compares the two.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::Route;
use actix_web::dev::HttpServiceFactory;
use actix_web::guard;
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};
use orgmem_types::{
    Callers, ChildrenRemoval, ImportEpisode, ImportMemory, MemoryTier, Mode, Order, ReachDirection, ReadSessions,
    RelativeTeam, ReviewStatus, RunStatus, SearchedItems, SessionHitKind, SessionOrder, SkillStatus, Tier,
};
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;

use super::boundary::Boundary;
use super::endpoint_auth::EndpointAuth;
use super::error::HttpError;
#[cfg(feature = "console")]
use super::handlers::console;
use super::handlers::{
    access_log, admin, budgets, context, docs, documents, entries, episodes, events, evidence, grants, health, lookup,
    mcp, memories, memory_tool, metadata_values, namespaces, orgs, pages, processors, profiles, providers, reach,
    records, redactions, reviews, rows, runs, session, skills, tokens, turns, versions, why, workspaces,
};
use super::openapi::{self, Bounds};
use super::state::AppState;

/// The requirements of an endpoint for its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestRules {
    /// No token.
    Open,
    /// A token, and no query.
    Token,
    /// A token; the handler reads the query.
    Query,
    /// A token, and no query; the handler supports conditions on a version.
    Versioned,
}

struct Endpoint {
    rules: RequestRules,
    method: Method,
    /// A pattern such as `/workspaces/{id}`.
    path: &'static str,
    /// The name of the handler, and the id of the operation.
    #[cfg(test)]
    name: &'static str,
    route: fn() -> Route,
}

macro_rules! endpoints {
    (
        $described:ident, $served:ident, [$($schema:ident),*]:
        $($rules:ident $method:ident $path:literal => $module:ident::$handler:ident,)*
    ) => {
        #[derive(OpenApi)]
        #[openapi(paths($($module::$handler),*), components(schemas($($schema),*)))]
        struct $described;

        static $served: &[Endpoint] = &[$(Endpoint {
            rules: RequestRules::$rules,
            method: Method::$method,
            path: $path,
            #[cfg(test)]
            name: stringify!($handler),
            route: || web::route().to($module::$handler),
        }),*];
    };
}

endpoints! {
    Described, INTERFACE,
    // schemas that occur only in parameters or nested nodes, which utoipa does not collect
    [
        Callers, ChildrenRemoval, ImportEpisode, ImportMemory, MemoryTier, Mode, Order, ReachDirection, ReadSessions,
        RelativeTeam, ReviewStatus, RunStatus, SearchedItems, SessionHitKind, SessionOrder, SkillStatus, Tier
    ]:
    Token GET "/workspaces/{id}/memory/{key}" => entries::read_entry,
    Versioned DELETE "/workspaces/{id}/memory/{key}" => entries::drop_entry,
    Query GET "/workspaces/{id}/memory" => entries::list_entries,
    Versioned POST "/workspaces/{id}/memory" => entries::put_entry,
    Query GET "/workspaces/{id}/memories" => memories::search_memories,
    Token POST "/workspaces/{id}/memories" => memories::commit_memory,
    Token POST "/workspaces/{id}/memories/batch" => memories::commit_batch,
    Query GET "/workspaces/{id}/memories/{mid}" => memories::read_memory,
    Versioned PATCH "/workspaces/{id}/memories/{mid}" => versions::edit_memory,
    Versioned DELETE "/workspaces/{id}/memories/{mid}" => memories::forget_memory,
    Versioned POST "/workspaces/{id}/memories/{mid}/restore" => versions::restore_memory,
    Query GET "/workspaces/{id}/memories/count" => why::count_memories,
    Query GET "/workspaces/{id}/memories/values" => metadata_values::list_metadata_values,
    Token POST "/workspaces/{id}/memories/touch" => metadata_values::touch_memories,
    Query GET "/workspaces/{id}/memories/{mid}/why" => why::explain_memory,
    Token GET "/workspaces/{id}/memories/{mid}/evidence" => evidence::read_evidence,
    Token POST "/workspaces/{id}/memories/{mid}/outcome" => evidence::report_outcome,
    Query POST "/workspaces/{id}/memories/{mid}/redact" => redactions::redact_memory,
    Query POST "/workspaces/{id}/memories/redact" => redactions::redact_memories,
    Query GET "/workspaces/{id}/memories/redactions" => redactions::list_redactions,
    Query GET "/workspaces/{id}/memories/{mid}/history" => versions::list_versions,
    Token GET "/workspaces/{id}/v2/namespaces" => namespaces::list_namespaces,
    Query GET "/workspaces/{id}/v2/memories" => namespaces::search_namespace,
    Token POST "/workspaces/{id}/v2/memories" => namespaces::commit_namespace_memory,
    Versioned DELETE "/workspaces/{id}/v2/memories/{mid}" => namespaces::forget_namespace_memory,
    Query GET "/workspaces/{id}/runs" => runs::list_runs,
    Token POST "/workspaces/{id}/runs" => runs::start_run,
    Query GET "/workspaces/{id}/runs/{rid}" => runs::read_run,
    Token POST "/workspaces/{id}/runs/{rid}/outputs" => runs::stage_output,
    Token POST "/workspaces/{id}/runs/{rid}/finish" => runs::finish_run,
    Token GET "/workspaces/{id}/profiles" => profiles::list_profiles,
    Query POST "/workspaces/{id}/profiles" => profiles::create_profile,
    Token GET "/workspaces/{id}/profiles/{pid}" => profiles::read_profile,
    Query PATCH "/workspaces/{id}/profiles/{pid}" => profiles::change_profile,
    Token DELETE "/workspaces/{id}/profiles/{pid}" => profiles::delete_profile,
    Token GET "/workspaces/{id}/profiles/{pid}/summary" => context::summarize_profile,
    Token POST "/workspaces/{id}/context" => context::inject_context,
    Query GET "/workspaces/{id}/pages" => pages::list_pages,
    Query POST "/workspaces/{id}/pages/compact" => pages::compact_pages,
    Token GET "/workspaces/{id}/pages/{pid}" => pages::read_page,
    Token GET "/workspaces/{id}/pages/{pid}/sources" => pages::list_page_sources,
    Query GET "/workspaces/{id}/pages/{pid}/why" => pages::explain_page,
    Query GET "/workspaces/{id}/skills" => skills::list_skills,
    Token POST "/workspaces/{id}/skills" => skills::draft_skill,
    Query GET "/workspaces/{id}/skills/{name}" => skills::read_skill,
    Token DELETE "/workspaces/{id}/skills/{name}" => skills::withdraw_skill,
    Query GET "/workspaces/{id}/skills/{name}/package" => skills::read_skill_package,
    Query GET "/workspaces/{id}/skills/{name}/diff" => skills::diff_skill,
    Token POST "/workspaces/{id}/skills/{name}/approve" => skills::approve_skill,
    Token GET "/workspaces/{id}/skill-rule" => skills::read_skill_rule,
    Token PUT "/workspaces/{id}/skill-rule" => skills::change_skill_rule,
    Query GET "/workspaces/{id}/records" => records::list_records,
    Token POST "/workspaces/{id}/records" => records::write_records,
    Token GET "/workspaces/{id}/records/{entity}" => records::read_record,
    Token PUT "/workspaces/{id}/records/{entity}" => records::put_record,
    Token PATCH "/workspaces/{id}/records/{entity}" => records::patch_record,
    Query DELETE "/workspaces/{id}/records/{entity}" => records::delete_record,
    Query GET "/workspaces/{id}/documents" => documents::list_documents,
    Token POST "/workspaces/{id}/documents" => documents::add_document,
    Token GET "/workspaces/{id}/documents/{did}" => documents::read_document,
    Versioned PATCH "/workspaces/{id}/documents/{did}" => documents::edit_document,
    Versioned DELETE "/workspaces/{id}/documents/{did}" => documents::delete_document,
    Query GET "/workspaces/{id}/documents/{did}/content" => documents::read_document_content,
    Token POST "/workspaces/{id}/documents/{did}/redact" => documents::redact_document,
    Query GET "/workspaces/{id}/reviews" => reviews::list_reviews,
    Token POST "/workspaces/{id}/reviews/{rid}" => reviews::decide_review,
    Query GET "/workspaces/{id}/grants" => grants::list_grants,
    Token POST "/workspaces/{id}/grants" => grants::give_grant,
    Token DELETE "/workspaces/{id}/grants/{gid}" => grants::revoke_grant,
    Token POST "/workspaces/{id}/memory-tool" => memory_tool::run_memory_tool,
    Query GET "/workspaces/{id}/session-search" => session::search_session,
    Token POST "/workspaces/{id}/sessions/{sid}/end" => session::end_session,
    Query GET "/workspaces/{id}/activity" => episodes::list_episodes,
    Token POST "/workspaces/{id}/activity" => episodes::append_episode,
    Token POST "/workspaces/{id}/turns" => turns::add_turn,
    Token GET "/workspaces/{id}/turns/{tid}" => turns::read_turn,
    Token POST "/workspaces/{id}/activity/{eid}/redact" => episodes::redact_episode,
    Query GET "/workspaces/{id}/events" => events::watch_events,
    Query GET "/workspaces/{id}/access-log" => access_log::read_access_log,
    Query GET "/workspaces/{id}/memories/{mid}/access-log" => access_log::read_memory_access_log,
    Query GET "/workspaces/{id}/access-log/verify" => access_log::verify_access_log,
    Query GET "/search" => memories::search_orgs,
    Token GET "/lookup/{id}" => lookup::locate_item,
    Query GET "/workspaces" => workspaces::list_workspaces,
    Token POST "/workspaces" => workspaces::create_workspace,
    Token GET "/workspaces/{id}" => workspaces::read_workspace,
    Query PATCH "/workspaces/{id}" => workspaces::patch_workspace,
    Query DELETE "/workspaces/{id}" => workspaces::remove_workspace,
    Query GET "/workspaces/{id}/tree" => workspaces::read_tree,
    Token GET "/workspaces/{id}/budget" => budgets::read_budget,
    Token GET "/workspaces/{id}/collections" => rows::list_collections,
    Token GET "/workspaces/{id}/collections/{name}" => rows::read_collection,
    Token PUT "/workspaces/{id}/collections/{name}" => rows::put_collection,
    Token DELETE "/workspaces/{id}/collections/{name}" => rows::delete_collection,
    Query GET "/workspaces/{id}/collections/{name}/rows" => rows::list_rows,
    Token POST "/workspaces/{id}/collections/{name}/rows" => rows::write_rows,
    Token POST "/workspaces/{id}/collections/{name}/rows/withdraw" => rows::withdraw_rows,
    Token DELETE "/workspaces/{id}/collections/{name}/rows/{key}" => rows::delete_row,
    Token GET "/workspaces/{id}/processors" => processors::list_processors,
    Token POST "/workspaces/{id}/processors" => processors::define_processor,
    Token GET "/workspaces/{id}/processors/{name}" => processors::read_processor,
    Token DELETE "/workspaces/{id}/processors/{name}" => processors::delete_processor,
    Query POST "/workspaces/{id}/processors/{name}/run" => processors::run_processor,
    Query GET "/workspaces/{id}/processors/{name}/runs" => processors::list_processor_runs,
    Token POST "/workspaces/{id}/patterns" => processors::find_patterns,
    Token PUT "/workspaces/{id}/budget" => budgets::set_budget,
    Token DELETE "/workspaces/{id}/budget" => budgets::remove_budget,
    Query GET "/workspaces/{id}/reach" => reach::read_reach,
    Token GET "/workspaces/{id}/reach/{other}" => reach::read_relation,
    Token POST "/registry/check-access" => reach::check_access,
    Query POST "/orgs/import" => orgs::import_org,
    Token POST "/org/import" => orgs::import_template,
    Token GET "/orgs/demo" => orgs::read_demo,
    Token GET "/me" => tokens::read_me,
    Query GET "/workspaces/{id}/tokens" => tokens::list_tokens,
    Token POST "/workspaces/{id}/tokens" => tokens::issue_token,
    Query DELETE "/workspaces/{id}/tokens" => tokens::revoke_tokens,
    Token DELETE "/tokens/{jti}" => tokens::revoke_token,
    Token POST "/mcp" => mcp::call_mcp,
    Token POST "/workspaces/{id}/mcp" => mcp::call_mcp_as,
    Query GET "/admin/tree" => admin::read_admin_tree,
    Token GET "/admin/stats" => admin::read_admin_stats,
    Query GET "/admin/memories/export" => admin::export_memories,
    Query POST "/admin/memories/import" => admin::import_memories,
    Query POST "/admin/scrub" => admin::scrub_stored,
    Token GET "/admin/providers" => providers::list_providers,
    Token POST "/admin/providers/{name}/promote" => providers::promote_provider,
    Token POST "/admin/providers/{name}/demote" => providers::demote_provider,
    Query GET "/admin/erasures" => redactions::list_erasures,
    Query POST "/admin/erasures" => redactions::erase_content,
    Open GET "/healthz" => health::check_health,
    Open GET "/health" => health::check_health_older,
    Open GET "/readyz" => health::check_readiness,
    Open GET "/version" => health::read_version,
    Open GET "/metrics" => health::read_metrics,
    Open GET "/openapi.json" => docs::read_openapi,
    Open GET "/docs" => docs::find_docs,
    Open GET "/docs/{file}" => docs::read_docs,
}

#[cfg(feature = "console")]
endpoints! {
    DescribedConsole, CONSOLE, []:
    Open GET "/" => console::find_console,
    Open GET "/console" => console::find_console_folder,
    Open GET "/console/{file}" => console::read_console,
    Open POST "/console/session" => console::open_session,
    Open DELETE "/console/session" => console::close_session,
}

fn endpoints() -> impl Iterator<Item = &'static Endpoint> {
    let all = INTERFACE.iter();
    #[cfg(feature = "console")]
    let all = all.chain(CONSOLE);
    all
}

/// The OpenAPI description as JSON, with the bounds of the deployment.
pub(super) fn document(bounds: &Bounds) -> Vec<u8> {
    let mut document = serde_json::to_value(openapi::complete(described())).unwrap_or_default();
    openapi::add_bounds(&mut document, bounds);
    serde_json::to_vec(&document).unwrap_or_default()
}

fn described() -> Description {
    #[cfg_attr(not(feature = "console"), expect(unused_mut, reason = "nothing to merge without the console"))]
    let mut all = Described::openapi();
    #[cfg(feature = "console")]
    all.merge(DescribedConsole::openapi());
    all
}

/// The endpoints by address. The order of the patterns puts literal segments before placeholders.
fn by_address() -> BTreeMap<&'static str, Vec<&'static Endpoint>> {
    let mut addresses: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for endpoint in endpoints() {
        addresses.entry(endpoint.path).or_default().push(endpoint);
    }
    addresses
}

fn access(address: &[&Endpoint]) -> EndpointAuth {
    if address.iter().all(|endpoint| endpoint.rules == RequestRules::Open) {
        return EndpointAuth::Open;
    }
    let methods = |has: fn(&Endpoint) -> bool| {
        let chosen = address.iter().filter(move |endpoint| has(endpoint));
        chosen.map(|endpoint| endpoint.method.clone()).collect()
    };
    EndpointAuth::Token {
        served: methods(|_| true),
        without_query: methods(|endpoint| endpoint.rules != RequestRules::Query),
        // conditions of a GET are for caches, and responses are `no-store`
        without_version: methods(|endpoint| {
            endpoint.method != Method::GET && endpoint.rules != RequestRules::Versioned
        }),
    }
}

/// The value of the `Allow` header.
fn allowed(address: &[&Endpoint]) -> String {
    let mut methods: Vec<&str> = address.iter().map(|endpoint| endpoint.method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.join(", ")
}

/// Addresses with this prefix share a scope, so that the router matches the prefix once.
const WORKSPACE_PREFIX: &str = "/workspaces/{id}";

/// Registers every endpoint, and a default handler for other addresses.
pub(super) fn serve(config: &mut ServiceConfig, state: &Arc<AppState>) {
    let mut workspace = web::scope(WORKSPACE_PREFIX);
    let mut others = Vec::new();
    for (path, address) in by_address() {
        match path.strip_prefix(WORKSPACE_PREFIX) {
            Some(rest) => workspace = workspace.service(resource(rest, path, &address, state)),
            None => others.push(resource(path, path, &address, state)),
        }
    }
    config.service(workspace);
    for other in others {
        config.service(other);
    }
    let boundary = Boundary::new(Arc::clone(state), "unknown", EndpointAuth::Open);
    config.default_service(web::route().to(no_such_address).wrap(boundary));
}

fn resource(
    pattern: &str,
    path: &'static str,
    address: &[&'static Endpoint],
    state: &Arc<AppState>,
) -> impl HttpServiceFactory + use<> {
    // files may be in folders
    let pattern = pattern.replace("{file}", "{file:.*}");
    let boundary = Boundary::new(Arc::clone(state), path, access(address));
    let mut resource = web::resource(pattern);
    for endpoint in address {
        resource = resource.route((endpoint.route)().guard(guard::Method(endpoint.method.clone())));
    }
    let allowed: Arc<str> = allowed(address).into();
    resource.default_service(web::route().to(move || method_not_allowed(Arc::clone(&allowed)))).wrap(boundary)
}

pub(super) async fn no_such_address() -> Result<String, HttpError> {
    Err(HttpError::NoSuchAddress)
}

pub(super) async fn method_not_allowed(allowed: Arc<str>) -> Result<String, HttpError> {
    Err(HttpError::MethodNotAllowed { allowed: allowed.to_string() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use utoipa::openapi::RefOr;
    use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};

    use super::*;

    fn operations(item: &PathItem) -> impl Iterator<Item = (Method, &Operation)> {
        let all = [
            (Method::GET, &item.get),
            (Method::POST, &item.post),
            (Method::PUT, &item.put),
            (Method::PATCH, &item.patch),
            (Method::DELETE, &item.delete),
        ];
        all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
    }

    fn rules(operation: &Operation) -> RequestRules {
        let has = |matches: fn(&Parameter) -> bool| {
            operation.parameters.iter().flatten().any(|parameter| match parameter {
                RefOr::T(parameter) => matches(parameter),
                RefOr::Ref(_) => false,
            })
        };
        if operation.security.is_some() {
            return RequestRules::Open;
        }
        let is_versioned = has(|parameter| parameter.name == "If-Match");
        match has(|parameter| parameter.parameter_in == ParameterIn::Query) {
            true => {
                assert!(!is_versioned, "no rule covers both a query and a condition");
                RequestRules::Query
            }
            false if is_versioned => RequestRules::Versioned,
            false => RequestRules::Token,
        }
    }

    #[test]
    fn described_endpoints_equal_served_endpoints() {
        let as_served = |endpoint: &Endpoint| {
            let Endpoint { rules, method, path, name, .. } = endpoint;
            format!("{rules:?} {method} {path} {name}")
        };
        let served: BTreeSet<String> = endpoints().map(as_served).collect();
        assert_eq!(served.len(), endpoints().count(), "duplicate endpoint");
        let description = described();
        let described = description.paths.paths.iter().flat_map(|(path, item)| {
            operations(item).map(move |(method, operation)| {
                let name = operation.operation_id.as_deref().unwrap_or_default();
                format!("{:?} {method} {path} {name}", rules(operation))
            })
        });
        assert_eq!(served, described.collect());
    }
}
