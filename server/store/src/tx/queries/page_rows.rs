//! Rows of pages, and their index entries.

use std::collections::BTreeSet;

use diesel::prelude::*;
use orgmem_compact::{Support, folded_kind};
use orgmem_hierarchy::Scope;
use orgmem_policies::Role;
use orgmem_policies::drafts::{AuthoredFields, Source};
use orgmem_policies::rules::PAGE;
use orgmem_recall::{Doc, Embeddings, Meta, analyze};
use uuid::Uuid;

use super::indexed_texts::{NEUTRAL_CONFIDENCE, text_index_row};
use super::insert::Outgoing;
use super::memory_rows::insert_index;
use super::{Conn, one_of};
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::columns::{Id, Time, row_limit};
use crate::contract::{ItemType, Memory, PageFacts, PagePlacement, PageWrite, StoredPage};
use crate::engine::RowContext;
use crate::schema::pages;

pub(super) const TABLE: &str = "pages";
/// Ids per statement.
pub(super) const CHUNK: usize = 500;
const HOT: &str = "hot";
const WARM: &str = "warm";
const COLD: &str = "cold";

#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = pages, primary_key(org_id, workspace_id, id), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
pub(crate) struct PageRow {
    pub(super) org_id: Id,
    pub(super) workspace_id: Id,
    pub(super) id: Id,
    pub(super) subject: String,
    pub(super) thread: String,
    pub(super) tier: String,
    pub(super) hot: String,
    pub(super) warm: String,
    pub(super) hot_tokens: i64,
    pub(super) warm_tokens: i64,
    pub(super) salience: f64,
    pub(super) links: String,
    pub(super) kinds: String,
    pub(super) outcome: Option<String>,
    pub(super) first_at: Time,
    pub(super) last_at: Time,
    pub(super) effective_at: Time,
    pub(super) sessions: i64,
    pub(super) successes: i64,
    pub(super) failures: i64,
    pub(super) sources: Vec<u8>,
    pub(super) version: i64,
    pub(super) compacted_at: Time,
    pub(super) made_by: String,
    pub(super) claims: Option<String>,
}

/// The columns of [`PageFacts`].
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = pages)]
pub(super) struct FactsRow {
    id: Id,
    thread: String,
    tier: String,
    hot_tokens: i64,
    warm_tokens: i64,
    salience: f64,
    links: String,
    first_at: Time,
    last_at: Time,
    effective_at: Time,
    sessions: i64,
    successes: i64,
    failures: i64,
    claims: Option<String>,
}

impl FactsRow {
    pub(super) fn read(self) -> Result<PageFacts, StoreError> {
        let placement = PagePlacement {
            id: self.id.0,
            tier: tier(self.id, &self.tier)?,
            effective_at: micros(self.effective_at),
            sessions: self.sessions,
            successes: self.successes,
            failures: self.failures,
        };
        Ok(PageFacts {
            id: self.id.0,
            thread: self.thread,
            first_at: micros(self.first_at),
            last_at: micros(self.last_at),
            salience: self.salience,
            links: self.links,
            hot_tokens: self.hot_tokens,
            warm_tokens: self.warm_tokens,
            claims: self.claims,
            placement,
        })
    }
}

impl PageRow {
    pub(super) fn of(org_id: Id, workspace_id: Id, subject: &str, page: &PageWrite, now: Time) -> Self {
        let PageWrite { facts, hot, warm, kinds, outcome, sources, made_by } = page;
        Self {
            org_id,
            workspace_id,
            id: Id(facts.id),
            subject: subject.to_owned(),
            thread: facts.thread.clone(),
            tier: facts.placement.tier.to_owned(),
            hot: hot.clone(),
            warm: warm.clone(),
            hot_tokens: facts.hot_tokens,
            warm_tokens: facts.warm_tokens,
            salience: facts.salience,
            links: facts.links.clone(),
            kinds: serde_json::Value::from(kinds.clone()).to_string(),
            outcome: outcome.map(str::to_owned),
            first_at: time(facts.first_at),
            last_at: time(facts.last_at),
            effective_at: time(facts.placement.effective_at),
            sessions: facts.placement.sessions,
            successes: facts.placement.successes,
            failures: facts.placement.failures,
            sources: sources.iter().flat_map(|id| *id.as_bytes()).collect(),
            version: 1,
            compacted_at: now,
            made_by: (*made_by).to_owned(),
            claims: facts.claims.clone(),
        }
    }

