//! Processors: define, list, delete, run, and the reports of runs.

use std::sync::Arc;

use orgmem_distil::{BUG_IMPORT, Processor};
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{ProcessorDraft, ReasonDraft};
use orgmem_policies::rules::check_processor;
use orgmem_policies::{ActPass, Permission, ViewPass, WritePass};
use orgmem_store::{Actor, AuditRecord, ProcessorRun, ReadPlan, ReadTx, StoreError, StoredProcessor};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{Call, WriteCall};
use super::drafting::Drafting;
use super::rows::object;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;
use crate::processing::{DryRun, Place, next_run, retire_all, scope_of};

/// Groups that are deleted together with their facts.
const PART_GROUPS: usize = 100;
/// Why the facts of a deleted processor go.
const DELETED: &str = "the processor was deleted";

impl App {
    /// Defines a processor of the workspace, or defines it again. The facts of a changed definition are computed again by
    /// the next run.
    ///
    /// # Errors
    /// [`AppError::Item`] for an invalid definition; [`AppError::Scope`] for a scope that the workspace may not write.
    ///
    /// # Source
    /// `docs/spec/processors.md`.
    pub async fn define_processor(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::DefineProcessor,
    ) -> Result<wire::Processor, AppError> {
        let make = move |request: wire::DefineProcessor, with: &Drafting| {
            let definition = requested(request)?;
            let text =
                |name: &str| definition.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
            let (name, collection) = (text("name"), text("collection"));
            // the faults of a definition name their fields, so they come first
            parsed(&serde_json::Value::Object(definition.clone()).to_string())?;
            let draft = ProcessorDraft::check(&name, &collection, definition, with.scrubber)?;
            let processor = parsed(&draft.definition().to_string())?;
            Ok((draft, processor))
        };
        let made = self.draft(auth, workspace, Permission::ManageProcessors, request, make).await?;
        let made = Arc::new(made);
        self.write(auth.call(workspace), move |call| {
            let (draft, processor) = &*made;
            let id = call.workspace;
            let pass = call.manages_processors()?;
            call.pass(|caller, tree| WritePass::grant(caller, tree, id, scope_of(processor), None))?;
            call.spend_writes(Permission::ManageProcessors, 1, false)?;
            let viewed = call.views_rows(Permission::ManageProcessors)?;
            let all = call.tx.processors(&viewed)?;
            let name = draft.name().as_str();
            let known = all.iter().find(|known| known.name == name);
            if let Some(known) = known.filter(|known| known.collection != draft.collection().as_str()) {
                let expected = format!("`{}` as before; delete the processor to read another one", known.collection);
                return Err(AppError::Field { field: "collection", expected });
            }
            let is_same = known.is_some_and(|known| known.definition == draft.definition().to_string());
            if !is_same {
                let count = i64::try_from(all.len()).unwrap_or(i64::MAX);
                let plan = check_processor(known.is_some(), count)?;
                let due_at = next_run(processor, call.tx.now());
                call.tx.put_processor(&pass, draft, plan, due_at)?;
            }
            let stored = call.tx.processor(&viewed, name)?.ok_or(AppError::PROCESSOR_NOT_FOUND)?;
            Ok(to_wire(stored)?)
        })
        .await
    }

