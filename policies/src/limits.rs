//! How large things may be. The defaults are product.md's.

/// At most this many pinned live memories per author.
///
/// Source: product.md, section 3.
pub const MAX_PINS: i64 = 20;

/// The limits that a deployment may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftLimits {
    /// Bytes of a memory's content.
    pub content_bytes: usize,
    /// Bytes of an entry's value as JSON.
    pub value_bytes: usize,
}

impl Default for DraftLimits {
    fn default() -> Self {
        Self { content_bytes: 64 * 1024, value_bytes: 256 * 1024 }
    }
}
