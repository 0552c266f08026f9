//! Passages: the parts of a document that searches find and citations name.
//!
//! ```
//! use orgmem_policies::passages::{MediaType, cut};
//!
//! let text = "# Returns\n\nWithin 30 days.\n\n## Costs\n\nFree of charge.\n";
//! let passages = cut(text, MediaType::Markdown);
//! assert_eq!(passages.len(), 2);
//! assert_eq!(passages[1].heading, ["Returns", "Costs"]);
//! assert_eq!(&text[passages[1].start..passages[1].end], "## Costs\n\nFree of charge.\n");
//! ```
//!
//! Source: `docs/spec/documents.md`, "Passages".

use std::fmt;
use std::str::FromStr;

/// A passage of at least this many bytes ends at the next paragraph.
const FULL_BYTES: usize = 900;
/// Maximum size of a passage in bytes: a longer paragraph is cut at the end of a line or of a word.
const MAX_BYTES: usize = 2_000;
/// Levels of headings in Markdown.
const LEVELS: usize = 6;
/// Characters of a heading in a path; the rest is omitted.
const MAX_HEADING: usize = 200;

/// The type of a document. Its text is Markdown for all but plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    /// Paragraphs without headings.
    Plain,
    /// Markdown, with its headings.
    Markdown,
    /// The text of a page, as Markdown.
    Html,
    /// The rows of a table, as paragraphs of Markdown.
    Csv,
    /// The text of a PDF file, as Markdown.
    Pdf,
}

impl MediaType {
    /// All types.
    pub const ALL: [Self; 5] = [Self::Plain, Self::Markdown, Self::Html, Self::Csv, Self::Pdf];

    /// The name in storage and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "text/plain",
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Csv => "text/csv",
            Self::Pdf => "application/pdf",
        }
    }
}

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Invalid name of a media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown media type; text/plain, text/markdown, text/html, text/csv and application/pdf are known")]
pub struct UnknownMediaType;

impl FromStr for MediaType {
    type Err = UnknownMediaType;

    /// Parameters such as `charset` do not count.
    fn from_str(text: &str) -> Result<Self, UnknownMediaType> {
        let name = text.split(';').next().unwrap_or_default().trim();
        Self::ALL.into_iter().find(|known| known.as_str().eq_ignore_ascii_case(name)).ok_or(UnknownMediaType)
    }
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The headings that it is under, outermost first.
    pub heading: Vec<String>,
    /// First byte.
    pub start: usize,
    /// End in bytes, exclusive.
    pub end: usize,
    /// Number of characters before it.
    pub first_char: usize,
    /// Number of characters in it.
    pub chars: usize,
}

/// Cuts a text at its headings and between paragraphs. Every byte of the text is in exactly one passage, in order.
///
/// # Complexity
/// O(text).
#[must_use]
pub fn cut(text: &str, media_type: MediaType) -> Vec<Passage> {
    let mut cutter = Cutter::new(text, media_type != MediaType::Plain);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        cutter.take(line, lines.peek().copied());
    }
    cutter.finish()
}

struct Cutter<'t> {
    text: &'t str,
    is_markdown: bool,
    passages: Vec<Passage>,
    /// The open headings by level.
    open: [Option<String>; LEVELS],
    /// Beginning of the current passage.
    start: usize,
    first_char: usize,
    /// End of the lines that were taken.
    at: usize,
    /// Whether the current passage has more than headings and blank lines.
    has_body: bool,
    was_blank: bool,
    /// The marker of an open code block.
    fence: Option<(char, usize)>,
}

impl<'t> Cutter<'t> {
    fn new(text: &'t str, is_markdown: bool) -> Self {
        Self {
            text,
            is_markdown,
            passages: Vec::new(),
            open: Default::default(),
            start: 0,
            first_char: 0,
            at: 0,
            has_body: false,
            was_blank: true,
            fence: None,
        }
    }

