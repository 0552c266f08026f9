//! Both databases return the same for the same calls, to the last bit.

use std::fmt::Write as _;

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope, TreeLimits, WorkspaceId};
use orgmem_policies::drafts::{EntryDraft, EntryInput};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, ForgetPass, Permission, ServerAction, ServerPass, TreePass, ViewPass, WritePass};
use orgmem_recall::{Filter, Order, Query};
use orgmem_store::{ReadPlan, ReadTx, Search, WriteTx};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::Commit;
use super::commits::commit_ready;
use super::orgs::{Failure, named, system};
use crate::stores::{On, TestStore};

const WORDS: [&str; 16] = [
    "deploy",
    "deployments",
    "rate",
    "limits",
    "backoff",
    "retries",
    "Müller",
    "straße",
    "数据库",
    "迁移",
    "the",
    "of",
    "API-Key",
    "C++",
    "naïve",
    "🙂",
];

const WORKSPACES: u64 = 12;

/// A deterministic random number generator.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn text(&mut self) -> String {
        let words = 1 + self.below(9);
        (0..words).map(|_| WORDS[self.below(16) as usize]).collect::<Vec<_>>().join(" ")
    }

    fn workspace(&mut self) -> WorkspaceId {
        workspace(self.below(WORKSPACES))
    }
}

pub(super) fn workspace(n: u64) -> WorkspaceId {
    Uuid::from_u128(0x1000 + u128::from(n)).into()
}

pub(super) fn org() -> OrgId {
    OrgId::of_root(workspace(0))
}

#[test]
fn databases_return_identical_results() {
    for seed in 0..3 {
        let (here, there) = (record(On::Sqlite, seed), record(On::Postgres, seed));
        for (one, other) in here.lines().zip(there.lines()) {
            assert_eq!(one, other, "seed {seed}");
        }
        assert_eq!(here.len(), there.len());
        assert!(here.lines().count() > 500);
    }
}

/// Executes random calls and records every result.
fn record(on: On, seed: u64) -> String {
    let mut results = String::new();
    crate::run(on, async |t: TestStore| {
        let mut random = Random(seed);
        create_org(&t, &mut random).await;
        for step in 0..250 {
            t.clock.advance(TimeDelta::milliseconds(1 + random.below(3000) as i64));
            let done = write_something(&t, &mut random).await;
            let _ = writeln!(results, "{step}: {done}");
            let read = read_something(&t, &mut random).await;
            let _ = writeln!(results, "{step}: {read}");
            if random.below(40) == 0 {
                let _ = writeln!(results, "{step}: swept {:?}", t.store.sweep().await);
            }
        }
    });
    results
}

pub(super) async fn create_org(t: &TestStore, random: &mut Random) {
    let parents: Vec<u64> = (1..WORKSPACES).map(|n| random.below(n)).collect();
    let planted: Result<(), Failure> = t
        .store
        .write(org(), move |tx| {
            let pass = ServerPass::grant(&system(), ServerAction::CreateOrg)?;
            tx.create_org(&pass, workspace(0), &named("root"))?;
            for (n, &parent) in (1..).zip(&parents) {
                super::orgs::create(tx, org(), workspace(n), workspace(parent), &format!("w{n}"))?;
            }
            Ok(())
        })
        .await;
    planted.expect("a tree");
}

pub(super) async fn write_something(t: &TestStore, random: &mut Random) -> String {
    let (workspace, other) = (random.workspace(), random.workspace());
    let kind = random.below(10);
    let id = Uuid::from_u128(u128::from(random.below(60)) + 1);
    let scope = Scope::ALL[random.below(3) as usize];
    let old = (random.below(6) == 0).then(|| Uuid::from_u128(u128::from(random.below(60)) + 1));
    let (text, ttl) = (random.text(), (random.below(5) == 0).then(|| 1 + random.below(60) as i64));
    let confidence = random.below(5) as f64 / 4.0;
    let pin = random.below(8) == 0;
    let commit = Commit::new(workspace, scope, &text).with(|input| {
        input.id = Some(id);
        input.supersedes = old;
        input.ttl_seconds = ttl;
        input.confidence = Some(confidence);
        input.pin = pin;
        input.tags = text.split(' ').take(3).map(str::to_owned).collect();
    });
    let commit = Commit { team: (scope == Scope::Team && id.as_u128().is_multiple_of(3)).then_some(other), ..commit };
    let ready = commit.ready();
    let entry = EntryInput {
        key: text.chars().take(3).collect(),
        value: serde_json::json!({ "text": text, "n": confidence }),
        ttl_seconds: ttl,
        if_match_version: pin.then_some(1),
        subject: None,
    };
    let entry = EntryDraft::check(entry, orgmem_policies::DraftLimits::default(), Scrubber::built_in(), t.store.now());
    let entry = entry.expect("a draft");
    let work = move |tx: &mut dyn WriteTx| -> Result<String, Failure> {
        let caller = system();
        Ok(match kind {
            0..=5 => {
                let pass = WritePass::grant(&caller, &*tx.tree(org())?, workspace, commit.scope, commit.team)?;
                format!("{:?}", commit_ready(tx, &pass, &ready)?)
            }
            6 => {
                let pass = ForgetPass::grant(&caller, &*tx.tree(org())?, workspace, workspace)?;
                format!("{:?}", tx.forget_memory(&pass, id, None)?)
            }
            7 => {
                let pass = TreePass::relocate(&caller, &*tx.tree(org())?, workspace, other, TreeLimits::default())?;
                format!("{:?}", tx.change_tree(&pass)?)
            }
            _ => {
                let pass = ActPass::grant(&caller, Permission::WriteEntries, &*tx.tree(org())?, workspace)?;
                format!("{:?}", tx.put_entry(&pass, &entry)?)
            }
        })
    };
    match t.store.write(org(), work).await {
        Ok(done) => done,
        Err(refused) => format!("{refused:?}"),
    }
}

pub(super) async fn read_something(t: &TestStore, random: &mut Random) -> String {
    let reader = random.workspace();
    let search = Search {
        query: Query::parse(&if random.below(3) == 0 { String::new() } else { random.text() }),
        filter: Filter {
            tag: (random.below(6) == 0).then(|| WORDS[random.below(16) as usize].to_owned()),
            min_confidence: (random.below(6) == 0).then_some(0.5),
            pinned: (random.below(6) == 0).then_some(false),
            ..Filter::default()
        },
        scopes: if random.below(6) == 0 { vec![Scope::ALL[random.below(3) as usize]] } else { Vec::new() },
        ..Search::default()
    };
    let mut search = search;
    search.cut.order = [Order::Relevance, Order::Recent, Order::Confidence][random.below(3) as usize];
    search.cut.limit = 1 + random.below(20) as usize;
    let read_something = move |tx: &mut dyn ReadTx| -> Result<String, Failure> {
        let caller = system();
        let pass = read_pass(tx, org(), reader)?;
        let found = tx.search(&pass, &search)?;
        let count = tx.count(&pass, &search)?;
        let all: Vec<WorkspaceId> = (0..WORKSPACES).map(workspace).collect();
        let counts = tx.memory_counts(org(), &all)?;
        let rows = tx.workspaces(org(), &all)?;
        let view = ViewPass::grant(&caller, Permission::ReadEntries, &*tx.tree(org())?, reader)?;
        let entries = tx.list_entries(&view, "", None, 100)?;
        Ok(format!("{found:?}\n{count} {counts:?}\n{rows:?}\n{entries:?}"))
    };
    t.store.read(ReadPlan::Scan, read_something).await.expect("an answer")
}
