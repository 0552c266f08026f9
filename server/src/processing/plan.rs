//! What a run does with rows and groups, as functions of one snapshot.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use orgmem_distil::{Change, GroupKey, Processor, Row, Tally};
use orgmem_policies::ViewPass;
use orgmem_policies::drafts::GroupDraft;
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{ReadTx, RowAssignment, StoreError, StoredGroup, StoredProcessor, StoredRow};

use super::count;
use crate::app::AppError;

/// Rows of groups that are read at once, and after which a batch has no further group.
const PAGE: usize = 5_000;
const MAX_BATCH_ROWS: usize = 100_000;
/// Changed rows and groups that a dry run considers.
const DRY_ROWS: usize = 10_000;
const DRY_BYTES: i64 = 16 << 20;
const DRY_GROUPS: usize = 1_000;
/// Changes that a dry run lists.
const DRY_FACTS: usize = 20;

/// A change that a run would make.
#[derive(Clone, Debug)]
pub(crate) struct PlannedChange {
    pub(crate) change: &'static str,
    pub(crate) dimensions: Vec<String>,
    pub(crate) text: String,
    pub(crate) confidence: Option<f64>,
    pub(crate) rows: u64,
}

/// What a run would do.
#[derive(Clone, Debug, Default)]
pub(crate) struct DryRun {
    pub(crate) read: i64,
    pub(crate) grouped: i64,
    pub(crate) inserted: i64,
    pub(crate) updated: i64,
    pub(crate) rolled_back: i64,
    pub(crate) untouched: i64,
    pub(crate) cut_texts: i64,
    pub(crate) capped: Option<&'static str>,
    pub(crate) facts: Vec<PlannedChange>,
}

/// What a processor makes of rows.
pub(super) fn assignments(
    processor: &Processor,
    scrubber: &Scrubber,
    rows: Vec<StoredRow>,
) -> Result<Vec<RowAssignment>, AppError> {
    let assign = |stored: StoredRow| -> Result<RowAssignment, AppError> {
        let unreadable = |_| StoreError::unreadable("collection_rows", "of a collection", "it is not an object");
        let values = serde_json::from_str(&stored.values).map_err(unreadable)?;
        let row = Row { key: stored.key, time: stored.time.map(|at| at.timestamp_micros()), values };
        let assignment = processor.assign(&row);
        let severity = assignment.as_ref().map_or(0, |assignment| assignment.severity);
        let group = match assignment {
            Some(assignment) => {
                let values = GroupDraft::check(assignment.group.values(), scrubber)?;
                Some((assignment.group.id(), values))
            }
            None => None,
        };
        let severity = i64::try_from(severity).unwrap_or(i64::MAX);
        Ok(RowAssignment { key: row.key, seq: stored.seq, group, severity, time: stored.time })
    };
    rows.into_iter().map(assign).collect()
}

/// The changes of the facts of the first touched groups: at most `limit`, and fewer if they have many rows.
pub(super) fn planned_changes(
    tx: &mut (impl ReadTx + ?Sized),
    pass: &ViewPass,
    processor: &Processor,
    name: &str,
    limit: usize,
) -> Result<Vec<(StoredGroup, Change)>, AppError> {
    let mut planned = Vec::new();
    let mut rows = 0;
    for group in tx.touched_groups(pass, name, limit)? {
        let mut tally = processor.tally();
        rows += add_stored(tx, pass, name, &group.id, &mut tally, &BTreeSet::new())?;
        let change = change_of(processor, &group, &tally);
        planned.push((group, change));
        if rows >= MAX_BATCH_ROWS {
            break;
        }
    }
    Ok(planned)
}

fn change_of(processor: &Processor, group: &StoredGroup, tally: &Tally) -> Change {
    // a fact whose digest is unknown counts as changed
    let existing = group.memory.map(|_| group.fingerprint.as_deref().unwrap_or_default());
    processor.change(&GroupKey::new(group.values.clone()), tally, existing)
}

