//! A process that repeats requests until it is stopped: the sender of an attack.
//!
//! It is a process of its own, so that its priority can be that of idle processors.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::error::Outcome;
use crate::http::{RequestBytes, content_length};

/// The longest wait for a response.
const PATIENCE: Duration = Duration::from_secs(2);

/// The share of the processors that the sender takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// As much as the server, as if the attacker had a process on its machine.
    Equal,
    /// What the server and its other clients leave, as a sender on a machine of its own takes nothing of this one.
    Idle,
}

/// A running sender.
pub(crate) struct Flood(Child);

impl Flood {
    /// Starts to send the requests on each of the connections, whatever the responses are.
    pub(crate) fn start(
        address: SocketAddr,
        requests: &[RequestBytes],
        connections: usize,
        share: Share,
    ) -> Outcome<Self> {
        let program = std::env::current_exe()?;
        let mut command = match share {
            Share::Equal => Command::new(program),
            Share::Idle => {
                let mut command = Command::new("chrt");
                command.args(["--idle", "0"]).arg(program);
                command
            }
        };
        command.arg("flood").arg(address.to_string()).arg(connections.to_string());
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started
            .map_err(|error| format!("the sender does not start (an idle one needs `chrt` of util-linux): {error}"))?;
        let input = process.stdin.as_mut().ok_or("the sender has no input")?;
        write_requests(input, requests)?;
        Ok(Self(process))
    }

    /// The number of requests.
    pub(crate) fn stop(mut self) -> Outcome<u64> {
        drop(self.0.stdin.take());
        let mut sent = String::new();
        self.0.stdout.as_mut().ok_or("the sender has no output")?.read_to_string(&mut sent)?;
        self.0.wait()?;
        Ok(sent.trim().parse()?)
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The process: reads the requests from its input, sends them until the input ends, and prints their number.
pub(crate) fn send_until_end_of_input(address: SocketAddr, connections: usize) -> Outcome<()> {
    let mut input = io::stdin().lock();
    let requests = Arc::new(read_requests(&mut input)?);
    let (stopped, sent) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    for _ in 0..connections {
        let (stopped, sent, requests) = (Arc::clone(&stopped), Arc::clone(&sent), Arc::clone(&requests));
        thread::spawn(move || {
            let mut connection = None;
            for wire in requests.iter().cycle() {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                sent.fetch_add(1, Ordering::Relaxed);
                connection = send(connection.take(), address, wire);
            }
        });
    }
    io::copy(&mut input, &mut io::sink())?;
    // a thread may wait for a response, so none is joined
    stopped.store(true, Ordering::Relaxed);
    println!("{}", sent.load(Ordering::Relaxed));
    Ok(())
}

fn write_requests(output: &mut impl Write, requests: &[RequestBytes]) -> Outcome<()> {
    output.write_all(&u32::try_from(requests.len())?.to_le_bytes())?;
    for wire in requests {
        output.write_all(&u32::try_from(wire.len())?.to_le_bytes())?;
        output.write_all(wire)?;
    }
    Ok(output.flush()?)
}

fn read_requests(input: &mut impl Read) -> Outcome<Vec<RequestBytes>> {
    let read_number = |input: &mut dyn Read| {
        let mut number = [0; 4];
        input.read_exact(&mut number).map(|()| u32::from_le_bytes(number) as usize)
    };
    let count = read_number(input)?;
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let mut wire = vec![0; read_number(input)?];
        input.read_exact(&mut wire)?;
        requests.push(wire);
    }
    Ok(requests)
}

/// Sends a request and reads the response, whatever it is; the connection, if it can be used again.
fn send(connection: Option<TcpStream>, address: SocketAddr, wire: &[u8]) -> Option<TcpStream> {
    let mut stream = connection.or_else(|| TcpStream::connect(address).ok())?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(wire).ok()?;
    let mut received = Vec::new();
    let mut part = [0; 16 * 1024];
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return None,
            Ok(count) => received.extend_from_slice(&part[..count]),
        }
        let Some(head) = received.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        // a stream has no length, and ends with the patience
        let Some(length) = content_length(&received[..head]) else { continue };
        if received.len() >= head + 4 + length {
            let text = String::from_utf8_lossy(&received[..head]).to_ascii_lowercase();
            return (!text.contains("connection: close")).then_some(stream);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{read_requests, write_requests};

    #[test]
    fn sender_reads_the_requests_that_were_written() {
        let requests = vec![b"GET / HTTP/1.1\r\n\r\n".to_vec(), Vec::new(), vec![0; 70_000]];
        let mut bytes = Vec::new();
        write_requests(&mut bytes, &requests).expect("memory has room");
        assert_eq!(read_requests(&mut &bytes[..]).expect("it is complete"), requests);
        assert!(read_requests(&mut &bytes[..bytes.len() - 1]).is_err());
    }
}
