//! Words that no visible memory has are understood as words that one has, and as nothing else.

use std::collections::BTreeMap;

use orgmem_recall::{
    Byline, Doc, Filter, Hidden, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, Searcher, analyze,
};
use proptest::prelude::*;
use uuid::Uuid;

fn doc(id: u128, text: &str) -> Doc {
    let meta = Meta { id: Uuid::from_u128(id), created_at: id as i64, ..Meta::default() };
    Doc { meta, analysis: analyze(text), embeddings: None }
}

fn index(texts: &[&str]) -> PartitionIndex {
    PartitionIndex::build((1..).zip(texts).map(|(id, text)| doc(id, text)))
}

fn understood<S: Copy>(searcher: &Searcher<'_, S>, query: &str) -> BTreeMap<String, String> {
    let query = Query::parse(query);
    let words = searcher.understand(&query).query;
    words.understood().map(|(word, meant)| (word.to_owned(), meant.to_owned())).collect()
}

#[track_caller]
fn assert_understood(text: &str, query: &str, expected: &[(&str, &str)]) {
    let index = index(&[text, "an unrelated remark"]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(word, meant)| ((*word).to_owned(), (*meant).to_owned())).collect();
    assert_eq!(understood(&searcher, query), expected, "`{query}` among `{text}`");
    let query = Query::parse(query);
    let query = searcher.understand(&query).query;
    let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
    let found: Vec<u128> = hits.iter().map(|hit| hit.id.as_u128()).collect();
    let words = searcher.understood_in(&query, &[Uuid::from_u128(1), Uuid::from_u128(2)]);
    if expected.is_empty() {
        assert!(words.is_empty());
    } else {
        assert_eq!(found, [1]);
        assert_eq!(words.get(&Uuid::from_u128(1)), Some(&expected));
        assert_eq!(words.len(), 1);
    }
}

/// The words of a note in another language match as its inflections, so nothing needs to be understood.
#[test]
fn words_of_a_short_note_match_in_its_language() {
    let notes = [
        ("Rechnungen gehen an die Buchhaltung", "rechnung"),
        ("Les factures vont au comptable", "facture"),
        ("Los pedidos salen mañana", "pedido"),
        ("the invoices wait", "invoice"),
    ];
    for (note, word) in notes {
        let index = index(&[note, "an unrelated remark"]);
        let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
        let hits = searcher.best_page((&Query::parse(word), &Filter::default()), &PageRequest::default(), |_| true);
        assert_eq!(hits.iter().map(|hit| hit.id.as_u128()).collect::<Vec<_>>(), [1], "`{word}` in `{note}`");
    }
}

#[test]
fn typing_errors_are_understood() {
    assert_understood("the kubernetes cluster", "Kuberentes", &[("kuberentes", "kubernetes")]);
    assert_understood("authentication by token", "authentification", &[("authentification", "authentication")]);
    assert_understood("the Lisbon office", "Lisabon office", &[("lisabon", "lisbon")]);
    assert_understood("Keycloak has the accounts", "keycloack", &[("keycloack", "keycloak")]);
    assert_understood("the coffee machine", "cofee", &[("cofee", "coffee")]);
    assert_understood("the tea machine", "tee", &[]);
    assert_understood("a boat", "coat", &[]);
}

#[test]
fn beginnings_of_words_are_understood() {
    assert_understood("kubectl rollout", "kube", &[("kube", "kube*")]);
    assert_understood("authentication by token", "auth", &[("auth", "auth*")]);
    assert_understood("came with 9f3c2ab41e77d0c5", "9f3c2ab", &[("9f3c2ab", "9f3c2ab*")]);
    assert_understood("came with 9f3c2ab", "9f3c2ab41e77d0c5", &[("9f3c2ab41e77d0c5", "9f3c2ab")]);
    assert_understood("a cat", "ca", &[]);
}

#[test]
fn other_spellings_are_understood() {
    assert_understood("we optimise it", "optimization", &[("optimization", "optimisation")]);
    assert_understood("the colour is red", "color", &[("color", "colour")]);
    assert_understood("Herr Müller ruft an", "Mueller", &[("mueller", "müller")]);
    assert_understood("звонит Алёна", "Алена", &[("алена", "алена")]);
}

