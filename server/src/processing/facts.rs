//! The memories that a run writes.

use chrono::{DateTime, Utc};
use orgmem_distil::{Change, Fact, Processor, Scope as FactScope};
use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::{MemoryDraft, MemoryInput, ReasonDraft};
use orgmem_policies::rules::{MemoryStatus, check_commit};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, DraftLimits, EditPass, Role, WritePass};
use orgmem_store::{ProcessorRun, ReadyMemory, SettledGroup, StoredGroup, WriteTx};
use uuid::Uuid;

use super::{Place, server};
use crate::app::AppError;

/// The change of a group, prepared for its write.
pub(super) struct Planned {
    group: StoredGroup,
    write: Write,
}

enum Write {
    Nothing,
    Fact { draft: Box<MemoryDraft>, scope: Scope, fingerprint: String, was_cut: bool },
    RollBack(ReasonDraft),
}

/// The counts of a transaction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    pub(super) settled: usize,
    /// Writes that were not made because their group changed.
    pub(super) skipped_writes: usize,
    inserted: i64,
    updated: i64,
    rolled_back: i64,
    untouched: i64,
    cut_texts: i64,
}

impl Done {
    pub(super) fn add_to(&self, report: &mut ProcessorRun) {
        report.inserted += self.inserted;
        report.updated += self.updated;
        report.rolled_back += self.rolled_back;
        report.untouched += self.untouched;
        report.cut_texts += self.cut_texts;
    }
}

impl Planned {
    pub(super) fn new(
        processor: &Processor,
        group: StoredGroup,
        change: Change,
        (scrubber, limits, now): (&Scrubber, DraftLimits, DateTime<Utc>),
    ) -> Result<Self, AppError> {
        let write = match change {
            Change::Untouched => Write::Nothing,
            Change::RollBack(reason) => Write::RollBack(ReasonDraft::check(&reason.to_string(), scrubber)?),
            Change::Insert(fact) | Change::Update(fact) => Write::Fact {
                scope: scope_of(processor),
                fingerprint: fact.fingerprint(),
                was_cut: fact.was_cut,
                draft: Box::new(MemoryDraft::of_processor(input(processor, &fact), limits, scrubber, now)?),
            },
        };
        Ok(Self { group, write })
    }
}

pub(crate) fn scope_of(processor: &Processor) -> Scope {
    match processor.definition().scope {
        FactScope::Local => Scope::Local,
        FactScope::Team => Scope::Team,
        FactScope::Global => Scope::Global,
    }
}

fn input(processor: &Processor, fact: &Fact) -> MemoryInput {
    let definition = processor.definition();
    MemoryInput {
        // no database stores it, and values of rows may have it
        content: fact.text.replace('\0', " "),
        namespace: Some(definition.namespace.clone()),
        kind: Some(definition.kind.clone()),
        confidence: Some(fact.confidence.total),
        metadata: Some(fact.metadata(&definition.name)),
        ..MemoryInput::default()
    }
}

/// Writes the facts of groups that are as they were read.
pub(super) fn apply(
    tx: &mut (impl WriteTx + ?Sized),
    pass: &ActPass,
    place: &Place,
    run: Uuid,
    planned: &[Planned],
) -> Result<Done, AppError> {
    let mut done = Done::default();
    for Planned { group, write } in planned {
        if !tx.is_group_current(pass, &place.name, run, group)? {
            done.skipped_writes += usize::from(!matches!(write, Write::Nothing));
            continue;
        }
        done.settled += 1;
        let fact = match write {
            Write::Nothing => {
                done.untouched += 1;
                group.memory.zip(group.fingerprint.clone())
            }
            Write::RollBack(reason) => {
                done.rolled_back += 1;
                roll_back(tx, place, group, reason)?;
                None
            }
            Write::Fact { draft, scope, fingerprint, was_cut } => {
                done.cut_texts += i64::from(*was_cut);
                let (memory, is_new) = commit(tx, place, group, draft, *scope)?;
                if is_new {
                    done.inserted += 1;
                } else {
                    done.updated += 1;
                }
                Some((memory, fingerprint.clone()))
            }
        };
        tx.settle_group(pass, &place.name, &SettledGroup { group: group.clone(), fact })?;
    }
    Ok(done)
}

fn roll_back(
    tx: &mut (impl WriteTx + ?Sized),
    place: &Place,
    group: &StoredGroup,
    reason: &ReasonDraft,
) -> Result<(), AppError> {
    let Some(memory) = group.memory else { return Ok(()) };
    let pass = EditPass::grant(&server(), &*tx.tree(place.org)?, place.workspace, place.workspace)?;
    // one that its author deleted is gone already
    tx.retire_memory(&pass, memory, reason)?;
    Ok(())
}

/// Commits the fact of a group, as a new version if its memory is live. Returns its id, and whether it is new.
fn commit(
    tx: &mut (impl WriteTx + ?Sized),
    place: &Place,
    group: &StoredGroup,
    draft: &MemoryDraft,
    scope: Scope,
) -> Result<(Uuid, bool), AppError> {
    let pass = WritePass::resume(&server(), &*tx.tree(place.org)?, place.workspace, (scope, None), Role::Agent)?;
    let now = tx.now();
    let known = match group.memory {
        Some(memory) => tx.memory_location(place.org, memory)?.map(|found| (memory, found)),
        None => None,
    };
    let known = known.filter(|(_, found)| {
        found.author == place.workspace && found.status == MemoryStatus::Live && found.is_live(now)
    });
    let (draft, id) = match known {
        Some((memory, _)) => (draft.under_id(memory), memory),
        None => (draft.clone(), tx.new_id()),
    };
    let ready = ReadyMemory::from(draft);
    let facts = tx.commit_facts(&pass, &ready, id)?;
    let plan = check_commit(&pass, id, ready.draft().fields(), facts, now)?;
    Ok((tx.commit_memory(&pass, &ready, &plan)?.id, known.is_none()))
}

/// Retires the facts of groups whose processor is deleted.
pub(crate) fn retire_all(
    tx: &mut (impl WriteTx + ?Sized),
    place: &Place,
    groups: &[StoredGroup],
    reason: &ReasonDraft,
) -> Result<(), AppError> {
    groups.iter().try_for_each(|group| roll_back(tx, place, group, reason))
}
