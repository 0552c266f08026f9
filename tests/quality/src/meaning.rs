//! What texts mean, by a local model.

use orgmem_embed::Model;
use orgmem_recall::{Embedding, Vector};

use crate::data::Failure;

/// Whatever turns texts to vectors: one for each, in their order.
pub trait Embedder: Sync {
    /// The vectors of `texts`.
    ///
    /// # Errors
    /// Whatever the embedder has to say.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, Failure>;
}

impl Embedder for Model {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, Failure> {
        let vectors = Model::embed(self, texts)?.into_iter();
        let embedding = |numbers: Vec<f32>| {
            let vector = Vector::of(&numbers).ok_or("a text that points nowhere")?;
            Ok(Embedding { model: 1, vector })
        };
        vectors.map(embedding).collect()
    }
}
