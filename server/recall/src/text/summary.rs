//! Extractive summaries of many texts.

use std::collections::{BTreeMap, BTreeSet};

use super::analyze;
use crate::tuning::{LENGTH_EXPONENT, SUMMARY_BASE_WEIGHT, SUMMARY_SENTENCE_CHARS, SUMMARY_SENTENCES_PER_TEXT};

/// Words whose full stop does not end a sentence.
const ABBREVIATIONS: [&str; 18] = [
    "Dr", "Mr", "Mrs", "Ms", "Prof", "St", "vs", "approx", "resp", "incl", "cf", "Fig", "Abb", "bzw", "ca", "ggf",
    "Sr", "Jr",
];

/// Selects a few whole sentences of `texts` that represent many of them, each of another text, in their original order
/// and one per line: at most `max_chars` characters in all. Each text has a weight from 0 to 1.
///
/// A sentence scores by the words that it shares with some other sentences but not with all; a word of a selected
/// sentence scores only once. Deterministic. Without texts, or without words in them, the summary is empty. If no
/// sentence fits, the summary is the beginning of the first one, with an ellipsis.
///
/// # Complexity
/// O(n log n) for n words, and a pass over all sentences for each selected one.
///
/// ```
/// use orgmem_recall::extractive_summary;
///
/// let texts = ["Deploys freeze on Fridays. Ask Ada.", "Nobody deploys after noon.", "Bob likes tea."];
/// let summary = |max_chars| extractive_summary(texts.map(|text| (0.5, text)), max_chars);
/// assert_eq!(summary(30), "Deploys freeze on Fridays.");
/// assert_eq!(summary(80), "Deploys freeze on Fridays.\nNobody deploys after noon.\nBob likes tea.");
/// assert_eq!(extractive_summary([(0.5, " \n ")], 60), "");
/// ```
pub fn extractive_summary<'t>(texts: impl IntoIterator<Item = (f64, &'t str)>, max_chars: usize) -> String {
    Sentences::of(texts).summary(max_chars)
}

/// The sentences of some texts, analysed once for summaries of several lengths.
pub struct Sentences(Vec<Sentence>);

impl Sentences {
    /// The first sentences of each text with its weight, from 0 to 1.
    ///
    /// # Complexity
    /// O(n log n) for n words.
    pub fn of<'t>(texts: impl IntoIterator<Item = (f64, &'t str)>) -> Self {
        let of_text = |(source, (weight, text))| sentences(text).map(move |text| (source, text, weight));
        let texts: Vec<(usize, String, f64)> = (0..).zip(texts).flat_map(of_text).collect();
        let stems: Vec<BTreeSet<String>> = texts.iter().map(|(_, text, _)| stems_of(text)).collect();
        let mut frequencies: BTreeMap<&str, usize> = BTreeMap::new();
        for stem in stems.iter().flatten() {
            *frequencies.entry(stem).or_default() += 1;
        }
        let count = texts.len() as f64;
        let scored = (0..).zip(&frequencies).map(|(number, (stem, with))| {
            let with = *with as f64;
            (*stem, (number, with * (count / with).ln()))
        });
        let scored: BTreeMap<&str, (usize, f64)> = scored.collect();
        let sentence = |((source, text, weight), stems): ((usize, String, f64), &BTreeSet<String>)| Sentence {
            source,
            length: text.chars().count(),
            text,
            stems: stems.iter().filter_map(|stem| scored.get(stem.as_str()).copied()).collect(),
            weight,
        };
        Self(texts.into_iter().zip(&stems).map(sentence).collect())
    }

    /// The summary of at most `max_chars` characters; see [`extractive_summary`].
    #[must_use]
    pub fn summary(&self, max_chars: usize) -> String {
        let Self(sentences) = self;
        // long sentences only where there are no others
        let is_short = |sentence: &Sentence| sentence.length <= SUMMARY_SENTENCE_CHARS.min(max_chars);
        let longest = if sentences.iter().any(is_short) { SUMMARY_SENTENCE_CHARS } else { max_chars };
        let mut covered: BTreeSet<usize> = BTreeSet::new();
        let (mut selected, mut sources) = (BTreeSet::<usize>::new(), BTreeSet::<usize>::new());
        let mut remaining = max_chars;
        loop {
            let line_break = usize::from(!selected.is_empty());
            let fits = |number: &usize| {
                let Sentence { source, length, .. } = &sentences[*number];
                !sources.contains(source) && *length <= longest && length + line_break <= remaining
            };
            let score = |number: &usize| {
                let Sentence { stems, weight, .. } = &sentences[*number];
                let new = stems.iter().filter(|(stem, _)| !covered.contains(stem));
                let sum: f64 = new.map(|(_, score)| score).sum();
                (SUMMARY_BASE_WEIGHT + weight) * sum / (stems.len().max(1) as f64).sqrt()
            };
            let best = (0..sentences.len()).filter(fits).map(|number| (score(&number), number));
            // the first of several with equal scores
            let Some((score, best)) = best.max_by(|(a, i), (b, j)| a.total_cmp(b).then(j.cmp(i))) else { break };
            if score <= 0.0 && !selected.is_empty() {
                break;
            }
            remaining -= sentences[best].length + line_break;
            selected.insert(best);
            sources.insert(sentences[best].source);
            covered.extend(sentences[best].stems.iter().map(|(stem, _)| stem));
        }
        if selected.is_empty() {
            return sentences.first().map_or_else(String::new, |first| truncated(&first.text, max_chars));
        }
        let selected: Vec<&str> = selected.into_iter().map(|number| sentences[number].text.as_str()).collect();
        selected.join("\n")
    }
}

