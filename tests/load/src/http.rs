//! A cheap HTTP/1.1 client, because it shares the cores with the server: persistent connections, requests built in
//! advance, minimal parsing of responses.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::error::Outcome;
use crate::rounds::Spread;

/// An encoded request.
pub(crate) type RequestBytes = Vec<u8>;

pub(crate) fn request(method: &str, path: &str, token: &str, body: Option<&str>) -> RequestBytes {
    let mut wire = format!("{method} {path} HTTP/1.1\r\nhost: load\r\nauthorization: Bearer {token}\r\n");
    if let Some(body) = body {
        wire += &format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    } else {
        wire += "\r\n";
    }
    wire.into_bytes()
}

/// The requests of one connection, repeated until `count` are sent.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) requests: Arc<[RequestBytes]>,
    pub(crate) count: usize,
    /// A text that each response must contain.
    pub(crate) expected: &'static str,
}

impl Lane {
    pub(crate) fn once(requests: Vec<RequestBytes>) -> Self {
        Self { count: requests.len(), requests: requests.into(), expected: "" }
    }
}

/// The times of a run.
#[derive(Debug)]
pub(crate) struct Run {
    /// From the first request to the last response.
    seconds: f64,
    /// Latency of each request, sorted.
    micros: Vec<f64>,
}

impl Run {
    pub(crate) fn per_second(&self) -> f64 {
        self.micros.len() as f64 / self.seconds
    }

    pub(crate) fn mean_micros(&self) -> f64 {
        self.micros.iter().sum::<f64>() / self.micros.len() as f64
    }

    pub(crate) fn median_micros(&self) -> f64 {
        Spread::of(self.micros.iter().copied()).median
    }

    pub(crate) fn p99_micros(&self) -> f64 {
        let last = self.micros.len().saturating_sub(1);
        self.micros.get(last * 99 / 100).copied().unwrap_or(f64::NAN)
    }
}

/// Persistent connections to one server.
pub(crate) struct Client {
    runtime: Runtime,
    connections: Vec<Connection>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr, connections: usize) -> Outcome<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let open = async {
            let mut open = Vec::with_capacity(connections);
            for _ in 0..connections {
                open.push(Connection::open(address).await?);
            }
            Ok::<_, crate::error::Failure>(open)
        };
        let connections = runtime.block_on(open)?;
        Ok(Self { runtime, connections })
    }

    /// Sends a request and returns the body of the response.
    pub(crate) fn send(&mut self, wire: &[u8]) -> Outcome<Vec<u8>> {
        let Self { runtime, connections } = self;
        let connection = connections.first_mut().ok_or("no connection")?;
        runtime.block_on(async { connection.send(wire).await.map(<[u8]>::to_vec) })
    }

    /// Runs all lanes concurrently, each on its own connection.
    pub(crate) fn run(&mut self, lanes: Vec<Lane>) -> Outcome<Run> {
        let Self { runtime, connections } = self;
        let idle = connections.split_off(connections.len() - lanes.len());
        let count = lanes.iter().map(|lane| lane.count).sum();
        runtime.block_on(async {
            let mut running = JoinSet::new();
            let begin = Instant::now();
            for (connection, lane) in idle.into_iter().zip(lanes) {
                running.spawn(connection.drive(lane));
            }
            let mut micros = Vec::with_capacity(count);
            while let Some(ended) = running.join_next().await {
                let (connection, some) = ended??;
                connections.push(connection);
                micros.extend(some);
            }
            let seconds = begin.elapsed().as_secs_f64();
            micros.sort_unstable_by(f64::total_cmp);
            Ok(Run { seconds, micros })
        })
    }
}

struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: SocketAddr) -> Outcome<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(16 * 1024) })
    }

    async fn drive(mut self, lane: Lane) -> Outcome<(Self, Vec<f64>)> {
        let mut micros = Vec::with_capacity(lane.count);
        for wire in lane.requests.iter().cycle().take(lane.count) {
            let begin = Instant::now();
            let body = self.send(wire).await?;
            micros.push(begin.elapsed().as_secs_f64() * 1e6);
            if !lane.expected.is_empty() && !String::from_utf8_lossy(body).contains(lane.expected) {
                return Err(format!("no `{}` in {}", lane.expected, String::from_utf8_lossy(body)).into());
            }
        }
        Ok((self, micros))
    }

    /// Sends a request, reads the whole response and returns its body.
    async fn send(&mut self, wire: &[u8]) -> Outcome<&[u8]> {
        self.stream.write_all(wire).await?;
        self.buffer.clear();
        let head = loop {
            self.more().await?;
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let end = head + content_length(&self.buffer[..head]).ok_or("a response without a content length")?;
        while self.buffer.len() < end {
            self.more().await?;
        }
        let body = &self.buffer[head..end];
        if self.buffer.get(9) == Some(&b'2') {
            return Ok(body);
        }
        let (request, response) = (String::from_utf8_lossy(wire), String::from_utf8_lossy(&self.buffer[..end]));
        Err(format!("{response}\n\nwas the response to\n\n{request:.600}").into())
    }

    async fn more(&mut self) -> Outcome<()> {
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err("the server closed the connection".into()),
            _ => Ok(()),
        }
    }
}

/// The length of a body, by the head before it.
pub(crate) fn content_length(head: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"\r\ncontent-length: ";
    let at = head.windows(NAME.len()).position(|name| name.eq_ignore_ascii_case(NAME))? + NAME.len();
    let digits = head[at..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::content_length;

    #[test]
    fn content_length_is_found_in_any_case() {
        assert_eq!(content_length(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nx: y\r\n\r\n"), Some(12));
        assert_eq!(content_length(b"HTTP/1.1 200 OK\r\ndate: now\r\ncontent-length: 0\r\n\r\n"), Some(0));
        assert_eq!(content_length(b"HTTP/1.1 200 OK\r\n\r\n"), None);
    }
}
