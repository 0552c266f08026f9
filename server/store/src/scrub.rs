//! The stored text that a changed rule file is applied to: which columns of which table, and in which form.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use orgmem_hierarchy::OrgId;
use orgmem_policies::scrub::{Rescrubbed, Scrubber};
use serde::{Deserialize, Serialize};

use crate::transfer::{Table, Value, key_of, read_value, tables, write_value};

/// The form of a text column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// Text.
    Text,
    /// A word whose form a marker does not have.
    Word,
    /// JSON.
    Json,
    /// JSON under the name in the column `key`.
    ValueOfKey,
    /// Text that cannot change: a key, or a row that the chain of the audit log seals. It is counted.
    Fixed,
}

use TextForm::{Fixed, Json, Text, ValueOfKey, Word};

/// The columns with text of callers, by table. A row is scrubbed before the rows that are made of it.
const COLUMNS: &[(&str, &[(&str, TextForm)])] = &[
    ("workspaces", &[("name", Text), ("role", Text), ("metadata", Json)]),
    ("profiles", &[("name", Text), ("excluded_kinds", Json)]),
    (
        "memories",
        &[
            ("content", Text),
            ("title", Text),
            ("namespace", Text),
            ("kind", Word),
            ("tags", Json),
            ("metadata", Json),
            ("subject", Text),
            ("session_id", Text),
            ("claims", Json),
        ],
    ),
    (
        "memory_versions",
        &[
            ("content", Text),
            ("title", Text),
            ("namespace", Text),
            ("kind", Word),
            ("tags", Json),
            ("metadata", Json),
            ("subject", Text),
            ("session_id", Text),
            ("claims", Json),
        ],
    ),
    (
        "documents",
        &[
            ("title", Text),
            ("collection", Text),
            ("tags", Json),
            ("metadata", Json),
            ("written_by", Text),
            ("source_uri", Text),
        ],
    ),
    (
        "document_versions",
        &[("title", Text), ("content", Text), ("tags", Json), ("metadata", Json), ("source_uri", Text)],
    ),
    ("document_passages", &[("title", Text), ("heading", Json), ("content", Text)]),
    ("redactions", &[("reason", Text), ("redacted_by", Text)]),
    ("erasures", &[("reason", Text), ("erased_by", Text)]),
    ("runs", &[("session_id", Text), ("label", Text), ("started_by", Text)]),
    ("pending_memories", &[("subject", Text), ("draft", Json)]),
    ("entries", &[("key", Fixed), ("value", ValueOfKey), ("subject", Text)]),
    (
        "episodes",
        &[
            ("method", Text),
            ("summary", Text),
            ("status", Text),
            ("error_detail", Text),
            ("actor", Text),
            ("channel", Text),
            ("correlation_id", Text),
            ("session_id", Text),
            ("kind", Text),
            ("outcome", Text),
            ("metadata", Json),
            ("request_body", Json),
            ("response_body", Json),
            ("subject", Text),
            ("claims", Json),
        ],
    ),
    (
        "pages",
        &[
            ("subject", Text),
            ("thread", Text),
            ("hot", Text),
            ("warm", Text),
            ("links", Json),
            ("kinds", Json),
            ("outcome", Text),
            ("claims", Json),
        ],
    ),
    ("memory_uses", &[("note", Text)]),
    ("skills", &[("name", Fixed)]),
    ("skill_versions", &[("description", Text), ("drafted_by", Text), ("approved_by", Text)]),
    ("events", &[("details", Json)]),
    ("plugin_namespaces", &[("name", Fixed), ("kind", Text)]),
    ("records", &[("entity", Fixed)]),
    ("record_fields", &[("entity", Fixed), ("field", Fixed), ("value", Json), ("unit", Text), ("source", Text)]),
    (
        "reviews",
        &[
            ("entity", Text),
            ("field", Text),
            ("claimed", Json),
            ("recorded", Json),
            ("unit", Text),
            ("source", Text),
            ("decided_by", Text),
            ("note", Text),
        ],
    ),
    (
        "grants",
        &[("subject", Text), ("sessions", Json), ("to_session", Text), ("evidence", Text), ("granted_by", Text)],
    ),
    ("collections", &[("name", Fixed), ("key_column", Text), ("time_column", Text), ("schema", Json)]),
    ("collection_rows", &[("collection", Fixed), ("key", Fixed), ("content", Json)]),
    ("processors", &[("name", Fixed), ("collection", Fixed), ("definition", Json)]),
    ("processor_rows", &[("processor", Fixed), ("key", Fixed)]),
    ("processor_groups", &[("processor", Fixed), ("dimensions", Json)]),
    ("processor_runs", &[("processor", Fixed), ("error", Text)]),
    ("tokens", &[("subject", Text), ("end_user", Text), ("session_id", Text)]),
    ("access_log", &[("subject", Fixed), ("context", Fixed)]),
];

