//! Evidence of procedures.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::rules::{PROCEDURE, ProcedureUse, RuleViolation, SkillRule, UseOutcome, UseTally, check_outcome};
use orgmem_policies::{ActPass, Permission};
use orgmem_store::{AuditRecord, Memory, OutcomeReport, ReadPlan, ReadTx, StoredUse};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::Call;
use super::wire::redactions;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Number of uses in a response.
const RECENT: usize = 100;

impl App {
    /// The evidence of a procedure that the workspace can read, with the reads that this server has buffered.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a memory out of reach; [`RuleViolation::NotProcedure`].
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Evidence".
    pub async fn read_evidence(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
    ) -> Result<wire::Evidence, AppError> {
        let org = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                call.procedure(memory)?;
                Ok(call.org)
            })
            .await?;
        self.write_reads_of(org).await;
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let found = call.procedure(memory)?;
            let rule = call.tx.skill_rule(call.org)?;
            let uses = call.tx.uses_of(call.org, found.author, memory)?;
            let evidence = evidence(&found, &uses, &rule, call.caller.role().is_person());
            let record = AuditRecord::new(AuditAction::ReadEvidence, call.workspace).about([(memory, found.version)]);
            Ok((evidence, record))
        })
        .await
    }

    /// Records the outcome of a use that is known otherwise than by the end of its run.
    ///
    /// # Errors
    /// As for [`App::read_evidence`], and those of [`check_outcome`].
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Reports".
    pub async fn report_outcome(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        memory: Uuid,
        request: wire::ReportOutcome,
    ) -> Result<wire::ReportedOutcome, AppError> {
        let note = request.note.as_deref().map(|note| ReasonDraft::check_note(note, self.scrubber)).transpose()?;
        let outcome = match request.outcome {
            wire::UseOutcome::Success => UseOutcome::Success,
            wire::UseOutcome::Failure => UseOutcome::Failure,
        };
        let org = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                let at = call.workspace;
                call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, at))?;
                Ok(call.org)
            })
            .await?;
        // the read of the run may still wait to be written
        self.write_reads_of(org).await;
        self.write(auth.call(workspace), move |call| {
            let at = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, at))?;
            let found = call.procedure(memory)?;
            let run = request.run_id.or(call.run);
            let version = match run {
                None => found.version,
                Some(run) => {
                    let status = call.tx.run(call.org, at, run)?.map(|run| run.status);
                    let version = call.tx.version_read(call.org, memory, run)?;
                    check_outcome(memory, run, status, version.is_some(), outcome)?;
                    version.unwrap_or(found.version)
                }
            };
            let text = note.as_ref().map(|note| note.as_str().to_owned());
            let report = OutcomeReport { memory, version, run, outcome, note: text };
            call.tx.report_outcome(&pass, &report)?;
            let record = AuditRecord::new(AuditAction::ReportOutcome, at)
                .about([(memory, version)])
                .in_run(run)
                .context_field("outcome", outcome.as_str());
            call.tx.record(record)?;
            let replaced = note.as_ref().map_or_else(Vec::new, |note| redactions(note.redactions()));
            let outcome = to_wire(outcome);
            Ok(wire::ReportedOutcome { memory_id: memory, version, run_id: run, outcome, redactions: replaced })
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// A procedure that the workspace can read.
    pub(super) fn procedure(&mut self, memory: Uuid) -> Result<Memory, AppError> {
        let pass = self.reads(self.workspace)?;
        let (found, _) = self.tx.memory(&pass, memory)?.ok_or(AppError::MEMORY_NOT_FOUND)?;
        match found.authored.kind == PROCEDURE {
            true => Ok(found),
            false => Err(RuleViolation::NotProcedure(memory).into()),
        }
    }
}

fn evidence(memory: &Memory, uses: &[StoredUse], rule: &SkillRule, with_notes: bool) -> wire::Evidence {
    let of_version = |version: i64| -> Vec<ProcedureUse> {
        uses.iter().filter(|stored| stored.version == version).filter_map(|stored| stored.used).collect()
    };
    let mut current = of_version(memory.version);
    current.sort_by_key(|used| (used.at, used.voice));
    let (all, tally) = (UseTally::of(&current), UseTally::of(&rule.counted(&current)));
    let shortfall = rule.shortfall(&current);
    let mut history: BTreeMap<i64, wire::VersionEvidence> = BTreeMap::new();
    for version in uses.iter().map(|stored| stored.version).filter(|version| *version != memory.version) {
        history.entry(version).or_insert_with(|| {
            let tally = UseTally::of(&of_version(version));
            wire::VersionEvidence {
                version,
                uses: tally.uses(),
                successes: tally.successes,
                failures: tally.failures,
                lower_bound: rounded(tally.lower_bound),
            }
        });
    }
    let is_current = |stored: &&StoredUse| stored.version == memory.version;
    let open = uses.iter().filter(is_current).filter(|stored| stored.is_open && stored.used.is_none()).count();
    let notes = uses.iter().filter(is_current).filter(|_| with_notes);
    let note = |stored: &StoredUse| {
        let outcome = stored.used.map(|used| to_wire(used.outcome));
        let (workspace_id, at) = (stored.workspace.uuid(), stored.read_at);
        stored.note.clone().map(|note| wire::UseNote { workspace_id, at, outcome, note })
    };
    let recent = &current[current.len().saturating_sub(RECENT)..];
    wire::Evidence {
        memory_id: memory.id,
        version: memory.version,
        uses: all.uses(),
        successes: all.successes,
        failures: all.failures,
        open: u64::try_from(open).unwrap_or(u64::MAX),
        runs: all.runs,
        workspaces: all.workspaces,
        sessions: all.sessions,
        first_at: all.first.map(time),
        last_at: all.last.map(time),
        lower_bound: rounded(all.lower_bound),
        counted: counted(&tally),
        candidate: shortfall.is_empty(),
        missing: shortfall.iter().map(ToString::to_string).collect(),
        recent: recent
            .iter()
            .map(|used| wire::UsePoint { at: time(used.at), outcome: to_wire(used.outcome) })
            .collect(),
        history: history.into_values().rev().collect(),
        notes: notes.filter_map(note).collect(),
    }
}

pub(super) fn counted(tally: &UseTally) -> wire::CountedEvidence {
    wire::CountedEvidence {
        successes: tally.successes,
        failures: tally.failures,
        runs: tally.runs,
        sessions: tally.sessions,
        lower_bound: rounded(tally.lower_bound),
    }
}

fn to_wire(outcome: UseOutcome) -> wire::UseOutcome {
    match outcome {
        UseOutcome::Success => wire::UseOutcome::Success,
        UseOutcome::Failure => wire::UseOutcome::Failure,
    }
}

pub(super) fn time(micros: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(micros).unwrap_or_default()
}

/// With four decimals.
fn rounded(rate: f64) -> f64 {
    (rate * 10_000.0).round() / 10_000.0
}
