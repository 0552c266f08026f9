//! Entries: versions, expiry, conditions and lists.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use orgmem_policies::DraftLimits;
use orgmem_policies::drafts::{EntryDraft, EntryInput};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Entry, ReadPlan, VersionConflict};
use serde_json::{Value, json};

use super::agent::{Agent, view_pass};
use super::orgs::{Failure, draw};
use crate::stores::TestStore;

on_both!(
    entry_is_returned_as_put,
    versions_only_grow,
    expired_entry_is_absent,
    put_without_ttl_clears_expiry,
    conditional_write_requires_the_version,
    entries_are_listed_by_prefix_in_byte_order,
    pages_continue_after_inserts_and_drops,
    entries_are_private_to_their_workspace,
    concurrent_puts_have_distinct_versions,
    job_sees_its_own_puts,
    failing_job_keeps_puts_of_its_group,
    random_writes_agree_with_a_map,
    sweep_keeps_versions,
);

fn draft(agent: &Agent, key: &str, value: Value, ttl_seconds: Option<i64>, if_match: Option<i64>) -> EntryDraft {
    let input = EntryInput { key: key.into(), value, ttl_seconds, if_match_version: if_match, subject: None };
    EntryDraft::check(input, DraftLimits::default(), Scrubber::built_in(), agent.store.now()).expect("a right entry")
}

type Put = Result<i64, VersionConflict>;
type Dropped = Result<bool, VersionConflict>;

async fn put_with(agent: &Agent, key: &str, value: Value, ttl: Option<i64>, if_match: Option<i64>) -> Put {
    let draft = draft(agent, key, value, ttl, if_match);
    agent.act(move |tx, pass| Ok(tx.put_entry(pass, &draft)?)).await.expect("an answer")
}

async fn put(agent: &Agent, key: &str, value: Value) -> i64 {
    put_with(agent, key, value, None, None).await.expect("no version was named")
}

async fn drop_entry(agent: &Agent, key: &str, if_match: Option<i64>) -> Dropped {
    let key = key.to_owned();
    agent.act(move |tx, pass| Ok(tx.drop_entry(pass, &key, if_match)?)).await.expect("an answer")
}

/// The entry, by all ways to read it, with cold and warm caches.
async fn get(agent: &Agent, key: &str) -> Option<Entry> {
    let mut found = Vec::new();
    for cost in [ReadPlan::Cached, ReadPlan::Scan, ReadPlan::Cached] {
        let key = key.to_owned();
        found.push(agent.view_at(cost, move |tx, pass| tx.entry(pass, &key)).await);
    }
    assert!(found.iter().all(|entry| *entry == found[0]), "{found:?}");
    found.remove(0)
}

async fn keys(agent: &Agent, prefix: &str, after: Option<&str>, limit: usize) -> Vec<String> {
    let (prefix, after) = (prefix.to_owned(), after.map(str::to_owned));
    let entries = agent.view(move |tx, pass| tx.list_entries(pass, &prefix, after.as_deref(), limit)).await;
    entries.into_iter().map(|entry| entry.key).collect()
}

async fn bot(t: &TestStore) -> Agent {
    Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot")
}

async fn entry_is_returned_as_put(t: TestStore) {
    let bot = bot(&t).await;
    let values =
        [json!(null), json!(false), json!(-1.5), json!("naïve \u{0} \u{1f600}"), json!({"b": [1, {}], "a": ""})];
    for (n, value) in values.into_iter().enumerate() {
        let key = format!("key {n}");
        put(&bot, &key, value.clone()).await;
        let entry = get(&bot, &key).await.expect("it is there");
        assert_eq!(serde_json::from_str::<Value>(&entry.value).expect("JSON"), value);
        let expected = Entry {
            key,
            value: entry.value.clone(),
            version: 1,
            expires_at: None,
            updated_at: t.store.now(),
            subject: None,
        };
        assert_eq!(entry, expected);
    }
    assert_eq!(get(&bot, "another").await, None);
    assert_eq!(get(&bot, "key\0").await, None);
}

