//! The small cross-encoders in `models/` give the logits that Flax computes from the same random weights;
//! `tests/embedder/small_models.py cross-encoders` made both, once, with transformers 4.46.3 and Flax 0.12.

use std::path::{Path, PathBuf};

use orgmem_embed::{CrossEncoder, ModelError};

const NAMES: [&str; 2] = ["cross-bert", "cross-xlm-r"];

#[derive(serde::Deserialize)]
struct Expected {
    queries: Vec<String>,
    passages: Vec<String>,
    scores: Vec<Vec<f32>>,
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

fn open(name: &str) -> (CrossEncoder, Expected) {
    let folder = models().join(name);
    let expected = std::fs::read(folder.join("scores.json")).expect("it is read");
    (CrossEncoder::open(&folder).expect(name), serde_json::from_slice(&expected).expect("it is valid"))
}

/// A copy of the model, to be changed.
fn copy(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(models().join(name).join(file), folder.path().join(file)).expect("it is copied");
    }
    folder
}

/// A copy with `from` replaced in a file.
fn changed(name: &str, file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = copy(name);
    let path = folder.path().join(file);
    let content = std::fs::read_to_string(&path).expect("it is read");
    assert!(content.contains(from), "{name}/{file} has no {from}");
    std::fs::write(&path, content.replace(from, to)).expect("it is written");
    folder
}

fn refusal(folder: &Path) -> String {
    CrossEncoder::open(folder).err().expect("it is refused").to_string()
}

#[test]
fn scores_equal_those_of_the_reference() {
    for name in NAMES {
        let (model, Expected { queries, passages, scores }) = open(name);
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        for (query, expected) in queries.iter().zip(scores) {
            let scores = model.score(query, &passages).expect("they are scored");
            assert_eq!(scores.len(), expected.len());
            for ((passage, is), should) in passages.iter().zip(scores).zip(expected) {
                assert!((is - should).abs() < 2e-4, "{name}, {query:.30}, {passage:.30}: {is} is not {should}");
            }
        }
    }
}

#[test]
fn score_does_not_depend_on_other_passages_or_threads() {
    for name in NAMES {
        let (model, Expected { passages, .. }) = open(name);
        let many: Vec<String> = (0..100).map(|number| format!("{} {number}", passages[number % 7])).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let together = model.score_on(3, "when may we deploy?", &many).expect("they are scored");
        for (passage, score) in many.iter().zip(&together) {
            assert_eq!(
                model.score("when may we deploy?", &[passage]).expect("it is scored"),
                [*score],
                "{passage:.40}"
            );
        }
        assert!(model.score("when may we deploy?", &[]).expect("there is nothing to score").is_empty());
    }
}

#[test]
fn any_text_has_a_finite_score() {
    let texts = ["", " ", "\0", "🤖", "水管漏水", "\u{202e}abc", "</s><s>[SEP][CLS]", &"x".repeat(60_000)];
    for name in NAMES {
        let (model, _) = open(name);
        for query in texts {
            let scores = model.score(query, &texts).expect("they are scored");
            assert!(scores.iter().all(|score| score.is_finite()), "{name}, {query:.20}: {scores:?}");
        }
    }
}

