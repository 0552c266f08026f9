//! Episodes: order, filters and pages.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::Scope;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{EpisodeDraft, EpisodeInput, EpisodeTypes, ReasonDraft};
use orgmem_policies::scrub::Scrubber;
use orgmem_store::{AuditRecord, Clock, Episode, EpisodeCursor, EpisodeFilter, RedactedEpisode};
use serde_json::json;
use uuid::Uuid;

use super::agent::{Agent, view_pass};
use super::commits::{Commit, commit, forget};
use super::orgs::{Failure, append_entry, draw};
use super::redactions::{edit, redact};
use crate::stores::{TestStore, test_epoch};

on_both!(
    episode_is_returned_as_appended,
    episode_supersedes_only_episodes_of_its_workspace,
    episodes_are_filtered_by_subject,
    redacted_episode_has_only_type_time_and_corrections,
    newest_episode_is_first,
    episodes_are_filtered_by_type_and_session,
    time_range_includes_its_start_and_excludes_its_end,
    pages_continue_after_new_episodes,
    imported_episode_is_ordered_by_its_time,
    episodes_are_private_to_their_workspace,
    job_sees_its_own_episodes,
    failing_job_keeps_episodes_of_its_group,
    order_survives_a_clock_set_back,
    times_are_correct_after_a_clock_was_an_hour_ahead,
    changes_of_memories_are_recorded,
    reads_are_recorded_in_their_workspace,
    kind_and_session_of_a_removed_memory_are_in_no_episode,
);

pub(crate) fn log(summary: &str) -> EpisodeInput {
    EpisodeInput { activity_type: "agent_log".into(), summary: Some(summary.into()), ..EpisodeInput::default() }
}

pub(crate) fn draft(input: EpisodeInput) -> EpisodeDraft {
    EpisodeDraft::check(input, &EpisodeTypes::with([]), Scrubber::built_in(), DateTime::<Utc>::MAX_UTC).expect("valid")
}

pub(crate) async fn append(agent: &Agent, input: EpisodeInput) -> Episode {
    append_at(agent, input, None).await
}

async fn append_at(agent: &Agent, input: EpisodeInput, happened_at: Option<DateTime<Utc>>) -> Episode {
    let draft = draft(input);
    let appended = agent.act(move |tx, pass| Ok(tx.append_episode(pass, &draft, happened_at)?)).await;
    appended.expect("an answer").expect("the corrected episode exists")
}

async fn page(agent: &Agent, filter: EpisodeFilter, after: Option<EpisodeCursor>, limit: usize) -> Vec<Episode> {
    agent.view(move |tx, pass| tx.list_episodes(pass, &filter, after, limit)).await
}

async fn list(agent: &Agent) -> Vec<Episode> {
    page(agent, EpisodeFilter::default(), None, 100).await
}

fn summaries(episodes: Vec<Episode>) -> Vec<String> {
    episodes.into_iter().filter_map(|episode| episode.summary).collect()
}

async fn bot(t: &TestStore) -> Agent {
    Agent::new(&t.store, &draw(&t.store, "acme\n  bot").await, "bot")
}

fn full() -> EpisodeInput {
    let text = |text: &str| Some(text.to_owned());
    EpisodeInput {
        activity_type: "a2a_send".into(),
        method: text("tasks/send"),
        target_id: Some(Uuid::from_u128(7)),
        status: text("ok"),
        error_detail: text("none"),
        duration_ms: Some(1250),
        request_body: Some(json!({"z": 1, "a": ["x", null, "nul \u{0}"]})),
        response_body: Some(json!("text")),
        metadata: json!({"k": {}}).as_object().cloned(),
        actor: text("planner"),
        channel: text("a2a"),
        correlation_id: text("c-1"),
        session_id: text("s-1"),
        kind: text("plan"),
        outcome: text("success"),
        salience: Some(0.8),
        subject: text("ada"),
        ..log("asked for the \u{1f511} plan\nsecond line")
    }
}

