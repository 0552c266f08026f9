//! Records requests and acknowledgements and compares them with the tables.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::Tables;
use uuid::Uuid;

/// A write request.
#[derive(Clone, Debug)]
pub(super) struct WriteRecord {
    pub(super) kind: WriteKind,
    /// The version in the response, for an entry.
    pub(super) version: Option<i64>,
    pub(super) outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Acknowledged, at this instant of the disk.
    Done(usize),
    /// Refused.
    Refused,
    /// No response: the write may exist or not.
    Unknown,
}

impl WriteRecord {
    /// The write must exist at this instant.
    fn is_due(&self, at: usize) -> bool {
        matches!(self.outcome, Outcome::Done(when) if when <= at)
    }
}

#[derive(Clone, Debug)]
pub(super) enum WriteKind {
    /// Memories, one or a batch, atomic.
    Committed(Vec<Uuid>),
    /// A deletion of an acknowledged memory.
    Forgotten(Uuid),
    /// The value of a key, which increases with each write.
    Put { workspace: Uuid, key: &'static str, value: String },
    /// =
    Appended(String),
    /// A move to this parent.
    Moved { workspace: Uuid, to: Uuid },
    /// Workspaces with a memory each, atomic.
    Imported { workspaces: Vec<Uuid>, text: String },
}

/// The rows to compare with the ledger.
struct Rows {
    /// Live memories by id, with their content.
    memories: BTreeMap<Uuid, String>,
    /// All ids with any row.
    known: BTreeSet<Uuid>,
    entries: BTreeMap<(Uuid, String), (i64, String)>,
    episodes: BTreeMap<String, usize>,
    parents: BTreeMap<Uuid, Option<Uuid>>,
}

/// Queries that must return nothing, each with the name of the inconsistency.
const NEVER: [(&str, &str); 12] = [
    (
        "a live memory that is not in the index",
        "SELECT ID(m.id) AS line FROM memories m WHERE m.status = 'live' AND NOT EXISTS (SELECT 1 FROM memory_index i \
         WHERE i.org_id = m.org_id AND i.author_id = m.author_id AND i.scope = m.scope AND i.team_id = m.team_id \
         AND i.memory_id = m.id AND i.doc IS NOT NULL)",
    ),
    (
        "something in the index that is no live memory",
        "SELECT ID(i.memory_id) AS line FROM memory_index i WHERE i.doc IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \
         memories m WHERE m.org_id = i.org_id AND m.id = i.memory_id AND m.author_id = i.author_id \
         AND m.scope = i.scope AND m.team_id = i.team_id AND m.status = 'live')",
    ),
    (
        "a partition with wrong counts",
        "SELECT ID(s.author_id) AS line FROM memory_partitions s WHERE s.live_count <> (SELECT count(*) FROM memories m \
         WHERE m.org_id = s.org_id AND m.author_id = s.author_id AND m.scope = s.scope AND m.team_id = s.team_id \
         AND m.status = 'live')",
    ),
    (
        "a live memory without a partition",
        "SELECT ID(m.id) AS line FROM memories m WHERE m.status = 'live' AND NOT EXISTS (SELECT 1 FROM memory_partitions s \
         WHERE s.org_id = m.org_id AND s.author_id = m.author_id AND s.scope = m.scope AND s.team_id = m.team_id)",
    ),
    (
        "a memory whose writing is in no log",
        "SELECT ID(m.id) AS line FROM memories m WHERE NOT EXISTS (SELECT 1 FROM episodes e WHERE e.org_id = m.org_id \
         AND e.workspace_id = m.author_id AND e.target_id = m.id AND e.activity_type = 'memory_write')",
    ),
    (
        "an org that is behind its rows",
        "SELECT ID(o.org_id) AS line FROM orgs o WHERE o.version < (SELECT coalesce(max(i.org_version), 0) FROM \
         memory_index i WHERE i.org_id = o.org_id) OR o.last_seq < (SELECT coalesce(max(m.seq), 0) FROM memories m \
         WHERE m.org_id = o.org_id) OR o.tree_version < (SELECT coalesce(max(w.tree_version), 0) FROM workspaces w \
         WHERE w.org_id = o.org_id)",
    ),
    (
        "a gap in an access log",
        "SELECT ID(a.org_id) AS line FROM access_log a GROUP BY a.org_id HAVING max(a.seq) - min(a.seq) + 1 <> count(*)",
    ),
    (
        "an org that counts its access log or its events wrongly",
        "SELECT ID(o.org_id) AS line FROM orgs o WHERE o.access_seq <> (SELECT coalesce(max(a.seq), 0) FROM access_log a \
         WHERE a.org_id = o.org_id) OR o.event_seq < (SELECT coalesce(max(e.seq), 0) FROM events e \
         WHERE e.org_id = o.org_id)",
    ),
    (
        "a memory without an event",
        "SELECT ID(m.id) AS line FROM memories m WHERE m.status = 'live' AND NOT EXISTS (SELECT 1 FROM events e \
         WHERE e.org_id = m.org_id AND e.memory_id = m.id AND e.kind = 'memory_committed')",
    ),
    (
        "a duplicate sequence number",
        "SELECT ID(m.org_id) AS line FROM memories m GROUP BY m.org_id, m.seq HAVING count(*) > 1",
    ),
    (
        "a workspace of an org that does not know it",
        "SELECT ID(w.id) AS line FROM workspaces w WHERE NOT EXISTS (SELECT 1 FROM workspace_orgs o \
         WHERE o.id = w.id AND o.org_id = w.org_id)",
    ),
    (
        "a workspace without its parent",
        "SELECT ID(w.id) AS line FROM workspaces w WHERE w.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \
         workspaces p WHERE p.org_id = w.org_id AND p.id = w.parent_id)",
    ),
];

/// All requests. Each key and workspace has one writer at a time, so its requests are in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(pub(super) Vec<WriteRecord>);

impl Ledger {
    /// The number of acknowledged requests.
    pub(super) fn acknowledged(&self) -> usize {
        self.instants().len()
    }

