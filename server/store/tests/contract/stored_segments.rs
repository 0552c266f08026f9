//! Segments in the database give the same results as the index rows, hold no removed content, and can be lost.

use orgmem_hierarchy::Scope;
use orgmem_store::{ReadPlan, Store};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::audit_log::{count, execute_sql};
use super::commits::{ACME, Commit, about, commit, commit_all, contents, forget, search};
use super::orgs::{Failure, Org, draw};
use super::redactions::{edit, erase, purge, redact};
use crate::stores::{On, TestStore};

on_both!(
    search_after_a_start_reads_segments_instead_of_rows,
    many_rows_beyond_the_segments_are_read_beside_them,
    segments_give_the_same_results_as_rows_after_random_histories,
    removed_content_leaves_the_segments,
    edit_of_inflection_leaves_no_earlier_form_in_the_segments,
    damaged_or_missing_segment_is_replaced_from_rows,
    purged_workspace_and_erased_org_leave_no_segments,
    segments_of_a_state_that_has_changed_are_not_stored,
);

/// Writes all changes into segments.
pub(crate) async fn store_segments(store: &Store, org: &Org) {
    while store.store_segments(org.id, 40).await.expect("segments") {}
}

/// Everything that searches of a reader return.
async fn results(store: &Store, acme: &Org) -> String {
    let mut all = String::new();
    for reader in ["bot-1", "dev"] {
        for query in ["", "harbour buoy", "did I see a lighthouse?", "\"harbour lighthouse\""] {
            let mut query = about(query);
            query.cut.limit = 200;
            let found = search(store, acme, acme.get(reader), query).await;
            for hit in found.hits {
                all += &format!("{reader} {} {} {}\n", hit.memory.id, hit.memory.authored.content, hit.score);
            }
        }
    }
    all
}

fn drafts(acme: &Org, count: u32) -> Vec<Commit> {
    let text = |n: u32| format!("harbour {} number {n}", ["buoy", "lighthouse", "crane"][n as usize % 3]);
    let author = |n: u32| acme.get(["bot-1", "dev", "bot-2"][n as usize % 3]);
    (0..count).map(|n| Commit::new(author(n), Scope::Team, &text(n))).collect()
}

async fn search_after_a_start_reads_segments_instead_of_rows(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    commit_all(&t.store, &acme, drafts(&acme, 300)).await;
    let before = results(&t.store, &acme).await;
    assert_eq!(t.store.orgs_to_segment().await.expect("orgs"), [acme.id]);
    store_segments(&t.store, &acme).await;
    assert!(before.contains("number 299"));
    // no row can be decoded any more
    let broken = if t.file().is_some() { "x'00'" } else { "'\\x00'" };
    execute_sql(&t, &format!("UPDATE memory_index SET doc = {broken} WHERE doc IS NOT NULL"));
    let t = t.reopened();
    assert_eq!(results(&t.store, &acme).await, before);
    // changes since are read from rows
    let id =
        commit(&t.store, &acme, Commit::new(acme.get("dev"), Scope::Team, "harbour seal")).await.expect("a commit").id;
    let t = t.reopened();
    assert_eq!(contents(&search(&t.store, &acme, acme.get("dev"), about("seal")).await), ["harbour seal"]);
    assert!(forget(&t.store, &acme, acme.get("dev"), id).await);
    let t = t.reopened();
    assert_eq!(results(&t.store, &acme).await, before);
}

/// As after a large fill that the job has not caught up with.
async fn many_rows_beyond_the_segments_are_read_beside_them(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let all = drafts(&acme, 11_000);
    let (stored, beyond) = all.split_at(5_600);
    for some in stored.chunks(500) {
        commit_all(&t.store, &acme, some.to_vec()).await;
    }
    while t.store.store_segments(acme.id, 2_000).await.expect("segments") {}
    let broken = if t.file().is_some() { "x'00'" } else { "'\\x00'" };
    execute_sql(&t, &format!("UPDATE memory_index SET doc = {broken} WHERE doc IS NOT NULL"));
    for some in beyond.chunks(500) {
        commit_all(&t.store, &acme, some.to_vec()).await;
    }
    let before = results(&t.store, &acme).await;
    assert!(before.contains("number 10999"));
    let t = t.reopened();
    assert_eq!(results(&t.store, &acme).await, before);
}

