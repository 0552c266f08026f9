//! Opaque cursors: where a list goes on.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use orgmem_policies::is_storable;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::AppError;

/// One page of a list, and where the next one begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing<T> {
    /// The rows.
    pub items: Vec<T>,
    /// The cursor of the next page; none when this was the last.
    pub next: Option<String>,
}

impl<T> Listing<T> {
    /// A page out of one row more than was asked for: the row too many says that there is a next page.
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

    /// A page of which is known whether there is a next one.
    pub(super) fn part<C: Serialize>(items: Vec<T>, more: bool, list: &'static str, after: impl Fn(&T) -> C) -> Self {
        let next = if more { items.last().map(|last| encode(list, &after(last))) } else { None };
        Self { items, next }
    }

    /// The same page of something else.
    pub(super) fn map<U>(self, turn: impl FnMut(T) -> U) -> Listing<U> {
        Listing { items: self.items.into_iter().map(turn).collect(), next: self.next }
    }
}

/// A cursor of the list named `list`.
pub(super) fn encode<C: Serialize>(list: &'static str, place: &C) -> String {
    // tuples of numbers, ids and strings always have a JSON form
    let json = serde_json::to_vec(&(list, place)).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(json)
}

/// The place that a cursor of the list named `list` stands for.
pub(super) fn decode<C: DeserializeOwned>(list: &'static str, cursor: Option<&str>) -> Result<Option<C>, AppError> {
    let Some(cursor) = cursor else { return Ok(None) };
    let json = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| AppError::Cursor)?;
    let (of, place): (String, C) = serde_json::from_slice(&json).map_err(|_| AppError::Cursor)?;
    if of == list { Ok(Some(place)) } else { Err(AppError::Cursor) }
}

/// The same where places are told by a time: one that is never kept is not a place that the list gave, and not every
/// database holds it.
pub(super) fn decode_timed<C: DeserializeOwned>(
    list: &'static str,
    cursor: Option<&str>,
    time: impl Fn(&C) -> DateTime<Utc>,
) -> Result<Option<C>, AppError> {
    let place = decode(list, cursor)?;
    match place.as_ref().is_none_or(|place| is_storable(time(place))) {
        true => Ok(place),
        false => Err(AppError::Cursor),
    }
}

/// How many rows to give: what was asked for, clamped.
pub(super) fn limit(requested: Option<u64>, default: usize, ceiling: usize) -> usize {
    requested.map_or(default, |requested| usize::try_from(requested).unwrap_or(ceiling)).clamp(1, ceiling)
}
