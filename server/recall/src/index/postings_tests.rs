use proptest::prelude::*;
use uuid::Uuid;

use crate::{Doc, LiveSegment, Meta, analyze};

/// Documents of these lengths, in words.
fn segment(lengths: &[usize]) -> LiveSegment {
    let doc = |(id, length): (u128, &usize)| {
        let word = |number: usize| ["common", "often", "common", "rare"][(number * number + id as usize) % 4];
        let text: Vec<&str> = (0..*length).map(word).collect();
        let meta = Meta { id: Uuid::from_u128(id), ..Meta::default() };
        Doc { meta, analysis: analyze(&text.join(" ")), embeddings: None }
    };
    let docs: Vec<Doc> = (0..).zip(lengths).map(doc).collect();
    LiveSegment::build(&docs).remove(0)
}

fn any_lengths() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![9 => 0..5usize, 1 => 50..200usize], 1..400)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn postings_of_wanted_passages_are_those_among_all_postings(
        lengths in any_lengths(),
        wanted in prop::collection::vec(prop_oneof![4 => 0..4u32, 1 => 0..300u32], 0..400),
    ) {
        let live = segment(&lengths);
        // distances between them, so that some blocks have many and some have none
        let mut next = 0;
        let mut wanted: Vec<u32> = wanted.into_iter().map(|distance| { next += distance; next }).collect();
        wanted.dedup();
        for stem in 0..live.segment.stems.len() {
            let postings = live.segment.record(stem).postings();
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            postings.for_each(|passage, frequency| {
                expected.extend(wanted.binary_search(&passage).is_ok().then_some((passage, frequency)));
            });
            postings.for_each_of(&wanted, |passage, frequency| found.push((passage, frequency)));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn documents_of_ascending_passages_are_those_of_each_passage(lengths in any_lengths(), step in 1..40usize) {
        let live = segment(&lengths);
        let passages = &live.segment.passages;
        for (passage, doc) in passages.with_docs((0..passages.len() as u32).step_by(step)) {
            prop_assert_eq!(doc, passages.doc(passage));
        }
    }
}
