//! Memories that are superseded without a successor.

use orgmem_policies::EditPass;
use orgmem_policies::audit::EventKind;
use orgmem_policies::drafts::ReasonDraft;
use orgmem_policies::rules::MemoryChange;
use uuid::Uuid;

use super::Tx;
use super::audit_records::memory_record;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{TextEnum, Time};
use crate::contract::{Analysed, MemoryStatus};

impl Tx<'_> {
    pub(crate) fn retire_memory(
        &mut self,
        pass: &EditPass,
        id: Uuid,
        reason: &ReasonDraft,
    ) -> Result<bool, StoreError> {
        let now = self.now;
        let known = self.memory_row(pass.org(), id)?;
        let known = known.filter(|row| row.author_id == pass.author().into() && row.location().is_live(now));
        let Some(known) = known else { return Ok(false) };
        let metadata = known.authored.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let mut metadata: serde_json::Map<String, serde_json::Value> = metadata.unwrap_or_default();
        metadata.insert("rolled_back".to_owned(), reason.as_str().into());
        let analysed = Analysed::of(known.authored.title.as_deref(), known.content.as_deref().unwrap_or_default());
        let mut next = MemoryRow {
            status: TextEnum(MemoryStatus::Superseded),
            writer_role: TextEnum(pass.role()),
            version: known.version + 1,
            seq: self.next_seq(pass.org())?,
            org_version: self.touch(pass.org())?,
            updated_at: Time(self.now),
            ..known.clone()
        };
        next.authored.metadata = Some(serde_json::Value::Object(metadata).to_string());
        let record = memory_record(MemoryChange::Edited, &next)
            .context_field("change", "superseded")
            .context_field("reason", reason.as_str())
            .event_kind(Some(EventKind::MemoryDeleted));
        self.record(record)?;
        self.replace(&known, next, &analysed)?;
        Ok(true)
    }
}
