//! What all workloads are run with.

use std::path::PathBuf;

use crate::error::Outcome;
use crate::home::{Home, Kind};
use crate::http::Client;
use crate::server::Server;
use crate::texts::Texts;

/// What all workloads are run with.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) program: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) rounds: usize,
    pub(crate) texts: Texts,
    /// Whether everything is a tenth of its size, to try the load generator itself.
    pub(crate) small: bool,
}

/// A server with its data, and the means to ask it things that are not measured.
pub(crate) struct Site {
    pub(crate) home: Home,
    pub(crate) server: Server,
    pub(crate) client: Client,
}

/// Connections for what is not measured.
const CONNECTIONS: usize = 4;

impl Setup {
    /// A size, or in a small run a tenth of it.
    pub(crate) fn sized(&self, size: usize) -> usize {
        if self.small { (size / 10).max(1) } else { size }
    }

    /// An empty server.
    pub(crate) fn site(&self) -> Outcome<Site> {
        self.site_at(Home::new(self.kind)?)
    }

    /// An empty server with these settings, as the environment gives them.
    pub(crate) fn site_with(&self, settings: &[(&str, &str)]) -> Outcome<Site> {
        let home = Home::new(self.kind)?;
        let server = Server::start_with(&self.program, &home, settings)?;
        let client = Client::connect(server.address(), CONNECTIONS)?;
        Ok(Site { home, server, client })
    }

    /// A server on data that is there.
    pub(crate) fn site_at(&self, home: Home) -> Outcome<Site> {
        let server = Server::start(&self.program, &home)?;
        let client = Client::connect(server.address(), CONNECTIONS)?;
        Ok(Site { home, server, client })
    }
}
