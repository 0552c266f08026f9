//! The memories of a node's output, staged in a run.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_policies::Permission;
use orgmem_types as wire;
use serde_json::{Value, json};
use uuid::Uuid;

use super::commit_memory::{CommitReceipt, Ready, prepare, stage};
use super::drafting::Drafting;
use super::end_user::Writer;
use super::node_output::{self, OutputMemory};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::decode;
use crate::telemetry::MemoryOperation;

/// Maximum number of memories of an output.
pub(crate) const MAX_WRITES: usize = 500;

impl App {
    /// Stages the memories of a node's output in a run, all or none.
    ///
    /// # Errors
    /// [`AppError::RunOver`] when the run is over; the error of the first invalid memory.
    pub async fn stage_output(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        run: Uuid,
        output: wire::RunOutput,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::StagedOutput, AppError> {
        let mut memories = node_output::memories(output)?;
        if memories.len() > MAX_WRITES {
            let expected = format!("at most {MAX_WRITES} memories in the whole output");
            return Err(AppError::Field { field: "__lf_memory_writes", expected });
        }
        if memories.iter().any(OutputMemory::is_of_conversation)
            && let Some(session) = self.session_of_run(auth, workspace, run).await?
        {
            memories.iter_mut().for_each(|memory| memory.join_conversation(&session));
        }
        let (writer, now) = (auth.writer(), self.now());
        let make = move |memories: Vec<OutputMemory>, with: &Drafting| {
            let mut ready = Vec::with_capacity(memories.len());
            for OutputMemory { path, fields } in memories {
                let item = format!("`{path}`");
                let memory = output_memory(run, fields, &writer, now, with).map_err(|error| error.about(&item))?;
                ready.push((item, memory));
            }
            Ok(ready)
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, memories, make).await?;
        let (paths, ready): (Vec<String>, Vec<Ready>) = ready.into_iter().unzip();
        let ready = Arc::new(ready);
        let (drafts, is_embedded) = (Arc::clone(&ready), self.embedding.is_some());
        let staging = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            call.run_pass()?;
            call.run(run)?.status.takes_writes()?;
            call.spend_writes(Permission::WriteMemories, drafts.len(), is_embedded)?;
            let stage_one =
                |(ready, path): (&Ready, &String)| stage(call, run, ready).map_err(|error| error.about(path));
            drafts.iter().zip(&paths).map(stage_one).collect::<Result<Vec<CommitReceipt>, AppError>>()
        });
        let receipts = self.measured(MemoryOperation::Create, staging).await?;
        let items: Vec<_> =
            receipts.into_iter().zip(ready.iter()).map(|(receipt, ready)| receipt.into_wire(ready)).collect();
        Ok(wire::StagedOutput { run_id: run, buffered: items.len(), items })
    }

    /// The session of a run, for a caller who may write in the run.
    async fn session_of_run(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        run: Uuid,
    ) -> Result<Option<String>, AppError> {
        self.read(auth.call(workspace), move |call| {
            call.run_pass()?;
            Ok(call.run(run)?.session_id)
        })
        .await
    }
}

/// Checks a memory of an output; its default scope is LOCAL.
fn output_memory(
    run: Uuid,
    mut fields: wire::Object,
    writer: &Writer,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<Ready, AppError> {
    fields.entry("scope").or_insert(json!("LOCAL"));
    decode::rewrite_scope(&mut fields);
    let write = Value::Object(fields);
    let request: wire::CommitMemory = decode::json_value(&write).map_err(|fault| AppError::Item(fault.to_string()))?;
    if request.run_id.is_some_and(|other| other != run) {
        return Err(AppError::Field { field: "run_id", expected: "the run itself, or absent".into() });
    }
    if request.ungated {
        return Err(AppError::Field { field: "ungated", expected: "absent: an output is always pending".into() });
    }
    prepare(request, writer, now, with)
}
