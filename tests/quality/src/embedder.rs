//! Embeddings of items and questions, by a local model.

use orgmem_embed::{Model, TextRole};
use orgmem_recall::{Embedding, Embeddings, Vector, embedding_chunks};

use crate::data::Failure;

/// The benchmark uses one model at a time, so that any fixed id works.
const MODEL: i32 = 1;

/// A source of embeddings.
pub trait Embedder: Sync {
    /// Returns one vector for each of `texts`, in the same order; `None` for a text without meaning.
    ///
    /// # Errors
    /// When the model fails.
    fn embed(&self, role: TextRole, texts: &[&str]) -> Result<Vec<Option<Vector>>, Failure>;

    /// Embeds `texts` part by part, as the server embeds memories.
    ///
    /// # Errors
    /// As for [`embed`](Self::embed).
    fn embed_parts(&self, texts: &[&str]) -> Result<Vec<Embeddings>, Failure> {
        let parts: Vec<Vec<&str>> = texts.iter().map(|text| embedding_chunks(text)).collect();
        let mut vectors = self.embed(TextRole::Passage, &parts.concat())?.into_iter();
        let of_text = |parts: &Vec<&str>| {
            let vectors = vectors.by_ref().take(parts.len()).flatten().collect();
            Embeddings { model: MODEL, vectors }
        };
        Ok(parts.iter().map(of_text).collect())
    }

    /// Embeds `questions`, each as a whole, as the server embeds queries.
    ///
    /// # Errors
    /// As for [`embed`](Self::embed).
    fn embed_questions(&self, questions: &[&str]) -> Result<Vec<Embedding>, Failure> {
        let vectors = self.embed(TextRole::Query, questions)?.into_iter().zip(questions);
        vectors
            .map(|(vector, question)| {
                let vector = vector.ok_or_else(|| format!("the model finds no meaning in {question:?}"))?;
                Ok(Embedding { model: MODEL, vector })
            })
            .collect()
    }
}

impl Embedder for Model {
    fn embed(&self, role: TextRole, texts: &[&str]) -> Result<Vec<Option<Vector>>, Failure> {
        Ok(Model::embed(self, role, texts)?.iter().map(|numbers| Vector::of(numbers)).collect())
    }
}
