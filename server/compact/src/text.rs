//! The texts of pages, in the words of the episodes.

use orgmem_recall::{Sentences, extractive_summary, informativeness};

/// The largest near-verbatim text of one page in tokens.
pub const HOT_PAGE_TOKENS: usize = 400;
/// The largest short text of one page in characters.
pub const WARM_CHARS: usize = 320;
/// Sentences of a short text.
const WARM_SENTENCES: usize = 2;
const BYTES_PER_TOKEN: usize = 4;

/// One line of an exchange.
pub(crate) struct Line<'e> {
    pub(crate) actor: &'e str,
    pub(crate) text: &'e str,
    pub(crate) salience: f64,
}

/// Approximate number of tokens of a text: one for every four bytes of UTF-8, rounded up.
#[must_use]
pub fn tokens_of(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

/// The lines as `actor: text`, one per line, in their order. If they exceed [`HOT_PAGE_TOKENS`], the less salient and then the
/// less informative ones are left out; a line that is too long by itself is shortened to some of its sentences.
pub(crate) fn hot(lines: &[Line<'_>]) -> String {
    let mut written: Vec<(usize, String)> = Vec::with_capacity(lines.len());
    for (number, Line { actor, text, .. }) in lines.iter().enumerate() {
        let text = one_line(text);
        if text.is_empty() {
            continue;
        }
        let actor = one_line(actor);
        let budget = (HOT_PAGE_TOKENS * BYTES_PER_TOKEN).saturating_sub(actor.len() + 2);
        let text = if text.len() > budget { shortened(&text, budget) } else { text };
        written.push((number, format!("{actor}: {text}")));
    }
    let mut remaining = HOT_PAGE_TOKENS * BYTES_PER_TOKEN;
    if written.iter().map(|(_, line)| line.len() + 1).sum::<usize>() > remaining {
        let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
        let informative = informativeness(&texts);
        let rank = |number: usize| (lines[number].salience, informative[number]);
        written.sort_by(|&(a, _), &(b, _)| {
            let (one, other) = (rank(a), rank(b));
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1)).then(b.cmp(&a))
        });
        written.retain(|(_, line)| {
            let fits = line.len() < remaining;
            remaining -= if fits { line.len() + 1 } else { 0 };
            fits
        });
        written.sort_by_key(|(number, _)| *number);
    }
    written.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// One or two sentences that represent the lines, weighted by salience.
pub(crate) fn warm(lines: &[Line<'_>]) -> String {
    let sentences = Sentences::of(lines.iter().map(|line| (line.salience, line.text)));
    let mut max_chars = WARM_CHARS;
    loop {
        let text = sentences.summary(max_chars);
        if text.lines().count() <= WARM_SENTENCES || max_chars < 20 {
            return text.lines().take(WARM_SENTENCES).collect::<Vec<_>>().join(" ");
        }
        max_chars = max_chars * 2 / 3;
    }
}

/// Sentences of a text within `max_bytes`.
fn shortened(text: &str, max_bytes: usize) -> String {
    let bytes_per_char = text.len().div_ceil(text.chars().count().max(1));
    let max_chars = max_bytes / bytes_per_char.max(1);
    // each sentence is a text of its own, so that several can be selected
    let sentences: Vec<&str> = text.split_inclusive(['.', '!', '?', '。', '！', '？']).collect();
    let summary = extractive_summary(sentences.into_iter().map(|sentence| (0.5, sentence)), max_chars);
    let summary = one_line(&summary);
    summary[..summary.floor_char_boundary(max_bytes)].to_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hot_of(texts: &[String], salience: impl Fn(usize) -> f64) -> String {
        let line = |(number, text): (usize, &String)| (salience(number), text.clone());
        let lines: Vec<(f64, String)> = texts.iter().enumerate().map(line).collect();
        let lines = lines.iter().map(|(salience, text)| Line { actor: "ada", text, salience: *salience });
        hot(&lines.collect::<Vec<_>>())
    }

    #[test]
    fn long_exchange_leaves_out_what_says_little() {
        let fact = "The back door sticks, so deliver to the garage.".to_owned();
        let small_talk =
            (0..40).map(|n| format!("Oh yes, thank you so much, that is really great of you, number {n}!"));
        let texts: Vec<String> = std::iter::once(fact.clone()).chain(small_talk).collect();
        let text = hot_of(&texts, |_| 0.5);
        assert!(text.starts_with(&format!("ada: {fact}\n")), "{text}");
        assert!(tokens_of(&text) <= HOT_PAGE_TOKENS && text.lines().count() > 10, "{text}");
        // salience comes first
        let text = hot_of(&texts, |number| if number == 0 { 0.4 } else { 0.5 });
        assert!(!text.contains(&fact), "{text}");
    }

    #[test]
    fn short_exchange_is_complete_and_in_order() {
        let texts: Vec<String> = (0..10).map(|n| format!("Message {n}.")).collect();
        let expected: Vec<String> = texts.iter().map(|text| format!("ada: {text}")).collect();
        assert_eq!(hot_of(&texts, |_| 0.5), expected.join("\n"));
    }
}
