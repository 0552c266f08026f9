//! Model folders.

use std::path::Path;
use std::thread;

use ndarray::Array1;
use tokenizers::{Tokenizer, TruncationParams};

use crate::ModelError;
use crate::bert::{Bert, BertConfig};
use crate::dense::Dense;
use crate::folder::{Layout, Prompts, json, read};
use crate::table::TokenTable;
use crate::weights::Weights;

/// Tokens per pass through the network: larger passes need more memory, smaller ones more time.
const TOKENS_PER_PASS: usize = 2_048;

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
            let tokenizer = tokenizer(&tokenizer_path, layout.max_tokens)?;
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
            let tokenizer = tokenizer(&tokenizer_path, layout.max_tokens.min(config.positions().len()))?;
            let bytes = read(&weights_path)?;
            let bert = Bert::read(&config, &Weights::of(&weights_path, &bytes)?, layout.pooling)?;
            let count = token_count(&tokenizer);
            if count > config.vocab_size {
                let what = format!("has {count} tokens, but the model has {}", config.vocab_size);
                return Err(ModelError::Malformed { path: tokenizer_path, what });
            }
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
        let mut rest = texts;
        while !rest.is_empty() {
            let mut sum = 0;
            let fits = rest.iter().take_while(|text| {
                sum += text.len();
                sum <= TOKENS_PER_PASS
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            let pooled = match &self.network {
                Network::Bert(bert) => bert.embed(&now.iter().map(Vec::as_slice).collect::<Vec<_>>()),
                Network::Table(table) => now.iter().map(|text| table.embed(text)).collect(),
            };
            vectors.extend(pooled.into_iter().map(|vector| self.finish(vector).to_vec()));
            rest = later;
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

fn tokenizer(path: &Path, tokens: usize) -> Result<Tokenizer, ModelError> {
    let malformed = |error: tokenizers::Error| ModelError::Malformed { path: path.to_owned(), what: error.to_string() };
    let mut tokenizer = Tokenizer::from_bytes(read(path)?).map_err(malformed)?;
    // saved files contain the last settings used; some pad every text to a fixed length
    tokenizer.with_padding(None);
    let truncation = TruncationParams { max_length: tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(malformed)?;
    Ok(tokenizer)
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