/// A table with text of callers.
pub(crate) struct ScrubTable {
    pub(crate) table: Table,
    pub(crate) columns: Vec<(usize, TextForm)>,
}

static PLAN: LazyLock<Vec<ScrubTable>> = LazyLock::new(|| {
    let mut known: BTreeMap<&'static str, Table> = tables().into_iter().map(|table| (table.name, table)).collect();
    let planned = |(name, columns): &(&'static str, &[(&str, TextForm)])| {
        let table = known.remove(name)?;
        let columns = columns.iter().filter_map(|(column, form)| Some((table.position(column)?, *form))).collect();
        Some(ScrubTable { table, columns })
    };
    COLUMNS.iter().filter_map(planned).collect()
});

/// The tables, in the order of a scrub.
pub(crate) fn plan() -> &'static [ScrubTable] {
    &PLAN
}

/// A position in the stored text of an org: the last examined row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScrubPosition {
    /// The number of the table.
    table: usize,
    /// The values of its key, as JSON.
    key: Vec<String>,
}

impl ScrubPosition {
    pub(crate) fn table(&self) -> Option<&'static ScrubTable> {
        plan().get(self.table)
    }

    /// The key of the last examined row; none at the beginning of the table, and for a key of another form.
    pub(crate) fn key(&self) -> Option<Vec<Value>> {
        let table = &self.table()?.table;
        let kinds = table.key.iter().map(|at| table.columns[*at].kind);
        let values: Vec<Value> = kinds.zip(&self.key).filter_map(|(kind, value)| read_value(kind, value)).collect();
        (values.len() == table.key.len() && values.len() == self.key.len()).then_some(values)
    }

    /// The position after a row.
    pub(crate) fn after(&self, row: &[Value]) -> Self {
        let text = |value: &Value| {
            let mut text = Vec::new();
            write_value(value, &mut text);
            String::from_utf8(text).unwrap_or_default()
        };
        let key = self.table().map(|of| key_of(&of.table, row)).unwrap_or_default();
        Self { table: self.table, key: key.iter().map(text).collect() }
    }

    pub(crate) fn next_table(&self) -> Self {
        Self { table: self.table + 1, key: Vec::new() }
    }
}

/// The outcome for some rows of an org.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScrubbedRows {
    /// The number of examined rows.
    pub rows: u64,
    /// The number of changed rows.
    pub changed: u64,
    /// Replacements by table and kind.
    pub replaced: BTreeMap<(&'static str, String), u64>,
    /// Credentials in text that cannot change, by table and kind.
    pub remaining: BTreeMap<(&'static str, String), u64>,
    /// The position of the next rows; none after the last row of the org.
    pub next: Option<ScrubPosition>,
    /// The next org, after the last row of this one.
    pub next_org: Option<OrgId>,
}

/// The changes of a row.
pub(crate) struct ScrubbedRow {
    /// The positions of the changed columns.
    pub(crate) columns: Vec<usize>,
    /// Replacements by kind.
    pub(crate) replaced: BTreeMap<String, u64>,
}

impl ScrubTable {
    /// Scrubs the row. None if nothing in it changes.
    pub(crate) fn scrub(&self, scrubber: &Scrubber, row: &mut [Value], rows: &mut ScrubbedRows) -> Option<ScrubbedRow> {
        let mut scrubbed = ScrubbedRow { columns: Vec::new(), replaced: BTreeMap::new() };
        for &(at, form) in &self.columns {
            let Some(Value::Text(text)) = row.get(at) else { continue };
            let found = match form {
                Text | Word | Fixed => scrubber.rescrub(text),
                Json => scrubber.rescrub_json(None, text),
                ValueOfKey => scrubber.rescrub_json(self.key_name(row).as_deref(), text),
            };
            let Some(Rescrubbed { text, redactions }) = found else { continue };
            for redaction in redactions {
                let (kind, count) = (redaction.kind.to_string(), redaction.count as u64);
                let of_table = if form == Fixed { &mut rows.remaining } else { &mut rows.replaced };
                *of_table.entry((self.table.name, kind.clone())).or_default() += count;
                if form != Fixed {
                    *scrubbed.replaced.entry(kind).or_default() += count;
                }
            }
            if form != Fixed {
                row[at] = Value::Text(if form == Word { "redacted".to_owned() } else { text });
                scrubbed.columns.push(at);
            }
        }
        (!scrubbed.columns.is_empty()).then_some(scrubbed)
    }

    fn key_name<'r>(&self, row: &'r [Value]) -> Option<Cow<'r, str>> {
        match row.get(self.table.position("key")?)? {
            Value::Text(key) => Some(Cow::Borrowed(key)),
            _ => None,
        }
    }

    /// The bytes of the row's text.
    pub(crate) fn bytes(&self, row: &[Value]) -> usize {
        let text =
            |(at, _): &(usize, TextForm)| if let Some(Value::Text(text)) = row.get(*at) { text.len() } else { 0 };
        self.columns.iter().map(text).sum()
    }
}

#[cfg(test)]
mod tests;
