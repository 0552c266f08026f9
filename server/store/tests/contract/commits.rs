//! Helpers for commits, searches and deletions.

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::drafts::{MemoryDraft, MemoryInput};
use orgmem_policies::rules;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{DraftLimits, ForgetPass, Role, WritePass};
use orgmem_recall::Query;
use orgmem_store::{Committed, Found, ReadPlan, ReadyMemory, Search, Store, WriteTx};
use uuid::Uuid;

use super::agent::read_pass;
use super::orgs::{Failure, Org, system};
use crate::stores::test_epoch;

pub(crate) const ACME: &str = "
acme
  dev
    bot-1
    bot-2
  ops
    bot-3
";

/// A memory to commit.
#[derive(Clone)]
pub(crate) struct Commit {
    pub(crate) author: WorkspaceId,
    pub(crate) scope: Scope,
    pub(crate) team: Option<WorkspaceId>,
    pub(crate) input: MemoryInput,
}

impl Commit {
    pub(crate) fn new(author: WorkspaceId, scope: Scope, content: &str) -> Self {
        let input = MemoryInput { content: content.into(), ..MemoryInput::default() };
        Self { author, scope, team: None, input }
    }

    pub(crate) fn with(mut self, org_version: impl FnOnce(&mut MemoryInput)) -> Self {
        org_version(&mut self.input);
        self
    }

    pub(crate) fn ready(&self) -> ReadyMemory {
        let (scrubber, limits) = (Scrubber::built_in(), DraftLimits::default());
        MemoryDraft::check(self.input.clone(), Role::Agent, limits, scrubber, test_epoch()).expect("a draft").into()
    }
}

/// Commits `memory` by the rules, as a service does.
pub(crate) fn commit_ready(tx: &mut dyn WriteTx, pass: &WritePass, memory: &ReadyMemory) -> Result<Committed, Failure> {
    let fields = memory.draft().fields();
    let id = fields.id.unwrap_or_else(|| tx.new_id());
    let facts = tx.commit_facts(pass, memory, id)?;
    let plan = rules::check_commit(pass, id, fields, facts, tx.now())?;
    Ok(tx.commit_memory(pass, memory, &plan)?)
}

pub(crate) async fn commit(store: &Store, org: &Org, commit: Commit) -> Result<Committed, Failure> {
    let (org, memory) = (org.id, commit.ready());
    let committed = store.write(org, move |tx| {
        let pass = WritePass::grant(&system(), &*tx.tree(org)?, commit.author, commit.scope, commit.team)?;
        commit_ready(tx, &pass, &memory)
    });
    committed.await
}

/// Commits many memories of one author and scope in one transaction.
pub(crate) async fn commit_all(store: &Store, org: &Org, commits: Vec<Commit>) {
    let org = org.id;
    let ready: Vec<(WorkspaceId, Scope, ReadyMemory)> =
        commits.iter().map(|commit| (commit.author, commit.scope, commit.ready())).collect();
    let committed: Result<(), Failure> = store
        .write(org, move |tx| {
            for (author, scope, memory) in &ready {
                let pass = WritePass::grant(&system(), &*tx.tree(org)?, *author, *scope, None)?;
                commit_ready(tx, &pass, memory)?;
            }
            Ok(())
        })
        .await;
    committed.expect("commits");
}

pub(crate) async fn search(store: &Store, org: &Org, reader: WorkspaceId, query: Search) -> Found {
    search_at(ReadPlan::Adaptive, store, org, reader, query).await
}

/// The same with another plan.
pub(crate) async fn search_at(plan: ReadPlan, store: &Store, org: &Org, reader: WorkspaceId, search: Search) -> Found {
    let org = org.id;
    let found: Result<_, Failure> = store
        .read(plan, move |tx| {
            let pass = read_pass(tx, org, reader)?;
            Ok(tx.search(&pass, &search)?)
        })
        .await;
    found.expect("an answer")
}

pub(crate) fn about(query: &str) -> Search {
    Search { query: Query::parse(query), ..Search::default() }
}

pub(crate) fn contents(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|hit| hit.memory.authored.content.as_str()).collect()
}

pub(crate) async fn forget(store: &Store, org: &Org, author: WorkspaceId, id: Uuid) -> bool {
    let org = org.id;
    let forgotten: Result<_, Failure> = store
        .write(org, move |tx| {
            let pass = ForgetPass::grant(&system(), &*tx.tree(org)?, author, author)?;
            Ok(tx.forget_memory(&pass, id, None)? == orgmem_store::ForgetOutcome::Done)
        })
        .await;
    forgotten.expect("an answer")
}
