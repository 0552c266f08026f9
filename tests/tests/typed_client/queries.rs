//! The types of queries. The description lists the parameters of a query and not its type, so the type is found by its
//! parameters.

use orgmem_types as wire;
use serde_json::{Value, json};
use utoipa::IntoParams;
use utoipa::openapi::path::ParameterIn;

macro_rules! query_types {
    ($($name:ident)*) => {
        [$((stringify!($name), described::<wire::$name>())),*]
    };
}

/// The name of the type with these parameters; `None` without parameters.
///
/// # Panics
/// Unless exactly one type has these parameters, with these descriptions.
pub(crate) fn type_of(operation: &str, parameters: &[&Value]) -> Option<&'static str> {
    if parameters.is_empty() {
        return None;
    }
    let parameters: Vec<Value> = parameters.iter().map(|parameter| identity(parameter)).collect();
    let types = query_types![
        AdminTreeQuery CompactQuery CountMemories DeleteRecord DiffSkill DryRun ExplainPage ListDocuments ReadDocumentContent ExportMemories ImportQuery ListAuditRows ListEntries ListEpisodes
        ListErasures ListGrants ListMemories ListMemoryAuditRows ListMetadataValues ListNamespaceMemories ListPages ListProcessorRuns ListRecords ListReviews ListRows ListRuns ListSkills ListVersions ListWorkspaces
        PageQuery ReachQuery ReadMemoryQuery ReadRun ReadSkill RecallQuery
        RemoveWorkspace ScrubQuery SearchOrgs SessionSearch TreeQuery VerifyAuditLog
    ];
    let same: Vec<&str> = types.iter().filter(|(_, known)| *known == parameters).map(|(name, _)| *name).collect();
    match same[..] {
        [name] => Some(name),
        [] => panic!("no type in `query_types` has the parameters of {operation}: {parameters:?}"),
        _ => panic!("{same:?} have the same parameters as {operation}: merge the types"),
    }
}

fn described<T: IntoParams>() -> Vec<Value> {
    let parameters = T::into_params(|| Some(ParameterIn::Query));
    parameters.iter().map(|parameter| identity(&serde_json::to_value(parameter).expect("JSON"))).collect()
}

/// A parameter without its schema: the server adds the bounds of the deployment to it.
fn identity(parameter: &Value) -> Value {
    json!([parameter["name"], parameter["description"], parameter["required"]])
}
