//! Every endpoint, once: from this one list come both what is served and what is described.

use std::sync::{Arc, LazyLock};

use actix_web::Route;
use actix_web::dev::HttpServiceFactory;
use actix_web::guard;
use actix_web::http::Method;
use actix_web::web::{self, ServiceConfig};
use orgmem_types::{
    ChildrenRemoval, ImportEpisode, ImportMemory, Mode, Order, RunStatus, SessionHitKind, SessionOrder, TeamOf,
};
use utoipa::OpenApi;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{OpenApi as Description, RefOr};

use super::access::Access;
use super::boundary::Boundary;
use super::error::HttpError;
#[cfg(feature = "console")]
use super::handlers::console;
use super::handlers::{
    access_log, admin, context, docs, entries, episodes, events, health, mcp, memories, orgs, profiles, reach,
    redactions, runs, session, tokens, versions, why, workspaces,
};
use super::openapi;
use super::state::State;

macro_rules! endpoints {
    ($described:ident, $served:ident, [$($schema:ident),*]: $($module:ident::$handler:ident,)*) => {
        #[derive(OpenApi)]
        #[openapi(paths($($module::$handler),*), components(schemas($($schema),*)))]
        struct $described;

        /// The handler of this name, to be served.
        fn $served(name: &str) -> Option<Route> {
            match name {
                $(stringify!($handler) => Some(web::route().to($module::$handler)),)*
                _ => None,
            }
        }
    };
}

endpoints! {
    Described, of_interface,
    // those that only parameters or nested nodes name, which are not gathered by themselves
    [ChildrenRemoval, ImportEpisode, ImportMemory, Mode, Order, RunStatus, SessionHitKind, SessionOrder, TeamOf]:
    entries::read_entry,
    entries::drop_entry,
    entries::list_entries,
    entries::put_entry,
    memories::search_memories,
    memories::commit_memory,
    memories::commit_batch,
    memories::read_memory,
    versions::edit_memory,
    memories::forget_memory,
    versions::restore_memory,
    why::count_memories,
    why::explain_memory,
    redactions::redact_memory,
    redactions::redact_memories,
    versions::list_versions,
    runs::start_run,
    runs::list_runs,
    runs::read_run,
    runs::hold_output,
    runs::finish_run,
    profiles::create_profile,
    profiles::list_profiles,
    profiles::read_profile,
    profiles::change_profile,
    profiles::delete_profile,
    context::summarize_profile,
    context::inject_context,
    session::search_session,
    episodes::list_episodes,
    episodes::append_episode,
    events::watch_events,
    access_log::read_access_log,
    access_log::read_memory_access_log,
    access_log::verify_access_log,
    workspaces::create_workspace,
    workspaces::list_workspaces,
    workspaces::read_workspace,
    workspaces::patch_workspace,
    workspaces::remove_workspace,
    workspaces::read_tree,
    reach::read_reach,
    reach::read_relation,
    reach::check_access,
    orgs::import_org,
    orgs::read_demo,
    tokens::read_me,
    tokens::issue_token,
    tokens::list_tokens,
    tokens::revoke_tokens,
    tokens::revoke_token,
    mcp::call_mcp,
    mcp::call_mcp_as,
    admin::read_admin_tree,
    admin::read_admin_stats,
    redactions::erase_content,
    redactions::list_erasures,
    health::check_health,
    health::check_health_older,
    health::check_readiness,
    health::read_version,
    health::read_metrics,
    docs::read_openapi,
    docs::find_docs,
    docs::read_docs,
}

#[cfg(feature = "console")]
endpoints! {
    DescribedConsole, of_console, []:
    console::find_console,
    console::find_console_folder,
    console::read_console,
    console::open_session,
    console::close_session,
}

fn handler(name: &str) -> Option<Route> {
    let found = of_interface(name);
    #[cfg(feature = "console")]
    let found = found.or_else(|| of_console(name));
    found
}

fn described() -> Description {
    #[cfg_attr(not(feature = "console"), expect(unused_mut, reason = "there is nothing to add"))]
    let mut all = Described::openapi();
    #[cfg(feature = "console")]
    all.merge(DescribedConsole::openapi());
    all
}

