//! An OpenAI-compatible endpoint: `POST <address>/embeddings`.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::{EmbedError, EmbedderError};
use crate::config::EmbedderSettings;

/// The most bytes of a response: a batch of long vectors as text takes a few MiB.
const RESPONSE_BYTES: usize = 32 << 20;
/// The most characters of a text: endpoints refuse texts longer than the context of their models.
const TEXT_CHARS: usize = 8_000;
/// The most characters of an error message of the endpoint.
const MESSAGE_CHARS: usize = 200;

pub(super) struct EmbeddingEndpoint {
    client: Client,
    address: String,
    model: String,
    key: Option<SecretString>,
    /// Set by the first response.
    dimensions: OnceLock<usize>,
}

#[derive(Serialize)]
struct EmbeddingRequest<'r> {
    model: &'r str,
    input: Vec<&'r str>,
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct EmbeddingResponse {
    data: Vec<IndexedVector>,
}

#[derive(Deserialize)]
struct IndexedVector {
    index: usize,
    /// NaN is sent as null.
    embedding: Vec<Option<f32>>,
}

impl EmbeddingEndpoint {
    pub(super) fn new(settings: &EmbedderSettings, address: &str, model: &str) -> Result<Self, EmbedderError> {
        let client = Client::builder().timeout(settings.timeout).redirect(Policy::none()).build();
        Ok(Self {
            client: client.map_err(|error| EmbedderError::Client(error.to_string()))?,
            address: format!("{}/embeddings", address.trim_end_matches('/')),
            model: model.to_owned(),
            key: settings.key.clone(),
            dimensions: OnceLock::new(),
        })
    }

    /// # Errors
    /// [`EmbedError::Failing`] when it cannot be reached, hangs, is busy or broken, or its response is invalid;
    /// [`EmbedError::Refused`] when it rejects the texts.
    pub(super) async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let beginning = |text: &'_ String| text.char_indices().nth(TEXT_CHARS).map_or(text.len(), |(end, _)| end);
        let input = texts.iter().map(|text| &text[..beginning(text)]).collect();
        let request = EmbeddingRequest { model: &self.model, input, encoding_format: "float" };
        let mut call = self.client.post(&self.address).json(&request);
        if let Some(key) = &self.key {
            call = call.bearer_auth(key.expose_secret());
        }
        let response = call.send().await.map_err(|error| EmbedError::failing(innermost(&error)))?;
        let status = response.status();
        if status.is_success() {
            let vectors: EmbeddingResponse = serde_json::from_slice(&body(response).await?)
                .map_err(|error| EmbedError::failing(format!("its answer is not that of an embedder: {error}")))?;
            return self.checked(vectors, texts.len());
        }
        let wait = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()?.parse().ok());
        let message = String::from_utf8_lossy(&body(response).await.unwrap_or_default()).into_owned();
        let message: String =
            message.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MESSAGE_CHARS).collect();
        let why = format!("it answers {status}: {message}");
        Err(match status {
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
                EmbedError::Refused(why)
            }
            _ => EmbedError::Failing { why, wait: wait.map(Duration::from_secs) },
        })
    }

    /// One vector for each text, in their order.
    fn checked(&self, response: EmbeddingResponse, count: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        let invalid = |why: String| Err(EmbedError::failing(why));
        if response.data.len() != count {
            return invalid(format!("it answers {} vectors for {count} texts", response.data.len()));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
        for IndexedVector { index, embedding } in response.data {
            let dimensions = *self.dimensions.get_or_init(|| embedding.len());
            if embedding.len() != dimensions || dimensions == 0 {
                let was = embedding.len();
                return invalid(format!("it answers a vector of {was} numbers, and those before had {dimensions}"));
            }
            match vectors.get_mut(index) {
                Some(place @ None) => {
                    *place = Some(embedding.into_iter().map(|value| value.unwrap_or(f32::NAN)).collect());
                }
                _ => return invalid(format!("it answers `index` {index} of {count} twice, or beyond")),
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, EmbedError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| EmbedError::failing(innermost(&error)))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > RESPONSE_BYTES {
            return Err(EmbedError::failing("its response is too large"));
        }
    }
    Ok(bytes)
}

/// The innermost cause: the outer ones only say that sending failed.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not respond in time".into();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
