//! Who speaks in a query, and of whom.

use crate::text::{Language, Person};

/// Words of the second person that may be the subject of a sentence, folded.
const ADDRESSEES: [&str; 14] =
    ["du", "ihr", "jij", "je", "jullie", "tu", "vous", "voi", "lei", "u", "você", "voce", "ni", "dere"];

/// Auxiliary verbs of the past that agree with these, folded.
const PAST_AUXILIARIES: [&str; 22] = [
    "hast", "hattest", "habt", "hattet", "heb", "hebt", "had", "hebben", "as", "avais", "avez", "aviez", "hai",
    "avevi", "avete", "ha", "har", "hade", "havde", "hadde", "has", "habías",
];

/// Words before `you` after which it asks for something now, or is an object: `can you`, `for you`.
const NOT_BEFORE_YOU: [&str; 25] = [
    "can", "could", "would", "will", "may", "might", "should", "shall", "do", "dont", "please", "to", "for", "with",
    "of", "from", "about", "than", "and", "thank", "if", "let", "want", "like", "need",
];

/// Words between `you` and what was said: `you had recommended`.
const AFTER_YOU: [&str; 9] = ["have", "had", "just", "also", "already", "previously", "first", "once", "ve"];

/// Whether a query asks what the one who is addressed said earlier: `which guitar did you recommend to me?`
///
/// `words` are the words of the query, folded and without diacritics.
pub(super) fn asks_addressee(words: &[&str], language: Language) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or_default();
    let is_english = |(at, _): (usize, &&str)| {
        let (before, second_before) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
        let after = if AFTER_YOU.contains(&word(Some(at + 1))) { at + 2 } else { at + 1 };
        let after = word(Some(after));
        // `I asked you`
        let is_object = Person::of(second_before, language) == Some(Person::First) && !language.is_stop_word(before);
        !NOT_BEFORE_YOU.contains(&before) && !is_object && !after.is_empty() && !language.is_stop_word(after)
    };
    if language == Language::English {
        return words.iter().enumerate().filter(|(_, word)| **word == "you").any(is_english);
    }
    let is_past = |at: usize| {
        let around = words[at.saturating_sub(2)..words.len().min(at + 3)].iter();
        around.clone().any(|word| PAST_AUXILIARIES.contains(word))
    };
    let ends_in_past = |word: &&str| {
        // the Spanish preterite of the second person
        language == Language::Spanish && word.len() > 6 && (word.ends_with("aste") || word.ends_with("iste"))
    };
    words.iter().enumerate().any(|(at, word)| ADDRESSEES.contains(word) && is_past(at))
        || words.iter().any(ends_in_past)
}

/// Whether a text has a sentence of at least three words that is not a question.
pub(super) fn has_statement(text: &str) -> bool {
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '\n');
    text.split_inclusive(is_end).any(|sentence| {
        let is_question = sentence.trim_end().ends_with(['?', '？', '؟']);
        !is_question && sentence.split_whitespace().nth(2).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::{asks_addressee, has_statement};
    use crate::text::Language;

    fn asks(text: &str, language: Language) -> bool {
        asks_addressee(&text.split(' ').collect::<Vec<_>>(), language)
    }

    #[test]
    fn questions_about_what_the_addressee_said_are_recognized() {
        for text in [
            "which guitar did you recommend to me",
            "what was the name of the restaurant you mentioned",
            "can you remind me what you suggested",
            "how did you recommend structuring the work",
            "the recipe that you gave me",
            "you told me the name of a hotel",
        ] {
            assert!(asks(text, Language::English), "{text}");
        }
        assert!(asks("welche gitarre hast du mir empfohlen", Language::German));
        assert!(asks("quel hotel as tu recommande", Language::French));
        assert!(asks("que restaurante me recomendaste", Language::Spanish));
    }

    #[test]
    fn requests_and_objects_are_not() {
        for text in [
            "can you list my guitars",
            "what do you think of my plan",
            "i asked you about the guitar",
            "which guitar did i show to you",
            "thank you what is next",
            "what is my guitar",
        ] {
            assert!(!asks(text, Language::English), "{text}");
        }
        assert!(!asks("kannst du mir die gitarre zeigen", Language::German));
        assert!(!asks("peux tu me dire mon nom", Language::French));
    }

    #[test]
    fn statements_differ_from_bare_questions() {
        assert!(has_statement("I accepted the offer. What is next?"));
        assert!(has_statement("i am ready to go on"));
        assert!(!has_statement("When is my webinar? And where?"));
        assert!(!has_statement("Hi! When is my webinar?"));
        assert!(!has_statement("私の会議はいつですか？"));
    }
}
