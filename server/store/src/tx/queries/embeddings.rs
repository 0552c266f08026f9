//! Embeddings of memories, stored in their index rows.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::upsert::excluded;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_recall::{Doc, Embeddings, Query, Vector};

use super::Tx;
use super::memory_rows::index_key;
use super::page_rows::text_of;
use crate::StoreError;
use crate::cache::{Effect, IndexChange, PartitionKey};
use crate::columns::{Id, PartitionScope, TextEnum, row_limit};
use crate::contract::{Embedded, EmbeddingBacklog, EmbeddingModel, ItemType, Unembedded, WaitingText, searchable};
use crate::engine::RowContext;
use crate::schema::{document_passages, embeddings, memories, memory_index, orgs, pages, workspaces};

/// A title and a content.
type TitledText = (Option<String>, Option<String>);

/// The tier of a page and its two texts.
type PageTexts = Option<(String, String, String)>;

/// The author, scope, team, id and `org_version` of an item, and the text of the memory, passage or page with the id.
type TextRow = (Id, TextEnum<PartitionScope>, Id, Id, i64, TitledText, TitledText, PageTexts);

impl Tx<'_> {
    pub(crate) fn orgs_to_embed(&mut self, model: i32) -> Result<Vec<EmbeddingBacklog>, StoreError> {
        let progress = embeddings::org_id.eq(orgs::org_id).and(embeddings::model.eq(model));
        let rows: Vec<(Id, i64, Option<i64>)> = orgs::table
            .left_join(embeddings::table.on(progress))
            .filter(embeddings::org_version.is_null().or(embeddings::org_version.lt(orgs::version)))
            .select((orgs::org_id, orgs::version, embeddings::org_version.nullable()))
            .load(self.conn()?)
            .row_context("embeddings", model)?;
        let behind = |(org, version, embedded): (Id, i64, Option<i64>)| EmbeddingBacklog {
            org: org.org(),
            version,
            embedded: embedded.unwrap_or(0),
        };
        Ok(rows.into_iter().map(behind).collect())
    }

    pub(crate) fn unembedded(
        &mut self,
        org: OrgId,
        model: i32,
        after: i64,
        most: usize,
    ) -> Result<Unembedded, StoreError> {
        let version = self.view(org)?.row.version;
        let text = memories::org_id.eq(memory_index::org_id).and(memories::id.eq(memory_index::memory_id));
        let passage =
            document_passages::org_id.eq(memory_index::org_id).and(document_passages::id.eq(memory_index::memory_id));
        let page = pages::org_id
            .eq(memory_index::org_id)
            .and(pages::workspace_id.eq(memory_index::author_id))
            .and(pages::id.eq(memory_index::memory_id));
        let rows: Vec<TextRow> = memory_index::table
            .left_join(memories::table.on(text))
            .left_join(document_passages::table.on(passage))
            .left_join(pages::table.on(page))
            .filter(memory_index::org_id.eq(Id::from(org)))
            .filter(memory_index::org_version.gt(after))
            .filter(memory_index::doc.is_not_null())
            .filter(memory_index::model.is_null().or(memory_index::model.ne(model)))
            .order(memory_index::org_version)
            .limit(row_limit(most))
            .select((
                memory_index::author_id,
                memory_index::scope,
                memory_index::team_id,
                memory_index::memory_id,
                memory_index::org_version,
                (memories::title.nullable(), memories::content.nullable()),
                (document_passages::title.nullable(), document_passages::content.nullable()),
                (pages::tier, pages::hot, pages::warm).nullable(),
            ))
            .load(self.conn()?)
            .row_context("memory_index", org)?;
        // the batch may end within the rows of its last `org_version`
        let until = rows.last().filter(|_| rows.len() >= most).map_or(version, |row| row.4 - 1);
        let text = |(author, scope, team, Id(memory), org_version, of_memory, of_passage, of_page): TextRow| {
            let PartitionKey { author, scope, team, items } = PartitionKey::of_row(author, scope, team);
            let (title, content) = match items {
                ItemType::Memory => of_memory,
                ItemType::Passage => of_passage,
                ItemType::Page => {
                    let text = of_page.and_then(|(tier, hot, warm)| text_of(&tier, &hot, &warm).map(str::to_owned));
                    (None, text)
                }
            };
            let content = searchable(title.as_deref(), &content.unwrap_or_default()).into_owned();
            WaitingText { items, author, scope, team, memory, org_version, content }
        };
        Ok(Unembedded { texts: rows.into_iter().map(text).collect(), until })
    }

    pub(crate) fn unembedded_count(&mut self, model: i32, most: i64) -> Result<i64, StoreError> {
        let mut count = 0;
        for EmbeddingBacklog { org, embedded, .. } in self.orgs_to_embed(model)? {
            let unembedded: Vec<i64> = memory_index::table
                .filter(memory_index::org_id.eq(Id::from(org)))
                .filter(memory_index::org_version.gt(embedded))
                .filter(memory_index::doc.is_not_null())
                .filter(memory_index::model.is_null().or(memory_index::model.ne(model)))
                .limit(most - count)
                .select(memory_index::org_version)
                .load(self.conn()?)
                .row_context("memory_index", org)?;
            count += i64::try_from(unembedded.len()).unwrap_or(most);
            if count >= most {
                break;
            }
        }
        Ok(count)
    }

    pub(crate) fn models_of(&mut self, org: OrgId) -> Result<Vec<EmbeddingModel>, StoreError> {
        let rows: Vec<(i32, String, i32)> = embeddings::table
            .filter(embeddings::org_id.eq(Id::from(org)))
            .order(embeddings::model)
            .select((embeddings::model, embeddings::name, embeddings::dimensions))
            .load(self.conn()?)
            .row_context("embeddings", org)?;
        Ok(rows.into_iter().map(known_model).collect())
    }

    pub(crate) fn former_models(&mut self, model: i32) -> Result<Vec<EmbeddingModel>, StoreError> {
        let rows: Vec<(i32, String, i32)> = embeddings::table
            .filter(embeddings::model.ne(model))
            .select((embeddings::model, embeddings::name, embeddings::dimensions))
            .distinct()
            .load(self.conn()?)
            .row_context("embeddings", model)?;
        Ok(rows.into_iter().map(known_model).collect())
    }

    pub(crate) fn authors_named(&mut self, pass: &ReadPass, query: &Query) -> Result<Vec<String>, StoreError> {
        let authors: BTreeSet<WorkspaceId> = pass.reach().parts().iter().map(|part| part.author()).collect();
        let authors: Vec<WorkspaceId> = authors.into_iter().collect();
        let named = self.named(pass.org(), &authors)?;
        let named = named.iter().filter(|(_, named)| query.names(&named.byline)).map(|(author, _)| Id::from(*author));
        let named: Vec<Id> = named.collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        workspaces::table
            .filter(workspaces::org_id.eq(Id::from(pass.org())))
            .filter(workspaces::id.eq_any(&named))
            .select(workspaces::name)
            .load(self.conn()?)
            .row_context("workspaces", pass.org())
    }
}