fn stems_of(text: &str) -> BTreeSet<String> {
    analyze(text).terms().iter().map(|term| term.stem.to_owned()).collect()
}

/// How much each of some neighbouring texts says for its length, relative to the others: the rarer its words are among
/// them, and the shorter it is, the more. Without words it is zero.
///
/// # Complexity
/// O(n log n) for n words.
///
/// ```
/// use orgmem_recall::informativeness;
///
/// let texts = ["Hi Ada, how are you?", "The back door sticks, so deliver to the garage.", "Thanks! How are you, Ada?"];
/// let [greeting, fact, thanks] = informativeness(&texts)[..] else { unreachable!() };
/// assert!(fact > greeting && fact > thanks);
/// ```
#[must_use]
pub fn informativeness(texts: &[&str]) -> Vec<f64> {
    let stems: Vec<BTreeSet<String>> = texts.iter().map(|text| stems_of(text)).collect();
    let mut frequencies: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in stems.iter().flatten() {
        *frequencies.entry(stem).or_default() += 1;
    }
    let count = texts.len() as f64;
    let rarity = |stem: &String| frequencies.get(stem.as_str()).map_or(0.0, |&with| (1.0 + count / with as f64).ln());
    let of_text = |(text, stems): (&&str, &BTreeSet<String>)| {
        stems.iter().map(rarity).sum::<f64>() / (text.len().max(1) as f64).powf(LENGTH_EXPONENT)
    };
    texts.iter().zip(&stems).map(of_text).collect()
}

struct Sentence {
    /// Number of the text.
    source: usize,
    text: String,
    /// Characters.
    length: usize,
    /// The numbers of its stems in alphabetical order, and what each adds to a score.
    stems: Vec<(usize, f64)>,
    weight: f64,
}

/// The first sentences of a text that contain words, each on one line.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    let pieces = std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(first_sentence_end(rest));
        rest = after;
        Some(piece).filter(|piece| !piece.is_empty())
    });
    let lines = pieces.map(|piece| piece.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| line.chars().any(char::is_alphanumeric)).take(SUMMARY_SENTENCES_PER_TEXT)
}

/// End of the first sentence of a text: after a punctuation mark followed by white space, or after a line break, unless
/// the sentence continues.
fn first_sentence_end(text: &str) -> usize {
    let mut after_mark = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let is_end = match c {
            '\u{2029}' | '。' | '！' | '？' => true,
            '\n' | '\r' | '\u{85}' | '\u{2028}' => !continues(&text[..at], &text[end..]),
            _ => after_mark && c.is_whitespace() && !continues(&text[..at], &text[end..]),
        };
        if is_end {
            return end;
        }
        after_mark = matches!(c, '.' | '!' | '?' | '…') || after_mark && matches!(c, ')' | '"' | '\'' | '”' | '’');
    }
    text.len()
}

