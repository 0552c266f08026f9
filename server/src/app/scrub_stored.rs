//! Scrubbing of what is stored with the current rules, some hundred rows in each call.

use std::collections::BTreeMap;

use orgmem_hierarchy::OrgId;
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{ScrubPosition, ScrubbedRows};
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::call::WriteCall;
use super::cursor;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

const LIST: &str = "scrub";

/// The org and the position in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ScrubCursor {
    org: Uuid,
    at: ScrubPosition,
}

/// The outcome of a transaction.
#[derive(Serialize, Deserialize)]
struct Outcome {
    rows: u64,
    changed: u64,
    replaced: Vec<wire::ScrubCount>,
    remaining: Vec<wire::ScrubCount>,
    next: Option<ScrubCursor>,
}

impl App {
    /// Applies the rules to the next stored rows, in one transaction. A repeated call changes nothing more.
    ///
    /// # Errors
    /// [`AppError`]: a caller who is not an admin, an invalid cursor.
    ///
    /// # Source
    /// `docs/spec/secrets.md`, "Changed rules".
    pub async fn scrub_stored(
        &self,
        auth: &VerifiedClaims,
        query: wire::ScrubQuery,
    ) -> Result<wire::ScrubResponse, AppError> {
        self.admit_to_server(auth, ServerAction::Scrub).await?;
        let ScrubCursor { org: root, at } = cursor::decode(LIST, query.cursor.as_deref())?.unwrap_or_default();
        let (org, scrubber, dry_run) = (OrgId::from(root), self.scrubber, query.dry_run);
        let work = move |call: &mut WriteCall<'_>| {
            let pass = ServerPass::grant(&call.caller, ServerAction::Scrub)?;
            let rows = call.tx.scrub_rows(&pass, org, scrubber, &at)?;
            Ok(outcome(org, rows))
        };
        let call = auth.call(root).in_org(org);
        let outcome = if dry_run { self.dry_run(call, work).await? } else { self.write(call, work).await? };
        Ok(wire::ScrubResponse {
            dry_run,
            org_id: root,
            rows: outcome.rows,
            changed: outcome.changed,
            replaced: outcome.replaced,
            remaining: outcome.remaining,
            next: outcome.next.map(|next| cursor::encode(LIST, &next)),
        })
    }
}

fn outcome(org: OrgId, rows: ScrubbedRows) -> Outcome {
    let ScrubbedRows { rows, changed, replaced, remaining, next, next_org } = rows;
    let next_org = next_org.map(|org| ScrubCursor { org: org.uuid(), at: ScrubPosition::default() });
    Outcome {
        rows,
        changed,
        replaced: counts(replaced),
        remaining: counts(remaining),
        next: next.map(|at| ScrubCursor { org: org.uuid(), at }).or(next_org),
    }
}

fn counts(found: BTreeMap<(&'static str, String), u64>) -> Vec<wire::ScrubCount> {
    let count = |((table, kind), count): ((&'static str, String), u64)| wire::ScrubCount {
        table: table.to_owned(),
        kind,
        count,
    };
    found.into_iter().map(count).collect()
}
