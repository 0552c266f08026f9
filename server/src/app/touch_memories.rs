//! The postponement of the end of memories, as caches do it at every read.

use chrono::{DateTime, Utc};
use orgmem_policies::drafts::from_ttl;
use orgmem_policies::{EditPass, Permission};
use orgmem_store::Touch;
use orgmem_types as wire;
use uuid::Uuid;

use super::commit_memory::MAX_BATCH;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

impl App {
    /// Sets the end of life of own memories without a new version.
    ///
    /// # Errors
    /// [`AppError::Field`] for an invalid request. A memory that the workspace did not write, that is not live or that has
    /// another version than the request is no error: the response omits it.
    ///
    /// # Source
    /// `docs/spec/memories.md`, "Touch".
    pub async fn touch_memories(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::TouchMemories,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::TouchedMemories, AppError> {
        let touches = touches(&request, self.now())?;
        let touching = self.write(auth.call(workspace).idempotent(idempotency), move |call| {
            let author = call.workspace;
            let pass = call.pass(|caller, tree| EditPass::grant(caller, tree, author, author))?;
            call.spend_writes(Permission::WriteMemories, touches.len(), false)?;
            let touched = call.tx.touch_memories(&pass, &touches)?;
            let memory = |(id, expires_at)| wire::TouchedMemory { id, expires_at };
            Ok(wire::TouchedMemories { memories: touched.into_iter().map(memory).collect() })
        });
        self.measured(MemoryOperation::Update, touching).await
    }
}

fn touches(request: &wire::TouchMemories, now: DateTime<Utc>) -> Result<Vec<Touch>, AppError> {
    if request.memories.is_empty() || request.memories.len() > MAX_BATCH {
        let expected = format!("a list of 1 to {MAX_BATCH} memories");
        return Err(AppError::Field { field: "memories", expected });
    }
    let touch = |memory: &wire::TouchMemory| {
        Ok(Touch { id: memory.id, version: memory.version, expires_at: from_ttl(memory.ttl_seconds, now)? })
    };
    request.memories.iter().map(touch).collect()
}
