//! Memories: versions, replacement, deletion and counts.

use chrono::TimeDelta;
use orgmem_hierarchy::{Scope, Via, WorkspaceId};
use orgmem_policies::WritePass;
use orgmem_policies::rules::RuleViolation;
use orgmem_recall::Filter;
use orgmem_store::{Found, Memory, MemoryCounts, MemoryStatus, ReadPlan, ReadyMemory, Search, Store};
use uuid::Uuid;

use super::agent::read_pass;
use super::commits::{ACME, Commit, about, commit, commit_ready, contents, forget, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::TestStore;

on_both!(
    memory_is_found_by_the_next_search,
    memory_is_found_by_readers_of_its_scope,
    repeated_id_replaces_the_memory,
    id_of_another_author_is_refused,
    superseded_memory_is_not_read,
    superseded_memory_supersedes_nothing,
    only_own_live_memories_can_be_superseded,
    deleted_memory_is_absent_and_its_id_is_reusable,
    expired_memory_is_absent,
    number_of_pins_is_limited,
    refused_item_does_not_affect_its_batch,
    counts_follow_every_change,
    page_continues_after_its_last_hit,
    restart_keeps_memories_and_their_order,
    write_sees_its_own_changes,
);

async fn one(store: &Store, org: &Org, reader: WorkspaceId, id: Uuid) -> Option<(Memory, Via)> {
    let org = org.id;
    let found: Result<_, Failure> = store
        .read(ReadPlan::PointLookup, move |tx| {
            let pass = read_pass(tx, org, reader)?;
            Ok(tx.memory(&pass, id)?)
        })
        .await;
    found.expect("an answer")
}

async fn counts(store: &Store, org: &Org, author: WorkspaceId) -> MemoryCounts {
    let org = org.id;
    let counts = store.read(ReadPlan::PointLookup, move |tx| tx.memory_counts(org, &[author])).await;
    counts.expect("an answer")[0]
}

async fn memory_is_found_by_the_next_search(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for n in 0..30 {
        let text = format!("deployment number-{n} went well");
        commit(&t.store, &acme, Commit::new(bot, Scope::Local, &text)).await.expect("a commit");
        let found = search(&t.store, &acme, bot, about(&format!("number-{n}"))).await;
        assert_eq!(contents(&found)[0], text);
        assert_eq!(search(&t.store, &acme, bot, about("deployments")).await.hits.len(), n + 1);
    }
}

async fn memory_is_found_by_readers_of_its_scope(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let get = |name| acme.get(name);
    let texts = [
        (get("bot-1"), Scope::Local, None, "rates local"),
        (get("bot-1"), Scope::Team, None, "rates team"),
        (get("bot-1"), Scope::Team, Some(get("dev")), "rates of dev"),
        (get("dev"), Scope::Team, Some(get("acme")), "rates of acme"),
        (get("acme"), Scope::Global, None, "rates global"),
    ];
    for (author, scope, team, text) in texts {
        commit(&t.store, &acme, Commit { team, ..Commit::new(author, scope, text) }).await.expect("a commit");
    }
    let found_by = |name: &'static str| {
        let (store, acme) = (t.store.clone(), acme.clone());
        async move {
            let found = search(&store, &acme, acme.get(name), about("rates")).await;
            let hits = found.hits.iter().map(|hit| (hit.memory.authored.content.clone(), hit.via));
            hits.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>()
        }
    };
    let hits = |rows: &[(&str, Via)]| rows.iter().map(|(text, via)| ((*text).to_owned(), *via)).collect::<Vec<_>>();
    assert_eq!(
        found_by("bot-1").await,
        hits(&[
            ("rates global", Via::Org),
            ("rates local", Via::Itself),
            ("rates of dev", Via::Itself),
            ("rates team", Via::Itself)
        ])
    );
    assert_eq!(
        found_by("bot-2").await,
        hits(&[("rates global", Via::Org), ("rates of dev", Via::Sibling), ("rates team", Via::Sibling)])
    );
    assert_eq!(
        found_by("dev").await,
        hits(&[
            ("rates global", Via::Org),
            ("rates of acme", Via::Itself),
            ("rates of dev", Via::Child),
            ("rates team", Via::Child)
        ])
    );
    assert_eq!(found_by("ops").await, hits(&[("rates global", Via::Org), ("rates of acme", Via::Sibling)]));
    assert_eq!(found_by("bot-3").await, hits(&[("rates global", Via::Org)]));
}

