//! Resident memory of an idle server with the demo org.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::report::Report;
use crate::rounds::Spread;
use crate::server::{Memory, Server};

/// Background work after a start or a response ends within this time.
const SETTLED: Duration = Duration::from_secs(2);

/// Measures a server after the demo org was loaded, and one that was started with it.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let (mut loaded, mut started) = (Vec::new(), Vec::new());
    for _ in 0..setup.rounds {
        let deployment = setup.deploy()?;
        let mut demo = Command::new(&setup.program);
        demo.args(["demo", "--url", &format!("http://{}", deployment.server.address())]).env_clear();
        demo.env("ORGMEM_DATA_DIR", deployment.storage.folder()).stdin(Stdio::null()).stdout(Stdio::null());
        if !demo.status()?.success() {
            return Err(format!("{demo:?} failed").into());
        }
        drop(deployment.client);
        std::thread::sleep(SETTLED);
        loaded.push(deployment.server.memory()?);
        deployment.server.stop()?;
        let server = Server::start(&setup.program, &deployment.storage)?;
        std::thread::sleep(SETTLED);
        started.push(server.memory()?);
        server.stop()?;
    }
    for (when, memory) in [("after it was loaded", loaded), ("after a start", started)] {
        let name = |what: &str| format!("{what} with the demo org {when}, {}", setup.kind.name());
        let megabytes = |of: fn(&Memory) -> f64| Spread::of(memory.iter().map(|memory| of(memory) / 1e6));
        let resident = megabytes(|memory| memory.resident);
        let figure = Figure::value("idle-memory", name("resident"), Unit::Megabytes, resident);
        report.add(figure.with_aim(Aim::AtMost(30.0)));
        report.add(Figure::value(
            "idle-memory",
            name("private memory"),
            Unit::Megabytes,
            megabytes(|memory| memory.private),
        ));
    }
    Ok(())
}