#[test]
fn token_types_distinguish_query_and_passage() {
    let (model, _) = open("cross-bert");
    let untyped = changed("cross-bert", "tokenizer.json", r#""type_id":1"#, r#""type_id":0"#);
    let untyped = CrossEncoder::open(untyped.path()).expect("it opens");
    let score = |model: &CrossEncoder| model.score("when may we deploy?", &["deployments"]).expect("it is scored")[0];
    assert!((score(&model) - score(&untyped)).abs() > 1e-3);
}

#[test]
fn folder_that_is_no_cross_encoder_is_refused_with_file_and_reason() {
    // a sentence model has no head
    let text = refusal(&models().join("xlm-r-mean"));
    assert!(text.contains("model.safetensors: has no tensor `classifier.out_proj.weight`; cross-encoders"), "{text}");
    let cases = [
        (
            "config.json",
            "\"model_type\": \"bert\"",
            "\"model_type\": \"deberta-v2\"",
            "`model_type` is \"deberta-v2\"; cross",
        ),
        ("config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\"", "`hidden_act` is \"relu\"; cross"),
        ("config.json", "\"max_position_embeddings\": 32", "\"max_position_embeddings\": 4", "room for 4"),
        ("config.json", "\"vocab_size\": 120", "\"vocab_size\": 80", "tokens, but the model has 80"),
        (
            "config.json",
            "\"hidden_size\": 12",
            "\"hidden_size\": 15",
            "has the shape [2, 12], but config.json requires",
        ),
        ("config.json", "{", "", "config.json: "),
        ("tokenizer.json", "{", "", "tokenizer.json: "),
    ];
    for (file, from, to, says) in cases {
        let text = refusal(changed("cross-bert", file, from, to).path());
        assert!(text.contains(says), "{file}, {to}: {text}");
    }
    let folder = copy("cross-bert");
    let path = folder.path().join("tokenizer.json");
    let tokenizer = std::fs::read(&path).expect("it is read");
    let mut tokenizer: serde_json::Value = serde_json::from_slice(&tokenizer).expect("it is valid");
    tokenizer["post_processor"] = serde_json::Value::Null;
    std::fs::write(&path, tokenizer.to_string()).expect("it is written");
    let text = refusal(folder.path());
    assert!(text.contains("tokenizer.json: adds 0 special tokens to a pair"), "{text}");
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = copy("cross-xlm-r");
        std::fs::remove_file(folder.path().join(file)).expect("it is removed");
        let error = CrossEncoder::open(folder.path()).err();
        assert!(matches!(&error, Some(ModelError::Read { path, .. }) if path.ends_with(file)), "{error:?}");
    }
}

#[test]
fn weights_without_a_usable_head_are_refused() {
    let renamed = [
        ("cross-bert", "classifier.weight", "classifies.weight", "has no tensor `classifier.weight`"),
        ("cross-bert", "bert.pooler.dense.bias", "bert.pooler.tense.bias", "pooler.dense.bias"),
        ("cross-xlm-r", "classifier.dense.weight", "classifier.tense.weight", "classifier.dense.weight"),
        // the same bytes as several labels
        ("cross-bert", r#""shape":[1,12]"#, r#""shape":[4,3] "#, "has 4 labels; cross-encoders"),
        ("cross-bert", r#""shape":[1,12]"#, r#""shape":[12]  "#, "`classifier.weight` has the shape [12]"),
        ("cross-xlm-r", r#""shape":[1]"#, r#""shape":[] "#, "classifier.out_proj.bias has the shape []"),
    ];
    for (name, from, to, says) in renamed {
        let folder = copy(name);
        let path = folder.path().join("model.safetensors");
        let mut bytes = std::fs::read(&path).expect("it is read");
        let mut count = 0;
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from.as_bytes()) {
            bytes.splice(at..at + from.len(), to.bytes());
            count += 1;
        }
        assert_eq!((count, from.len()), (1, to.len()), "{name}: {from}");
        std::fs::write(&path, bytes).expect("it is written");
        let text = refusal(folder.path());
        assert!(text.contains(says), "{name}, {to}: {text}");
    }
}

#[test]
fn template_that_does_not_fit_the_model_is_an_error_and_no_panic() {
    let ours = r#""pair":[{"SpecialToken":{"id":"[CLS]","type_id":0}}"#;
    let cases = [
        (ours, r#""pair":[{"Sequence":{"id":"B","type_id":0}},{"SpecialToken":{"id":"[CLS]","type_id":0}}"#),
        (r#""ids":[2]"#, r#""ids":[2000000]"#),
    ];
    for (from, to) in cases {
        let folder = changed("cross-bert", "tokenizer.json", from, to);
        let model = CrossEncoder::open(folder.path()).expect("it opens");
        let error = model.score("when may we deploy?", &["deployments freeze on Fridays ".repeat(20).as_str()]);
        let text = error.expect_err("it is refused").to_string();
        assert!(text.contains("the template of pairs in tokenizer.json"), "{text}");
    }
}
