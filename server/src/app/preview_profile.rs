//! Dry runs of profile changes: the memories that would expire, and those that the workspace would gain or lose.

use std::sync::Arc;

use orgmem_hierarchy::Scope;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ProfileSettings, ReadPass};
use orgmem_recall::Query;
use orgmem_store::{AuditRecord, ReadPlan, RetentionExcess, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{ReadCall, WriteCall};
use super::profile_requests::ProfileChange;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// The results of a change that was rolled back.
struct ProfileDryRun {
    profile: wire::Profile,
    excess: RetentionExcess,
    /// The settings of the default profile before and after the change.
    before: Arc<ProfileSettings>,
    after: Arc<ProfileSettings>,
}

impl App {
    /// The effect of [`create_profile`](Self::create_profile); changes nothing.
    ///
    /// # Errors
    /// As for [`create_profile`](Self::create_profile).
    ///
    /// # Source
    /// `docs/spec/profiles.md`, "Dry run".
    pub async fn preview_profile(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
    ) -> Result<wire::ProfilePreview, AppError> {
        let creation = self.parse_creation(auth, workspace, request).await?;
        self.dry_run_profile(auth, workspace, move |call| creation.apply(call)).await
    }

    /// The effect of [`change_profile`](Self::change_profile); changes nothing.
    ///
    /// # Errors
    /// As for [`change_profile`](Self::change_profile).
    pub async fn preview_profile_change(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
        request: wire::PatchProfile,
    ) -> Result<wire::ProfilePreview, AppError> {
        let change = ProfileChange { profile, request, scrubber: self.scrubber };
        self.dry_run_profile(auth, workspace, move |call| change.apply(call)).await
    }

    /// Runs `work` in a transaction that is rolled back, and returns its effect.
    async fn dry_run_profile<F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        work: F,
    ) -> Result<wire::ProfilePreview, AppError>
    where
        F: Fn(&mut WriteCall<'_>) -> Result<wire::Profile, AppError> + Send + 'static,
    {
        let running = self.dry_run(auth.call(workspace), move |call| {
            let before = call.tx.default_settings(call.org, call.workspace)?;
            let profile = work(call)?;
            let after = call.tx.default_settings(call.org, call.workspace)?;
            let written = call.profile(profile.id)?;
            Ok(ProfileDryRun { profile, excess: call.tx.excess(call.org, &written)?, before, after })
        });
        let ProfileDryRun { profile, excess, before, after } = running.await?;
        // readable memories are counted in a read, which does not lock the org
        let counting = self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reads_the_same = before.isolation == after.isolation
                && before.within == after.within
                && before.excluded_kinds == after.excluded_kinds
                && before.separation() == after.separation();
            if reads_the_same {
                return Ok(((wire::MemoryCounts::default(), wire::MemoryCounts::default()), None));
            }
            let common = call.read_by(&Arc::new(before.and(&after)))?;
            let gains = minus(call.read_by(&after)?, common);
            let loses = minus(call.read_by(&before)?, common);
            let count = [gains, loses].into_iter().map(|by| by.local + by.team + by.global).sum::<i64>();
            Ok((
                (gains, loses),
                Some(AuditRecord::new(AuditAction::CountMemories, call.workspace).context_field("count", count)),
            ))
        });
        let (gains, loses) = counting.await?;
        let RetentionExcess { too_old, too_many } = excess;
        Ok(wire::ProfilePreview {
            dry_run: true,
            profile,
            expires: too_old + too_many,
            too_old,
            too_many,
            gains,
            loses,
        })
    }
}

impl ReadCall<'_> {
    /// The numbers of memories that the workspace reads with these settings as its default profile.
    fn read_by(&mut self, settings: &Arc<ProfileSettings>) -> Result<wire::MemoryCounts, AppError> {
        let reader = self.workspace;
        let pass = self.pass(|caller, tree| ReadPass::grant(caller, tree, reader, settings))?;
        let mut of = |scope| {
            let search = Search { query: Query::parse(""), scopes: vec![scope], ..Search::default() };
            Ok::<_, AppError>(i64::try_from(self.tx.count(&pass, &search)?).unwrap_or(i64::MAX))
        };
        Ok(wire::MemoryCounts { local: of(Scope::Local)?, team: of(Scope::Team)?, global: of(Scope::Global)? })
    }
}

fn minus(all: wire::MemoryCounts, part: wire::MemoryCounts) -> wire::MemoryCounts {
    wire::MemoryCounts { local: all.local - part.local, team: all.team - part.team, global: all.global - part.global }
}
