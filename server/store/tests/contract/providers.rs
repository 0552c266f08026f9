//! Outboxes of providers: bounded, counted, durable, and empty of what was removed.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::drafts::{EpisodeInput, ReasonDraft};
use orgmem_policies::providers::{Figures, ProviderRoute, ProviderRules, ShadowedSurfaces, SurfaceState};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{ServerAction, ServerPass};
use orgmem_store::{
    MAX_QUERY_AGE, OutboxDone, OutboxLimits, OutboxRow, OutboxSize, OutboxWork, ProvidedItem, ProvidedKind,
    ProvidedQuery, ReadPlan, SERVER, SentBatch, Store, WriteTx,
};
use uuid::Uuid;

use super::agent::Agent;
use super::both_databases::Random;
use super::commits::{Commit, commit, forget};
use super::episodes::{append, log};
use super::orgs::{Failure, draw, system};
use crate::stores::TestStore;

on_both!(
    outbox_is_bounded_and_counts_what_it_drops,
    removed_item_leaves_the_outbox_and_is_withdrawn,
    queries_that_waited_too_long_and_rows_of_disqualified_surfaces_are_dropped,
    state_and_figures_of_a_surface_survive_a_restart,
    one_sender_at_a_time_has_an_outbox,
    item_sent_after_the_lease_ended_is_sent_or_withdrawn_again,
);

const SENDER: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);
const LIMITS: OutboxLimits = OutboxLimits { rows: 5, bytes: 5 * 128 + 20 };

fn routes() -> Vec<ProviderRoute> {
    let surfaces = |provider: &str, surfaces: &[&str]| ShadowedSurfaces {
        provider: provider.to_owned(),
        surfaces: surfaces.iter().map(|surface| (*surface).to_owned()).collect(),
    };
    ProviderRules::new(Vec::new(), vec![surfaces("acme", &["phone"])]).routes(Some("phone"))
}

async fn write<T: Send + 'static>(agent: &Agent, mut work: impl FnMut(&mut dyn WriteTx) -> T + Send + 'static) -> T {
    agent.store.write(agent.org, move |tx| Ok::<_, Failure>(work(tx))).await.expect("a write")
}

async fn queue(agent: &Agent, kind: ProvidedKind, id: Uuid) {
    let item = ProvidedItem { kind, workspace: agent.id, id };
    let org = agent.org;
    write(agent, move |tx| tx.queue_item(org, &routes(), &item, LIMITS).expect("queued")).await;
}

async fn ask(agent: &Agent, query: &'static str) {
    let (org, reader) = (agent.org, agent.id);
    write(agent, move |tx| {
        let (query, _) = Scrubber::built_in().scrub(query);
        let queries = [ProvidedQuery { route: routes().remove(0), reader, query }];
        tx.queue_queries(org, &queries, LIMITS).expect("queued");
    })
    .await;
}

async fn outbox(agent: &Agent, disqualified: &[&str]) -> Vec<OutboxRow> {
    let org = agent.org;
    let disqualified: Vec<String> = disqualified.iter().map(|surface| (*surface).to_owned()).collect();
    write(agent, move |tx| tx.outbox(org, "acme", &disqualified, 100).expect("an outbox")).await
}

async fn size(store: &Store) -> OutboxSize {
    let sizes = store.read(ReadPlan::Scan, |tx| tx.outbox_sizes()).await.expect("sizes");
    sizes.get("acme").copied().unwrap_or_default()
}

async fn hold(agent: &Agent, row: OutboxRow) {
    let org = agent.org;
    write(agent, move |tx| tx.hold_items(org, "acme", &[(row.clone(), "custom:x".to_owned())]).expect("held")).await;
}

async fn complete(agent: &Agent, row: &OutboxRow, is_withdrawn: bool) -> usize {
    assert!(lease(agent, SENDER).await);
    let done = vec![OutboxDone { id: row.id, mark: row.mark, is_withdrawn }];
    complete_batch(agent, SentBatch { sender: SENDER, done, items: Vec::new() }).await
}

