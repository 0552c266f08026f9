//! The forward pass of BERT and of RoBERTa, of which XLM-R is one, for many texts at once, without padding: layers run over
//! the tokens of all texts together, attention runs per text.

use std::ops::Range;
use std::path::Path;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use serde::Deserialize;

use crate::ModelError;
use crate::layers::{Linear, Norm, gelu, softmax};
use crate::weights::Weights;

/// The relevant part of `config.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct BertConfig {
    model_type: String,
    hidden_act: String,
    pub(crate) hidden_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    pub(crate) max_position_embeddings: usize,
    pub(crate) vocab_size: usize,
    type_vocab_size: usize,
    layer_norm_eps: f32,
    pad_token_id: Option<usize>,
    position_embedding_type: Option<String>,
}

/// How the states of the tokens become one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    Mean,
    /// The state of the first token, which is a special one.
    First,
    /// The maximum of each number.
    Max,
}

pub(crate) struct Bert {
    words: Array2<f32>,
    /// Embeddings of the positions of a text, with the embedding of token type 0 added.
    positions: Array2<f32>,
    /// The embedding of token type 1 minus that of type 0. Only BERT has one: RoBERTa never gets types.
    second_type: Option<Array1<f32>>,
    norm: Norm,
    layers: Vec<Layer>,
    heads: usize,
    pooling: Pooling,
}

/// The tokens of a text, or of a pair of texts.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'t> {
    pub(crate) ids: &'t [u32],
    /// 0 for the first text of a pair, otherwise the second; no types for a single text.
    pub(crate) types: &'t [u32],
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attention_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

impl BertConfig {
    pub(crate) fn check(&self, path: &Path) -> Result<(), ModelError> {
        let unsupported = |what: String| Err(ModelError::Unsupported { path: path.to_owned(), what });
        if !matches!(self.model_type.as_str(), "bert" | "roberta" | "xlm-roberta") {
            return unsupported(format!("`model_type` is {:?}", self.model_type));
        }
        if let Some(other) = self.position_embedding_type.as_deref().filter(|it| *it != "absolute") {
            return unsupported(format!("`position_embedding_type` is {other:?}"));
        }
        if self.hidden_act != "gelu" {
            return unsupported(format!("`hidden_act` is {:?}", self.hidden_act));
        }
        if self.hidden_size == 0 || !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            let (size, heads) = (self.hidden_size, self.num_attention_heads);
            return unsupported(format!("`hidden_size` {size} cannot be shared by `num_attention_heads` {heads}"));
        }
        if self.positions().is_empty() {
            return unsupported(format!("`max_position_embeddings` is {}", self.max_position_embeddings));
        }
        Ok(())
    }

    pub(crate) fn is_bert(&self) -> bool {
        self.model_type == "bert"
    }

    /// The rows of the position embeddings that tokens of a text use. RoBERTa counts from the number of its padding token.
    pub(crate) fn positions(&self) -> Range<usize> {
        let first = if self.is_bert() { 0 } else { self.pad_token_id.unwrap_or(1).saturating_add(1) };
        first..self.max_position_embeddings
    }
}

impl Bert {
    pub(crate) fn read(config: &BertConfig, weights: &Weights<'_>, pooling: Pooling) -> Result<Self, ModelError> {
        let width = config.hidden_size;
        let types = weights.matrix("embeddings.token_type_embeddings.weight", config.type_vocab_size, width)?;
        if types.is_empty() {
            return Err(weights.malformed("has no token type".into()));
        }
        let positions = config.max_position_embeddings;
        let positions = weights.matrix("embeddings.position_embeddings.weight", positions, width)?;
        let positions = positions.slice(s![config.positions(), ..]).to_owned();
        let layers = (0..config.num_hidden_layers).map(|number| Layer::read(config, weights, number));
        Ok(Self {
            words: weights.matrix("embeddings.word_embeddings.weight", config.vocab_size, width)?,
            positions: positions + types.row(0),
            second_type: (config.is_bert() && types.nrows() > 1).then(|| &types.row(1) - &types.row(0)),
            norm: Norm::read(weights, "embeddings.LayerNorm", width, config.layer_norm_eps)?,
            layers: layers.collect::<Result<_, _>>()?,
            heads: config.num_attention_heads,
            pooling,
        })
    }

