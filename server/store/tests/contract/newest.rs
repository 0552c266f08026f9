//! Lists of the newest memories and counts, which are read from the rows.

use chrono::TimeDelta;
use diesel::prelude::*;
use diesel::sql_types::Text;
use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::MetadataFilter;
use orgmem_recall::Filter;
use orgmem_store::{ReadPlan, Search, Store};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::{ACME, Commit, about, commit, commit_all, contents, forget, search};
use super::orgs::{Failure, Org, draw};
use super::redactions::{edit, redact};
use crate::stores::{On, TestStore, test_epoch};

on_both!(
    lists_from_rows_equal_those_from_the_index_after_random_histories,
    list_and_count_load_no_index,
    later_pages_show_nothing_that_was_written_since_the_first,
);

const AUTHORS: [&str; 5] = ["bot-1", "dev", "bot-2", "ops", "acme"];

/// The ids and the positions of all memories of a list, page by page.
async fn all_pages(store: &Store, acme: &Org, reader: WorkspaceId, mut list: Search) -> Vec<(Uuid, u64, i64, String)> {
    list.cut.limit = 7;
    let mut all = Vec::new();
    loop {
        let found = search(store, acme, reader, list.clone()).await;
        list.as_of = Some(found.as_of);
        list.cut.after = found.hits.last().map(|hit| hit.key);
        let hit = |hit: &orgmem_store::FoundMemory| {
            (hit.memory.id, hit.key.rank.to_bits(), hit.key.created_at, format!("{:?} {}", hit.via, hit.score))
        };
        all.extend(found.hits.iter().map(hit));
        if !found.more {
            return all;
        }
    }
}

fn metadata(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

async fn count_of(store: &Store, acme: &Org, reader: WorkspaceId, search: Search) -> usize {
    let org = acme.id;
    let counted: Result<_, Failure> = store
        .read(ReadPlan::Adaptive, move |tx| {
            let pass = read_pass(tx, org, reader)?;
            Ok(tx.count(&pass, &search)?)
        })
        .await;
    counted.expect("a number")
}

/// Times and pins are often equal, and some memories expire.
async fn lists_from_rows_equal_those_from_the_index_after_random_histories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let mut random = StdRng::seed_from_u64(23);
    let mut live: Vec<(Uuid, &str)> = Vec::new();
    let at = |hours: i64| test_epoch() - TimeDelta::hours(hours);
    for n in 0..150 {
        let author = AUTHORS[random.random_range(0..AUTHORS.len())];
        match random.random_range(0..10) {
            0..=6 => {
                let scope = if random.random_ratio(1, 4) { Scope::Local } else { Scope::Team };
                let new = Commit::new(acme.get(author), scope, &format!("buoy {n}")).with(|input| {
                    input.created_at = random.random_ratio(2, 3).then(|| at(random.random_range(0..4)));
                    input.expires_at = random.random_ratio(1, 6).then(|| test_epoch() + TimeDelta::hours(1));
                    input.pin = random.random_ratio(1, 8);
                    input.metadata = random.random_ratio(1, 2).then(|| metadata(json!({"tier": n % 7})));
                });
                live.push((commit(&t.store, &acme, new).await.expect("a commit").id, author));
            }
            change if !live.is_empty() => {
                let chosen = random.random_range(0..live.len());
                let (id, author) = live[chosen];
                if change == 7 {
                    edit(&t.store, &acme, acme.get(author), id, &format!("crane {n}"), None).await;
                } else if change == 8 {
                    let replaced = Commit::new(acme.get(author), Scope::Local, &format!("dock {n}"))
                        .with(|input| input.supersedes = Some(id));
                    if let Ok(committed) = commit(&t.store, &acme, replaced).await {
                        live[chosen].0 = committed.id;
                    }
                } else if redact(&t.store, &acme, acme.get(author), id).await.is_some() {
                    live.swap_remove(chosen);
                } else {
                    assert!(forget(&t.store, &acme, acme.get(author), id).await);
                    live.swap_remove(chosen);
                }
            }
            _ => {}
        }
    }
    for expired in [false, true] {
        if expired {
            t.clock.advance(TimeDelta::hours(2));
        }
        let micros = |hours: i64| Some(at(hours).timestamp_micros());
        let filters = [
            Filter::default(),
            Filter { since: micros(2), ..Filter::default() },
            Filter { since: micros(3), until: micros(1), ..Filter::default() },
            Filter { until: Some(i64::MIN), ..Filter::default() },
            Filter { pinned: Some(true), ..Filter::default() },
            Filter { pinned: Some(false), until: micros(0), ..Filter::default() },
        ];
        for reader in AUTHORS.map(|name| acme.get(name)) {
            let tiers = [None, Some(json!({"tier": {"$gte": 2}})), Some(json!({"tier": null}))];
            for (filter, tier) in filters.iter().flat_map(|filter| tiers.iter().map(move |tier| (filter, tier))) {
                let scopes = if filter.since.is_some() { vec![Scope::Team] } else { Vec::new() };
                let metadata = tier.as_ref().map(|tier| MetadataFilter::parse(tier).expect("a filter"));
                let list = Search { filter: filter.clone(), scopes, metadata, ..Search::default() };
                // neighbours are in the index only
                let from_index = Search { neighbours: 1, ..list.clone() };
                let rows = all_pages(&t.store, &acme, reader, list.clone()).await;
                assert_eq!(rows, all_pages(&t.store, &acme, reader, from_index).await, "{list:?}");
                let explained = Search { explain: true, ..list.clone() };
                assert_eq!(count_of(&t.store, &acme, reader, list).await, rows.len());
                assert_eq!(count_of(&t.store, &acme, reader, explained).await, rows.len());
            }
        }
    }
    assert!(live.len() > 60, "the history commits");
}

