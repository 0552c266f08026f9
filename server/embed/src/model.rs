//! A model folder, opened.

use std::fs;
use std::path::Path;
use std::thread;

use serde::de::DeserializeOwned;
use tokenizers::{Tokenizer, TruncationParams};

use crate::ModelError;
use crate::bert::{Bert, BertConfig};
use crate::weights::Weights;

/// Tokens of a text that are read, where the folder does not say.
///
/// Source: `max_seq_length` of all-MiniLM-L6-v2.
const TOKENS: usize = 256;
/// Tokens that go through the network at once: more take more memory, fewer more time.
const AT_ONCE: usize = 2_048;

/// A sentence model, ready to embed.
pub struct Model {
    tokenizer: Tokenizer,
    bert: Bert,
    dimensions: usize,
    fingerprint: u64,
}

/// What of `sentence_bert_config.json` matters.
#[derive(serde::Deserialize)]
struct Sentences {
    max_seq_length: Option<usize>,
}

impl Model {
    /// Opens a folder with `config.json`, `tokenizer.json` and `model.safetensors`, and
    /// `sentence_bert_config.json` where there is one.
    ///
    /// # Errors
    /// [`ModelError`]: a file that is missing or is not what its name says, a model of another make.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let config_path = folder.join("config.json");
        let config: BertConfig = json(&config_path)?;
        config.check(&config_path)?;
        let sentences_path = folder.join("sentence_bert_config.json");
        let sentences: Option<Sentences> = if sentences_path.exists() { Some(json(&sentences_path)?) } else { None };
        let tokens = sentences.and_then(|sentences| sentences.max_seq_length).unwrap_or(TOKENS);
        let tokenizer = tokenizer(&folder.join("tokenizer.json"), tokens.min(config.max_position_embeddings))?;
        let weights_path = folder.join("model.safetensors");
        let bytes = read(&weights_path)?;
        let bert = Bert::read(&config, &Weights::of(&weights_path, &bytes)?)?;
        let size = tokenizer.get_vocab_size(true);
        if size > config.vocab_size {
            let what = format!("has {size} tokens, and the model {}", config.vocab_size);
            return Err(ModelError::Malformed { path: folder.join("tokenizer.json"), what });
        }
        Ok(Self { tokenizer, bert, dimensions: config.hidden_size, fingerprint: fingerprint(&bytes) })
    }

    /// Numbers in a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Tells models apart whose vectors cannot be compared: made of the weights.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// A vector of length 1 for each text, in their order; what is too long is embedded by its beginning.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_on(1, texts)
    }

    /// The same, on so many threads.
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
                sum <= AT_ONCE
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
    // files are saved as they were last used, some with every text filled up to a fixed length
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(malformed)?;
    Ok(tokenizer)
}

/// FNV-1a, word by word.
fn fingerprint(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|&byte| byte.into()));
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}