async fn complete_batch(agent: &Agent, batch: SentBatch) -> usize {
    let org = agent.org;
    write(agent, move |tx| tx.complete_outbox(org, "acme", &batch).expect("completed")).await
}

/// Reserves the outbox for a minute.
async fn lease(agent: &Agent, sender: Uuid) -> bool {
    let (org, until) = (agent.org, agent.store.now() + TimeDelta::minutes(1));
    write(agent, move |tx| tx.lease_outbox(org, "acme", sender, until).expect("an outbox")).await
}

async fn held(store: &Store, org: OrgId, id: Uuid) -> bool {
    let held = store.read(ReadPlan::Scan, move |tx| tx.held_items(org, "acme", &[id])).await.expect("items");
    held.get(&id).is_some_and(|held| !held.is_withdrawn)
}

/// Against a model over a random history of items, repeated items, queries and completed rows, with a restart.
async fn outbox_is_bounded_and_counts_what_it_drops(test: TestStore) {
    let mut test = test;
    let org = draw(&test.store, "acme\n  agent").await;
    let mut random = Random(7);
    let (mut model, mut dropped): (BTreeMap<Uuid, i64>, i64) = (BTreeMap::new(), 0);
    for step in 0..120 {
        let agent = Agent::new(&test.store, &org, "agent");
        match random.below(6) {
            0..=2 => {
                let id = Uuid::from_u128(u128::from(random.below(9)) + 1);
                queue(&agent, ProvidedKind::Memory, id).await;
                let has_room = model.len() < 5 && model.values().sum::<i64>() + 128 <= LIMITS.bytes;
                match model.contains_key(&id) || has_room {
                    true => drop(model.insert(id, 128)),
                    false => dropped += 1,
                }
            }
            3 => {
                ask(&agent, "where are they").await;
                let has_room = model.len() < 5 && model.values().sum::<i64>() + 142 <= LIMITS.bytes;
                match has_room {
                    true => {
                        let rows = outbox(&agent, &[]).await;
                        let new = rows.iter().find(|row| !model.contains_key(&row.id)).expect("the query");
                        assert_eq!(new.work, OutboxWork::Retrieve("where are they".into()));
                        model.insert(new.id, 142);
                    }
                    false => dropped += 1,
                }
            }
            _ => {
                if let Some(row) = outbox(&agent, &[]).await.first() {
                    assert_eq!(complete(&agent, row, false).await, 1);
                    assert_eq!(complete(&agent, row, false).await, 0, "once");
                    model.remove(&row.id);
                }
            }
        }
        if step == 60 {
            test = test.reopened();
        }
        let (rows, bytes) = (model.len() as i64, model.values().sum());
        assert_eq!(size(&test.store).await, OutboxSize { rows, bytes, dropped });
    }
    assert!(dropped > 0);
}

