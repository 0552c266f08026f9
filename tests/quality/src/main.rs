//! `orgmem-quality <folder>`: the table of recall@10 and nDCG@10, set by set.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use orgmem_embed::Model;
use orgmem_quality::data::{Failure, Set};
use orgmem_quality::inside::Inside;
use orgmem_quality::meaning::Embedder;
use orgmem_quality::{parts, server};
use orgmem_recall::Scoring;
use orgmem_tests::On;

/// Measures how well questions are answered.
#[derive(Debug, Parser)]
#[command(name = "orgmem-quality")]
struct Command {
    /// The folder of the sets, each a folder with `corpus.jsonl` and `queries.jsonl`.
    folder: PathBuf,
    /// Where the conversations are held: by a server on one of the databases, or by the ranking crate alone.
    #[arg(long, value_enum, default_value_t = Place::Inside)]
    on: Place,
    /// Only sets of these names.
    #[arg(long, value_delimiter = ',')]
    sets: Vec<String>,
    /// Only so many conversations of each set.
    #[arg(long, default_value_t = usize::MAX)]
    conversations: usize,
    /// The folder of a model that texts are embedded by.
    #[arg(long)]
    model: Option<PathBuf>,
    /// One line more for each part of the scoring that is left out; inside alone.
    #[arg(long, conflicts_with = "on")]
    parts: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Place {
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
    let sets = Set::all(&command.folder)?.into_iter();
    let sets = sets.filter(|set| command.sets.is_empty() || command.sets.contains(&set.name));
    let sets: Vec<Set> = sets.map(|set| set.first(command.conversations)).collect();
    let on = match command.on {
        Place::Inside => {
            let model = command.model.as_deref().map(Model::open).transpose()?;
            let all = if model.is_some() { Scoring::with_meaning() } else { Scoring::default() };
            let inside = Inside::of(sets, model.as_ref().map(|model| -> &dyn Embedder { model }))?;
            let lines = if command.parts { parts::each_left_out(all) } else { vec![("inside", all)] };
            for (number, (name, scoring)) in lines.into_iter().enumerate() {
                let table = inside.ask(&scoring);
                if number == 0 {
                    println!("{}", table.head());
                }
                println!("{}", table.line(name));
            }
            return Ok(());
        }
        Place::Sqlite => On::Sqlite,
        Place::Postgres => On::Postgres,
    };
    let table = tokio::runtime::Runtime::new()?.block_on(server::ask(&sets, on, command.model.as_deref()));
    println!("{}\n{}", table.head(), table.line(&format!("{on:?}")));
    Ok(())
}
