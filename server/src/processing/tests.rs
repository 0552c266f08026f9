//! Runs over touched groups give what a run over all rows gives: random inserts, changes and withdrawals on both databases, with
//! capped runs and runs that are killed between two transactions.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, TimeDelta};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{
    CollectionDraft, CollectionInput, ProcessorDraft, ReasonDraft, RowDraft, RowInput, WorkspaceDraft,
};
use orgmem_policies::rules::{check_collection, check_processor, check_rows};
use orgmem_policies::{ReadPass, ServerAction, ServerPass};
use orgmem_recall::{Filter, Order, PageRequest, Query};
use orgmem_store::Search;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::*;

#[path = "../../../tests/src/stores.rs"]
#[allow(unreachable_pub, dead_code, reason = "a module of the test support crate")]
mod stores;

use stores::{On, TestStore};

const COLLECTION: &str = "issues";
const MIN_ROWS: u64 = 3;

fn definition(name: &str, most: usize) -> Value {
    json!({
        "name": name, "collection": COLLECTION, "min_rows": MIN_ROWS, "max_facts_per_run": most, "max_sources": 3,
        "dimensions": [{"name": "part", "columns": ["part"]}, {"name": "kind", "columns": ["kind"], "default": "other"}],
        "severity": {"columns": ["severity"], "default": 0.1},
        "template": "{part} has {count} of {kind} from {first_seen} to {last_seen}: {confidence}, {severity}",
    })
}

#[derive(Clone, Debug)]
enum Op {
    Put {
        key: u8,
        part: Option<u8>,
        kind: Option<u8>,
        severity: u8,
        day: Option<i64>,
    },
    Withdraw(u8),
    /// A run that is killed after this number of transactions, or that ends.
    Run(Option<usize>),
}

fn op() -> impl Strategy<Value = Op> {
    let put = (0..20_u8, prop::option::weighted(0.9, 0..3_u8), prop::option::of(0..2_u8), 0..=10_u8);
    let put = (put, prop::option::weighted(0.8, 0..40_i64));
    prop_oneof![
        8 => put.prop_map(|((key, part, kind, severity), day)| Op::Put { key, part, kind, severity, day }),
        3 => (0..20_u8).prop_map(Op::Withdraw),
        2 => prop::option::weighted(0.7, 0..5_usize).prop_map(Op::Run),
    ]
}

struct Fixture<'t> {
    test: &'t TestStore,
    processing: Processing,
    place: Place,
}

impl<'t> Fixture<'t> {
    async fn new(test: &'t TestStore, most: usize) -> Self {
        let store = &test.store;
        let workspace = WorkspaceId::from(store.new_id());
        let org = OrgId::of_root(workspace);
        let place = Place { org, workspace, name: "bugs".into() };
        let of = place.clone();
        let made: Result<(), AppError> = store
            .write(org, move |tx| {
                let pass = ServerPass::grant(&server(), ServerAction::CreateOrg)?;
                let draft = WorkspaceDraft::check("acme", None, None, Scrubber::built_in())?;
                tx.create_org(&pass, workspace, &draft)?;
                let pass = act(tx, &of)?;
                let input = CollectionInput { name: COLLECTION.into(), key: "id".into(), time: None, schema: None };
                let draft = CollectionDraft::check(input, Scrubber::built_in())?;
                let plan = check_collection(COLLECTION, "id", None, &tx.collection_facts(&pass, COLLECTION)?)?;
                Ok(tx.put_collection(&pass, &draft, plan)?)
            })
            .await;
        made.expect("an org");
        let processing = Processing::new(store.clone(), Scrubber::built_in(), DraftLimits::default());
        let fixture = Self { test, processing, place };
        fixture.define("bugs", most).await;
        fixture
    }

    async fn define(&self, name: &str, most: usize) {
        let (place, definition) = (self.place.clone(), definition(name, most));
        let name = name.to_owned();
        let defined: Result<(), AppError> = self
            .test
            .store
            .write(place.org, move |tx| {
                let pass = act(tx, &place)?;
                let object = definition.as_object().expect("an object").clone();
                let draft = ProcessorDraft::check(&name, COLLECTION, object, Scrubber::built_in())?;
                let now = tx.now();
                Ok(tx.put_processor(&pass, &draft, check_processor(false, 0)?, now + TimeDelta::hours(6))?)
            })
            .await;
        defined.expect("a processor");
    }