async fn list_and_count_load_no_index(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let buoy = |n: i64| {
        Commit::new(bot, Scope::Team, &format!("buoy {n}")).with(|input| {
            input.created_at = Some(test_epoch() - TimeDelta::hours(n));
            input.metadata = Some(metadata(json!({"age": n})));
            input.pin = n == 59;
        })
    };
    commit_all(&t.store, &acme, (0..60).map(buoy).collect()).await;
    let t = t.reopened();
    assert_eq!(search(&t.store, &acme, acme.get("dev"), about("")).await.hits.len(), 50);
    // most of the memories that are read do not satisfy the filter
    let filter = MetadataFilter::parse(&json!({"age": {"$gt": 55}})).expect("a filter");
    let mut old = Search { metadata: Some(filter), ..about("") };
    old.cut.limit = 3;
    let first = search(&t.store, &acme, acme.get("dev"), old.clone()).await;
    assert_eq!(contents(&first), ["buoy 59", "buoy 56", "buoy 57"]);
    (old.as_of, old.cut.after) = (Some(first.as_of), first.hits.last().map(|hit| hit.key));
    assert_eq!(contents(&search(&t.store, &acme, acme.get("dev"), old).await), ["buoy 58"]);
    assert_eq!(count_of(&t.store, &acme, acme.get("dev"), about("")).await, 60);
    assert_eq!(t.store.load().index_bytes, 0);
    search(&t.store, &acme, acme.get("dev"), about("buoy")).await;
    assert!(t.store.load().index_bytes > 0);
}

async fn later_pages_show_nothing_that_was_written_since_the_first(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let mut ids = Vec::new();
    for n in 0..6 {
        let new = Commit::new(bot, Scope::Team, &format!("buoy {n}"))
            .with(|input| input.created_at = Some(test_epoch() - TimeDelta::hours(n)));
        ids.push(commit(&t.store, &acme, new).await.expect("a commit").id);
    }
    let mut list = about("");
    list.cut.limit = 2;
    let first = search(&t.store, &acme, bot, list.clone()).await;
    (list.as_of, list.cut.after) = (Some(first.as_of), first.hits.last().map(|hit| hit.key));
    let old = Commit::new(bot, Scope::Team, "late")
        .with(|input| input.created_at = Some(test_epoch() - TimeDelta::minutes(150)));
    commit(&t.store, &acme, old).await.expect("a commit");
    edit(&t.store, &acme, bot, ids[3], "edited", None).await;
    list.cut.limit = 50;
    let found: Vec<Uuid> = search(&t.store, &acme, bot, list).await.hits.iter().map(|hit| hit.memory.id).collect();
    assert_eq!(found, [ids[2], ids[4], ids[5]]);
}

#[derive(QueryableByName)]
struct PlanStep {
    #[diesel(sql_type = Text)]
    detail: String,
}

/// The index has the conditions and the order, so that a page reads no other rows.
#[test]
fn list_of_a_partition_reads_its_index_in_order() {
    let query = "EXPLAIN QUERY PLAN SELECT * FROM (SELECT created_at, id FROM memories WHERE org_id = x'01' \
        AND author_id = x'02' AND scope = 'TEAM' AND team_id = x'03' AND status = 'live' AND pin = 0 \
        AND org_version <= 9 AND (expires_at IS NULL OR expires_at > 5) AND created_at <= 7 \
        AND (created_at < 7 OR id < x'04') \
        ORDER BY created_at DESC, id DESC LIMIT 8) AS part";
    let steps = plan_of(query);
    let uses = "USING INDEX memories_newest (org_id=? AND author_id=? AND scope=? AND team_id=? AND created_at<?)";
    assert!(steps.iter().any(|step| step.contains(uses)), "{steps:?}");
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
}

#[test]
fn count_reads_the_expired_memories_of_its_org_only() {
    let query = "EXPLAIN QUERY PLAN SELECT author_id, scope, team_id FROM memory_index WHERE org_id = x'01' AND expires_at <= 5";
    let steps = plan_of(query);
    let uses = "USING COVERING INDEX memory_index_by_org_expiry (org_id=? AND expires_at<?)";
    assert!(steps.iter().any(|step| step.contains(uses)), "{steps:?}");
}

fn plan_of(query: &str) -> Vec<String> {
    let t = TestStore::new(On::Sqlite);
    let database = t.file().expect("a file");
    let mut conn = SqliteConnection::establish(&database.to_string_lossy()).expect("the file");
    let steps: Vec<PlanStep> = diesel::sql_query(query).load(&mut conn).expect("a plan");
    steps.into_iter().map(|step| step.detail).collect()
}
