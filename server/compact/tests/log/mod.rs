//! Random logs, and the naive model of exchanges.

use std::collections::BTreeSet;

use orgmem_compact::{Episode, MICROS_PER_DAY, Outcome, Rules};
use proptest::prelude::*;
use uuid::Uuid;

pub(crate) const DAYS: i64 = 300;
/// Excluded kinds.
pub(crate) const RULES: [&str; 3] = ["financial", "inventory", "payment"];
/// Words of episodes that may reach no page, in several scripts.
pub(crate) const MARKS: [&str; 4] = ["49.90", "۱۲۳۴", "八百五十", "฿999"];

pub(crate) fn rules() -> Rules {
    Rules::new(true, RULES)
}

const TEXTS: [&str; 6] = [
    "Deliver to the back door. Ring twice, please.",
    "Kirim ke alamat kantor. Jangan setelah jam lima.",
    "请送到后门。下午五点以后没有人。",
    "ส่งของที่ประตูหลัง ขอบคุณครับ",
    "",
    "سلّم الطرد عند الباب الخلفي. شكرا",
];

/// A plain eligible episode about `ada`.
pub(crate) fn episode(number: u128, at: i64, session: &str, correlation: &str) -> Episode {
    Episode {
        id: Uuid::from_u128(number),
        workspace: Uuid::from_u128(1),
        subject: "ada".into(),
        at,
        activity_type: "agent_log".into(),
        session: Some(session.into()),
        actor: Some("agent".into()),
        channel: Some("chat".into()),
        correlation: Some(correlation.into()),
        kind: Some("support".into()),
        outcome: None,
        salience: 0.5,
        text: "Deliver to the back door.".into(),
        is_superseded: false,
        is_redacted: false,
    }
}

/// Logs of up to sixty episodes.
#[derive(Debug, Default)]
pub(crate) struct AnyLog;

impl Strategy for AnyLog {
    type Tree = <BoxedStrategy<Vec<Episode>> as Strategy>::Tree;
    type Value = Vec<Episode>;

    fn new_tree(&self, runner: &mut proptest::test_runner::TestRunner) -> proptest::strategy::NewTree<Self> {
        let numbered = |episodes: Vec<Episode>| {
            let number =
                |(number, episode): (usize, Episode)| Episode { id: Uuid::from_u128(number as u128 + 1), ..episode };
            episodes.into_iter().enumerate().map(number).collect()
        };
        prop::collection::vec(any_episode(), 1..60).prop_map(numbered).boxed().new_tree(runner)
    }
}

fn any_episode() -> impl Strategy<Value = Episode> {
    // few days and minutes around exact gaps, so that exchanges form
    let at = (prop::sample::select(vec![0, 1, 30, 60, 150, 151, 152, 290]), 0..8_i64, prop::sample::select(vec![0, 1]))
        .prop_map(|(day, steps, beyond)| day * MICROS_PER_DAY + steps * 30 * 60 * 1_000_000 + beyond);
    let kind = prop::sample::select(vec![
        "support",
        "delivery",
        "support",
        "payment",
        " Financial ",
        "ＩＮＶＥＮＴＯＲＹ",
        "",
    ]);
    let outcome =
        prop::sample::select(vec![None, None, Some(Outcome::Success), Some(Outcome::Failure), Some(Outcome::Neutral)]);
    let whose = (1..3_u128, prop::sample::select(vec!["ada", "ada", "bob", ""]));
    let thread = (prop::option::of(0..4_u8), 0..4_u8);
    let flags = (prop::bool::weighted(0.1), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    (at, kind, outcome, whose, thread, flags, 0..TEXTS.len(), 0..5_u8, 1..40_usize).prop_map(
        |(
            at,
            kind,
            outcome,
            (workspace, subject),
            (session, correlation),
            (superseded, redacted, anonymous),
            text,
            salience,
            times,
        )| {
            let excluded = RULES.iter().any(|rule| fold(kind) == *rule) || kind.is_empty();
            let text = match excluded {
                true => MARKS.join(" "),
                // some are longer than a page
                false => TEXTS[text].repeat(if salience == 0 { times } else { 1 }),
            };
            Episode {
                workspace: Uuid::from_u128(workspace),
                subject: subject.into(),
                session: session.map(|session| format!("s-{session}")),
                kind: Some(kind.to_owned()).filter(|kind| !kind.is_empty()),
                actor: (!anonymous).then(|| "agent".into()),
                outcome,
                salience: f64::from(salience) / 4.0,
                text,
                is_superseded: superseded,
                is_redacted: redacted,
                ..episode(0, at, "", &format!("c-{correlation}"))
            }
        },
    )
}

fn fold(kind: &str) -> String {
    let narrow = |c: char| match c {
        '\u{ff21}'..='\u{ff3a}' => char::from_u32(c as u32 - 0xff21 + 'A' as u32).unwrap_or(c),
        c => c,
    };
    kind.trim().chars().map(narrow).collect::<String>().to_lowercase()
}

/// Two episodes belong together if they share workspace, subject and thread, and a chain of pauses of at most 30 minutes
/// connects them. Found by joining pairs until nothing changes.
pub(crate) fn naive_exchanges(log: &[Episode]) -> BTreeSet<BTreeSet<Uuid>> {
    let eligible: Vec<&Episode> = log
        .iter()
        .filter(|episode| {
            let kind = episode.kind.as_deref().map(fold);
            episode.actor.is_some()
                && !episode.is_superseded
                && !episode.is_redacted
                && kind.is_some_and(|kind| !RULES.contains(&kind.as_str()))
        })
        .collect();
    let thread = |episode: &Episode| episode.session.clone().or(episode.correlation.clone());
    let mut groups: Vec<Vec<&Episode>> = eligible.into_iter().map(|episode| vec![episode]).collect();
    let near = |one: &Episode, other: &Episode| {
        (one.workspace, &one.subject, thread(one)) == (other.workspace, &other.subject, thread(other))
            && one.at.abs_diff(other.at) <= 30 * 60 * 1_000_000
    };
    loop {
        let pair = (0..groups.len())
            .flat_map(|one| (one + 1..groups.len()).map(move |other| (one, other)))
            .find(|(one, other)| groups[*one].iter().any(|a| groups[*other].iter().any(|b| near(a, b))));
        let Some((one, other)) = pair else { break };
        let joined = groups.swap_remove(other);
        groups[one].extend(joined);
    }
    groups.into_iter().map(|group| group.into_iter().map(|episode| episode.id).collect()).collect()
}