    async fn put(&self, key: u8, values: Value, day: Option<i64>) {
        let place = self.place.clone();
        let time = day.and_then(|day| DateTime::from_timestamp(day * 86_400, 0));
        let values = values.as_object().expect("an object").clone();
        let written: Result<(), AppError> = self
            .test
            .store
            .write(place.org, move |tx| {
                let pass = act(tx, &place)?;
                let input = RowInput { key: format!("row {key}"), time, values: values.clone() };
                let row = RowDraft::check(input, Scrubber::built_in())?;
                tx.write_rows(&pass, COLLECTION, &[row], check_rows(&[], 0)?)?;
                Ok(())
            })
            .await;
        written.expect("a row");
    }

    async fn withdraw(&self, key: u8) {
        let place = self.place.clone();
        let gone: Result<(), AppError> = self
            .test
            .store
            .write(place.org, move |tx| {
                let pass = act(tx, &place)?;
                let reason = ReasonDraft::check("no bug", Scrubber::built_in())?;
                tx.delete_rows(&pass, COLLECTION, &[format!("row {key}")], Some(&reason))?;
                Ok(())
            })
            .await;
        gone.expect("a withdrawal");
    }

    /// A run that is killed after some transactions. The time until another one may begin passes.
    async fn killed(&self, steps: usize) {
        let mut run = self.processing.begin(self.place.clone(), "request", None).await.expect("no other run");
        for _ in 0..steps {
            if self.processing.step(&mut run).await.expect("a step") != Step::More {
                break;
            }
        }
        assert!(
            matches!(
                self.processing.begin(self.place.clone(), "request", None).await.err(),
                Some(AppError::ProcessorBusy)
            ),
            "one run at a time"
        );
        self.test.clock.advance(CLAIM);
    }

    async fn run(&self, name: &str) -> ProcessorRun {
        let place = Place { name: name.into(), ..self.place.clone() };
        self.processing.run(place, "request", None).await.expect("a run")
    }

    /// Text, confidence and metadata of the facts of a processor, by dimensions.
    async fn facts(&self, name: &str) -> BTreeMap<String, Value> {
        let (place, name) = (self.place.clone(), name.to_owned());
        let found: Result<_, AppError> = self
            .test
            .store
            .read(ReadPlan::Scan, move |tx| {
                let profile = tx.default_settings(place.org, place.workspace)?;
                let pass = ReadPass::grant(&server(), &*tx.tree(place.org)?, place.workspace, &profile)?;
                let search = Search {
                    query: Query::parse(""),
                    filter: Filter { source: Some("processor".into()), ..Filter::default() },
                    cut: PageRequest { order: Order::Recent, after: None, limit: 1_000 },
                    ..Search::default()
                };
                Ok(tx.search(&pass, &search)?)
            })
            .await;
        let mut facts = BTreeMap::new();
        for hit in found.expect("facts").hits {
            let metadata: Value =
                serde_json::from_str(hit.memory.authored.metadata.as_deref().unwrap_or("{}")).expect("JSON");
            if metadata["processor"] != json!(name) {
                continue;
            }
            assert_eq!((hit.memory.scope, hit.memory.authored.kind.as_str()), (Scope::Local, "pattern"));
            let mut rest = metadata.clone();
            rest.as_object_mut().expect("an object").remove("processor");
            let fact = json!([hit.memory.authored.content, hit.memory.authored.confidence, rest]);
            assert!(facts.insert(metadata["dimensions"].to_string(), fact).is_none(), "one fact for each group");
        }
        facts
    }
}

async fn check(test: &TestStore, ops: Vec<Op>, most: usize, seen: &AtomicUsize) -> Result<(), TestCaseError> {
    let fixture = Fixture::new(test, most).await;
    for op in ops {
        match op {
            Op::Put { key, part, kind, severity, day } => {
                let mut values = json!({"severity": f64::from(severity) / 10.0});
                if let Some(part) = part {
                    values["part"] = json!(format!("Part {part}"));
                }
                if let Some(kind) = kind {
                    values["kind"] = json!(format!("kind {kind}"));
                }
                fixture.put(key, values, day).await;
            }
            Op::Withdraw(key) => fixture.withdraw(key).await,
            Op::Run(Some(steps)) => fixture.killed(steps).await,
            Op::Run(None) => {
                let report = fixture.run("bugs").await;
                let writes = report.inserted + report.updated + report.rolled_back;
                prop_assert!(writes <= count(most), "{report:?}");
                prop_assert_eq!(&report.error, &None);
            }
        }
    }
    for runs in 0.. {
        prop_assert!(runs < 40, "capped runs end");
        if fixture.run("bugs").await.capped.is_none() {
            break;
        }
    }
    let incremental = fixture.facts("bugs").await;
    fixture.define("fresh", 10_000).await;
    fixture.run("fresh").await;
    let fresh = fixture.facts("fresh").await;
    prop_assert_eq!(&incremental, &fresh);
    seen.fetch_add(fresh.len(), Ordering::Relaxed);
    for fact in incremental.values() {
        prop_assert!(fact[2]["row_count"].as_u64() >= Some(MIN_ROWS), "{}", fact);
    }
    let report = fixture.run("bugs").await;
    prop_assert_eq!((report.read, report.inserted, report.updated, report.rolled_back), (0, 0, 0, 0));
    Ok(())
}

