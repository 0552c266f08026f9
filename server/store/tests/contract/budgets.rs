//! The counters of budgets, against a model that adds up every stored text.

use std::collections::{BTreeMap, HashMap};

use orgmem_hierarchy::{Children, OrgId, Scope, TreeLimits, WorkspaceId};
use orgmem_policies::drafts::{MemoryEdit, MemoryEditInput};
use orgmem_policies::rules::{Budget, BudgetLimit, BudgetUse, RuleViolation, StoredSize};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{BudgetPass, DraftLimits, ErasePass, Role, TreePass, WritePass};
use orgmem_store::{ReadPlan, Store, StoreError, VersionChange};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::commits::{ACME, Commit, commit, commit_ready, forget};
use super::orgs::{Failure, Org, create, draw, system};
use super::redactions::{reason, redact};
use super::versions::change;
use crate::stores::{TestStore, test_epoch};

on_both!(
    counters_equal_the_stored_texts_after_every_change,
    used_up_budget_refuses_growth_only,
    earlier_jobs_of_a_group_count,
    undone_job_does_not_count,
);

/// The bytes of an empty list of tags, which every memory without tags has.
const NO_TAGS: i64 = 2;

pub(super) async fn set_budget(store: &Store, org: OrgId, workspace: WorkspaceId, budget: Budget) {
    let set: Result<(), Failure> = store
        .write(org, move |tx| {
            let pass = BudgetPass::grant(&system(), &*tx.tree(org)?, workspace)?;
            Ok(tx.set_budget(&pass, &budget)?)
        })
        .await;
    set.expect("a budget");
}

/// Whether the edit was made; a budget may refuse it.
async fn edit(store: &Store, org: OrgId, author: WorkspaceId, id: Uuid, content: &str) -> bool {
    let input = MemoryEditInput { content: Some(content.into()), ..MemoryEditInput::default() };
    let edit = MemoryEdit::check(input, Role::Agent, DraftLimits::default(), Scrubber::built_in(), test_epoch());
    let edit = VersionChange::Edit(Box::new(edit.expect("an edit").into()));
    match change(store, org, author, id, None, edit).await {
        Ok(_) => true,
        Err(Failure::Rule(_) | Failure::NoEdit(_)) => false,
        Err(failure) => panic!("it has another outcome: {failure:?}"),
    }
}

pub(super) async fn used(store: &Store, org: OrgId, workspaces: Vec<WorkspaceId>) -> BTreeMap<WorkspaceId, StoredSize> {
    let found: Result<Vec<BudgetUse>, StoreError> =
        store.read(ReadPlan::PointLookup, move |tx| tx.budgets_of(org, &workspaces)).await;
    found.expect("an answer").into_iter().map(|found| (found.workspace, found.used)).collect()
}

pub(super) fn memories(limit: i64) -> Budget {
    Budget { memories: Some(limit), ..Budget::default() }
}

fn is_used_up<T: std::fmt::Debug>(outcome: Result<T, Failure>, of: WorkspaceId, size: BudgetLimit, limit: i64) -> bool {
    matches!(outcome, Err(Failure::Rule(violation)) if violation == RuleViolation::BudgetUsed { of, size, limit })
}

struct ModelMemory {
    author: WorkspaceId,
    live: bool,
    has_content: bool,
    /// The bytes of the versions, the current one last.
    versions: Vec<i64>,
}

/// Every text that is stored, and the last place of every workspace.
#[derive(Default)]
struct Model {
    parents: HashMap<WorkspaceId, Option<WorkspaceId>>,
    live: Vec<WorkspaceId>,
    memories: BTreeMap<Uuid, ModelMemory>,
    budgets: BTreeMap<WorkspaceId, Budget>,
}

impl Model {
    fn is_below(&self, workspace: WorkspaceId, top: WorkspaceId) -> bool {
        let mut at = Some(workspace);
        while let Some(id) = at {
            if id == top {
                return true;
            }
            at = self.parents[&id];
        }
        false
    }

    fn used(&self, holder: WorkspaceId) -> StoredSize {
        let below = self.memories.values().filter(|memory| self.is_below(memory.author, holder));
        below.fold(StoredSize::default(), |sum, memory| StoredSize {
            memories: sum.memories + i64::from(memory.live),
            bytes: sum.bytes + memory.versions.iter().sum::<i64>(),
        })
    }

