//! An endpoint: `POST <address>/rerank`, as Cohere, Jina and others have it, and as text-embeddings-inference has it.

use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::{RerankError, RerankerError};
use crate::config::RerankerSettings;
use crate::embedding::innermost;

/// The most bytes of a response, which has some numbers per text.
const RESPONSE_BYTES: usize = 1 << 20;
/// The most characters of an error message of the endpoint.
const MESSAGE_CHARS: usize = 200;
/// Texts of one request to text-embeddings-inference, whose default accepts no more.
const AT_ONCE: usize = 32;

pub(super) struct RerankEndpoint {
    client: Client,
    address: String,
    /// The model to name; text-embeddings-inference has only one, and names its parameters differently.
    model: Option<String>,
    key: Option<SecretString>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum RerankCall<'r> {
    Named { model: &'r str, query: &'r str, documents: &'r [String], top_n: usize, return_documents: bool },
    Unnamed { query: &'r str, texts: &'r [String], truncate: bool },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RerankResponse {
    Results { results: Vec<ScoredIndex> },
    Bare(Vec<ScoredIndex>),
}

#[derive(Deserialize)]
struct ScoredIndex {
    index: usize,
    /// NaN is sent as null.
    #[serde(alias = "score")]
    relevance_score: Option<f64>,
}

impl RerankEndpoint {
    pub(super) fn new(settings: &RerankerSettings, address: &str) -> Result<Self, RerankerError> {
        // a redirect could send the key to another host
        let client = Client::builder().timeout(settings.timeout).redirect(Policy::none()).build();
        Ok(Self {
            client: client.map_err(|error| RerankerError::Client(error.to_string()))?,
            address: format!("{}/rerank", address.trim_end_matches('/')),
            model: settings.model.clone(),
            key: settings.key.clone(),
        })
    }

    /// The score of each text, in their order.
    ///
    /// # Errors
    /// [`RerankError`] when it cannot be reached, refuses the request, or its response is invalid.
    pub(super) async fn scores(&self, query: &str, texts: &[String]) -> Result<Vec<f64>, RerankError> {
        let Some(model) = &self.model else {
            let parts = texts
                .chunks(AT_ONCE)
                .map(|texts| self.call(RerankCall::Unnamed { query, texts, truncate: true }, texts.len()));
            return Ok(futures_util::future::try_join_all(parts).await?.concat());
        };
        let (documents, top_n) = (texts, texts.len());
        self.call(RerankCall::Named { model, query, documents, top_n, return_documents: false }, top_n).await
    }

    async fn call(&self, call: RerankCall<'_>, count: usize) -> Result<Vec<f64>, RerankError> {
        let mut request = self.client.post(&self.address).json(&call);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(|error| RerankError::new(innermost(&error)))?;
        let status = response.status();
        if !status.is_success() {
            let message = String::from_utf8_lossy(&body(response).await.unwrap_or_default()).into_owned();
            let message: String =
                message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MESSAGE_CHARS).collect();
            return Err(RerankError::new(format!("it answers {status}: {message}")));
        }
        scores_in(&body(response).await?, count)
    }
}

/// One finite score for each text, in their order.
fn scores_in(body: &[u8], count: usize) -> Result<Vec<f64>, RerankError> {
    let response = serde_json::from_slice(body).map_err(|_| {
        RerankError::new("its answer is not that of a reranker: `results` with `index` and `relevance_score`")
    })?;
    let scored = match response {
        RerankResponse::Results { results } => results,
        RerankResponse::Bare(results) => results,
    };
    if scored.len() != count {
        return Err(RerankError::new(format!("it answers {} scores for {count} texts", scored.len())));
    }
    let mut scores: Vec<Option<f64>> = vec![None; count];
    for ScoredIndex { index, relevance_score } in scored {
        let Some(score) = relevance_score.filter(|score| score.is_finite()) else {
            return Err(RerankError::new(format!("its score of `index` {index} is not a number")));
        };
        match scores.get_mut(index) {
            Some(place @ None) => *place = Some(score),
            _ => return Err(RerankError::new(format!("it answers `index` {index} of {count} twice, or beyond"))),
        }
    }
    Ok(scores.into_iter().flatten().collect())
}

async fn body(mut response: Response) -> Result<Vec<u8>, RerankError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| RerankError::new(innermost(&error)))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > RESPONSE_BYTES {
            return Err(RerankError::new("its response is too large"));
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scores_are_in_the_order_of_the_texts_in_both_forms() {
        let results = r#"{"id": "1", "results": [{"index": 1, "relevance_score": 0.5, "document": {"text": "b"}},
            {"index": 0, "relevance_score": -3}], "usage": {}}"#;
        assert_eq!(scores_in(results.as_bytes(), 2), Ok(vec![-3.0, 0.5]));
        let bare = br#"[{"index": 2, "score": 0.9}, {"index": 0, "score": 0.1}, {"index": 1, "score": 0.2}]"#;
        assert_eq!(scores_in(bare, 3), Ok(vec![0.1, 0.2, 0.9]));
        assert_eq!(scores_in(b"[]", 0), Ok(Vec::new()));
    }

    #[test]
    fn invalid_response_is_an_error_with_its_reason() {
        let cases = [
            (r#"{"hello": "world"}"#, "is not that of a reranker"),
            ("", "is not that of a reranker"),
            (r#"[{"index": -1, "score": 1}, {"index": 0, "score": 1}]"#, "is not that of a reranker"),
            (r#"[{"index": 0, "score": NaN}, {"index": 1, "score": 1}]"#, "is not that of a reranker"),
            (r#"[{"index": 0, "score": 1e999}, {"index": 1, "score": 1}]"#, "is not that of a reranker"),
            (r#"[{"index": 0, "score": 1}]"#, "1 scores for 2 texts"),
            (r#"[{"index": 0, "score": 1}, {"index": 1, "score": 1}, {"index": 1, "score": 1}]"#, "3 scores for 2"),
            (r#"[{"index": 0, "score": 1}, {"index": 0, "score": 2}]"#, "`index` 0 of 2 twice, or beyond"),
            (r#"[{"index": 0, "score": 1}, {"index": 2, "score": 2}]"#, "`index` 2 of 2 twice, or beyond"),
            (
                r#"{"results": [{"index": 0, "relevance_score": null}, {"index": 1, "relevance_score": 1}]}"#,
                "`index` 0 is not",
            ),
            (r#"{"results": [{"index": 0}, {"index": 1, "relevance_score": 1}]}"#, "`index` 0 is not"),
        ];
        for (body, says) in cases {
            let error = scores_in(body.as_bytes(), 2).expect_err(body);
            assert!(error.0.contains(says), "{body}: {error}");
        }
    }

    #[test]
    fn request_has_the_form_that_the_model_setting_selects() {
        let texts = ["a".to_owned(), "b".to_owned()];
        let named = RerankCall::Named { model: "m", query: "q", documents: &texts, top_n: 2, return_documents: false };
        let named = serde_json::to_value(named).expect("it has a JSON form");
        let expected = serde_json::json!({
            "model": "m", "query": "q", "documents": ["a", "b"], "top_n": 2, "return_documents": false,
        });
        assert_eq!(named, expected);
        let unnamed = serde_json::to_value(RerankCall::Unnamed { query: "q", texts: &texts, truncate: true });
        let expected = serde_json::json!({"query": "q", "texts": ["a", "b"], "truncate": true});
        assert_eq!(unnamed.expect("it has a JSON form"), expected);
    }

    proptest! {
        #[test]
        fn any_response_is_scores_or_an_error(
            text in "[\\[\\]{}\",:a-z0-9.e+-]{0,80}",
            indices in proptest::collection::vec((0..5_usize, any::<f64>()), 0..5),
            count in 0..5_usize,
        ) {
            drop(scores_in(text.as_bytes(), count));
            let rows: Vec<_> =
                indices.iter().map(|(index, score)| serde_json::json!({"index": index, "score": score})).collect();
            if let Ok(scores) = scores_in(serde_json::json!(rows).to_string().as_bytes(), count) {
                prop_assert_eq!(scores.len(), count);
                prop_assert!(scores.iter().all(|score| score.is_finite()));
            }
        }
    }
}
