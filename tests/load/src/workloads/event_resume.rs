//! Events per second to a subscriber that is disconnected repeatedly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use serde_json::json;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, RequestBytes, request};
use crate::org;
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::Spread;
use crate::token;

/// Memories of one round; each produces one event.
const EVENTS: usize = 10_000;

/// =
const BATCH: usize = 50;

const CONNECTIONS: usize = 8;

/// Events received before each disconnection; the subscriber resumes after the last one.
const EVENTS_PER_CONNECTION: [usize; 5] = [1, 37, 150, 400, 1_000];

/// Eight connections commit in batches. The rate counts the events that the subscriber has received, each once and in
/// order.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut deployment = setup.deploy()?;
    let shape = Shape::new(10, 1);
    org::create(&mut deployment.client, &shape)?;
    let (author, subscriber) = (shape.ids()[1], shape.ids()[0]);
    let path = format!("/workspaces/{}/memories/batch", author.uuid());
    let token = token::agent(author)?;
    let mut client = Client::connect(deployment.server.address(), CONNECTIONS)?;
    let path_of_events = format!("/workspaces/{}/events", subscriber.uuid());
    let (events, mut committed, mut rates) =
        (setup.sized(EVENTS) / (BATCH * CONNECTIONS) * (BATCH * CONNECTIONS), 0, Vec::new());
    let mut last = Subscriber::new(deployment.server.address(), &path_of_events, token::agent(subscriber)?).begin()?;
    for _ in 0..setup.rounds {
        let batch = |number: usize| -> RequestBytes {
            let memory =
                |n: usize| json!({"content": setup.texts.memory(committed + number * BATCH + n), "scope": "TEAM"});
            let memories: Vec<_> = (0..BATCH).map(memory).collect();
            request("POST", &path, &token, Some(&json!({"memories": memories}).to_string()))
        };
        let batches: Vec<RequestBytes> = (0..events / BATCH).map(batch).collect();
        committed += events;
        let lanes = batches.chunks(batches.len() / CONNECTIONS).map(|some| Lane::once(some.to_vec())).collect();
        let subscriber = Subscriber::new(deployment.server.address(), &path_of_events, token::agent(subscriber)?);
        let begin = Instant::now();
        let subscription =
            std::thread::spawn(move || subscriber.receive(events, last).map_err(|error| error.to_string()));
        client.run(lanes)?;
        last = subscription.join().map_err(|_| "the subscriber panicked")??;
        rates.push(events as f64 / begin.elapsed().as_secs_f64());
    }
    let name = format!("events to a subscriber that is disconnected repeatedly, {}", setup.kind.name());
    report.add(Figure::value("event-resume", name, Unit::PerSecond, Spread::of(rates)).with_aim(Aim::AtLeast(500.0)));
    Ok(())
}

struct Subscriber {
    address: SocketAddr,
    path: String,
    token: String,
}

impl Subscriber {
    fn new(address: SocketAddr, path: &str, token: String) -> Self {
        Self { address, path: path.to_owned(), token }
    }

    /// The id of the stream's first event.
    fn begin(&self) -> Outcome<u64> {
        let mut stream = self.open(None)?;
        next(&mut stream)?.ok_or_else(|| "the stream has no first event".into()).map(|(_, id)| id)
    }

    /// Receives `wanted` commits after the event `last`, and returns the id of the last one.
    fn receive(&self, wanted: usize, mut last: u64) -> Outcome<u64> {
        let (mut received, mut limits) = (0, EVENTS_PER_CONNECTION.iter().cycle());
        while received < wanted {
            let mut stream = self.open(Some(last))?;
            let mut left = limits.next().copied().unwrap_or(1);
            while left > 0 && received < wanted {
                let (event, id) = next(&mut stream)?.ok_or("the stream ended")?;
                if event != "memory_committed" {
                    continue;
                }
                if id <= last {
                    return Err(format!("event {id} came after {last}").into());
                }
                (last, received, left) = (id, received + 1, left - 1);
            }
        }
        Ok(last)
    }

    fn open(&self, after: Option<u64>) -> Outcome<BufReader<Chunks>> {
        let mut stream = TcpStream::connect(self.address)?;
        let mut head = format!(
            "GET {} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer {}\r\naccept: text/event-stream\r\n",
            self.path, self.token
        );
        if let Some(after) = after {
            head += &format!("last-event-id: {after}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes())?;
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if !line.contains(" 200 ") {
            return Err(format!("the response to a subscription is {line}").into());
        }
        while line.trim() != "" {
            line.clear();
            stream.read_line(&mut line)?;
        }
        Ok(BufReader::new(Chunks { stream, left: 0 }))
    }
}

/// The name and id of the next event.
fn next(stream: &mut BufReader<Chunks>) -> Outcome<Option<(String, u64)>> {
    let (mut event, mut id) = (String::new(), 0);
    let mut line = String::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end().split_once(": ") {
            Some(("event", name)) => event = name.to_owned(),
            Some(("id", number)) => id = number.parse()?,
            // comments keep the connection alive
            None if line.trim().is_empty() && !event.is_empty() => return Ok(Some((event, id))),
            Some(_) | None => {}
        }
    }
}

/// A chunked body.
struct Chunks {
    stream: BufReader<TcpStream>,
    /// Unread bytes of the current chunk.
    left: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            let mut line = String::new();
            // a chunk ends with an empty line
            while line.trim().is_empty() {
                line.clear();
                if self.stream.read_line(&mut line)? == 0 {
                    return Ok(0);
                }
            }
            self.left = usize::from_str_radix(line.trim(), 16).map_err(std::io::Error::other)?;
        }
        let most = buffer.len().min(self.left);
        let read = self.stream.read(&mut buffer[..most])?;
        self.left -= read;
        Ok(read)
    }
}
