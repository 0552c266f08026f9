//! Recall and nDCG of rankings.

use std::collections::HashSet;
use std::fmt;

use crate::data::Conversation;

/// The cut-off of both measures.
const CUTOFF: usize = 10;

/// Means over questions, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// recall@10: the share of the gold items among the first ten results.
    pub recall: f64,
    /// nDCG@10 with binary gain and a base-2 logarithmic discount.
    pub ndcg: f64,
}

/// The figures of each set, with the name of the set.
#[derive(Clone, Debug, Default)]
pub struct Table(pub Vec<(String, Figures)>);

impl Figures {
    /// The mean over all questions. `rankings` has for each conversation and each of its questions the ids of the results,
    /// best first.
    #[must_use]
    pub fn of<'c>(conversations: impl IntoIterator<Item = &'c Conversation>, rankings: &[Vec<Vec<String>>]) -> Self {
        let questions = conversations.into_iter().zip(rankings).flat_map(|(conversation, rankings)| {
            conversation.questions.iter().zip(rankings).map(|(question, ranking)| Self::of_one(ranking, &question.gold))
        });
        Self::mean(questions)
    }

    /// The mean of `figures`; 0 when there are none.
    #[must_use]
    pub fn mean(figures: impl Iterator<Item = Self>) -> Self {
        let (mut sum, mut count) = (Self::default(), 0.0);
        for figures in figures {
            sum.recall += figures.recall;
            sum.ndcg += figures.ndcg;
            count += 1.0;
        }
        Self { recall: sum.recall / f64::max(count, 1.0), ndcg: sum.ndcg / f64::max(count, 1.0) }
    }

    fn of_one(ranking: &[String], gold: &[String]) -> Self {
        let gold: HashSet<&String> = gold.iter().collect();
        let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
        let hits = ranking.iter().take(CUTOFF).enumerate().filter(|(_, id)| gold.contains(id));
        let (mut found, mut gained) = (0.0, 0.0);
        for (rank, _) in hits {
            found += 1.0;
            gained += gain(rank);
        }
        let ideal: f64 = (0..gold.len().min(CUTOFF)).map(gain).sum();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        Self { recall: share(found, gold.len() as f64), ndcg: share(gained, ideal) }
    }
}

impl Table {
    /// The mean over the sets, with equal weights.
    #[must_use]
    pub fn mean(&self) -> Figures {
        Figures::mean(self.0.iter().map(|(_, figures)| *figures))
    }

    /// The header of a Markdown table with the names of the sets.
    #[must_use]
    pub fn header(&self) -> String {
        let names: String = self.0.iter().map(|(name, _)| format!(" {name} |")).collect();
        let rule = " --- |".repeat(self.0.len());
        format!("| recall@10 / nDCG@10 |{names} mean |\n| --- |{rule} --- |")
    }

    /// The row of a Markdown table, labelled `name`.
    #[must_use]
    pub fn row(&self, name: &str) -> String {
        let cells: String = self.0.iter().map(|(_, figures)| format!(" {figures} |")).collect();
        format!("| {name} |{cells} {} |", self.mean())
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} / {:.3}", self.recall, self.ndcg)
    }
}

#[cfg(test)]
mod tests {
    use super::Figures;

    fn of(ranking: &[&str], gold: &[&str]) -> Figures {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        Figures::of_one(&owned(ranking), &owned(gold))
    }

    #[test]
    fn figures_match_the_definitions() {
        assert_eq!(of(&["a", "b"], &["b", "a"]), Figures { recall: 1.0, ndcg: 1.0 });
        assert_eq!(of(&["x"], &["a"]), Figures::default());
        let half = of(&["x", "a"], &["a", "b"]);
        assert_eq!(half.recall, 0.5);
        assert!((half.ndcg - (1.0 / 3f64.log2()) / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
        let eleventh = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a"];
        assert_eq!(of(&eleventh, &["a"]), Figures::default());
    }
}
