//! The progress of long work, on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use orgmem_store::TransferProgress;

use super::terminal::Terminal;

/// Pauses between two reports: on a terminal, which shows one line, and in a log.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const IN_LOG: Duration = Duration::from_secs(10);

/// Shows progress in one line of a terminal, or in a line every ten seconds elsewhere.
pub(crate) struct ProgressLine<'t> {
    terminal: &'t Terminal,
    is_terminal: bool,
    last: Instant,
    is_shown: bool,
}

impl<'t> ProgressLine<'t> {
    pub(crate) fn on(terminal: &'t Terminal) -> Self {
        Self { terminal, is_terminal: io::stderr().is_terminal(), last: Instant::now(), is_shown: false }
    }

    pub(crate) fn show(&mut self, progress: TransferProgress) {
        if self.last.elapsed() < if self.is_terminal { ON_TERMINAL } else { IN_LOG } {
            return;
        }
        self.last = Instant::now();
        let text = render(progress);
        if self.is_terminal {
            self.is_shown = true;
            // a failure is ignored, as for messages
            let _ = write!(io::stderr(), "\r{text}\u{1b}[K");
        } else {
            self.terminal.note(&text);
        }
    }

    /// Removes the line.
    pub(crate) fn end(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}

impl Drop for ProgressLine<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

fn render(TransferProgress { step, unit, rows, total }: TransferProgress) -> String {
    match total {
        0 => format!("{step}: {rows} {unit}"),
        total => format!("{step}: {rows} of {total} {unit}, {} %", rows.min(total) * 100 / total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_has_a_share_where_the_total_is_known() {
        let check = |rows, total, expected: &str| {
            assert_eq!(render(TransferProgress { step: "export", unit: "rows", rows, total }), expected);
        };
        check(512, 0, "export: 512 rows");
        check(512, 2048, "export: 512 of 2048 rows, 25 %");
        check(4096, 2048, "export: 4096 of 2048 rows, 100 %");
    }
}
