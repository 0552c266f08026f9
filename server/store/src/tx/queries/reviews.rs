//! Reviews: what reads found, and what people decided.

use std::collections::HashSet;

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::ActPass;
use orgmem_policies::rules::{FieldValue, ReviewStatus};
use serde_json::Value;
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time, holds_nul, row_limit};
use crate::contract::{Difference, MemoryStatus, Review, ReviewFilter, ReviewedKind};
use crate::engine::RowContext;
use crate::schema::{episodes, memories, reviews};

const TABLE: &str = "reviews";

#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = reviews, treat_none_as_default_value = false)]
struct ReviewRow {
    org_id: Id,
    id: Id,
    workspace_id: Id,
    item_kind: String,
    item_id: Id,
    item_version: i64,
    entity: String,
    field: String,
    claimed: String,
    recorded: String,
    unit: Option<String>,
    source: String,
    as_of: Time,
    status: String,
    created_at: Time,
    decided_at: Option<Time>,
    decided_by: Option<String>,
    note: Option<String>,
}

impl ReviewRow {
    fn read(self) -> Result<Review, StoreError> {
        let unreadable = |reason: &str| StoreError::unreadable(TABLE, self.id.0, reason);
        let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|_| unreadable("a value is not JSON"));
        let kind =
            [ReviewedKind::Memory, ReviewedKind::Episode].into_iter().find(|kind| kind.as_str() == self.item_kind);
        let status: Option<ReviewStatus> = self.status.parse().ok();
        let record = FieldValue { value: json(&self.recorded)?, unit: self.unit.clone(), source: self.source.clone() };
        let difference = Difference {
            kind: kind.ok_or_else(|| unreadable("an unknown kind of item"))?,
            item: self.item_id.0,
            version: self.item_version,
            workspace: self.workspace_id.workspace(),
            claimed: json(&self.claimed)?,
            record,
            as_of: self.as_of.0,
            entity: self.entity.clone(),
            field: self.field.clone(),
        };
        Ok(Review {
            id: self.id.0,
            difference,
            status: status.ok_or_else(|| unreadable("an unknown status"))?,
            created_at: self.created_at.0,
            decided_at: self.decided_at.map(|at| at.0),
            decided_by: self.decided_by,
            note: self.note,
        })
    }
}

