//! Cross-encoders: models that read a query and a passage together and score how well the passage answers the query.

use std::path::Path;

use ndarray::{Array1, Array2, Axis};
use tokenizers::{Encoding, PostProcessor, Tokenizer, TruncationDirection};

use crate::ModelError;
use crate::batches::{on_threads, passes};
use crate::bert::{Bert, BertConfig, Pooling, Tokens};
use crate::folder::{json, read};
use crate::layers::Linear;
use crate::model::{check_tokens, tokenizer};
use crate::weights::Weights;

/// Maximum number of tokens per pair, as far as the network has positions.
///
/// Source: `max_length` in the examples of ms-marco-MiniLM and of bge-reranker.
const MAX_TOKENS: usize = 512;

/// A loaded cross-encoder.
pub struct CrossEncoder {
    tokenizer: Tokenizer,
    network: Bert,
    /// From the state of the first token, before tanh.
    dense: Linear,
    output: Linear,
    /// Tokens per pair.
    most: usize,
    /// Tokens per pair, without the special ones.
    room: usize,
    vocab_size: usize,
}

/// The tokens of a query and a passage.
struct Pair {
    ids: Vec<u32>,
    types: Vec<u32>,
}

impl CrossEncoder {
    /// Opens a folder with `config.json`, `tokenizer.json` and `model.safetensors` of a model for the classification of
    /// sequences with one label.
    ///
    /// # Errors
    /// [`ModelError`]: a missing or invalid file, or an unsupported model.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let config_path = folder.join("config.json");
        let config: BertConfig = json(&config_path)?;
        config.check(&config_path).map_err(ModelError::of_cross_encoder)?;
        let tokenizer_path = folder.join("tokenizer.json");
        let tokenizer = tokenizer(&tokenizer_path)?;
        check_tokens(&tokenizer, &tokenizer_path, config.vocab_size)?;
        let special = tokenizer.get_post_processor().map_or(0, |template| template.added_tokens(true));
        let most = config.positions().len().min(MAX_TOKENS);
        let room = most.checked_sub(special).filter(|room| special > 0 && *room > 1).ok_or_else(|| {
            let what = format!("adds {special} special tokens to a pair of texts, and the model has room for {most}");
            ModelError::Malformed { path: tokenizer_path, what }
        })?;
        let weights_path = folder.join("model.safetensors");
        let bytes = read(&weights_path)?;
        let weights = Weights::of(&weights_path, &bytes)?;
        let head = Weights::of(&weights_path, &bytes)?.without_prefix();
        let (width, is_bert) = (config.hidden_size, config.is_bert());
        let output = if is_bert { "classifier" } else { "classifier.out_proj" };
        check_label(&head, &weights_path, output)?;
        let network = Bert::read(&config, &weights, Pooling::First)?;
        // the pooler of BERT belongs to the network
        let (of, name) = if is_bert { (&weights, "pooler.dense") } else { (&head, "classifier.dense") };
        let dense = Linear::read(of, name, width, width, true)?;
        let output = Linear::read(&head, output, width, 1, true)?;
        Ok(Self { tokenizer, network, dense, output, most, room, vocab_size: config.vocab_size })
    }

    /// The logit of each passage, in their order: a higher one is a better answer. It does not depend on the other passages.
    /// A query longer than half of the maximum number of tokens is truncated to it, and a passage to the rest.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        self.score_on(1, query, passages)
    }

    /// [`Self::score`] on this many threads.
    ///
    /// # Errors
    /// [`ModelError::Tokens`].
    pub fn score_on(&self, threads: usize, query: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let query = self.tokens(query, self.room / 2)?;
        let room = self.room - query.len();
        let pair = |passage: &&str| self.pair(query.clone(), self.tokens(passage, room)?);
        let pairs: Vec<Pair> = passages.iter().map(pair).collect::<Result<_, ModelError>>()?;
        Ok(on_threads(threads, &pairs, |share| self.score_pairs(share)))
    }

    /// The first tokens of a text, without special ones.
    fn tokens(&self, text: &str, count: usize) -> Result<Encoding, ModelError> {
        let mut encoding = self.tokenizer.encode_fast(text, false).map_err(tokens)?;
        encoding.truncate(count, 0, TruncationDirection::Right);
        Ok(encoding)
    }

    fn pair(&self, query: Encoding, passage: Encoding) -> Result<Pair, ModelError> {
        let pair = self.tokenizer.post_process(query, Some(passage), true).map_err(tokens)?;
        let (ids, types) = (pair.get_ids().to_vec(), pair.get_type_ids().to_vec());
        // a template may repeat a text, leave both out, or add tokens that the vocabulary does not have
        let is_known = |id: &u32| usize::try_from(*id).is_ok_and(|id| id < self.vocab_size);
        if ids.is_empty() || ids.len() > self.most || !ids.iter().all(is_known) {
            let what = "the template of pairs in tokenizer.json does not fit the model";
            return Err(ModelError::Tokens(what.into()));
        }
        Ok(Pair { ids, types })
    }

    fn score_pairs(&self, pairs: &[Pair]) -> Vec<f32> {
        let mut scores = Vec::with_capacity(pairs.len());
        for now in passes(pairs, |pair| pair.ids.len()) {
            let tokens: Vec<Tokens<'_>> =
                now.iter().map(|pair| Tokens { ids: &pair.ids, types: &pair.types }).collect();
            scores.extend(self.network.embed(&tokens).into_iter().map(|state| self.logit(state)));
        }
        scores
    }

    fn logit(&self, state: Array1<f32>) -> f32 {
        let mut hidden: Array2<f32> = self.dense.apply(&state.insert_axis(Axis(0)).view());
        hidden.mapv_inplace(f32::tanh);
        self.output.apply(&hidden.view())[[0, 0]]
    }
}

/// Checks that the head has one label.
fn check_label(weights: &Weights<'_>, path: &Path, output: &str) -> Result<(), ModelError> {
    let refused = |what: String| Err(ModelError::NoCrossEncoder { path: path.to_owned(), what });
    let name = format!("{output}.weight");
    if !weights.has(&name) {
        return refused(format!("has no tensor `{name}`"));
    }
    match weights.shape(&name)?[..] {
        [1, _] => Ok(()),
        [labels, _] => refused(format!("has {labels} labels")),
        ref shape => refused(format!("`{name}` has the shape {shape:?}")),
    }
}

fn tokens(error: tokenizers::Error) -> ModelError {
    ModelError::Tokens(error.to_string())
}