/// Whether the sentence that may end in `before` continues in `after`: a lower-case letter continues one, and so does
/// anything after an abbreviation, an initial, or the number of a list item.
fn continues(before: &str, after: &str) -> bool {
    let next = after.trim_start_matches([' ', '\t']).chars().next();
    let is_lower = next.is_some_and(char::is_lowercase);
    let Some(sentence) = before.strip_suffix('.') else {
        return is_lower && !before.ends_with(['!', '?', '…', ')', '"', '”', ':', ';']);
    };
    let word = sentence.rsplit(char::is_whitespace).next().unwrap_or_default().trim_start_matches(['(', '"', '“']);
    let is_item = sentence.trim() == word && word.chars().all(|c| c.is_ascii_digit());
    let is_number = matches!(word, "No" | "no" | "Nr") && next.is_some_and(|c| c.is_ascii_digit());
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_dotted = word.contains('.') && word.split('.').all(|part| (1..=2).contains(&part.chars().count()));
    is_lower || is_item || is_number || is_initial || is_dotted || ABBREVIATIONS.contains(&word)
}

fn truncated(line: &str, max_chars: usize) -> String {
    match line.char_indices().nth(max_chars.saturating_sub(1)) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(texts: &[&str], max_chars: usize) -> String {
        extractive_summary(texts.iter().map(|text| (0.5, *text)), max_chars)
    }

    #[test]
    fn summary_consists_of_whole_sentences_of_different_texts_one_per_line() {
        let texts = [
            "The API limits requests. It answers 429! Wait, and retry with backoff?",
            "Requests to the API need a key.\nKeys rotate monthly.",
            "重试之前请等待。限制很严格。",
        ];
        for max_chars in [30, 40, 80, 200, 1000] {
            let text = summary(&texts, max_chars);
            assert_eq!(text, summary(&texts, max_chars));
            assert!(!text.is_empty() && text.chars().count() <= max_chars, "{max_chars}: {text}");
            let source = |line: &str| {
                let holds = |text: &&str| sentences(text).any(|sentence| sentence == line);
                texts.iter().position(holds).unwrap_or_else(|| panic!("`{line}` is not a sentence of a text"))
            };
            let sources: Vec<usize> = text.lines().map(source).collect();
            assert!(sources.is_sorted_by(|one, next| one < next), "{text}");
        }
        assert_eq!(summary(&texts, 1000).lines().count(), 3);
    }

    #[test]
    fn sentence_ends_at_its_end_only() {
        let check = |text: &str, expected: &[&str]| assert_eq!(sentences(text).collect::<Vec<_>>(), expected);
        check("Ask Dr. Lee, e.g. on Monday. She knows.", &["Ask Dr. Lee, e.g. on Monday.", "She knows."]);
        check(
            "Version 1.5 is out. See example.com. Tell J. Doe.",
            &["Version 1.5 is out.", "See example.com.", "Tell J. Doe."],
        );
        check("1. Wait a minute.\n2. Retry.", &["1. Wait a minute.", "2. Retry."]);
        check("The API limits\nrequests to 500.\nKeys rotate", &["The API limits requests to 500.", "Keys rotate"]);
        check("(It works!) \"Really?\" yes", &["(It works!)", "\"Really?\"", "yes"]);
        check("Rooms:\n- red\n- blue", &["Rooms:", "- red", "- blue"]);
    }

    #[test]
    fn summary_of_unusual_texts_is_short_and_does_not_panic() {
        for text in ["", " ", "...", "?!", "a", "\u{0}\u{feff}", "x. . . y", &"word ".repeat(5000), "一二三四五"] {
            for max_chars in [0, 1, 2, 100] {
                let text = summary(&[text, text], max_chars);
                assert!(text.chars().count() <= max_chars.max(1), "{text}");
            }
        }
        assert_eq!(summary(&[], 100), "");
        assert_eq!(summary(&["the same", "the same"], 100), "the same");
        assert_eq!(summary(&[&"word ".repeat(50)], 12), "word word w…");
        // a long sentence only where there is no shorter one
        let long = format!("Keys rotate {}.", "and rotate ".repeat(30));
        assert_eq!(summary(&[&long], 600), long);
        assert_eq!(summary(&[&long, "Keys rotate monthly."], 600), "Keys rotate monthly.");
    }

    #[test]
    fn repeated_sentence_is_selected_once() {
        let texts = ["The lighthouse is white.", "The lighthouse is white.", "The harbour is deep.", "A dog barks."];
        let text = summary(&texts, 200);
        assert_eq!(text.matches("lighthouse").count(), 1, "{text}");
    }
}
