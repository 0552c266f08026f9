//! End users and sessions apart: every read equals that of an org which holds only what the call may read.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::TimeDelta;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::ProfileDraft;
use orgmem_policies::rules::{self, RuleViolation};
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{
    CallUser, Caller, EndUser, ForgetPass, Permission, ProfileSettings, ReadPass, Role, Sharing, TokenIdentity,
    TokenStatus, ViewPass, WritePass,
};
use orgmem_recall::{Filter, Order};
use orgmem_store::{ForgetOutcome, ReadPlan, ReadTx, Search, SessionKind, SessionOrder, SessionQuery, Store};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use uuid::Uuid;

use super::agent::Agent;
use super::commits::{ACME, Commit, about, commit, commit_ready};
use super::orgs::{Failure, Org, draw, system};
use crate::stores::{TestStore, test_epoch};

on_both!(reads_equal_those_of_a_store_with_only_the_readable_memories, bound_caller_changes_only_its_own_memories);

pub(crate) const AUTHORS: [&str; 3] = ["bot-1", "dev", "bot-2"];
const SUBJECTS: [Option<&str>; 3] = [None, Some("ada"), Some("eve")];
const SESSIONS: [Option<&str>; 3] = [None, Some("s-1"), Some("s-2")];
const WORDS: [&str; 10] = [
    "buoy",
    "harbour",
    "crane",
    "General Data Protection Regulation (GDPR)",
    "kubernetes",
    "pilot",
    "tide",
    "grafana",
    "anchor",
    "berth",
];
const QUERIES: [&str; 6] =
    ["", "harbour crane", "kubernetess", "GDPR", "what did ada say about the tide?", "graf pilot"];

/// A committed memory.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) id: Uuid,
    pub(crate) author: &'static str,
    scope: Scope,
    content: String,
    pub(crate) subject: Option<&'static str>,
    pub(crate) session: Option<&'static str>,
    hours: i64,
    pin: bool,
}

impl Written {
    pub(crate) fn in_org(&self, org: &Org) -> Commit {
        Commit::new(org.get(self.author), self.scope, &self.content).with(|input| {
            input.id = Some(self.id);
            input.subject = self.subject.map(str::to_owned);
            input.session_id = self.session.map(str::to_owned);
            input.created_at = Some(test_epoch() - TimeDelta::hours(self.hours));
            input.pin = self.pin;
        })
    }
}

pub(crate) async fn separate(store: &Store, org: &Org, author: &str, subjects: Sharing, sessions: Sharing) {
    profiled(store, org, author, ProfileSettings { subjects, sessions, ..ProfileSettings::default() }).await;
}

/// Gives a workspace a default profile.
pub(crate) async fn profiled(store: &Store, org: &Org, author: &str, settings: ProfileSettings) {
    let agent = Agent::new(store, org, author);
    let id = store.new_id();
    let created = agent.act(move |tx, pass| {
        let draft = ProfileDraft::check("apart", settings.clone(), Scrubber::built_in()).expect("a draft");
        let names = tx.profile_names(pass.org(), pass.workspace())?;
        let plan = rules::check_profile_name(&names, id, draft.name(), true)?;
        Ok(tx.create_profile(pass, plan, &draft, 0)?)
    });
    created.await.expect("a profile");
}

/// An agent with a token for this end user.
pub(crate) fn bound(org: &Org, workspace: WorkspaceId, user: EndUser) -> Caller {
    let token = TokenIdentity {
        subject: "agent:bot".into(),
        role: Role::Agent,
        workspace: Some(workspace),
        jti: Uuid::from_u128(7),
        issued_at: test_epoch(),
        user: CallUser::bound_to(user),
    };
    let status = TokenStatus { org: Some(org.id), live: true, ..TokenStatus::default() };
    Caller::admit(&token, &status).expect("admitted")
}

fn searches() -> Vec<Search> {
    let mut searches = Vec::new();
    for query in QUERIES {
        searches.push(about(query));
        searches.push(Search { collapse: true, explain: true, ..about(query) });
        searches.push(Search { neighbours: 2, ..about(query) });
        searches
            .push(Search { filter: Filter { session_id: Some("s-1".into()), ..Filter::default() }, ..about(query) });
    }
    searches.push(Search { scopes: vec![Scope::Local], ..about("") });
    let mut confident = about("");
    confident.cut.order = Order::Confidence;
    searches.push(confident);
    searches
}