fn known_model((number, name, dimensions): (i32, String, i32)) -> EmbeddingModel {
    EmbeddingModel { number, name, dimensions: usize::try_from(dimensions).unwrap_or_default() }
}

impl Tx<'_> {
    pub(crate) fn put_embeddings(
        &mut self,
        org: OrgId,
        model: &EmbeddingModel,
        embedded: &[Embedded],
        until: i64,
    ) -> Result<usize, StoreError> {
        let mut stored = 0;
        if !embedded.is_empty() {
            let org_version = self.touch(org)?;
            for Embedded { text, vectors } in embedded {
                let embeddings =
                    (!vectors.is_empty()).then(|| Embeddings { model: model.number, vectors: vectors.clone() });
                stored += usize::from(self.put_embedding(org, model.number, text, embeddings, org_version)?);
            }
        }
        // other jobs of the group may write memories, which are beyond `until` and await their embeddings
        let is_all = until >= self.view(org)?.row.version;
        let org_id = Id::from(org);
        let dimensions = i32::try_from(model.dimensions).unwrap_or(i32::MAX);
        let row = (
            embeddings::org_id.eq(org_id),
            embeddings::model.eq(model.number),
            embeddings::name.eq(&model.name),
            embeddings::dimensions.eq(dimensions),
            embeddings::org_version.eq(until),
        );
        let conn = self.writing()?;
        diesel::insert_into(embeddings::table)
            .values(row)
            .on_conflict((embeddings::org_id, embeddings::model))
            .do_update()
            .set(embeddings::org_version.eq(excluded(embeddings::org_version)))
            .execute(conn)?;
        if is_all {
            let others =
                embeddings::table.filter(embeddings::org_id.eq(org_id)).filter(embeddings::model.ne(model.number));
            diesel::delete(others).execute(conn)?;
        }
        Ok(stored)
    }

    /// Returns false if the memory has changed since its text was read.
    fn put_embedding(
        &mut self,
        org: OrgId,
        model: i32,
        text: &WaitingText,
        embeddings: Option<Embeddings>,
        org_version: i64,
    ) -> Result<bool, StoreError> {
        let &WaitingText { items, author, scope, team, memory, org_version: written, .. } = text;
        let partition = PartitionKey { author, scope, team, items };
        let key = index_key(org, partition, memory);
        let doc: Option<Option<Vec<u8>>> = diesel::update(memory_index::table.find(key))
            .filter(memory_index::org_version.eq(written))
            .filter(memory_index::doc.is_not_null())
            .set((
                memory_index::org_version.eq(org_version),
                memory_index::model.eq(Some(model)),
                memory_index::vector.eq(embeddings.as_ref().map(|embeddings| Vector::encode_all(&embeddings.vectors))),
            ))
            .returning(memory_index::doc)
            .get_result(self.writing()?)
            .optional()?;
        let Some(doc) = doc.flatten() else { return Ok(false) };
        let doc = Doc::decode(&doc).map_err(|error| StoreError::unreadable("memory_index", memory, error))?;
        let effect = Effect::Add(Box::new(Doc { embeddings, ..doc }));
        self.pending.index_changes.push(IndexChange::new(org, partition, org_version, effect));
        Ok(true)
    }
}
