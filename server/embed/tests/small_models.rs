//! The small models in `models/` give the vectors of the reference implementations; `tests/embedder/small_models.py` makes
//! both.

use std::path::{Path, PathBuf};

use orgmem_embed::{Model, ModelFile, TextRole, model_files};

#[derive(serde::Deserialize)]
struct Expected {
    texts: Vec<String>,
    passages: Vec<Vec<f32>>,
    queries: Vec<Vec<f32>>,
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")
}

/// A copy of the model, to be changed.
fn copy(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy_into(&models().join(name), folder.path());
    folder
}

fn copy_into(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("it is read") {
        let (from, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).expect("it is read");
        if from.is_dir() {
            std::fs::create_dir(&to).expect("it is created");
            copy_into(&from, &to);
        } else {
            std::fs::copy(from, to).expect("it is copied");
        }
    }
}

#[test]
fn vectors_equal_those_of_the_reference() {
    let names = ["xlm-r-mean", "xlm-r-first", "xlm-r-max-dense", "table-f16", "table-mapped", "table-i8"];
    for name in names {
        let folder = models().join(name);
        let model = Model::open(&folder).expect(name);
        let expected = std::fs::read(folder.join("vectors.json")).expect("it is read");
        let Expected { texts, passages, queries } = serde_json::from_slice(&expected).expect("it is valid");
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for (role, expected) in [(TextRole::Passage, passages), (TextRole::Query, queries)] {
            let vectors = model.embed(role, &texts).expect("they can be embedded");
            for ((text, vector), expected) in texts.iter().zip(vectors).zip(expected) {
                assert_eq!((vector.len(), vector.len()), (model.dimensions(), expected.len()), "{name}: {text:.40}");
                let differs = vector.iter().zip(&expected).any(|(is, should)| (is - should).abs() > 2e-3);
                assert!(!differs, "{name}, {role:?}, {text:.40}: {vector:?} is not {expected:?}");
            }
        }
    }
}

#[test]
fn settings_are_part_of_the_fingerprint() {
    let fingerprint = |folder: &Path| Model::open(folder).expect("it opens").fingerprint();
    let original = fingerprint(&models().join("xlm-r-first"));
    let changed = copy("xlm-r-first");
    let pooling = changed.path().join("1_Pooling/config.json");
    std::fs::write(&pooling, r#"{"pooling_mode_max_tokens": true}"#).expect("it is written");
    assert_ne!(fingerprint(changed.path()), original);
    let prompted = copy("xlm-r-first");
    let prompts = prompted.path().join("config_sentence_transformers.json");
    std::fs::write(prompts, r#"{"prompts": {"query": "find: "}}"#).expect("it is written");
    assert_ne!(fingerprint(prompted.path()), original);
}

#[test]
fn files_of_a_model_are_those_that_its_modules_need() {
    for name in ["xlm-r-mean", "xlm-r-max-dense", "table-f16"] {
        let complete = models().join(name);
        let partial = tempfile::tempdir().expect("a folder");
        let modules = "modules.json";
        std::fs::copy(complete.join(modules), partial.path().join(modules)).expect("it is copied");
        for ModelFile { path, is_optional } in model_files(partial.path()).expect("the modules are valid") {
            let (from, to) = (complete.join(&path), partial.path().join(&path));
            std::fs::create_dir_all(to.parent().expect("a file has a folder")).expect("it is created");
            assert!(is_optional || from.exists(), "{name}: {path}");
            if from.exists() {
                std::fs::copy(from, to).expect("it is copied");
            }
        }
        let fingerprint = |folder: &Path| Model::open(folder).expect(name).fingerprint();
        assert_eq!(fingerprint(partial.path()), fingerprint(&complete), "{name}");
    }
}

#[test]
fn unsupported_or_inconsistent_files_are_refused_with_file_and_reason() {
    let module =
        |class: &str, path: &str| format!(r#"[{{"type": "sentence_transformers.models.{class}", "path": "{path}"}}]"#);
    let cases: [(&str, &str, String, &str); 8] = [
        ("xlm-r-mean", "modules.json", module("WeightedLayerPooling", ""), "has the module \"sentence_transformers"),
        ("xlm-r-mean", "modules.json", module("Pooling", "../other"), "\"../other\" of a module is not the name"),
        (
            "xlm-r-mean",
            "1_Pooling/config.json",
            r#"{"pooling_mode_lasttoken": true}"#.into(),
            "[\"pooling_mode_lasttoken\"]",
        ),
        (
            "xlm-r-mean",
            "1_Pooling/config.json",
            r#"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#.into(),
            "`include_prompt` is false",
        ),
        (
            "xlm-r-max-dense",
            "2_Dense/config.json",
            r#"{"in_features": 12, "out_features": 5, "bias": true, "activation_function": "torch.nn.ReLU"}"#.into(),
            "`activation_function` is \"ReLU\"",
        ),
        (
            "xlm-r-max-dense",
            "2_Dense/config.json",
            r#"{"in_features": 11, "out_features": 5, "bias": true, "activation_function": "Tanh"}"#.into(),
            "maps 11 to 5 numbers, but gets 12",
        ),
        ("table-mapped", "config.json", r#"{"max_length": "many"}"#.into(), "config.json: invalid type"),
        (
            "table-f16",
            "tokenizer.json",
            std::fs::read_to_string(models().join("xlm-r-mean/tokenizer.json")).expect("it is read"),
            "numbers for 36 tokens, but tokenizer.json has",
        ),
    ];
    for (name, file, content, says) in cases {
        let folder = copy(name);
        std::fs::write(folder.path().join(file), content).expect("it is written");
        let error = Model::open(folder.path()).err().expect("it is refused").to_string();
        assert!(error.contains(says), "{name}, {file}: {error}");
    }
}