async fn repeated_id_replaces_the_memory(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, id) = (acme.get("bot-1"), Uuid::from_u128(7));
    let draft = |scope, text| Commit::new(bot, scope, text).with(|input| input.id = Some(id));
    let first = commit(&t.store, &acme, draft(Scope::Local, "the old limit")).await.expect("a commit");
    assert_eq!(search(&t.store, &acme, bot, about("limit")).await.hits.len(), 1);
    t.clock.advance(TimeDelta::seconds(1));
    let second = commit(&t.store, &acme, draft(Scope::Team, "the new limit")).await.expect("an upsert");
    assert_eq!((first.version, second.version), (1, 2));
    assert_eq!(first.created_at, second.created_at);
    let found = search(&t.store, &acme, bot, about("limit")).await;
    assert_eq!(contents(&found), ["the new limit"]);
    assert_eq!(search(&t.store, &acme, bot, about("old")).await.hits.len(), 0);
    assert_eq!(contents(&search(&t.store, &acme, acme.get("bot-2"), about("limit")).await), ["the new limit"]);
    let (local, team) = (counts(&t.store, &acme, bot).await.local, counts(&t.store, &acme, bot).await.team);
    assert_eq!((local, team), (0, 1));
}

async fn id_of_another_author_is_refused(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let id = Uuid::from_u128(7);
    let draft = |author, text| Commit::new(author, Scope::Local, text).with(|input| input.id = Some(id));
    commit(&t.store, &acme, draft(acme.get("bot-1"), "mine")).await.expect("a commit");
    let refused = commit(&t.store, &acme, draft(acme.get("bot-2"), "stolen")).await;
    assert!(matches!(refused, Err(Failure::Rule(RuleViolation::MemoryTaken(taken))) if taken == id));
    let other = draw(&t.store, "other").await;
    commit(&t.store, &other, draft(other.get("other"), "another org")).await.expect("ids are unique within an org");
    assert_eq!(one(&t.store, &acme, acme.get("bot-1"), id).await.expect("it is there").0.authored.content, "mine");
}

async fn superseded_memory_is_not_read(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, new_id) = (acme.get("bot-1"), Uuid::from_u128(8));
    let old = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "limit is 10")).await.expect("a commit").id;
    let newer = Commit::new(bot, Scope::Local, "limit is 20").with(|input| {
        input.supersedes = Some(old);
        input.id = Some(new_id);
    });
    for version in 1..=2 {
        let committed = commit(&t.store, &acme, newer.clone()).await.expect("sent twice, it is an upsert");
        assert_eq!(committed.version, version);
    }
    assert_eq!(contents(&search(&t.store, &acme, bot, about("limit")).await), ["limit is 20"]);
    assert_eq!(one(&t.store, &acme, bot, old).await, None);
    let retry = Commit::new(bot, Scope::Team, "limit is 10").with(|input| input.id = Some(old));
    commit(&t.store, &acme, retry).await.expect("an upsert of what was superseded");
    assert_eq!(contents(&search(&t.store, &acme, bot, about("limit")).await), ["limit is 20"]);
    assert!(forget(&t.store, &acme, bot, old).await, "its author may still take it away");
}

