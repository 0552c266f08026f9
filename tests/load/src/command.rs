//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::busy_cores::{self, BusyCores};
use crate::deployment::Setup;
use crate::error::Outcome;
use crate::flood;
use crate::hello;
use crate::report::Report;
use crate::server;
use crate::storage::Kind;
use crate::texts::Texts;
use crate::workloads::{
    attacked_neighbour, commit_concurrent, commit_single, commit_while_embedding, embed_texts, event_resume,
    idle_memory, index_candidates, key_value, move_subtree, reach_decision, search_audited, search_cold,
    search_keyword, search_many_orgs, search_semantic, server_start, session_search,
};

/// Measures orgmem and the limits of the same work.
#[derive(Debug, Parser)]
#[command(name = "orgmem-load")]
pub(crate) struct Command {
    #[command(subcommand)]
    workload: Workload,
    /// Rounds; each measures orgmem and its limit once
    #[arg(long, global = true, default_value_t = 5)]
    rounds: usize,
    /// The database
    #[arg(long, global = true, value_enum, default_value_t = Kind::Sqlite)]
    store: Kind,
    /// The program to measure [default: `orgmem` in the folder of this program]
    #[arg(long, global = true)]
    program: Option<PathBuf>,
    /// Conversations as texts and questions, each `*/corpus.jsonl` with `*/queries.jsonl` [default: the demo org's
    /// texts]
    #[arg(long, global = true, env = "ORGMEM_QUALITY_DATA", value_name = "FOLDER")]
    quality: Option<PathBuf>,
    /// A tenth of the size: to try the load generator, not to measure
    #[arg(long, global = true)]
    small: bool,
    /// Keep all cores awake between requests
    #[arg(long, global = true)]
    awake: bool,
    /// Also write the figures to this file
    #[arg(long, global = true)]
    json: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
enum Workload {
    /// W1: the reach decision; limit: a lookup of two ids
    ReachDecision,
    /// W1b: a move of a subtree; limit: a durable update of one row
    MoveSubtree,
    /// W2: commits on 64 connections; limit: the same rows written by the driver
    CommitConcurrent,
    /// W2b: commits on one connection; limit: a durable commit of one row
    CommitSingle,
    /// W3: searches in orgs of 1,000, 10,000 and 100,000 memories; limit: SQLite's FTS5
    SearchKeyword,
    /// W3c: the first search after a start; limit: without segments
    SearchCold,
    /// W3b: searches with a million memories in other orgs; limit: without them
    SearchManyOrgs,
    /// W4: key/value gets and sets; limits: a constant response of the framework, the driver
    KeyValue,
    /// W5: session-search; limit: the bare SQL for the same rows
    SessionSearch,
    /// W8: starts with a million memories in a thousand orgs, and resident memory; limit: an empty store
    ServerStart,
    /// W9: semantic and hybrid search over 100,000 and 1,000,000 vectors; limit: a scan
    SearchSemantic,
    /// Searches with audit rows; limit: a server that drops the rows
    SearchAudited,
    /// Events to a subscriber that is disconnected repeatedly
    EventResume,
    /// The p99 of an org while another attacks; limit: without the attack
    AttackedNeighbour,
    /// Texts embedded by the local model; limit: `sentence-transformers`. Not part of `all`
    EmbedTexts {
        /// The model's folder
        #[arg(long)]
        model: PathBuf,
        /// A Python with `sentence-transformers`
        #[arg(long)]
        python: Option<PathBuf>,
    },
    /// Commits while the local model embeds; limit: no commit_while_embedding. Not part of `all`
    CommitWhileEmbedding {
        /// The model's folder
        #[arg(long)]
        model: PathBuf,
    },
    /// Resident memory of an idle_memory server with the demo org
    IdleMemory,
    /// The candidates for the keyword index. Not part of `all`
    IndexCandidates,
    /// All workloads
    All,
    /// Serves a constant response of the framework
    #[command(hide = true)]
    Hello,
    /// Keeps a core awake
    #[command(hide = true)]
    Spin,
    /// Sends the requests of its input until it ends
    #[command(hide = true)]
    Flood { address: SocketAddr, connections: usize },
}

impl Command {
    pub(crate) fn run(self) -> Outcome<()> {
        match self.workload {
            Workload::Hello => return hello::serve(),
            Workload::Spin => return busy_cores::spin(),
            Workload::Flood { address, connections } => return flood::send_until_end_of_input(address, connections),
            _ => {}
        }
        let mut report = Report::begin();
        let _busy_cores = self.awake.then(BusyCores::start).transpose()?;
        if self.awake {
            println!("all cores are kept awake");
        }
        let is_selected = |workload: &Workload| self.workload == *workload || self.workload == Workload::All;
        if is_selected(&Workload::ReachDecision) {
            reach_decision::run(self.rounds, &mut report)?;
        }
        if self.workload != Workload::ReachDecision {
            let setup = Setup {
                program: self.program.map_or_else(server::default_program, Ok)?,
                kind: self.store,
                rounds: self.rounds,
                texts: Texts::load(self.quality)?,
                small: self.small,
            };
            report.texts(&setup.texts.source);
            type Measure = fn(&Setup, &mut Report) -> Outcome<()>;
            let workloads: [(Workload, Measure); 14] = [
                (Workload::MoveSubtree, move_subtree::run),
                (Workload::CommitConcurrent, commit_concurrent::run),
                (Workload::CommitSingle, commit_single::run),
                (Workload::SearchKeyword, search_keyword::run),
                (Workload::SearchCold, search_cold::run),
                (Workload::SearchManyOrgs, search_many_orgs::run),
                (Workload::KeyValue, key_value::run),
                (Workload::SessionSearch, session_search::run),
                (Workload::ServerStart, server_start::run),
                (Workload::SearchSemantic, search_semantic::run),
                (Workload::SearchAudited, search_audited::run),
                (Workload::EventResume, event_resume::run),
                (Workload::AttackedNeighbour, attacked_neighbour::run),
                (Workload::IdleMemory, idle_memory::run),
            ];
            if let Workload::EmbedTexts { model, python } = &self.workload {
                embed_texts::run(&setup, model, python.as_deref(), &mut report)?;
            }
            if let Workload::CommitWhileEmbedding { model } = &self.workload {
                commit_while_embedding::run(&setup, model, &mut report)?;
            }
            if self.workload == Workload::IndexCandidates {
                index_candidates::run(&setup, &mut report)?;
            }
            for (_, measure) in workloads.into_iter().filter(|(workload, _)| is_selected(workload)) {
                measure(&setup, &mut report)?;
            }
        }
        self.json.map_or(Ok(()), |file| report.write(&file))
    }
}
