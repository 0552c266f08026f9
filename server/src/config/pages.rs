//! Settings of pages.

use std::time::Duration;

use super::reader::SettingsReader;
use super::{ConfigError, forms};

/// Pages and their compaction.
#[derive(Clone, Debug)]
pub struct PageSettings {
    /// Interval between compactions.
    pub compact_every: Duration,
    /// Whether an episode without a kind reaches no page.
    pub require_kind: bool,
    /// Kinds of episodes that reach no page of any org.
    pub excluded_kinds: Vec<String>,
}

impl PageSettings {
    pub(super) fn read(from: &SettingsReader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            compact_every: from.seconds("pages.compact_seconds", 5..=86_400)?,
            require_kind: from.text("pages.require_kind", &forms::YES_OR_NO)?,
            excluded_kinds: from.list("pages.excluded_kinds", &forms::NOT_BLANK)?,
        })
    }
}
