//! Attacks by one org, and what its neighbour notices: the neighbour's p99 during each attack, against its quiet p99 of the
//! same round. The sender of an attack occupies the same cores, so its own part is measured too, with a sink in place of the
//! server; and each attack also comes from a process that takes only what the others leave, like one on another machine.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::flood::{Flood, Share};
use crate::http::{Client, Lane, RequestBytes, content_length, request};
use crate::org::{self, Commit};
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::token;

/// Memories of each of the two orgs.
const MEMORIES: usize = 5_000;

/// Requests of the neighbour in one measurement: several seconds, so that what an attack causes once a second has the share in
/// the p99 that it has over the whole attack.
const REQUESTS: usize = 3_000;

/// The load generator switches these off elsewhere.
const DEFAULT_RATES: [(&str, &str); 2] =
    [("ORGMEM_LIMITS_CALLER_REQUESTS_PER_MINUTE", "60000"), ("ORGMEM_LIMITS_ORG_REQUESTS_PER_MINUTE", "600000")];

/// The time that an attack has before the measurement begins.
const HEAD_START: Duration = Duration::from_millis(500);

/// The requests of one attack; every connection repeats all of them, whatever the responses are.
struct Attack {
    name: &'static str,
    connections: usize,
    requests: Vec<RequestBytes>,
}

/// Each attack on one server; the neighbour searches and commits on one connection.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy_with(&DEFAULT_RATES)?;
    let (attacker, neighbour) = (Shape::new(20, 1), Shape::new(20, 2));
    for shape in [&attacker, &neighbour] {
        org::create(&mut deployment.client, shape)?;
        let commit = |number: usize| Commit {
            author: shape.ids()[number % shape.ids().len()],
            scope: "LOCAL",
            content: setup.texts.memory(number),
        };
        org::fill(&mut deployment.client, (0..setup.sized(MEMORIES)).map(commit).collect())?;
    }
    let lane = neighbour_lane(setup, &neighbour)?;
    p99_millis(&deployment, &lane)?;
    let sink = start_sink()?;
    for attack in attacks(setup, &attacker)? {
        let server = deployment.server.address();
        let targets = [
            (server, Share::Equal, ""),
            (server, Share::Idle, ", by an idle process"),
            (sink, Share::Equal, ", to a sink"),
        ];
        for (target, share, how) in targets {
            let mut sent = 0;
            let attacked = || -> Outcome<f64> {
                let flood = Flood::start(target, &attack.requests, attack.connections, share)?;
                thread::sleep(HEAD_START);
                let p99 = p99_millis(&deployment, &lane);
                sent += flood.stop()?;
                p99
            };
            let quiet = || p99_millis(&deployment, &lane);
            let pairs = Pairs::measure(setup.rounds, attacked, quiet)?;
            let name = format!("{}{how}: {sent} requests, {}", attack.name, setup.kind.name());
            let figure = Figure::against_limit("attacked-neighbour", name, Unit::Milliseconds, &pairs);
            report.add(if target == sink { figure } else { figure.with_aim(Aim::AtMost(2.0)) });
        }
    }
    Ok(())
}

/// On a new connection, because the server closes idle ones.
fn p99_millis(deployment: &Deployment, lane: &Lane) -> Outcome<f64> {
    let mut client = Client::connect(deployment.server.address(), 1)?;
    Ok(client.run(vec![lane.clone()])?.p99_micros() / 1e3)
}

/// Nine searches, then a commit.
fn neighbour_lane(setup: &Setup, shape: &Shape) -> Outcome<Lane> {
    let workspace = shape.ids()[3];
    let (path, token) = (format!("/workspaces/{}/memories", workspace.uuid()), token::agent(workspace)?);
    let wire = |number: usize| match number % 10 {
        9 => {
            let memory = json!({"content": setup.texts.memory(number), "scope": "LOCAL"});
            request("POST", &path, &token, Some(&memory.to_string()))
        }
        _ => {
            let text = setup.texts.memory(number * 7);
            let words: Vec<&str> =
                text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() > 3).collect();
            request(
                "GET",
                &format!("{path}?q={}", words.iter().take(2).copied().collect::<Vec<_>>().join("+")),
                &token,
                None,
            )
        }
    };
    let count = setup.sized(REQUESTS);
    Ok(Lane { requests: (0..count).map(wire).collect(), count, expected: "" })
}

fn attacks(setup: &Setup, shape: &Shape) -> Outcome<Vec<Attack>> {
    let workspace = shape.ids()[3];
    let (at, token) = (format!("/workspaces/{}", workspace.uuid()), token::agent(workspace)?);
    let post = |path: &str, body: &str| request("POST", &format!("{at}{path}"), &token, Some(body));
    let get = |path: &str| request("GET", &format!("{at}{path}"), &token, None);
    let commit = |content: String| post("/memories", &json!({"content": content, "scope": "LOCAL"}).to_string());
    let id = "0198c0de-0000-7000-8000-000000000001";
    let with_id = json!({"content": "soon deleted", "scope": "LOCAL", "id": id}).to_string();
    let questions: Vec<RequestBytes> = (0..200)
        .map(|number| {
            let text = setup.texts.memory(number * 3);
            let words: Vec<&str> =
                text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
            get(&format!("/memories?q={}", words.join("+")))
        })
        .collect();
    let tokens: String = (0..7_000).map(|number| format!("token={}&", number % 10)).collect();
    let batch: Vec<_> =
        (0..500).map(|number| json!({"content": setup.texts.memory(number), "scope": "LOCAL"})).collect();
    let batch = json!({"memories": batch}).to_string();
    let one = |name, connections, requests| Attack { name, connections, requests };
    Ok(vec![
        one(
            "commits and deletions of one memory",
            4,
            vec![post("/memories", &with_id), request("DELETE", &format!("{at}/memories/{id}"), &token, None)],
        ),
        one("64 KB of credentials", 4, vec![commit(format!("https://h/cb?{}", &tokens[..tokens.len().min(64_000)]))]),
        one("searches for whole texts", 10, questions),
        one("batches of 500", 4, vec![post("/memories/batch", &batch)]),
        one(
            "bodies of tiny values",
            4,
            vec![post("/memories", &format!("{{\"metadata\": [{}[]]}}", "[],".repeat(300_000)))],
        ),
        one(
            "bodies without permission",
            4,
            vec![request("POST", "/orgs/import", &token, Some(&"x".repeat(4_000_000)))],
        ),
        one("event streams", 64, vec![get("/events")]),
        one("context blocks", 8, vec![post("/context", &json!({"query": setup.texts.memory(1)}).to_string())]),
        one("requests for nothing", 32, vec![request("GET", "/me", &token, None)]),
    ])
}

/// A server that reads each request and does nothing for it.
fn start_sink() -> Outcome<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || discard(stream));
        }
    });
    Ok(address)
}

/// Answers the requests of a connection until it ends.
fn discard(mut stream: TcpStream) -> Option<()> {
    let (mut part, mut received) = ([0; 64 * 1024], Vec::new());
    loop {
        let head = loop {
            if let Some(head) = received.windows(4).position(|four| four == b"\r\n\r\n") {
                break head + 4;
            }
            match stream.read(&mut part).ok()? {
                0 => return None,
                count => received.extend_from_slice(&part[..count]),
            }
        };
        let mut body = content_length(&received[..head]).unwrap_or(0);
        let rest = received.split_off(head);
        body -= rest.len().min(body);
        received.clear();
        while body > 0 {
            match stream.read(&mut part).ok()? {
                0 => return None,
                count => body -= count.min(body),
            }
        }
        stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").ok()?;
    }
}
