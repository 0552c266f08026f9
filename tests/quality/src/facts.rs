//! Facts that changed: three versions of each, of which the newest should come first.
//!
//! `facts/facts.jsonl` has the templates, `facts/subjects.json` the subjects. Each pair of them is a fact; its versions
//! have different values and sometimes another wording. They are three days apart, either without a session, or with the
//! same version of the next facts in one.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta};
use serde::Deserialize;

use crate::cases::Cases;
use crate::data::{Conversation, Failure, Item, Question, parse_rows};

/// The number of versions of a fact.
const VERSIONS: usize = 3;

/// The number of facts of a session.
const SESSION_FACTS: usize = 6;

/// Without a common divisor with the number of facts, so that a walk in these steps visits each once.
const STRIDE: usize = 37;

/// 2025-01-06T09:00:00Z, the time of the first versions.
const START: i64 = 1_736_154_000;

/// How the versions are committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each memory without a session.
    Apart,
    /// Six facts of one time share a session.
    Together,
}

#[derive(Deserialize)]
struct Template {
    question: String,
    statements: Vec<String>,
    subjects: String,
    values: Vec<String>,
}

/// The facts as cases of one category.
///
/// # Errors
/// When the files are not valid.
pub fn changed_facts(layout: Layout) -> Result<Cases, Failure> {
    let templates: Vec<Template> = parse_rows(include_str!("../facts/facts.jsonl"))?;
    let subjects: BTreeMap<String, Vec<String>> = serde_json::from_str(include_str!("../facts/subjects.json"))?;
    let (mut facts, mut questions) = (Vec::new(), Vec::new());
    for template in &templates {
        let subjects =
            subjects.get(&template.subjects).ok_or_else(|| format!("no subjects `{}`", template.subjects))?;
        for (number, subject) in subjects.iter().enumerate() {
            let statement = |version: usize| {
                let values = template.values.iter().cycle();
                let value = values.clone().nth(number + version).map_or("", String::as_str);
                let wording = &template.statements[version * number % template.statements.len()];
                wording.replace("{s}", subject).replace("{v}", value)
            };
            facts.push([0, 1, 2].map(statement));
            questions.push(template.question.replace("{s}", subject));
        }
    }
    let mut items = Vec::new();
    for version in 0..VERSIONS {
        for place in 0..facts.len() {
            // the facts of a session are of different templates
            let number = place * STRIDE % facts.len();
            let (fact, session) = (&facts[number], place / SESSION_FACTS);
            // the sessions of a version are on three days
            let time = TimeDelta::days((version * 3 + session % 3) as i64) + TimeDelta::seconds(place as i64);
            items.push(Item {
                id: format!("{number}.{version}"),
                session: (layout == Layout::Together).then(|| format!("{session}.{version}")),
                speaker: "notes".into(),
                at: DateTime::from_timestamp(START, 0).unwrap_or_default() + time,
                text: fact[version].clone(),
            });
        }
    }
    let after = items.len();
    let question = |(number, text)| Question { text, after, gold: vec![format!("{number}.{}", VERSIONS - 1)] };
    let questions: Vec<Question> = questions.into_iter().enumerate().map(question).collect();
    let category = match layout {
        Layout::Apart => "changed fact",
        Layout::Together => "changed fact in a session",
    };
    let categories = vec![category.to_owned(); questions.len()];
    Ok(Cases { conversation: Conversation { name: "facts".into(), items, questions }, categories })
}
