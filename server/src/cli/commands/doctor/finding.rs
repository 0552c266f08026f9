use std::fmt::Display;

use serde::Serialize;

use crate::cli::print::{Paint, line};

/// What was found of one thing.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The thing.
    pub(super) check: &'static str,
    /// Whether it is well.
    pub(super) well: bool,
    /// What was found.
    pub(super) found: String,
    /// What to do about it, when it is not well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) advice: Option<String>,
}

impl Finding {
    /// It is well.
    pub(super) fn well(check: &'static str, found: impl Display) -> Self {
        Self { check, well: true, found: found.to_string(), advice: None }
    }

    /// It is not; `advice` says what to do.
    pub(super) fn ill(check: &'static str, found: impl Display, advice: impl Display) -> Self {
        Self { check, well: false, found: found.to_string(), advice: Some(advice.to_string()) }
    }
}

/// One line for each finding, and one for each advice.
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
    fn what_is_not_well_comes_with_advice() {
        let findings = [
            Finding::well("settings", "are in order"),
            Finding::ill("data folder", "`/srv` can be read by others", "chmod 700 /srv"),
        ];
        let lines = [
            "✔ settings     are in order",
            "✘ data folder  `/srv` can be read by others",
            "               chmod 700 /srv",
        ];
        assert_eq!(render(&findings, Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}
