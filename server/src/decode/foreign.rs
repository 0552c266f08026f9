//! Fields that existing clients send and this server does not define, and values that they spell differently. The table
//! is complete: everything else of a request is strict.
//!
//! A request is first read as it is. Only if that fails, its fields are rewritten by the table and read again.
//!
//! Source: `docs/spec/clients.md`, "Accepted fields".

use std::fmt;

use orgmem_hierarchy::Scope;
use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{ReadFault, query, shortened};

/// The operation of a request, and the workspace of its address.
pub(crate) struct ClientCall {
    /// Method and pattern, such as `POST /workspaces/{id}/memories`.
    pub(crate) operation: String,
    pub(crate) workspace: Option<Uuid>,
}

/// What happens to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// It becomes a member of this object.
    MemberOf(&'static str),
    /// It must be the workspace of the address, and is not stored.
    WorkspaceOfPath,
    /// An empty text counts as absent.
    EmptyIsAbsent,
    /// The letters may have any case; the value is upper case.
    UpperCase,
    /// A fractional number is rounded.
    Rounded,
}

use Treatment::{EmptyIsAbsent, MemberOf, Rounded, UpperCase, WorkspaceOfPath};

/// Attributes of a workspace on the older platform.
const WORKSPACE: [&str; 6] = ["tier", "canvas", "runtime", "template", "workspace_dir", "workspace_access"];

/// The other fields by operation. A field with several treatments has several rows, in their order.
const FIELDS: &[(&str, &[(&str, Treatment)])] = &[
    ("PATCH /workspaces/{id}", &[("x", MemberOf("merge_metadata")), ("y", MemberOf("merge_metadata"))]),
    ("POST /workspaces/{id}/memories", &[("workspace_id", WorkspaceOfPath), ("scope", UpperCase)]),
    (
        "GET /workspaces/{id}/memories",
        &[("workspace_id", WorkspaceOfPath), ("scope", EmptyIsAbsent), ("q", EmptyIsAbsent), ("limit", EmptyIsAbsent)],
    ),
    (
        "POST /workspaces/{id}/activity",
        &[
            ("workspace_id", WorkspaceOfPath),
            ("source_id", EmptyIsAbsent),
            ("target_id", EmptyIsAbsent),
            ("duration_ms", Rounded),
        ],
    ),
    ("GET /workspaces/{id}/session-search", &[("q", EmptyIsAbsent), ("limit", EmptyIsAbsent)]),
];

/// The object that holds the attributes of a workspace in a request.
const WORKSPACE_OBJECTS: &[(&str, &str)] =
    &[("POST /workspaces", "metadata"), ("PATCH /workspaces/{id}", "merge_metadata")];

/// The treatments of the fields of an operation.
fn treatments(operation: &str) -> Vec<(&'static str, Treatment)> {
    let object = WORKSPACE_OBJECTS.iter().find(|row| row.0 == operation).map(|row| row.1);
    let attributes = object.into_iter().flat_map(|object| WORKSPACE.map(|name| (name, MemberOf(object))));
    let other = FIELDS.iter().filter(|row| row.0 == operation).flat_map(|row| row.1.iter().copied());
    attributes.chain(other).collect()
}

/// The names of the additional fields of an operation, for its description.
pub(crate) fn names(operation: &str) -> Vec<&'static str> {
    let added = |treatment| matches!(treatment, MemberOf(_) | WorkspaceOfPath);
    treatments(operation).into_iter().filter(|(_, treatment)| added(*treatment)).map(|(name, _)| name).collect()
}