    fn all_used(&self) -> BTreeMap<WorkspaceId, StoredSize> {
        self.budgets.keys().map(|&holder| (holder, self.used(holder))).collect()
    }

    /// Whether `author` may store more, as the budgets above it allow.
    fn has_room(&self, author: WorkspaceId, memories: i64, bytes: i64) -> bool {
        let above = self.budgets.iter().filter(|(holder, _)| self.is_below(author, **holder));
        above.into_iter().all(|(holder, budget)| {
            let used = self.used(*holder);
            let fits =
                |limit: Option<i64>, used: i64, more: i64| more <= 0 || limit.is_none_or(|limit| used + more <= limit);
            fits(budget.memories, used.memories, memories) && fits(budget.bytes, used.bytes, bytes)
        })
    }
}

struct History {
    store: Store,
    org: Org,
    rng: StdRng,
    model: Model,
}

impl History {
    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.rng.random_range(0..from.len())]) }
    }

    fn author(&mut self) -> WorkspaceId {
        let live = self.model.live.clone();
        self.pick(&live).expect("a live workspace")
    }

    fn content(&mut self) -> String {
        let length = self.rng.random_range(1..60);
        let unique: u64 = self.rng.random();
        format!("{unique:x} {}", "ä".repeat(length))
    }

    /// A live memory of a live author.
    fn memory(&mut self) -> Option<Uuid> {
        let is_own = |(_, memory): &(&Uuid, &ModelMemory)| memory.live && self.model.live.contains(&memory.author);
        let all: Vec<Uuid> = self.model.memories.iter().filter(is_own).map(|(id, _)| *id).collect();
        self.pick(&all)
    }

    async fn step(&mut self) {
        match self.rng.random_range(0..20) {
            0..=6 => self.commit(None).await,
            7 | 8 => {
                let replaced = self.memory();
                self.commit(replaced).await;
            }
            9 => self.supersede().await,
            10 | 11 => self.edit().await,
            12 => self.remove_memory(true).await,
            13 => self.remove_memory(false).await,
            14 | 15 => self.relocate().await,
            16 => self.remove_workspace().await,
            17 => self.create().await,
            _ => self.budget().await,
        }
    }

    async fn commit(&mut self, id: Option<Uuid>) {
        let author = match id {
            Some(id) => self.model.memories[&id].author,
            None => self.author(),
        };
        let content = self.content();
        let bytes = i64::try_from(content.len()).expect("small") + NO_TAGS;
        let draft = Commit::new(author, Scope::Local, &content).with(|input| input.id = id);
        let room = self.model.has_room(author, i64::from(id.is_none()), bytes);
        match commit(&self.store, &self.org, draft).await {
            Ok(committed) => {
                assert!(room, "a budget was exceeded");
                let new = ModelMemory { author, live: true, has_content: true, versions: Vec::new() };
                self.model.memories.entry(committed.id).or_insert(new).versions.push(bytes);
            }
            Err(refused) => assert!(!room, "{refused:?}"),
        }
    }

    async fn supersede(&mut self) {
        let Some(old) = self.memory() else { return };
        let author = self.model.memories[&old].author;
        let content = self.content();
        let bytes = i64::try_from(content.len()).expect("small") + NO_TAGS;
        let draft = Commit::new(author, Scope::Local, &content).with(|input| input.supersedes = Some(old));
        let room = self.model.has_room(author, 0, bytes);
        match commit(&self.store, &self.org, draft).await {
            Ok(committed) => {
                assert!(room, "a budget was exceeded");
                let new = ModelMemory { author, live: true, has_content: true, versions: vec![bytes] };
                self.model.memories.insert(committed.id, new);
                self.model.memories.get_mut(&old).expect("known").live = false;
            }
            Err(refused) => assert!(!room, "{refused:?}"),
        }
    }

    async fn edit(&mut self) {
        let Some(id) = self.memory() else { return };
        let author = self.model.memories[&id].author;
        let content = self.content();
        let bytes = i64::try_from(content.len()).expect("small") + NO_TAGS;
        let room = self.model.has_room(author, 0, bytes);
        let done = edit(&self.store, self.org.id, author, id, &content).await;
        assert_eq!(done, room);
        if done {
            self.model.memories.get_mut(&id).expect("known").versions.push(bytes);
        }
    }

    async fn remove_memory(&mut self, deletes: bool) {
        // superseded memories are removed too
        let has_content =
            |(_, memory): &(&Uuid, &ModelMemory)| memory.has_content && self.model.live.contains(&memory.author);
        let all: Vec<Uuid> = self.model.memories.iter().filter(has_content).map(|(id, _)| *id).collect();
        let Some(id) = self.pick(&all) else { return };
        let memory = self.model.memories.get_mut(&id).expect("known");
        (memory.live, memory.has_content) = (false, false);
        memory.versions.clear();
        let author = memory.author;
        match deletes {
            true => assert!(forget(&self.store, &self.org, author, id).await),
            false => assert!(redact(&self.store, &self.org, author, id).await.is_some()),
        }
    }

    async fn relocate(&mut self) {
        let (org, id, to) = (self.org.id, self.author(), self.author());
        let moved: Result<(), Failure> = self
            .store
            .write(org, move |tx| {
                let pass = TreePass::relocate(&system(), &*tx.tree(org)?, id, to, TreeLimits::default())?;
                Ok(tx.change_tree(&pass)?)
            })
            .await;
        if moved.is_ok() {
            self.model.parents.insert(id, Some(to));
        }
    }

    async fn remove_workspace(&mut self) {
        let (org, id, purges) = (self.org.id, self.author(), self.rng.random_bool(0.5));
        if id == org.root() || self.model.live.len() < 4 {
            return;
        }
        let promotes = self.rng.random_bool(0.5);
        let removed: Result<(), Failure> = self
            .store
            .write(org, move |tx| {
                let children = if promotes { Children::Promote } else { Children::Cascade };
                let removal = TreePass::remove(&system(), &*tx.tree(org)?, id, children)?;
                let erases = ErasePass::purge(&system(), &*tx.tree(org)?, id, &removal)?;
                tx.change_tree(&removal)?;
                if purges {
                    tx.erase(&erases, &reason())?;
                }
                Ok(())
            })
            .await;
        removed.expect("removed");
        let model = &self.model;
        let gone: Vec<WorkspaceId> = match promotes {
            true => vec![id],
            false => model.live.iter().copied().filter(|&live| model.is_below(live, id)).collect(),
        };
        self.model.live.retain(|live| !gone.contains(live));
        if promotes {
            let above = self.model.parents[&id];
            for live in self.model.live.clone() {
                if self.model.parents[&live] == Some(id) {
                    self.model.parents.insert(live, above);
                }
            }
        }
        if purges {
            self.model.memories.retain(|_, memory| !gone.contains(&memory.author));
            self.model.budgets.retain(|holder, _| !gone.contains(holder));
        }
    }

    async fn create(&mut self) {
        let (org, parent, id) = (self.org.id, self.author(), WorkspaceId::from(self.store.new_id()));
        let created: Result<(), Failure> = self.store.write(org, move |tx| create(tx, org, id, parent, "new")).await;
        created.expect("created");
        self.model.parents.insert(id, Some(parent));
        self.model.live.push(id);
    }

    async fn budget(&mut self) {
        let workspace = self.author();
        let budget = match self.rng.random_range(0..4) {
            0 => Budget::default(),
            1 => memories(self.rng.random_range(1..20)),
            2 => Budget { bytes: Some(self.rng.random_range(1..2_000)), ..Budget::default() },
            _ => Budget { memories: Some(1_000), bytes: Some(1_000_000), ..Budget::default() },
        };
        set_budget(&self.store, self.org.id, workspace, budget).await;
        match budget.is_empty() {
            true => self.model.budgets.remove(&workspace),
            false => self.model.budgets.insert(workspace, budget),
        };
    }
}

