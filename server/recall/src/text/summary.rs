//! Extractive summaries of many texts.

use std::collections::{BTreeMap, BTreeSet};

use super::analyze;
use crate::tuning::{SUMMARY_BASE_WEIGHT, SUMMARY_SENTENCE_CHARS, SUMMARY_SENTENCES_PER_TEXT};

/// Selects a few sentences of `texts` that represent many of them, in their original order: at most `max_chars`
/// characters in all, unless the first sentence is longer. Each text has a weight from 0 to 1.
///
/// A sentence scores by the words that it shares with some other sentences but not with all; a word of a selected
/// sentence scores only once. Deterministic. Without texts, or without words in them, the summary is empty.
///
/// # Complexity
/// O(n log n) for n words, and a pass over all sentences for each selected one.
///
/// ```
/// use orgmem_recall::extractive_summary;
///
/// let texts = ["Deploys freeze on Fridays. Ask Ada.", "Nobody deploys after noon.", "Bob likes tea."];
/// let summary = extractive_summary(texts.map(|text| (0.5, text)), 30);
/// assert_eq!(summary, "Deploys freeze on Fridays.");
/// assert_eq!(extractive_summary([(0.5, " \n ")], 60), "");
/// ```
pub fn extractive_summary<'t>(texts: impl IntoIterator<Item = (f64, &'t str)>, max_chars: usize) -> String {
    let sentences: Vec<Sentence> = texts.into_iter().flat_map(|(weight, text)| sentences(text, weight)).collect();
    let mut frequencies: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in sentences.iter().flat_map(|sentence| &sentence.stems) {
        *frequencies.entry(stem).or_default() += 1;
    }
    let count = sentences.len() as f64;
    let stem_score = |stem: &str| frequencies.get(stem).map_or(0.0, |&with| with as f64 * (count / with as f64).ln());
    let mut covered: BTreeSet<&str> = BTreeSet::new();
    let mut selected: BTreeSet<usize> = BTreeSet::new();
    let mut remaining = max_chars;
    loop {
        let fits = |number: &usize| {
            !selected.contains(number) && (selected.is_empty() || sentences[*number].length() < remaining)
        };
        let score = |number: &usize| {
            let sentence = &sentences[*number];
            let new = sentence.stems.iter().map(String::as_str).filter(|stem| !covered.contains(stem));
            let sum: f64 = new.map(stem_score).sum();
            (SUMMARY_BASE_WEIGHT + sentence.weight) * sum / (sentence.stems.len().max(1) as f64).sqrt()
        };
        let best = (0..sentences.len()).filter(fits).map(|number| (score(&number), number));
        // the first of several with equal scores
        let Some((score, best)) = best.max_by(|(a, i), (b, j)| a.total_cmp(b).then(j.cmp(i))) else { break };
        if score <= 0.0 && !selected.is_empty() {
            break;
        }
        selected.insert(best);
        covered.extend(sentences[best].stems.iter().map(String::as_str));
        remaining = remaining.saturating_sub(sentences[best].length() + 1);
    }
    let selected: Vec<&str> = selected.into_iter().map(|number| sentences[number].text.as_str()).collect();
    selected.join(" ")
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
        let (piece, after) = rest.split_at(first_sentence_end(rest));
        rest = after;
        Some(piece).filter(|piece| !piece.is_empty())
    });
    let lines = pieces.map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines = lines.filter(|line| line.chars().any(char::is_alphanumeric)).take(SUMMARY_SENTENCES_PER_TEXT);
    lines.map(move |line| {
        let text = truncated(line);
        let stems = analyze(&text).terms().iter().map(|term| term.stem.to_owned()).collect();
        Sentence { text, stems, weight }
    })
}

/// End of the first sentence of a text: after a punctuation mark followed by white space, or after a line break.
fn first_sentence_end(text: &str) -> usize {
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

fn truncated(line: String) -> String {
    match line.char_indices().nth(SUMMARY_SENTENCE_CHARS) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(texts: &[&str], max_chars: usize) -> String {
        extractive_summary(texts.iter().map(|text| (0.5, *text)), max_chars)
    }

    #[test]
    fn summary_consists_of_sentences_of_the_texts_within_the_limit() {
        let texts = [
            "The API limits requests. It answers 429! Wait, and retry with backoff?",
            "Requests to the API need a key.\nKeys rotate monthly.",
            "重试之前请等待。限制很严格。",
        ];
        for max_chars in [1, 40, 80, 200, 1000] {
            let text = summary(&texts, max_chars);
            assert_eq!(text, summary(&texts, max_chars));
            assert!(!text.is_empty());
            assert!(text.chars().count() <= max_chars.max(SUMMARY_SENTENCE_CHARS + 1), "{max_chars}: {text}");
            let all = texts.iter().flat_map(|text| sentences(text, 0.5));
            let rest = all.fold(text, |rest, sentence| rest.replacen(&sentence.text, "", 1));
            assert!(rest.trim().is_empty(), "{rest}");
        }
    }

    #[test]
    fn summary_of_unusual_texts_is_short_and_does_not_panic() {
        for text in ["", " ", "...", "?!", "a", "\u{0}\u{feff}", "x. . . y", &"word ".repeat(5000), "一二三四五"] {
            let text = summary(&[text, text], 100);
            assert!(text.chars().count() <= SUMMARY_SENTENCE_CHARS + 1, "{text}");
        }
        assert_eq!(summary(&[], 100), "");
        assert_eq!(summary(&["the same", "the same"], 100), "the same");
    }

    #[test]
    fn repeated_sentence_is_selected_once() {
        let texts = ["The lighthouse is white.", "The lighthouse is white.", "The harbour is deep.", "A dog barks."];
        let text = summary(&texts, 200);
        assert_eq!(text.matches("lighthouse").count(), 1, "{text}");
    }
}