/// Reads a JSON body that was refused with `fault`, with the fields of existing clients.
///
/// # Errors
/// `fault` if the body has no such field; otherwise the fault of the rewritten body.
pub(crate) fn foreign_json<T: DeserializeOwned>(
    body: &[u8],
    call: &ClientCall,
    fault: ReadFault,
) -> Result<T, ReadFault> {
    let treatments = treatments(&call.operation);
    if treatments.is_empty() || !matches!(fault, ReadFault::Field { .. }) {
        return Err(fault);
    }
    let Ok(Fields(mut fields)) = serde_json::from_slice(body) else { return Err(fault) };
    if !rewrite(&mut fields, &treatments, call.workspace)? {
        return Err(fault);
    }
    let fields = MapDeserializer::<_, serde_json::Error>::new(fields.into_iter());
    serde_path_to_error::deserialize(fields).map_err(|error| ReadFault::field(error.path(), &error.inner().to_string()))
}

/// Reads the query of an address that was refused with `fault`, as [`foreign_json`].
///
/// # Errors
/// As [`foreign_json`].
pub(crate) fn foreign_query<T: DeserializeOwned>(
    text: &str,
    call: &ClientCall,
    fault: ReadFault,
) -> Result<T, ReadFault> {
    let treatments = treatments(&call.operation);
    if treatments.is_empty() || matches!(fault, ReadFault::AddressNotUtf8 { .. }) {
        return Err(fault);
    }
    let pairs = form_urlencoded::parse(text.as_bytes());
    let mut fields: Vec<_> =
        pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect();
    if !rewrite(&mut fields, &treatments, call.workspace)? {
        return Err(fault);
    }
    let texts = fields.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
    query(&form_urlencoded::Serializer::new(String::new()).extend_pairs(texts).finish())
}

/// Moves the attributes of existing clients in a workspace of a template, and in its descendants, into `metadata`. Also
/// reads the scopes of its memories in any case.
///
/// The recursion is as deep as the value, whose nesting the caller limits.
///
/// # Errors
/// [`ReadFault::Field`] for an attribute that `metadata` has too.
pub(crate) fn rewrite_template(workspace: &mut Value) -> Result<(), ReadFault> {
    let Value::Object(members) = workspace else { return Ok(()) };
    let mut fields: Vec<_> = std::mem::take(members).into_iter().collect();
    rewrite(&mut fields, &WORKSPACE.map(|name| (name, MemberOf("metadata"))), None)?;
    members.extend(fields);
    let memories = members.get_mut("initial_memories").and_then(Value::as_array_mut);
    memories.into_iter().flatten().for_each(upper_case_scope);
    let children = members.get_mut("children").and_then(Value::as_array_mut);
    children.into_iter().flatten().try_for_each(rewrite_template)
}

/// The scopes of systems with profiles and entries, and ours.
pub(crate) const PROFILE_SCOPES: [(&str, Scope); 3] =
    [("project", Scope::Local), ("conversation", Scope::Local), ("global", Scope::Global)];

/// Replaces the `scope` of an entry of a profile by ours, and reads ours in any case.
pub(crate) fn rewrite_scope(memory: &mut Map<String, Value>) {
    if let Some(Value::String(scope)) = memory.get_mut("scope") {
        let ours = PROFILE_SCOPES.iter().find(|(word, _)| scope.eq_ignore_ascii_case(word));
        *scope = ours.map_or_else(|| scope.to_ascii_uppercase(), |(_, ours)| ours.as_str().to_owned());
    }
}

/// Writes the `scope` of a memory in upper case.
pub(crate) fn upper_case_scope(memory: &mut Value) {
    if let Some(Value::String(scope)) = memory.get_mut("scope") {
        scope.make_ascii_uppercase();
    }
}

