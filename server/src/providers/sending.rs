//! The job that sends the outboxes and compares, and the retrieval of a promoted provider.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::providers::{Figures, IdFacts, Verdict, compare, searched_namespaces};
use orgmem_store::{
    HeldItem, OutboxDone, OutboxRow, OutboxWork, ProvidedItem, ProvidedKind, ReadPlan, SentBatch, StoreError, WriteTx,
};
use uuid::Uuid;

use super::built_in::reads;
use super::engine::{Call, Engine};
use super::interface::{ItemChange, MemoryProvider, ProviderFault, Retrieval, SentItem};
use super::{COMPARED, Providers, RETRIEVED};

/// Rows of one round of a provider and an org.
const BATCH: usize = 50;
/// The time in which a round begins calls. Its lease is longer by a call.
const ROUND: TimeDelta = TimeDelta::seconds(30);

/// A row with everything that its work needs.
#[derive(Clone, Debug)]
struct Prepared {
    row: OutboxRow,
    step: Step,
}

#[derive(Clone, Debug)]
enum Step {
    Record(ItemChange),
    Compact(ItemChange),
    Retrieve(Retrieval),
    /// Nothing is left to do.
    Skip,
}

impl Step {
    /// The namespace that an item is sent to.
    fn namespace(&self) -> Option<&str> {
        match self {
            Self::Record(ItemChange::Put(item)) | Self::Compact(ItemChange::Put(item)) => Some(&item.namespace),
            _ => None,
        }
    }
}

/// What a retrieval found, by the decision about each id.
pub(crate) struct Judged {
    /// The ids that the reader may see, best first.
    pub(crate) shown: Vec<Uuid>,
    /// The number of ids that are not shown any more.
    pub(crate) withheld: i64,
    /// Whether the provider is to be disqualified.
    pub(crate) is_foreign: bool,
}

impl Providers {
    /// The job that sends. A provider that fails delays no other one by more than one request.
    pub(crate) async fn send(self: &Arc<Self>) -> Result<(), StoreError> {
        let _turn = self.sending.lock().await;
        let rounds = self.engines().iter().map(|engine| self.send_to(engine));
        join_all(rounds).await.into_iter().collect()
    }

    async fn send_to(self: &Arc<Self>, engine: &Engine) -> Result<(), StoreError> {
        let name = engine.name().to_owned();
        let orgs: Vec<OrgId> = self.store.read(ReadPlan::Scan, move |tx| tx.orgs_with_outbox(&name)).await?;
        for org in orgs {
            if !engine.admits(self.clock.now()) || !self.send_of(engine, org).await? {
                break;
            }
        }
        Ok(())
    }

    /// Sends a batch of one org.
    ///
    /// # Returns
    /// Whether the engine answers.
    async fn send_of(self: &Arc<Self>, engine: &Engine, org: OrgId) -> Result<bool, StoreError> {
        let (providers, name) = (Arc::clone(self), engine.name().to_owned());
        let ends_at = self.clock.now() + ROUND;
        let lease = ends_at + engine.timeout();
        let batch = self.store.write(org, move |tx| providers.prepare(tx, org, &name, lease)).await?;
        // another server sends
        let Some(batch) = batch else { return Ok(true) };
        let mut sent = SentBatch { sender: self.sender, done: Vec::new(), items: Vec::new() };
        let (mut figures, mut answers, mut failed) = (BTreeMap::<String, Figures>::new(), true, Ok(()));
        for Prepared { row, step } in batch {
            if self.clock.now() >= ends_at {
                break;
            }
            if let Some(namespace) = step.namespace() {
                sent.items.push((row.clone(), namespace.to_owned()));
            }
            let of_surface = figures.entry(row.surface.clone()).or_default();
            let ended = match self.perform(engine, &row, &step, of_surface).await {
                Ok(ended) => ended,
                // what was sent until now is completed all the same
                Err(error) => {
                    failed = Err(error);
                    break;
                }
            };
            let is_withdrawn = ended.is_ok() && row_withdraws(&step);
            let is_query = matches!(row.work, OutboxWork::Retrieve(_));
            answers = !matches!(ended, Err(ProviderFault::Fetch(_)));
            // an item waits until the engine answers; a query would be compared with another state
            if answers || is_query {
                sent.done.push(OutboxDone { id: row.id, mark: row.mark, is_withdrawn });
            }
            if !answers {
                break;
            }
        }
        figures.retain(|_, figures| *figures != Figures::default());
        let name = engine.name().to_owned();
        self.store.write(org, move |tx| tx.complete_outbox(org, &name, &sent)).await?;
        self.add_figures(engine.name(), figures).await?;
        failed.map(|()| answers)
    }

