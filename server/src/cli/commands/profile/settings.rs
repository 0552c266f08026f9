//! The settings of a profile as arguments.

use clap::Args;
use orgmem_hierarchy::Scope;
use serde_json::{Map, Value, json};

use crate::cli::{forms, words};

const ISOLATIONS: [&str; 4] = ["tree", "team", "isolated", "profile"];
const SHARINGS: [&str; 2] = ["open", "separate"];
const STRATEGIES: [&str; 4] = ["confidence", "recent", "relevance", "off"];

#[derive(Args, Debug)]
pub(super) struct SettingsArgs {
    /// Make it the default profile of the workspace
    #[arg(long)]
    default: bool,
    /// How far the workspace reads
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(ISOLATIONS))]
    isolation: Option<String>,
    /// Whether a call reads the memories of all end users, or only those of the one that it names
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(SHARINGS))]
    subjects: Option<String>,
    /// The same for sessions
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(SHARINGS))]
    sessions: Option<String>,
    /// Who reads the pages of the workspace; GLOBAL only for a root
    #[arg(long, value_name = "SCOPE", ignore_case = true, value_parser = words::scope())]
    page_scope: Option<Scope>,
    /// Kind that the workspace neither commits nor reads; may be repeated
    #[arg(long = "excluded-kind", value_name = "KIND")]
    excluded_kinds: Vec<String>,
    /// Maximum age of its memories, such as 30d; `none` removes the limit
    #[arg(long, value_name = "SPAN", value_parser = limit_of(forms::seconds))]
    max_age: Option<Limit<i64>>,
    /// Maximum number of its memories; `none` removes the limit
    #[arg(long, value_name = "COUNT", value_parser = limit_of(whole))]
    max_entries: Option<Limit<i64>>,
    /// Order of the memories in the context block
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(STRATEGIES))]
    strategy: Option<String>,
    /// Maximum number of memories in the context block
    #[arg(long, value_name = "COUNT")]
    limit: Option<i64>,
    /// Scope in the context block; may be repeated
    #[arg(long = "scope", value_name = "SCOPE", ignore_case = true, value_parser = words::scope())]
    scopes: Vec<Scope>,
    /// Minimum confidence in the context block; `none` removes it
    #[arg(long, value_name = "CONFIDENCE", value_parser = limit_of(number))]
    min_confidence: Option<Limit<f64>>,
    /// Maximum size of the context block in tokens; `none` removes the limit
    #[arg(long, value_name = "TOKENS", value_parser = limit_of(whole))]
    token_budget: Option<Limit<i64>>,
}

/// A limit, or its removal.
#[derive(Clone, Copy, Debug)]
struct Limit<T>(Option<T>);

fn limit_of<T: Clone + Send + Sync + 'static>(
    parse: fn(&str) -> Result<T, String>,
) -> impl Fn(&str) -> Result<Limit<T>, String> + Clone + Send + Sync + 'static {
    move |text| match text {
        "none" => Ok(Limit(None)),
        text => parse(text).map(|value| Limit(Some(value))),
    }
}

fn whole(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| "it must be a whole number, or `none`".to_owned())
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "it must be a number, or `none`".to_owned())
}

impl SettingsArgs {
    /// The given settings, in the form of a request.
    pub(super) fn into_request(self) -> Map<String, Value> {
        fn limit<T: Into<Value>>(limit: Option<Limit<T>>) -> Option<Value> {
            limit.map(|limit| limit.0.map_or(Value::Null, Into::into))
        }
        let list = |items: Vec<Value>| (!items.is_empty()).then_some(Value::Array(items));
        let retention = members([("max_age_seconds", limit(self.max_age)), ("max_entries", limit(self.max_entries))]);
        let injection = members([
            ("strategy", self.strategy.map(Value::String)),
            ("limit", self.limit.map(Value::from)),
            ("scopes", list(self.scopes.iter().map(|scope| json!(scope)).collect())),
            ("min_confidence", limit(self.min_confidence)),
            ("token_budget", limit(self.token_budget)),
        ]);
        let group = |members: Map<String, Value>| (!members.is_empty()).then_some(Value::Object(members));
        members([
            ("is_default", self.default.then_some(Value::Bool(true))),
            ("isolation", self.isolation.map(Value::String)),
            ("subjects", self.subjects.map(Value::String)),
            ("sessions", self.sessions.map(Value::String)),
            ("page_scope", self.page_scope.map(|scope| json!(scope))),
            ("excluded_kinds", list(self.excluded_kinds.into_iter().map(Value::String).collect())),
            ("retention", group(retention)),
            ("injection", group(injection)),
        ])
    }
}

fn members<const N: usize>(given: [(&str, Option<Value>); N]) -> Map<String, Value> {
    given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