async fn versions_only_grow(t: TestStore) {
    let bot = bot(&t).await;
    assert_eq!(put(&bot, "plan", json!("a")).await, 1);
    assert_eq!(put(&bot, "plan", json!("b")).await, 2);
    assert_eq!(drop_entry(&bot, "plan", None).await, Ok(true));
    assert_eq!(get(&bot, "plan").await, None);
    assert_eq!(drop_entry(&bot, "plan", None).await, Ok(false));
    let t = t.reopened();
    let bot = Agent { store: t.store.clone(), ..bot };
    assert_eq!(put_with(&bot, "plan", json!("c"), Some(5), None).await, Ok(3));
    t.clock.advance(TimeDelta::seconds(6));
    assert_eq!(put(&bot, "plan", json!("d")).await, 4);
    assert_eq!(get(&bot, "plan").await.map(|entry| entry.version), Some(4));
}

async fn expired_entry_is_absent(t: TestStore) {
    let bot = bot(&t).await;
    let expires_at = t.store.now() + TimeDelta::seconds(10);
    put_with(&bot, "lease", json!(1), Some(10), None).await.expect("no version was named");
    t.clock.advance(TimeDelta::seconds(10) - TimeDelta::microseconds(1));
    assert_eq!(get(&bot, "lease").await.and_then(|entry| entry.expires_at), Some(expires_at));
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(get(&bot, "lease").await, None);
    assert!(keys(&bot, "", None, 10).await.is_empty());
    assert_eq!(drop_entry(&bot, "lease", None).await, Ok(false));
    let absent = |expected| VersionConflict { expected, current: None };
    assert_eq!(drop_entry(&bot, "lease", Some(1)).await, Err(absent(1)));
    assert_eq!(put_with(&bot, "lease", json!(2), None, Some(1)).await, Err(absent(1)));
    assert_eq!(put_with(&bot, "lease", json!(2), None, Some(0)).await, Ok(2));
}

async fn put_without_ttl_clears_expiry(t: TestStore) {
    let bot = bot(&t).await;
    put_with(&bot, "lease", json!(1), Some(10), None).await.expect("no version was named");
    put(&bot, "lease", json!(2)).await;
    t.clock.advance(TimeDelta::days(400));
    assert_eq!(get(&bot, "lease").await.and_then(|entry| entry.expires_at), None);
    assert_eq!(keys(&bot, "", None, 10).await, ["lease"]);
}

async fn conditional_write_requires_the_version(t: TestStore) {
    let bot = bot(&t).await;
    let conflict = |expected, current| VersionConflict { expected, current };
    let put_on = async |version| put_with(&bot, "plan", json!({}), None, Some(version)).await;
    assert_eq!(put_on(1).await, Err(conflict(1, None)));
    assert_eq!(put_on(0).await, Ok(1));
    assert_eq!(put_on(0).await, Err(conflict(0, Some(1))));
    assert_eq!(put_on(2).await, Err(conflict(2, Some(1))));
    assert_eq!(put_on(1).await, Ok(2));
    assert_eq!(drop_entry(&bot, "plan", Some(1)).await, Err(conflict(1, Some(2))));
    assert_eq!(drop_entry(&bot, "plan", Some(0)).await, Err(conflict(0, Some(2))));
    assert_eq!(drop_entry(&bot, "plan", Some(2)).await, Ok(true));
    assert_eq!(drop_entry(&bot, "plan", Some(0)).await, Ok(false));
    assert_eq!(put_on(2).await, Err(conflict(2, None)));
    assert_eq!(put_on(0).await, Ok(3));
}

