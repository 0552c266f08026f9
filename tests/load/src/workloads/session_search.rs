//! W5: session-search.

use std::time::Instant;

use orgmem_hierarchy::WorkspaceId;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::bare_sql::BareSql;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, request};
use crate::org;
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::texts::Texts;
use crate::token;

const EPISODES: usize = 100_000;
/// Memories of the workspace.
const MEMORIES: usize = 500;

/// Requests of one round, without and with words.
const WITHOUT_WORDS: usize = 1_000;
const WITH_WORDS: usize = 20;

/// Searches for the latest fifty, and for words, on one connection; limit: the bare_sql SQL for the same rows.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let (deployment, shape) = filled_server(setup)?;
    let (root, workspace) = (shape.ids()[0], shape.ids()[1]);
    let mut client = Client::connect(deployment.server.address(), 1)?;
    let mut bare_sql = BareSql::on(&deployment.storage)?;
    let queries: Vec<Vec<&str>> = setup.texts.questions().iter().map(|question| words(question)).collect();
    for (name, queries) in [("without words", vec![Vec::new(); WITHOUT_WORDS]), ("with words", queries)] {
        let queries = &queries[..setup.sized(if queries[0].is_empty() { WITHOUT_WORDS } else { WITH_WORDS })];
        let lane = lane(workspace, queries)?;
        let mut search = || Ok(client.run(vec![lane.clone()])?.mean_micros());
        let mut fetch = || {
            let begin = Instant::now();
            for query in queries {
                bare_sql.fetch(root, workspace, query)?;
            }
            Ok(begin.elapsed().as_secs_f64() * 1e6 / queries.len() as f64)
        };
        search()?;
        fetch()?;
        let pairs = Pairs::measure(setup.rounds, search, fetch)?;
        let episodes = setup.sized(EPISODES);
        let name = format!("session-search {name}, {episodes} episodes, {}", setup.kind.name());
        report.add(Figure::against_limit("W5", name, Unit::Microseconds, &pairs).with_aim(Aim::AtMost(1.5)));
    }
    deployment.server.stop()
}

/// The two longest words of a question.
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

/// A server with a workspace that has many episodes.
fn filled_server(setup: &Setup) -> Outcome<(Deployment, Shape)> {
    let mut deployment = setup.deploy()?;
    let shape = Shape::new(2, 1);
    let mut document = org::document(&shape, |index| match index {
        0 => Vec::new(),
        _ => (0..MEMORIES).map(|n| json!({"content": setup.texts.memory(n), "scope": "LOCAL"})).collect(),
    });
    let episodes: Vec<Value> = (0..setup.sized(EPISODES)).map(|number| episode(&setup.texts, number)).collect();
    document["children"][0]["episodes"] = Value::Array(episodes);
    let wire = request("POST", "/orgs/import", &token::admin()?, Some(&document.to_string()));
    deployment.client.send(&wire)?;
    Ok((deployment, shape))
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