/// Adds the stored rows of a group, except some. Returns their number.
fn add_stored(
    tx: &mut (impl ReadTx + ?Sized),
    pass: &ViewPass,
    name: &str,
    group: &str,
    tally: &mut Tally,
    except: &BTreeSet<String>,
) -> Result<usize, AppError> {
    let (mut after, mut rows) = (String::new(), 0);
    loop {
        let page = tx.group_rows(pass, name, group, &after, PAGE)?;
        for row in page.iter().filter(|row| !except.contains(&row.key)) {
            let severity = u64::try_from(row.severity).unwrap_or_default();
            tally.add(&row.key, row.time.map(|at| at.timestamp_micros()), severity);
        }
        rows += page.len();
        match page.last() {
            Some(last) if page.len() == PAGE => after.clone_from(&last.key),
            _ => return Ok(rows),
        }
    }
}

/// What a run would do with the changed rows and the touched groups, without writing.
pub(super) fn dry_run(
    tx: &mut (impl ReadTx + ?Sized),
    pass: &ViewPass,
    stored: &StoredProcessor,
    processor: &Processor,
    scrubber: &Scrubber,
) -> Result<DryRun, AppError> {
    let rows = tx.changed_rows(pass, &stored.collection, stored.read_seq, DRY_ROWS, DRY_BYTES)?;
    let mut report = DryRun { read: count(rows.len()), ..DryRun::default() };
    let upto = rows.last().map_or(stored.read_seq, |row| row.seq);
    if !tx.changed_rows(pass, &stored.collection, upto, 1, 1)?.is_empty() {
        report.capped = Some("10000 rows");
    }
    let assigned = assignments(processor, scrubber, rows)?;
    let keys: Vec<String> = assigned.iter().map(|row| row.key.clone()).collect();
    let former = tx.groups_of_rows(pass, &stored.name, &keys)?;
    let changed: BTreeSet<String> = keys.into_iter().collect();
    let mut groups: BTreeMap<String, StoredGroup> = BTreeMap::new();
    for group in tx.touched_groups(pass, &stored.name, DRY_GROUPS)? {
        groups.insert(group.id.clone(), group);
    }
    for id in former.values() {
        if !groups.contains_key(id)
            && let Some(group) = tx.processor_group(pass, &stored.name, id)?
        {
            groups.insert(id.clone(), group);
        }
    }
    let mut added: HashMap<String, Vec<&RowAssignment>> = HashMap::new();
    for row in &assigned {
        let Some((id, values)) = &row.group else { continue };
        report.grouped += 1;
        added.entry(id.clone()).or_default().push(row);
        if !groups.contains_key(id) {
            let known = tx.processor_group(pass, &stored.name, id)?;
            let values = serde_json::from_value(values.values().as_value().clone()).unwrap_or_default();
            let new = StoredGroup { id: id.clone(), values, touched: 0, memory: None, fingerprint: None };
            groups.insert(id.clone(), known.unwrap_or(new));
        }
    }
    let mut guard = processor.guard();
    for group in groups.into_values().take(DRY_GROUPS) {
        let mut tally = processor.tally();
        add_stored(tx, pass, &stored.name, &group.id, &mut tally, &changed)?;
        for row in added.remove(&group.id).into_iter().flatten() {
            let severity = u64::try_from(row.severity).unwrap_or_default();
            tally.add(&row.key, row.time.map(|at| at.timestamp_micros()), severity);
        }
        let change = change_of(processor, &group, &tally);
        if !guard.admit(&change) {
            report.capped = Some(super::BY_FACTS);
            break;
        }
        report.note(group, &tally, change);
    }
    Ok(report)
}

impl DryRun {
    fn note(&mut self, group: StoredGroup, tally: &Tally, change: Change) {
        let (change, text, confidence, was_cut) = match change {
            Change::Untouched => {
                self.untouched += 1;
                return;
            }
            Change::Insert(fact) => ("inserted", fact.text, Some(fact.confidence.total), fact.was_cut),
            Change::Update(fact) => ("updated", fact.text, Some(fact.confidence.total), fact.was_cut),
            Change::RollBack(reason) => ("rolled_back", reason.to_string(), None, false),
        };
        match change {
            "inserted" => self.inserted += 1,
            "updated" => self.updated += 1,
            _ => self.rolled_back += 1,
        }
        self.cut_texts += i64::from(was_cut);
        if self.facts.len() < DRY_FACTS {
            let rows = tally.count();
            self.facts.push(PlannedChange { change, dimensions: group.values, text, confidence, rows });
        }
    }
}
