//! The facts of processors that bear on the files of a change.

use orgmem_distil::{ChangedPaths, changed_paths};
use orgmem_policies::audit::AuditAction;
use orgmem_recall::{Filter, Order, PageRequest, Query, SortKey};
use orgmem_store::{AuditRecord, FoundMemory, ReadPlan, Search};
use orgmem_types as wire;
use uuid::Uuid;

use super::memory_rows::memories;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Facts of one page of the search, and pages of it.
const PAGE: usize = 500;
const PAGES: usize = 20;
/// Facts of a response.
const MAX_PATTERNS: usize = 50;
/// Files of a fact.
const MAX_FILES: usize = 20;

impl App {
    /// The facts of processors that the workspace reads and that bear on the files of a change, the most confident first:
    /// at most 50, of the 10,000 most confident facts.
    ///
    /// # Errors
    /// [`AppError::Field`] without a file.
    ///
    /// # Source
    /// `docs/spec/processors.md`, "Patterns of a change".
    pub async fn find_patterns(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::FindPatterns,
    ) -> Result<wire::Patterns, AppError> {
        let wire::FindPatterns { paths, diff } = request;
        let of_diff = diff.as_deref().map(changed_paths).unwrap_or_default();
        let changed = ChangedPaths::new(paths.into_iter().chain(of_diff));
        if changed.is_empty() {
            let expected = "the paths of changed files, or send a unified `diff` that names some".to_owned();
            return Err(AppError::Field { field: "paths", expected });
        }
        self.read_audited(auth.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let (mut bearing, mut after, mut as_of, mut more): (
                Vec<(Vec<String>, FoundMemory)>,
                Option<SortKey>,
                _,
                _,
            ) = (Vec::new(), None, None, false);
            for _ in 0..PAGES {
                let search = Search {
                    query: Query::parse(""),
                    filter: Filter { source: Some("processor".to_owned()), ..Filter::default() },
                    cut: PageRequest { order: Order::Confidence, after, limit: PAGE },
                    as_of,
                    ..Search::default()
                };
                let found = call.tx.search(&pass, &search)?;
                as_of = Some(found.as_of);
                after = found.hits.last().map(|hit| hit.key);
                for hit in found.hits {
                    let files = files_of(&changed, hit.memory.authored.metadata.as_deref());
                    if !files.is_empty() {
                        bearing.push((files, hit));
                    }
                }
                more = bearing.len() > MAX_PATTERNS;
                if more || !found.more {
                    break;
                }
            }
            bearing.truncate(MAX_PATTERNS);
            let versions: Vec<(Uuid, i64)> =
                bearing.iter().map(|(_, hit)| (hit.memory.id, hit.memory.version)).collect();
            let record = AuditRecord::new(AuditAction::ReadProcessors, reader)
                .about(versions)
                .context_field("files", changed.len());
            let record = record.with_read_episode(
                &call.caller,
                |count| format!("found {count} patterns for {} changed files", changed.len()),
                None,
            );
            let (files, hits): (Vec<_>, Vec<_>) = bearing.into_iter().unzip();
            let hits = hits.into_iter().map(|hit| (hit.memory, hit.via, None)).collect();
            let found = memories(call, &pass, hits)?;
            let patterns = files.into_iter().zip(found).map(|(files, memory)| wire::Pattern { files, memory });
            Ok((wire::Patterns { files: changed.len(), patterns: patterns.collect(), more }, record))
        })
        .await
    }
}

/// The files that a fact bears on, by the part of the system in its metadata.
fn files_of(changed: &ChangedPaths, metadata: Option<&str>) -> Vec<String> {
    let metadata: Option<wire::Object> = metadata.and_then(|text| serde_json::from_str(text).ok());
    let part = metadata.as_ref().and_then(|metadata| metadata.get("part")).and_then(|part| part.as_str());
    part.map(|part| changed.naming(part).into_iter().take(MAX_FILES).map(str::to_owned).collect()).unwrap_or_default()
}
