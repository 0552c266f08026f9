//! The chunks of a text that are embedded.

use unicode_segmentation::UnicodeSegmentation;

use crate::tuning::{FEW_CHUNKS, MAX_CHUNK_BYTES, MAX_CHUNKS, MIN_CHUNK_CHARS};

/// Splits `text` into the chunks that are embedded, one vector each: its sentences, short ones together with the next;
/// of a long text several sentences together, so that there are at most eight chunks, or as many as a model reads to
/// their ends.
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
    let min_chars = MIN_CHUNK_CHARS.max(text.chars().count().div_ceil(FEW_CHUNKS));
    // a text beyond all limits has longer chunks rather than none for its end
    let max_bytes = MAX_CHUNK_BYTES.max(2 * text.len().div_ceil(MAX_CHUNKS));
    let mut ends = Vec::new();
    let (mut chars, mut start) = (0, 0);
    for (at, piece) in text.split_sentence_bound_indices().flat_map(|sentence| pieces(sentence, max_bytes)) {
        let end = at + piece.len();
        // the sentences before are a chunk, because the model would not read this one to its end
        if end - start > max_bytes && chars >= MIN_CHUNK_CHARS {
            ends.push(at);
            (start, chars) = (at, 0);
        }
        chars += piece.chars().count();
        if chars >= min_chars {
            ends.push(end);
            (start, chars) = (end, 0);
        }
    }
    // the rest belongs to the last chunk if the model reads both
    let last = ends.len().checked_sub(2).map_or(0, |before| ends[before]);
    if chars < MIN_CHUNK_CHARS || text.len() - last <= max_bytes {
        ends.pop();
    }
    ends.push(text.len());
    ends.dedup();
    let mut start = 0;
    let chunk = |end| {
        let chunk = &text[start..end];
        start = end;
        chunk
    };
    ends.into_iter().map(chunk).collect()
}

/// A sentence in pieces of at most `max_bytes`, at a space where there is one.
fn pieces((at, sentence): (usize, &str), max_bytes: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = (!sentence.is_empty()).then_some(sentence);
    let mut at = at;
    std::iter::from_fn(move || {
        let text = rest?;
        let most = text.floor_char_boundary(max_bytes);
        let end = if most == text.len() { most } else { text[..most].rfind(' ').map_or(most, |space| space + 1) };
        let (piece, later) = text.split_at(end);
        let found = (at, piece);
        at += end;
        rest = (!later.is_empty()).then_some(later);
        Some(found)
    })
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
            prop_assert!((1..=FEW_CHUNKS).contains(&chunks.len()));
            prop_assert!(chunks.len() == 1 || chunks.iter().all(|chunk| chunk.chars().count() >= MIN_CHUNK_CHARS));
        }

    }

    proptest! {
        // the texts are long
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn chunks_of_a_long_text_are_no_longer_than_a_model_reads(text in "(\\PC{0,2000}[.!?。\n ]){0,20}") {
            let chunks = embedding_chunks(&text);
            prop_assert_eq!(chunks.concat(), text.clone());
            prop_assert!((1..=MAX_CHUNKS).contains(&chunks.len()), "{}", chunks.len());
            let rest = 4 * MIN_CHUNK_CHARS;
            let max_bytes = MAX_CHUNK_BYTES.max(2 * text.len().div_ceil(MAX_CHUNKS)) + rest;
            prop_assert!(chunks.iter().all(|chunk| chunk.len() <= max_bytes));
            prop_assert!(chunks.len() == 1 || chunks.iter().all(|chunk| chunk.chars().count() >= MIN_CHUNK_CHARS));
        }
    }
}