    pub(super) fn read(self) -> Result<StoredPage, StoreError> {
        let kinds = self.kinds()?;
        let tier = tier(self.id, &self.tier)?;
        let (content, tokens) = match tier {
            HOT => (self.hot, self.hot_tokens),
            WARM => (self.warm, self.warm_tokens),
            _ => (String::new(), 0),
        };
        let sources = self.sources.as_chunks().0.iter().map(|bytes| Uuid::from_bytes(*bytes)).collect();
        Ok(StoredPage {
            id: self.id.0,
            workspace: self.workspace_id.workspace(),
            subject: self.subject,
            thread: self.thread,
            placement: PagePlacement {
                id: self.id.0,
                tier,
                effective_at: micros(self.effective_at),
                sessions: self.sessions,
                successes: self.successes,
                failures: self.failures,
            },
            content,
            tokens,
            kinds,
            outcome: self.outcome,
            first_at: self.first_at.0,
            last_at: self.last_at.0,
            sources,
            version: self.version,
            compacted_at: self.compacted_at.0,
            made_by: self.made_by,
            claims: self.claims,
        })
    }
}

fn tier(id: Id, name: &str) -> Result<&'static str, StoreError> {
    let known = [HOT, WARM, COLD].into_iter().find(|tier| *tier == name);
    known.ok_or_else(|| StoreError::unreadable(TABLE, id.0, "an unknown tier"))
}

fn micros(at: Time) -> i64 {
    at.0.timestamp_micros()
}

pub(super) fn time(micros: i64) -> Time {
    Time(chrono::DateTime::from_timestamp_micros(micros).unwrap_or_default())
}

impl PageRow {
    /// The partition of the pages of a workspace. It is the same for every scope that its profile gives them.
    pub(crate) fn partition_of(workspace: Id) -> PartitionKey {
        PartitionKey { author: workspace.workspace(), scope: Scope::Local, team: None, items: ItemType::Page }
    }

    pub(super) fn partition(&self) -> PartitionKey {
        Self::partition_of(self.workspace_id)
    }

    /// The text of its tier, which searches find; none for a cold page.
    pub(super) fn text(&self) -> Option<&str> {
        text_of(&self.tier, &self.hot, &self.warm)
    }

    fn kinds(&self) -> Result<Vec<String>, StoreError> {
        let unreadable = |_| StoreError::unreadable(TABLE, self.id.0, "its kinds are not a list");
        serde_json::from_str(&self.kinds).map_err(unreadable)
    }

    /// The search document; none for a cold page. Its tags are the kinds of the episodes, by which profiles hide it. It
    /// ends on the day on which its confidence falls below the gate.
    pub(super) fn doc(&self, org_version: i64, embeddings: Option<Embeddings>) -> Result<Option<Doc>, StoreError> {
        let Some(text) = self.text() else { return Ok(None) };
        let count = |count: i64| u32::try_from(count).unwrap_or_default();
        let support = Support {
            effective_at: micros(self.effective_at),
            sessions: count(self.sessions),
            successes: count(self.successes),
            failures: count(self.failures),
        };
        let meta = Meta {
            id: self.id.0,
            seq: org_version,
            number: 0,
            created_at: micros(self.last_at),
            expires_at: support.trusted_until(),
            confidence: NEUTRAL_CONFIDENCE,
            pinned: false,
            namespace: String::new(),
            kind: PAGE.to_owned(),
            source: String::new(),
            subject: Some(self.subject.clone()).filter(|subject| !subject.is_empty()),
            session_id: Some(self.thread.clone()),
            session_only: false,
            run_id: None,
            tags: tags_of(&self.kinds()?),
        };
        Ok(Some(Doc { meta, analysis: analyze(text), embeddings }))
    }

