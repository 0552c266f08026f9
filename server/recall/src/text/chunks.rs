//! The chunks of a text that are embedded.

use unicode_segmentation::UnicodeSegmentation;

use crate::tuning::{MAX_CHUNKS, MIN_CHUNK_CHARS};

/// Splits `text` into the chunks that are embedded, one vector each: its sentences, short ones together with the next;
/// of a long text several sentences together, so that there are at most eight chunks.
///
/// Usually one sentence of several answers a question; the other sentences distort the vector of the whole text.
///
/// ```
/// use orgmem_recall::embedding_chunks;
///
/// let backups = "Good to hear! We moved the nightly backups to three o'clock. ";
/// let invoices = "The invoices go out on the first Monday of each month.";
/// assert_eq!(embedding_chunks(&[backups, invoices].concat()), [backups, invoices]);
/// ```
pub fn embedding_chunks(text: &str) -> Vec<&str> {
    let min_chars = MIN_CHUNK_CHARS.max(text.chars().count().div_ceil(MAX_CHUNKS));
    let mut ends = Vec::new();
    let mut chars = 0;
    for (at, sentence) in text.split_sentence_bound_indices() {
        chars += sentence.chars().count();
        if chars >= min_chars {
            ends.push(at + sentence.len());
            chars = 0;
        }
    }
    // the rest is too short for a chunk and belongs to the last one
    ends.pop();
    ends.push(text.len());
    let mut start = 0;
    let chunk = |end| {
        let chunk = &text[start..end];
        start = end;
        chunk
    };
    ends.into_iter().map(chunk).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn chunks_concatenated_equal_the_text_and_are_few(text in "(\\PC{0,60}[.!?。\n] ?){0,40}") {
            let chunks = embedding_chunks(&text);
            prop_assert_eq!(chunks.concat(), text.clone());
            prop_assert!((1..=MAX_CHUNKS).contains(&chunks.len()));
            prop_assert!(chunks.len() == 1 || chunks.iter().all(|chunk| chunk.chars().count() >= MIN_CHUNK_CHARS));
        }
    }
}
