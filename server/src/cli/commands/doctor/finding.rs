use std::fmt::Display;

use serde::Serialize;

use crate::cli::print::{Paint, line};

/// The result of one check.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) check: &'static str,
    pub(super) well: bool,
    pub(super) found: String,
    /// The remedy after a failed check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<String>,
}

impl Finding {
    pub(super) fn passed(check: &'static str, found: impl Display) -> Self {
        Self { check, well: true, found: found.to_string(), advice: None }
    }

    pub(super) fn failed(check: &'static str, found: impl Display, advice: impl Display) -> Self {
        Self { check, well: false, found: found.to_string(), advice: Some(advice.to_string()) }
    }
}

/// One line per finding, and one per advice.
pub(super) fn render(findings: &[Finding], paint: Paint) -> String {
    let mut text = String::new();
    for Finding { check, well, found, advice } in findings {
        let mark = if *well { paint.good("✔") } else { paint.bad("✘") };
        text.push_str(&format!("{mark} {check:<12} {}\n", line(found)));
        if let Some(advice) = advice {
            text.push_str(&format!("  {:<12} {}\n", "", line(advice)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_check_has_advice() {
        let findings = [
            Finding::passed("settings", "valid"),
            Finding::failed("data folder", "`/srv` can be read by others", "chmod 700 /srv"),
        ];
        let lines =
            ["✔ settings     valid", "✘ data folder  `/srv` can be read by others", "               chmod 700 /srv"];
        assert_eq!(render(&findings, Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
