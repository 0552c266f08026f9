//! Finds the sentences of a text that mention a value, in any script.

use serde_json::Value;

/// The zeros of the decimal digits of scripts in use; the nine others follow.
const ZEROS: [char; 20] = [
    '0', '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}', '\u{1810}', '\u{ff10}',
];

/// The sentences of a text with the white space after them; together they are the text.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = at + c.len_utf8();
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '\n' => true,
            // a full stop between digits or letters belongs to them
            '.' | '!' | '?' | '…' | ';' => next.is_none_or(|next| next == ' ' || next == '\t' || next == '\n'),
            '。' | '！' | '？' | '；' | '؟' | '۔' | '।' => true,
            _ => false,
        };
        if !ends {
            continue;
        }
        let mut end = after;
        while let Some((at, blank)) =
            chars.next_if(|(_, next)| *next == ' ' || *next == '\t' || (*next == '\n' && c != '\n'))
        {
            end = at + blank.len_utf8();
            if blank == '\n' {
                break;
            }
        }
        parts.push(&text[start..end]);
        start = end;
    }
    if start < text.len() {
        parts.push(&text[start..]);
    }
    parts
}

/// Whether a text mentions a value: a number in any usual form, a text in any letter case.
pub(super) fn mentions(text: &str, value: &Value) -> bool {
    let words = match value {
        Value::String(words) => words.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        // a boolean has no words of its own
        _ => return false,
    };
    let wanted = words.parse::<f64>().ok().filter(|number| number.is_finite());
    let is_number = wanted.is_some_and(|wanted| {
        numbers(text).iter().any(|readings| readings.iter().any(|found| (found - wanted.abs()).abs() < 1e-9))
    });
    is_number || wanted.is_none() && !words.is_empty() && contains_folded(text, &words)
}

fn contains_folded(text: &str, words: &str) -> bool {
    text.contains(words) || text.to_lowercase().contains(&words.to_lowercase())
}

/// The numbers of a text, each in its possible readings: `4.391` is 4391 in some languages and 4.391 in others.
fn numbers(text: &str) -> Vec<Vec<f64>> {
    let chars: Vec<char> = text.chars().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        if digit(chars[at]).is_none() {
            at += 1;
            continue;
        }
        let mut groups = vec![String::new()];
        let mut last_mark = None;
        while at < chars.len() {
            if let (Some(digit), Some(group)) = (digit(chars[at]), groups.last_mut()) {
                group.push(digit);
                at += 1;
            } else if is_mark(chars[at]) && chars.get(at + 1).is_some_and(|next| digit(*next).is_some()) {
                let after = chars[at + 1..].iter().take_while(|c| digit(**c).is_some()).count();
                if chars[at] == ' ' && after != 3 {
                    break;
                }
                last_mark = Some(chars[at]);
                groups.push(String::new());
                at += 1;
            } else {
                break;
            }
        }
        found.push(readings(&groups, last_mark));
    }
    found
}

fn readings(groups: &[String], last_mark: Option<char>) -> Vec<f64> {
    let whole = groups.concat();
    let mut readings: Vec<f64> = whole.parse().into_iter().collect();
    if let (Some(mark), Some((fraction, before))) = (last_mark, groups.split_last())
        && mark != ' '
    {
        readings.extend(format!("{}.{fraction}", before.concat()).parse::<f64>());
    }
    readings
}

fn digit(c: char) -> Option<char> {
    let value = ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// A decimal point or a mark between groups of digits.
fn is_mark(c: char) -> bool {
    matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '_' | '٫' | '٬' | '．' | '，')
}
