//! Grounding of facts, against a naive rule over random turns.

use orgmem_policies::turns::{MAX_CONFIDENCE, Proposal, ground};
use proptest::prelude::*;

/// Few words, so that quotations are often in a message.
fn words(most: usize) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["dock", "Dock", "9", "17", "at", "7号", "é", "\n", "  "]);
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

fn proposals() -> impl Strategy<Value = Proposal> {
    let subject = prop::option::of(prop::sample::select(vec!["ada".to_owned(), "bob".to_owned()]));
    let confidence = prop::option::of(prop::sample::select(vec![-1.0, 0.4, 2.0, f64::NAN]));
    (0..4_usize, words(3), words(4), words(2), subject, confidence).prop_map(
        |(message, quote, fact, about, subject, confidence)| Proposal {
            message,
            quote,
            fact,
            about,
            confidence,
            subject,
        },
    )
}

fn tokens(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

proptest! {
    #[test]
    fn fact_is_grounded_exactly_if_the_naive_rule_says_so(
        messages in prop::collection::vec(words(6), 0..3), proposal in proposals(), has_subject: bool,
    ) {
        let subject = has_subject.then_some("ada");
        let texts: Vec<&str> = messages.iter().map(String::as_str).collect();
        let numbers = |text: &str| -> Vec<String> {
            let mut all = vec![String::new()];
            for c in text.chars() {
                if c.is_numeric() { all.last_mut().expect("one").push(c) } else { all.push(String::new()) }
            }
            all.into_iter().filter(|number| !number.is_empty()).collect()
        };
        let expected = proposal.message > 0 && proposal.message <= texts.len() && {
            let text = texts[proposal.message - 1];
            let quote = tokens(&proposal.quote).join(" ");
            let has_numbers = numbers(&proposal.fact).iter().all(|number| numbers(text).contains(number));
            quote.chars().count() >= 2
                && tokens(text).join(" ").contains(&quote)
                && has_numbers
                && !tokens(&proposal.fact).is_empty()
                && !tokens(&proposal.about).is_empty()
                && (proposal.subject.is_none() || proposal.subject.as_deref() == subject)
        };
        let grounded = ground(&texts, subject, &proposal);
        prop_assert_eq!(grounded.is_ok(), expected, "{:?}", grounded);
        if let Ok(fact) = grounded {
            prop_assert!((0.0..=MAX_CONFIDENCE).contains(&fact.confidence()));
            prop_assert_eq!(fact.message() + 1, proposal.message);
        }
    }
}
