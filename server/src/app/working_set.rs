//! The section of the context block about one subject: its working set.

use orgmem_policies::Block;
use orgmem_policies::claims::corrected;
use orgmem_recall::Query;
use orgmem_types as wire;

use super::AppError;
use super::call::ReadCall;
use super::pages::PageReading;
use super::wire::make_visible;
use crate::compaction::Compactor;

/// The section, and the pages in it.
pub(super) struct WorkingSet {
    pub(super) block: Block,
    pub(super) pages: Vec<wire::WorkingPage>,
}

/// The working set of a subject: its hot pages above the gate, then the warm ones that the query finds, within the
/// budget, one line each.
///
/// # Source
/// `docs/spec/pages.md`, "The working set".
pub(super) fn working_set(
    call: &mut ReadCall<'_>,
    compactor: &Compactor,
    subject: &str,
    query: &Query,
    budget: usize,
) -> Result<WorkingSet, AppError> {
    let reading = PageReading::begin(call, compactor)?;
    let mut block = Block::working_set(Some(budget));
    let mut pages = Vec::new();
    for (page, checked) in reading.working_set(call, subject, query, budget)? {
        let confidence = reading.confidence(&page).total;
        let content = corrected(&page.content, &checked);
        let mut text = format!("({}, page {}) {content}", page.last_at.format("%Y-%m-%d"), page.id);
        // a prompt is for an agent, also when a person requests it
        make_visible(&mut text);
        if block.add(confidence, &text) {
            let sources = page.sources.clone();
            pages.push(wire::WorkingPage { page: reading.to_wire(call, page, &checked, false), sources });
        }
    }
    Ok(WorkingSet { block, pages })
}
