//! Checking that the access log is as it was written.

use orgmem_policies::chain::{Link, Seal};
use orgmem_policies::{AuditPass, VerifyPass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError, cursor};
use crate::auth::VerifiedClaims;

/// Snapshots that one call looks at, each of some thousand rows; what is left is for the next call.
const PARTS: usize = 40;

/// Where a check goes on: a stretch by its first and last row, and the link after it.
type ResumePoint = (i64, i64, String);

impl App {
    /// Checks the chain of the org that the workspace is in, after sealing what waits. For whoever may read all of the
    /// log.
    ///
    /// # Errors
    /// [`AppError`] as the caller's role and place give it; [`AppError::Cursor`].
    pub async fn verify_access_log(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::VerifyAuditLog,
    ) -> Result<wire::AuditVerification, AppError> {
        let place: Option<ResumePoint> = cursor::decode("verify", request.cursor.as_deref())?;
        let mut after = place.map(seal_at).transpose()?;
        let org = self
            .read(who.call(workspace), |call| {
                let at = call.workspace;
                call.pass(|caller, tree| AuditPass::grant(caller, tree, at, false))?;
                call.pass(VerifyPass::grant)?;
                Ok(call.org)
            })
            .await?;
        self.settle(org).await;
        let mut wire = wire::AuditVerification {
            intact: true,
            sealed_rows: 0,
            waiting_rows: 0,
            last_seq: 0,
            fault: None,
            next: None,
        };
        for _ in 0..PARTS {
            let (chain, from) = (self.access.chain.clone(), after.take());
            let part = self
                .read(who.call(workspace).plan(ReadPlan::Scan), move |call| {
                    let pass = call.pass(VerifyPass::grant)?;
                    Ok(chain.check(call.tx, &pass, from.as_ref())?)
                })
                .await?;
            wire.sealed_rows += part.sealed as u64;
            wire.waiting_rows += part.unsealed as u64;
            wire.last_seq = part.last;
            wire.fault = part.fault.map(|fault| fault.to_string());
            wire.intact = wire.fault.is_none();
            after = part.more;
            if after.is_none() {
                break;
            }
        }
        wire.next = after.map(|seal| cursor::encode("verify", &(seal.first, seal.last, hex::encode(seal.link))));
        Ok(wire)
    }

    /// Writes and seals what waits. A log that cannot be written or sealed can be checked all the same.
    async fn settle(&self, org: orgmem_hierarchy::OrgId) {
        let settled = match self.access.reads.flush(org).await {
            Ok(()) => self.access.chain.seal(org).await,
            failed => failed,
        };
        if let Err(error) = settled {
            tracing::warn!(%error, "the access log is checked without the rows that could not be sealed");
        }
    }
}

/// What a check needs to know of the stretch before. Who makes one up deceives nobody but themselves.
fn seal_at((first, last, link): ResumePoint) -> Result<Seal, AppError> {
    let mut after = Link::default();
    hex::decode_to_slice(link, &mut after).map_err(|_| AppError::Cursor)?;
    let (previous, link) = (Link::default(), after);
    Ok(Seal { first, last, hashes: Vec::new(), previous, link, key: [0; 8], mac: [0; 32] })
}