    /// The processors of the workspace and the built-in definitions that it can activate, by name.
    pub async fn list_processors(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
    ) -> Result<Vec<wire::Processor>, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let pass = call.views_rows(Permission::ReadRows)?;
            let stored = call.tx.processors(&pass)?;
            let record =
                AuditRecord::new(AuditAction::ReadProcessors, call.workspace).context_field("processors", stored.len());
            let mut all = stored.into_iter().map(to_wire).collect::<Result<Vec<_>, _>>()?;
            if let Some(built_in) = built_in().filter(|found| all.iter().all(|known| known.name != found.name)) {
                all.push(built_in);
            }
            all.sort_by(|one, other| one.name.cmp(&other.name));
            Ok((all, record))
        })
        .await
    }

    /// A processor of the workspace, or a built-in definition.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn read_processor(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
    ) -> Result<wire::Processor, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let pass = call.views_rows(Permission::ReadRows)?;
            let found = match call.tx.processor(&pass, &name)? {
                Some(stored) => Some(to_wire(stored)?),
                None => built_in().filter(|built_in| built_in.name == name),
            };
            let found = found.ok_or(AppError::PROCESSOR_NOT_FOUND)?;
            let record = AuditRecord::new(AuditAction::ReadProcessors, call.workspace)
                .context_field("processor", found.name.as_str());
            Ok((found, record))
        })
        .await
    }

    /// Deletes a processor, in several transactions. Its facts are superseded with the reason.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn delete_processor(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
    ) -> Result<wire::Deleted, AppError> {
        let (name, reason): (Arc<str>, _) = (name.into(), ReasonDraft::check(DELETED, self.scrubber)?);
        loop {
            let (name, reason) = (Arc::clone(&name), reason.clone());
            let is_done = self.write(auth.call(workspace).writes_many(), move |call| {
                let pass = call.manages_processors()?;
                let place = Place { org: call.org, workspace: call.workspace, name: Arc::clone(&name) };
                call.stored_processor(Permission::ManageProcessors, &name)?;
                let groups = call.tx.groups_to_drop(&pass, &name, PART_GROUPS)?;
                if groups.is_empty() {
                    return Ok(call.tx.drop_processor(&pass, &name)?);
                }
                retire_all(call.tx, &place, &groups, &reason)?;
                call.tx.drop_groups(&pass, &name, &groups)?;
                Ok(false)
            });
            if is_done.await? {
                return Ok(wire::Deleted::done());
            }
        }
    }

    /// Runs a processor now, whatever its schedule. With `dry_run`, only reports what a run would do.
    ///
    /// # Errors
    /// [`AppError::NotFound`]; [`AppError::ProcessorBusy`] while another run works on it.
    pub async fn run_processor(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        dry_run: bool,
    ) -> Result<wire::ProcessorRun, AppError> {
        let name: Arc<str> = name.into();
        let (of_read, (request, run, context)) = (Arc::clone(&name), (auth.request(), auth.run(), auth.context()));
        let (org, actor): (OrgId, Actor) = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                call.writes_rows_now()?;
                call.stored_processor(Permission::WriteRows, &of_read)?;
                let actor = Actor::caller(&call.caller, Some(call.workspace), request.clone(), run);
                Ok((call.org, actor.with_context(context.clone())))
            })
            .await?;
        let place = Place { org, workspace: workspace.into(), name };
        if dry_run {
            let begun = self.now();
            let found = self.processing.dry_run(place).await?;
            return Ok(planned(found, begun, self.now()));
        }
        Ok(run_to_wire(self.processing.run(place, "request", Some(actor)).await?))
    }

    /// The reports of the last 100 runs of a processor, newest first.
    ///
    /// # Errors
    /// [`AppError::NotFound`].
    pub async fn list_processor_runs(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: String,
        request: wire::ListProcessorRuns,
    ) -> Result<Listing<wire::ProcessorRun>, AppError> {
        let limit = cursor::limit(request.limit, 20, 100);
        let before: Option<Uuid> = cursor::decode("processor runs", request.cursor.as_deref())?;
        self.read_audited(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let pass = call.views_rows(Permission::ReadRows)?;
            call.stored_processor(Permission::ReadRows, &name)?;
            let found = call.tx.processor_runs(&pass, &name, before, limit + 1)?;
            let page = Listing::cut(found, limit, "processor runs", |run: &ProcessorRun| run.id).map(run_to_wire);
            let record =
                AuditRecord::new(AuditAction::ReadProcessors, call.workspace).context_field("processor", name.as_str());
            Ok((page, record))
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// A processor for a caller with the permission.
    fn stored_processor(&mut self, permission: Permission, name: &str) -> Result<StoredProcessor, AppError> {
        let pass: ViewPass = self.views_rows(permission)?;
        self.tx.processor(&pass, name)?.ok_or(AppError::PROCESSOR_NOT_FOUND)
    }

    /// Whether the caller may write rows of the workspace, and so run its processors.
    fn writes_rows_now(&mut self) -> Result<(), AppError> {
        self.writes_rows().map(drop)
    }
}

impl WriteCall<'_> {
    fn manages_processors(&mut self) -> Result<ActPass, AppError> {
        let id = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::ManageProcessors, tree, id))
    }
}

