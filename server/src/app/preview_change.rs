//! Dry runs of tree changes: the numbers of memories that workspaces would gain and lose.

use std::collections::HashMap;

use orgmem_hierarchy::{AccessChange, Scope, WorkspaceId};
use orgmem_policies::{Preview, TreePass};
use orgmem_store::{PartitionCount, ReadTx, StoreError};
use orgmem_types as wire;

use super::AppError;
use super::call::{Call, WorkspaceNames};

/// Maximum number of workspaces that are examined for one response.
const MAX_READERS: usize = 200;

/// Maximum number of authors that are listed for one workspace.
const MAX_AUTHORS: usize = 10;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The effect of the change of `pass`, limited to the facts that the caller may see.
    pub(super) fn preview(&mut self, pass: &TreePass) -> Result<wire::TreePreview, AppError> {
        let preview = Preview::of(&self.caller, &*self.tx.tree(self.org)?, pass);
        // the pass was granted for this tree
        let preview = preview.map_err(|faults| StoreError::unreadable("workspaces", self.org, faults))?;
        let mut readers: Vec<WorkspaceId> = preview.readers().collect();
        let more = readers.len().saturating_sub(MAX_READERS);
        readers.truncate(MAX_READERS);
        let mut authors: Vec<WorkspaceId> =
            readers.iter().flat_map(|&reader| preview.effect().authors(reader)).collect();
        authors.extend(&readers);
        authors.sort_unstable();
        authors.dedup();
        let partitions = self.tx.partition_counts(self.org, &authors)?;
        let partitions = PartitionCounts::of(
            partitions.into_iter().filter(|partition| preview.shows(partition.author, partition.scope, partition.team)),
        );
        let affected: Vec<Affected> =
            readers.into_iter().filter_map(|reader| partitions.change(&preview, reader)).collect();
        let mut named: Vec<WorkspaceId> = affected.iter().flat_map(Affected::named).collect();
        named.sort_unstable();
        named.dedup();
        let names = self.names(&named)?;
        Ok(wire::TreePreview {
            dry_run: true,
            workspace_id: self.workspace.uuid(),
            moved: pass.change().placed().filter(|&id| preview.effect().readers().contains(&id)).count(),
            removed: pass.change().removed().count(),
            affected: affected.into_iter().map(|affected| affected.into_wire(&names)).collect(),
            more,
            erased: None,
        })
    }

    /// The preview of a request that does not change the tree.
    pub(super) fn no_preview(&self) -> wire::TreePreview {
        let workspace_id = self.workspace.uuid();
        wire::TreePreview {
            dry_run: true,
            workspace_id,
            moved: 0,
            removed: 0,
            affected: Vec::new(),
            more: 0,
            erased: None,
        }
    }
}

/// The partitions that the caller may see, by author.
struct PartitionCounts(HashMap<WorkspaceId, Vec<PartitionCount>>);

impl PartitionCounts {
    fn of(partitions: impl Iterator<Item = PartitionCount>) -> Self {
        let mut by_author: HashMap<WorkspaceId, Vec<PartitionCount>> = HashMap::new();
        for partition in partitions {
            by_author.entry(partition.author).or_default().push(partition);
        }
        Self(by_author)
    }

    fn of_author(&self, author: WorkspaceId) -> &[PartitionCount] {
        self.0.get(&author).map_or(&[], Vec::as_slice)
    }

    /// The effect on `reader`; `None` if it is empty.
    fn change(&self, preview: &Preview, reader: WorkspaceId) -> Option<Affected> {
        let effect = preview.effect();
        let mut affected =
            Affected { reader, removed: effect.removes(reader), authors: Vec::new(), unshared: Vec::new() };
        for author in effect.authors(reader) {
            let mut by = GainsAndLosses::default();
            for partition in self.of_author(author) {
                match effect.access_change(reader, author, partition.scope, partition.team) {
                    Some(AccessChange::Gains) => *count_of(&mut by.gains, partition.scope) += partition.memories,
                    Some(AccessChange::Loses) => *count_of(&mut by.loses, partition.scope) += partition.memories,
                    None => {}
                }
            }
            if by.sum() > 0 {
                affected.authors.push((author, by));
            }
        }
        affected.authors.sort_by_key(|(author, by)| (std::cmp::Reverse(by.sum()), *author));
        let unshared = self
            .of_author(reader)
            .iter()
            .filter(|partition| effect.becomes_unshared(reader, partition.scope, partition.team));
        affected.unshared.extend(unshared.map(|partition| (partition.team, partition.memories)));
        affected.unshared.sort_unstable();
        (!affected.authors.is_empty() || !affected.unshared.is_empty()).then_some(affected)
    }
}

