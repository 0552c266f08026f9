//! A memory as the index knows it, and its compact form in the database.

mod codec;

use uuid::Uuid;

use crate::text::{Analysis, Terms};
use crate::vector::Embeddings;

pub use codec::DecodeError;

/// What a memory is filtered and sorted by. Times are microseconds since 1970, UTC.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// The memory.
    pub id: Uuid,
    /// The org's version when this form of the memory was written; [`as_of`](crate::Moment::as_of) looks at it.
    pub seq: i64,
    /// Which memory of its org it is, counted from the first: tells what came after what at the same time.
    pub number: i64,
    /// When the memory was committed.
    pub created_at: i64,
    /// From this instant on it is absent; `None` and `i64::MAX` mean never.
    pub expires_at: Option<i64>,
    /// 0 to 1.
    pub confidence: f64,
    /// Listed first.
    pub pinned: bool,
    /// The label it is filed by.
    pub namespace: String,
    /// `fact`, `summary`, …
    pub kind: String,
    /// `agent`, `user`, …
    pub source: String,
    /// The end user it is about.
    pub subject: Option<String>,
    /// The session it was committed in.
    pub session_id: Option<String>,
    /// The run it was committed in.
    pub run_id: Option<String>,
    /// Its tags, in any order.
    pub tags: Vec<String>,
}

/// One memory, ready to be indexed.
///
/// ```
/// use orgmem_recall::{Doc, Meta, analyze};
///
/// let meta = Meta { namespace: "general".into(), confidence: 0.5, ..Meta::default() };
/// let doc = Doc { meta, analysis: analyze("deployments freeze on Fridays"), embeddings: None };
/// assert_eq!(Doc::decode(&doc.encode()), Ok(doc));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// What it is filtered and sorted by.
    pub meta: Meta,
    /// What it is found by.
    pub analysis: Analysis,
    /// What its parts mean, once they are embedded. Not in the compact form: the database keeps it beside that.
    pub embeddings: Option<Embeddings>,
}

impl Doc {
    pub(crate) fn terms(&self) -> &Terms {
        self.analysis.terms()
    }
}
