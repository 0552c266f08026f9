//! Compactions on request.

use orgmem_compact::Exclusion;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ActPass, Permission};
use orgmem_store::{AuditRecord, PageThreads, PageWork, ReadPlan, UncorrelatedEpisodes};
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::compaction::Tally;

impl App {
    /// Compacts all episodes of the workspace, or of one of its subjects, and reports what became of them. With
    /// `dry_run`, only reports.
    ///
    /// # Source
    /// `docs/spec/pages.md`, "Compaction".
    pub async fn compact_pages(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CompactPages,
        dry_run: bool,
    ) -> Result<wire::CompactionReport, AppError> {
        let of = PageThreads { workspace: workspace.into(), subject: request.subject };
        let mut tally = Tally::default();
        let uncorrelated = if dry_run {
            let (mut planned, uncorrelated) = self.planned(auth, workspace, of).await?;
            for plan in planned.drain(..) {
                tally.add(plan);
            }
            uncorrelated
        } else {
            let (org, uncorrelated) = self.make_due(auth, workspace, of.clone()).await?;
            self.compactor.run(org, of, &mut tally).await?;
            uncorrelated
        };
        tally.read += uncorrelated.redacted + uncorrelated.server + uncorrelated.others;
        for (exclusion, count) in [
            (Exclusion::Redacted, uncorrelated.redacted),
            (Exclusion::Server, uncorrelated.server),
            (Exclusion::Provenance, uncorrelated.others),
        ] {
            *tally.left_out.entry(exclusion).or_default() += count;
        }
        Ok(report(tally, dry_run))
    }

    async fn make_due(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        of: PageThreads,
    ) -> Result<(OrgId, UncorrelatedEpisodes), AppError> {
        let counts = of.clone();
        // before the write, because it reads many rows
        let counted = self.read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            call.refuse_bound("compact pages")?;
            call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            let threads = call.tx.page_threads(call.org, &counts)?;
            Ok((call.org, threads, call.tx.uncorrelated_episodes(call.org, &counts)?))
        });
        let (org, threads, uncorrelated) = counted.await?;
        self.write(auth.call(workspace), move |call| {
            let id = call.workspace;
            let pass = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            call.tx.note_pages(&pass, &threads)?;
            call.tx.record(AuditRecord::new(AuditAction::CompactPages, id).context_field("threads", threads.len()))?;
            Ok(())
        })
        .await?;
        Ok((org, uncorrelated))
    }

    async fn planned(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        of: PageThreads,
    ) -> Result<(Vec<Tally>, UncorrelatedEpisodes), AppError> {
        let compactor = self.compactor.clone();
        self.read(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let id = call.workspace;
            call.refuse_bound("compact pages")?;
            call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            let threads = call.tx.page_threads(call.org, &of)?;
            let mut tallies = Vec::new();
            for of_subject in threads.chunk_by(|one, next| one.0 == next.0) {
                let subject = of_subject.first().map(|(subject, _)| subject.clone()).unwrap_or_default();
                let threads = of_subject.iter().map(|(_, thread)| thread.clone()).collect();
                let work = PageWork { workspace: id, subject, threads, marks: Vec::new() };
                tallies.push(compactor.plan_all(call.tx, call.org, work)?.tally);
            }
            Ok((tallies, call.tx.uncorrelated_episodes(call.org, &of)?))
        })
        .await
    }
}

fn report(tally: Tally, dry_run: bool) -> wire::CompactionReport {
    let counted = tally.left_out.into_iter().filter(|(_, count)| *count > 0);
    let mut report = wire::CompactionReport {
        dry_run,
        read: tally.read,
        left_out: counted.map(|(exclusion, count)| (reason(exclusion).to_owned(), count)).collect(),
        written: tally.written,
        removed: tally.removed,
        moved: tally.moved,
        ..wire::CompactionReport::default()
    };
    for subject in tally.subjects.values() {
        add(&mut report.pages, subject.pages);
        add(&mut report.tokens, subject.tokens);
        report.below_gate += subject.below_gate;
    }
    report
}

fn add(to: &mut wire::TierCounts, [hot, warm, cold]: [usize; 3]) {
    to.hot += hot;
    to.warm += warm;
    to.cold += cold;
}

fn reason(exclusion: Exclusion) -> &'static str {
    match exclusion {
        Exclusion::Redacted => "redacted",
        Exclusion::Server => "server",
        Exclusion::Superseded => "superseded",
        Exclusion::Provenance => "no_provenance",
        Exclusion::NoKind => "no_kind",
        Exclusion::ExcludedKind => "excluded_kind",
    }
}
