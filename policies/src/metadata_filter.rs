//! Conditions on the metadata of memories.
//!
//! Source: `docs/spec/memories.md`, "Filters on metadata".

use serde_json::{Map, Value};

/// Maximum nesting of a filter.
const MAX_DEPTH: usize = 12;
/// Maximum number of conditions of a filter.
const MAX_CONDITIONS: usize = 64;

/// A filter on metadata.
///
/// ```
/// use orgmem_policies::MetadataFilter;
/// use serde_json::json;
///
/// let filter = MetadataFilter::parse(&json!({"tier": {"$gte": 2}, "owner": {"name": "ada"}})).expect("a filter");
/// let matches = |metadata: serde_json::Value| filter.matches(metadata.as_object());
/// assert!(matches(json!({"tier": 3, "owner": {"name": "ada", "age": 36}})));
/// assert!(!matches(json!({"tier": 1, "owner": {"name": "ada"}})));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataFilter(Vec<(String, Condition)>);

#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// An object whose members satisfy these conditions; others are permitted.
    Members(Vec<(String, Condition)>),
    /// A list of the same length whose items satisfy these conditions.
    Items(Vec<Condition>),
    /// A value that passes all tests.
    Tests(Vec<Test>),
    /// An equal value.
    Is(Value),
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Equal(Value),
    NotEqual(Value),
    Compare(Comparison, f64),
    Not(Box<Condition>),
    All(Vec<Condition>),
    /// A list that begins with items that satisfy these conditions.
    Starts(Vec<Condition>),
    /// A list that ends with items that satisfy these conditions.
    Ends(Vec<Condition>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

/// What is wrong with a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataFilterFault {
    /// The filter is no object.
    #[error("an object of names and conditions, such as `{{\"tier\": {{\"$gte\": 2}}}}`")]
    NoObject,
    /// A name that begins with `$` is no operator.
    #[error(
        "operators of `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$not`, `$and`, `$starts` and `$ends`, not `{0}`"
    )]
    UnknownOperator(String),
    /// The operand of a comparison is no number.
    #[error("a number after `{0}`")]
    NoNumber(String),
    /// The operand of `$and`, `$starts` or `$ends` is no list.
    #[error("a list of conditions after `{0}`")]
    NoList(String),
    /// The filter is too deep or has too many conditions.
    #[error("at most {MAX_CONDITIONS} conditions, nested at most {MAX_DEPTH} times")]
    TooLarge,
}

impl MetadataFilter {
    /// Parses a filter.
    ///
    /// # Errors
    /// [`MetadataFilterFault`], whose text completes "must be …".
    pub fn parse(filter: &Value) -> Result<Self, MetadataFilterFault> {
        let members = filter.as_object().ok_or(MetadataFilterFault::NoObject)?;
        let mut left = MAX_CONDITIONS;
        conditions(members, MAX_DEPTH, &mut left).map(Self)
    }

    /// Whether metadata satisfy the filter. Absent metadata are empty ones.
    #[must_use]
    pub fn matches(&self, metadata: Option<&Map<String, Value>>) -> bool {
        let member = |name: &String| metadata.and_then(|metadata| metadata.get(name)).unwrap_or(&Value::Null);
        self.0.iter().all(|(name, condition)| condition.holds(member(name)))
    }
}

fn conditions(
    members: &Map<String, Value>,
    depth: usize,
    left: &mut usize,
) -> Result<Vec<(String, Condition)>, MetadataFilterFault> {
    let parse = |(name, value): (&String, &Value)| Ok((name.clone(), condition(value, depth, left)?));
    members.iter().map(parse).collect()
}