/// All that the reads of memories answer, without ids of the org.
async fn answers(store: &Store, org: &Org, caller: Caller, reader: &str, all: &[Written]) -> Vec<String> {
    let (id, reader) = (org.id, org.get(reader));
    let memories: Vec<Uuid> = all.iter().map(|written| written.id).collect();
    let read: Result<_, Failure> =
        store.read(ReadPlan::Scan, move |tx| answers_of(tx, (id, reader), &caller, &memories)).await;
    read.expect("answers")
}

fn answers_of(
    tx: &mut dyn ReadTx,
    (org, reader): (OrgId, WorkspaceId),
    caller: &Caller,
    memories: &[Uuid],
) -> Result<Vec<String>, Failure> {
    let profile: Arc<ProfileSettings> = tx.default_settings(org, reader)?;
    let pass = ReadPass::grant(caller, &*tx.tree(org)?, reader, &profile)?;
    let mut answers = found_of(tx, &pass, memories)?;
    for &id in memories {
        answers.push(format!("{id} {}", tx.memory_versions(&pass, id, None, 10)?.is_some()));
    }
    let profile = tx.default_profile(org, reader)?;
    let totals = tx.profile_totals(&pass, &profile, 100)?;
    let newest: Vec<Uuid> = totals.newest.iter().map(|memory| memory.id).collect();
    answers.push(format!("{} {} {newest:?}", totals.counts.local, totals.counts.team));
    for (q, order) in
        [("", SessionOrder::Recent), ("harbour tide", SessionOrder::Relevance), ("crane", SessionOrder::Recent)]
    {
        let view = ViewPass::grant(caller, Permission::ReadActivity, &*tx.tree(org)?, reader)?;
        let query = SessionQuery {
            q: q.to_owned(),
            kind: Some(SessionKind::Memory),
            session_id: None,
            order,
            since: None,
            until: None,
        };
        let rows = tx.search_session(&view, &pass, &query, None, 50)?;
        answers.push(format!("{:?}", rows.iter().map(|row| (row.id, &row.content)).collect::<Vec<_>>()));
    }
    Ok(answers)
}

/// All that searches, counts and reads by id answer.
pub(crate) fn found_of(tx: &mut dyn ReadTx, pass: &ReadPass, memories: &[Uuid]) -> Result<Vec<String>, Failure> {
    let mut answers = Vec::new();
    for search in searches() {
        let found = tx.search(pass, &search)?;
        let hits = found.hits.iter().map(|hit| {
            let near: Vec<_> = hit.neighbours.iter().map(|near| (near.offset, near.memory.id)).collect();
            let explained =
                hit.explanation.as_ref().map(|explained| (explained.rank, &explained.parts, explained.repeats));
            format!(
                "{} {:x} {:?} {near:?} {explained:?} {:?} {:?} {:?}",
                hit.memory.id,
                hit.score.to_bits(),
                hit.via,
                hit.understood,
                hit.outdated_by,
                hit.repetitions
            )
        });
        answers.push(format!(
            "{}{}: {:#?}",
            search.query.is_blank(),
            tx.count(pass, &search)?,
            hits.collect::<Vec<_>>()
        ));
        for &id in memories.iter().take(12) {
            let ranked = tx.memory(pass, id)?.map(|_| tx.rank(pass, &search, id)).transpose()?;
            answers.push(format!("{id} {ranked:?}"));
        }
    }
    for &id in memories {
        let found = tx.memory(pass, id)?;
        answers.push(format!("{id} {:?}", found.map(|(memory, via)| (memory.authored.content, via))));
    }
    Ok(answers)
}

/// Random commits of all end users and sessions, some of them repeated as new versions.
pub(crate) async fn random_history(store: &Store, acme: &Org, seed: u64) -> Vec<Written> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut pick = |from: usize| random.random_range(0..from);
    let mut all: Vec<Written> = Vec::new();
    for n in 0..90 {
        if pick(8) == 0 && !all.is_empty() {
            // a new version is committed again under the id, and is the last one from then on
            let mut changed = all.remove(pick(all.len()));
            changed.content = format!("{} {}", WORDS[pick(WORDS.len())], changed.content);
            commit(store, acme, changed.in_org(acme)).await.expect("a new version");
            all.push(changed);
            continue;
        }
        let words: Vec<&str> = (0..=pick(4)).map(|_| WORDS[pick(WORDS.len())]).collect();
        let written = Written {
            id: Uuid::from_u128(0xabc0_0000 + n),
            author: AUTHORS[pick(AUTHORS.len())],
            scope: if pick(3) == 0 { Scope::Local } else { Scope::Team },
            content: words.join(" "),
            subject: SUBJECTS[pick(3)],
            session: SESSIONS[pick(3)],
            hours: i64::try_from(pick(6)).unwrap_or_default(),
            pin: pick(12) == 0,
        };
        commit(store, acme, written.in_org(acme)).await.expect("a commit");
        all.push(written);
    }
    all
}

