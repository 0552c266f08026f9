//! Texts embedded by the local model on all cores.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use orgmem_embed::{Model, TextRole};

use crate::deployment::Setup;
use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::report::Report;
use crate::rounds::{Pairs, Spread};

/// Texts of one round.
const TEXTS: usize = 256;

/// `python` is a Python with `sentence-transformers`; without it there is no limit.
pub(crate) fn run(setup: &Setup, model: &Path, python: Option<&Path>, report: &mut Report) -> Outcome<()> {
    let texts: Vec<String> = (0..setup.sized(TEXTS)).map(|number| setup.texts.memory(number)).collect();
    let batch: Vec<&str> = texts.iter().map(String::as_str).collect();
    let cores = std::thread::available_parallelism()?.get();
    let opened = Model::open(model)?;
    let ours = || -> Outcome<f64> {
        let begin = Instant::now();
        black_box(opened.embed_on(cores, TextRole::Passage, &batch)?);
        Ok(batch.len() as f64 / begin.elapsed().as_secs_f64())
    };
    ours()?;
    let name = format!("texts embedded on {cores} cores");
    match python {
        Some(python) => {
            let mut reference = Reference::start(python, model, cores, &texts)?;
            reference.embed()?;
            let pairs = Pairs::measure(setup.rounds, ours, || Ok(batch.len() as f64 / reference.embed()?))?;
            let name = format!("{name}, limit: sentence-transformers");
            report.add(Figure::against_limit("embed-texts", name, Unit::PerSecond, &pairs).with_aim(Aim::AtLeast(0.8)));
        }
        None => {
            let rounds: Vec<f64> = (0..setup.rounds).map(|_| ours()).collect::<Outcome<_>>()?;
            report.add(Figure::value("embed-texts", name, Unit::PerSecond, Spread::of(rounds)));
        }
    }
    Ok(())
}

/// Embeds the same texts with the same model once per input line, and prints the seconds.
const PROGRAM: &str = "
import json, sys, time, torch
from sentence_transformers import SentenceTransformer
folder, cores = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(cores)
model = SentenceTransformer(folder, device='cpu')
texts = json.loads(sys.stdin.readline())
for _ in sys.stdin:
    begin = time.perf_counter()
    model.encode(texts, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
    print(time.perf_counter() - begin, flush=True)
";

/// `sentence-transformers` with the loaded model.
struct Reference {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Reference {
    fn start(python: &Path, model: &Path, cores: usize, texts: &[String]) -> Outcome<Self> {
        let mut process = Command::new(python)
            .args(["-c", PROGRAM])
            .arg(model)
            .arg(cores.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("`{}`: {error}", python.display()))?;
        let (input, output) = process.stdin.take().zip(process.stdout.take()).ok_or("its streams are not piped")?;
        let mut reference = Self { process, input, output: BufReader::new(output) };
        serde_json::to_writer(&mut reference.input, texts)?;
        writeln!(reference.input)?;
        Ok(reference)
    }

    /// Returns the seconds of one round.
    fn embed(&mut self) -> Outcome<f64> {
        writeln!(self.input)?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim().parse().map_err(|_| "the reference has ended, see its output above")?)
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
