//! Operations on the text of a file. Lines are counted from 1; a line feed at the end begins no further line.

use std::fmt::Write;

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The new text.
    pub text: String,
    /// The lines around the replacement, with numbers.
    pub snippet: String,
}

/// Why nothing was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReplacement {
    /// The text does not contain the passage.
    Absent,
    /// The passage begins in each of these lines.
    Repeated(Vec<usize>),
}

/// A line after which nothing can be inserted: the text has fewer lines, or the number is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLine {
    /// The number of lines of the text.
    pub lines: usize,
}

/// The lines to show: the first and the last, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRange {
    first: usize,
    last: usize,
}

/// A range outside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidRange {
    /// The number of lines of the text.
    pub lines: usize,
}

/// Lines before and after a replacement in its snippet.
const CONTEXT_LINES: usize = 4;

impl LineRange {
    /// All lines of the text.
    #[must_use]
    pub fn all(text: &str) -> Self {
        Self { first: 1, last: lines(text).count() }
    }

    /// The lines from `first` to `last`; −1 as `last` means the last line of the text.
    ///
    /// # Errors
    /// [`InvalidRange`] for a line that the text does not have, or an end before the beginning.
    pub fn of(text: &str, [first, last]: [i64; 2]) -> Result<Self, InvalidRange> {
        let count = lines(text).count();
        let line = |number: i64| usize::try_from(number).ok().filter(|number| (1..=count).contains(number));
        let last = if last == -1 { Some(count) } else { line(last) };
        match (line(first), last) {
            (Some(first), Some(last)) if first <= last => Ok(Self { first, last }),
            _ => Err(InvalidRange { lines: count }),
        }
    }
}

/// The lines of a range, each with its number in six columns and a tab.
#[must_use]
pub fn number_lines(text: &str, range: LineRange) -> String {
    let mut numbered = String::new();
    for (number, line) in (1..).zip(lines(text)).take(range.last).skip(range.first - 1) {
        let feed = if numbered.is_empty() { "" } else { "\n" };
        // writing into a string never fails
        let _ = write!(numbered, "{feed}{number:>6}\t{line}");
    }
    numbered
}

/// Replaces a passage that occurs once.
///
/// # Errors
/// [`NoReplacement`] for a passage that does not occur, or occurs more than once; an empty one never occurs.
pub fn replace_once(text: &str, old: &str, new: &str) -> Result<Replaced, NoReplacement> {
    let mut places = text.match_indices(old).filter(|_| !old.is_empty()).map(|(at, _)| at);
    let at = places.next().ok_or(NoReplacement::Absent)?;
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    if let Some(second) = places.next() {
        let mut repeated: Vec<usize> = [at, second].into_iter().chain(places).map(line_of).collect();
        repeated.dedup();
        return Err(NoReplacement::Repeated(repeated));
    }
    let replaced = [&text[..at], new, &text[at + old.len()..]].concat();
    let (first, count) = (line_of(at), lines(&replaced).count());
    let last = first + new.matches('\n').count();
    let range = LineRange {
        first: first.saturating_sub(CONTEXT_LINES).clamp(1, count),
        last: (last + CONTEXT_LINES).min(count),
    };
    let snippet = number_lines(&replaced, range);
    Ok(Replaced { text: replaced, snippet })
}

/// Inserts whole lines after a line; 0 is the beginning of the text.
///
/// # Errors
/// [`InvalidLine`] for a line that the text does not have.
pub fn insert_lines(text: &str, after: i64, inserted: &str) -> Result<String, InvalidLine> {
    let count = if text.is_empty() { 0 } else { lines(text).count() };
    let after = usize::try_from(after).ok().filter(|after| *after <= count).ok_or(InvalidLine { lines: count })?;
    let mut all: Vec<&str> = lines(text).take(count).collect();
    all.splice(after..after, lines(inserted));
    let end = if text.ends_with('\n') || (text.is_empty() && inserted.ends_with('\n')) { "\n" } else { "" };
    Ok(all.join("\n") + end)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_have_numbers_in_six_columns() {
        let shown = |text, range| number_lines(text, range);
        assert_eq!(shown("a\nb\n", LineRange::all("a\nb\n")), "     1\ta\n     2\tb");
        assert_eq!(shown("", LineRange::all("")), "     1\t");
        let text = "a\nb\nc";
        assert_eq!(shown(text, LineRange::of(text, [2, -1]).expect("a range")), "     2\tb\n     3\tc");
        for outside in [[0, 1], [2, 1], [1, 4], [4, -1], [1, -2]] {
            assert_eq!(LineRange::of(text, outside), Err(InvalidRange { lines: 3 }), "{outside:?}");
        }
    }

    #[test]
    fn passage_is_replaced_only_if_it_occurs_once() {
        let replaced = replace_once("a\nb\nc\n", "b", "x\ny").expect("a replacement");
        assert_eq!(replaced.text, "a\nx\ny\nc\n");
        assert_eq!(replaced.snippet, "     1\ta\n     2\tx\n     3\ty\n     4\tc");
        assert_eq!(replace_once("a\na a\nb", "a", "x"), Err(NoReplacement::Repeated(vec![1, 2])));
        assert_eq!(replace_once("a", "A", "x"), Err(NoReplacement::Absent));
        assert_eq!(replace_once("a", "", "x"), Err(NoReplacement::Absent));
    }

    #[test]
    fn snippet_has_four_lines_around_the_replacement() {
        let text: String = (1..=20).map(|number| format!("line {number}\n")).collect();
        let snippet = replace_once(&text, "line 10\n", "ten\n").expect("a replacement").snippet;
        assert!(snippet.starts_with("     6\tline 6\n"), "{snippet}");
        assert!(snippet.contains("    10\tten\n"), "{snippet}");
    }

    #[test]
    fn lines_are_inserted_after_a_line() {
        assert_eq!(insert_lines("a\nb", 1, "x\n"), Ok("a\nx\nb".to_owned()));
        assert_eq!(insert_lines("a\nb\n", 2, "x"), Ok("a\nb\nx\n".to_owned()));
        assert_eq!(insert_lines("a", 0, "x\ny"), Ok("x\ny\na".to_owned()));
        assert_eq!(insert_lines("", 0, "x\n"), Ok("x\n".to_owned()));
        for outside in [-1, 3, i64::MAX] {
            assert_eq!(insert_lines("a\nb", outside, "x"), Err(InvalidLine { lines: 2 }));
        }
    }

    proptest! {
        #[test]
        fn inserted_lines_are_where_they_were_asked_for(text in "[ab\n]{0,12}", after in 0..6_i64, new in "[xy]{1,3}") {
            let before: Vec<&str> = if text.is_empty() { Vec::new() } else { lines(&text).collect() };
            match insert_lines(&text, after, &new) {
                Err(fault) => {
                    prop_assert_eq!(fault.lines, before.len());
                    prop_assert!(usize::try_from(after).expect("positive") > before.len());
                }
                Ok(inserted) => {
                    let at = usize::try_from(after).expect("positive");
                    let mut expected = before.clone();
                    expected.insert(at, &new);
                    prop_assert_eq!(lines(&inserted).collect::<Vec<_>>(), expected);
                }
            }
        }
    }
}