    /// The vector of each text, of any length. Token ids must be below the size of the vocabulary; a text has at least one
    /// token and at most as many as there are positions.
    pub(crate) fn embed(&self, texts: &[Tokens<'_>]) -> Vec<Array1<f32>> {
        let mut ranges: Vec<Range<usize>> = Vec::with_capacity(texts.len());
        for text in texts {
            let start = ranges.last().map_or(0, |range| range.end);
            ranges.push(start..start + text.ids.len());
        }
        let mut states = self.input_embeddings(texts);
        self.norm.apply(&mut states);
        for layer in &self.layers {
            states = layer.apply(states, &ranges, self.heads);
        }
        let pooled = |range: &Range<usize>| {
            let states = states.slice(s![range.clone(), ..]);
            match self.pooling {
                Pooling::Mean => states.sum_axis(Axis(0)) / states.nrows() as f32,
                Pooling::First => states.row(0).to_owned(),
                Pooling::Max => states.fold_axis(Axis(0), f32::NEG_INFINITY, |most, value| most.max(*value)),
            }
        };
        ranges.iter().map(pooled).collect()
    }

    fn input_embeddings(&self, texts: &[Tokens<'_>]) -> Array2<f32> {
        let count = texts.iter().map(|text| text.ids.len()).sum();
        let mut states = Array2::zeros((count, self.words.ncols()));
        let mut rows = states.axis_iter_mut(Axis(0));
        for text in texts {
            for ((position, &id), mut state) in text.ids.iter().enumerate().zip(&mut rows) {
                state += &self.words.row(id as usize);
                state += &self.positions.row(position);
                if let (Some(1..), Some(second)) = (text.types.get(position), &self.second_type) {
                    state += second;
                }
            }
        }
        states
    }
}

impl Layer {
    fn read(config: &BertConfig, weights: &Weights<'_>, number: usize) -> Result<Self, ModelError> {
        let (width, wide, epsilon) = (config.hidden_size, config.intermediate_size, config.layer_norm_eps);
        let linear = |name: &str, inputs, outputs| {
            Linear::read(weights, &format!("encoder.layer.{number}.{name}"), inputs, outputs, true)
        };
        let norm = |name: &str| Norm::read(weights, &format!("encoder.layer.{number}.{name}"), width, epsilon);
        Ok(Self {
            query: linear("attention.self.query", width, width)?,
            key: linear("attention.self.key", width, width)?,
            value: linear("attention.self.value", width, width)?,
            attended: linear("attention.output.dense", width, width)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            wide: linear("intermediate.dense", width, wide)?,
            narrow: linear("output.dense", wide, width)?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn apply(&self, states: Array2<f32>, texts: &[Range<usize>], heads: usize) -> Array2<f32> {
        let context = self.attend(&states.view(), texts, heads);
        let mut attended = self.attended.apply(&context.view());
        attended += &states;
        self.attention_norm.apply(&mut attended);
        let mut wide = self.wide.apply(&attended.view());
        gelu(&mut wide);
        let mut narrow = self.narrow.apply(&wide.view());
        narrow += &attended;
        self.norm.apply(&mut narrow);
        narrow
    }

    /// Self-attention within each text, head by head.
    fn attend(&self, states: &ArrayView2<'_, f32>, texts: &[Range<usize>], heads: usize) -> Array2<f32> {
        let (queries, keys, values) = (self.query.apply(states), self.key.apply(states), self.value.apply(states));
        let width = states.ncols() / heads;
        let scale = 1.0 / (width as f32).sqrt();
        let mut context = Array2::zeros(states.raw_dim());
        for text in texts {
            let mut shares = Array2::zeros((text.len(), text.len()));
            for head in 0..heads {
                let part = s![text.clone(), head * width..(head + 1) * width];
                let (query, key, value) = (queries.slice(part), keys.slice(part), values.slice(part));
                general_mat_mul(scale, &query, &key.t(), 0.0, &mut shares);
                shares.axis_iter_mut(Axis(0)).for_each(softmax);
                general_mat_mul(1.0, &shares, &value, 0.0, &mut context.slice_mut(part));
            }
        }
        context
    }
}