async fn entries_are_listed_by_prefix_in_byte_order(t: TestStore) {
    let bot = bot(&t).await;
    let ordered = [
        "A",
        "B",
        "a",
        "a b",
        "a-b",
        "a/b",
        "a/b/c",
        "a0",
        "aB",
        "ab",
        "b",
        "ä",
        "ö",
        "\u{d7ff}",
        "\u{e000}",
        "\u{10ffff}",
    ];
    for key in ordered.iter().rev() {
        put(&bot, key, json!(key)).await;
    }
    assert_eq!(keys(&bot, "", None, 50).await, ordered);
    let check = async |prefix: &str| {
        let expected: Vec<_> = ordered.iter().filter(|key| key.starts_with(prefix)).collect();
        assert_eq!(keys(&bot, prefix, None, 50).await.iter().collect::<Vec<_>>(), expected, "{prefix:?}");
    };
    for prefix in ["A", "a", "a/", "a/b", "%", "a_", "ä", "\u{d7ff}", "\u{10ffff}", "c", "a\0"] {
        check(prefix).await;
    }
}

async fn pages_continue_after_inserts_and_drops(t: TestStore) {
    let bot = bot(&t).await;
    for n in (10..30).step_by(2) {
        put(&bot, &format!("k/{n}"), json!(n)).await;
    }
    assert_eq!(keys(&bot, "k/", None, 3).await, ["k/10", "k/12", "k/14"]);
    put(&bot, "k/11", json!("before the cursor")).await;
    put(&bot, "k/15", json!("behind it")).await;
    assert_eq!(drop_entry(&bot, "k/14", None).await, Ok(true));
    assert_eq!(keys(&bot, "k/", Some("k/14"), 3).await, ["k/15", "k/16", "k/18"]);
    assert_eq!(keys(&bot, "k/", Some("a"), 1).await, ["k/10"]);
    assert!(keys(&bot, "k/", Some("z"), 3).await.is_empty());
    assert!(keys(&bot, "k/", Some("k/28"), 3).await.is_empty());
}

async fn entries_are_private_to_their_workspace(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    let (one, two) = (Agent::new(&t.store, &acme, "one"), Agent::new(&t.store, &acme, "two"));
    put(&one, "plan", json!("one's")).await;
    assert_eq!(get(&two, "plan").await, None);
    assert!(keys(&two, "", None, 10).await.is_empty());
    assert_eq!(drop_entry(&two, "plan", None).await, Ok(false));
    assert_eq!(put(&two, "plan", json!("two's")).await, 1);
    assert_eq!(get(&one, "plan").await.map(|entry| entry.value), Some("\"one's\"".into()));
}

async fn concurrent_puts_have_distinct_versions(t: TestStore) {
    let bot = bot(&t).await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..100 {
        let bot = bot.clone();
        tasks.spawn(async move { put(&bot, if n % 2 == 0 { "even" } else { "odd" }, json!(n)).await });
    }
    let versions = tasks.join_all().await;
    assert_eq!(versions.iter().collect::<BTreeSet<_>>().len(), 50);
    assert_eq!(versions.into_iter().max(), Some(50));
    assert_eq!(get(&bot, "odd").await.map(|entry| entry.version), Some(50));
}

async fn job_sees_its_own_puts(t: TestStore) {
    let bot = bot(&t).await;
    let (org, id) = (bot.org, bot.id);
    put(&bot, "a", json!(1)).await;
    let (a, b) = (draft(&bot, "a", json!(2), None, Some(1)), draft(&bot, "b", json!(1), None, Some(0)));
    let done = bot.act(move |tx, pass| {
        assert_eq!((tx.put_entry(pass, &a)?, tx.put_entry(pass, &b)?), (Ok(2), Ok(1)));
        let view = view_pass(tx, org, id)?;
        assert_eq!(tx.entry(&view, "a")?.map(|entry| entry.version), Some(2));
        let listed = tx.list_entries(&view, "", None, 10)?;
        let listed: Vec<_> = listed.into_iter().map(|entry| (entry.key, entry.version)).collect();
        assert_eq!(listed, [("a".into(), 2), ("b".into(), 1)]);
        assert_eq!(tx.drop_entry(pass, "a", Some(2))?, Ok(true));
        assert_eq!(tx.entry(&view, "a")?, None);
        Ok(())
    });
    done.await.expect("it is done");
    assert_eq!(keys(&bot, "", None, 10).await, ["b"]);
}