/// Catches: the former group of a moved row is not touched; a row that is deleted during a run comes back; a capped group is
/// forgotten; a fact whose run is killed after its commit is written twice.
fn incremental_runs_equal_a_run_over_all_rows(on: On, cases: u32) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let test = runtime.block_on(async { TestStore::new(on) });
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let strategy = (prop::collection::vec(op(), 1..60), 1..4_usize);
    let seen = AtomicUsize::new(0);
    let outcome =
        TestRunner::new(config).run(&strategy, |(ops, most)| runtime.block_on(check(&test, ops, most, &seen)));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(seen.into_inner() > 0, "the histories make facts");
}

#[test]
fn incremental_runs_equal_a_run_over_all_rows_on_sqlite() {
    incremental_runs_equal_a_run_over_all_rows(On::Sqlite, 12);
}

#[test]
fn incremental_runs_equal_a_run_over_all_rows_on_postgres() {
    incremental_runs_equal_a_run_over_all_rows(On::Postgres, 6);
}

/// A change of the definition reaches every fact, and a missed schedule is made up by one run.
#[tokio::test(flavor = "multi_thread")]
async fn due_processor_runs_once_and_a_changed_definition_changes_all_facts() {
    let test = TestStore::new(On::Sqlite);
    let fixture = Fixture::new(&test, 10).await;
    for key in 0..4 {
        fixture.put(key, json!({"part": "web", "severity": 0.5}), Some(i64::from(key))).await;
    }
    let org = fixture.place.org;
    assert_eq!(fixture.processing.due(test.store.now()).await.expect("orgs"), [], "not before its time");
    test.clock.advance(TimeDelta::days(3));
    let now = test.store.now();
    assert_eq!(fixture.processing.due(now).await.expect("orgs"), [org]);
    fixture.processing.run_due(org, now).await.expect("runs");
    assert_eq!(fixture.processing.due(test.store.now()).await.expect("orgs"), [], "missed times are made up once");
    let of = fixture.place.clone();
    let runs: Result<Vec<ProcessorRun>, AppError> = test
        .store
        .read(ReadPlan::Scan, move |tx| {
            let pass = view(tx, &of)?;
            Ok(tx.processor_runs(&pass, &of.name, None, 10)?)
        })
        .await;
    let runs = runs.expect("runs");
    let counted: Vec<_> = runs.iter().map(|run| (run.read, run.inserted, run.error.clone())).collect();
    assert_eq!(counted, [(4, 1, None)], "{runs:?}");
    let before: HashSet<String> = fixture.facts("bugs").await.into_keys().collect();
    assert_eq!(before.len(), 1);

    let (place, mut changed) = (fixture.place.clone(), definition("bugs", 10));
    changed["template"] = json!("{part}: {count} times {kind}");
    let defined: Result<(), AppError> = test
        .store
        .write(org, move |tx| {
            let pass = act(tx, &place)?;
            let object = changed.as_object().expect("an object").clone();
            let draft = ProcessorDraft::check("bugs", COLLECTION, object, Scrubber::built_in())?;
            let now = tx.now();
            Ok(tx.put_processor(&pass, &draft, check_processor(true, 1)?, now)?)
        })
        .await;
    defined.expect("a changed processor");
    let report = fixture.run("bugs").await;
    assert_eq!((report.read, report.inserted, report.updated), (4, 0, 1), "{report:?}");
    let facts = fixture.facts("bugs").await;
    assert!(facts.values().all(|fact| fact[0] == "web: 4 times other"), "{facts:?}");
}