impl Tx<'_> {
    pub(crate) fn list_reviews(
        &mut self,
        org: OrgId,
        filter: &ReviewFilter,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<Review>, StoreError> {
        let ReviewFilter { workspace, status, entity } = filter;
        if entity.as_deref().is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let mut rows = reviews::table
            .filter(reviews::org_id.eq(Id::from(org)))
            .order(reviews::id.desc())
            .limit(row_limit(limit))
            .select(ReviewRow::as_select())
            .into_boxed();
        if let Some(workspace) = workspace {
            rows = rows.filter(reviews::workspace_id.eq(Id::from(*workspace)));
        }
        if let Some(status) = status {
            rows = rows.filter(reviews::status.eq(status.as_str()));
        }
        if let Some(entity) = entity {
            rows = rows.filter(reviews::entity.eq(entity));
        }
        if let Some(before) = before {
            rows = rows.filter(reviews::id.lt(Id(before)));
        }
        let rows: Vec<ReviewRow> = rows.load(self.drained()?).row_context(TABLE, org)?;
        rows.into_iter().map(ReviewRow::read).collect()
    }

    pub(crate) fn review(&mut self, org: OrgId, id: Uuid) -> Result<Option<Review>, StoreError> {
        let row: Option<ReviewRow> = reviews::table
            .find((Id::from(org), Id(id)))
            .select(ReviewRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, id)?;
        row.map(ReviewRow::read).transpose()
    }

    pub(crate) fn lost_claims(
        &mut self,
        org: OrgId,
        items: &[Uuid],
    ) -> Result<HashSet<(Uuid, String, String)>, StoreError> {
        if items.is_empty() {
            return Ok(HashSet::new());
        }
        let items: Vec<Id> = items.iter().copied().map(Id).collect();
        let rows: Vec<(Id, String, String)> = reviews::table
            .filter(reviews::org_id.eq(Id::from(org)))
            .filter(reviews::item_id.eq_any(items))
            .filter(reviews::status.eq(ReviewStatus::RecordWins.as_str()))
            .select((reviews::item_id, reviews::entity, reviews::field))
            .load(self.drained()?)
            .row_context(TABLE, org)?;
        Ok(rows.into_iter().map(|(item, entity, field)| (item.0, entity, field)).collect())
    }

    /// Opens a review for each difference that has none, unless its item has changed or lost its content since it was read.
    pub(crate) fn open_reviews(&mut self, differences: &[Difference]) -> Result<(), StoreError> {
        for difference in differences {
            if self.has_review(difference)? || !self.is_current_item(difference)? {
                continue;
            }
            let Difference { kind, item, version, workspace, entity, field, claimed, record, as_of } = difference;
            let row = ReviewRow {
                org_id: self.org.into(),
                id: Id(self.core.ids.next(self.now)),
                workspace_id: (*workspace).into(),
                item_kind: kind.as_str().to_owned(),
                item_id: Id(*item),
                item_version: *version,
                entity: entity.clone(),
                field: field.clone(),
                claimed: claimed.to_string(),
                recorded: record.value.to_string(),
                unit: record.unit.clone(),
                source: record.source.clone(),
                as_of: Time(*as_of),
                status: ReviewStatus::Open.as_str().to_owned(),
                created_at: Time(self.now),
                decided_at: None,
                decided_by: None,
                note: None,
            };
            diesel::insert_into(reviews::table).values(row).on_conflict_do_nothing().execute(self.writing()?)?;
            if *kind == ReviewedKind::Episode {
                self.note_tiers_of(difference)?;
            }
        }
        Ok(())
    }

    fn has_review(&mut self, difference: &Difference) -> Result<bool, StoreError> {
        let same = reviews::table
            .filter(reviews::org_id.eq(Id::from(self.org)))
            .filter(reviews::item_id.eq(Id(difference.item)))
            .filter(reviews::item_version.eq(difference.version))
            .filter(reviews::entity.eq(difference.entity.clone()))
            .filter(reviews::field.eq(difference.field.clone()))
            .filter(reviews::recorded.eq(difference.record.value.to_string()));
        let found: i64 = same.count().get_result(self.drained()?)?;
        Ok(found > 0)
    }

    fn is_current_item(&mut self, difference: &Difference) -> Result<bool, StoreError> {
        let (org, item) = (Id::from(self.org), Id(difference.item));
        let found: i64 = match difference.kind {
            ReviewedKind::Memory => memories::table
                .find((org, item))
                .filter(memories::version.eq(difference.version))
                .filter(memories::status.eq(TextEnum(MemoryStatus::Live)))
                .count()
                .get_result(self.drained()?)?,
            ReviewedKind::Episode => episodes::table
                .find((org, Id::from(difference.workspace), item))
                .filter(episodes::redacted_at.is_null())
                .count()
                .get_result(self.drained()?)?,
        };
        Ok(found > 0)
    }

    /// The next compaction of the episode's subject takes its stale pages down a tier.
    fn note_tiers_of(&mut self, difference: &Difference) -> Result<(), StoreError> {
        let (org, workspace) = (Id::from(self.org), Id::from(difference.workspace));
        let subject: Option<Option<String>> = episodes::table
            .find((org, workspace, Id(difference.item)))
            .select(episodes::subject)
            .first(self.drained()?)
            .optional()
            .row_context("episodes", difference.item)?;
        if let Some(subject) = subject {
            self.note_page_work(org, workspace, subject.as_deref().unwrap_or_default(), "");
        }
        Ok(())
    }

    pub(crate) fn decide_review(
        &mut self,
        pass: &ActPass,
        id: Uuid,
        status: ReviewStatus,
        note: Option<&str>,
    ) -> Result<(), StoreError> {
        let decided_by = self.actor.subject.to_string();
        diesel::update(reviews::table.find((Id::from(pass.org()), Id(id))))
            .set((
                reviews::status.eq(status.as_str()),
                reviews::decided_at.eq(Some(Time(self.now))),
                reviews::decided_by.eq(Some(decided_by)),
                reviews::note.eq(note.map(str::to_owned)),
            ))
            .execute(self.writing()?)?;
        self.touch(pass.org())?;
        Ok(())
    }

    pub(crate) fn move_reviews(&mut self, pass: &ActPass, item: Uuid, version: i64) -> Result<(), StoreError> {
        let of_item = reviews::table
            .filter(reviews::org_id.eq(Id::from(pass.org())))
            .filter(reviews::item_id.eq(Id(item)))
            .filter(reviews::item_version.eq(version - 1));
        diesel::update(of_item).set(reviews::item_version.eq(version)).execute(self.writing()?)?;
        Ok(())
    }

    /// Deletes the reviews about an entity. Returns their number.
    pub(crate) fn drop_reviews_about(&mut self, org: Id, entity: &str) -> Result<usize, StoreError> {
        let about = reviews::table.filter(reviews::org_id.eq(org)).filter(reviews::entity.eq(entity.to_owned()));
        let gone = diesel::delete(about).execute(self.writing()?)?;
        if gone > 0 {
            self.pending.deleted_from.push(TABLE);
        }
        Ok(gone)
    }

    /// Deletes the reviews of an item that lost its content: they repeat parts of it.
    pub(crate) fn drop_reviews(&mut self, org: Id, item: Id) -> Result<(), StoreError> {
        let of_item = reviews::table.filter(reviews::org_id.eq(org)).filter(reviews::item_id.eq(item));
        if diesel::delete(of_item).execute(self.writing()?)? > 0 {
            self.pending.deleted_from.push(TABLE);
        }
        Ok(())
    }
}