async fn counters_equal_the_stored_texts_after_every_change(t: TestStore) {
    for seed in 0..4 {
        let org = draw(&t.store, ACME).await;
        let mut model = Model::default();
        let parents = [("acme", None), ("dev", Some("acme")), ("ops", Some("acme"))];
        let bots = [("bot-1", Some("dev")), ("bot-2", Some("dev")), ("bot-3", Some("ops"))];
        for (name, parent) in parents.into_iter().chain(bots) {
            model.parents.insert(org.get(name), parent.map(|parent| org.get(parent)));
            model.live.push(org.get(name));
        }
        let mut history = History { store: t.store.clone(), org, rng: StdRng::seed_from_u64(seed), model };
        for step in 0..120 {
            history.step().await;
            let holders: Vec<WorkspaceId> = history.model.parents.keys().copied().collect();
            let stored = used(&t.store, history.org.id, holders).await;
            assert_eq!(stored, history.model.all_used(), "seed {seed}, step {step}");
        }
    }
}

async fn used_up_budget_refuses_growth_only(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, dev, bot, peer) = (acme.id, acme.get("dev"), acme.get("bot-1"), acme.get("bot-2"));
    set_budget(&t.store, org, dev, memories(2)).await;
    let first = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "one")).await.expect("room").id;
    commit(&t.store, &acme, Commit::new(peer, Scope::Team, "two")).await.expect("room");
    for author in [dev, bot, peer] {
        let refused = commit(&t.store, &acme, Commit::new(author, Scope::Local, "three")).await;
        assert!(is_used_up(refused, dev, BudgetLimit::Memories, 2));
    }
    commit(&t.store, &acme, Commit::new(acme.get("bot-3"), Scope::Local, "elsewhere")).await.expect("no budget");
    let replaces = Commit::new(bot, Scope::Local, "one again").with(|input| input.id = Some(first));
    commit(&t.store, &acme, replaces).await.expect("a replacement needs no room");
    let supersedes = Commit::new(bot, Scope::Local, "newer").with(|input| input.supersedes = Some(first));
    commit(&t.store, &acme, supersedes).await.expect("a successor needs no room");
    set_budget(&t.store, org, dev, memories(1)).await;
    assert!(forget(&t.store, &acme, bot, first).await, "a superseded memory is deleted");
    let bytes = Budget { bytes: Some(1), ..Budget::default() };
    set_budget(&t.store, org, dev, bytes).await;
    let refused = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "more")).await;
    assert!(is_used_up(refused, dev, BudgetLimit::Bytes, 1));
    let t = t.reopened();
    let refused = commit(&t.store, &acme, Commit::new(bot, Scope::Local, "more")).await;
    assert!(is_used_up(refused, dev, BudgetLimit::Bytes, 1), "after a restart");
    set_budget(&t.store, org, dev, Budget::default()).await;
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "more")).await.expect("no budget any more");
}

