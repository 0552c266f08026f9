//! What the program is told.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::awake::{self, Awake};
use crate::error::Outcome;
use crate::hello;
use crate::home::Kind;
use crate::report::Report;
use crate::server;
use crate::setup::Setup;
use crate::texts::Texts;
use crate::workloads::{
    embed, embedder, idle, index_candidates, reads, told, w1, w1b, w2, w2b, w3, w3b, w4, w5, w8, w9,
};

/// Measures orgmem beside the raw limits of the same work.
#[derive(Debug, Parser)]
#[command(name = "orgmem-load")]
pub(crate) struct Command {
    #[command(subcommand)]
    workload: Workload,
    /// How often ours and its limit are measured in turns.
    #[arg(long, global = true, default_value_t = 5)]
    rounds: usize,
    /// The database.
    #[arg(long, global = true, value_enum, default_value_t = Kind::Sqlite)]
    store: Kind,
    /// The program to measure [default: `orgmem` beside this one].
    #[arg(long, global = true)]
    program: Option<PathBuf>,
    /// A folder of conversations, each `*/corpus.jsonl` with `*/queries.jsonl` [default: the demo org's texts, unless
    /// there is `../shared/quality` beside the checkout].
    #[arg(long, global = true)]
    quality: Option<PathBuf>,
    /// Everything a tenth of its size: to try the load generator, not to measure.
    #[arg(long, global = true)]
    small: bool,
    /// Let no core sleep between question and answer.
    #[arg(long, global = true)]
    awake: bool,
    /// Write the figures to this file too.
    #[arg(long, global = true)]
    json: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
enum Workload {
    /// The reach decision, beside a look-up of two ids.
    W1,
    /// A subtree moves, beside a durable update of one row.
    W1b,
    /// Commits on 64 connections, beside the same rows written by the driver.
    W2,
    /// Commits on one connection, beside a durable commit of one row.
    W2b,
    /// Searches in orgs of 1,000, 10,000 and 100,000 memories, beside SQLite's FTS5.
    W3,
    /// Searches beside a million memories of other orgs, and without them.
    W3b,
    /// Key/value gets and sets, beside the framework's "hello".
    W4,
    /// Session-search, beside the bare SQL for the same rows.
    W5,
    /// Starts with a million memories in a thousand orgs, beside starts with nothing; and what is resident.
    W8,
    /// Search by meaning among 100,000 and 1,000,000 vectors, beside a scan of all of them.
    W9,
    /// Searches that leave rows in the access log, beside searches that leave none.
    Reads,
    /// Events told to who is cut off again and again.
    Told,
    /// Texts embedded by a local model, beside `sentence-transformers`; not part of `all`.
    Embed {
        /// The model's folder.
        #[arg(long)]
        model: PathBuf,
        /// A Python that has `sentence-transformers`.
        #[arg(long)]
        python: Option<PathBuf>,
    },
    /// Commits while an embedder is at work, beside commits without one; not part of `all`.
    Embedder {
        /// The model's folder.
        #[arg(long)]
        model: PathBuf,
    },
    /// What an idle server with the demo org takes of the machine's memory.
    Idle,
    /// The candidates for the keyword index, beside each other; not part of `all`.
    IndexCandidates,
    /// Every workload.
    All,
    /// Not a workload: serves the framework's "hello".
    #[command(hide = true)]
    Hello,
    /// Not a workload: keeps a core awake.
    #[command(hide = true)]
    Spin,
}

impl Command {
    /// Carries it out.
    pub(crate) fn run(self) -> Outcome<()> {
        match self.workload {
            Workload::Hello => return hello::serve(),
            Workload::Spin => return awake::spin(),
            _ => {}
        }
        let mut report = Report::begin();
        let _awake = self.awake.then(Awake::keep).transpose()?;
        if self.awake {
            println!("no core sleeps");
        }
        let wanted = |workload: &Workload| self.workload == *workload || self.workload == Workload::All;
        if wanted(&Workload::W1) {
            w1::run(self.rounds, &mut report)?;
        }
        if self.workload != Workload::W1 {
            let setup = Setup {
                program: self.program.map_or_else(server::beside_this_one, Ok)?,
                kind: self.store,
                rounds: self.rounds,
                texts: Texts::load(self.quality)?,
                small: self.small,
            };
            report.texts(&setup.texts.source);
            type Measure = fn(&Setup, &mut Report) -> Outcome<()>;
            let workloads: [(Workload, Measure); 12] = [
                (Workload::W1b, w1b::run),
                (Workload::W2, w2::run),
                (Workload::W2b, w2b::run),
                (Workload::W3, w3::run),
                (Workload::W3b, w3b::run),
                (Workload::W4, w4::run),
                (Workload::W5, w5::run),
                (Workload::W8, w8::run),
                (Workload::W9, w9::run),
                (Workload::Reads, reads::run),
                (Workload::Told, told::run),
                (Workload::Idle, idle::run),
            ];
            if let Workload::Embed { model, python } = &self.workload {
                embed::run(&setup, model, python.as_deref(), &mut report)?;
            }
            if let Workload::Embedder { model } = &self.workload {
                embedder::run(&setup, model, &mut report)?;
            }
            if self.workload == Workload::IndexCandidates {
                index_candidates::run(&setup, &mut report)?;
            }
            for (_, measure) in workloads.into_iter().filter(|(workload, _)| wanted(workload)) {
                measure(&setup, &mut report)?;
            }
        }
        self.json.map_or(Ok(()), |file| report.write(&file))
    }
}
