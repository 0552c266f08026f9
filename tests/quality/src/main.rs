//! `orgmem-quality <folder>` prints a table of recall@10 and nDCG@10 for each data set in the folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use orgmem_embed::Model;
use orgmem_quality::cases::{Cases, Shares};
use orgmem_quality::data::{Failure, Set};
use orgmem_quality::embedder::Embedder;
use orgmem_quality::facts::{Layout, changed_facts};
use orgmem_quality::in_process::{IndexedSets, Surface};
use orgmem_quality::{ablation, server};
use orgmem_recall::Scoring;
use orgmem_tests::On;

/// Measures search results for questions against the expected results.
#[derive(Debug, Parser)]
#[command(name = "orgmem-quality")]
struct Command {
    /// The folder of the data sets, each a folder with `corpus.jsonl` and `queries.jsonl`.
    #[arg(required_unless_present = "cases")]
    folder: Option<PathBuf>,
    /// Asks the hand-made cases and the changed facts of this repository instead, and prints the share of queries whose
    /// first hit is an expected one; only in process.
    #[arg(long, conflicts_with_all = ["folder", "on", "block", "parts", "sets"])]
    cases: bool,
    /// Search by the ranking crate in this process, or by a server on one of the databases.
    #[arg(long, value_enum, default_value_t = Backend::Inside)]
    on: Backend,
    /// Only the sets with these names.
    #[arg(long, value_delimiter = ',')]
    sets: Vec<String>,
    /// Limits the number of conversations of each set.
    #[arg(long, default_value_t = usize::MAX)]
    conversations: usize,
    /// The folder of an embedding model; without it, search is by keyword only.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Measures the context block of the default profile, of five memories, instead of search.
    #[arg(long)]
    block: bool,
    /// Adds a row for each part of the scoring with that part switched off; only in process.
    #[arg(long, conflicts_with = "on")]
    parts: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Backend {
    Inside,
    Sqlite,
    Postgres,
}

fn main() -> ExitCode {
    match run(Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("orgmem-quality: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    if command.cases {
        return print_cases(command.model.as_deref());
    }
    let sets = Set::all(&command.folder.unwrap_or_default())?.into_iter();
    let sets = sets.filter(|set| command.sets.is_empty() || command.sets.contains(&set.name));
    let sets: Vec<Set> = sets.map(|set| set.first(command.conversations)).collect();
    let surface = if command.block { Surface::Block } else { Surface::Search };
    let on = match command.on {
        Backend::Inside => {
            let model = command.model.as_deref().map(Model::open).transpose()?;
            let all = if model.is_some() { Scoring::with_meaning() } else { Scoring::default() };
            let indexed = IndexedSets::of(sets, model.as_ref().map(|model| -> &dyn Embedder { model }))?;
            let rows = if command.parts { ablation::variants(all) } else { vec![("inside", all)] };
            for (index, (label, scoring)) in rows.into_iter().enumerate() {
                let table = indexed.ask(&scoring, surface);
                if index == 0 {
                    println!("{}", table.header());
                }
                println!("{}", table.row(label));
            }
            return Ok(());
        }
        Backend::Sqlite => On::Sqlite,
        Backend::Postgres => On::Postgres,
    };
    let table = tokio::runtime::Runtime::new()?.block_on(server::ask(&sets, on, command.model.as_deref(), surface));
    println!("{}\n{}", table.header(), table.row(&format!("{on:?}")));
    Ok(())
}

/// Prints the shares of the hand-made cases and of the changed facts, and the queries whose first hit is another.
fn print_cases(model: Option<&Path>) -> Result<(), Failure> {
    let mut cases = Cases::of_repository()?;
    cases.extend([changed_facts(Layout::Apart)?, changed_facts(Layout::Together)?]);
    let model = model.map(Model::open).transpose()?;
    let embedder = model.as_ref().map(|model| -> &dyn Embedder { model });
    let scoring = if model.is_some() { Scoring::with_meaning() } else { Scoring::default() };
    let shares = Shares::of(&cases, &scoring, embedder)?;
    println!("{}", shares.table(if model.is_some() { "by words and meaning" } else { "by words" }));
    for (file, query, first) in &shares.misses {
        println!("{file}: `{query}` finds {}", first.as_deref().unwrap_or("nothing"));
    }
    Ok(())
}