#[test]
fn numbers_are_understood_in_any_notation() {
    assert_understood("call +49 30 901820", "4930901820", &[("4930901820", "49 30 901820")]);
    assert_understood("+7 (495) 123-45-67", "74951234567", &[("74951234567", "7 495 123 45 67")]);
    assert_understood("it costs 12,500 EUR", "12.500 €", &[("12.500", "12500"), ("12 500", "12500")]);
    assert_understood("from 02:30 to 04:00", "2:30", &[("2.30", "02.30")]);
    assert_understood("OPS-4712 is open", "OPS-4719", &[]);
}

#[test]
fn compounds_are_understood_by_their_parts_and_parts_by_compounds() {
    assert_understood("Unsere Kündigungsfrist", "Kündigungsfristen", &[("kündigungsfristen", "kundigungsfrist")]);
    assert_understood("das Lager im Keller", "Kellerlager", &[("kellerlager", "keller lager")]);
    assert_understood("der Serverraum", "Server Raum", &[("server raum", "serverraum")]);
    assert_understood("Gehaltserhöhungen im Mai", "Erhöhung", &[("erhöhung", "gehaltserhohungen")]);
}

#[test]
fn abbreviations_are_understood_by_their_definition() {
    let words = "general data protection regulation";
    let texts =
        ["The General Data Protection Regulation (GDPR) applies", "General data protection regulations", "GDPR audit"];
    let index = index(&texts);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let found = |text: &str| {
        let query = Query::parse(text);
        let query = searcher.understand(&query).query;
        let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
        let mut found: Vec<u128> = hits.iter().map(|hit| hit.id.as_u128()).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(understood(&searcher, "GDPR"), BTreeMap::from([("gdpr".into(), words.into())]));
    assert_eq!(found("gdpr"), [1, 2, 3]);
    assert_eq!(understood(&searcher, words), BTreeMap::from([(words.into(), "gdpr".into())]));
    assert_eq!(found(words), [1, 2, 3]);
    assert!(understood(&searcher, "data protection").is_empty());
}

#[test]
fn definition_ranks_below_the_memory_that_the_query_is_about() {
    let about = ["RTO stands for recovery time objective", "the recovery time objective of the shop", "a shop"];
    let others = ["bread", "noodles", "rice", "soup", "tea", "milk", "salt"];
    let index = index(&[&about[..], &others].concat());
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let query = Query::parse("RTO shop");
    let query = searcher.understand(&query).query;
    let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
    assert_eq!(hits[0].id, Uuid::from_u128(2));
}

/// The definition is a term of the index, but no word: neither a copy differs by it nor a word finds it.
#[test]
fn definition_is_no_word() {
    let defining = "Mean Time To Recovery (MTTR)";
    assert_eq!(analyze(defining).fingerprint(), analyze("mean time to recovery MTTR").fingerprint());
    let marked = Query::parse("\u{1}mttr\u{1}mean time to recovery");
    assert_eq!(marked, Query::parse("mttr mean time to recovery"));
    let index = index(&["Service Level Objective (SLO)", "a slow service"]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let compounds = understood(&searcher, "objective level servic");
    assert!(compounds.values().all(|meant| !meant.contains('\u{1}')), "{compounds:?}");
}

#[test]
fn quoted_question_without_a_match_is_understood_as_its_words() {
    assert_understood(
        "the gate opens at nine",
        "\"when opens the gate\"",
        &[("\"when opens the gate\"", "when opens the gate")],
    );
    let index = index(&["the gate opens at nine", "opens the other gate"]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    assert!(understood(&searcher, "\"gate opens\"").is_empty(), "a phrase that something has stays one");
}

#[test]
fn exact_match_ranks_above_a_longer_identifier() {
    let index = index(&["OPS-4712: the search times out", "OPS-471: the backup skips links"]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let query = Query::parse("OPS-471");
    let query = searcher.understand(&query).query;
    let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
    assert_eq!(hits[0].id, Uuid::from_u128(2));
}

#[test]
fn query_whose_words_match_examines_no_term() {
    let index = index(&["the kubernetes cluster in Frankfurt", "kubectl rollout undo"]);
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    for query in ["kubernetes cluster", "which clusters are in Frankfurt?", "\"rollout undo\"", "kube*", "", "?!"] {
        let query = Query::parse(query);
        let understanding = searcher.understand(&query);
        assert_eq!((understanding.examined_terms, understanding.query.understood().count()), (0, 0), "{query:?}");
    }
}

/// The look-up reads the terms with the same first letter, the search the memories with the words.
#[test]
fn typing_error_adds_at_most_a_fifth_to_the_postings_that_a_search_reads() {
    let letters = |number: usize| -> String {
        (0..6).map(|at| char::from(b'a' + ((number / 13_usize.pow(at)) % 23) as u8)).collect()
    };
    let common = ["kubernetes", "cluster", "upgrade"];
    let texts: Vec<String> = (0..2_000)
        .map(|number| {
            let rare = (0..10).map(|at| letters(number * 7 % 1_500 + at * 131));
            let frequent = common.iter().filter(|word| (number + word.len()) % 4 == 0).map(|word| (*word).to_owned());
            rare.chain(frequent).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let index = PartitionIndex::build((1..).zip(&texts).map(|(id, text)| doc(id, text)));
    let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
    let query = Query::parse("kuberentes cluster upgrade");
    let understanding = searcher.understand(&query);
    assert_eq!(understanding.query.understood().next(), Some(("kuberentes", "kubernetes")));
    let has = |word: &&str| texts.iter().filter(|text| text.contains(*word)).count();
    let postings: usize = common.iter().map(has).sum();
    let examined = understanding.examined_terms;
    assert!(examined > 0 && examined * 5 <= postings, "{examined} terms, {postings} postings");
}

#[test]
fn word_of_a_removed_expired_or_hidden_memory_is_not_named() {
    let mut index = index(&["the kubernetes cluster", "a kernel", "clusters of kernels"]);
    let mut expired = doc(9, "the grafana board");
    expired.meta.expires_at = Some(5);
    index.upsert(expired);
    let secret = Uuid::from_u128(1);
    let named = |index: &PartitionIndex, hidden: Hidden<'_>, now: i64| {
        let time = ReadTime { now, as_of: None };
        let searcher = Searcher::without(hidden, time, &[Partition::without_author((), index)]);
        understood(&searcher, "kuberentes grafanna").into_values().collect::<Vec<_>>()
    };
    let is_secret = |id: Uuid| id == secret;
    assert_eq!(named(&index, Hidden::default(), 1), ["grafana", "kubernetes"]);
    assert_eq!(named(&index, Hidden::default(), 6), ["kubernetes"]);
    assert_eq!(named(&index, Hidden { ids: Some(&is_secret), ..Hidden::default() }, 6), [""; 0]);
    index.remove(secret);
    assert_eq!(named(&index, Hidden::default(), 6), [""; 0]);
}

/// The stem is visible, the spelling is not.
#[test]
fn spelling_that_only_a_removed_memory_has_is_not_named() {
    let mut index = index(&["many deployments", "one deployment"]);
    let meant = |index: &PartitionIndex| {
        let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), index)]);
        understood(&searcher, "deploymnets").into_values().collect::<Vec<_>>()
    };
    assert_eq!(meant(&index), ["deployments"]);
    index.remove(Uuid::from_u128(1));
    assert_eq!(meant(&index), ["deployment"]);
}

const WORDS: [&str; 18] = [
    "deploy",
    "deploys",
    "deployment",
    "limit",
    "limits",
    "retry",
    "retries",
    "kubernetes",
    "kubectl",
    "gateway",
    "gateways",
    "colour",
    "4930",
    "901820",
    "datacentre",
    "centre",
    "Rate Limit Gateway (RLG)",
    "RLG",
];

const TYPED: [&str; 18] = [
    "deplyo",
    "deploymnt",
    "limmit",
    "retryy",
    "kuberentes",
    "kube",
    "gatway",
    "gate",
    "color",
    "4930901820",
    "data centre",
    "center",
    "\"limit retry deploy\"",
    "zzz",
    "limits",
    "the",
    "rlg",
    "rate limit gateway",
];

type Memory = (u8, u8, Vec<&'static str>);

fn any_memories() -> impl Strategy<Value = Vec<Memory>> {
    let words = prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6);
    prop::collection::vec((0..4u8, 0..3u8, words), 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Memory 0 of each four is removed, 1 hidden, 2 expired, and 3 visible. Partition 2 is out of reach.
    #[test]
    fn understanding_equals_that_of_an_index_of_the_visible_memories(
        memories in any_memories(),
        typed in prop::collection::vec(prop::sample::select(&TYPED[..]), 1..5),
    ) {
        // what is hidden is so by its subject, its id or a tag; a tag hides in its own partition
        let hidden_tags = ["private", "draft"];
        let to_doc = |(id, (state, partition, words)): (u128, &Memory)| {
            let mut doc = doc(id, &words.join(" "));
            doc.meta.expires_at = (*state == 2).then_some(5);
            doc.meta.subject = (*state == 1 && id % 3 == 0).then(|| "eve".to_owned());
            let is_tagged = *state == 1 && id % 3 == 2;
            let of_other = hidden_tags[usize::from(*partition == 0)];
            doc.meta.tags = vec![if is_tagged { hidden_tags[usize::from(*partition != 0)] } else { of_other }.to_owned()];
            doc
        };
        let all = || (0..).zip(&memories);
        let mut indexes = [PartitionIndex::default(), PartitionIndex::default(), PartitionIndex::default()];
        for (id, memory) in all() {
            indexes[usize::from(memory.1)].upsert(to_doc((id, memory)));
        }
        for (id, (state, partition, _)) in all() {
            if *state == 0 {
                indexes[usize::from(*partition)].remove(Uuid::from_u128(id));
            }
        }
        let visible = |partition: u8| {
            PartitionIndex::build(all().filter(|(_, memory)| memory.0 == 3 && memory.1 == partition).map(to_doc))
        };
        let fresh = [visible(0), visible(1)];
        let is_hidden = |id: Uuid| memories[id.as_u128() as usize].0 == 1 && id.as_u128() % 3 == 1;
        let tags = hidden_tags.map(|tag| vec![tag.to_owned()]);
        let is_of_eve = |_: Uuid, subject: Option<&str>, _: Option<&str>| subject == Some("eve");
        let names = [Byline::of("acme"), Byline::of("retry bot")];
        let partition = |(handle, index)| Partition {
            handle, author: Uuid::from_u128(handle as u128), byline: &names[handle], index,
        };
        let time = ReadTime { now: 6, as_of: None };
        let whole: Vec<Partition<'_, usize>> = indexes[..2].iter().enumerate().map(partition).collect();
        let visible_only: Vec<Partition<'_, usize>> = fresh.iter().enumerate().map(partition).collect();
        let searchers = [
            Searcher::without(
                Hidden { ids: Some(&is_hidden), users: Some(&is_of_eve), tags: &tags, ..Hidden::default() },
                time,
                &whole,
            ),
            Searcher::at(time, &visible_only),
        ];
        let query = Query::parse(&typed.join(" "));
        let [one, other] = searchers.map(|searcher| {
            let query = searcher.understand(&query).query;
            let words: Vec<(String, String)> =
                query.understood().map(|(word, meant)| (word.to_owned(), meant.to_owned())).collect();
            let hits = searcher.best_page((&query, &Filter::default()), &PageRequest::default(), |_| true);
            let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
            let found_by: BTreeMap<Uuid, _> = searcher.understood_in(&query, &ids).into_iter().collect();
            let hits: Vec<_> = hits.iter().map(|hit| (hit.id, hit.score.to_bits(), hit.outdated_by)).collect();
            (words, hits, found_by)
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn every_query_can_be_understood(query in "\\PC{0,60}", text in "\\PC{0,80}") {
        let index = index(&[&text, "Qualität sichern 49 30 901820"]);
        let searcher = Searcher::at(ReadTime::default(), &[Partition::without_author((), &index)]);
        let query = Query::parse(&query);
        let query = searcher.understand(&query).query;
        searcher.understood_in(&query, &[Uuid::from_u128(1)]);
        searcher.candidates(&query, &Filter::default());
    }
}
