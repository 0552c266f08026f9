//! An endpoint that speaks as OpenAI's does: `POST <address>/embeddings`.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::{EmbedError, EmbedderError};
use crate::config::EmbedderSettings;

/// Bytes of an answer at most; a batch of long vectors as text takes a few.
const ANSWER_BYTES: usize = 32 << 20;
/// Characters of a text that are sent: endpoints refuse what is longer than their models read.
const TEXT_CHARS: usize = 8_000;
/// Characters of a foreign message that are passed on.
const MESSAGE_CHARS: usize = 200;

pub(super) struct EmbeddingEndpoint {
    client: Client,
    address: String,
    model: String,
    key: Option<SecretString>,
    /// Numbers in a vector: those of the first answer.
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
    data: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    index: usize,
    /// Numbers that are none come as null.
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
    /// [`EmbedError::Failing`] when it cannot be reached, hangs, is busy or broken, or answers nonsense;
    /// [`EmbedError::Refused`] when it says that the texts are at fault.
    pub(super) async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let beginning = |text: &'_ String| text.char_indices().nth(TEXT_CHARS).map_or(text.len(), |(end, _)| end);
        let input = texts.iter().map(|text| &text[..beginning(text)]).collect();
        let request = EmbeddingRequest { model: &self.model, input, encoding_format: "float" };
        let mut call = self.client.post(&self.address).json(&request);
        if let Some(key) = &self.key {
            call = call.bearer_auth(key.expose_secret());
        }
        let answer = call.send().await.map_err(|error| EmbedError::failing(innermost(&error)))?;
        let status = answer.status();
        if status.is_success() {
            let answer: EmbeddingResponse = serde_json::from_slice(&body(answer).await?)
                .map_err(|error| EmbedError::failing(format!("its answer is not that of an embedder: {error}")))?;
            return self.checked(answer, texts.len());
        }
        let wait = answer.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()?.parse().ok());
        let message = String::from_utf8_lossy(&body(answer).await.unwrap_or_default()).into_owned();
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

    /// The vectors in the order of their texts, one for each.
    fn checked(&self, answer: EmbeddingResponse, count: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        let nonsense = |what: String| Err(EmbedError::failing(what));
        if answer.data.len() != count {
            return nonsense(format!("it answers {} vectors for {count} texts", answer.data.len()));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
        for One { index, embedding } in answer.data {
            let dimensions = *self.dimensions.get_or_init(|| embedding.len());
            if embedding.len() != dimensions || dimensions == 0 {
                let was = embedding.len();
                return nonsense(format!("it answers a vector of {was} numbers, and those before had {dimensions}"));
            }
            match vectors.get_mut(index) {
                Some(place @ None) => {
                    *place = Some(embedding.into_iter().map(|value| value.unwrap_or(f32::NAN)).collect());
                }
                _ => return nonsense(format!("it answers `index` {index} of {count} twice, or beyond")),
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}

async fn body(mut answer: Response) -> Result<Vec<u8>, EmbedError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| EmbedError::failing(innermost(&error)))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > ANSWER_BYTES {
            return Err(EmbedError::failing("its answer has no end"));
        }
    }
    Ok(bytes)
}

/// The innermost cause: the outer ones say no more than that sending failed.
pub(super) fn innermost(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".into();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
