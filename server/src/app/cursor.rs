//! Pages of lists, and opaque cursors.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use orgmem_policies::is_storable;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::AppError;

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<T> {
    /// The rows of the page.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

impl<T> Listing<T> {
    /// A page from up to `limit + 1` rows: the extra row means that there is a next page.
    pub(super) fn cut<C: Serialize>(
        mut items: Vec<T>,
        limit: usize,
        list: &'static str,
        after: impl Fn(&T) -> C,
    ) -> Self {
        let more = items.len() > limit;
        items.truncate(limit);
        Self::part(items, more, list, after)
    }

    /// A page from its rows; `more` is whether there is a next page.
    pub(super) fn part<C: Serialize>(items: Vec<T>, more: bool, list: &'static str, after: impl Fn(&T) -> C) -> Self {
        let next = if more { items.last().map(|last| encode(list, &after(last))) } else { None };
        Self { items, next }
    }

    pub(super) fn map<U>(self, convert: impl FnMut(T) -> U) -> Listing<U> {
        Listing { items: self.items.into_iter().map(convert).collect(), next: self.next }
    }
}

/// Encodes a position as a cursor of the list named `list`.
pub(super) fn encode<C: Serialize>(list: &'static str, position: &C) -> String {
    // tuples of numbers, ids and strings always have a JSON form
    let json = serde_json::to_vec(&(list, position)).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(json)
}

/// Decodes a cursor of the list named `list` to its position.
///
/// # Errors
/// [`AppError::Cursor`] for a cursor of another list or another form.
pub(super) fn decode<C: DeserializeOwned>(list: &'static str, cursor: Option<&str>) -> Result<Option<C>, AppError> {
    let Some(cursor) = cursor else { return Ok(None) };
    let json = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| AppError::Cursor)?;
    let (issuer, position): (String, C) = serde_json::from_slice(&json).map_err(|_| AppError::Cursor)?;
    if issuer == list { Ok(Some(position)) } else { Err(AppError::Cursor) }
}

/// As [`decode`], for positions with a time. Rejects times outside the storable range: the list never issued them, and
/// not every database can represent them.
pub(super) fn decode_timed<C: DeserializeOwned>(
    list: &'static str,
    cursor: Option<&str>,
    time: impl Fn(&C) -> DateTime<Utc>,
) -> Result<Option<C>, AppError> {
    let position = decode(list, cursor)?;
    match position.as_ref().is_none_or(|position| is_storable(time(position))) {
        true => Ok(position),
        false => Err(AppError::Cursor),
    }
}

/// The requested page size or the default, clamped to `1..=ceiling`.
pub(super) fn limit(requested: Option<u64>, default: usize, ceiling: usize) -> usize {
    requested.map_or(default, |requested| usize::try_from(requested).unwrap_or(ceiling)).clamp(1, ceiling)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    type Position = (i64, u64, i64, Uuid);

    proptest! {
        #[test]
        fn cursor_decodes_to_its_position_in_its_own_list_only(position in any::<(i64, u64, i64, u128)>()) {
            let position: Position = (position.0, position.1, position.2, Uuid::from_u128(position.3));
            let cursor = encode("memories", &position);
            prop_assert_eq!(decode::<Position>("memories", Some(&cursor)).ok(), Some(Some(position)));
            prop_assert!(decode::<Position>("entries", Some(&cursor)).is_err());
        }

        #[test]
        fn any_text_is_a_position_or_refused(text in any::<String>(), json in "[\\[\\]{}\",:0-9a-zA-Z.+-]{0,60}", at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut damaged = encode("memories", &(1_i64, 2_u64, 3_i64, Uuid::nil())).into_bytes();
            let at = at.index(damaged.len());
            damaged[at] = byte;
            for cursor in [text, URL_SAFE_NO_PAD.encode(json), String::from_utf8_lossy(&damaged).into_owned()] {
                drop(decode::<Position>("memories", Some(&cursor)));
                drop(decode::<String>("entries", Some(&cursor)));
                let time = |position: &(DateTime<Utc>, Uuid)| position.0;
                let timed = decode_timed::<(DateTime<Utc>, Uuid)>("episodes", Some(&cursor), time);
                if let Ok(Some(position)) = timed {
                    prop_assert!(is_storable(position.0));
                }
            }
        }
    }
}