/// Otherwise the memories of a cycle would all be hidden.
async fn superseded_memory_supersedes_nothing(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let [first, second, third, other] = [1, 2, 3, 4].map(Uuid::from_u128);
    let send = async |id: Uuid, old: Option<Uuid>| {
        let memory = Commit::new(bot, Scope::Team, &format!("limit {id}"));
        let memory = memory.with(|input| (input.id, input.supersedes) = (Some(id), old));
        commit(&t.store, &acme, memory).await
    };
    let read = async || {
        let found = search(&t.store, &acme, bot, about("limit")).await;
        let mut read: Vec<Uuid> = found.hits.iter().map(|hit| hit.memory.id).collect();
        read.sort();
        read
    };
    send(other, None).await.expect("a commit");
    send(first, None).await.expect("a commit");
    for (newer, older) in [(second, first), (third, second)] {
        send(newer, Some(older)).await.expect("a commit");
        for old in [newer, other] {
            let refused = send(first, Some(old)).await;
            assert!(matches!(refused, Err(Failure::Rule(RuleViolation::SupersededItself(id))) if id == first));
        }
        assert_eq!(read().await, [newer, other]);
    }
    // through one that its author has deleted
    assert!(forget(&t.store, &acme, bot, second).await);
    send(first, Some(third)).await.expect_err("nobody would read either");
    // a memory committed again is not superseded, and a repeated supersession changes nothing
    send(second, Some(third)).await.expect("a commit");
    send(second, Some(third)).await.expect("sent twice");
    send(first, None).await.expect("an upsert");
    assert_eq!(read().await, [second, other]);
}

async fn only_own_live_memories_can_be_superseded(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, other) = (acme.get("bot-1"), acme.get("bot-2"));
    let theirs = commit(&t.store, &acme, Commit::new(other, Scope::Team, "theirs")).await.expect("a commit").id;
    let gone = commit(&t.store, &acme, Commit::new(bot, Scope::Team, "gone")).await.expect("a commit").id;
    forget(&t.store, &acme, bot, gone).await;
    let own = Uuid::from_u128(9);
    for old in [theirs, gone, Uuid::from_u128(404), own] {
        let newer = Commit::new(bot, Scope::Team, "new").with(|input| {
            input.supersedes = Some(old);
            input.id = Some(own);
        });
        let refused = commit(&t.store, &acme, newer).await;
        assert!(matches!(refused, Err(Failure::Rule(RuleViolation::NothingToSupersede(id))) if id == old));
    }
    assert_eq!(contents(&search(&t.store, &acme, bot, about("")).await), ["theirs"]);
}

async fn deleted_memory_is_absent_and_its_id_is_reusable(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, id) = (acme.get("bot-1"), Uuid::from_u128(7));
    let draft = |text| Commit::new(bot, Scope::Team, text).with(|input| input.id = Some(id));
    commit(&t.store, &acme, draft("a secret plan")).await.expect("a commit");
    assert!(!forget(&t.store, &acme, acme.get("bot-2"), id).await, "it is another's");
    assert_eq!(search(&t.store, &acme, bot, about("plan")).await.hits.len(), 1);
    assert!(forget(&t.store, &acme, bot, id).await);
    assert!(!forget(&t.store, &acme, bot, id).await, "it is gone");
    assert_eq!(search(&t.store, &acme, bot, about("plan")).await.hits.len(), 0);
    assert_eq!(one(&t.store, &acme, bot, id).await, None);
    let org = acme.id;
    let position = t.store.read(ReadPlan::PointLookup, move |tx| tx.memory_location(org, id)).await.expect("an answer");
    assert_eq!(position.map(|position| position.status), Some(MemoryStatus::Deleted));
    let retry = commit(&t.store, &acme, draft("another plan")).await.expect("a commit");
    assert_eq!(retry.version, 3, "a version is never used twice");
    assert_eq!(contents(&search(&t.store, &acme, bot, about("plan")).await), ["another plan"]);
    if let Some(file) = t.file() {
        t.store.close();
        let bytes = std::fs::read(file).expect("the file");
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!holds("secret"), "its content is nowhere in the file");
    }
}

