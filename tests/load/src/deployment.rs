//! Settings of all workloads.

use std::path::PathBuf;

use crate::error::Outcome;
use crate::http::Client;
use crate::server::Server;
use crate::storage::{Kind, Storage};
use crate::texts::Texts;

/// Settings of all workloads.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) program: PathBuf,
    pub(crate) kind: Kind,
    pub(crate) rounds: usize,
    pub(crate) texts: Texts,
    /// A tenth of the size, to try the load generator.
    pub(crate) small: bool,
}

/// A server with its data, and a client for requests that are not measured.
pub(crate) struct Deployment {
    pub(crate) storage: Storage,
    pub(crate) server: Server,
    pub(crate) client: Client,
}

/// Connections for requests that are not measured.
const CONNECTIONS: usize = 4;

impl Setup {
    /// The size, or a tenth of it in a small run.
    pub(crate) fn sized(&self, size: usize) -> usize {
        if self.small { (size / 10).max(1) } else { size }
    }

    pub(crate) fn deploy(&self) -> Outcome<Deployment> {
        self.deploy_on(Storage::new(self.kind)?)
    }

    /// An empty server with these environment variables.
    pub(crate) fn deploy_with(&self, settings: &[(&str, &str)]) -> Outcome<Deployment> {
        let storage = Storage::new(self.kind)?;
        let server = Server::start_with(&self.program, &storage, settings)?;
        let client = Client::connect(server.address(), CONNECTIONS)?;
        Ok(Deployment { storage, server, client })
    }

    /// A server on existing data.
    pub(crate) fn deploy_on(&self, storage: Storage) -> Outcome<Deployment> {
        let server = Server::start(&self.program, &storage)?;
        let client = Client::connect(server.address(), CONNECTIONS)?;
        Ok(Deployment { storage, server, client })
    }
}