fn count_of(counts: &mut wire::MemoryCounts, scope: Scope) -> &mut i64 {
    match scope {
        Scope::Local => &mut counts.local,
        Scope::Team => &mut counts.team,
        Scope::Global => &mut counts.global,
    }
}

fn sum(counts: wire::MemoryCounts) -> i64 {
    counts.local + counts.team + counts.global
}

fn add(one: wire::MemoryCounts, other: wire::MemoryCounts) -> wire::MemoryCounts {
    wire::MemoryCounts {
        local: one.local + other.local,
        team: one.team + other.team,
        global: one.global + other.global,
    }
}

#[derive(Clone, Copy, Default)]
struct GainsAndLosses {
    gains: wire::MemoryCounts,
    loses: wire::MemoryCounts,
}

impl GainsAndLosses {
    fn sum(&self) -> i64 {
        sum(self.gains) + sum(self.loses)
    }
}

/// The effect on one workspace.
struct Affected {
    reader: WorkspaceId,
    removed: bool,
    /// Authors with a change, sorted by number of memories, the largest first.
    authors: Vec<(WorkspaceId, GainsAndLosses)>,
    /// Own memories that only the workspace could read after the change: team and number.
    unshared: Vec<(Option<WorkspaceId>, i64)>,
}

impl Affected {
    fn named(&self) -> Vec<WorkspaceId> {
        let authors = self.authors.iter().take(MAX_AUTHORS).map(|(author, _)| *author);
        authors.chain(self.unshared.iter().filter_map(|(team, _)| *team)).chain([self.reader]).collect()
    }

    fn into_wire(self, names: &WorkspaceNames) -> wire::AffectedWorkspace {
        let total = |part: fn(&GainsAndLosses) -> wire::MemoryCounts| {
            self.authors.iter().map(|(_, by)| part(by)).fold(wire::MemoryCounts::default(), add)
        };
        let author = |(author, by): &(WorkspaceId, GainsAndLosses)| wire::AffectedAuthor {
            workspace_id: author.uuid(),
            name: names.of(*author),
            gains: by.gains,
            loses: by.loses,
        };
        let unshared = |(team, memories): &(Option<WorkspaceId>, i64)| wire::UnsharedMemories {
            team: team.map(WorkspaceId::uuid),
            team_name: team.map(|team| names.of(team)),
            memories: *memories,
        };
        wire::AffectedWorkspace {
            workspace_id: self.reader.uuid(),
            name: names.of(self.reader),
            removed: self.removed,
            gains: total(|by| by.gains),
            loses: total(|by| by.loses),
            authors: self.authors.iter().take(MAX_AUTHORS).map(author).collect(),
            more_authors: self.authors.len().saturating_sub(MAX_AUTHORS),
            left_alone: self.unshared.iter().map(unshared).collect(),
            summary: self.summary(names),
        }
    }

    /// Example: "loses 34 TEAM memories of Dev Lead; 3 of its own stay bound to the team of Dev Lead and only it will
    /// read them".
    fn summary(&self, names: &WorkspaceNames) -> String {
        let mut clauses: Vec<String> = Vec::new();
        if self.removed {
            clauses.push("reads nothing any more".to_owned());
        }
        for (verb, part) in
            [("loses", (|by| by.loses) as fn(&GainsAndLosses) -> wire::MemoryCounts), ("gains", |by| by.gains)]
        {
            let by: Vec<(WorkspaceId, wire::MemoryCounts)> = self
                .authors
                .iter()
                .map(|(author, by)| (*author, part(by)))
                .filter(|(_, counts)| sum(*counts) > 0)
                .collect();
            match by.as_slice() {
                [] => {}
                [(author, counts)] if *author == self.reader => {
                    clauses.push(format!("{verb} {} of its own", memories(*counts)));
                }
                [(author, counts)] => clauses.push(format!("{verb} {} of {}", memories(*counts), names.of(*author))),
                several => {
                    let all = several.iter().map(|(_, counts)| *counts).fold(wire::MemoryCounts::default(), add);
                    clauses.push(format!("{verb} {} of {} workspaces", memories(all), several.len()));
                }
            }
        }
        clauses.extend(self.unshared.iter().map(|(team, count)| match team {
            Some(team) => {
                let stay = if *count == 1 { "stays" } else { "stay" };
                format!("{count} of its own {stay} bound to the team of {} and only it will read them", names.of(*team))
            }
            None => format!("{count} of its own will be readable only by itself"),
        }));
        clauses.join("; ")
    }
}

/// Example: "2 LOCAL and 34 TEAM memories".
fn memories(counts: wire::MemoryCounts) -> String {
    let parts = [("LOCAL", counts.local), ("TEAM", counts.team), ("GLOBAL", counts.global)];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(scope, count)| format!("{count} {scope}")).collect();
    let noun = if sum(counts) == 1 { "memory" } else { "memories" };
    format!("{} {noun}", parts.join(" and "))
}
