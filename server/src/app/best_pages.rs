//! The ranking of pages by a query.

use std::collections::HashMap;

use orgmem_policies::ViewPass;
use orgmem_recall::{
    Byline, Doc, Filter, Meta, Order, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, search,
};
use orgmem_store::StoredPage;
use uuid::Uuid;

use super::AppError;
use super::call::ReadCall;

/// The pages that match the query, the best first, by the statistics of exactly these pages.
///
/// # Complexity
/// That of indexing their words, which the store has analysed already.
pub(super) fn best(
    call: &mut ReadCall<'_>,
    pass: &ViewPass,
    pages: Vec<StoredPage>,
    query: &Query,
    limit: usize,
) -> Result<Vec<StoredPage>, AppError> {
    let Some(now) = pages.iter().map(|page| page.last_at.timestamp_micros()).max() else { return Ok(pages) };
    let mut analyses = call.tx.page_analyses(pass, &pages)?;
    let doc = |page: &StoredPage| {
        let meta = Meta { id: page.id, created_at: page.last_at.timestamp_micros(), ..Meta::default() };
        let analysis = analyses.remove(&page.id).unwrap_or_else(|| analyze(&page.content));
        Doc { meta, analysis, embeddings: None }
    };
    let index = PartitionIndex::build(pages.iter().map(doc));
    let byline = Byline::of("");
    let partition = Partition { handle: (), author: Uuid::nil(), byline: &byline, index: &index };
    let request = PageRequest { order: Order::Relevance, after: None, limit };
    let time = ReadTime { now, as_of: None };
    let hits = search(&[partition], query, &Filter::default(), &request, time);
    let mut pages: HashMap<Uuid, StoredPage> = pages.into_iter().map(|page| (page.id, page)).collect();
    Ok(hits.into_iter().filter_map(|hit| pages.remove(&hit.id)).collect())
}
