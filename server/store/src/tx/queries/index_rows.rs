//! Index rows of memories.

use orgmem_recall::{Doc, Embeddings, Meta, Vector};

use super::memory_rows::{IndexRow, MemoryRow};
use crate::StoreError;
use crate::contract::{Analysed, MemoryStatus};

pub(crate) fn index_row(row: &MemoryRow, doc: Option<&Doc>, analysed: &Analysed) -> IndexRow {
    let embeddings = doc.and_then(|doc| doc.embeddings.as_ref());
    IndexRow {
        org_id: row.org_id,
        author_id: row.author_id,
        scope: row.partition().row_scope(),
        team_id: row.team_id,
        memory_id: row.id,
        org_version: row.org_version,
        expires_at: row.expires_at.filter(|_| doc.is_some()),
        doc: doc.map(Doc::encode),
        folded: doc.map(|_| analysed.folded.clone()),
        model: embeddings.map(|embeddings| embeddings.model),
        vector: embeddings.map(|embeddings| Vector::encode_all(&embeddings.vectors)),
    }
}

/// The index row of a stored memory, computed from its content and without vectors; none unless it is live.
pub(crate) fn stored_index_row(row: &MemoryRow) -> Result<Option<IndexRow>, StoreError> {
    let Some(content) = &row.content else { return Ok(None) };
    let analysed = Analysed::of(row.authored.title.as_deref(), content);
    Ok(doc(row, &analysed, None)?.map(|doc| index_row(row, Some(&doc), &analysed)))
}

/// The search document of a memory; none unless it is live.
pub(crate) fn doc(
    row: &MemoryRow,
    analysed: &Analysed,
    embeddings: Option<Embeddings>,
) -> Result<Option<Doc>, StoreError> {
    if row.status.0 != MemoryStatus::Live {
        return Ok(None);
    }
    let unreadable = |_| StoreError::unreadable("memories", row.id.0, "its tags are not a list");
    let labels = &row.authored;
    let tags = serde_json::from_str(&labels.tags).map_err(unreadable)?;
    let meta = Meta {
        id: row.id.0,
        seq: row.org_version,
        number: row.seq,
        created_at: row.created_at.0.timestamp_micros(),
        expires_at: row.expires_at.map(|at| at.0.timestamp_micros()),
        confidence: labels.confidence,
        pinned: labels.pin,
        namespace: labels.namespace.clone(),
        kind: labels.kind.clone(),
        source: labels.source.0.as_str().to_owned(),
        subject: labels.subject.clone(),
        session_id: labels.session_id.clone(),
        session_only: labels.session_only,
        run_id: row.run_id.map(|run| run.0.to_string()),
        tags,
    };
    Ok(Some(Doc { meta, analysis: analysed.analysis.clone(), embeddings }))
}