async fn removed_item_leaves_the_outbox_and_is_withdrawn(test: TestStore) {
    let org = draw(&test.store, "acme\n  agent").await;
    let agent = Agent::new(&test.store, &org, "agent");
    let provenance =
        |summary: &str| EpisodeInput { channel: Some("phone".into()), kind: Some("delivery".into()), ..log(summary) };
    // redacted while it waits: nothing remains
    let waiting = append(&agent, provenance("the parcel waits")).await;
    queue(&agent, ProvidedKind::Episode, waiting.id).await;
    redact_episode(&agent, waiting.id).await;
    assert!(outbox(&agent, &[]).await.is_empty());
    assert_eq!(size(&test.store).await, OutboxSize::default());

    // redacted while it is being sent: it is withdrawn, also if the sender dies
    let sent = append(&agent, provenance("the parcel left")).await;
    queue(&agent, ProvidedKind::Episode, sent.id).await;
    let [row] = &outbox(&agent, &[]).await[..] else { panic!("one row") };
    let in_org = agent.org;
    let item = ProvidedItem { kind: ProvidedKind::Episode, workspace: agent.id, id: sent.id };
    let content = test.store.read(ReadPlan::Scan, move |tx| tx.provided_content(in_org, &item)).await;
    assert_eq!(content.expect("a read").expect("live").text, "the parcel left");
    hold(&agent, row.clone()).await;
    redact_episode(&agent, sent.id).await;
    assert_eq!(complete(&agent, row, false).await, 0, "the row has changed");
    let [withdrawal] = &outbox(&agent, &[]).await[..] else { panic!("one row") };
    assert_eq!((withdrawal.id, &withdrawal.work), (sent.id, &OutboxWork::Withdraw));
    let content = test.store.read(ReadPlan::Scan, move |tx| tx.provided_content(in_org, &item)).await;
    assert_eq!(content.expect("a read"), None);
    assert!(held(&test.store, agent.org, sent.id).await);
    assert_eq!(complete(&agent, withdrawal, true).await, 1);
    assert!(!held(&test.store, agent.org, sent.id).await);

    // superseded episodes, and removed memories
    let old = append(&agent, provenance("two parcels")).await;
    queue(&agent, ProvidedKind::Episode, old.id).await;
    append(&agent, EpisodeInput { supersedes: Some(old.id), ..provenance("three parcels") }).await;
    assert!(outbox(&agent, &[]).await.is_empty());
    let new = Commit::new(agent.id, Scope::Local, "the dock is north");
    let memory = commit(&test.store, &org, new).await.expect("a memory").id;
    queue(&agent, ProvidedKind::Memory, memory).await;
    let [row] = &outbox(&agent, &[]).await[..] else { panic!("one row") };
    hold(&agent, row.clone()).await;
    assert_eq!(complete(&agent, row, false).await, 1);
    assert!(forget(&test.store, &org, agent.id, memory).await);
    // withdrawals have room in a full outbox
    let works: Vec<OutboxWork> = outbox(&agent, &[]).await.into_iter().map(|row| row.work).collect();
    assert_eq!(works, [OutboxWork::Withdraw]);
}

async fn queries_that_waited_too_long_and_rows_of_disqualified_surfaces_are_dropped(test: TestStore) {
    let org = draw(&test.store, "acme\n  agent").await;
    let agent = Agent::new(&test.store, &org, "agent");
    ask(&agent, "old").await;
    test.clock.advance(MAX_QUERY_AGE + TimeDelta::seconds(1));
    ask(&agent, "new").await;
    let works: Vec<OutboxWork> = outbox(&agent, &[]).await.into_iter().map(|row| row.work).collect();
    assert_eq!(works, [OutboxWork::Retrieve("new".into())]);
    assert_eq!(size(&test.store).await, OutboxSize { rows: 1, bytes: 131, dropped: 1 });
    assert_eq!(outbox(&agent, &["mail"]).await.len(), 1);
    assert!(outbox(&agent, &["phone"]).await.is_empty());
    assert_eq!(size(&test.store).await, OutboxSize { rows: 0, bytes: 0, dropped: 2 });
}

async fn state_and_figures_of_a_surface_survive_a_restart(test: TestStore) {
    let figures =
        Figures { calls: 3, samples: 2, overlap_sum: 1.5, rank_sum: 2.0, latency_max: 9, ..Figures::default() };
    let promote = |state: SurfaceState| {
        move |tx: &mut dyn WriteTx| {
            let pass = ServerPass::grant(&system(), ServerAction::ManageProviders).expect("an admin");
            Ok::<_, Failure>(tx.set_surface_state(&pass, "acme", "phone", state)?)
        }
    };
    let add = move |tx: &mut dyn WriteTx| Ok::<_, Failure>(tx.add_figures("acme", "phone", &figures)?);
    test.store.write(SERVER, add).await.expect("figures");
    test.store.write(SERVER, promote(SurfaceState::Promoted)).await.expect("a state");
    test.store.write(SERVER, add).await.expect("figures");
    let test = test.reopened();
    let known = test.store.read(ReadPlan::Scan, |tx| tx.provider_surfaces()).await.expect("surfaces").remove(0);
    assert_eq!((known.state, known.figures), (SurfaceState::Promoted, figures.plus(figures)));
    let disqualify = |tx: &mut dyn WriteTx| Ok::<_, Failure>(tx.disqualify("acme", "phone")?);
    assert!(test.store.write(SERVER, disqualify).await.expect("a state"));
    assert!(!test.store.write(SERVER, disqualify).await.expect("a state"), "once");
    test.store.write(SERVER, promote(SurfaceState::Promoted)).await.expect("no error");
    let state = test.store.read(ReadPlan::Scan, |tx| tx.surface_state("acme", "phone")).await.expect("a state");
    assert_eq!(state, SurfaceState::Disqualified, "it stays");
}

