//! Prints the figures and writes them to a file.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::error::Outcome;
use crate::figure::Figure;

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    command: String,
    machine: Machine,
    /// The source of texts and questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<String>,
    figures: Vec<Figure>,
}

#[derive(Debug, Serialize)]
struct Machine {
    processor: String,
    cores: usize,
    /// Of the minute before the run.
    load_average: f64,
}

impl Report {
    pub(crate) fn begin() -> Self {
        let machine = Machine::this();
        let Machine { processor, cores, load_average } = &machine;
        println!("{processor}, {cores} cores, load average {load_average} before the run");
        Self {
            command: std::env::args().skip(1).collect::<Vec<_>>().join(" "),
            machine,
            texts: None,
            figures: Vec::new(),
        }
    }

    pub(crate) fn texts(&mut self, source: &str) {
        println!("texts: {source}");
        self.texts = Some(source.to_owned());
    }

    pub(crate) fn add(&mut self, figure: Figure) {
        println!("{figure}");
        self.figures.push(figure);
    }

    pub(crate) fn write(&self, file: &Path) -> Outcome<()> {
        let json = serde_json::to_string_pretty(self)?;
        fs::write(file, json + "\n").map_err(|error| format!("`{}`: {error}", file.display()).into())
    }
}

impl Machine {
    fn this() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        let cpuinfo = read("/proc/cpuinfo");
        let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        Self {
            processor: model.map_or("unknown processor", |(_, model)| model).to_owned(),
            cores: std::thread::available_parallelism().map_or(0, Into::into),
            load_average: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0),
        }
    }
}
