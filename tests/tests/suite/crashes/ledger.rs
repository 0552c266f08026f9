//! What was asked for and what was acknowledged, and whether the tables agree.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_tests::Tables;
use uuid::Uuid;

/// One request that writes.
#[derive(Clone, Debug)]
pub(super) struct AuditRecord {
    pub(super) what: What,
    /// The version that the response named, for an entry.
    pub(super) version: Option<i64>,
    pub(super) outcome: Outcome,
}

/// What was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// That it is done, at this instant by the disk's count.
    Done(usize),
    /// That it is not.
    Refused,
    /// Nothing: it may be done or not.
    Unknown,
}

impl AuditRecord {
    /// Whether it must be there at this instant.
    fn is_due(&self, at: usize) -> bool {
        matches!(self.outcome, Outcome::Done(when) if when <= at)
    }
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// Memories, one or a batch: all of them or none.
    Committed(Vec<Uuid>),
    /// A memory that was acknowledged before.
    Forgotten(Uuid),
    /// The value of a key, which the writers of a key count on.
    Put { workspace: Uuid, key: &'static str, value: String },
    /// An episode with this summary.
    Appended(String),
    /// A workspace below another parent.
    Moved { workspace: Uuid, to: Uuid },
    /// Workspaces with a memory each: all of them or none.
    Imported { workspaces: Vec<Uuid>, text: String },
}

/// The rows that the ledger is compared with.
struct Rows {
    /// Live memories: id and content.
    memories: BTreeMap<Uuid, String>,
    /// Ids with all their rows, whatever became of them.
    known: BTreeSet<Uuid>,
    entries: BTreeMap<(Uuid, String), (i64, String)>,
    episodes: BTreeMap<String, usize>,
    parents: BTreeMap<Uuid, Option<Uuid>>,
}

/// What must be nowhere, each with what it would mean.
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
        "a shelf that counts wrongly",
        "SELECT ID(s.author_id) AS line FROM memory_partitions s WHERE s.live_count <> (SELECT count(*) FROM memories m \
         WHERE m.org_id = s.org_id AND m.author_id = s.author_id AND m.scope = s.scope AND m.team_id = s.team_id \
         AND m.status = 'live')",
    ),
    (
        "a live memory on no shelf",
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
        "a memory that those who watch were not told of",
        "SELECT ID(m.id) AS line FROM memories m WHERE m.status = 'live' AND NOT EXISTS (SELECT 1 FROM events e \
         WHERE e.org_id = m.org_id AND e.memory_id = m.id AND e.kind = 'memory_committed')",
    ),
    (
        "a place in the order that is taken twice",
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

/// Everything that was asked for, each key and workspace by one writer at a time, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(pub(super) Vec<AuditRecord>);

impl Ledger {
    /// How many were acknowledged.
    pub(super) fn acknowledged(&self) -> usize {
        self.instants().len()
    }

    /// When they were, by the disk's count.
    pub(super) fn instants(&self) -> Vec<usize> {
        let done = |record: &AuditRecord| if let Outcome::Done(when) = record.outcome { Some(when) } else { None };
        self.0.iter().filter_map(done).collect()
    }

    /// What is wrong with the tables, if what was acknowledged by this instant must be there.
    pub(super) fn faults(&self, tables: &mut Tables, at: usize) -> Result<Vec<String>, String> {
        let mut faults = inconsistencies(tables)?;
        let rows = Rows::read(tables)?;
        let mut chains: BTreeMap<String, Vec<&AuditRecord>> = BTreeMap::new();
        for record in &self.0 {
            let is_due = record.is_due(at);
            if record.outcome == Outcome::Refused {
                faults.extend(rows.traces(record));
                continue;
            }
            let fault = match &record.what {
                What::Committed(ids) => rows.together(ids, |id| rows.known.contains(id), is_due),
                What::Forgotten(id) if is_due && rows.memories.contains_key(id) => Some(format!("{id} is still there")),
                What::Forgotten(_) => None,
                What::Appended(text) => {
                    let times = rows.episodes.get(text).copied().unwrap_or_default();
                    let is_right = times == 1 || (times == 0 && !is_due);
                    (!is_right).then(|| format!("the episode `{text}` is there {times} times"))
                }
                What::Imported { workspaces, text } => {
                    let has_all = |id: &Uuid| rows.parents.contains_key(id);
                    let memories = rows.memories.values().filter(|content| *content == text).count();
                    let is_whole = memories == 0 || memories == workspaces.len();
                    let halves = (!is_whole).then(|| format!("{memories} memories of `{text}`"));
                    rows.together(workspaces, has_all, is_due).or(halves)
                }
                What::Put { workspace, key, .. } => {
                    chains.entry(format!("{workspace}/{key}")).or_default().push(record);
                    None
                }
                What::Moved { workspace, .. } => {
                    chains.entry(workspace.to_string()).or_default().push(record);
                    None
                }
            };
            faults.extend(fault);
        }
        faults.extend(chains.values().filter_map(|chain| rows.chain(chain, at)));
        Ok(faults)
    }
}

/// What the tables say of each other.
fn inconsistencies(tables: &mut Tables) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for (meaning, query) in NEVER {
        found.extend(tables.try_query(query)?.into_iter().map(|line| format!("{meaning}: {line}")));
    }
    if let Tables::Sqlite(_) = tables {
        let said = tables.try_query("SELECT integrity_check AS line FROM pragma_integrity_check")?;
        found.extend(said.into_iter().filter(|line| line != "ok").map(|line| format!("the file is damaged: {line}")));
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

    /// All of them must be there, or none; all if it is due.
    fn together(&self, ids: &[Uuid], is_there: impl Fn(&Uuid) -> bool, is_due: bool) -> Option<String> {
        let there = ids.iter().filter(|id| is_there(id)).count();
        let is_right = there == ids.len() || (there == 0 && !is_due);
        (!is_right).then(|| format!("{there} of {} are there: {ids:?}", ids.len()))
    }

    /// What a refusal left behind.
    fn traces(&self, record: &AuditRecord) -> Option<String> {
        let is_there = match &record.what {
            What::Committed(ids) => ids.iter().any(|id| self.known.contains(id)),
            What::Forgotten(id) => !self.memories.contains_key(id),
            What::Appended(text) => self.episodes.contains_key(text),
            What::Imported { workspaces, .. } => workspaces.iter().any(|id| self.parents.contains_key(id)),
            What::Put { .. } => self.shows(record),
            // it may have been there before
            What::Moved { .. } => false,
        };
        is_there.then(|| format!("{record:?} was done all the same"))
    }

    /// What became of a key or a place: the last that was acknowledged, or one that was asked for after it.
    fn chain(&self, chain: &[&AuditRecord], at: usize) -> Option<String> {
        let last = chain.iter().rposition(|record| record.is_due(at));
        let possible = &chain[last.unwrap_or_default()..];
        let found = possible.iter().rev().find(|record| self.shows(record));
        match (found, last) {
            (Some(found), _) => self.version_fault(found),
            // none of them was done
            (None, None) => None,
            (None, Some(last)) => Some(format!("nothing is left of {:?}, nor of what came after it", chain[last])),
        }
    }

    fn shows(&self, record: &AuditRecord) -> bool {
        match &record.what {
            What::Put { workspace, key, value } => {
                let entry = self.entries.get(&(*workspace, (*key).to_owned()));
                entry.is_some_and(|(_, found)| *found == format!("\"{value}\""))
            }
            What::Moved { workspace, to } => self.parents.get(workspace) == Some(&Some(*to)),
            _ => false,
        }
    }

    /// A version is the one that was acknowledged with its value.
    fn version_fault(&self, record: &AuditRecord) -> Option<String> {
        let What::Put { workspace, key, .. } = &record.what else { return None };
        let (version, _) = self.entries.get(&(*workspace, (*key).to_owned()))?;
        let is_right = record.version.is_none_or(|acknowledged| acknowledged == *version);
        (!is_right).then(|| format!("{record:?} has version {version}"))
    }
}

/// Versions of a key grow by one with each write that was done; never is one used twice.
pub(super) fn versions_grow(ledger: &Ledger) {
    let mut seen: BTreeMap<(Uuid, &str), Vec<i64>> = BTreeMap::new();
    for record in &ledger.0 {
        if let (What::Put { workspace, key, .. }, Some(version)) = (&record.what, record.version) {
            seen.entry((*workspace, *key)).or_default().push(version);
        }
    }
    for ((workspace, key), versions) in seen {
        assert!(versions.is_sorted_by(|one, next| one < next), "{workspace}/{key}: {versions:?}");
    }
}
