//! Static embeddings: a vector for each token, whatever surrounds it. The format of model2vec.

use std::path::Path;

use ndarray::{Array1, Array2};
use serde::Deserialize;

use crate::ModelError;
use crate::folder::json;
use crate::weights::Weights;

/// The vectors of all tokens.
pub(crate) struct TokenTable {
    vectors: Array2<f32>,
    /// The row of each token, where several tokens share one.
    rows: Option<Vec<usize>>,
    /// The weight of each token.
    weights: Option<Vec<f32>>,
    /// The token of what the vocabulary does not have, which says nothing.
    unknown: Option<u32>,
}

/// The relevant part of `tokenizer.json`.
#[derive(Deserialize)]
struct Tokens {
    model: TokenModel,
}

#[derive(Deserialize)]
struct TokenModel {
    unk_token: Option<String>,
    unk_id: Option<u32>,
}

impl TokenTable {
    /// Reads the vectors of a vocabulary of `tokens` tokens, whose numbers `id_of` knows.
    pub(crate) fn read(
        tokenizer: &Path,
        weights: &Weights<'_>,
        tokens: usize,
        id_of: impl Fn(&str) -> Option<u32>,
    ) -> Result<Self, ModelError> {
        let names = ["embeddings", "embedding.weight"];
        let name = names.into_iter().find(|name| weights.has(name)).unwrap_or("embeddings");
        let shape = weights.shape(name)?;
        let [count, width] = shape[..] else {
            return Err(weights.malformed(format!("{name} has the shape {shape:?}, but a matrix is needed")));
        };
        let rows = weights.has("mapping").then(|| weights.indices("mapping")).transpose()?;
        let (known, most) = match &rows {
            None => (count, None),
            Some(rows) => (rows.len(), rows.iter().max().copied()),
        };
        if width == 0 || known < tokens || most.is_some_and(|row| row >= count) {
            let what =
                format!("has vectors of {width} numbers for {known} tokens, but tokenizer.json has {tokens} tokens");
            return Err(weights.malformed(what));
        }
        let factors = weights.has("weights").then(|| weights.vector("weights", known)).transpose()?;
        let Tokens { model } = json(tokenizer)?;
        Ok(Self {
            vectors: weights.matrix(name, count, width)?,
            rows,
            weights: factors.map(|factors| factors.to_vec()),
            unknown: model.unk_token.and_then(|token| id_of(&token)).or(model.unk_id),
        })
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.vectors.ncols()
    }

    /// The mean of the vectors of known tokens; zeros without one. Token ids must be below the size of the vocabulary.
    pub(crate) fn embed(&self, tokens: &[u32]) -> Array1<f32> {
        let mut sum = Array1::zeros(self.dimensions());
        for &token in tokens.iter().filter(|token| Some(**token) != self.unknown) {
            let index = token as usize;
            let row = self.rows.as_ref().map_or(index, |rows| rows[index]);
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[index]);
            sum.scaled_add(weight, &self.vectors.row(row));
        }
        sum
    }
}
