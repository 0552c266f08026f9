use std::borrow::Cow;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use orgmem_policies::scrub::Scrubber;
use sha2::{Digest, Sha256};
use uuid::Uuid;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_BYTES: usize = 128;

/// The id of a request: the caller's if it is safe in a log line and no credential, otherwise a new one.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        match headers.get(&REQUEST_ID) {
            Some(value) if is_plain(value.as_bytes()) => Self(value.clone()),
            _ => Self::new(),
        }
    }

    fn new() -> Self {
        let mut buffer = Uuid::encode_buffer();
        let text = Uuid::now_v7().hyphenated().encode_lower(&mut buffer);
        // hexadecimal digits and hyphens are valid in a header
        Self(HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("none")))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// The form in the sealed log, which no erasure changes: a UUID or a trace id as it is, any other text as its hash.
    ///
    /// Source: `docs/spec/access-log.md`, "A row".
    pub(super) fn sealed(&self) -> Cow<'_, str> {
        match self.as_str() {
            id if Uuid::try_parse(id).is_ok() || is_trace_parent(id) => Cow::Borrowed(id),
            text => Cow::Owned(format!("sha256:{}", hex::encode(Sha256::digest(text)))),
        }
    }

    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

fn is_plain(id: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    !id.is_empty() && id.len() <= MAX_BYTES && id.iter().all(is_allowed) && !is_credential(id)
}

/// Whether the id has the form of `traceparent`: version, trace id, parent id and flags.
///
/// Source: W3C Trace Context, section 3.2.
fn is_trace_parent(id: &str) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    parts.iter().map(|part| part.len()).eq([2, 32, 16, 2]) && parts.iter().all(is_hex)
}

/// The hash of the id is stored in the sealed log, which no redaction changes.
fn is_credential(id: &[u8]) -> bool {
    str::from_utf8(id).is_ok_and(|id| Scrubber::built_in().check_key(id).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(header: Option<&str>, is_used: bool) {
        let mut headers = HeaderMap::new();
        if let Some(header) = header {
            headers.insert(REQUEST_ID, HeaderValue::from_str(header).expect("a header"));
        }
        let id = RequestId::of(&headers);
        assert_eq!(Some(id.as_str()) == header, is_used, "{header:?} became {id:?}");
        assert!(!id.as_str().is_empty());
    }

    #[test]
    fn plain_request_id_is_used() {
        check(Some("01JAB-7.retry:2"), true);
        check(Some("a"), true);
    }

    #[test]
    fn request_id_unsafe_in_logs_is_replaced() {
        check(None, false);
        check(Some(""), false);
        check(Some("two words"), false);
        check(Some("\"quoted\""), false);
        check(Some(&"a".repeat(129)), false);
    }

    #[test]
    fn request_id_with_the_shape_of_a_credential_is_replaced() {
        check(Some("password=hunter2"), false);
        check(Some(concat!("ghp", "_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6")), false);
        check(Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"), true);
    }

    #[test]
    fn sealed_form_contains_no_free_text() {
        let sealed = |text: &str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_str(text).expect("a header"))]);
            RequestId::of(&headers).sealed().into_owned()
        };
        for id in [
            "0190b5a0-0000-7000-8000-000000000001",
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(sealed(id), id);
        }
        for text in ["ada.lovelace", "patient-4711", "00-ada-lovelace-01", "4bf92f3577b34da6"] {
            assert_eq!(sealed(text), format!("sha256:{}", hex::encode(Sha256::digest(text))));
        }
        let made = RequestId::new();
        assert_eq!(made.sealed(), made.as_str());
    }
}
