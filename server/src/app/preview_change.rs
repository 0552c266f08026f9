//! What a change of the tree would do: asked of the tree as it is and as it would be, counted by what is on the shelves.

use std::collections::HashMap;

use orgmem_hierarchy::{AccessChange, Scope, WorkspaceId};
use orgmem_policies::{Preview, TreePass};
use orgmem_store::{PartitionCount, ReadTx, StoreError};
use orgmem_types as wire;

use super::AppError;
use super::call::{Call, WorkspaceNames};

/// Workspaces that are looked at for one answer.
const LOOKED_AT: usize = 200;

/// Authors that are named for one workspace.
const NAMED: usize = 10;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// What the change of `pass` would do, as far as the caller may see it; nothing is changed.
    pub(super) fn preview(&mut self, pass: &TreePass) -> Result<wire::TreePreview, AppError> {
        let preview = Preview::of(&self.caller, &*self.tx.tree(self.org)?, pass);
        // the pass was given for this very tree
        let preview = preview.map_err(|faults| StoreError::unreadable("workspaces", self.org, faults))?;
        let mut readers: Vec<WorkspaceId> = preview.readers().collect();
        let more = readers.len().saturating_sub(LOOKED_AT);
        readers.truncate(LOOKED_AT);
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

    /// That nothing would be gained or lost.
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

/// What there is to gain and lose, by author.
struct PartitionCounts(HashMap<WorkspaceId, Vec<PartitionCount>>);

impl PartitionCounts {
    fn of(partitions: impl Iterator<Item = PartitionCount>) -> Self {
        let mut by_author: HashMap<WorkspaceId, Vec<PartitionCount>> = HashMap::new();
        for partition in partitions {
            by_author.entry(partition.author).or_default().push(partition);
        }
        Self(by_author)
    }

    fn by(&self, author: WorkspaceId) -> &[PartitionCount] {
        self.0.get(&author).map_or(&[], Vec::as_slice)
    }

    /// What becomes of what `reader` reads; none where nothing does.
    fn change(&self, preview: &Preview, reader: WorkspaceId) -> Option<Affected> {
        let effect = preview.effect();
        let mut affected = Affected { reader, removed: effect.removes(reader), authors: Vec::new(), alone: Vec::new() };
        for author in effect.authors(reader) {
            let mut by = Changes::default();
            for partition in self.by(author) {
                match effect.access_change(reader, author, partition.scope, partition.team) {
                    Some(AccessChange::Gains) => *of(&mut by.gains, partition.scope) += partition.memories,
                    Some(AccessChange::Loses) => *of(&mut by.loses, partition.scope) += partition.memories,
                    None => {}
                }
            }
            if by.sum() > 0 {
                affected.authors.push((author, by));
            }
        }
        affected.authors.sort_by_key(|(author, by)| (std::cmp::Reverse(by.sum()), *author));
        let alone =
            self.by(reader).iter().filter(|partition| effect.becomes_unshared(reader, partition.scope, partition.team));
        affected.alone.extend(alone.map(|partition| (partition.team, partition.memories)));
        affected.alone.sort_unstable();
        (!affected.authors.is_empty() || !affected.alone.is_empty()).then_some(affected)
    }
}

fn of(counts: &mut wire::MemoryCounts, scope: Scope) -> &mut i64 {
    match scope {
        Scope::Local => &mut counts.local,
        Scope::Team => &mut counts.team,
        Scope::Global => &mut counts.global,
    }
}

fn sum(counts: wire::MemoryCounts) -> i64 {
    counts.local + counts.team + counts.global
}

fn both(one: wire::MemoryCounts, other: wire::MemoryCounts) -> wire::MemoryCounts {
    wire::MemoryCounts {
        local: one.local + other.local,
        team: one.team + other.team,
        global: one.global + other.global,
    }
}

/// What is gained and lost.
#[derive(Clone, Copy, Default)]
struct Changes {
    gains: wire::MemoryCounts,
    loses: wire::MemoryCounts,
}

impl Changes {
    fn sum(&self) -> i64 {
        sum(self.gains) + sum(self.loses)
    }
}

/// What one workspace gains and loses.
struct Affected {
    reader: WorkspaceId,
    removed: bool,
    /// The most first; none without anything.
    authors: Vec<(WorkspaceId, Changes)>,
    /// What only it reads from then on, by the team that it is bound to.
    alone: Vec<(Option<WorkspaceId>, i64)>,
}

impl Affected {
    fn named(&self) -> Vec<WorkspaceId> {
        let authors = self.authors.iter().take(NAMED).map(|(author, _)| *author);
        authors.chain(self.alone.iter().filter_map(|(team, _)| *team)).chain([self.reader]).collect()
    }

    fn into_wire(self, names: &WorkspaceNames) -> wire::AffectedWorkspace {
        let total = |part: fn(&Changes) -> wire::MemoryCounts| {
            self.authors.iter().map(|(_, by)| part(by)).fold(wire::MemoryCounts::default(), both)
        };
        let author = |(author, by): &(WorkspaceId, Changes)| wire::AffectedAuthor {
            workspace_id: author.uuid(),
            name: names.of(*author),
            gains: by.gains,
            loses: by.loses,
        };
        let alone = |(team, memories): &(Option<WorkspaceId>, i64)| wire::UnsharedMemories {
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
            authors: self.authors.iter().take(NAMED).map(author).collect(),
            more_authors: self.authors.len().saturating_sub(NAMED),
            left_alone: self.alone.iter().map(alone).collect(),
            summary: self.summary(names),
        }
    }

    /// Such as "loses 34 TEAM memories of Dev Lead; 3 of its own stay bound to the team of Dev Lead and only it will read
    /// them".
    fn summary(&self, names: &WorkspaceNames) -> String {
        let mut said: Vec<String> = Vec::new();
        if self.removed {
            said.push("reads nothing any more".to_owned());
        }
        for (verb, part) in [("loses", (|by| by.loses) as fn(&Changes) -> wire::MemoryCounts), ("gains", |by| by.gains)]
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
                    said.push(format!("{verb} {} of its own", memories(*counts)));
                }
                [(author, counts)] => said.push(format!("{verb} {} of {}", memories(*counts), names.of(*author))),
                several => {
                    let all = several.iter().map(|(_, counts)| *counts).fold(wire::MemoryCounts::default(), both);
                    said.push(format!("{verb} {} of {} workspaces", memories(all), several.len()));
                }
            }
        }
        said.extend(self.alone.iter().map(|(team, count)| match team {
            Some(team) => {
                let stay = if *count == 1 { "stays" } else { "stay" };
                format!("{count} of its own {stay} bound to the team of {} and only it will read them", names.of(*team))
            }
            None => format!("{count} of its own will be read by itself alone"),
        }));
        said.join("; ")
    }
}

/// Such as "2 LOCAL and 34 TEAM memories".
fn memories(counts: wire::MemoryCounts) -> String {
    let parts = [("LOCAL", counts.local), ("TEAM", counts.team), ("GLOBAL", counts.global)];
    let parts: Vec<String> =
        parts.iter().filter(|(_, count)| *count > 0).map(|(scope, count)| format!("{count} {scope}")).collect();
    let noun = if sum(counts) == 1 { "memory" } else { "memories" };
    format!("{} {noun}", parts.join(" and "))
}