async fn episode_is_returned_as_appended(t: TestStore) {
    let bot = bot(&t).await;
    let before = t.store.now();
    let appended = append(&bot, full()).await;
    assert_eq!((appended.workspace, appended.created_at), (bot.id, before));
    assert_eq!(appended.request_body.as_deref(), Some(r#"{"a":["x",null,"nul \u0000"],"z":1}"#));
    assert_eq!(appended.response_body.as_deref(), Some("\"text\""));
    assert_eq!(appended.target_id, Some(Uuid::from_u128(7)));
    let bare = append(&bot, EpisodeInput { activity_type: "error".into(), ..EpisodeInput::default() }).await;
    assert_eq!((bare.summary.as_deref(), bare.request_body.as_deref()), (None, None));
    let t = t.reopened();
    let bot = Agent { store: t.store.clone(), ..bot };
    assert_eq!(list(&bot).await, [bare, appended]);
}

async fn episode_supersedes_only_episodes_of_its_workspace(t: TestStore) {
    let org = draw(&t.store, "acme\n  bot\n  peer").await;
    let (bot, peer) = (Agent::new(&t.store, &org, "bot"), Agent::new(&t.store, &org, "peer"));
    let (own, theirs) = (append(&bot, log("wrong")).await, append(&peer, log("theirs")).await);
    for unknown in [theirs.id, Uuid::from_u128(8)] {
        let draft = draft(EpisodeInput { supersedes: Some(unknown), ..log("right") });
        let refused = bot.act(move |tx, pass| Ok(tx.append_episode(pass, &draft, None)?)).await;
        assert_eq!(refused.expect("an answer"), None);
    }
    assert_eq!(list(&bot).await, std::slice::from_ref(&own));
    let first = append(&bot, EpisodeInput { supersedes: Some(own.id), ..log("right") }).await;
    let second = append(&bot, EpisodeInput { supersedes: Some(own.id), ..log("better") }).await;
    let marks: Vec<_> = list(&bot).await.into_iter().map(|episode| (episode.id, episode.superseded_by)).collect();
    assert_eq!(marks, [(second.id, None), (first.id, None), (own.id, Some(second.id))]);
    assert_eq!(list(&peer).await[0].superseded_by, None);
}

async fn episodes_are_filtered_by_subject(t: TestStore) {
    let bot = bot(&t).await;
    for subject in [Some("ada"), Some("bob"), None] {
        append(&bot, EpisodeInput { subject: subject.map(str::to_owned), ..log("a call") }).await;
    }
    let about = async |subject: &str| {
        let filter = EpisodeFilter { subject: Some(subject.to_owned()), ..EpisodeFilter::default() };
        page(&bot, filter, None, 10).await.len()
    };
    assert_eq!([about("ada").await, about("bob").await, about("eve").await, about("\0").await], [1, 1, 0, 0]);
}

async fn redacted_episode_has_only_type_time_and_corrections(t: TestStore) {
    let bot = bot(&t).await;
    let wrong = append(&bot, log("wrong")).await;
    let id = append(&bot, EpisodeInput { supersedes: Some(wrong.id), ..full() }).await.id;
    let redact = async || {
        let reason = ReasonDraft::check("asked for", Scrubber::built_in()).expect("a reason");
        bot.act(move |tx, pass| Ok(tx.redact_episode(pass, id, &reason)?)).await.expect("an answer")
    };
    t.clock.advance(TimeDelta::seconds(1));
    let first = redact().await.expect("an episode");
    assert!(!first.before);
    t.clock.advance(TimeDelta::seconds(1));
    assert_eq!(redact().await, Some(RedactedEpisode { at: first.at, before: true, facts: Vec::new() }));
    let redacted = list(&bot).await.into_iter().find(|episode| episode.id == id).expect("it is listed");
    assert_eq!((redacted.activity_type.as_str(), redacted.supersedes), ("a2a_send", Some(wrong.id)));
    assert_eq!(redacted.redacted_at, Some(first.at));
    let texts = [redacted.summary, redacted.request_body, redacted.response_body, redacted.metadata, redacted.actor];
    assert_eq!(texts, [const { None }; 5]);
    assert_eq!((redacted.subject, redacted.session_id, redacted.target_id), (None, None, None));
    assert!(t.store.wait_until_clean(std::time::Duration::from_secs(60)));
}

async fn newest_episode_is_first(t: TestStore) {
    let bot = bot(&t).await;
    for n in 0..7 {
        append(&bot, log(&n.to_string())).await;
        t.clock.advance(TimeDelta::microseconds(n / 2));
    }
    assert_eq!(summaries(list(&bot).await), ["6", "5", "4", "3", "2", "1", "0"]);
    assert_eq!(summaries(page(&bot, EpisodeFilter::default(), None, 2).await), ["6", "5"]);
}

async fn episodes_are_filtered_by_type_and_session(t: TestStore) {
    let bot = bot(&t).await;
    for (activity_type, session_id, summary) in [
        ("agent_log", None, "0"),
        ("error", Some("s"), "1"),
        ("agent_log", Some("s"), "2"),
        ("agent_log", Some("S"), "3"),
    ] {
        let session_id = session_id.map(str::to_owned);
        append(&bot, EpisodeInput { activity_type: activity_type.into(), session_id, ..log(summary) }).await;
    }
    let check = async |activity_type: Option<&str>, session_id: Option<&str>, expected: &[&str]| {
        let filter = EpisodeFilter {
            activity_type: activity_type.map(Into::into),
            session_id: session_id.map(Into::into),
            ..EpisodeFilter::default()
        };
        let found = page(&bot, filter, None, 10).await;
        assert_eq!(summaries(found), expected, "{activity_type:?} {session_id:?}");
    };
    check(Some("agent_log"), None, &["3", "2", "0"]).await;
    check(None, Some("s"), &["2", "1"]).await;
    check(Some("agent_log"), Some("s"), &["2"]).await;
    check(Some("a2a_send"), None, &[]).await;
    check(Some("error\0"), None, &[]).await;
    check(None, Some("\0"), &[]).await;
}

async fn time_range_includes_its_start_and_excludes_its_end(t: TestStore) {
    let bot = bot(&t).await;
    for n in 0..5 {
        append(&bot, log(&n.to_string())).await;
        t.clock.advance(TimeDelta::microseconds(1));
    }
    let at = |nanos: i64| Some(test_epoch() + TimeDelta::nanoseconds(nanos));
    let check = async |since: Option<DateTime<Utc>>, until: Option<DateTime<Utc>>, expected: &[&str]| {
        let found = page(&bot, EpisodeFilter { since, until, ..EpisodeFilter::default() }, None, 10).await;
        assert_eq!(summaries(found), expected, "{since:?} to {until:?}");
    };
    check(at(1000), None, &["4", "3", "2", "1"]).await;
    check(at(1001), None, &["4", "3", "2"]).await;
    check(None, at(2000), &["1", "0"]).await;
    check(None, at(2001), &["2", "1", "0"]).await;
    check(at(1000), at(3000), &["2", "1"]).await;
    check(at(3000), at(1000), &[]).await;
    let (first, last) = (DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC);
    check(Some(first), Some(last), &["4", "3", "2", "1", "0"]).await;
    check(Some(last), None, &[]).await;
    check(None, Some(first), &[]).await;
}

async fn pages_continue_after_new_episodes(t: TestStore) {
    let bot = bot(&t).await;
    for n in 0..7 {
        append(&bot, log(&n.to_string())).await;
    }
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = page(&bot, EpisodeFilter::default(), after, 3).await;
        let Some(last) = page.last() else { break };
        // a cursor survives a round trip through JSON
        let cursor = serde_json::to_string(&last.place()).expect("JSON");
        after = Some(serde_json::from_str(&cursor).expect("a cursor"));
        listed.extend(summaries(page));
        append(&bot, log("new")).await;
    }
    assert_eq!(listed, ["6", "5", "4", "3", "2", "1", "0"]);
}

async fn imported_episode_is_ordered_by_its_time(t: TestStore) {
    let bot = bot(&t).await;
    let an_hour_ago = t.store.now() - TimeDelta::hours(1);
    append(&bot, log("now")).await;
    assert_eq!(append_at(&bot, log("an hour ago"), Some(an_hour_ago)).await.created_at, an_hour_ago);
    append_at(&bot, log("in 1970"), Some(DateTime::UNIX_EPOCH)).await;
    append_at(&bot, log("earlier still"), Some(DateTime::<Utc>::MIN_UTC)).await;
    let mut listed = list(&bot).await;
    assert_eq!(listed.split_off(2).last().map(|oldest| oldest.created_at), Some(DateTime::UNIX_EPOCH));
    assert_eq!(summaries(listed), ["now", "an hour ago"]);
}

async fn episodes_are_private_to_their_workspace(t: TestStore) {
    let acme = draw(&t.store, "acme\n  one\n  two").await;
    let (one, two) = (Agent::new(&t.store, &acme, "one"), Agent::new(&t.store, &acme, "two"));
    append(&one, log("one's")).await;
    assert!(list(&two).await.is_empty());
    append(&two, log("two's")).await;
    assert_eq!(summaries(list(&one).await), ["one's"]);
}

async fn job_sees_its_own_episodes(t: TestStore) {
    let bot = bot(&t).await;
    let (org, id) = (bot.org, bot.id);
    append(&bot, log("before")).await;
    let (a, b) = (draft(log("a")), draft(log("b")));
    let done = bot.act(move |tx, pass| {
        let view = view_pass(tx, org, id)?;
        tx.append_episode(pass, &a, None)?;
        assert_eq!(tx.list_episodes(&view, &EpisodeFilter::default(), None, 100)?.len(), 2);
        tx.append_episode(pass, &b, None)?;
        let newest = tx.list_episodes(&view, &EpisodeFilter::default(), None, 100)?.remove(0);
        assert_eq!(newest.summary.as_deref(), Some("b"));
        Ok(())
    });
    done.await.expect("it is done");
    assert_eq!(summaries(list(&bot).await), ["b", "a", "before"]);
}

async fn failing_job_keeps_episodes_of_its_group(t: TestStore) {
    let bot = bot(&t).await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (bot, (org, id)) = (bot.clone(), (bot.org, bot.id));
        let draft = draft(log(&format!("{n:02}")));
        tasks.spawn(async move {
            let append = bot.act(move |tx, pass| {
                tx.append_episode(pass, &draft, None)?;
                if n % 3 == 0 {
                    let view = view_pass(tx, org, id)?;
                    tx.list_episodes(&view, &EpisodeFilter::default(), None, 100)?;
                }
                if n % 2 == 0 { Err(Failure::OnPurpose) } else { Ok(()) }
            });
            assert_eq!(append.await.is_ok(), n % 2 == 1);
        });
    }
    tasks.join_all().await;
    let mut remaining = summaries(list(&bot).await);
    remaining.sort();
    assert_eq!(remaining, (0..60).filter(|n| n % 2 == 1).map(|n| format!("{n:02}")).collect::<Vec<_>>());
}

