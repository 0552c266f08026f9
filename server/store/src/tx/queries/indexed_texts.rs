//! Index entries of items other than memories: passages of documents, and pages.

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_recall::{Doc, Embeddings, Vector};
use uuid::Uuid;

use super::Tx;
use super::memory_rows::{IndexRow, index_key};
use super::segments::embeddings;
use crate::StoreError;
use crate::cache::{Effect, IndexChange, PartitionKey};
use crate::columns::{Id, Time};
use crate::engine::RowContext;
use crate::schema::memory_index;

/// The confidence of a memory whose author states none, by which other items rank.
pub(crate) const NEUTRAL_CONFIDENCE: f64 = 0.5;

/// The index row of an item. Session search reads memories only, so there is no folded text. `expires_at` is when the
/// sweep removes the item.
pub(crate) fn text_index_row(org: Id, partition: PartitionKey, expires_at: Option<Time>, doc: &Doc) -> IndexRow {
    let embeddings = doc.embeddings.as_ref();
    IndexRow {
        org_id: org,
        author_id: partition.author.into(),
        scope: partition.row_scope(),
        team_id: Id::of_team(partition.team),
        memory_id: Id(doc.meta.id),
        org_version: doc.meta.seq,
        expires_at,
        doc: Some(doc.encode()),
        folded: None,
        model: embeddings.map(|embeddings| embeddings.model),
        vector: embeddings.map(|embeddings| Vector::encode_all(&embeddings.vectors)),
    }
}

impl Tx<'_> {
    /// Writes the index entry of an item in place of its last one. The caller counts new ones.
    pub(super) fn put_text(
        &mut self,
        org: OrgId,
        partition: PartitionKey,
        expires_at: Option<Time>,
        doc: Doc,
    ) -> Result<(), StoreError> {
        self.write_index_row(text_index_row(org.into(), partition, expires_at, &doc))?;
        let org_version = doc.meta.seq;
        for effect in [Effect::Remove(doc.meta.id), Effect::Add(Box::new(doc))] {
            self.pending.index_changes.push(IndexChange::new(org, partition, org_version, effect));
        }
        Ok(())
    }

    /// Removes the index entry of an item, which the caller counts. With `is_purged` its content is freed at once on every
    /// server. Returns whether it was in the index.
    pub(super) fn remove_text(
        &mut self,
        org: OrgId,
        partition: PartitionKey,
        id: Uuid,
        org_version: i64,
        is_purged: bool,
    ) -> Result<bool, StoreError> {
        let was_indexed = self.remove_index_row(org, partition, id, org_version)?;
        if was_indexed {
            let change = IndexChange::new(org, partition, org_version, Effect::Remove(id));
            self.pending.index_changes.push(change);
        }
        if is_purged {
            self.forget_index_row(org, partition, id, org_version)?;
        }
        Ok(was_indexed)
    }

    /// The vectors of an item in the index; `None` if it is not there.
    pub(super) fn indexed_text(
        &mut self,
        org: OrgId,
        partition: PartitionKey,
        id: Uuid,
    ) -> Result<Option<Option<Embeddings>>, StoreError> {
        let stored: Option<(Option<i32>, Option<Vec<u8>>)> = memory_index::table
            .find(index_key(org, partition, id))
            .filter(memory_index::doc.is_not_null())
            .select((memory_index::model, memory_index::vector))
            .first(self.drained()?)
            .optional()
            .row_context("memory_index", id)?;
        let Some((model, vector)) = stored else { return Ok(None) };
        let found = embeddings(model, vector.as_deref());
        found.map(Some).map_err(|()| StoreError::unreadable("memory_index", id, "its vectors cannot be decoded"))
    }
}
