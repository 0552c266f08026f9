//! Model folders.

use std::path::Path;

use ndarray::Array1;
use tokenizers::{Tokenizer, TruncationParams};

use crate::ModelError;
use crate::batches::{on_threads, passes};
use crate::bert::{Bert, BertConfig, Tokens};
use crate::dense::Dense;
use crate::folder::{Layout, Prompts, json, read};
use crate::table::TokenTable;
use crate::weights::Weights;

/// What a text is. Some models are trained with another beginning for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// A question or search words.
    Query,
    /// A text that is found.
    Passage,
}

/// A loaded sentence model.
pub struct Model {
    tokenizer: Tokenizer,
    network: Network,
    dense: Vec<Dense>,
    prompts: Prompts,
    dimensions: usize,
    fingerprint: u64,
}

enum Network {
    Bert(Bert),
    Table(TokenTable),
}

impl Model {
    /// Opens a folder with `config.json`, `tokenizer.json`, `model.safetensors` and, optionally, `modules.json` with the
    /// folders that it names, `sentence_bert_config.json` and `config_sentence_transformers.json`.
    ///
    /// # Errors
    /// [`ModelError`]: a missing or invalid file, or an unsupported model.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let layout = Layout::read(folder)?;
        let weights_path = layout.weights.join("model.safetensors");
        let tokenizer_path = layout.weights.join("tokenizer.json");
        let (network, tokenizer, width, bytes) = if layout.is_table {
            let tokenizer = truncating(&tokenizer_path, layout.max_tokens)?;
            let bytes = read(&weights_path)?;
            let weights = Weights::of(&weights_path, &bytes)?;
            let id_of = |token: &str| tokenizer.token_to_id(token);
            let table = TokenTable::read(&tokenizer_path, &weights, token_count(&tokenizer), id_of)?;
            let width = table.dimensions();
            (Network::Table(table), tokenizer, width, bytes)
        } else {
            let config_path = layout.weights.join("config.json");
            let config: BertConfig = json(&config_path)?;
            config.check(&config_path)?;
            let tokenizer = truncating(&tokenizer_path, layout.max_tokens.min(config.positions().len()))?;
            let bytes = read(&weights_path)?;
            let bert = Bert::read(&config, &Weights::of(&weights_path, &bytes)?, layout.pooling)?;
            check_tokens(&tokenizer, &tokenizer_path, config.vocab_size)?;
            (Network::Bert(bert), tokenizer, config.hidden_size, bytes)
        };
        let mut fingerprint = fingerprint(FINGERPRINT_OF_NOTHING, &bytes);
        drop(bytes);
        let (mut dense, mut dimensions) = (Vec::new(), width);
        for folder in &layout.dense {
            let bytes = read(&folder.join("model.safetensors"))?;
            fingerprint = self::fingerprint(fingerprint, &bytes);
            let layer = Dense::read(folder, &bytes, dimensions)?;
            dimensions = layer.outputs;
            dense.push(layer);
        }
        fingerprint = self::fingerprint(fingerprint, layout.variant().as_bytes());
        Ok(Self { tokenizer, network, dense, prompts: layout.prompts, dimensions, fingerprint })
    }

    /// Length of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Hash of the weights and of the settings. Only vectors of models with equal fingerprints are comparable.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// One vector of length 1 per text, in the order of the texts; zeros for a text without a token that the model knows.
    /// Texts beyond the maximum number of tokens are truncated.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn embed(&self, role: TextRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_on(1, role, texts)
    }

    /// [`Self::embed`] on this many threads.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn embed_on(&self, threads: usize, role: TextRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let tokens: Vec<Vec<u32>> =
            texts.iter().map(|text| self.tokens(role, text)).collect::<Result<_, ModelError>>()?;
        Ok(on_threads(threads, &tokens, |share| self.embed_tokens(share)))
    }

    fn tokens(&self, role: TextRole, text: &str) -> Result<Vec<u32>, ModelError> {
        let prompt = match role {
            TextRole::Query => &self.prompts.query,
            TextRole::Passage => &self.prompts.passage,
        };
        // only a network has special tokens
        let has_special = matches!(self.network, Network::Bert(_));
        let encoding = if prompt.is_empty() {
            self.tokenizer.encode_fast(text, has_special)
        } else {
            self.tokenizer.encode_fast(format!("{prompt}{text}"), has_special)
        };
        Ok(encoding.map_err(|error| ModelError::Tokens(error.to_string()))?.get_ids().to_vec())
    }

    fn embed_tokens(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let mut vectors = Vec::with_capacity(texts.len());
        for now in passes(texts, Vec::len) {
            let pooled = match &self.network {
                Network::Bert(bert) => {
                    let tokens: Vec<Tokens<'_>> = now.iter().map(|ids| Tokens { ids, types: &[] }).collect();
                    bert.embed(&tokens)
                }
                Network::Table(table) => now.iter().map(|text| table.embed(text)).collect(),
            };
            vectors.extend(pooled.into_iter().map(|vector| self.finish(vector).to_vec()));
        }
        vectors
    }

    /// The layers after the pooling, and the length 1.
    fn finish(&self, vector: Array1<f32>) -> Array1<f32> {
        let vector = self.dense.iter().fold(vector, |vector, layer| layer.apply(vector));
        let length = vector.fold(0.0, |sum, value| sum + value * value).sqrt();
        if length > 0.0 { vector / length } else { vector }
    }
}

/// The tokenizer of a file, which truncates texts to this many tokens.
fn truncating(path: &Path, tokens: usize) -> Result<Tokenizer, ModelError> {
    let mut tokenizer = tokenizer(path)?;
    let truncation = TruncationParams { max_length: tokens, ..TruncationParams::default() };
    let malformed = |error: tokenizers::Error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() };
    tokenizer.with_truncation(Some(truncation)).map_err(malformed)?;
    Ok(tokenizer)
}

/// The tokenizer of a file, without padding and truncation: saved files contain the last settings used, and some pad every
/// text to a fixed length.
pub(crate) fn tokenizer(path: &Path) -> Result<Tokenizer, ModelError> {
    let malformed = |error: tokenizers::Error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() };
    let mut tokenizer = Tokenizer::from_bytes(read(path)?).map_err(malformed)?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(malformed)?;
    Ok(tokenizer)
}

/// Checks that a network with this many tokens has those of the tokenizer.
pub(crate) fn check_tokens(tokenizer: &Tokenizer, path: &Path, vocab_size: usize) -> Result<(), ModelError> {
    let count = token_count(tokenizer);
    if count > vocab_size {
        let what = format!("has {count} tokens, but the model has {vocab_size}");
        return Err(ModelError::Malformed { path: path.to_owned(), what });
    }
    Ok(())
}

/// The greatest number of a token, plus one.
fn token_count(tokenizer: &Tokenizer) -> usize {
    tokenizer.get_vocab(true).into_values().max().map_or(0, |last| last as usize + 1)
}

const FINGERPRINT_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over words of eight bytes, continued from `hash`.
fn fingerprint(hash: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain(rest.iter().map(|&byte| byte.into()));
    words.fold(hash, |hash, word| (hash ^ word).wrapping_mul(0x0100_0000_01b3))
}
