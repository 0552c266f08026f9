//! All orgs, with their activity and the facts that call for an action: the start page of an admin.

use std::collections::HashMap;

use chrono::{DateTime, Days, TimeDelta, Utc};
use orgmem_hierarchy::OrgId;
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{OrgDay, OrgSummary, ReadPlan};
use orgmem_types as wire;

use super::wire::counts;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Days of activity in a response.
pub(crate) const DAYS_MAX: u32 = 90;
/// Age of the oldest timed-out run that calls for an action.
const RECENT_RUNS: TimeDelta = TimeDelta::hours(24);

impl App {
    /// All orgs, each with its numbers of workspaces and memories; with `days`, also the activity of each org and the
    /// facts that call for an action.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for callers other than admins; [`AppError::Field`] for an invalid number of days.
    pub async fn admin_tree(
        &self,
        auth: &VerifiedClaims,
        query: wire::AdminTreeQuery,
    ) -> Result<wire::AdminTree, AppError> {
        let days = query.days;
        if days.is_some_and(|days| !(1..=DAYS_MAX).contains(&days)) {
            return Err(AppError::Field { field: "days", expected: format!("1 to {DAYS_MAX}") });
        }
        let of_server = self.server_attention();
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            let pass = ServerPass::grant(caller, ServerAction::ReadServer)?;
            let summaries = tx.org_summaries(&pass)?;
            let Some(days) = days else {
                return Ok(wire::AdminTree { orgs: summaries.into_iter().map(org_to_wire).collect(), attention: None });
            };
            let now = tx.now();
            let timed_out = tx.timed_out_runs(&pass, now - RECENT_RUNS)?;
            let mut activity = tx.org_days(&pass, days)?;
            let mut attention = of_server.clone();
            attention.extend(summaries.iter().filter_map(|org| timed_out_runs(org, &timed_out)));
            let with_activity = |org: OrgSummary| {
                let counted = activity.remove(&org.org).unwrap_or_default();
                wire::OrgSummary { activity: Some(every_day(&counted, now, days)), ..org_to_wire(org) }
            };
            Ok(wire::AdminTree { orgs: summaries.into_iter().map(with_activity).collect(), attention: Some(attention) })
        })
        .await
    }

    /// The facts about the server as a whole.
    fn server_attention(&self) -> Vec<wire::Attention> {
        let embedder = self.embedding.as_ref().map(|embedding| embedding.status.to_wire());
        let failing = embedder.and_then(|embedder| {
            let error = embedder.failing?;
            let detail = format!("the embedder `{}` fails: {error}", embedder.name);
            Some(wire::Attention { kind: wire::AttentionKind::EmbedderFailing, org_id: None, detail })
        });
        let reranker = self.reranking.as_ref().map(|reranking| reranking.status().to_wire());
        let not_reranking = reranker.and_then(|reranker| {
            let error = reranker.failing?;
            let detail = format!("the reranker `{}` fails: {error}", reranker.name);
            Some(wire::Attention { kind: wire::AttentionKind::RerankerFailing, org_id: None, detail })
        });
        let full = self.disk.as_ref().and_then(|disk| disk.shortage()).map(|shortage| wire::Attention {
            kind: wire::AttentionKind::DiskFull,
            org_id: None,
            detail: AppError::DiskFull { free_bytes: shortage.free_bytes, min_free_bytes: shortage.min_free_bytes }
                .to_string(),
        });
        failing.into_iter().chain(not_reranking).chain(full).collect()
    }
}

fn org_to_wire(org: OrgSummary) -> wire::OrgSummary {
    wire::OrgSummary {
        org_id: org.org.uuid(),
        name: org.name,
        workspaces: org.workspaces,
        memories: counts(&org.memories),
        created_at: org.created_at,
        activity: None,
    }
}

fn timed_out_runs(org: &OrgSummary, counts: &HashMap<OrgId, i64>) -> Option<wire::Attention> {
    let count = *counts.get(&org.org)?;
    let runs = if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
    let detail = format!("{runs} of `{}` timed out in the last 24 hours, and their memories were dropped", org.name);
    Some(wire::Attention { kind: wire::AttentionKind::RunsTimedOut, org_id: Some(org.org.uuid()), detail })
}

/// A row for each of the last `days` days; the store has only days with operations.
fn every_day(counted: &[OrgDay], now: DateTime<Utc>, days: u32) -> Vec<wire::OrgDay> {
    let today = now.date_naive();
    let all = (0..days).rev().filter_map(|ago| today.checked_sub_days(Days::new(u64::from(ago))));
    let row = |day| {
        let found = counted.iter().find(|one| one.day == day);
        wire::OrgDay {
            day,
            memories: found.map_or(0, |one| one.memories),
            writes: found.map_or(0, |one| one.writes),
            reads_by_agents: found.map_or(0, |one| one.agent_reads),
            reads_by_people: found.map_or(0, |one| one.people_reads),
        }
    };
    all.map(row).collect()
}