    /// The instants of the acknowledgements, by the disk's count.
    pub(super) fn instants(&self) -> Vec<usize> {
        let done = |record: &WriteRecord| if let Outcome::Done(when) = record.outcome { Some(when) } else { None };
        self.0.iter().filter_map(done).collect()
    }

    /// The faults of the tables, if the writes acknowledged by `at` must exist.
    pub(super) fn faults(&self, tables: &mut Tables, at: usize) -> Result<Vec<String>, String> {
        let mut faults = inconsistencies(tables)?;
        let rows = Rows::read(tables)?;
        let mut chains: BTreeMap<String, Vec<&WriteRecord>> = BTreeMap::new();
        for record in &self.0 {
            let is_due = record.is_due(at);
            if record.outcome == Outcome::Refused {
                faults.extend(rows.rows_of_refused(record));
                continue;
            }
            let fault = match &record.kind {
                WriteKind::Committed(ids) => rows.atomic(ids, |id| rows.known.contains(id), is_due),
                WriteKind::Forgotten(id) if is_due && rows.memories.contains_key(id) => {
                    Some(format!("{id} is still there"))
                }
                WriteKind::Forgotten(_) => None,
                WriteKind::Appended(text) => {
                    let times = rows.episodes.get(text).copied().unwrap_or_default();
                    let is_right = times == 1 || (times == 0 && !is_due);
                    (!is_right).then(|| format!("the episode `{text}` is there {times} times"))
                }
                WriteKind::Imported { workspaces, text } => {
                    let has_all = |id: &Uuid| rows.parents.contains_key(id);
                    let memories = rows.memories.values().filter(|content| *content == text).count();
                    let is_whole = memories == 0 || memories == workspaces.len();
                    let halves = (!is_whole).then(|| format!("{memories} memories of `{text}`"));
                    rows.atomic(workspaces, has_all, is_due).or(halves)
                }
                WriteKind::Put { workspace, key, .. } => {
                    chains.entry(format!("{workspace}/{key}")).or_default().push(record);
                    None
                }
                WriteKind::Moved { workspace, .. } => {
                    chains.entry(workspace.to_string()).or_default().push(record);
                    None
                }
            };
            faults.extend(fault);
        }
        faults.extend(chains.values().filter_map(|last_write| rows.last_write(last_write, at)));
        Ok(faults)
    }
}

/// Inconsistencies between the tables.
fn inconsistencies(tables: &mut Tables) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (meaning, query) in NEVER {
        found.extend(tables.try_query(query)?.into_iter().map(|line| format!("{meaning}: {line}")));
    }
    if let Tables::Sqlite(_) = tables {
        let check_results = tables.try_query("SELECT integrity_check AS line FROM pragma_integrity_check")?;
        found.extend(
            check_results.into_iter().filter(|line| line != "ok").map(|line| format!("the file is damaged: {line}")),
        );
    }
    Ok(found)
}