    /// The page as a search finds it.
    pub(super) fn item(self, scope: Scope) -> Result<Memory, StoreError> {
        let page = self.read()?;
        let subject = Some(page.subject.clone()).filter(|subject| !subject.is_empty());
        Ok(Memory {
            id: page.id,
            author: page.workspace,
            scope,
            team: None,
            authored: AuthoredFields {
                content: page.content.clone(),
                title: None,
                namespace: String::new(),
                kind: PAGE.to_owned(),
                source: Source::Runtime,
                confidence: NEUTRAL_CONFIDENCE,
                tags: tags_of(&page.kinds),
                metadata: None,
                subject,
                session_id: Some(page.thread.clone()),
                session_only: false,
                pin: false,
                expires_at: None,
                claims: page.claims.clone(),
            },
            role: Role::Agent,
            run_id: None,
            profile_id: None,
            supersedes: None,
            version: page.version,
            created_at: page.last_at,
            updated_at: page.compacted_at,
            passage: None,
            page: Some(Box::new(page)),
        })
    }
}

/// The text of a tier.
pub(super) fn text_of<'t>(tier: &str, hot: &'t str, warm: &'t str) -> Option<&'t str> {
    match tier {
        HOT => Some(hot),
        WARM => Some(warm),
        _ => None,
    }
}

/// The kinds of episodes in the form that excluded kinds are compared in, each once.
fn tags_of(kinds: &[String]) -> Vec<String> {
    kinds.iter().map(|kind| folded_kind(kind)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Writes the index rows of a part of the stored pages after `after`, a workspace and an id, as of a version of the org.
/// Returns the last page of the part.
pub(crate) fn index_pages(
    conn: &mut Conn,
    org: Id,
    (workspace, id): (Id, Id),
    version: i64,
    most: usize,
) -> Result<Option<(Id, Id)>, StoreError> {
    let after = pages::workspace_id.eq(workspace).and(pages::id.gt(id));
    let rows: Vec<PageRow> = pages::table
        .filter(pages::org_id.eq(org))
        .filter(pages::workspace_id.gt(workspace).or(after))
        .filter(pages::tier.ne(COLD))
        .order((pages::workspace_id, pages::id))
        .limit(row_limit(most))
        .select(PageRow::as_select())
        .load(conn)
        .row_context(TABLE, org)?;
    index_rows(conn, &rows, version)?;
    Ok(rows.last().map(|row| (row.workspace_id, row.id)))
}

/// Writes the index rows of the stored pages of a workspace with these ids.
pub(crate) fn index_pages_with(
    conn: &mut Conn,
    org: Id,
    workspace: Id,
    ids: &[Id],
    version: i64,
) -> Result<(), StoreError> {
    for ids in ids.chunks(CHUNK) {
        let rows: Vec<PageRow> = pages::table
            .filter(pages::org_id.eq(org))
            .filter(pages::workspace_id.eq(workspace))
            .filter(one_of(pages::id, ids))
            .select(PageRow::as_select())
            .load(conn)
            .row_context(TABLE, org)?;
        index_rows(conn, &rows, version)?;
    }
    Ok(())
}

fn index_rows(conn: &mut Conn, rows: &[PageRow], version: i64) -> Result<(), StoreError> {
    let mut index = Vec::with_capacity(rows.len());
    for row in rows {
        let doc = row.doc(version, None)?;
        index.extend(doc.map(|doc| text_index_row(row.org_id, row.partition(), None, &doc)));
    }
    let mut out = Outgoing::new(conn);
    insert_index(&mut out, index)?;
    out.send()
}