/// The members of an object in their order, with duplicates.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Applies the treatments. Returns whether anything changed.
fn rewrite(
    fields: &mut Vec<(String, Value)>,
    treatments: &[(&'static str, Treatment)],
    workspace: Option<Uuid>,
) -> Result<bool, ReadFault> {
    let mut is_changed = false;
    for &(name, treatment) in treatments {
        let mut from = 0;
        while let Some(index) = fields.iter().skip(from).position(|(field, _)| field == name).map(|at| from + at) {
            match treat(&mut fields[index].1, name, treatment, workspace)? {
                Outcome::Same => from = index + 1,
                Outcome::Changed => (from, is_changed) = (index + 1, true),
                Outcome::Removed => {
                    let (_, value) = fields.remove(index);
                    is_changed = true;
                    if let MemberOf(object) = treatment {
                        add_member(fields, object, name, value)?;
                    }
                }
            }
        }
    }
    Ok(is_changed)
}

enum Outcome {
    Same,
    Changed,
    /// The field has to be removed from the request.
    Removed,
}

fn treat(
    value: &mut Value,
    name: &'static str,
    treatment: Treatment,
    workspace: Option<Uuid>,
) -> Result<Outcome, ReadFault> {
    Ok(match (treatment, value) {
        (MemberOf(_), _) => Outcome::Removed,
        (WorkspaceOfPath, value) => check_workspace(name, value, workspace).map(|()| Outcome::Removed)?,
        (EmptyIsAbsent, Value::String(text)) if text.is_empty() => Outcome::Removed,
        (UpperCase, Value::String(text)) if text.bytes().any(|byte| byte.is_ascii_lowercase()) => {
            text.make_ascii_uppercase();
            Outcome::Changed
        }
        (Rounded, value) => match rounded(value) {
            Some(whole) => {
                *value = whole.into();
                Outcome::Changed
            }
            None => Outcome::Same,
        },
        (EmptyIsAbsent | UpperCase, _) => Outcome::Same,
    })
}

fn add_member(
    fields: &mut Vec<(String, Value)>,
    object: &'static str,
    name: &'static str,
    value: Value,
) -> Result<(), ReadFault> {
    let index = fields.iter().position(|(field, _)| field == object).unwrap_or_else(|| {
        fields.push((object.to_owned(), Value::Object(Map::new())));
        fields.len() - 1
    });
    let members = &mut fields[index].1;
    if members.is_null() {
        *members = Value::Object(Map::new());
    }
    // another type is refused when the request is read
    let Value::Object(members) = members else { return Ok(()) };
    if members.contains_key(name) {
        let reason = format!("`{name}` is stored in `{object}`, which has a `{name}` already; send one of the two");
        return Err(ReadFault::Field { path: name.to_owned(), reason });
    }
    members.insert(name.to_owned(), value);
    Ok(())
}

fn check_workspace(name: &'static str, value: &Value, workspace: Option<Uuid>) -> Result<(), ReadFault> {
    let named = value.as_str().and_then(|text| Uuid::try_parse(text).ok());
    if workspace.is_some() && named == workspace {
        return Ok(());
    }
    let of_path = workspace.unwrap_or_default();
    let found = match value {
        Value::String(text) => format!(", not `{}`", shortened(text)),
        _ => String::new(),
    };
    let reason = format!("`{name}` must be the workspace of the address, `{of_path}`, or absent{found}");
    Err(ReadFault::Field { path: name.to_owned(), reason })
}

/// The nearest whole number of a fractional one within the range of exact ones.
fn rounded(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = value.as_f64().filter(|_| value.is_f64())?.round();
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (number.abs() < EXACT).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Request {
        #[serde(default)]
        scope: Option<String>,
        #[serde(default)]
        duration_ms: Option<i64>,
        #[serde(default)]
        target_id: Option<Uuid>,
        #[serde(default)]
        metadata: Option<Map<String, Value>>,
    }

    fn call(operation: &str) -> ClientCall {
        ClientCall { operation: operation.to_owned(), workspace: Some(Uuid::from_u128(7)) }
    }

    #[track_caller]
    fn read(operation: &str, body: &str) -> Result<Request, String> {
        let fault = super::super::json::<Request>(body.as_bytes(), 20).expect_err("needs the table");
        foreign_json(body.as_bytes(), &call(operation), fault).map_err(|fault| fault.to_string())
    }

    const ACTIVITY: &str = "POST /workspaces/{id}/activity";

    #[test]
    fn attributes_of_a_workspace_become_metadata() {
        let read = read("POST /workspaces", r#"{"tier": 2, "metadata": {"a": 1}, "canvas": {"x": 1}}"#);
        let metadata = read.expect("accepted").metadata.expect("metadata");
        assert_eq!(Value::Object(metadata), json!({"a": 1, "tier": 2, "canvas": {"x": 1}}));
    }

    #[test]
    fn attribute_that_metadata_has_too_is_refused() {
        let fault = read("POST /workspaces", r#"{"tier": 2, "metadata": {"tier": 1}}"#).expect_err("ambiguous");
        assert_eq!(fault, "`tier` is stored in `metadata`, which has a `tier` already; send one of the two");
    }

    #[test]
    fn workspace_of_the_path_is_accepted_and_another_refused() {
        let own = Uuid::from_u128(7).to_string();
        assert!(read(ACTIVITY, &format!(r#"{{"workspace_id": "{own}"}}"#)).is_ok());
        for (other, shown) in [(r#""acme""#, ", not `acme`"), (r#""""#, ", not ``"), ("7", ""), ("null", "")] {
            let fault = read(ACTIVITY, &format!(r#"{{"workspace_id": {other}}}"#)).expect_err(other);
            let expected = format!("`workspace_id` must be the workspace of the address, `{own}`, or absent{shown}");
            assert_eq!(fault, expected);
        }
    }

    #[test]
    fn spellings_of_values_are_understood() {
        let activity = read(ACTIVITY, r#"{"duration_ms": 12.6, "target_id": ""}"#).expect("accepted");
        assert_eq!((activity.duration_ms, activity.target_id), (Some(13), None));
        let memory = read(
            "POST /workspaces/{id}/memories",
            r#"{"scope": "team", "workspace_id": "00000000-0000-0000-0000-000000000007"}"#,
        );
        assert_eq!(memory.expect("accepted").scope.as_deref(), Some("TEAM"));
    }

    #[test]
    fn other_requests_stay_strict() {
        for (operation, body, message) in [
            (ACTIVITY, r#"{"tier": 1}"#, "unknown field `tier`"),
            ("POST /workspaces/{id}/runs", r#"{"workspace_id": "x"}"#, "unknown field `workspace_id`"),
            (ACTIVITY, r#"{"duration_ms": 1e300}"#, "`duration_ms` must be a whole number"),
            (ACTIVITY, r#"{"duration_ms": "12"}"#, "`duration_ms` must be a whole number"),
            (ACTIVITY, r#"{"target_id": " "}"#, "`target_id` must be a UUID"),
            (ACTIVITY, r#"{"target_id": "", "memor": 1}"#, "unknown field `memor`"),
            (ACTIVITY, r#"{"duration_ms": 1.5, "duration_ms": 2}"#, "duplicate field `duration_ms`"),
            ("POST /workspaces", r#"{"tier": 1, "tier": 2}"#, "`tier` is stored in `metadata`"),
            ("POST /workspaces", r#"{"tier": 1, "metadata": 3}"#, "`metadata` must be an object"),
        ] {
            let fault = read(operation, body).expect_err(body);
            assert!(fault.starts_with(message), "{body}: {fault}");
        }
    }

    #[test]
    fn empty_parameters_count_as_absent_only_where_listed() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        #[derive(Default)]
        struct Parameters {
            limit: Option<u64>,
            depth: Option<u64>,
        }
        let read = |operation, text: &str| {
            let fault = query::<Parameters>(text).expect_err("needs the table");
            foreign_query::<Parameters>(text, &call(operation), fault)
        };
        let search = "GET /workspaces/{id}/session-search";
        assert_eq!(read(search, "limit=&depth=2").expect("accepted").depth, Some(2));
        assert!(read(search, "limit=&depth=").is_err());
        assert!(read(search, "limit=&limit=1").is_ok_and(|read| read.limit == Some(1)));
        assert!(read("GET /workspaces/{id}/tree", "limit=").is_err());
    }
}