async fn earlier_jobs_of_a_group_count(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, dev, bot) = (acme.id, acme.get("dev"), acme.get("bot-1"));
    set_budget(&t.store, org, dev, memories(3)).await;
    let mut commits = JoinSet::new();
    for number in 0..8 {
        let (store, acme, draft) = (t.store.clone(), acme.clone(), Commit::new(bot, Scope::Local, &number.to_string()));
        commits.spawn(async move { commit(&store, &acme, draft).await.is_ok() });
    }
    let outcomes = commits.join_all().await;
    assert_eq!(outcomes.iter().filter(|done| **done).count(), 3);
    let size = used(&t.store, org, vec![dev]).await[&dev];
    assert_eq!(size, StoredSize { memories: 3, bytes: 3 * (1 + NO_TAGS) });
}

async fn undone_job_does_not_count(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, dev, bot) = (acme.id, acme.get("dev"), acme.get("bot-1"));
    set_budget(&t.store, org, dev, memories(3)).await;
    let memory = Commit::new(bot, Scope::Local, "undone").ready();
    let undone: Result<(), Failure> = t
        .store
        .write(org, move |tx| {
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, bot, Scope::Local, None)?;
            commit_ready(tx, &pass, &memory)?;
            assert_eq!(tx.budgets_above(org, bot)?[0].used.memories, 1);
            Err(Failure::OnPurpose)
        })
        .await;
    assert!(matches!(undone, Err(Failure::OnPurpose)));
    assert_eq!(used(&t.store, org, vec![dev]).await[&dev], StoredSize::default());
}
