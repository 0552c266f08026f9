//! Other spellings of one word, by rules: American and British, transliterated umlauts, numbers, times and identifiers.
//!
//! A rule knows nothing about words. It may produce a string that is no word, which then matches nothing.

use super::compound::TokenKind;
use super::tokenize;

/// Spellings that are exchanged, in both directions.
const PAIRS: [(&str, &str); 20] = [
    ("iz", "is"),
    ("yz", "ys"),
    ("or", "our"),
    ("ter", "tre"),
    ("ber", "bre"),
    ("nse", "nce"),
    ("og", "ogue"),
    ("e", "ae"),
    ("e", "oe"),
    ("l", "ll"),
    ("gram", "gramme"),
    ("ä", "ae"),
    ("ö", "oe"),
    ("ü", "ue"),
    ("ø", "oe"),
    ("ø", "ö"),
    ("å", "aa"),
    ("å", "a"),
    ("ae", "æ"),
    ("f", "ph"),
];

/// Digits of the longest number that is also written with separators.
const MAX_GROUPED_DIGITS: usize = 15;

/// Other spellings of a folded word, each once.
pub(crate) fn spellings(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    if word.contains(|c: char| c.is_ascii_digit()) {
        found.extend(number_spellings(word));
    } else {
        for (one, other) in PAIRS {
            found.extend(
                [(one, other), (other, one)]
                    .iter()
                    .filter(|(from, _)| word.contains(from))
                    .map(|(from, to)| word.replace(from, to)),
            );
        }
    }
    found.retain(|spelling| spelling != word);
    found.sort_unstable();
    found.dedup();
    found
}

fn number_spellings(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = word.split('.').collect();
    match parts[..] {
        // a time
        [hours, minutes] if is_digits(hours) && is_digits(minutes) && minutes.len() == 2 && hours.len() <= 2 => {
            found.extend(hours.strip_prefix('0').map(|hour| format!("{hour}.{minutes}")));
            found.extend((hours.len() == 1).then(|| format!("0{hours}.{minutes}")));
        }
        [first, ref groups @ ..] if !groups.is_empty() => {
            let is_group = |group: &&str| group.len() == 3 && is_digits(group);
            if is_digits(first) && first.len() <= 3 && groups.iter().all(is_group) {
                found.push(parts.concat());
            }
        }
        _ if is_digits(word) && (4..=MAX_GROUPED_DIGITS).contains(&word.len()) => found.push(grouped(word)),
        _ => {}
    }
    let digits = parts.concat();
    if digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        found.push(digits.clone());
        found.extend(whole(&[&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")));
    }
    found
}

/// `1250000` as `1.250.000`.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('.');
        }
        out.push(digit);
    }
    out
}

/// The token of all of `text`.
fn whole(text: &str) -> Option<String> {
    let mut found = None;
    tokenize(text, &mut |token| {
        if token.kind == TokenKind::Compound {
            found = Some(token.word.to_owned());
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_by_rules_include_the_usual_ones() {
        let has = |word: &str, other: &str| spellings(word).iter().any(|spelling| spelling == other);
        for (word, other) in [
            ("optimization", "optimisation"),
            ("color", "colour"),
            ("centre", "center"),
            ("license", "licence"),
            ("mueller", "müller"),
            ("müller", "mueller"),
            ("soeren", "søren"),
            ("12.500", "12500"),
            ("12500", "12.500"),
            ("1.250.000", "1250000"),
            ("2.30", "02.30"),
            ("09.15", "9.15"),
            ("graphana", "grafana"),
        ] {
            assert!(has(word, other), "{word}: {:?}", spellings(word));
        }
        assert!(!has("10.20", "1020"));
        assert!(spellings("kiwi").is_empty());
    }

    #[test]
    fn uuid_without_hyphens_is_spelled_with_them() {
        let uuid = "6f1c9a52-77e0-4b1b-9f64-20d1c33e9a10";
        let token = whole(uuid).expect("a compound");
        assert!(spellings(&uuid.replace('-', "")).contains(&token));
        assert!(spellings(&token).contains(&uuid.replace('-', "")));
    }

    proptest! {
        #[test]
        fn spellings_of_any_word_are_few(word in "\\PC{0,40}") {
            prop_assert!(spellings(&word).len() <= 2 * PAIRS.len());
        }
    }
}
