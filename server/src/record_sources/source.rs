//! One source of record: its cache, and one request per entity at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use moka::sync::Cache;
use orgmem_hierarchy::OrgId;
use orgmem_policies::drafts::{RecordChange, RecordDraft, RecordInput, RecordValueInput};
use orgmem_policies::rules::{FieldState, RecordState, plan_record};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{Clock, FairTurns, Requester};
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::FetchLabels;
use super::request::SourceClient;
use crate::config::RecordSourceSettings;
use crate::outbound::{Breaker, FetchFault, OutboundError};

/// Requests of one source at once; of one org at most all but one.
const PLACES: usize = 8;
/// Bytes of the cached answers of one source.
const CACHE_BYTES: u64 = 16 << 20;
/// Orgs whose failures are counted.
const BREAKERS: u64 = 10_000;
/// How long no second request is sent for an entity after a failure.
const FAILURE_TTL: TimeDelta = TimeDelta::seconds(5);

/// The fields of an entity; none if the source has no such entity, or failed.
pub(crate) type FetchedFields = Arc<BTreeMap<String, FieldState>>;

type Key = (OrgId, String);
type Flight = Shared<BoxFuture<'static, FetchedFields>>;

#[derive(Clone)]
pub(super) struct SourceContext {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) scrubber: &'static Scrubber,
    pub(super) fetches: Family<FetchLabels, Counter>,
}

pub(super) struct RecordSource {
    settings: RecordSourceSettings,
    context: SourceContext,
    client: SourceClient,
    turns: FairTurns,
    /// By org, as the time of a response must not reveal the reads of another.
    cache: Cache<Key, Cached>,
    flights: Mutex<HashMap<Key, Flight>>,
    /// By org, so that the failing entities of one do not hide the records of another.
    breakers: Cache<OrgId, Arc<Breaker>>,
}

#[derive(Clone)]
struct Cached {
    fields: FetchedFields,
    until: DateTime<Utc>,
}

/// What a source answered.
enum FetchAnswer {
    /// With the fields whose values cannot be used.
    Record(BTreeMap<String, FieldState>, Vec<String>),
    Absent,
    Failed(FetchFault),
}

impl RecordSource {
    pub(super) fn open(settings: &RecordSourceSettings, context: SourceContext) -> Result<Self, OutboundError> {
        let weight = |(_, entity): &Key, cached: &Cached| {
            let fields = cached.fields.iter().map(|(name, field)| {
                let value = field.value.as_ref().map_or(0, |value| value.value.as_str().map_or(8, str::len));
                name.len() + value + 128
            });
            u32::try_from(entity.len() + fields.sum::<usize>() + 128).unwrap_or(u32::MAX)
        };
        let longest = settings.ttl.max(Duration::from_secs(FAILURE_TTL.num_seconds().unsigned_abs()));
        Ok(Self {
            client: SourceClient::new(settings)?,
            turns: FairTurns::new(PLACES),
            cache: Cache::builder().weigher(weight).max_capacity(CACHE_BYTES).time_to_live(longest).build(),
            flights: Mutex::default(),
            breakers: Cache::new(BREAKERS),
            settings: settings.clone(),
            context,
        })
    }

    pub(super) fn answers_for(&self, org: OrgId, entity: &str, field: &str) -> bool {
        let settings = &self.settings;
        // a segment of dots is a step in a path
        let is_step = !entity.is_empty() && entity.bytes().all(|byte| byte == b'.');
        !is_step
            && (settings.roots.is_empty() || settings.roots.contains(&org.uuid()))
            && settings.fields.iter().any(|(name, _)| name == field)
            && settings.entities.is_match(entity)
    }

    pub(super) fn cached(&self, org: OrgId, entity: &str, now: DateTime<Utc>) -> Option<FetchedFields> {
        let cached = self.cache.get(&(org, entity.to_owned())).filter(|cached| now < cached.until)?;
        Some(cached.fields)
    }

    /// Asks for an entity, or waits for the answer to an earlier question; `None` without an answer in time.
    pub(super) async fn fetch(
        self: &Arc<Self>,
        org: OrgId,
        entity: &str,
        requester: Requester,
    ) -> Option<FetchedFields> {
        let deadline = Instant::now() + self.settings.outbound.timeout;
        let flight = self.flight(org, entity, requester, deadline);
        timeout_at(deadline, flight).await.ok()
    }

    /// The request for an entity. It continues when its readers are gone, so that the next one finds the answer.
    fn flight(self: &Arc<Self>, org: OrgId, entity: &str, requester: Requester, deadline: Instant) -> Flight {
        let key = (org, entity.to_owned());
        let mut flights = self.flights.lock();
        if let Some(flight) = flights.get(&key) {
            return flight.clone();
        }
        // one that ended a moment ago
        if let Some(fields) = self.cached(org, entity, self.context.clock.now()) {
            return async move { fields }.boxed().shared();
        }
        let landing = Landing { source: Arc::clone(self), key: key.clone() };
        let task = tokio::spawn(async move { landing.fly(requester, deadline).await });
        let flight = async move { task.await.unwrap_or_default() }.boxed().shared();
        flights.insert(key, flight.clone());
        flight
    }

