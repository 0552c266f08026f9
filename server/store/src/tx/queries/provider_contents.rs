//! What is sent to providers: the current content of items.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::providers::{episodes_namespace, memory_namespace, pages_namespace};
use orgmem_policies::rules::is_of_server;
use uuid::Uuid;

use super::Tx;
use crate::StoreError;
use crate::columns::Id;
use crate::contract::{Episode, ProvidedContent, ProvidedItem, ProvidedKind, ProvidedSources};
use crate::engine::RowContext;
use crate::schema::pages;

impl Tx<'_> {
    pub(crate) fn provided_content(
        &mut self,
        org: OrgId,
        item: &ProvidedItem,
    ) -> Result<Option<ProvidedContent>, StoreError> {
        match item.kind {
            ProvidedKind::Memory => self.memory_to_send(org, item.id),
            ProvidedKind::Episode => self.episode_to_send(org, item.workspace, item.id),
            ProvidedKind::Page => self.page_to_send(org, item.workspace, item.id),
        }
    }

    fn memory_to_send(&mut self, org: OrgId, id: Uuid) -> Result<Option<ProvidedContent>, StoreError> {
        let row = self.memory_row(org, id)?.filter(|row| row.location().is_live(self.now));
        let Some(row) = row else { return Ok(None) };
        let (author, expires_at) = (row.author_id.workspace(), row.expires_at.map(|at| at.0));
        let namespace = memory_namespace(author, row.scope.0, row.team_id.team());
        let fields = row.authored_fields()?;
        let title = fields.title.into_iter().filter(|title| !title.is_empty());
        let text = title.chain([fields.content]).collect::<Vec<_>>().join("\n");
        let kind = Some(fields.kind);
        Ok(Some(ProvidedContent {
            namespace,
            workspace: author,
            sources: ProvidedSources::Kind(kind),
            text,
            expires_at,
        }))
    }

    fn episode_to_send(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        id: Uuid,
    ) -> Result<Option<ProvidedContent>, StoreError> {
        let row = self.episode_row((org.into(), workspace.into(), Id(id)))?;
        let Some(episode) = row.map(Episode::from) else { return Ok(None) };
        let is_live = episode.redacted_at.is_none() && episode.superseded_by.is_none();
        if !is_live || is_of_server(&episode.activity_type) {
            return Ok(None);
        }
        // bodies stay: they have no bound that a provider shares
        let parts = [episode.summary, episode.error_detail].into_iter().flatten();
        let parts: Vec<String> = parts.filter(|part| !part.trim().is_empty()).collect();
        let text = parts.join("\n");
        let (namespace, sources) = (episodes_namespace(workspace), ProvidedSources::Kind(episode.kind));
        let content = ProvidedContent { namespace, workspace, sources, text, expires_at: None };
        Ok((!content.text.is_empty()).then_some(content))
    }

    fn page_to_send(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        id: Uuid,
    ) -> Result<Option<ProvidedContent>, StoreError> {
        let row: Option<(String, Vec<u8>)> = pages::table
            .find((Id::from(org), Id::from(workspace), Id(id)))
            .select((pages::warm, pages::sources))
            .first(self.drained()?)
            .optional()
            .row_context("pages", id)?;
        let Some((text, ids)) = row.filter(|(text, _)| !text.trim().is_empty()) else { return Ok(None) };
        let mut sources = Vec::new();
        for bytes in ids.as_chunks().0 {
            // a source that is gone was removed since, and the page will be
            let Some(row) = self.episode_row((org.into(), workspace.into(), Id(Uuid::from_bytes(*bytes))))? else {
                return Ok(None);
            };
            let episode = Episode::from(row);
            if episode.redacted_at.is_some() || episode.superseded_by.is_some() {
                return Ok(None);
            }
            sources.push((episode.channel, episode.kind));
        }
        let (namespace, sources) = (pages_namespace(workspace), ProvidedSources::Episodes(sources));
        Ok(Some(ProvidedContent { namespace, workspace, sources, text, expires_at: None }))
    }
}
