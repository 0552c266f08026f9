//! Verification of the access log.

use orgmem_policies::chain::{Link, Seal};
use orgmem_policies::{AuditPass, VerifyPass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError, cursor};
use crate::auth::VerifiedClaims;

/// Maximum number of snapshots of one call, each of some thousand rows; a cursor continues.
const MAX_PARTS: usize = 40;

/// The sealed range before the next one: its first and last row, and its link.
type ResumePoint = (i64, i64, String);

impl App {
    /// Verifies the chain of the workspace's org, after sealing the pending rows.
    pub async fn verify_access_log(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::VerifyAuditLog,
    ) -> Result<wire::AuditVerification, AppError> {
        let resume_point: Option<ResumePoint> = cursor::decode("verify", request.cursor.as_deref())?;
        let mut after = resume_point.map(seal_at).transpose()?;
        let org = self
            .read(auth.call(workspace), |call| {
                let at = call.workspace;
                call.pass(|caller, tree| AuditPass::grant(caller, tree, at, false))?;
                call.pass(VerifyPass::grant)?;
                Ok(call.org)
            })
            .await?;
        self.seal_pending(org).await;
        let mut verified = wire::AuditVerification {
            intact: true,
            sealed_rows: 0,
            waiting_rows: 0,
            last_seq: 0,
            fault: None,
            next: None,
        };
        for _ in 0..MAX_PARTS {
            let (chain, from) = (self.access.chain.clone(), after.take());
            let part = self
                .read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
                    let pass = call.pass(VerifyPass::grant)?;
                    Ok(chain.check(call.tx, &pass, from.as_ref())?)
                })
                .await?;
            verified.sealed_rows += part.sealed as u64;
            verified.waiting_rows += part.unsealed as u64;
            verified.last_seq = part.last;
            verified.fault = part.fault.map(|fault| fault.to_string());
            verified.intact = verified.fault.is_none();
            after = part.more;
            if after.is_none() {
                break;
            }
        }
        verified.next = after.map(|seal| cursor::encode("verify", &(seal.first, seal.last, hex::encode(seal.link))));
        Ok(verified)
    }

    /// Writes and seals the pending rows. A failure is only logged: the sealed rows can be verified regardless.
    async fn seal_pending(&self, org: orgmem_hierarchy::OrgId) {
        let sealed = match self.access.reads.flush(org).await {
            Ok(()) => self.access.chain.seal(org).await,
            failed => failed,
        };
        if let Err(error) = sealed {
            tracing::warn!(%error, "the access log is verified without rows that could not be sealed");
        }
    }
}

/// The seal before the next range. A forged cursor only deceives the caller who forged it.
fn seal_at((first, last, link): ResumePoint) -> Result<Seal, AppError> {
    let mut after = Link::default();
    hex::decode_to_slice(link, &mut after).map_err(|_| AppError::Cursor)?;
    let (previous, link) = (Link::default(), after);
    Ok(Seal { first, last, hashes: Vec::new(), previous, link, key: [0; 8], mac: [0; 32], removed: Vec::new() })
}