async fn order_survives_a_clock_set_back(t: TestStore) {
    let bot = bot(&t).await;
    let first = append(&bot, log("first")).await;
    t.clock.advance(TimeDelta::seconds(-60));
    let second = append(&bot, log("second")).await;
    assert!(second.created_at >= first.created_at);
    assert_eq!(list(&bot).await, [second, first]);
}

async fn times_are_correct_after_a_clock_was_an_hour_ahead(t: TestStore) {
    let bot = bot(&t).await;
    t.clock.advance(TimeDelta::hours(1));
    let ahead = append(&bot, log("ahead")).await;
    assert_eq!(ahead.created_at, t.store.now());
    t.clock.advance(TimeDelta::hours(-1));
    let now = t.store.now();
    let mut later = Vec::new();
    for summary in ["first", "second", "third"] {
        let appended = append(&bot, log(summary)).await;
        assert!((now..now + TimeDelta::milliseconds(1)).contains(&appended.created_at), "{}", appended.created_at);
        later.insert(0, appended);
    }
    let of_now =
        EpisodeFilter { since: Some(now), until: Some(now + TimeDelta::seconds(1)), ..EpisodeFilter::default() };
    assert_eq!(page(&bot, of_now, None, 10).await, later, "in the order of their commits");
    assert_eq!(list(&bot).await[0], ahead, "the newest by its time");
}

