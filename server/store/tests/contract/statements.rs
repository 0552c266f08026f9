//! The statements that reads and writes execute on PostgreSQL, where each costs a round trip.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, Once};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use orgmem_hierarchy::Scope;
use orgmem_policies::DraftLimits;
use orgmem_policies::drafts::{EntryDraft, EntryInput};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{ReadPlan, Requester, StoreConfig};
use uuid::Uuid;

use super::agent::{Agent, view_pass};
use super::commits::{Commit, commit, forget};
use super::orgs::{Failure, draw};
use crate::stores::{On, TestStore, test_epoch};

/// The statements of each thread by name, since the log was taken.
type Log = Arc<Mutex<Vec<(String, String)>>>;

/// The logs of databases, by the part of their addresses that names them.
static LOGS: LazyLock<Mutex<HashMap<String, Log>>> = LazyLock::new(Mutex::default);

static INSTALLED: Once = Once::new();

/// Records the statements of one connection, if its database has a log.
#[derive(Default)]
struct Recorder(Option<Log>);

impl Instrumentation for Recorder {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::StartEstablishConnection { url, .. } => {
                let logs = LOGS.lock().expect("the logs");
                self.0 = logs.iter().find(|(name, _)| url.contains(name.as_str())).map(|(_, log)| Arc::clone(log));
            }
            InstrumentationEvent::StartQuery { query, .. } => {
                let thread = std::thread::current().name().unwrap_or_default().to_owned();
                if let Some(log) = &self.0 {
                    log.lock().expect("the log").push((thread, query.to_string()));
                }
            }
            _ => {}
        }
    }
}

/// A store whose statements are recorded from now on.
fn recorded(t: TestStore) -> (TestStore, Log) {
    INSTALLED.call_once(|| {
        set_default_instrumentation(|| Some(Box::new(Recorder::default()))).expect("the first one");
    });
    let StoreConfig::Postgres { url, .. } = &t.config else { panic!("another database") };
    let name = url.split(['/', '?']).find(|part| part.starts_with("test_")).expect("the name of the database");
    let log = Log::default();
    LOGS.lock().expect("the logs").insert(format!("/{name}?"), Arc::clone(&log));
    (t.reopened(), log)
}

/// The statements of the threads of reads.
fn take(log: &Log) -> Vec<String> {
    take_of(log, |thread| !thread.starts_with("orgmem-"))
}

fn take_of(log: &Log, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let taken = std::mem::take(&mut *log.lock().expect("the log"));
    taken.into_iter().filter(|(thread, _)| is_wanted(thread)).map(|(_, statement)| statement).collect()
}

/// Without a pooler, which needs transactions.
fn on_postgres(test: impl AsyncFnOnce(TestStore)) {
    if std::env::var_os("ORGMEM_TEST_POOLER").is_none() {
        crate::run(On::Postgres, test);
    }
}

const JTI: Uuid = Uuid::from_u128(0xf00);

async fn set(agent: &Agent, value: u64) {
    let key = "number".into();
    let input = EntryInput { key, value: value.into(), ttl_seconds: None, if_match_version: None, subject: None };
    let draft = EntryDraft::check(input, DraftLimits::default(), Scrubber::built_in(), test_epoch()).expect("a draft");
    agent.act(move |tx, pass| Ok(tx.put_entry(pass, &draft)?)).await.expect("an answer").expect("no version was named");
}

/// The value, for a caller whose token is checked.
async fn get(agent: &Agent) -> u64 {
    let (org, id) = (agent.org, agent.id);
    let requester = Requester { org: Some(org), caller: JTI };
    let got: Result<u64, Failure> = agent
        .store
        .read_for(requester, ReadPlan::Cached, move |tx| {
            tx.token_status(Some(id), JTI)?;
            let pass = view_pass(tx, org, id)?;
            Ok(tx.entry(&pass, "number")?.map_or(0, |entry| entry.value.parse().expect("a number")))
        })
        .await;
    got.expect("an answer")
}

#[test]
fn cached_read_executes_one_statement() {
    on_postgres(async |t| {
        let (t, log) = recorded(t);
        let bot = Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot");
        set(&bot, 1).await;
        // the store notices within a few reads that the caches have the data
        for _ in 0..16 {
            assert_eq!(get(&bot).await, 1);
        }
        take(&log);
        assert_eq!(get(&bot).await, 1);
        let statements = take(&log);
        assert_eq!(statements.len(), 1, "{statements:#?}");
        assert!(statements[0].starts_with("SELECT") && statements[0].contains("\"orgs\""), "{statements:#?}");
    });
}

#[test]
fn deletion_does_not_visit_episodes_of_earlier_deletions() {
    on_postgres(async |t| {
        let (t, log) = recorded(t);
        let acme = draw(&t.store, "acme\n  bot").await;
        let bot = acme.get("bot");
        let mut counts = Vec::new();
        for _ in 0..4 {
            let memory = Commit::new(bot, Scope::Local, "limit is 10").with(|input| {
                input.id = Some(JTI);
                input.kind = Some("decision".into());
            });
            commit(&t.store, &acme, memory).await.expect("a commit");
            take(&log);
            assert!(forget(&t.store, &acme, bot, JTI).await);
            counts.push(take_of(&log, |thread| thread.starts_with("orgmem-writer")).len());
        }
        assert!(counts[0] > 0 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    });
}
