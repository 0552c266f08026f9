//! The claims of a page of results, compared with the records in one statement.

use std::collections::{BTreeSet, HashSet};

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::claims::{CheckedClaim, Claim, ClaimStatus, check_claim, stored_claims};
use orgmem_policies::quote;
use orgmem_store::{Difference, Episode, Memory, ReadTx, ReviewedKind, SessionKind, SessionRow, StoredPage};
use orgmem_types as wire;
use uuid::Uuid;

use super::AppError;
use super::call::Call;
use super::wire::make_visible;

/// An item with its stored claims.
pub(super) struct Claimed<'c> {
    claims: Option<&'c str>,
    /// The kind, the id, the version and the author of an item whose differences are reviewed. The claims of a page name
    /// their episodes themselves.
    item: Option<(ReviewedKind, Option<Uuid>, i64, WorkspaceId)>,
}

impl<'c> Claimed<'c> {
    /// An item that is not the current version of a memory, or not committed.
    pub(super) fn untracked(claims: Option<&'c str>) -> Self {
        Self { claims, item: None }
    }

    /// A memory, or another item that a search found.
    pub(super) fn memory(memory: &'c Memory) -> Self {
        if let Some(page) = &memory.page {
            return Self::page(page);
        }
        let item = (ReviewedKind::Memory, Some(memory.id), memory.version, memory.author);
        Self { claims: memory.authored.claims.as_deref(), item: Some(item) }
    }

    pub(super) fn episode(episode: &'c Episode) -> Self {
        let item = (ReviewedKind::Episode, Some(episode.id), 1, episode.workspace);
        Self { claims: episode.claims.as_deref(), item: Some(item) }
    }

    pub(super) fn session_row(row: &'c SessionRow) -> Self {
        let item = match row.kind {
            SessionKind::Activity => Some((ReviewedKind::Episode, Some(row.id), 1, row.workspace)),
            // the row has no version; the memory is reviewed where it is read itself
            SessionKind::Memory => None,
        };
        Self { claims: row.claims.as_deref(), item }
    }

    pub(super) fn page(page: &'c StoredPage) -> Self {
        let item = (ReviewedKind::Episode, None, 1, page.workspace);
        Self { claims: page.claims.as_deref(), item: Some(item) }
    }

    fn differences(&self, checked: &[CheckedClaim]) -> Vec<Difference> {
        let Some((kind, id, version, workspace)) = self.item else { return Vec::new() };
        let stale = checked.iter().filter(|claim| claim.status() == ClaimStatus::Stale);
        let difference = |checked: &CheckedClaim| {
            let (claim, (record, as_of)) = (checked.claim(), checked.record()?);
            Some(Difference {
                kind,
                item: id.or(claim.item)?,
                version,
                workspace,
                entity: claim.entity.clone(),
                field: claim.field.clone(),
                claimed: claim.value.clone(),
                record: record.clone(),
                as_of,
            })
        };
        stale.filter_map(difference).collect()
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// Checks the stored claims of items, in their order, and notes the differences for reviews. Pushed records come first,
    /// then those of sources. Without claims nothing is read.
    pub(super) fn check_claims<'c>(
        &mut self,
        items: impl IntoIterator<Item = Claimed<'c>>,
    ) -> Result<Vec<Vec<CheckedClaim>>, AppError> {
        let items: Vec<Claimed<'c>> = items.into_iter().collect();
        let claims: Vec<_> = items.iter().map(|item| item.claims.map(stored_claims).unwrap_or_default()).collect();
        let entities: BTreeSet<&str> = claims.iter().flatten().map(|claim| claim.entity.as_str()).collect();
        if entities.is_empty() {
            return Ok(claims.into_iter().map(|_| Vec::new()).collect());
        }
        let entities: Vec<String> = entities.into_iter().map(str::to_owned).collect();
        let fields = self.tx.record_fields_of(self.org, &entities)?;
        let (org, fetched) = (self.org, &mut self.fetched);
        let mut check = |claim: Claim| {
            let pushed = fields.get(&(claim.entity.clone(), claim.field.clone()));
            match pushed.filter(|field| field.value.is_some()) {
                Some(field) => check_claim(claim, Some(field)),
                None => {
                    let field = fetched.field(org, &claim.entity, &claim.field);
                    check_claim(claim, field.as_ref())
                }
            }
        };
        let checked: Vec<Vec<CheckedClaim>> =
            claims.into_iter().map(|claims| claims.into_iter().map(&mut check).collect()).collect();
        for (item, checked) in items.iter().zip(&checked) {
            self.differences.extend(item.differences(checked));
        }
        Ok(checked)
    }
}

/// Claims of episodes that a record won against: episode, entity and field.
pub(super) type LostClaims = HashSet<(Uuid, String, String)>;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The claims among the stale ones of pages that a record won against. Without stale ones nothing is read.
    pub(super) fn lost_claims<'c>(
        &mut self,
        pages: impl IntoIterator<Item = &'c [CheckedClaim]>,
    ) -> Result<LostClaims, AppError> {
        let stale = pages.into_iter().flatten().filter(|claim| claim.status() == ClaimStatus::Stale);
        let items: BTreeSet<Uuid> = stale.filter_map(|claim| claim.claim().item).collect();
        Ok(self.tx.lost_claims(self.org, &items.into_iter().collect::<Vec<_>>())?)
    }
}

/// Whether a record won against a stale claim of a page.
pub(super) fn has_lost(checked: &[CheckedClaim], lost: &LostClaims) -> bool {
    let stale = checked.iter().filter(|claim| claim.status() == ClaimStatus::Stale).map(CheckedClaim::claim);
    stale
        .filter_map(|claim| Some((claim.item?, claim)))
        .any(|(item, claim)| lost.contains(&(item, claim.entity.clone(), claim.field.clone())))
}

/// Whether a claim of the item contradicts its record.
pub(super) fn is_stale(checked: &[CheckedClaim]) -> bool {
    checked.iter().any(|claim| claim.status() == ClaimStatus::Stale)
}

/// The claims for a response; absent without claims. An agent sees the hidden characters in them.
pub(super) fn claims_to_wire(checked: &[CheckedClaim], is_person: bool) -> Option<Vec<wire::CheckedClaim>> {
    let to_wire = |checked: &CheckedClaim| {
        let claim = checked.claim();
        let record = checked.record().map(|(field, as_of)| wire::RecordField {
            value: field.value.clone(),
            unit: field.unit.clone(),
            as_of,
            source: field.source.clone(),
        });
        let status = match checked.status() {
            ClaimStatus::Agrees => wire::ClaimStatus::Agrees,
            ClaimStatus::Stale => wire::ClaimStatus::Stale,
            ClaimStatus::Unverified => wire::ClaimStatus::Unverified,
        };
        let (entity, field, value) = (claim.entity.clone(), claim.field.clone(), claim.value.clone());
        let mut wire_claim = wire::CheckedClaim { entity, field, value, status, record };
        if !is_person {
            [&mut wire_claim.entity, &mut wire_claim.field].into_iter().for_each(make_visible);
            quote::visible_json(&mut wire_claim.value);
        }
        wire_claim
    };
    (!checked.is_empty()).then(|| checked.iter().map(to_wire).collect())
}

/// Whether a context block leaves the item out: no record answers one of its claims.
pub(super) fn is_unverified(checked: &[CheckedClaim]) -> bool {
    checked.iter().any(|claim| claim.status() == ClaimStatus::Unverified)
}