    fn take(&mut self, line: &str, next: Option<&str>) {
        let (is_blank, was_in_code) = (line.trim().is_empty(), self.fence.is_some());
        let mut is_heading = false;
        if self.is_markdown {
            let marker = fence_marker(line);
            match (self.fence, marker) {
                (None, Some(marker)) => self.fence = Some(marker),
                (Some((open, length)), Some((closing, found))) if open == closing && found >= length => {
                    self.fence = None;
                }
                (None, None) => {
                    if let Some((level, heading)) = heading(line).or_else(|| underlined(line, next, self.was_blank)) {
                        self.end_before_heading();
                        self.enter(level, heading);
                        is_heading = true;
                    }
                }
                (Some(_), _) => {}
            }
        }
        let is_paragraph = self.was_blank && !is_blank && !was_in_code;
        if !is_heading && is_paragraph && self.has_body && self.at - self.start >= FULL_BYTES {
            self.end_at(self.at);
        }
        self.has_body |= !is_blank && !is_heading;
        self.was_blank = is_blank;
        self.at += line.len();
        self.split_long(is_heading);
    }

    /// Ends the current passage, unless it consists of headings: they stay with the text below them.
    fn end_before_heading(&mut self) {
        if self.has_body {
            self.end_at(self.at);
        }
    }

    fn enter(&mut self, level: usize, heading: String) {
        self.open[level] = Some(heading);
        for below in &mut self.open[level + 1..] {
            *below = None;
        }
    }

    /// Cuts what is longer than a passage may be.
    fn split_long(&mut self, is_heading: bool) {
        while self.at - self.start > MAX_BYTES {
            let end = cut_point(&self.text[self.start..self.at], MAX_BYTES);
            self.end_at(self.start + end);
            self.has_body = !is_heading;
        }
    }

    fn end_at(&mut self, end: usize) {
        if end == self.start {
            return;
        }
        let chars = self.text[self.start..end].chars().count();
        let heading = self.open.iter().flatten().cloned().collect();
        self.passages.push(Passage { heading, start: self.start, end, first_char: self.first_char, chars });
        self.start = end;
        self.first_char += chars;
        self.has_body = false;
    }

    fn finish(mut self) -> Vec<Passage> {
        self.end_at(self.text.len());
        self.passages
    }
}

/// The best place to cut `text` after at most `most` bytes: after a line, a word or a character, in this order. A line or
/// word that begins in the first half is no reason to cut there.
fn cut_point(text: &str, most: usize) -> usize {
    let mut limit = most;
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let head = &text[..limit];
    let after = |found: Option<usize>| found.map(|at| at + 1).filter(|end| *end > most / 2);
    let of_line = after(head.rfind('\n'));
    of_line.or_else(|| after(head.rfind(' '))).unwrap_or(limit)
}

/// The character and length of the marker that begins or ends a code block.
fn fence_marker(line: &str) -> Option<(char, usize)> {
    let text = unindented(line)?;
    let marker = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == marker).count();
    (length >= 3).then_some((marker, length))
}

/// The level, from 0, and text of a heading that begins with `#`.
fn heading(line: &str) -> Option<(usize, String)> {
    let text = unindented(line)?;
    let level = text.chars().take_while(|c| *c == '#').count();
    let rest = &text[level..];
    if !(1..=LEVELS).contains(&level) || !(rest.trim().is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let named = rest.trim();
    let closed = named.trim_end_matches('#');
    let named = if closed.is_empty() || closed.ends_with([' ', '\t']) { closed.trim_end() } else { named };
    (!named.is_empty()).then(|| (level - 1, shortened(named)))
}

/// The level, from 0, and text of a heading that the next line underlines with `=` or `-`.
fn underlined(line: &str, next: Option<&str>, after_blank: bool) -> Option<(usize, String)> {
    let (text, below) = (unindented(line)?.trim(), unindented(next?)?.trim());
    let is_plain = after_blank && !text.is_empty() && !text.starts_with(['>', '-', '*', '+', '|', '=']);
    if !is_plain || below.len() < 3 {
        return None;
    }
    let level = match below.chars().next()? {
        '=' => 0,
        '-' => 1,
        _ => return None,
    };
    let is_line = below.chars().all(|c| below.starts_with(c));
    is_line.then(|| (level, shortened(text)))
}

/// The line without at most three spaces before it; none if it has more, which makes it code.
fn unindented(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(' ');
    (line.len() - text.len() <= 3).then_some(text)
}

fn shortened(heading: &str) -> String {
    heading.chars().take(MAX_HEADING).collect()
}
