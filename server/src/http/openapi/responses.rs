//! Problems of particular operations.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::schema::{
    AnyOfBuilder, ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// A response with a problem as its body.
pub(super) fn problem(description: &str) -> Response {
    of_schema(description, Ref::from_schema_name("Problem"))
}

fn of_schema(description: &str, schema: impl Into<RefOr<Schema>>) -> Response {
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new().description(description).content("application/problem+json", content).build()
}

macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $status:literal, $description:literal;)*) => {$(
        $(#[$doc])*
        pub(in crate::http) struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                one($status, problem($description))
            }
        }
    )*};
}

problems! {
    /// The workspace was removed.
    Gone = "410", "`gone`: the workspace was removed, and the caller may know that it existed";
    /// The id is in use, or the tree does not allow the change.
    Conflict = "409", "`id_taken`, `tree_conflict`, `ambiguous`, …: the detail gives the cause";
    /// The figures of the provider do not permit a promotion.
    PromotionConflict = "409", "`promotion_refused`, with the `figures` that do not permit it";
    /// The tree does not allow the change.
    TreeConflict = "409", "`tree_conflict`, `id_taken` or `budget_exceeded`: the detail gives the cause";
    /// The memory conflicts with another one.
    MemoryConflict = "409", "`id_taken`, `too_many_pins`, `nothing_to_supersede`, `kind_excluded`, `no_open_run`, `run_over`, `run_full` or `budget_exceeded`";
    /// The run is over or full, or one of its memories cannot be committed.
    RunConflict = "409", "`run_over` or `run_full`; or the code of a memory that cannot be committed, named in the detail";
    /// The memory has another version, or the change is not allowed.
    EditConflict = "409", "`version_conflict`, with `expected_version` and `current_version`; `too_many_pins`, `kind_excluded` or `budget_exceeded`";
    /// The collection or the processor does not allow it now.
    RowConflict = "409", "`collection_has_rows`, `too_many_collections`, `too_many_processors`, `processor_running` or `budget_exceeded`: the detail gives the cause";
    /// The workspace has the maximum number of grants.
    GrantConflict = "409", "`too_many_grants`: the workspace has 10,000 grants, the maximum";
    /// The profile conflicts with another one, or is the default profile.
    ProfileConflict = "409", "`profile_named`, `profile_is_default` or `too_many_profiles`; or the code of a memory that cannot be committed";
    /// The memory has no evidence, or the report is about no use of it.
    EvidenceConflict = "409", "`not_a_procedure`; `never_read`: the run did not read it; `run_over`: the run failed";
    /// The draft cannot be stored or approved.
    SkillConflict = "409", "`not_a_procedure`, `skill_too_wide`, `no_draft` or `too_many_skills`: the detail gives the cause";
    /// A workspace above has less.
    BudgetConflict = "409", "`budget_exceeded`: a workspace above has less; `budget_of`, `budget` and `limit` name it";
    /// The entry has another version.
    VersionConflict = "409", "`version_conflict`, with `expected_version` and `current_version` (null when absent)";
}

fn one(status: &str, response: Response) -> BTreeMap<String, RefOr<Response>> {
    BTreeMap::from([(status.to_owned(), response.into())])
}

/// Invalid MCP messages and unknown methods get a JSON-RPC error; requests refused before the protocol get a problem.
pub(in crate::http) struct InvalidMessage;

impl IntoResponses for InvalidMessage {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let either = |problem: Response| {
            let message = ContentBuilder::new().schema(Some(Object::new())).build();
            ResponseBuilder::from(problem).content("application/json", message).build().into()
        };
        let bad = "a JSON-RPC error; or the problem `bad_request` or `invalid_field`";
        let absent = "a JSON-RPC error: unknown method; or the problem `not_found`: the workspace is absent or hidden \
                      from the caller, which is indistinguishable";
        BTreeMap::from([("400".to_owned(), either(problem(bad))), ("404".to_owned(), either(problem(absent)))])
    }
}

/// The workspace has children, or the tree does not allow the removal.
pub(in crate::http) struct Confirmation;

impl IntoResponses for Confirmation {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let description = "`confirmation_required`: the workspace has children, and the request does not choose \
                           `children`; or `tree_conflict`: the children of a root cannot be promoted";
        let schema = AnyOfBuilder::new().item(confirmation()).item(Ref::from_schema_name("Problem"));
        one("409", of_schema(description, schema))
    }
}

/// A problem whose `status` is its code, for the clients of an older platform.
fn confirmation() -> Object {
    let constant = |value: &str| ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value])).build();
    let text = || ObjectBuilder::new().schema_type(Type::String).build();
    let id = ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    let child = ObjectBuilder::new().property("id", id).property("name", text()).required("id").required("name");
    let members = [
        ("status", RefOr::from(constant("confirmation_required"))),
        ("code", constant("confirmation_required").into()),
        ("children", ArrayBuilder::new().items(child).into()),
        ("children_count", ObjectBuilder::new().schema_type(Type::Integer).into()),
        ("type", text().into()),
        ("title", text().into()),
        ("detail", text().into()),
        ("error", text().into()),
        ("request_id", text().into()),
    ];
    let object = ObjectBuilder::new().schema_type(Type::Object);
    members.into_iter().fold(object, |object, (name, schema)| object.property(name, schema).required(name)).build()
}
