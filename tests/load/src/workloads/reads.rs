//! Reads: what a search costs more because the access log tells of it.

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::Client;
use crate::library::Library;
use crate::report::Report;
use crate::rounds::Pairs;
use crate::setup::{Setup, Site};

use super::w3::{Questions, filled, filled_with};

const SIZE: usize = 10_000;

/// Connections that ask at once, so that the writer of the rows and the searches want the same cores.
const CONNECTIONS: usize = 8;

/// With room for one row, all others are given up: the same search, and next to nothing is written.
const GIVEN_UP: [(&str, &str); 1] = [("ORGMEM_ACCESS_LOG_WAITING_READS", "1")];

/// The questions of W3 at 10,000 memories on eight connections, each leaving its row in the access log, beside the same on
/// a server that gives the rows up.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let library = Library::new(setup.sized(SIZE));
    let questions = Questions::new(setup, &library)?;
    let (told, silent) = (filled(setup, &library)?, filled_with(setup, &library, &GIVEN_UP)?);
    let connect = |site: &Site| Client::connect(site.server.address(), CONNECTIONS);
    let (mut told_client, mut silent_client) = (connect(&told)?, connect(&silent)?);
    let ask = |client: &mut Client| Ok(client.run(vec![questions.lane(); CONNECTIONS])?.per_second());
    ask(&mut told_client)?;
    ask(&mut silent_client)?;
    let pairs = Pairs::measure(setup.rounds, || ask(&mut told_client), || ask(&mut silent_client))?;
    let name = format!("searches told in the access log, limit: not told, {}", setup.kind.name());
    report.add(Figure::beside("Reads", name, Unit::PerSecond, &pairs).aimed(Aim::AtLeast(0.9)));
    Ok(())
}
