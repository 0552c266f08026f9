//! What texts mean, by a local model.

use orgmem_embed::Model;
use orgmem_recall::{Embedding, Embeddings, Vector, parts};

use crate::data::Failure;

/// There is one.
const MODEL: i32 = 1;

/// Whatever turns texts to vectors: one for each, in their order.
pub trait Embedder: Sync {
    /// The vectors of `texts`.
    ///
    /// # Errors
    /// Whatever the embedder has to say.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, Failure>;

    /// What each of `texts` means, part by part, as the server embeds memories.
    ///
    /// # Errors
    /// As for [`embed`](Self::embed).
    fn embed_parts(&self, texts: &[&str]) -> Result<Vec<Embeddings>, Failure> {
        let parts: Vec<Vec<&str>> = texts.iter().map(|text| parts(text)).collect();
        let mut vectors = self.embed(&parts.concat())?.into_iter();
        let of_text =
            |parts: &Vec<&str>| Embeddings { model: MODEL, vectors: vectors.by_ref().take(parts.len()).collect() };
        Ok(parts.iter().map(of_text).collect())
    }

    /// What each of `questions` means, as the server embeds queries.
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
        vectors.map(|numbers| Ok(Vector::of(&numbers).ok_or("a text that points nowhere")?)).collect()
    }
}
