//! What a profile, or a change of one, would do before it is made: to what is kept, and to what its workspace reads.

use std::sync::Arc;

use orgmem_hierarchy::Scope;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ProfileSettings, ReadPass};
use orgmem_recall::Query;
use orgmem_store::{AuditRecord, Excess, ReadPlan, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::{ReadCall, WriteCall};
use super::profiles::Changing;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// What came of a change before it was undone.
struct Tried {
    profile: wire::Profile,
    excess: Excess,
    /// What the default profile said before, and would say.
    before: Arc<ProfileSettings>,
    after: Arc<ProfileSettings>,
}

impl App {
    /// What [`create_profile`](Self::create_profile) would do; it refuses what that refuses.
    ///
    /// # Errors
    /// As for [`create_profile`](Self::create_profile).
    ///
    /// # Source
    /// docs/spec/profiles.md, "Retention".
    pub async fn preview_profile(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CreateProfile,
    ) -> Result<wire::ProfilePreview, AppError> {
        let making = self.making(who, request)?;
        self.tried(who, workspace, move |call| making.carry_out(call)).await
    }

    /// What [`change_profile`](Self::change_profile) would do; it refuses what that refuses.
    ///
    /// # Errors
    /// As for [`change_profile`](Self::change_profile).
    pub async fn preview_profile_change(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        profile: Uuid,
        request: wire::PatchProfile,
    ) -> Result<wire::ProfilePreview, AppError> {
        let changing = Changing { profile, request, scrubber: self.scrubber };
        self.tried(who, workspace, move |call| changing.carry_out(call)).await
    }

    /// Carries out `work`, looks at what came of it, and undoes it.
    async fn tried<F>(&self, who: &VerifiedClaims, workspace: Uuid, work: F) -> Result<wire::ProfilePreview, AppError>
    where
        F: Fn(&mut WriteCall<'_>) -> Result<wire::Profile, AppError> + Send + 'static,
    {
        let trying = self.dry_run(who.call(workspace), move |call| {
            let before = call.tx.default_settings(call.org, call.workspace)?;
            let profile = work(call)?;
            let after = call.tx.default_settings(call.org, call.workspace)?;
            let written = call.profile(profile.id)?;
            Ok(Tried { profile, excess: call.tx.excess(call.org, &written)?, before, after })
        });
        let Tried { profile, excess, before, after } = trying.await?;
        // what it reads is counted without the lock of the org, as nothing has to be written for that
        let counting = self.read_audited(who.call(workspace).plan(ReadPlan::Scan), move |call| {
            let reads_alike = before.isolation == after.isolation && before.excluded_kinds == after.excluded_kinds;
            if reads_alike {
                return Ok(((wire::MemoryCounts::default(), wire::MemoryCounts::default()), None));
            }
            let stays = call.read_by(&Arc::new(before.and(&after)))?;
            let gains = less(call.read_by(&after)?, stays);
            let loses = less(call.read_by(&before)?, stays);
            let count = [gains, loses].into_iter().map(|by| by.local + by.team + by.global).sum::<i64>();
            Ok((
                (gains, loses),
                Some(AuditRecord::new(AuditAction::CountMemories, call.workspace).context_field("count", count)),
            ))
        });
        let (gains, loses) = counting.await?;
        let Excess { too_old, too_many } = excess;
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
    /// How many memories the workspace reads where its default profile says this.
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

fn less(all: wire::MemoryCounts, part: wire::MemoryCounts) -> wire::MemoryCounts {
    wire::MemoryCounts { local: all.local - part.local, team: all.team - part.team, global: all.global - part.global }
}
