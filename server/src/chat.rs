//! A language model behind an endpoint that speaks OpenAI's chat completions.

use std::time::Duration;

use reqwest::Client;
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;

use crate::config::ModelSettings;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The most bytes of a response.
const RESPONSE_BYTES: usize = 1 << 20;

#[derive(Clone)]
pub(crate) struct ChatModel {
    address: String,
    name: String,
    key: Option<SecretString>,
    timeout: Duration,
    client: Option<Client>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ChatError {
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error("it answers {0}")]
    Refused(u16),
    #[error("its answer is not understood: {0}")]
    Nonsense(&'static str),
}

impl ChatError {
    /// The label in metrics.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Timeout(_) => "timeout",
            Self::Unreachable(_) => "unreachable",
            Self::Refused(_) => "refused",
            Self::Nonsense(_) => "nonsense",
        }
    }

    /// The message for callers, without the address of the endpoint.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Unreachable(_) => "the language model cannot be reached".to_owned(),
            Self::Timeout(_) => format!("the language model gave {self}"),
            Self::Refused(_) | Self::Nonsense(_) => format!("of the language model: {self}"),
        }
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

impl ChatModel {
    pub(crate) fn new(settings: &ModelSettings) -> Self {
        // a redirect could send the key to another host
        let builder = Client::builder().connect_timeout(CONNECT_TIMEOUT).redirect(Policy::none());
        Self {
            address: format!("{}/chat/completions", settings.endpoint.trim_end_matches('/')),
            name: settings.name.clone(),
            key: settings.key.clone(),
            timeout: settings.timeout,
            client: builder.timeout(settings.timeout).build().ok(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The answer of the model to an instruction and a text, trimmed and not empty.
    ///
    /// # Source
    /// OpenAI's API reference, "Create chat completion".
    pub(crate) async fn complete(&self, instruction: &str, text: &str) -> Result<String, ChatError> {
        let client = self.client.as_ref().ok_or_else(|| ChatError::Unreachable("no client".to_owned()))?;
        let body = json!({
            "model": self.name,
            "temperature": 0,
            "messages": [
                {"role": "system", "content": instruction},
                {"role": "user", "content": text},
            ],
        });
        let mut request = client.post(&self.address).header("content-type", "application/json").body(body.to_string());
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let failed = |error: reqwest::Error| self.failed(&error);
        let mut response = request.send().await.map_err(failed)?;
        if !response.status().is_success() {
            return Err(ChatError::Refused(response.status().as_u16()));
        }
        let mut text = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            text.extend_from_slice(&chunk);
            if text.len() > RESPONSE_BYTES {
                return Err(ChatError::Nonsense("it is larger than 1 MiB"));
            }
        }
        answer_in(&text)
    }

    fn failed(&self, error: &reqwest::Error) -> ChatError {
        if error.is_timeout() {
            return ChatError::Timeout(self.timeout);
        }
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        ChatError::Unreachable(cause.to_string())
    }
}

fn answer_in(text: &[u8]) -> Result<String, ChatError> {
    let completion: Completion =
        serde_json::from_slice(text).map_err(|_| ChatError::Nonsense("it is no chat completion"))?;
    let answer = completion.choices.into_iter().next().and_then(|choice| choice.message.content).unwrap_or_default();
    let answer: String = answer.trim().chars().filter(|c| *c != '\0').collect();
    if answer.is_empty() { Err(ChatError::Nonsense("it says nothing")) } else { Ok(answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_completion_is_an_error() {
        let nonsense = [
            "",
            "[]",
            "{}",
            "hello",
            r#"{"choices": []}"#,
            r#"{"choices": [{"message": {"content": null}}]}"#,
            r#"{"choices": [{"message": {"content": "  "}}]}"#,
            r#"{"choices": [{"text": "old"}]}"#,
        ];
        for text in nonsense {
            assert!(matches!(answer_in(text.as_bytes()), Err(ChatError::Nonsense(_))), "{text}");
        }
        let good =
            r#"{"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": " All is well. "}}]}"#;
        assert_eq!(answer_in(good.as_bytes()).expect("an answer"), "All is well.");
    }
}
