//! The layout of processors and of their runs.

use orgmem_types::{Processor, ProcessorRun};

use crate::cli::print::{Paint, line};

pub(super) fn processor(found: &Processor, paint: Paint) -> String {
    let name = paint.strong(&line(&found.name));
    let collection = line(&found.collection);
    let Some(next) = found.next_run_at.filter(|_| found.active) else {
        return format!("{name}  reads {collection}, not active\n");
    };
    let last = found.last_run_at.map_or_else(|| "never ran".to_owned(), |at| format!("last run {}", minute(at)));
    format!("{name}  reads {collection}, next run {}, {last}\n", minute(next))
}

fn minute(at: chrono::DateTime<chrono::Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub(super) fn run(run: &ProcessorRun, _: Paint) -> String {
    let dry = if run.dry_run { "dry run, " } else { "" };
    let mut text = format!(
        "{}  {dry}{} rows read, {} grouped: {} inserted, {} updated, {} rolled back, {} untouched\n",
        minute(run.started_at),
        run.read,
        run.grouped,
        run.inserted,
        run.updated,
        run.rolled_back,
        run.untouched
    );
    if run.cut_texts > 0 {
        text.push_str(&format!("  {} texts were cut\n", run.cut_texts));
    }
    if let Some(capped) = &run.capped {
        text.push_str(&format!("  ended by {}; the next run continues\n", line(capped)));
    }
    if let Some(error) = &run.error {
        text.push_str(&format!("  ended early: {}\n", line(error)));
    }
    for fact in &run.facts {
        let confidence = fact.confidence.map(|confidence| format!(" {confidence:.2}")).unwrap_or_default();
        text.push_str(&format!("  {}{confidence}: {}\n", fact.change, line(&fact.text)));
    }
    text
}