async fn failing_job_keeps_puts_of_its_group(t: TestStore) {
    let bot = bot(&t).await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..90 {
        let (bot, (org, id)) = (bot.clone(), (bot.org, bot.id));
        let draft = draft(&bot, &format!("k{n}"), json!(n), None, None);
        tasks.spawn(async move {
            let put = bot.act(move |tx, pass| {
                assert_eq!(tx.put_entry(pass, &draft)?, Ok(1));
                if n % 3 > 0 {
                    // flushes the rows of its group to the database
                    let view = view_pass(tx, org, id)?;
                    tx.list_entries(&view, "", None, 1)?;
                }
                if n % 2 == 0 { Err(Failure::OnPurpose) } else { Ok(()) }
            });
            assert_eq!(put.await.is_ok(), n % 2 == 1);
        });
    }
    tasks.join_all().await;
    let expected: BTreeSet<String> = (0..90).filter(|n| n % 2 == 1).map(|n| format!("k{n}")).collect();
    assert_eq!(keys(&bot, "", None, 200).await, expected.into_iter().collect::<Vec<_>>());
}

async fn sweep_keeps_versions(t: TestStore) {
    let bot = bot(&t).await;
    put_with(&bot, "lease", json!(1), Some(10), None).await.expect("no version was named");
    put_with(&bot, "long lease", json!(1), Some(20), None).await.expect("no version was named");
    t.clock.advance(TimeDelta::seconds(10));
    assert_eq!(t.store.sweep().await.expect("a sweep"), 1);
    assert_eq!(keys(&bot, "", None, 10).await, ["long lease"]);
    assert_eq!(put_with(&bot, "lease", json!(2), None, Some(0)).await, Ok(2));
}

/// The value and expiry of a key; the value is `None` after a drop.
type Model = BTreeMap<String, (i64, Option<(i64, Option<i64>)>)>;

async fn random_writes_agree_with_a_map(t: TestStore) {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    let bot = bot(&t).await;
    let mut rng = StdRng::seed_from_u64(7);
    let (mut model, mut now) = (Model::new(), 0);
    for step in 0..300 {
        let key = ["a", "b", "b/c", "c"][rng.random_range(0..4)];
        let (last, stored) = model.entry(key.to_owned()).or_default();
        let live = stored.filter(|(_, expiry)| expiry.is_none_or(|at| at > now));
        let current = live.map(|_| *last);
        let if_match = rng.random_bool(0.4).then(|| rng.random_range(0..=*last + 1));
        let conflict = if_match.filter(|expected| *expected != current.unwrap_or(0));
        let conflict = conflict.map(|expected| VersionConflict { expected, current });
        match rng.random_range(0..4) {
            0 => {
                let passing = rng.random_range(0..3);
                now += passing;
                t.clock.advance(TimeDelta::seconds(passing));
            }
            1 => {
                let expected = conflict.map_or(Ok(live.is_some()), Err);
                assert_eq!(drop_entry(&bot, key, if_match).await, expected, "step {step}");
                if expected == Ok(true) {
                    *stored = None;
                }
            }
            _ => {
                let ttl = rng.random_bool(0.3).then(|| rng.random_range(1..4));
                let expected = conflict.map_or(Ok(*last + 1), Err);
                assert_eq!(put_with(&bot, key, json!(step), ttl, if_match).await, expected, "step {step}");
                if conflict.is_none() {
                    *last += 1;
                    *stored = Some((step, ttl.map(|ttl| now + ttl)));
                }
            }
        }
        let live = model.iter().filter_map(|(key, (version, stored))| {
            let (value, expiry) = (*stored)?;
            expiry.is_none_or(|at| at > now).then(|| (key.clone(), *version, value.to_string()))
        });
        let listed = bot.view(|tx, pass| tx.list_entries(pass, "", None, 10)).await;
        let listed: Vec<_> = listed.into_iter().map(|entry| (entry.key, entry.version, entry.value)).collect();
        assert_eq!(listed, live.collect::<Vec<_>>(), "step {step}");
    }
}
