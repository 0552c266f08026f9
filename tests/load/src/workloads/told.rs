//! Told: how many events a second reach somebody who is cut off again and again.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Instant;

use serde_json::json;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::{Client, Lane, Wire, request};
use crate::org;
use crate::report::Report;
use crate::rounds::Spread;
use crate::setup::Setup;
use crate::shape::Shape;
use crate::token;

/// Memories of one round, each of which is an event.
const EVENTS: usize = 10_000;

/// Memories of one batch.
const BATCH: usize = 50;

const CONNECTIONS: usize = 8;

/// After so many events the stream is cut off; it goes on after the last one that came.
const STAYS: [usize; 5] = [1, 37, 150, 400, 1_000];

/// Eight connections commit in batches; the rate is that at which a watcher has been told of all of them, each once and
/// in order, though it is cut off.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let mut site = setup.site()?;
    let shape = Shape::new(10, 1);
    org::plant(&mut site.client, &shape)?;
    let (author, watcher) = (shape.ids()[1], shape.ids()[0]);
    let path = format!("/workspaces/{}/memories/batch", author.uuid());
    let token = token::agent(author)?;
    let mut client = Client::connect(site.server.address(), CONNECTIONS)?;
    let watched = format!("/workspaces/{}/events", watcher.uuid());
    let (events, mut begun, mut rates) =
        (setup.sized(EVENTS) / (BATCH * CONNECTIONS) * (BATCH * CONNECTIONS), 0, Vec::new());
    let mut last = Watcher::new(site.server.address(), &watched, token::agent(watcher)?).begin()?;
    for _ in 0..setup.rounds {
        let batch = |number: usize| -> Wire {
            let memory = |n: usize| json!({"content": setup.texts.memory(begun + number * BATCH + n), "scope": "TEAM"});
            let memories: Vec<_> = (0..BATCH).map(memory).collect();
            request("POST", &path, &token, Some(&json!({"memories": memories}).to_string()))
        };
        let batches: Vec<Wire> = (0..events / BATCH).map(batch).collect();
        begun += events;
        let lanes = batches.chunks(batches.len() / CONNECTIONS).map(|some| Lane::once(some.to_vec())).collect();
        let watcher = Watcher::new(site.server.address(), &watched, token::agent(watcher)?);
        let begin = Instant::now();
        let watching = std::thread::spawn(move || watcher.told_of(events, last).map_err(|error| error.to_string()));
        client.run(lanes)?;
        last = watching.join().map_err(|_| "the watcher panicked")??;
        rates.push(events as f64 / begin.elapsed().as_secs_f64());
    }
    let name = format!("events told to who is cut off again and again, {}", setup.kind.name());
    report.add(Figure::alone("Told", name, Unit::PerSecond, Spread::of(rates)).aimed(Aim::AtLeast(500.0)));
    Ok(())
}

/// Somebody who watches a stream.
struct Watcher {
    address: SocketAddr,
    path: String,
    token: String,
}

impl Watcher {
    fn new(address: SocketAddr, path: &str, token: String) -> Self {
        Self { address, path: path.to_owned(), token }
    }

    /// Where the stream begins now.
    fn begin(&self) -> Outcome<u64> {
        let mut stream = self.open(None)?;
        next(&mut stream)?.ok_or_else(|| "no beginning was told".into()).map(|(_, id)| id)
    }

    /// Waits until so many memories were told of after `last`; gives the last of the events.
    fn told_of(&self, wanted: usize, mut last: u64) -> Outcome<u64> {
        let (mut told, mut stays) = (0, STAYS.iter().cycle());
        while told < wanted {
            let mut stream = self.open(Some(last))?;
            let mut left = stays.next().copied().unwrap_or(1);
            while left > 0 && told < wanted {
                let (event, id) = next(&mut stream)?.ok_or("the stream ended")?;
                if event != "memory_committed" {
                    continue;
                }
                if id <= last {
                    return Err(format!("event {id} came after {last}").into());
                }
                (last, told, left) = (id, told + 1, left - 1);
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
            return Err(format!("a stream was answered {line}").into());
        }
        while line.trim() != "" {
            line.clear();
            stream.read_line(&mut line)?;
        }
        Ok(BufReader::new(Chunks { stream, left: 0 }))
    }
}

/// The next event: what it is called, and its id.
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
            // of what only keeps it alive nothing is known
            None if line.trim().is_empty() && !event.is_empty() => return Ok(Some((event, id))),
            Some(_) | None => {}
        }
    }
}

/// A body that comes in chunks.
struct Chunks {
    stream: BufReader<TcpStream>,
    /// Bytes of the chunk that are yet to come.
    left: usize,
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            let mut line = String::new();
            // the line that ends a chunk comes before the size of the next
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