    async fn ask(&self, org: OrgId, entity: &str, requester: Requester, deadline: Instant) -> FetchAnswer {
        let turn = timeout_at(deadline, self.turns.acquire(requester)).await;
        let Ok(Ok(_turn)) = turn else { return FetchAnswer::Failed(FetchFault::Busy) };
        let clock = &self.context.clock;
        let breaker = self.breakers.get_with(org, Arc::default);
        if !breaker.admits(clock.now()) {
            return FetchAnswer::Failed(FetchFault::CircuitOpen);
        }
        let document = timeout_at(deadline, self.client.get(entity)).await.unwrap_or(Err(FetchFault::Timeout));
        if breaker.note(document.is_err(), clock.now()) {
            tracing::warn!(
                source = self.settings.name,
                "a source of record failed repeatedly and is not asked for a while"
            );
        }
        match document {
            Ok(Some(document)) => self.record(entity, &document),
            Ok(None) => FetchAnswer::Absent,
            Err(fault) => FetchAnswer::Failed(fault),
        }
    }

    /// The values of a document, checked and scrubbed like those of a pushed record. A value of another type asserts nothing.
    fn record(&self, entity: &str, document: &Value) -> FetchAnswer {
        let (settings, now) = (&self.settings, self.context.clock.now());
        let as_of = match &settings.as_of {
            None => Some(now),
            Some(pointer) => document.pointer(pointer).and_then(Value::as_str).and_then(|text| text.parse().ok()),
        };
        let read = |field: &str, pointer: &str| {
            let unit = settings.units.iter().find(|(of, _)| of == field).map(|(_, pointer)| pointer);
            let unit = match unit {
                // without its unit a value may mean another amount
                Some(pointer) => Some(document.pointer(pointer)?.as_str()?.to_owned()),
                None => None,
            };
            let value = RecordValueInput { value: document.pointer(pointer)?.clone(), unit };
            let input = RecordInput {
                entity: entity.to_owned(),
                fields: BTreeMap::from([(field.to_owned(), Some(value))]),
                as_of: as_of?,
                source: Some(settings.name.clone()),
                change: RecordChange::Replace,
            };
            let draft = RecordDraft::check(input, self.context.scrubber, &settings.name, now).ok()?;
            plan_record(&RecordState::default(), &draft).set.into_values().next()
        };
        let (mut fields, mut unusable) = (BTreeMap::new(), Vec::new());
        for (field, pointer) in &settings.fields {
            match read(field, pointer) {
                Some(state) => drop(fields.insert(field.clone(), state)),
                None => unusable.push(field.clone()),
            }
        }
        FetchAnswer::Record(fields, unusable)
    }

    /// Logs and counts an answer, without the entity, which may name a person.
    fn report(&self, answer: &FetchAnswer) {
        let name = &self.settings.name;
        let outcome = match answer {
            FetchAnswer::Record(_, unusable) if unusable.is_empty() => "answered",
            FetchAnswer::Record(_, unusable) => {
                tracing::warn!(
                    source = name,
                    fields = unusable.join(", "),
                    "a source of record answers without a usable value"
                );
                "wrong_type"
            }
            FetchAnswer::Absent => "absent",
            FetchAnswer::Failed(fault) => {
                let outcome = fault.label();
                if matches!(fault, FetchFault::CircuitOpen) {
                    tracing::debug!(source = name, outcome, "a source of record is not asked");
                } else {
                    tracing::warn!(source = name, outcome, error = %fault, "a source of record does not answer");
                }
                outcome
            }
        };
        self.context.fetches.get_or_create(&FetchLabels { source: name.clone(), outcome }).inc();
    }
}

/// A request on its way. It leaves the table of requests when it ends, also by a panic.
struct Landing {
    source: Arc<RecordSource>,
    key: Key,
}

impl Landing {
    async fn fly(self, requester: Requester, deadline: Instant) -> FetchedFields {
        let (source, (org, entity)) = (&self.source, &self.key);
        let answer = source.ask(*org, entity, requester, deadline).await;
        source.report(&answer);
        let ttl = TimeDelta::from_std(source.settings.ttl).unwrap_or(FAILURE_TTL);
        let (fields, ttl) = match answer {
            FetchAnswer::Record(fields, _) => (Arc::new(fields), ttl),
            FetchAnswer::Absent => (FetchedFields::default(), ttl),
            FetchAnswer::Failed(_) => (FetchedFields::default(), FAILURE_TTL),
        };
        let until = source.context.clock.now() + ttl;
        source.cache.insert(self.key.clone(), Cached { fields: Arc::clone(&fields), until });
        fields
    }
}

impl Drop for Landing {
    fn drop(&mut self) {
        self.source.flights.lock().remove(&self.key);
    }
}