async fn changes_of_memories_are_recorded(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot").await;
    let bot = Agent::new(&t.store, &acme, "bot");
    let lunch = Commit::new(bot.id, Scope::Team, "lunch is at noon").with(|input| input.session_id = Some("s".into()));
    let id = commit(&t.store, &acme, lunch.clone()).await.expect("a commit").id;
    commit(&t.store, &acme, lunch.with(|input| input.id = Some(id))).await.expect("an upsert");
    for note in list(&bot).await {
        assert_eq!((note.target_id, note.session_id.as_deref()), (Some(id), Some("s")));
        assert!(note.summary.is_some_and(|summary| summary.ends_with(" a TEAM fact")));
    }
    assert!(forget(&t.store, &acme, bot.id, id).await);
    assert!(!forget(&t.store, &acme, bot.id, id).await);
    let clash = Commit::new(acme.get("acme"), Scope::Local, "not mine").with(|input| input.id = Some(id));
    commit(&t.store, &acme, clash).await.expect_err("another's id");
    let notes = list(&bot).await;
    assert!(notes.iter().all(|note| (note.target_id, &note.session_id) == (Some(id), &None)));
    let fields = |note: &Episode| [Some(note.activity_type.clone()), note.method.clone(), note.summary.clone()];
    let expected = [
        ["memory_forget", "forget_memory", "forgot a TEAM memory"],
        ["memory_write", "commit_memory", "replaced a TEAM memory"],
        ["memory_write", "commit_memory", "committed a TEAM memory"],
    ];
    assert_eq!(
        notes.iter().map(fields).collect::<Vec<_>>(),
        expected.map(|note| note.map(|text| Some(text.to_owned())))
    );
}

