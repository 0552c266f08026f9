//! A compaction of a whole log.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::{Budgets, Episode, Exclusion, GATE, Outcome, Rules, Support, Tier, exchanges, place};

/// The pages of a log and the report about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// By workspace, subject, thread and time.
    pub pages: Vec<Page>,
    /// What happened to the episodes.
    pub report: Report,
}

/// A compressed view of one exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The same for the same workspace, subject, thread and first episode.
    pub id: Uuid,
    /// The workspace of the episodes.
    pub workspace: Uuid,
    /// The person or thing it is about; empty for the workspace's own work.
    pub subject: String,
    /// How much text it has.
    pub tier: Tier,
    /// In the words of the episodes; empty for a cold page.
    pub content: String,
    /// Tokens of the content.
    pub tokens: usize,
    /// The last declared outcome.
    pub outcome: Option<Outcome>,
    /// Time of the first episode in microseconds since 1970.
    pub first_at: i64,
    /// Time of the last episode.
    pub last_at: i64,
    /// What supports it.
    pub support: Support,
    /// The confidence on the day of the compaction.
    pub confidence: f64,
    /// The episodes, in the order of their times; at least one.
    pub sources: Vec<Uuid>,
}

/// Counts of a compaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Episodes read.
    pub read: usize,
    /// Episodes that reached no page, by reason.
    pub left_out: BTreeMap<Exclusion, usize>,
    /// Pages by tier.
    pub pages: BTreeMap<Tier, usize>,
    /// Tokens by tier.
    pub tokens: BTreeMap<Tier, usize>,
    /// Hot and warm pages below the gate.
    pub below_gate: usize,
}

/// Compacts a log on a day, in days since 1970.
///
/// # Example
/// ```
/// use orgmem_compact::{Budgets, Episode, MICROS_PER_DAY, Outcome, Rules, Tier, compact};
/// use uuid::Uuid;
///
/// let called = Episode {
///     id: Uuid::from_u128(7), workspace: Uuid::nil(), subject: "ada".into(), at: 20_000 * MICROS_PER_DAY,
///     activity_type: "agent_log".into(), session: Some("s-1".into()), actor: Some("caller".into()),
///     channel: Some("phone".into()), correlation: Some("c-1".into()), kind: Some("delivery".into()),
///     outcome: Some(Outcome::Success), salience: 0.5, text: "Deliver to the back door.".into(),
///     is_superseded: false, is_redacted: false,
/// };
/// let paid = Episode { id: Uuid::from_u128(8), kind: Some("payment".into()), text: "49.90 paid".into(), ..called.clone() };
/// let rules = Rules::new(true, ["financial", "inventory", "payment"]);
/// let done = compact(&[paid, called], &rules, Budgets::default(), 20_000);
/// assert_eq!(done.pages[0].content, "caller: Deliver to the back door.");
/// assert_eq!((done.pages[0].tier, done.report.read, done.pages.len()), (Tier::Hot, 2, 1));
/// ```
#[must_use]
pub fn compact(episodes: &[Episode], rules: &Rules, budgets: Budgets, day: i64) -> Compaction {
    let mut done = Compaction::default();
    done.report.read = episodes.len();
    let mut subjects: BTreeMap<(Uuid, &str), Vec<&Episode>> = BTreeMap::new();
    for episode in episodes {
        match rules.exclusion(episode) {
            Some(exclusion) => *done.report.left_out.entry(exclusion).or_default() += 1,
            None => subjects.entry((episode.workspace, &episode.subject)).or_default().push(episode),
        }
    }
    for ((workspace, subject), episodes) in subjects {
        let exchanges = exchanges(episodes);
        let facts: Vec<_> = exchanges.iter().map(|exchange| &exchange.facts).collect();
        let placed = place(&facts, budgets, day);
        for (exchange, (tier, support)) in exchanges.into_iter().zip(placed.pages) {
            let (content, tokens) = match tier {
                Tier::Hot => (exchange.hot, exchange.facts.hot_tokens),
                Tier::Warm => (exchange.warm, exchange.facts.warm_tokens),
                Tier::Cold => (String::new(), 0),
            };
            let confidence = support.confidence(day).total;
            *done.report.pages.entry(tier).or_default() += 1;
            *done.report.tokens.entry(tier).or_default() += tokens;
            done.report.below_gate += usize::from(tier != Tier::Cold && confidence < GATE);
            done.pages.push(Page {
                id: exchange.facts.id,
                workspace,
                subject: subject.to_owned(),
                tier,
                content,
                tokens,
                outcome: exchange.outcome,
                first_at: exchange.facts.first_at,
                last_at: exchange.facts.last_at,
                support,
                confidence,
                sources: exchange.sources,
            });
        }
    }
    done
}
