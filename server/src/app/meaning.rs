//! What a query means, by the embedder that the server has.

use orgmem_recall::{Meaning, Query, in_first_person};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::embedding::Embedding;

const NO_EMBEDDER: &str = "no embedder is configured, so `mode` must be `auto` or `keyword`";

impl App {
    /// What `text` means to this reader, for a search in `mode`: nothing where words alone are to be looked at. In `auto`
    /// an embedder that fails leaves the words, and that shows in the metrics.
    ///
    /// # Errors
    /// [`AppError::NotConfigured`] for a mode that needs an embedder where there is none, [`AppError::Embedder`] where it
    /// does not answer; those of a search.
    pub(super) async fn meaning_of(
        &self,
        who: &VerifiedClaims,
        workspace: Uuid,
        mode: Option<wire::Mode>,
        text: &str,
    ) -> Result<Meaning, AppError> {
        let is_needed = matches!(mode, Some(wire::Mode::Semantic | wire::Mode::Hybrid));
        let embedding = match (&self.embedding, mode) {
            (None, _) if is_needed => return Err(AppError::NotConfigured(NO_EMBEDDER)),
            (None, _) | (_, Some(wire::Mode::Keyword)) => return Ok(Meaning::new()),
            (Some(embedding), _) => embedding,
        };
        let query = Query::parse(text);
        if query.is_blank() {
            return Ok(Meaning::new());
        }
        match self.embedded(embedding, who, workspace, query, text).await {
            Err(AppError::Embedder(_)) if !is_needed => Ok(Meaning::new()),
            meaning => meaning,
        }
    }

    async fn embedded(
        &self,
        embedding: &Embedding,
        who: &VerifiedClaims,
        workspace: Uuid,
        query: Query,
        text: &str,
    ) -> Result<Meaning, AppError> {
        let look = self.read(who.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let models: Vec<i32> = call.tx.models_of(call.org)?.iter().map(|model| model.number).collect();
            Ok((call.org, models, call.tx.authors_named(&pass, &query)?))
        });
        let (org, models, names) = look.await?;
        let text = in_first_person(text, &names);
        let meaning = embedding.queries.meaning(org, &models, &text).await;
        meaning.map_err(|error| AppError::Embedder(error.to_string()))
    }
}
