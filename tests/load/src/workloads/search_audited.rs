//! The cost of the audit log for searches.

use crate::corpus::Corpus;
use crate::deployment::{Deployment, Setup};
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::http::Client;
use crate::report::Report;
use crate::rounds::Pairs;

use super::search_keyword::{Questions, filled_server, filled_server_with};

const SIZE: usize = 10_000;

/// Concurrent connections, so that searches and the audit writer compete for the cores.
const CONNECTIONS: usize = 8;

/// With a queue of one row the server drops the others, and writes almost none.
const DROP_ROWS: [(&str, &str); 1] = [("ORGMEM_ACCESS_LOG_WAITING_READS", "1")];

/// The questions of W3 at 10,000 memories on eight connections, with a row in the audit log for each; limit: a server
/// that drops the rows.
pub(crate) fn run(setup: &Setup, report: &mut Report) -> Outcome<()> {
    let corpus = Corpus::new(setup.sized(SIZE));
    let questions = Questions::new(setup, &corpus)?;
    let (audited, unaudited) = (filled_server(setup, &corpus)?, filled_server_with(setup, &corpus, &DROP_ROWS)?);
    let connect = |deployment: &Deployment| Client::connect(deployment.server.address(), CONNECTIONS);
    let (mut audited_client, mut unaudited_client) = (connect(&audited)?, connect(&unaudited)?);
    let search = |client: &mut Client| Ok(client.run(vec![questions.lane(); CONNECTIONS])?.per_second());
    search(&mut audited_client)?;
    search(&mut unaudited_client)?;
    let pairs = Pairs::measure(setup.rounds, || search(&mut audited_client), || search(&mut unaudited_client))?;
    let name = format!("searches with audit rows, limit: rows dropped, {}", setup.kind.name());
    report.add(Figure::against_limit("search-audited", name, Unit::PerSecond, &pairs).with_aim(Aim::AtLeast(0.9)));
    Ok(())
}
