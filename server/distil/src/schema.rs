//! The subset of JSON Schema that collections use. A keyword outside it is refused, so no rule is silently ignored.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::collection::kind;

/// Levels of nested schemas.
const MAX_DEPTH: usize = 8;

const RULES: [&str; 12] = [
    "type",
    "enum",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// Keywords without an effect on validation.
const NOTES: [&str; 7] = ["$schema", "$id", "$comment", "title", "description", "default", "examples"];

const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// A schema with a keyword or a value that is not supported.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{path}` {fault}")]
pub struct SchemaError {
    /// The place in the schema, such as `schema.properties.size.type`.
    pub path: String,
    /// What is wrong, and what would work.
    pub fault: String,
}

/// A checked schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    types: Vec<String>,
    values: Option<Vec<Value>>,
    properties: BTreeMap<String, Schema>,
    required: Vec<String>,
    refuses_others: bool,
    items: Option<Box<Schema>>,
    range: [Option<f64>; 2],
    length: [Option<u64>; 2],
    count: [Option<u64>; 2],
}

impl Schema {
    /// # Errors
    ///
    /// If a keyword is not supported or has a value of the wrong type.
    pub fn parse(schema: &Value) -> Result<Self, SchemaError> {
        parse(schema, "schema", MAX_DEPTH)
    }

    /// Checks a value.
    ///
    /// # Errors
    ///
    /// A sentence with the path, the fault and the rule.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.check_at(value, "")
    }

    fn check_at(&self, value: &Value, path: &str) -> Result<(), String> {
        let name = || if path.is_empty() { "the row".to_owned() } else { format!("`{path}`") };
        if !self.types.is_empty() && !self.types.iter().any(|wanted| has_type(value, wanted)) {
            return Err(format!("{} is {}; the schema requires {}", name(), kind(value), self.types.join(" or ")));
        }
        if let Some(values) = &self.values
            && !values.contains(value)
        {
            let known: Vec<_> = values.iter().take(20).map(Value::to_string).collect();
            let found: String = value.to_string().chars().take(60).collect();
            return Err(format!("{} is {found}; the schema allows {}", name(), known.join(", ")));
        }
        match value {
            Value::Number(number) => outside(number.as_f64().unwrap_or(0.0), self.range)
                .map_or(Ok(()), |rule| Err(format!("{} is {number}; the schema requires {rule}", name()))),
            Value::String(text) => {
                let length = text.chars().count();
                outside(length as f64, self.length.map(|limit| limit.map(|limit| limit as f64)))
                    .map_or(Ok(()), |rule| {
                        Err(format!("{} has {length} characters; the schema requires {rule}", name()))
                    })
            }
            Value::Array(items) => {
                let count = items.len();
                if let Some(rule) = outside(count as f64, self.count.map(|limit| limit.map(|limit| limit as f64))) {
                    return Err(format!("{} has {count} items; the schema requires {rule}", name()));
                }
                let Some(schema) = &self.items else { return Ok(()) };
                let mut all = items.iter().enumerate();
                all.try_for_each(|(index, item)| schema.check_at(item, &format!("{path}[{index}]")))
            }
            Value::Object(members) => self.check_members(members, path),
            Value::Null | Value::Bool(_) => Ok(()),
        }
    }

    fn check_members(&self, members: &Map<String, Value>, path: &str) -> Result<(), String> {
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        if let Some(absent) = self.required.iter().find(|name| !members.contains_key(*name)) {
            return Err(format!("`{}` is absent; the schema requires it", below(absent)));
        }
        for (name, value) in members {
            match self.properties.get(name) {
                Some(schema) => schema.check_at(value, &below(name))?,
                None if self.refuses_others => {
                    let known: Vec<_> = self.properties.keys().take(20).map(|name| format!("`{name}`")).collect();
                    let short: String = below(name).chars().take(60).collect();
                    return Err(format!("`{short}` is unknown; the schema allows {}", known.join(", ")));
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn has_type(value: &Value, wanted: &str) -> bool {
    match value {
        Value::Null => wanted == "null",
        Value::Bool(_) => wanted == "boolean",
        // 2.0 is an integer in JSON Schema
        Value::Number(number) => {
            wanted == "number"
                || wanted == "integer"
                    && (!number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0))
        }
        Value::String(_) => wanted == "string",
        Value::Array(_) => wanted == "array",
        Value::Object(_) => wanted == "object",
    }
}

fn outside(number: f64, [least, most]: [Option<f64>; 2]) -> Option<String> {
    let below = least.filter(|least| number < *least).map(|least| format!("at least {least}"));
    below.or_else(|| most.filter(|most| number > *most).map(|most| format!("at most {most}")))
}

fn parse(schema: &Value, path: &str, depth: usize) -> Result<Schema, SchemaError> {
    let fail = |path: &str, fault: &str| SchemaError { path: path.to_owned(), fault: fault.to_owned() };
    let Some(depth) = depth.checked_sub(1) else {
        return Err(fail(path, "is nested too deeply; 8 levels are allowed"));
    };
    let members = schema.as_object().ok_or_else(|| fail(path, "must be an object"))?;
    let mut found = Schema::default();
    for (keyword, value) in members {
        let here = format!("{path}.{keyword}");
        let number = || value.as_f64().ok_or_else(|| fail(&here, "must be a number")).map(Some);
        let natural = || value.as_u64().ok_or_else(|| fail(&here, "must be a whole number of at least 0")).map(Some);
        match keyword.as_str() {
            "type" => {
                found.types =
                    types(value).ok_or_else(|| fail(&here, &format!("must be one or a list of {TYPES:?}")))?;
            }
            "enum" => {
                let values = value.as_array().filter(|values| !values.is_empty() && values.len() <= 1_000);
                found.values = Some(values.ok_or_else(|| fail(&here, "must be a list of 1 to 1,000 values"))?.clone());
            }
            "properties" => {
                let properties = value.as_object().ok_or_else(|| fail(&here, "must be an object"))?;
                for (name, schema) in properties {
                    found.properties.insert(name.clone(), parse(schema, &format!("{here}.{name}"), depth)?);
                }
            }
            "required" => found.required = texts(value).ok_or_else(|| fail(&here, "must be a list of names"))?,
            "additionalProperties" => {
                let allows = value.as_bool().ok_or_else(|| fail(&here, "must be true or false"))?;
                found.refuses_others = !allows;
            }
            "items" => found.items = Some(Box::new(parse(value, &here, depth)?)),
            "minimum" => found.range[0] = number()?,
            "maximum" => found.range[1] = number()?,
            "minLength" => found.length[0] = natural()?,
            "maxLength" => found.length[1] = natural()?,
            "minItems" => found.count[0] = natural()?,
            "maxItems" => found.count[1] = natural()?,
            note if NOTES.contains(&note) => {}
            _ => {
                return Err(fail(&here, &format!("is not supported; the supported keywords are {}", RULES.join(", "))));
            }
        }
    }
    Ok(found)
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn types(value: &Value) -> Option<Vec<String>> {
    let types = value.as_str().map(|single| vec![single.to_owned()]).or_else(|| texts(value))?;
    (!types.is_empty() && types.iter().all(|name| TYPES.contains(&name.as_str()))).then_some(types)
}
