//! Writes in one group share a transaction and nothing else.

use orgmem_hierarchy::Scope;
use orgmem_policies::drafts::WorkspaceChange;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ActPass, Permission};
use orgmem_recall::Vector;
use orgmem_store::{Embedded, EmbeddingModel, ReadPlan, Store, StoreError};

use super::audit_log::execute_sql;
use super::blocked_writer::BlockedWriter;
use super::commits::{Commit, about, commit, contents, search};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::{On, TestStore};

on_both!(commit_in_a_group_with_embeddings_is_embedded_later, failed_write_is_not_acknowledged,);

async fn commit_in_a_group_with_embeddings_is_embedded_later(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot").await;
    let (org, bot) = (acme.id, acme.get("bot"));
    let model = EmbeddingModel { number: 1, name: "a model".into(), dimensions: 3 };
    let waiting = async |after| {
        let waiting =
            t.store.read(ReadPlan::Scan, move |tx| tx.unembedded(org, 1, after, 100)).await.expect("an answer");
        (waiting.texts, waiting.until)
    };
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "read first")).await.expect("a commit");
    let (texts, until) = waiting(0).await;
    let vectors = vec![Vector::of(&[1.0, 0.0, 0.0]).expect("a direction")];
    let embedded: Vec<Embedded> = texts.into_iter().map(|text| Embedded { text, vectors: vectors.clone() }).collect();
    assert_eq!(embedded.len(), 1);

    let blocked = BlockedWriter::begin(&t.store, &acme);
    let store = t.store.clone();
    let put =
        tokio::spawn(async move { store.write(org, move |tx| tx.put_embeddings(org, &model, &embedded, until)).await });
    let (store, at) = (t.store.clone(), acme.clone());
    let concurrent =
        tokio::spawn(async move { commit(&store, &at, Commit::new(bot, Scope::Local, "next to it")).await });
    blocked.end(2).await;
    assert_eq!(put.await.expect("no panic").expect("embedded"), 1);
    concurrent.await.expect("no panic").expect("a commit");

    let behind = t.store.read(ReadPlan::Scan, |tx| tx.orgs_to_embed(1)).await.expect("an answer");
    let behind = behind.into_iter().find(|behind| behind.org == org).expect("one more was written");
    let (texts, _) = waiting(behind.embedded).await;
    assert_eq!(texts.iter().map(|text| text.content.as_str()).collect::<Vec<_>>(), ["next to it"]);
}

/// Buffered rows of a write are flushed with those of its group when a write reads them.
async fn failed_write_is_not_acknowledged(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot").await;
    let bot = acme.get("bot");
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "an anchor")).await.expect("a commit");
    let stray = "INSERT INTO access_log (org_id, seq, at, verb, subject, role, workspace_id, memories, context) \
                 SELECT org_id, seq + 1, at, verb, subject, role, workspace_id, memories, context FROM access_log \
                 ORDER BY seq DESC LIMIT 1";
    execute_sql(&t, stray);
    let blocked = BlockedWriter::begin(&t.store, &acme);
    let (store, at) = (t.store.clone(), acme.clone());
    let failed = tokio::spawn(async move { commit(&store, &at, Commit::new(bot, Scope::Local, "a rope")).await });
    while t.store.load().waiting_writes < 1 {
        tokio::task::yield_now().await;
    }
    let (store, at) = (t.store.clone(), acme.clone());
    let spoiling = tokio::spawn(async move { rename(&store, &at).await });
    blocked.end(2).await;
    assert!(matches!(failed.await.expect("no panic"), Err(Failure::Store(StoreError::Failed(_)))));
    assert!(spoiling.await.expect("no panic").is_err());
    assert_eq!(contents(&search(&t.store, &acme, bot, about("")).await), ["an anchor"]);

    execute_sql(&t, "DELETE FROM access_log WHERE seq > (SELECT max(access_seq) FROM orgs)");
    commit(&t.store, &acme, Commit::new(bot, Scope::Local, "a rope")).await.expect("a commit");
    assert_eq!(contents(&search(&t.store, &acme, bot, about("rope")).await), ["a rope"]);
    rename(&t.store, &acme).await.expect("a new name");
}

async fn rename(store: &Store, org: &Org) -> Result<(), Failure> {
    let (org, id) = (org.id, org.get("acme"));
    let org_version = WorkspaceChange::check(Some("another"), None, None, Scrubber::built_in()).expect("a name");
    let renamed = store.write(org, move |tx| {
        let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, id)?;
        Ok(tx.patch_workspace(&pass, &org_version).map(drop)?)
    });
    renamed.await
}

/// On PostgreSQL, two orgs may have different writers.
#[test]
fn large_job_learns_that_another_org_waits() {
    crate::run(On::Sqlite, async |t: TestStore| {
        let (acme, other) = (draw(&t.store, "acme").await, draw(&t.store, "other").await);
        for (writer, expected) in [(&other, true), (&acme, false)] {
            let blocked = BlockedWriter::begin(&t.store, &acme);
            // `join` begins them in this order
            let large = t.store.write_many(acme.id, |tx| Ok::<_, StoreError>(tx.others_wait()));
            let small = t.store.write(writer.id, |_| Ok::<_, StoreError>(()));
            let (others_waited, written, ()) = tokio::join!(biased; large, small, blocked.end(2));
            written.expect("an answer");
            assert_eq!(others_waited.expect("an answer"), expected);
        }
    });
}