fn condition(value: &Value, depth: usize, left: &mut usize) -> Result<Condition, MetadataFilterFault> {
    *left = left.checked_sub(1).ok_or(MetadataFilterFault::TooLarge)?;
    let depth = depth.checked_sub(1).ok_or(MetadataFilterFault::TooLarge)?;
    Ok(match value {
        Value::Object(members) if members.keys().any(|name| name.starts_with('$')) => {
            let test = |(operator, operand): (&String, &Value)| test(operator, operand, depth, left);
            Condition::Tests(members.iter().map(test).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => Condition::Members(conditions(members, depth, left)?),
        Value::Array(items) => {
            let item = |item| condition(item, depth, left);
            Condition::Items(items.iter().map(item).collect::<Result<_, _>>()?)
        }
        value => Condition::Is(value.clone()),
    })
}

fn test(operator: &str, operand: &Value, depth: usize, left: &mut usize) -> Result<Test, MetadataFilterFault> {
    let compare = |comparison| {
        let bound = number(operand).ok_or_else(|| MetadataFilterFault::NoNumber(operator.to_owned()))?;
        Ok(Test::Compare(comparison, bound))
    };
    let mut conditions_of = |operand: &Value| {
        let all = operand.as_array().ok_or_else(|| MetadataFilterFault::NoList(operator.to_owned()))?;
        all.iter().map(|one| condition(one, depth, left)).collect::<Result<Vec<_>, _>>()
    };
    match operator {
        "$eq" => Ok(Test::Equal(operand.clone())),
        "$ne" => Ok(Test::NotEqual(operand.clone())),
        "$gt" => compare(Comparison::Greater),
        "$gte" => compare(Comparison::GreaterOrEqual),
        "$lt" => compare(Comparison::Less),
        "$lte" => compare(Comparison::LessOrEqual),
        "$and" => conditions_of(operand).map(Test::All),
        "$starts" => conditions_of(operand).map(Test::Starts),
        "$ends" => conditions_of(operand).map(Test::Ends),
        "$not" => Ok(Test::Not(Box::new(condition(operand, depth, left)?))),
        _ => Err(MetadataFilterFault::UnknownOperator(operator.chars().take(40).collect())),
    }
}

impl Condition {
    fn holds(&self, value: &Value) -> bool {
        match self {
            Self::Members(members) => value.as_object().is_some_and(|object| {
                members.iter().all(|(name, condition)| condition.holds(object.get(name).unwrap_or(&Value::Null)))
            }),
            Self::Items(conditions) => value.as_array().is_some_and(|items| {
                items.len() == conditions.len()
                    && conditions.iter().zip(items).all(|(condition, item)| condition.holds(item))
            }),
            Self::Tests(tests) => tests.iter().all(|test| test.passes(value)),
            Self::Is(wanted) => is_same(wanted, value),
        }
    }
}

impl Test {
    fn passes(&self, value: &Value) -> bool {
        match self {
            Self::Equal(wanted) => is_same(wanted, value),
            Self::NotEqual(unwanted) => !is_same(unwanted, value),
            Self::Not(condition) => !condition.holds(value),
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(value)),
            Self::Starts(conditions) => holds_for(conditions, value, |items| items.get(..conditions.len())),
            Self::Ends(conditions) => {
                holds_for(conditions, value, |items| items.get(items.len().checked_sub(conditions.len())?..))
            }
            Self::Compare(comparison, bound) => number(value).is_some_and(|value| match comparison {
                Comparison::Greater => value > *bound,
                Comparison::GreaterOrEqual => value >= *bound,
                Comparison::Less => value < *bound,
                Comparison::LessOrEqual => value <= *bound,
            }),
        }
    }
}

/// Whether a part of a list has items that satisfy the conditions, one by one.
fn holds_for(conditions: &[Condition], value: &Value, part: impl Fn(&[Value]) -> Option<&[Value]>) -> bool {
    let part = value.as_array().and_then(|items| part(items));
    part.is_some_and(|items| conditions.iter().zip(items).all(|(condition, item)| condition.holds(item)))
}

/// The number of a value that is compared. A text may spell one; `true` is 1.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(is_true) => Some(f64::from(u8::from(*is_true))),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Numbers are equal by value, and `true` is 1.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(_) | Value::Bool(_), Value::Number(_) | Value::Bool(_)) => match (one, other) {
            (Value::Number(one), Value::Number(other)) if one == other => true,
            (Value::Number(one), Value::Number(other)) if is_whole(one) && is_whole(other) => false,
            _ => number(one) == number(other),
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

/// Whole numbers are compared exactly, beyond the precision of a float.
fn is_whole(number: &serde_json::Number) -> bool {
    number.is_i64() || number.is_u64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks which of these metadata a filter selects.
    #[track_caller]
    fn check(filter: Value, selected: &[usize]) {
        let rows = [
            json!({"status": "open", "rank": 1, "owner": {"name": "ada", "age": 3}, "done": false}),
            json!({"status": "done", "rank": 2, "owner": {"name": "bob"}, "done": true}),
            json!({"status": "open", "rank": "3", "tags": ["x", "y"]}),
            json!({"rank": 4.5, "tags": ["x"], "big": 9_007_199_254_740_993_u64}),
        ];
        let parsed = MetadataFilter::parse(&filter).expect("a filter");
        let found: Vec<usize> = (0..4).filter(|row| parsed.matches(rows[*row].as_object())).collect();
        assert_eq!(found, selected, "{filter}");
    }

    #[test]
    fn filter_selects_by_value() {
        check(json!({}), &[0, 1, 2, 3]);
        check(json!({"status": "open"}), &[0, 2]);
        check(json!({"status": "open", "rank": 1.0}), &[0]);
        check(json!({"status": {"$eq": "done"}}), &[1]);
        check(json!({"status": {"$ne": "open"}}), &[1, 3]);
        check(json!({"status": null}), &[3]);
        check(json!({"rank": {"$gt": 1}}), &[1, 2, 3]);
        check(json!({"rank": {"$gte": 2, "$lt": 4}}), &[1, 2]);
        check(json!({"rank": {"$lte": "1.5"}}), &[0]);
        check(json!({"owner": {"name": "ada"}}), &[0]);
        check(json!({"owner": {"name": {"$ne": "ada"}}}), &[1]);
        check(json!({"owner": {"$eq": {"name": "bob"}}}), &[1]);
        check(json!({"tags": ["x", {"$ne": "z"}]}), &[2]);
        check(json!({"done": 1}), &[1]);
        check(json!({"big": 9_007_199_254_740_992_u64}), &[]);
        check(json!({"big": 9_007_199_254_740_993_u64}), &[3]);
    }

    #[test]
    fn comparison_of_what_is_no_number_does_not_hold() {
        check(json!({"status": {"$gt": 0}}), &[]);
        check(json!({"status": {"$lte": 0}}), &[]);
        check(json!({"status": {"$not": {"$lte": 0}}}), &[0, 1, 2, 3]);
        check(json!({"rank": {"$not": {"$lte": 2}}}), &[2, 3]);
        check(json!({"rank": {"$and": [{"$not": {"$lte": 1}}, {"$not": {"$gt": 3}}]}}), &[1, 2]);
    }

    #[test]
    fn list_is_selected_by_its_beginning_and_its_end() {
        check(json!({"tags": {"$starts": ["x"]}}), &[2, 3]);
        check(json!({"tags": {"$starts": ["x", "y"]}}), &[2]);
        check(json!({"tags": {"$ends": ["x"]}}), &[3]);
        check(json!({"tags": {"$ends": [{"$and": []}, "y"]}}), &[2]);
        check(json!({"tags": {"$starts": [], "$ends": []}}), &[2, 3]);
        check(json!({"tags": {"$starts": ["x", "y", "z"]}}), &[]);
    }

    #[test]
    fn invalid_filter_is_refused() {
        let refused = |filter: Value| MetadataFilter::parse(&filter).expect_err("a fault");
        assert_eq!(refused(json!([1])), MetadataFilterFault::NoObject);
        assert_eq!(refused(json!({"a": {"$like": "o"}})), MetadataFilterFault::UnknownOperator("$like".into()));
        assert_eq!(refused(json!({"a": {"$gt": 1, "b": 2}})), MetadataFilterFault::UnknownOperator("b".into()));
        assert_eq!(refused(json!({"a": {"$and": {"$gt": 1}}})), MetadataFilterFault::NoList("$and".into()));
        assert_eq!(refused(json!({"a": {"$ends": "x"}})), MetadataFilterFault::NoList("$ends".into()));
        assert_eq!(refused(json!({"a": {"$gt": "x"}})), MetadataFilterFault::NoNumber("$gt".into()));
        let deep = (0..13).fold(json!(1), |inner, _| json!({"a": inner}));
        assert_eq!(refused(deep), MetadataFilterFault::TooLarge);
        let wide: Map<String, Value> = (0..65).map(|n| (n.to_string(), json!(n))).collect();
        assert_eq!(refused(Value::Object(wide)), MetadataFilterFault::TooLarge);
    }
}