async fn expired_memory_is_absent(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let brief = Commit::new(bot, Scope::Team, "brief").with(|input| input.ttl_seconds = Some(10));
    let id = commit(&t.store, &acme, brief).await.expect("a commit").id;
    commit(&t.store, &acme, Commit::new(bot, Scope::Team, "lasting")).await.expect("a commit");
    t.clock.advance(TimeDelta::microseconds(9_999_999));
    assert_eq!(contents(&search(&t.store, &acme, bot, about("")).await).len(), 2);
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(contents(&search(&t.store, &acme, bot, about("")).await), ["lasting"]);
    assert_eq!(search(&t.store, &acme, bot, about("brief")).await.hits.len(), 0);
    assert_eq!(one(&t.store, &acme, bot, id).await, None);
    assert_eq!(counts(&t.store, &acme, bot).await.team, 1);
    assert!(!forget(&t.store, &acme, bot, id).await);
}

async fn number_of_pins_is_limited(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let pinned = |n: u128| {
        Commit::new(bot, Scope::Local, &format!("pinned {n}")).with(|input| {
            input.pin = true;
            input.id = Some(Uuid::from_u128(n));
        })
    };
    for n in 1..=20 {
        commit(&t.store, &acme, pinned(n)).await.expect("a commit");
    }
    let refused = commit(&t.store, &acme, pinned(21)).await;
    assert!(matches!(refused, Err(Failure::Rule(RuleViolation::TooManyPins))));
    commit(&t.store, &acme, pinned(20)).await.expect("an upsert is no further pin");
    forget(&t.store, &acme, bot, Uuid::from_u128(3)).await;
    commit(&t.store, &acme, pinned(21)).await.expect("there is room again");
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "newest")).await.expect("a commit");
    let listed = search(&t.store, &acme, bot, about("")).await;
    assert_eq!(contents(&listed).last(), Some(&"newest"), "pinned ones come first");
}

async fn refused_item_does_not_affect_its_batch(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let missing = Uuid::from_u128(404);
    let items: Vec<ReadyMemory> = (0..50)
        .map(|n| {
            let supersedes = (n % 5 == 0).then_some(missing);
            Commit::new(bot, Scope::Local, &format!("item {n}")).with(|input| input.supersedes = supersedes).ready()
        })
        .collect();
    let outcomes: Result<Vec<bool>, Failure> = t
        .store
        .write(org, move |tx| {
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, bot, Scope::Local, None)?;
            Ok(items.iter().map(|item| commit_ready(tx, &pass, item).is_ok()).collect())
        })
        .await;
    assert_eq!(outcomes.expect("an answer").iter().filter(|&&done| done).count(), 40);
    assert_eq!(counts(&t.store, &acme, bot).await.local, 40);
    assert_eq!(search(&t.store, &acme, bot, about("item")).await.hits.len(), 40);
}

async fn counts_follow_every_change(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (root, bot) = (acme.get("acme"), acme.get("bot-1"));
    for n in 0..3 {
        commit(&t.store, &acme, Commit::new(root, Scope::Global, &format!("rule {n}"))).await.expect("a commit");
    }
    let old = commit(&t.store, &acme, Commit::new(root, Scope::Team, "old")).await.expect("a commit").id;
    t.clock.advance(TimeDelta::minutes(1));
    let newer = Commit::new(root, Scope::Team, "new").with(|input| input.supersedes = Some(old));
    commit(&t.store, &acme, newer).await.expect("a commit");
    let written_at = t.store.now();
    t.clock.advance(TimeDelta::minutes(1));
    assert!(forget(&t.store, &acme, root, old).await);
    let expected = MemoryCounts { local: 0, team: 1, global: 3, last_write_at: Some(written_at) };
    assert_eq!(counts(&t.store, &acme, root).await, expected);
    assert_eq!(counts(&t.store, &acme, bot).await, MemoryCounts::default());
    let org = acme.id;
    let counted: Result<_, Failure> = t
        .store
        .read(ReadPlan::Scan, move |tx| {
            let pass = read_pass(tx, org, bot)?;
            Ok(tx.count(&pass, &about("rules"))?)
        })
        .await;
    assert_eq!(counted.expect("an answer"), 3);
}

