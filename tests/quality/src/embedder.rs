//! Embeddings of items and questions, by a local model.

use orgmem_embed::Model;
use orgmem_recall::{Embedding, Embeddings, Vector, embedding_chunks};

use crate::data::Failure;

/// The benchmark uses one model at a time, so that any fixed id works.
const MODEL: i32 = 1;

/// A source of embeddings.
pub trait Embedder: Sync {
    /// Returns one vector for each of `texts`, in the same order.
    ///
    /// # Errors
    /// When the model fails.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, Failure>;

    /// Embeds `texts` part by part, as the server embeds memories.
    ///
    /// # Errors
    /// As for [`embed`](Self::embed).
    fn embed_parts(&self, texts: &[&str]) -> Result<Vec<Embeddings>, Failure> {
        let parts: Vec<Vec<&str>> = texts.iter().map(|text| embedding_chunks(text)).collect();
        let mut vectors = self.embed(&parts.concat())?.into_iter();
        let of_text =
            |parts: &Vec<&str>| Embeddings { model: MODEL, vectors: vectors.by_ref().take(parts.len()).collect() };
        Ok(parts.iter().map(of_text).collect())
    }

    /// Embeds `questions`, each as a whole, as the server embeds queries.
    ///
    /// # Errors
    /// As for [`embed`](Self::embed).
    fn embed_questions(&self, questions: &[&str]) -> Result<Vec<Embedding>, Failure> {
        Ok(self.embed(questions)?.into_iter().map(|vector| Embedding { model: MODEL, vector }).collect())
    }
}

impl Embedder for Model {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, Failure> {
        let vectors = Model::embed(self, texts)?.into_iter();
        vectors
            .map(|numbers| Ok(Vector::of(&numbers).ok_or("the model returned a vector without a direction")?))
            .collect()
    }
}
