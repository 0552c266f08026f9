//! W5: what just happened here?

use std::time::Instant;

use orgmem_hierarchy::WorkspaceId;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::bare::Bare;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, request};
use crate::org;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::setup::{Setup, Site};
use crate::shape::Shape;
use crate::texts::Texts;
use crate::token;

const EPISODES: usize = 100_000;
/// Of one request of those that fill the workspace.
const MEMORIES: usize = 500;

/// Requests of one round: those that read the newest rows, and those that look through all of them.
const NEWEST: usize = 1_000;
const SOUGHT: usize = 20;

/// One connection asks for the last fifty, and for words; beside it, the bare SQL that fetches the same rows.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let (site, shape) = filled(setup)?;
    let (root, workspace) = (shape.ids()[0], shape.ids()[1]);
    let mut client = Client::connect(site.server.address(), 1)?;
    let mut bare = Bare::on(&site.home)?;
    let queries: Vec<Vec<&str>> = setup.texts.questions().iter().map(|question| words(question)).collect();
    for (name, queries) in [("without words", vec![Vec::new(); NEWEST]), ("with words", queries)] {
        let queries = &queries[..setup.sized(if queries[0].is_empty() { NEWEST } else { SOUGHT })];
        let lane = lane(workspace, queries)?;
        let mut ask = || Ok(client.run(vec![lane.clone()])?.mean_micros());
        let mut fetch = || {
            let begin = Instant::now();
            for query in queries {
                bare.fetch(root, workspace, query)?;
            }
            Ok(begin.elapsed().as_secs_f64() * 1e6 / queries.len() as f64)
        };
        ask()?;
        fetch()?;
        let pairs = Pairs::measure(setup.rounds, ask, fetch)?;
        let episodes = setup.sized(EPISODES);
        let name = format!("session-search {name}, {episodes} episodes, {}", setup.kind.name());
        report.add(Figure::beside("W5", name, Unit::Microseconds, &pairs).aimed(Aim::AtMost(2.0)));
    }
    site.server.stop()
}

/// Two words of a question that tell what it is about: its longest.
fn words(question: &str) -> Vec<&str> {
    let mut words: Vec<&str> = question.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.truncate(2);
    words.retain(|word| !word.is_empty());
    words
}

fn lane(workspace: WorkspaceId, queries: &[Vec<&str>]) -> Outcome<Lane> {
    let token = token::agent(workspace)?;
    let wire = |query: &Vec<&str>| {
        let mut path = format!("/workspaces/{}/session-search?limit=50", workspace.uuid());
        if !query.is_empty() {
            path += &format!("&q={}", utf8_percent_encode(&query.join(" "), NON_ALPHANUMERIC));
        }
        request("GET", &path, &token, None)
    };
    Ok(Lane::once(queries.iter().map(wire).collect()))
}

/// A server with a workspace in which much has happened.
fn filled(setup: &Setup) -> Outcome<(Site, Shape)> {
    let mut site = setup.site()?;
    let shape = Shape::new(2, 1);
    let mut document = org::document(&shape, |place| match place {
        0 => Vec::new(),
        _ => (0..MEMORIES).map(|n| json!({"content": setup.texts.memory(n), "scope": "LOCAL"})).collect(),
    });
    let episodes: Vec<Value> = (0..setup.sized(EPISODES)).map(|number| episode(&setup.texts, number)).collect();
    document["children"][0]["episodes"] = Value::Array(episodes);
    let wire = request("POST", "/orgs/import", &token::admin()?, Some(&document.to_string()));
    site.client.ask(&wire)?;
    Ok((site, shape))
}

fn episode(texts: &Texts, number: usize) -> Value {
    match number % 4 {
        0 => json!({"activity_type": "a2a_send", "method": "message/send", "status": "ok",
            "summary": texts.memory(number), "duration_ms": number % 900}),
        1 => json!({"activity_type": "task_update", "summary": texts.memory(number), "status": "working",
            "correlation_id": format!("task-{}", number / 16)}),
        2 => json!({"activity_type": "agent_log", "summary": texts.memory(number)}),
        _ => json!({"activity_type": "a2a_receive", "method": "message/send", "status": "ok",
            "request_body": {"text": texts.memory(number)}, "response_body": {"accepted": true}}),
    }
}