    /// Reserves the outbox, and reads the oldest rows and the content of their items as it is now. What is going to be sent
    /// is noted first.
    ///
    /// # Returns
    /// `None` while another server sends this outbox.
    fn prepare(
        &self,
        tx: &mut dyn WriteTx,
        org: OrgId,
        provider: &str,
        lease: DateTime<Utc>,
    ) -> Result<Option<Vec<Prepared>>, StoreError> {
        if !tx.lease_outbox(org, provider, self.sender, lease)? {
            return Ok(None);
        }
        let rows = tx.outbox(org, provider, &self.disqualified_of(provider), BATCH)?;
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let held = tx.held_items(org, provider, &ids)?;
        let (mut prepared, mut sent) = (Vec::new(), Vec::new());
        for row in rows {
            let step = match &row.work {
                OutboxWork::Send(kind) => self.change(tx, org, provider, &row, *kind, held.get(&row.id))?,
                OutboxWork::Withdraw => withdrawal(row.id, held.get(&row.id)).map_or(Step::Skip, Step::Record),
                OutboxWork::Retrieve(query) => match namespaces(tx, org, row.workspace)? {
                    Some(namespaces) => Step::Retrieve(Retrieval {
                        org,
                        reader: row.workspace,
                        query: query.clone(),
                        namespaces,
                        limit: RETRIEVED,
                    }),
                    None => Step::Skip,
                },
            };
            if let Some(namespace) = step.namespace() {
                sent.push((row.clone(), namespace.to_owned()));
            }
            prepared.push(Prepared { row, step });
        }
        tx.hold_items(org, provider, &sent)?;
        Ok(Some(prepared))
    }

    fn change(
        &self,
        tx: &mut dyn WriteTx,
        org: OrgId,
        provider: &str,
        row: &OutboxRow,
        kind: ProvidedKind,
        held: Option<&HeldItem>,
    ) -> Result<Step, StoreError> {
        let item = ProvidedItem { kind, workspace: row.workspace, id: row.id };
        let mut content = tx.provided_content(org, &item)?;
        if let Some(current) = &content {
            let routes = self.permitted(tx, org, Some(&row.surface), current)?;
            if !routes.iter().any(|route| route.provider() == provider && route.surface() == row.surface) {
                content = None;
            }
        }
        let Some(content) = content else {
            return Ok(withdrawal(row.id, held).map_or(Step::Skip, Step::Record));
        };
        let former = held.filter(|held| !held.is_withdrawn && held.namespace != content.namespace);
        let former = former.map(|held| held.namespace.clone());
        let put = |kind| {
            let (namespace, text, expires_at) = (content.namespace, content.text, content.expires_at);
            ItemChange::Put(SentItem { id: row.id, namespace, former, kind, text, expires_at })
        };
        Ok(match kind {
            ProvidedKind::Memory => Step::Record(put("fact")),
            ProvidedKind::Episode => Step::Record(put("episode")),
            ProvidedKind::Page => Step::Compact(put("summary")),
        })
    }

    async fn perform(
        &self,
        engine: &Engine,
        row: &OutboxRow,
        step: &Step,
        figures: &mut Figures,
    ) -> Result<Result<(), ProviderFault>, StoreError> {
        let call = match step {
            Step::Record(change) => Call::Record(change),
            Step::Compact(change) => Call::Compact(change),
            Step::Retrieve(retrieval) => return self.compare(engine, row, retrieval, figures).await,
            Step::Skip => return Ok(Ok(())),
        };
        Ok(engine.call(call, self.clock.now(), figures, &self.metrics).await.map(drop))
    }