/// The definition of a request, with the fields that differ.
fn requested(request: wire::DefineProcessor) -> Result<wire::Object, AppError> {
    let wire::DefineProcessor { definition, built_in, set } = request;
    let mut definition = match (definition, built_in.as_deref()) {
        (Some(definition), None) => definition,
        (None, Some("bug-import")) => built_in_definition(),
        (None, Some(_)) => {
            return Err(AppError::Field { field: "built_in", expected: "`bug-import`".to_owned() });
        }
        (None, None) | (Some(_), Some(_)) => {
            let expected = "a definition, or leave it out and name a `built_in` one".to_owned();
            return Err(AppError::Field { field: "definition", expected });
        }
    };
    definition.extend(set.unwrap_or_default());
    Ok(definition)
}

fn built_in_definition() -> wire::Object {
    // a test of the crate reads it
    serde_json::from_str(BUG_IMPORT).unwrap_or_default()
}

fn built_in() -> Option<wire::Processor> {
    let processor = Processor::from_json(BUG_IMPORT).ok()?;
    Some(wire::Processor {
        name: processor.definition().name.clone(),
        collection: processor.definition().collection.clone(),
        active: false,
        definition: built_in_definition(),
        revision: 0,
        next_run_at: None,
        last_run_at: None,
    })
}

fn parsed(text: &str) -> Result<Processor, AppError> {
    Processor::from_json(text).map_err(|error| AppError::Item(error.to_string()))
}

fn to_wire(stored: StoredProcessor) -> Result<wire::Processor, StoreError> {
    Ok(wire::Processor {
        definition: object("processors", &stored.name, &stored.definition)?,
        name: stored.name,
        collection: stored.collection,
        active: true,
        revision: stored.revision,
        next_run_at: Some(stored.due_at),
        last_run_at: stored.last_run_at,
    })
}

fn run_to_wire(run: ProcessorRun) -> wire::ProcessorRun {
    wire::ProcessorRun {
        id: Some(run.id),
        cause: if run.cause == "schedule" { wire::RunCause::Schedule } else { wire::RunCause::Request },
        dry_run: false,
        started_at: run.started_at,
        duration_ms: (run.ended_at - run.started_at).num_milliseconds(),
        read: run.read,
        grouped: run.grouped,
        inserted: run.inserted,
        updated: run.updated,
        rolled_back: run.rolled_back,
        untouched: run.untouched,
        cut_texts: run.cut_texts,
        capped: run.capped,
        error: run.error,
        facts: Vec::new(),
    }
}

fn planned(
    found: DryRun,
    begun: chrono::DateTime<chrono::Utc>,
    ended: chrono::DateTime<chrono::Utc>,
) -> wire::ProcessorRun {
    let facts = found.facts.into_iter().map(|fact| wire::PlannedFact {
        change: fact.change.to_owned(),
        dimensions: fact.dimensions,
        text: fact.text,
        confidence: fact.confidence,
        rows: fact.rows,
    });
    wire::ProcessorRun {
        id: None,
        cause: wire::RunCause::Request,
        dry_run: true,
        started_at: begun,
        duration_ms: (ended - begun).num_milliseconds(),
        read: found.read,
        grouped: found.grouped,
        inserted: found.inserted,
        updated: found.updated,
        rolled_back: found.rolled_back,
        untouched: found.untouched,
        cut_texts: found.cut_texts,
        capped: found.capped.map(str::to_owned),
        error: None,
        facts: facts.collect(),
    }
}
