//! What of a text is embedded by itself.

use unicode_segmentation::UnicodeSegmentation;

/// Characters of a part at least: a sentence of a few words says too little by itself.
const CHARS: usize = 45;
/// Parts of a text at most.
const PARTS: usize = 8;

/// The parts of `text` that are embedded, one vector each: its sentences, short ones together with the next, and where there
/// are many, several together.
///
/// What is asked is mostly told in one sentence of several; what the others are about only draws its vector away.
///
/// ```
/// use orgmem_recall::parts;
///
/// let backups = "Good to hear! We moved the nightly backups to three o'clock. ";
/// let invoices = "The invoices go out on the first Monday of each month.";
/// assert_eq!(parts(&[backups, invoices].concat()), [backups, invoices]);
/// ```
pub fn parts(text: &str) -> Vec<&str> {
    let least = CHARS.max(text.chars().count().div_ceil(PARTS));
    let mut parts: Vec<&str> = Vec::new();
    let (mut from, mut chars) = (0, 0);
    for (at, sentence) in text.split_sentence_bound_indices() {
        chars += sentence.chars().count();
        if chars >= least {
            let end = at + sentence.len();
            parts.push(&text[from..end]);
            (from, chars) = (end, 0);
        }
    }
    // what is left over is too short to stand by itself
    match parts.last_mut() {
        Some(last) => {
            let start = from - last.len();
            *last = &text[start..];
        }
        None => parts.push(text),
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_the_text_and_few(text in "(\\PC{0,60}[.!?。\n] ?){0,40}") {
            let parts = parts(&text);
            prop_assert_eq!(parts.concat(), text.clone());
            prop_assert!((1..=PARTS).contains(&parts.len()));
            prop_assert!(parts.len() == 1 || parts.iter().all(|part| part.chars().count() >= CHARS));
        }
    }
}