async fn one_sender_at_a_time_has_an_outbox(test: TestStore) {
    let org = draw(&test.store, "acme\n  agent").await;
    let agent = Agent::new(&test.store, &org, "agent");
    assert!(!lease(&agent, SENDER).await, "no outbox");
    ask(&agent, "a query").await;
    assert!(lease(&agent, SENDER).await && !lease(&agent, OTHER).await);
    test.clock.advance(TimeDelta::seconds(59));
    assert!(!lease(&agent, OTHER).await && lease(&agent, SENDER).await, "its sender extends it");
    test.clock.advance(TimeDelta::seconds(60));
    assert!(lease(&agent, OTHER).await && !lease(&agent, SENDER).await, "a lease ends by itself");
    let batch = |sender| SentBatch { sender, done: Vec::new(), items: Vec::new() };
    complete_batch(&agent, batch(SENDER)).await;
    assert!(!lease(&agent, SENDER).await, "only its sender releases it");
    complete_batch(&agent, batch(OTHER)).await;
    assert!(lease(&agent, SENDER).await);
}

/// A server that was stopped for the time of its lease finishes a request after another server withdrew the item.
async fn item_sent_after_the_lease_ended_is_sent_or_withdrawn_again(test: TestStore) {
    let org = draw(&test.store, "acme\n  agent").await;
    let agent = Agent::new(&test.store, &org, "agent");
    let mut rows = Vec::new();
    for text in ["the dock is north", "the dock is south"] {
        let memory = commit(&test.store, &org, Commit::new(agent.id, Scope::Local, text)).await.expect("a memory").id;
        queue(&agent, ProvidedKind::Memory, memory).await;
    }
    assert!(lease(&agent, SENDER).await);
    for row in outbox(&agent, &[]).await {
        hold(&agent, row.clone()).await;
        rows.push(row);
    }
    test.clock.advance(TimeDelta::minutes(1));
    assert!(lease(&agent, OTHER).await);
    assert!(forget(&test.store, &org, agent.id, rows[0].id).await);
    for row in outbox(&agent, &[]).await {
        let done = vec![OutboxDone { id: row.id, mark: row.mark, is_withdrawn: row.work == OutboxWork::Withdraw }];
        complete_batch(&agent, SentBatch { sender: OTHER, done, items: Vec::new() }).await;
        assert!(lease(&agent, OTHER).await);
    }
    assert!(outbox(&agent, &[]).await.is_empty());
    assert!(!held(&test.store, agent.org, rows[0].id).await, "withdrawn");

    let done = rows.iter().map(|row| OutboxDone { id: row.id, mark: row.mark, is_withdrawn: false }).collect();
    let items = rows.iter().map(|row| (row.clone(), "custom:x".to_owned())).collect();
    assert_eq!(complete_batch(&agent, SentBatch { sender: SENDER, done, items }).await, 0);
    let mut again: Vec<Uuid> = outbox(&agent, &[]).await.iter().map(|row| row.id).collect();
    again.sort();
    let mut expected: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    expected.sort();
    assert_eq!(again, expected);
    assert!(held(&test.store, agent.org, rows[0].id).await, "so its next sender withdraws it");
    assert_eq!(size(&test.store).await.rows, 2);
}

async fn redact_episode(agent: &Agent, id: Uuid) {
    let redacting = agent.act(move |tx, pass| {
        let reason = ReasonDraft::check("on request", Scrubber::built_in()).expect("a reason");
        Ok(tx.redact_episode(pass, id, &reason)?)
    });
    redacting.await.expect("an answer").expect("an episode");
}
