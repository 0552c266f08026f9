//! Tests with the real all-MiniLM-L6-v2, from the folder in `ORGMEM_TEST_MODEL`; `tests/embedder/install` downloads it.

use std::path::PathBuf;

use orgmem_embed::{Model, ModelError, TextRole};

fn folder() -> PathBuf {
    std::env::var_os("ORGMEM_TEST_MODEL")
        .expect("ORGMEM_TEST_MODEL names a model folder; `tests/embedder/install` gets one")
        .into()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Source: the example of "Usage" in the documentation of sentence-transformers.
#[test]
fn cosines_equal_the_published_ones() {
    let model = Model::open(&folder()).expect("it opens");
    let texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."];
    let vectors = model.embed(TextRole::Passage, &texts).expect("they can be embedded");
    let published = [((0, 1), 0.6660), ((0, 2), 0.1046), ((1, 2), 0.1411)];
    for ((a, b), cos) in published {
        let is = cosine(&vectors[a], &vectors[b]);
        assert!((is - cos).abs() < 1e-4, "{:?} and {:?}: {is}, and {cos} is published", texts[a], texts[b]);
    }
    for vector in &vectors {
        assert_eq!(vector.len(), 384);
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn vector_does_not_depend_on_other_texts() {
    let model = Model::open(&folder()).expect("it opens");
    let long = "retry with backoff ".repeat(400);
    let texts: Vec<String> = (0..40)
        .map(|number| format!("{number} deployments freeze on Fridays"))
        .chain([long, "a".into(), "?".into()])
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = model.embed_on(2, TextRole::Passage, &texts).expect("they can be embedded");
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(
            model.embed(TextRole::Passage, &[text]).expect("it can be embedded"),
            std::slice::from_ref(vector),
            "{text:.40}"
        );
    }
}

#[test]
fn every_text_has_a_vector() {
    let model = Model::open(&folder()).expect("it opens");
    let texts = ["", " ", "\0", "🤖", "水管漏水", "\u{202e}abc", &"x".repeat(60_000)];
    for vector in model.embed(TextRole::Passage, &texts).expect("they can be embedded") {
        assert!((cosine(&vector, &vector) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn invalid_model_folder_is_refused_with_file_and_reason() {
    let real = folder();
    let cases: [(&str, &[u8], &str); 5] = [
        ("config.json", b"{", "config.json: EOF"),
        ("config.json", br#"{"model_type": "gpt2", "hidden_act": "gelu", "hidden_size": 384, "num_attention_heads": 12, "num_hidden_layers": 6, "intermediate_size": 1536, "max_position_embeddings": 512, "vocab_size": 30522, "type_vocab_size": 2, "layer_norm_eps": 1e-12}"#, "`model_type` is \"gpt2\"; sentence models of the BERT and XLM-R families"),
        ("tokenizer.json", b"{}", "tokenizer.json"),
        ("model.safetensors", b"not tensors", "model.safetensors"),
        ("model.safetensors", b"\x02\0\0\0\0\0\0\0{}", "token_type_embeddings"),
    ];
    for (file, content, says) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        for other in ["config.json", "tokenizer.json", "model.safetensors"] {
            std::fs::copy(real.join(other), folder.path().join(other)).expect("it is copied");
        }
        std::fs::write(folder.path().join(file), content).expect("it is written");
        let error = Model::open(folder.path()).err().expect("it is refused").to_string();
        assert!(error.contains(says), "{error}");
    }
    let absent = Model::open("/nowhere".as_ref()).err();
    assert!(matches!(absent, Some(ModelError::Read { .. })), "{absent:?}");
}
