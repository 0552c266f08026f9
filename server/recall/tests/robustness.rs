//! No text and no bytes cause a panic.

use orgmem_recall::{
    DecodeError, Doc, Filter, Meta, PageRequest, Partition, PartitionIndex, Query, ReadTime, analyze, fold_text, search,
};
use proptest::prelude::*;
use uuid::Uuid;

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-zA-Z0-9_.,:/@'\"* -]{0,60}",
        "(?s)[\\PC\\x00]{0,80}",
        "[\\p{Latin}\\p{Greek}\\p{Cyrillic}\\p{Arabic}\\p{Tamil}\\p{Han}\\p{Thai}\\p{Mn} ]{0,80}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_text_can_be_indexed_and_searched(text in any_text(), other in any_text()) {
        let doc = Doc { meta: Meta::default(), analysis: analyze(&text), embeddings: None };
        prop_assert_eq!(Doc::decode(&doc.encode()), Ok(doc.clone()));
        let index = PartitionIndex::build([doc]);
        for asked in [&text, &other] {
            let query = Query::parse(asked);
            let hits = search(&[Partition::without_author((), &index)], &query, &Filter::default(), &PageRequest::default(), ReadTime::default());
            if asked == &text && !query.is_empty() && !text.contains(['"', '“', '”', '„', '«', '»']) {
                prop_assert_eq!(hits.len(), 1, "a text finds itself");
                prop_assert!(hits[0].score.is_finite() && hits[0].score > 0.0);
            }
        }
    }

    #[test]
    fn fold_text_is_idempotent(text in any_text()) {
        let once = fold_text(&text);
        prop_assert_eq!(fold_text(&once), once);
    }

    #[test]
    fn damaged_bytes_are_rejected_or_decode_to_another_doc(
        text in any_text(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
    ) {
        let doc = Doc { meta: Meta::default(), analysis: analyze(&text), embeddings: None };
        let whole = doc.encode();
        prop_assert!(Doc::decode(&whole[..end.index(whole.len())]).is_err(), "every byte is needed");
        let mut bytes = whole;
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(other) = Doc::decode(&bytes) {
            let index = PartitionIndex::build([other]);
            let time = ReadTime { now: i64::MIN, as_of: None };
            search(&[Partition::without_author((), &index)], &Query::parse(&text), &Filter::default(), &PageRequest::default(), time);
        }
    }

    #[test]
    fn decoding_random_bytes_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Doc::decode(&bytes);
    }
}

#[test]
fn bytes_of_an_unknown_version_are_rejected() {
    let mut bytes = Doc::default().encode();
    bytes[0] = 5;
    assert_eq!(Doc::decode(&bytes), Err(DecodeError::Version(5)));
    assert_eq!(DecodeError::Version(5).to_string(), "index row of version `5`; this server reads versions `1` to `4`");
    assert_eq!(Doc::decode(&[]), Err(DecodeError::Truncated));
}

#[test]
fn bytes_of_previous_versions_decode() {
    let meta = Meta { subject: Some("müller".into()), confidence: 0.5, ..Meta::default() };
    let doc = Doc { meta, analysis: analyze("deployments freeze on Fridays"), embeddings: None };
    let mut bytes = doc.encode();
    bytes[0] = 2;
    assert_eq!(Doc::decode(&bytes).as_ref(), Ok(&doc));
    // without the number, which follows version, flags, id and seq
    bytes[0] = 1;
    assert_eq!(bytes.remove(1 + 1 + 16 + 1), 0);
    assert_eq!(Doc::decode(&bytes), Ok(doc));
}

#[test]
fn encoded_doc_decodes_to_itself() {
    let meta = Meta {
        id: Uuid::from_u128(7),
        seq: i64::MAX,
        number: -7,
        created_at: i64::MIN,
        expires_at: Some(-1),
        confidence: 0.9,
        pinned: true,
        namespace: "general".into(),
        kind: String::new(),
        source: "agent".into(),
        subject: Some("müller".into()),
        session_id: None,
        session_only: true,
        run_id: Some("r".repeat(300)),
        tags: vec!["b".into(), "a".into(), "b".into()],
    };
    let doc = Doc {
        meta,
        analysis: analyze(&"deploying the deployments that were deployed at -5 °C? ".repeat(50)),
        embeddings: None,
    };
    assert_eq!(Doc::decode(&doc.encode()), Ok(doc));
}