/// An agent's own episode about the memory stays as it is.
async fn kind_and_session_of_a_removed_memory_are_in_no_episode(t: TestStore) {
    let acme = draw(&t.store, "acme\n  bot").await;
    let bot = Agent::new(&t.store, &acme, "bot");
    let draft = |text: &str| {
        Commit::new(bot.id, Scope::Team, text).with(|input| {
            (input.kind, input.session_id) = (Some("biopsy".into()), Some("ward-7".into()));
        })
    };
    let redacted = commit(&t.store, &acme, draft("one")).await.expect("a commit").id;
    edit(&t.store, &acme, bot.id, redacted, "two", None).await;
    let forgotten = commit(&t.store, &acme, draft("three")).await.expect("a commit").id;
    let other = commit(&t.store, &acme, draft("four")).await.expect("a commit").id;
    let own = append(&bot, EpisodeInput { target_id: Some(redacted), ..log("a TEAM decision on a biopsy") }).await;
    redact(&t.store, &acme, bot.id, redacted).await.expect("it was there");
    assert!(forget(&t.store, &acme, bot.id, forgotten).await);
    for note in list(&bot).await {
        let text = format!("{note:?}");
        let has_any = text.contains("biopsy") || text.contains("ward-7");
        assert_eq!(has_any, note.target_id == Some(other) || note == own, "{text}");
    }
}

async fn reads_are_recorded_in_their_workspace(t: TestStore) {
    let bot = bot(&t).await;
    let first = append(&bot, log("first")).await;
    t.clock.advance(TimeDelta::seconds(1));
    let (at, read) = (t.clock.now(), Uuid::from_u128(7));
    t.clock.advance(TimeDelta::seconds(1));
    let last = append(&bot, log("last")).await;
    let record = AuditRecord::new(AuditAction::ReadMemory, bot.id)
        .about([(read, 1)])
        .with_episode("read it".into(), Some("s".into()));
    append_entry(&t.store, bot.org, at, record).await;
    let all = list(&bot).await;
    let [newest, note, oldest] = &all[..] else { panic!("{all:?}") };
    assert_eq!((newest, oldest), (&last, &first));
    let Episode { activity_type, summary, target_id, session_id, created_at, .. } = note;
    assert_eq!((activity_type.as_str(), summary.as_deref()), ("memory_read", Some("read it")));
    assert_eq!((*target_id, session_id.as_deref(), *created_at), (Some(read), Some("s"), at));
}
