//! Documents: reads by id and lists.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Via, WorkspaceId};
use orgmem_policies::rules::{DOCUMENT, DocumentFacts, MemoryLocation, StoredSize, TargetProfile};
use orgmem_policies::{ReadPass, WritePass};
use uuid::Uuid;

use super::document_rows::DocumentRow;
use super::document_writes::size_of;
use super::end_users::via_of;
use super::{Condition, Tx};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, holds_nul, row_limit};
use crate::contract::{DocumentCursor, DocumentFilter, MemoryStatus, ReadyDocument, StoredDocument};
use crate::engine::RowContext;
use crate::schema::documents;

/// Authors per statement.
const CHUNK: usize = 500;
/// Documents that are read at once, at least: profiles and filters omit some.
const MIN_BATCH: usize = 100;
/// The condition of the index of lists, which a bound value would not match.
const LIVE: &str = "documents.status = 'live'";

type Reached = (DocumentRow, Via);

impl Tx<'_> {
    pub(crate) fn document_row(&mut self, org: OrgId, id: Uuid) -> Result<Option<DocumentRow>, StoreError> {
        documents::table
            .find((Id::from(org), Id(id)))
            .select(DocumentRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("documents", id)
    }

    pub(crate) fn document(&mut self, pass: &ReadPass, id: Uuid) -> Result<Option<(StoredDocument, Via)>, StoreError> {
        let now = self.now;
        let row = self.document_row(pass.org(), id)?.filter(|row| row.location().is_live(now));
        let reached =
            row.and_then(|row| via_of(pass, row.partition(), DOCUMENT, None, (None, None)).map(|via| (row, via)));
        reached.map(|(row, via)| Ok((row.try_into()?, via))).transpose()
    }

    pub(crate) fn document_location(&mut self, org: OrgId, id: Uuid) -> Result<Option<MemoryLocation>, StoreError> {
        Ok(self.document_row(org, id)?.map(|row| row.location()))
    }

    pub(crate) fn list_documents(
        &mut self,
        pass: &ReadPass,
        filter: &DocumentFilter,
        after: Option<DocumentCursor>,
        limit: usize,
    ) -> Result<Vec<(StoredDocument, Via)>, StoreError> {
        let texts = [&filter.collection, &filter.tag, &filter.media_type, &filter.source_uri];
        if texts.into_iter().flatten().any(|text| holds_nul(text)) {
            return Ok(Vec::new());
        }
        let authors: BTreeSet<WorkspaceId> = pass.reach().parts().iter().map(|part| part.author()).collect();
        let is_wanted = |author: &WorkspaceId| filter.author.is_none_or(|wanted| wanted == *author);
        let authors: Vec<Id> = authors.into_iter().filter(is_wanted).map(Id::from).collect();
        let mut found: Vec<Reached> = Vec::new();
        for authors in authors.chunks(CHUNK) {
            found.extend(self.newest_documents(pass, filter, authors, after, limit)?);
        }
        found.sort_by_key(|(row, _)| Reverse((row.created_at, row.id)));
        found.truncate(limit);
        found.into_iter().map(|(row, via)| Ok((row.try_into()?, via))).collect()
    }

    fn newest_documents(
        &mut self,
        pass: &ReadPass,
        filter: &DocumentFilter,
        authors: &[Id],
        mut after: Option<DocumentCursor>,
        limit: usize,
    ) -> Result<Vec<Reached>, StoreError> {
        let batch = limit.max(MIN_BATCH);
        let mut found = Vec::new();
        loop {
            let mut rows = documents::table
                .filter(documents::org_id.eq(Id::from(pass.org())))
                .filter(documents::author_id.eq_any(authors))
                .filter(Condition(LIVE))
                .filter(documents::expires_at.is_null().or(documents::expires_at.gt(Time(self.now))))
                .order((documents::created_at.desc(), documents::id.desc()))
                .limit(row_limit(batch))
                .select(DocumentRow::as_select())
                .into_boxed();
            if let Some((at, id)) = after {
                let is_earlier = documents::created_at.lt(Time(at));
                rows = rows.filter(is_earlier.or(documents::created_at.eq(Time(at)).and(documents::id.lt(Id(id)))));
            }
            if let Some(scope) = filter.scope {
                rows = rows.filter(documents::scope.eq(TextEnum(scope)));
            }
            if let Some(collection) = &filter.collection {
                rows = rows.filter(documents::collection.eq(collection.clone()));
            }
            if let Some(media_type) = &filter.media_type {
                rows = rows.filter(documents::media_type.eq(media_type.clone()));
            }
            if let Some(source_uri) = &filter.source_uri {
                rows = rows.filter(documents::source_uri.eq(source_uri.clone()));
            }
            let rows: Vec<DocumentRow> = rows.load(self.drained()?).row_context("documents", pass.org())?;
            let is_last = rows.len() < batch;
            after = rows.last().map(|row| (row.created_at.0, row.id.0));
            for row in rows {
                if filter.tag.as_ref().is_some_and(|tag| !has_tag(&row, tag)) {
                    continue;
                }
                if let Some(via) = via_of(pass, row.partition(), DOCUMENT, None, (None, None)) {
                    found.push((row, via));
                }
            }
            if is_last || found.len() >= limit {
                return Ok(found);
            }
        }
    }

    pub(crate) fn same_document(
        &mut self,
        pass: &WritePass,
        document: &ReadyDocument,
    ) -> Result<Option<Uuid>, StoreError> {
        let found: Option<Id> = documents::table
            .filter(documents::org_id.eq(Id::from(pass.org())))
            .filter(documents::author_id.eq(Id::from(pass.author())))
            .filter(documents::content_hash.eq(document.content_hash.to_vec()))
            .filter(documents::status.eq(TextEnum(MemoryStatus::Live)))
            .filter(documents::scope.eq(TextEnum(pass.scope())))
            .filter(documents::team_id.eq(Id::of_team(pass.team())))
            .filter(documents::title.eq(document.draft.fields().title.as_str().to_owned()))
            .filter(documents::expires_at.is_null().or(documents::expires_at.gt(Time(self.now))))
            .order(documents::id)
            .select(documents::id)
            .first(self.drained()?)
            .optional()
            .row_context("documents", "of an author")?;
        Ok(found.map(|id| id.0))
    }

    pub(crate) fn document_facts(
        &mut self,
        org: OrgId,
        author: WorkspaceId,
        document: &ReadyDocument,
        id: Uuid,
    ) -> Result<DocumentFacts, StoreError> {
        let existing = self.document_row(org, id)?;
        let stored = existing.as_ref().filter(|row| row.is_live()).map_or(0, |row| row.passages);
        // an upload of the same content writes nothing
        let is_same = existing.as_ref().is_some_and(|row| row.content_hash == document.content_hash);
        let bytes = if is_same { 0 } else { size_of(document) };
        Ok(DocumentFacts {
            profile: TargetProfile::default_of(self.default_settings(org, author)?),
            existing: existing.map(|row| row.location()),
            budgets: self.budgets_above(org, author)?,
            growth: StoredSize { memories: super::document_writes::count(document.passages.len()) - stored, bytes },
        })
    }
}

fn has_tag(row: &DocumentRow, tag: &str) -> bool {
    serde_json::from_str::<Vec<String>>(&row.tags).is_ok_and(|tags| tags.iter().any(|known| known == tag))
}