impl Rows {
    fn read(tables: &mut Tables) -> Result<Self, String> {
        let split = |line: String| -> Option<(Uuid, String)> {
            let (id, rest) = line.split_at_checked(32)?;
            Some((id.parse().ok()?, rest.trim_start().to_owned()))
        };
        let memories =
            tables.try_query("SELECT ID(id) || ' ' || content AS line FROM memories WHERE status = 'live'")?;
        let known = tables.try_query("SELECT ID(id) AS line FROM memories")?;
        let entries = "SELECT ID(workspace_id) || ' ' || key || ' ' || version || ' ' || coalesce(value, '') AS line \
             FROM entries";
        let episodes = "SELECT summary AS line FROM episodes WHERE activity_type = 'agent_log'";
        let parents = "SELECT ID(id) || ' ' || coalesce(ID(parent_id), '') AS line FROM workspaces";
        let mut rows = Self {
            memories: memories.into_iter().filter_map(split).collect(),
            known: known.into_iter().filter_map(|line| line.parse().ok()).collect(),
            entries: BTreeMap::new(),
            episodes: BTreeMap::new(),
            parents: BTreeMap::new(),
        };
        for (workspace, rest) in tables.try_query(entries)?.into_iter().filter_map(split) {
            let mut parts = rest.splitn(3, ' ');
            let mut next = || parts.next().unwrap_or_default().to_owned();
            let (key, version, value) = (next(), next(), next());
            let version = version.parse().map_err(|_| format!("the version of {key} is `{version}`"))?;
            rows.entries.insert((workspace, key), (version, value));
        }
        for summary in tables.try_query(episodes)? {
            *rows.episodes.entry(summary).or_default() += 1;
        }
        for (id, parent) in tables.try_query(parents)?.into_iter().filter_map(split) {
            rows.parents.insert(id, parent.parse().ok());
        }
        Ok(rows)
    }

    /// All rows or none must exist; all if the write is due.
    fn atomic(&self, ids: &[Uuid], is_there: impl Fn(&Uuid) -> bool, is_due: bool) -> Option<String> {
        let there = ids.iter().filter(|id| is_there(id)).count();
        let is_right = there == ids.len() || (there == 0 && !is_due);
        (!is_right).then(|| format!("{there} of {} are there: {ids:?}", ids.len()))
    }

    /// Rows of a refused request.
    fn rows_of_refused(&self, record: &WriteRecord) -> Option<String> {
        let is_there = match &record.kind {
            WriteKind::Committed(ids) => ids.iter().any(|id| self.known.contains(id)),
            WriteKind::Forgotten(id) => !self.memories.contains_key(id),
            WriteKind::Appended(text) => self.episodes.contains_key(text),
            WriteKind::Imported { workspaces, .. } => workspaces.iter().any(|id| self.parents.contains_key(id)),
            WriteKind::Put { .. } => self.has_written(record),
            // it may have existed before
            WriteKind::Moved { .. } => false,
        };
        is_there.then(|| format!("{record:?} was done all the same"))
    }

    /// The state of a key or workspace must be that of the last acknowledged request, or of a later one without a
    /// response.
    fn last_write(&self, last_write: &[&WriteRecord], at: usize) -> Option<String> {
        let last = last_write.iter().rposition(|record| record.is_due(at));
        let possible = &last_write[last.unwrap_or_default()..];
        let found = possible.iter().rev().find(|record| self.has_written(record));
        match (found, last) {
            (Some(found), _) => self.version_fault(found),
            // none of them was executed
            (None, None) => None,
            (None, Some(last)) => Some(format!("nothing is left of {:?} and of later writes", last_write[last])),
        }
    }

    fn has_written(&self, record: &WriteRecord) -> bool {
        match &record.kind {
            WriteKind::Put { workspace, key, value } => {
                let entry = self.entries.get(&(*workspace, (*key).to_owned()));
                entry.is_some_and(|(_, found)| *found == format!("\"{value}\""))
            }
            WriteKind::Moved { workspace, to } => self.parents.get(workspace) == Some(&Some(*to)),
            _ => false,
        }
    }

    /// The version must be the acknowledged one.
    fn version_fault(&self, record: &WriteRecord) -> Option<String> {
        let WriteKind::Put { workspace, key, .. } = &record.kind else { return None };
        let (version, _) = self.entries.get(&(*workspace, (*key).to_owned()))?;
        let is_right = record.version.is_none_or(|acknowledged| acknowledged == *version);
        (!is_right).then(|| format!("{record:?} has version {version}"))
    }
}

/// Versions of a key grow by one with each write and are never reused.
pub(super) fn versions_grow(ledger: &Ledger) {
    let mut versions_by_key: BTreeMap<(Uuid, &str), Vec<i64>> = BTreeMap::new();
    for record in &ledger.0 {
        if let (WriteKind::Put { workspace, key, .. }, Some(version)) = (&record.kind, record.version) {
            versions_by_key.entry((*workspace, *key)).or_default().push(version);
        }
    }
    for ((workspace, key), versions) in versions_by_key {
        assert!(versions.is_sorted_by(|one, next| one < next), "{workspace}/{key}: {versions:?}");
    }
}
