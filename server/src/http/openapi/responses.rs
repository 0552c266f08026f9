//! The problems that some operations have and others do not.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::schema::{
    AnyOfBuilder, ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

/// An answer that is a problem.
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
    /// It was removed.
    Gone = "410", "`gone`: it was removed, and the caller may know";
    /// The id is another's, or the tree does not allow the change.
    Conflict = "409", "`id_taken`, `tree_conflict`, `ambiguous`, …: the detail says what stands against it";
    /// The tree does not allow the change.
    TreeConflict = "409", "`tree_conflict` or `id_taken`: the detail says what stands against it";
    /// The memory collides with another one.
    MemoryConflict = "409", "`id_taken`, `too_many_pins`, `nothing_to_supersede`, `kind_excluded`, `run_over` or `run_full`";
    /// The run is over, full, or holds back what cannot be committed.
    RunConflict = "409", "`run_over` or `run_full`; or why one of its memories cannot be committed, which the detail names";
    /// The memory has another version, or cannot be as it is asked for.
    EditConflict = "409", "`version_conflict`, with `expected_version` and `current_version`; `too_many_pins` or `kind_excluded`";
    /// The profile collides with another one, or is the default one.
    ProfileConflict = "409", "`profile_named`, `profile_is_default` or `too_many_profiles`; or why one of its memories cannot be committed";
    /// The entry has another version.
    VersionConflict = "409", "`version_conflict`, with `expected_version` and `current_version` (null when absent)";
}

fn one(status: &str, response: Response) -> BTreeMap<String, RefOr<Response>> {
    BTreeMap::from([(status.to_owned(), response.into())])
}

/// What was sent is no message of MCP, or none that is answered; then the answer is one. What has nothing to do with the
/// protocol is a problem, as everywhere.
pub(in crate::http) struct NoMessage;

impl IntoResponses for NoMessage {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let either = |problem: Response| {
            let message = ContentBuilder::new().schema(Some(Object::new())).build();
            ResponseBuilder::from(problem).content("application/json", message).build().into()
        };
        let bad = "a message of the protocol with the error; or `bad_request` or `invalid_field`: the request itself";
        let absent = "a message of the protocol: there is no such method; or `not_found`: the workspace is absent, or \
                      not the caller's to see; the two are one";
        BTreeMap::from([("400".to_owned(), either(problem(bad))), ("404".to_owned(), either(problem(absent)))])
    }
}

/// The workspace has children, or the tree does not allow it.
pub(in crate::http) struct Confirmation;

impl IntoResponses for Confirmation {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let description = "`confirmation_required`: it has children, and nothing was said about them; or \
                           `tree_conflict`: the children of a root cannot be promoted";
        let schema = AnyOfBuilder::new().item(confirmation()).item(Ref::from_schema_name("Problem"));
        one("409", of_schema(description, schema))
    }
}

/// A problem whose `status` is a word, as clients of an older platform read it.
fn confirmation() -> Object {
    let word = |word: &str| ObjectBuilder::new().schema_type(Type::String).enum_values(Some([word])).build();
    let text = || ObjectBuilder::new().schema_type(Type::String).build();
    let id = ObjectBuilder::new().schema_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    let child = ObjectBuilder::new().property("id", id).property("name", text()).required("id").required("name");
    let members = [
        ("status", RefOr::from(word("confirmation_required"))),
        ("code", word("confirmation_required").into()),
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
