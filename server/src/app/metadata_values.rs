//! Lists of the values of a member of metadata.

use orgmem_policies::audit::AuditAction;
use orgmem_policies::{MetadataMember, MetadataValue};
use orgmem_store::{AuditRecord, FoundValue, ReadPlan};
use orgmem_types as wire;
use serde_json::Value;
use uuid::Uuid;

use super::search_params::SearchParams;
use super::{App, AppError, Listing, cursor};
use crate::auth::VerifiedClaims;

/// Default and maximum size of a page. Source: `docs/spec/memories.md`, "Values of metadata".
const PAGE: usize = 100;

/// The name of the list in its cursors.
const LIST: &str = "metadata_values";

impl App {
    /// The distinct values of a member of the metadata of the memories that the workspace can read, each with the number
    /// of memories.
    ///
    /// # Errors
    /// As for [`App::search_memories`].
    pub async fn list_metadata_values(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListMetadataValues,
    ) -> Result<Listing<wire::MetadataValue>, AppError> {
        let member = member(&request)?;
        let limit = cursor::limit(request.limit, PAGE, PAGE);
        let after: Option<Value> = cursor::decode(LIST, request.cursor.as_deref())?;
        let after = after.map(MetadataValue::from_json);
        let (query, params) = SearchParams::resolve(wire::ListMemories::from(request).into())?;
        self.read_by_query(auth, workspace, ReadPlan::Scan, query, move |call, query| {
            let reader = call.workspace;
            params.name(call)?;
            let pass = call.reads(reader)?;
            let search = params.search(call, query)?;
            let mut found = call.tx.metadata_values(&pass, &search, &member)?;
            found.retain(|found| after.as_ref().is_none_or(|after| found.value > *after));
            let page = Listing::cut(found, limit, LIST, |last: &FoundValue| last.value.as_json().clone());
            let memories: usize = page.items.iter().map(|found| found.count).sum();
            // a value of many memories would make a long row, so it names the newest of each
            let record = AuditRecord::new(AuditAction::ListValues, reader)
                .about(page.items.iter().map(|found| found.newest))
                .context_field("member", member.name.as_str())
                .context_field("memories", memories)
                .with_read_episode(&call.caller, |count| format!("listed {count} values of metadata"), None);
            let into_wire =
                |FoundValue { value, count, .. }| wire::MetadataValue { value: value.into_json().into(), count };
            Ok((page.map(into_wire), record))
        })
        .await
    }
}

fn member(request: &wire::ListMetadataValues) -> Result<MetadataMember, AppError> {
    let refused = |field, expected: &str| AppError::Field { field, expected: expected.into() };
    let name = request.member.clone().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| refused("member", "the name of a member of metadata"))?;
    if request.depth == Some(0) {
        return Err(refused("depth", "a number of items, at least 1"));
    }
    Ok(MetadataMember { name, depth: request.depth.map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)) })
}