async fn reads_equal_those_of_a_store_with_only_the_readable_memories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let all = random_history(&t.store, &acme, 41).await;
    for author in AUTHORS {
        separate(&t.store, &acme, author, Sharing::Separate, Sharing::Separate).await;
    }
    separate_views(&t, &acme, &all).await;
}

async fn separate_views(t: &TestStore, acme: &Org, all: &[Written]) {
    let is_of = |name: Option<&str>, named: Option<&str>| name.is_none() || name == named;
    for (subject, session) in [(None, None), (Some("ada"), None), (None, Some("s-1")), (Some("eve"), Some("s-2"))] {
        let mirror = draw(&t.store, ACME).await;
        for written in all.iter().filter(|one| is_of(one.subject, subject) && is_of(one.session, session)) {
            commit(&t.store, &mirror, written.in_org(&mirror)).await.expect("a commit");
        }
        for reader in AUTHORS {
            let user = EndUser::named(subject, session);
            let naming = system().naming(&user).expect("one end user");
            let (here, there) = (
                answers(&t.store, acme, naming, reader, all).await,
                answers(&t.store, &mirror, system(), reader, all).await,
            );
            assert_eq!(here, there, "{reader} for {subject:?} in {session:?}");
        }
        if let (Some(_), Some(_)) = (subject, session) {
            // a bound token reads the same in any profile; `ops` has no profile
            let user = EndUser::named(subject, session);
            let (here, there) = (
                answers(&t.store, acme, bound(acme, acme.get("ops"), user), "ops", all).await,
                answers(&t.store, &mirror, system(), "ops", all).await,
            );
            assert_eq!(here, there, "a bound token");
        }
    }
}

async fn bound_caller_changes_only_its_own_memories(t: TestStore) {
    let acme = draw(&t.store, ACME).await;
    let bot = acme.get("bot-1");
    let mut ids = BTreeMap::new();
    for subject in SUBJECTS {
        let new = Commit::new(bot, Scope::Local, "the berth").with(|input| input.subject = subject.map(str::to_owned));
        ids.insert(subject, commit(&t.store, &acme, new).await.expect("a commit").id);
    }
    let ada = bound(&acme, bot, EndUser::named(Some("ada"), None));
    let org = acme.id;
    let written = |subject: Option<&'static str>, id: Option<Uuid>, supersedes: Option<Uuid>| {
        let new = Commit::new(bot, Scope::Local, "the berth of ada").with(|input| {
            (input.id, input.supersedes, input.subject) = (id, supersedes, subject.map(str::to_owned));
        });
        let (ready, ada) = (new.ready(), ada.clone());
        t.store.write(org, move |tx| {
            let pass = WritePass::grant(&ada, &*tx.tree(org)?, bot, Scope::Local, None)?;
            commit_ready(tx, &pass, &ready)
        })
    };
    for subject in [None, Some("eve")] {
        let refused: Result<_, Failure> = written(subject, None, None).await;
        assert!(matches!(refused, Err(Failure::Rule(RuleViolation::OtherEndUser("subject")))));
        let id = ids[&subject];
        let refused: Result<_, Failure> = written(Some("ada"), Some(id), None).await;
        assert!(matches!(refused, Err(Failure::Rule(RuleViolation::MemoryTaken(_)))));
        let refused: Result<_, Failure> = written(Some("ada"), None, Some(id)).await;
        assert!(matches!(refused, Err(Failure::Rule(RuleViolation::NothingToSupersede(_)))));
        let caller = ada.clone();
        let forgotten: Result<_, Failure> = t
            .store
            .write(org, move |tx| {
                let pass = ForgetPass::grant(&caller, &*tx.tree(org)?, bot, bot)?;
                Ok(tx.forget_memory(&pass, id, None)?)
            })
            .await;
        assert_eq!(forgotten.expect("an outcome"), ForgetOutcome::NoMemory);
    }
    let replaced: Result<_, Failure> = written(Some("ada"), Some(ids[&Some("ada")]), None).await;
    assert_eq!(replaced.expect("a commit").version, 2);
}
