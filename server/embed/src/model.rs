//! Model folders.

use std::fs;
use std::path::Path;
use std::thread;

use serde::de::DeserializeOwned;
use tokenizers::{Tokenizer, TruncationParams};

use crate::ModelError;
use crate::bert::{Bert, BertConfig};
use crate::weights::Weights;

/// Maximum number of tokens per text without a setting in the folder.
///
/// Source: `max_seq_length` of all-MiniLM-L6-v2.
const MAX_TOKENS: usize = 256;
/// Tokens per pass through the network: larger passes need more memory, smaller ones more time.
const TOKENS_PER_PASS: usize = 2_048;

/// A loaded sentence model.
pub struct Model {
    tokenizer: Tokenizer,
    bert: Bert,
    dimensions: usize,
    fingerprint: u64,
}

/// The relevant part of `sentence_bert_config.json`.
#[derive(serde::Deserialize)]
struct Sentences {
    max_seq_length: Option<usize>,
}

impl Model {
    /// Opens a folder with `config.json`, `tokenizer.json`, `model.safetensors` and, optionally,
    /// `sentence_bert_config.json`.
    ///
    /// # Errors
    /// [`ModelError`]: a missing or invalid file, or an unsupported model.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let config_path = folder.join("config.json");
        let config: BertConfig = json(&config_path)?;
        config.check(&config_path)?;
        let sentences_path = folder.join("sentence_bert_config.json");
        let sentences: Option<Sentences> = if sentences_path.exists() { Some(json(&sentences_path)?) } else { None };
        let tokens = sentences.and_then(|sentences| sentences.max_seq_length).unwrap_or(MAX_TOKENS);
        let tokenizer = tokenizer(&folder.join("tokenizer.json"), tokens.min(config.max_position_embeddings))?;
        let weights_path = folder.join("model.safetensors");
        let bytes = read(&weights_path)?;
        let bert = Bert::read(&config, &Weights::of(&weights_path, &bytes)?)?;
        let size = tokenizer.get_vocab_size(true);
        if size > config.vocab_size {
            let what = format!("has {size} tokens, but the model has {}", config.vocab_size);
            return Err(ModelError::Malformed { path: folder.join("tokenizer.json"), what });
        }
        Ok(Self { tokenizer, bert, dimensions: config.hidden_size, fingerprint: fingerprint(&bytes) })
    }

    /// Length of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Hash of the weights. Only vectors of models with equal fingerprints are comparable.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// One vector of length 1 per text, in the order of the texts. Texts beyond the maximum number of tokens are
    /// truncated.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_on(1, texts)
    }

    /// [`Self::embed`] on this many threads.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn embed_on(&self, threads: usize, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let tokens = texts.iter().map(|text| {
            let encoding =
                self.tokenizer.encode_fast(*text, true).map_err(|error| ModelError::Tokens(error.to_string()))?;
            Ok(encoding.get_ids().to_vec())
        });
        let tokens: Vec<Vec<u32>> = tokens.collect::<Result<_, ModelError>>()?;
        let share = tokens.len().div_ceil(threads.max(1)).max(1);
        let shares = thread::scope(|scope| {
            let running: Vec<_> =
                tokens.chunks(share).skip(1).map(|share| scope.spawn(move || self.embed_tokens(share))).collect();
            let mut vectors = tokens.chunks(share).next().map_or_else(Vec::new, |share| self.embed_tokens(share));
            for thread in running {
                vectors.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            vectors
        });
        Ok(shares)
    }

    fn embed_tokens(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            let mut sum = 0;
            let fits = rest.iter().take_while(|text| {
                sum += text.len();
                sum <= TOKENS_PER_PASS
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            let now: Vec<&[u32]> = now.iter().map(Vec::as_slice).collect();
            vectors.extend(self.bert.embed(&now).into_iter().map(|vector| vector.to_vec()));
            rest = later;
        }
        vectors
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ModelError> {
    fs::read(path).map_err(|cause| ModelError::Read { path: path.to_owned(), cause })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, ModelError> {
    serde_json::from_slice(&read(path)?)
        .map_err(|error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() })
}

fn tokenizer(path: &Path, tokens: usize) -> Result<Tokenizer, ModelError> {
    let malformed = |error: tokenizers::Error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() };
    let mut tokenizer = Tokenizer::from_bytes(read(path)?).map_err(malformed)?;
    // saved files contain the last settings used; some pad every text to a fixed length
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(malformed)?;
    Ok(tokenizer)
}

/// FNV-1a over words of eight bytes.
fn fingerprint(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|&byte| byte.into()));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}
