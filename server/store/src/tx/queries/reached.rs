//! The partitions that a search reads, and what is hidden in those of pages.

use std::collections::{BTreeMap, BTreeSet};

use orgmem_compact::folded_kind;
use orgmem_hierarchy::{Readable, Scope, WorkspaceId};
use orgmem_policies::ReadPass;
use uuid::Uuid;

use super::Tx;
use super::page_rows::PageRow;
use crate::StoreError;
use crate::cache::PartitionKey;
use crate::contract::{ItemType, Search, SearchedItems};

/// A partition in reach.
#[derive(Clone, Copy)]
pub(super) struct ReachedPartition {
    /// Index into the parts of the reach.
    pub(super) part: usize,
    /// Who reads its items: that of its key, or for pages that of the author's profile now.
    scope: Scope,
    pub(super) key: PartitionKey,
}

impl ReachedPartition {
    /// Whether the search is about its memories. `own` is the only author, if there is one.
    pub(super) fn is_wanted(&self, search: &Search, own: Option<WorkspaceId>) -> bool {
        own.is_none_or(|own| own == self.key.author)
            && (search.scopes.is_empty() || search.scopes.contains(&self.scope))
            && search.team.is_none_or(|team| Some(team) == self.key.team)
            && search.author.is_none_or(|author| author == self.key.author)
    }
}

/// The pages among these items, by their workspaces.
pub(super) fn pages_among(
    items: impl Iterator<Item = (ReachedPartition, Uuid)>,
) -> BTreeMap<WorkspaceId, BTreeSet<Uuid>> {
    let mut pages: BTreeMap<WorkspaceId, BTreeSet<Uuid>> = BTreeMap::new();
    for (partition, id) in items.filter(|(partition, _)| partition.key.items == ItemType::Page) {
        pages.entry(partition.key.author).or_default().insert(id);
    }
    pages
}

impl Tx<'_> {
    /// The kinds of episodes that hide the pages of each of these partitions: those that the server, the profile of the
    /// root and the profile of the workspace exclude, and those that the reader excludes.
    pub(super) fn hidden_page_kinds(
        &mut self,
        pass: &ReadPass,
        search: &Search,
        reach: &[ReachedPartition],
    ) -> Result<Vec<Vec<String>>, StoreError> {
        if !search.items.pages {
            return Ok(Vec::new());
        }
        let org = pass.org();
        let of_root = self.default_settings(org, org.root())?;
        let everywhere = search.kinds_without_pages.iter().chain(&of_root.excluded_kinds).chain(pass.excluded_kinds());
        let everywhere: BTreeSet<String> = everywhere.map(|kind| folded_kind(kind)).collect();
        let mut hidden = Vec::with_capacity(reach.len());
        for partition in reach {
            let mut kinds = BTreeSet::new();
            if partition.key.items == ItemType::Page {
                let own = self.default_settings(org, partition.key.author)?;
                kinds = everywhere.clone();
                kinds.extend(own.excluded_kinds.iter().map(|kind| folded_kind(kind)));
            }
            hidden.push(kinds.into_iter().collect());
        }
        Ok(hidden)
    }

    /// The partitions of these items in the reach of a pass.
    pub(super) fn partitions_in_reach(
        &mut self,
        pass: &ReadPass,
        items: SearchedItems,
    ) -> Result<Vec<ReachedPartition>, StoreError> {
        // the partition of pages is the same for every scope
        let types = ItemType::ALL.into_iter().filter(|&of| items.has(of) && of != ItemType::Page);
        let mut reach = Vec::with_capacity(2 * pass.reach().parts().len());
        let loaded = self.partitions_of_many(pass)?;
        for (part, readable) in pass.reach().parts().iter().enumerate() {
            let key = |author, scope, team| {
                let key = move |items| {
                    let key = PartitionKey { author, scope, team, items };
                    ReachedPartition { part, scope, key }
                };
                types.clone().map(key)
            };
            match *readable {
                Readable::Own(author) => {
                    // the current and former teams of the author are only in its rows
                    let own = match &loaded {
                        Some(loaded) => loaded.get(&author).cloned().unwrap_or_default(),
                        None => self.partitions_of(pass.org(), author)?.to_vec(),
                    };
                    let of_pages = match items.pages {
                        true => self.default_settings(pass.org(), author)?.page_scope,
                        false => Scope::Local,
                    };
                    for key in own.into_iter().filter(|key| items.has(key.items)) {
                        let scope = if key.items == ItemType::Page { of_pages } else { key.scope };
                        reach.push(ReachedPartition { part, scope, key });
                    }
                }
                Readable::Team { author, lead, .. } => {
                    reach.extend([None, Some(lead)].into_iter().flat_map(|team| key(author, Scope::Team, team)));
                }
                Readable::Org(root) => reach.extend(key(root, Scope::Global, None)),
            }
            if items.pages
                && !matches!(readable, Readable::Own(_))
                && let Some(scope) = self.shared_page_scope(pass, readable)?
            {
                let key = PageRow::partition_of(readable.author().into());
                reach.push(ReachedPartition { part, scope, key });
            }
        }
        Ok(reach)
    }

    /// The scope of the pages of the author of this part, if its profile makes them readable through the part now.
    fn shared_page_scope(&mut self, pass: &ReadPass, readable: &Readable) -> Result<Option<Scope>, StoreError> {
        let scope = self.default_settings(pass.org(), readable.author())?.page_scope;
        Ok(Some(scope).filter(|scope| readable.covers(*scope, None)))
    }

    /// The other workspaces whose pages are in reach.
    pub(super) fn page_authors(&mut self, pass: &ReadPass) -> Result<BTreeSet<WorkspaceId>, StoreError> {
        let mut authors = BTreeSet::new();
        for readable in pass.reach().parts().iter().filter(|part| !matches!(part, Readable::Own(_))) {
            if self.shared_page_scope(pass, readable)?.is_some() {
                authors.insert(readable.author());
            }
        }
        Ok(authors)
    }
}
