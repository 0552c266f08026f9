use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header of a request's id, in requests and answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const MAX_BYTES: usize = 128;

/// The id of a request: the caller's own where it gave one that can stand in a log line, else a new one.
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
        // hexadecimal digits and hyphens can stand in any header
        Self(HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("none")))
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }
}

fn is_plain(id: &[u8]) -> bool {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
    !id.is_empty() && id.len() <= MAX_BYTES && id.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: Option<&str>, kept: bool) {
        let mut headers = HeaderMap::new();
        if let Some(given) = given {
            headers.insert(REQUEST_ID, HeaderValue::from_str(given).expect("a header"));
        }
        let id = RequestId::of(&headers);
        assert_eq!(Some(id.as_str()) == given, kept, "{given:?} became {id:?}");
        assert!(!id.as_str().is_empty());
    }

    #[test]
    fn a_sane_id_of_the_callers_is_kept() {
        check(Some("01JAB-7.retry:2"), true);
        check(Some("a"), true);
    }

    #[test]
    fn an_id_that_could_confuse_a_log_is_replaced() {
        check(None, false);
        check(Some(""), false);
        check(Some("two words"), false);
        check(Some("\"quoted\""), false);
        check(Some(&"a".repeat(129)), false);
    }
}
