//! Scoring variants that measure the contribution of each weight.

use orgmem_recall::Scoring;

/// The full scoring, then one variant for each part with the weights of that part set to 0; each with its label.
#[must_use]
pub fn variants(all: Scoring) -> Vec<(&'static str, Scoring)> {
    let mut variants = vec![
        ("all parts", all),
        ("without the session's best", Scoring { session: 0.0, ..all }),
        ("without the memory before", Scoring { before: [0.0, all.before[1]], ..all }),
        ("without the one before that", Scoring { before: [all.before[0], 0.0], ..all }),
        ("without more for answers", Scoring { answer_bonus: 0.0, ..all }),
        ("without the memory after", Scoring { after: 0.0, ..all }),
        ("without any context", Scoring { before: [0.0, 0.0], answer_bonus: 0.0, after: 0.0, session: 0.0, ..all }),
        ("with as much context for long memories", Scoring { length_discount: 0.0, ..all }),
        ("with as much context for matches", Scoring { match_discount: 0.0, ..all }),
        ("without the author's name as a word", Scoring { author_name_frequency: 0, ..all }),
        ("without more for a named author", Scoring { author_name_boost: 0.0, ..all }),
        ("without dates", Scoring { date_boost: 0.0, ..all }),
        ("without voices", Scoring { second_person_penalty: 0.0, ..all }),
        ("without recency", Scoring { recency: 0.0, recency_first_person: 0.0, ..all }),
        ("without recency in flow", Scoring { recency_first_person: all.recency, ..all }),
        ("without pairs", Scoring { pair_weight: 0.0, ..all }),
        ("without stop words", Scoring { stop_word_weight: 0.0, ..all }),
        ("without the gate", Scoring { min_match_score: 0.0, min_context_score: 0.0, ..all }),
    ];
    if all.meaning > 0.0 {
        variants.push(("without more meaning for missing words", Scoring { missing_words: 0.0, ..all }));
        variants.push(("without agreement", Scoring { min_agreement: 1.0, ..all }));
        variants.push(("without meaning", Scoring { meaning: 0.0, ..all }));
        variants.push(("words alone, and their weights", Scoring::default()));
    }
    variants
}
