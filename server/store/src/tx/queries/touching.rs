//! The end of life of memories, set without a new version.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_policies::EditPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::rules::{Expiry, is_editable};
use uuid::Uuid;

use super::Tx;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::contract::{Analysed, AuditRecord, Touch};
use crate::schema::memories;

impl Tx<'_> {
    pub(crate) fn touch_memories(
        &mut self,
        pass: &EditPass,
        touches: &[Touch],
    ) -> Result<Vec<(Uuid, DateTime<Utc>)>, StoreError> {
        let (mut touched, mut named) = (Vec::new(), Vec::new());
        for touch in touches {
            let row = self.memory_row(pass.org(), touch.id)?;
            let Some(row) = row.filter(|row| is_editable(&row.location(), pass.author(), self.now)) else { continue };
            if self.is_of_other_user(pass.user(), &row)? {
                continue;
            }
            if touch.version.is_some_and(|version| version != row.version) {
                continue;
            }
            let profile = self.profile_of(&row)?;
            let expiry = profile.expiry(row.updated_at.0, Some(Expiry::requested(touch.expires_at)));
            let (id, version, current) = (row.id.0, row.version, row.expiry());
            // a maximum age that has passed meanwhile is left to the sweeper
            let Some(expiry) = expiry.filter(|expiry| expiry.at > self.now) else { continue };
            touched.push((id, expiry.at));
            if Some(expiry) != current {
                self.set_expiry(row, expiry)?;
                named.push((id, version));
            }
        }
        if !named.is_empty() {
            self.record(AuditRecord::new(AuditAction::TouchMemories, pass.author()).about(named))?;
        }
        Ok(touched)
    }

    /// Changes the end of a live memory. Its version, its place among the results and its skills remain.
    fn set_expiry(&mut self, row: MemoryRow, expiry: Expiry) -> Result<(), StoreError> {
        let org_version = self.touch(row.org_id.org())?;
        let row = row.expiring(Some(expiry));
        let set = (memories::expires_at.eq(row.expires_at), memories::expiry_rule.eq(row.expiry_rule));
        diesel::update(memories::table.find((row.org_id, row.id))).set(set).execute(self.drained()?)?;
        let content = row.content.as_deref().unwrap_or_default();
        let analysed = Analysed::of(row.authored.title.as_deref(), content);
        self.reindex(&row, &analysed, org_version)
    }
}