async fn segments_give_the_same_results_as_rows_after_random_histories(mut t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let mut random = StdRng::seed_from_u64(7);
    let mut live: Vec<(Uuid, &str)> = Vec::new();
    for round in 0..6u32 {
        for n in 0..60 {
            let author = ["bot-1", "dev", "bot-2"][random.random_range(0..3)];
            let word = ["buoy", "lighthouse", "crane"][random.random_range(0..3)];
            let text = format!("harbour {word} {round} {n}. I saw it.");
            if live.len() < 20 || random.random_ratio(1, 2) {
                let draft = Commit::new(acme.get(author), Scope::Team, &text).with(|input| {
                    input.session_id = Some(format!("session {}", n % 7));
                    input.tags = vec![word.to_owned()];
                });
                live.push((commit(&t.store, &acme, draft).await.expect("a commit").id, author));
                continue;
            }
            let chosen = random.random_range(0..live.len());
            let (id, author) = live[chosen];
            match random.random_range(0..4) {
                0 => assert!(forget(&t.store, &acme, acme.get(author), id).await),
                1 => drop(redact(&t.store, &acme, acme.get(author), id).await.expect("it was there")),
                _ => {
                    edit(&t.store, &acme, acme.get(author), id, &text, None).await;
                    continue;
                }
            }
            live.swap_remove(chosen);
        }
        if round % 3 != 2 {
            store_segments(&t.store, &acme).await;
        }
        let warm = results(&t.store, &acme).await;
        t = t.reopened();
        let cold = results(&t.store, &acme).await;
        assert_eq!(cold, warm, "round {round}");
        assert!(t.store.orgs_to_segment().await.is_ok());
    }
    let from_segments = results(&t.store, &acme).await;
    execute_sql(&t, "DELETE FROM memory_segments; DELETE FROM segment_progress");
    t = t.reopened();
    assert_eq!(results(&t.store, &acme).await, from_segments);
}

/// Also the content that an edit replaced.
async fn removed_content_leaves_the_segments(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let mut ids = Vec::new();
    for word in ["quetzal", "zanzibar", "kilimanjaro"] {
        ids.push(commit(&t.store, &acme, Commit::new(bot, Scope::Team, word)).await.expect("a commit").id);
    }
    commit_all(&t.store, &acme, drafts(&acme, 90)).await;
    store_segments(&t.store, &acme).await;
    let segments_with = |word: &str| {
        let is_in =
            if t.file().is_some() { "instr(data, CAST('$' AS BLOB)) > 0" } else { "position('$'::bytea in data) > 0" };
        count(&t, &format!("SELECT count(*) AS count FROM memory_segments WHERE {}", is_in.replace('$', word)))
    };
    let all = || ["quetzal", "zanzibar", "kilimanjaro", "lighthous"].map(|word| segments_with(word) > 0);
    assert_eq!(all(), [true; 4]);
    edit(&t.store, &acme, bot, ids[0], "a bird", None).await;
    commit_all(&t.store, &acme, drafts(&acme, 90)).await;
    store_segments(&t.store, &acme).await;
    assert_eq!(all(), [false, true, true, true], "the earlier version may be erased without the memory");
    assert!(forget(&t.store, &acme, bot, ids[1]).await);
    assert_eq!(t.store.orgs_to_segment().await.expect("orgs"), [acme.id]);
    store_segments(&t.store, &acme).await;
    assert_eq!(all(), [false, false, true, true], "one change suffices");
    for n in 0..90 {
        commit(&t.store, &acme, Commit::new(bot, Scope::Team, &format!("backlog {n}"))).await.expect("a commit");
    }
    redact(&t.store, &acme, bot, ids[2]).await.expect("it was there");
    assert!(t.store.store_segments(acme.id, 40).await.expect("segments"), "more is waiting");
    assert_eq!(all(), [false, false, false, true], "it does not wait for the backlog");
}

/// The terms are the same, but a segment has the form of each word too.
async fn edit_of_inflection_leaves_no_earlier_form_in_the_segments(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let id = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "the sky is falling")).await.expect("a commit").id;
    commit_all(&t.store, &acme, (0..39).map(|n| Commit::new(bot, Scope::Team, &format!("buoy {n}"))).collect()).await;
    store_segments(&t.store, &acme).await;
    let hex = id.simple();
    let has_memory = match t.file() {
        Some(_) => format!("instr(data, x'{hex}') > 0"),
        None => format!("position('\\x{hex}'::bytea in data) > 0"),
    };
    let segments_with_memory =
        || count(&t, &format!("SELECT count(*) AS count FROM memory_segments WHERE {has_memory}"));
    assert_eq!(segments_with_memory(), 1);
    edit(&t.store, &acme, bot, id, "the skies are falling", None).await;
    store_segments(&t.store, &acme).await;
    assert_eq!(segments_with_memory(), 1, "the segment with the earlier form is written again");
}