    /// Repeats a query with the engine and with the built-in provider.
    async fn compare(
        &self,
        engine: &Engine,
        row: &OutboxRow,
        retrieval: &Retrieval,
        figures: &mut Figures,
    ) -> Result<Result<(), ProviderFault>, StoreError> {
        let called = engine.call(Call::Retrieve(retrieval), self.clock.now(), figures, &self.metrics).await;
        let theirs = match called {
            Ok(theirs) => theirs,
            Err(fault) => return Ok(Err(fault)),
        };
        let judged = self.judge(engine, retrieval, theirs).await?;
        if judged.is_foreign {
            figures.errors += 1;
            self.disqualify(engine, &row.surface, retrieval.org, retrieval.reader).await?;
            return Ok(Ok(()));
        }
        let ours = match self.built_in().retrieve(retrieval).await {
            Ok(ours) => ours,
            Err(ProviderFault::Store(error)) => return Err(error),
            Err(_) => return Ok(Ok(())),
        };
        let compared = compare(&ours, &judged.shown, COMPARED);
        *figures = figures.plus(Figures {
            samples: 1,
            overlap_sum: compared.overlap,
            rank_sum: compared.rank_agreement,
            misses: i64::try_from(compared.misses).unwrap_or(i64::MAX),
            withheld: judged.withheld,
            ..Figures::default()
        });
        Ok(Ok(()))
    }

    /// Decides about each id of a response, by what was sent to the provider and what the reader reads now.
    pub(crate) async fn judge(
        &self,
        engine: &Engine,
        retrieval: &Retrieval,
        theirs: Vec<Uuid>,
    ) -> Result<Judged, StoreError> {
        let Retrieval { org, reader, .. } = *retrieval;
        let searched: HashSet<String> = retrieval.namespaces.iter().cloned().collect();
        let name = engine.name().to_owned();
        let judging = self.store.read(ReadPlan::Scan, move |tx| {
            let held: HashMap<Uuid, HeldItem> = tx.held_items(org, &name, &theirs)?;
            let pass = reads(tx, org, reader)?;
            let mut judged = Judged { shown: Vec::new(), withheld: 0, is_foreign: false };
            let mut seen = HashSet::new();
            for id in theirs.iter().copied().filter(|id| seen.insert(*id)) {
                let is_in_searched = held.get(&id).is_some_and(|held| searched.contains(&held.namespace));
                let is_readable = match &pass {
                    Some(pass) if is_in_searched => tx.memory(pass, id)?.is_some(),
                    _ => false,
                };
                match Verdict::of(IdFacts { is_in_searched, is_readable }) {
                    Verdict::Shown => judged.shown.push(id),
                    Verdict::Withheld => judged.withheld += 1,
                    Verdict::Foreign => judged.is_foreign = true,
                }
            }
            Ok::<_, StoreError>(judged)
        });
        judging.await
    }

    /// The ids that a promoted provider finds; `None` if it fails or returns a foreign id, so that the built-in provider
    /// answers. `surface` is promoted, and the caller may read as the reader.
    pub(crate) async fn retrieve(&self, engine: &Engine, surface: &str, retrieval: &Retrieval) -> Option<Vec<Uuid>> {
        let now = self.clock.now();
        if !engine.admits(now) {
            return None;
        }
        let mut figures = Figures::default();
        let called = engine.call(Call::Retrieve(retrieval), now, &mut figures, &self.metrics).await;
        let judged = match called {
            Ok(theirs) => self.judge(engine, retrieval, theirs).await.ok()?,
            Err(_) => return None,
        };
        if judged.is_foreign {
            if let Err(error) = self.disqualify(engine, surface, retrieval.org, retrieval.reader).await {
                tracing::warn!(provider = engine.name(), %error, "a disqualification was not stored, it is repeated");
            }
            return None;
        }
        Some(judged.shown)
    }
}

/// The namespaces that a reader searches; `None` if there are too many of them, or no reader any more.
pub(crate) fn namespaces(
    tx: &mut (impl orgmem_store::ReadTx + ?Sized),
    org: OrgId,
    reader: WorkspaceId,
) -> Result<Option<Vec<String>>, StoreError> {
    let Some(pass) = reads(tx, org, reader)? else { return Ok(None) };
    let parent = tx.tree(org)?.parent(reader);
    Ok(searched_namespaces(pass.reach(), parent).map(|names| names.into_iter().collect()))
}

fn withdrawal(id: Uuid, held: Option<&HeldItem>) -> Option<ItemChange> {
    held.filter(|held| !held.is_withdrawn).map(|held| ItemChange::Withdraw { id, namespace: held.namespace.clone() })
}

fn row_withdraws(step: &Step) -> bool {
    matches!(step, Step::Record(ItemChange::Withdraw { .. }) | Step::Compact(ItemChange::Withdraw { .. }) | Step::Skip)
}