async fn page_continues_after_its_last_hit(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (bot, dev) = (acme.get("bot-1"), acme.get("dev"));
    for n in 0..25 {
        let author = if n % 3 == 0 { dev } else { bot };
        t.clock.advance(TimeDelta::seconds(1));
        commit(&t.store, &acme, Commit::new(author, Scope::Team, &format!("note {n}"))).await.expect("a commit");
    }
    for query in ["", "note"] {
        let whole = search(&t.store, &acme, bot, about(query)).await;
        assert_eq!(whole.hits.len(), 25);
        let mut page = about(query);
        page.cut.limit = 7;
        let mut paged = Vec::new();
        loop {
            let part = search(&t.store, &acme, bot, page.clone()).await;
            let Some(last) = part.hits.last() else { break };
            page.cut.after = Some(last.key);
            page.as_of = Some(part.as_of);
            paged.extend(part.hits.iter().map(|hit| hit.memory.id));
            let between = format!("note in between, after {}", paged.len());
            commit(&t.store, &acme, Commit::new(bot, Scope::Team, &between)).await.expect("a commit");
        }
        assert_eq!(paged, whole.hits.iter().map(|hit| hit.memory.id).collect::<Vec<_>>());
        let filtered = Search { author: Some(dev), ..about(query) };
        assert_eq!(search(&t.store, &acme, bot, filtered).await.hits.len(), 9);
        for between in search(&t.store, &acme, bot, about("between")).await.hits {
            forget(&t.store, &acme, bot, between.memory.id).await;
        }
    }
}

async fn restart_keeps_memories_and_their_order(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    for n in 0..40 {
        let text = format!("restart {} {}", "again ".repeat(n % 4), n);
        let tagged = Commit::new(bot, Scope::Local, &text).with(|input| {
            input.tags = vec![format!("t{}", n % 2), "all".into()];
            input.confidence = Some(0.25);
            input.metadata = serde_json::json!({"b": n, "a": "\u{1F600} ü"}).as_object().cloned();
        });
        commit(&t.store, &acme, tagged).await.expect("a commit");
    }
    let tagged = || Search { filter: Filter { tag: Some("t1".into()), ..Filter::default() }, ..about("restart again") };
    let before = search(&t.store, &acme, bot, tagged()).await;
    assert_eq!(before.hits.len(), 20);
    let t = t.reopened();
    let after = search(&t.store, &acme, bot, tagged()).await;
    let rows = |found: &Found| found.hits.iter().map(|hit| (hit.memory.clone(), hit.score)).collect::<Vec<_>>();
    assert_eq!(rows(&before), rows(&after));
    assert_eq!(before.as_of, after.as_of);
}

async fn write_sees_its_own_changes(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let (org, bot) = (acme.id, acme.get("bot-1"));
    let memory = Commit::new(bot, Scope::Local, "written just now").ready();
    let hits: Result<(), Failure> = t
        .store
        .write(org, move |tx| {
            let pass = WritePass::grant(&system(), &*tx.tree(org)?, bot, Scope::Local, None)?;
            let id = commit_ready(tx, &pass, &memory)?.id;
            let pass = read_pass(tx, org, bot)?;
            assert_eq!(tx.search(&pass, &about("written"))?.hits.len(), 1);
            assert_eq!(tx.memory_location(org, id)?.map(|position| position.status), Some(MemoryStatus::Live));
            Err(Failure::OnPurpose)
        })
        .await;
    assert!(matches!(hits, Err(Failure::OnPurpose)));
    assert_eq!(search(&t.store, &acme, bot, about("written")).await.hits.len(), 0);
    assert_eq!(counts(&t.store, &acme, bot).await, MemoryCounts::default());
}