/// What is served and how it is described.
pub(super) struct Table {
    /// The description as JSON.
    pub(super) document: Vec<u8>,
    addresses: Vec<Address>,
}

/// One address and what it takes.
struct Address {
    /// Its pattern, such as `/workspaces/{id}`.
    route: String,
    access: Access,
    /// The `Allow` header.
    allowed: String,
    /// Methods and the names of their handlers.
    operations: Vec<(Method, String)>,
}

/// The one table, made when it is first asked for.
pub(super) fn table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(openapi::complete(described())));
    &TABLE
}

impl Table {
    fn of(description: Description) -> Self {
        Self {
            document: serde_json::to_vec(&description).unwrap_or_default(),
            addresses: description.paths.paths.iter().map(|(route, item)| Address::of(route, item)).collect(),
        }
    }
}

impl Address {
    fn of(route: &str, item: &PathItem) -> Self {
        let described: Vec<(Method, &Operation)> = openapi::operations(item).collect();
        let name = |operation: &Operation| operation.operation_id.clone().unwrap_or_default();
        let operations = described.iter().map(|(method, operation)| (method.clone(), name(operation))).collect();
        let is_open = described.iter().all(|(_, operation)| operation.security.is_some());
        let with_query = described.iter().filter(|(_, operation)| takes_query(operation));
        let access = match is_open {
            true => Access::Open,
            false => Access::Token { queries: with_query.map(|(method, _)| method.clone()).collect() },
        };
        Self { route: route.to_owned(), access, allowed: allowed(&described), operations }
    }
}

fn takes_query(operation: &Operation) -> bool {
    let in_query = |parameter: &RefOr<_>| matches!(parameter, RefOr::T(parameter) if is_query(parameter));
    operation.parameters.iter().flatten().any(in_query)
}

fn is_query(parameter: &utoipa::openapi::path::Parameter) -> bool {
    parameter.parameter_in == ParameterIn::Query
}

fn allowed(described: &[(Method, &Operation)]) -> String {
    let mut methods: Vec<&str> = described.iter().map(|(method, _)| method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.join(", ")
}

/// The start of the addresses of one workspace. They share a scope: what they have in common is compared once.
const OF_WORKSPACE: &str = "/workspaces/{id}";

/// Serves every endpoint, and tells those who ask for something else.
pub(super) fn serve(config: &mut ServiceConfig, state: &Arc<State>) {
    let mut of_workspace = web::scope(OF_WORKSPACE);
    let mut others = Vec::new();
    for address in &table().addresses {
        match address.route.strip_prefix(OF_WORKSPACE) {
            Some(rest) => of_workspace = of_workspace.service(resource(rest, address, state)),
            None => others.push(resource(&address.route, address, state)),
        }
    }
    config.service(of_workspace);
    for other in others {
        config.service(other);
    }
    let boundary = Boundary::new(Arc::clone(state), "unknown", Access::Open);
    config.default_service(web::route().to(no_such_address).wrap(boundary));
}

fn resource(pattern: &str, address: &'static Address, state: &Arc<State>) -> impl HttpServiceFactory + use<> {
    // the files of a page may lie in folders
    let pattern = pattern.replace("{file}", "{file:.*}");
    let boundary = Boundary::new(Arc::clone(state), &address.route, address.access.clone());
    let mut resource = web::resource(pattern);
    for (method, name) in &address.operations {
        let method = method.clone();
        resource = match handler(name) {
            Some(route) => resource.route(route.guard(guard::Method(method))),
            None => resource,
        };
    }
    resource.default_service(web::route().to(move || method_not_allowed(&address.allowed))).wrap(boundary)
}

async fn no_such_address() -> Result<String, HttpError> {
    Err(HttpError::NoSuchAddress)
}

async fn method_not_allowed(allowed: &str) -> Result<String, HttpError> {
    Err(HttpError::MethodNotAllowed { allowed: allowed.to_owned() })
}
