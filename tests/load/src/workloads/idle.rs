//! What the server takes of the machine's memory when nobody asks anything.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::report::Report;
use crate::rounds::Spread;
use crate::server::{Memory, Server};
use crate::setup::Setup;

/// What is still going on after a start, or after the last answer, has ended by then.
const SETTLED: Duration = Duration::from_secs(2);

/// A server that the demo org was loaded into, and one that was started with it.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let (mut loaded, mut started) = (Vec::new(), Vec::new());
    for _ in 0..setup.rounds {
        let site = setup.site()?;
        let mut demo = Command::new(&setup.program);
        demo.args(["demo", "--url", &format!("http://{}", site.server.address())]).env_clear();
        demo.env("ORGMEM_DATA_DIR", site.home.folder()).stdin(Stdio::null()).stdout(Stdio::null());
        if !demo.status()?.success() {
            return Err(format!("{demo:?} failed").into());
        }
        drop(site.client);
        std::thread::sleep(SETTLED);
        loaded.push(site.server.memory()?);
        site.server.stop()?;
        let server = Server::start(&setup.program, &site.home)?;
        std::thread::sleep(SETTLED);
        started.push(server.memory()?);
        server.stop()?;
    }
    for (when, memory) in [("after it was loaded", loaded), ("after a start", started)] {
        let name = |what: &str| format!("{what} with the demo org {when}, {}", setup.kind.name());
        let megabytes = |of: fn(&Memory) -> f64| Spread::of(memory.iter().map(|memory| of(memory) / 1e6));
        let resident = megabytes(|memory| memory.resident);
        let figure = Figure::alone("idle", name("resident"), Unit::Megabytes, resident);
        report.add(figure.aimed(Aim::AtMost(30.0)));
        report.add(Figure::alone("idle", name("of that its own"), Unit::Megabytes, megabytes(|memory| memory.own)));
    }
    Ok(())
}
