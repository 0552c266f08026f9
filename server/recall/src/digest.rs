//! Many texts in a few of their own sentences.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::analyze;

/// Sentences of one text that are looked at.
const OF_ONE: usize = 8;

/// Characters of a sentence that are kept.
const SENTENCE: usize = 240;

/// A few sentences of `texts` that say what many of them are about, in the order in which they stand there: at most
/// `most` characters in all, unless the first is longer. Each text comes with how much it counts, from 0 to 1.
///
/// A sentence counts for the words that it shares with some others, and not with all; a word that was said already
/// counts no more. The same texts give the same sentences. None of the texts, or nothing in them, gives an empty text.
///
/// # Complexity
/// O(n log n) for n words, and a look at each sentence for each that is picked.
///
/// ```
/// use orgmem_recall::digest;
///
/// let texts = ["Deploys freeze on Fridays. Ask Ada.", "Nobody deploys after noon.", "Bob likes tea."];
/// let said = digest(texts.map(|text| (0.5, text)), 30);
/// assert_eq!(said, "Deploys freeze on Fridays.");
/// assert_eq!(digest([(0.5, " \n ")], 60), "");
/// ```
pub fn digest<'t>(texts: impl IntoIterator<Item = (f64, &'t str)>, most: usize) -> String {
    let sentences: Vec<Sentence> = texts.into_iter().flat_map(|(weight, text)| sentences(text, weight)).collect();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in sentences.iter().flat_map(|sentence| &sentence.stems) {
        *seen.entry(stem).or_default() += 1;
    }
    let count = sentences.len() as f64;
    let worth = |stem: &str| seen.get(stem).map_or(0.0, |&with| with as f64 * (count / with as f64).ln());
    let mut said: BTreeSet<&str> = BTreeSet::new();
    let mut picked: BTreeSet<usize> = BTreeSet::new();
    let mut room = most;
    loop {
        let fits =
            |number: &usize| !picked.contains(number) && (picked.is_empty() || sentences[*number].length() < room);
        let value = |number: &usize| {
            let sentence = &sentences[*number];
            let fresh = sentence.stems.iter().map(String::as_str).filter(|stem| !said.contains(stem));
            let sum: f64 = fresh.map(worth).sum();
            (0.5 + sentence.weight) * sum / (sentence.stems.len().max(1) as f64).sqrt()
        };
        let best = (0..sentences.len()).filter(fits).map(|number| (value(&number), number));
        // of equals the first
        let Some((value, best)) = best.max_by(|(a, i), (b, j)| a.total_cmp(b).then(j.cmp(i))) else { break };
        if value <= 0.0 && !picked.is_empty() {
            break;
        }
        picked.insert(best);
        said.extend(sentences[best].stems.iter().map(String::as_str));
        room = room.saturating_sub(sentences[best].length() + 1);
    }
    let picked: Vec<&str> = picked.into_iter().map(|number| sentences[number].text.as_str()).collect();
    picked.join(" ")
}

struct Sentence {
    text: String,
    stems: BTreeSet<String>,
    weight: f64,
}

impl Sentence {
    fn length(&self) -> usize {
        self.text.chars().count()
    }
}

fn sentences(text: &str, weight: f64) -> impl Iterator<Item = Sentence> {
    let mut rest = text;
    let pieces = std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(end_of_first(rest));
        rest = after;
        Some(piece)
    });
    let lines = pieces.map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines = lines.filter(|line| line.chars().any(char::is_alphanumeric)).take(OF_ONE);
    lines.map(move |line| {
        let text = shortened(line);
        let stems = analyze(&text).terms().iter().map(|term| term.stem.to_owned()).collect();
        Sentence { text, stems, weight }
    })
}

/// Where the first sentence of a text ends: after a mark that a blank follows, or a line break.
fn end_of_first(text: &str) -> usize {
    let mut after_mark = false;
    for (at, c) in text.char_indices() {
        let is_end = match c {
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '。' | '！' | '？' => true,
            _ => after_mark && c.is_whitespace(),
        };
        if is_end {
            return at + c.len_utf8();
        }
        after_mark = matches!(c, '.' | '!' | '?' | '…') || after_mark && matches!(c, ')' | '"' | '\'' | '”' | '’');
    }
    text.len()
}

fn shortened(line: String) -> String {
    match line.char_indices().nth(SENTENCE) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str], most: usize) -> String {
        digest(texts.iter().map(|text| (0.5, *text)), most)
    }

    #[test]
    fn a_digest_is_of_the_texts_own_sentences_and_no_longer_than_asked() {
        let texts = [
            "The API limits requests. It answers 429! Wait, and retry with backoff?",
            "Requests to the API need a key.\nKeys rotate monthly.",
            "重试之前请等待。限制很严格。",
        ];
        for most in [1, 40, 80, 200, 1000] {
            let digest = of(&texts, most);
            assert_eq!(digest, of(&texts, most));
            assert!(!digest.is_empty());
            assert!(digest.chars().count() <= most.max(SENTENCE + 1), "{most}: {digest}");
            let of_texts = texts.iter().flat_map(|text| sentences(text, 0.5));
            let rest = of_texts.fold(digest, |digest, sentence| digest.replacen(&sentence.text, "", 1));
            assert!(rest.trim().is_empty(), "{rest}");
        }
    }

    #[test]
    fn whatever_is_in_a_text_it_is_no_error() {
        for text in ["", " ", "...", "?!", "a", "\u{0}\u{feff}", "x. . . y", &"word ".repeat(5000), "一二三四五"] {
            let digest = of(&[text, text], 100);
            assert!(digest.chars().count() <= SENTENCE + 1, "{digest}");
        }
        assert_eq!(of(&[], 100), "");
        assert_eq!(of(&["the same", "the same"], 100), "the same");
    }

    #[test]
    fn what_was_said_is_not_said_again() {
        let texts = ["The lighthouse is white.", "The lighthouse is white.", "The harbour is deep.", "A dog barks."];
        let digest = of(&texts, 200);
        assert_eq!(digest.matches("lighthouse").count(), 1, "{digest}");
    }
}