/// One server stores segments, the other one writes, and each of them now and then starts again.
#[test]
fn two_servers_with_stored_segments_find_the_same_and_nothing_that_was_removed() {
    crate::run(On::Postgres, async |t: TestStore| {
        let acme = draw(&t.store, ACME).await;
        let mut other = t.second_server();
        let mut random = StdRng::seed_from_u64(11);
        let (mut live, mut removed): (Vec<(Uuid, &str, String)>, Vec<String>) = Default::default();
        for round in 0..8u32 {
            for n in 0..50 {
                let mark = format!("mark{round}x{n}");
                let text = format!("harbour buoy {mark}");
                if live.len() < 40 || random.random_ratio(1, 2) {
                    let author = ["bot-1", "dev", "bot-2"][random.random_range(0..3)];
                    let writer = if random.random_ratio(1, 5) { &t.store } else { &other };
                    let new = Commit::new(acme.get(author), Scope::Team, &text);
                    live.push((commit(writer, &acme, new).await.expect("a commit").id, author, mark));
                    continue;
                }
                let chosen = random.random_range(0..live.len());
                let (id, author, _) = live[chosen];
                let author = acme.get(author);
                let before = match random.random_range(0..3) {
                    0 => {
                        assert!(forget(&other, &acme, author, id).await);
                        live.swap_remove(chosen).2
                    }
                    1 => {
                        redact(&other, &acme, author, id).await.expect("it was there");
                        live.swap_remove(chosen).2
                    }
                    _ => {
                        edit(&other, &acme, author, id, &text, None).await;
                        std::mem::replace(&mut live[chosen].2, mark)
                    }
                };
                removed.push(before);
            }
            if round % 3 != 2 {
                store_segments(&t.store, &acme).await;
            }
            let (here, there) = (results(&t.store, &acme).await, results(&other, &acme).await);
            assert_eq!(here, there, "round {round}");
            if round % 2 == 1 {
                other.close();
                other = t.second_server();
                assert_eq!(results(&other, &acme).await, here, "round {round}, after a start");
            }
            for (store, name) in [(&t.store, "here"), (&other, "there")] {
                for mark in removed.iter().rev().take(20) {
                    let found = search(store, &acme, acme.get("dev"), about(mark)).await;
                    let found = contents(&found).into_iter().filter(|text| text.ends_with(mark.as_str())).count();
                    assert_eq!(found, 0, "{mark} is found {name}");
                }
            }
        }
        assert!(removed.len() > 40, "the history removes");
        store_segments(&t.store, &acme).await;
        let texts: Vec<String> = live.iter().map(|(_, _, mark)| format!("harbour buoy {mark}")).collect();
        let fresh = t.second_server();
        let mut all = about("");
        all.cut.limit = 1_000;
        let found = search(&fresh, &acme, acme.get("dev"), all).await;
        let mut found: Vec<String> = contents(&found).into_iter().map(str::to_owned).collect();
        let mut expected = texts;
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    });
}

async fn damaged_or_missing_segment_is_replaced_from_rows(mut t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    commit_all(&t.store, &acme, drafts(&acme, 90)).await;
    store_segments(&t.store, &acme).await;
    let before = results(&t.store, &acme).await;
    let broken = if t.file().is_some() { "x'0100'" } else { "'\\x0100'" };
    let damages = [
        format!("UPDATE memory_segments SET data = {broken} WHERE number = 0"),
        "DELETE FROM memory_segments WHERE number = 0".to_owned(),
        "UPDATE memory_segments SET deleted = data".to_owned(),
    ];
    for damage in damages {
        execute_sql(&t, &damage);
        t = t.reopened();
        assert_eq!(results(&t.store, &acme).await, before, "{damage}");
        assert_eq!(t.store.orgs_to_segment().await.expect("orgs"), [acme.id], "{damage}");
        store_segments(&t.store, &acme).await;
        assert!(t.store.orgs_to_segment().await.expect("orgs").is_empty(), "{damage}");
        t = t.reopened();
        assert_eq!(results(&t.store, &acme).await, before, "{damage}");
        assert!(t.store.orgs_to_segment().await.expect("orgs").is_empty(), "{damage}: it was repaired");
    }
}

async fn purged_workspace_and_erased_org_leave_no_segments(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    commit_all(&t.store, &acme, drafts(&acme, 90)).await;
    store_segments(&t.store, &acme).await;
    let segments = || count(&t, "SELECT count(*) AS count FROM memory_segments");
    let before = segments();
    purge(&t.store, &acme, acme.get("bot-1")).await;
    assert!(0 < segments() && segments() < before);
    let t = t.reopened();
    let found = search(&t.store, &acme, acme.get("dev"), about("harbour")).await;
    assert!(found.hits.iter().all(|hit| hit.memory.author != acme.get("bot-1")) && !found.hits.is_empty());
    erase(&t.store, &acme, None).await;
    assert_eq!(count(&t, "SELECT count(*) AS count FROM memory_segments"), 0);
    let t = t.reopened();
    assert_eq!(search(&t.store, &acme, acme.get("dev"), about("harbour")).await.hits.len(), 0);
}

/// The index rows of a purged workspace are gone when its segments would be written.
async fn segments_of_a_state_that_has_changed_are_not_stored(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    commit_all(&t.store, &acme, drafts(&acme, 90)).await;
    let org = acme.id;
    let work: Result<_, Failure> = t.store.read(ReadPlan::Scan, move |tx| Ok(tx.segment_work(org, 1_000)?)).await;
    let (update, error) = work.expect("a read").expect("work").build();
    assert!(error.is_none());
    purge(&t.store, &acme, acme.get("bot-1")).await;
    let stored: Result<_, Failure> = t.store.write(org, move |tx| Ok(tx.put_segments(&update)?)).await;
    assert!(!stored.expect("a write"));
}
