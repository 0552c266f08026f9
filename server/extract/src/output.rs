//! A bounded text in the making: whitespace collapsed, blocks separated, headings marked.

use crate::ExtractError;

/// What separates the next word from the last. The greater one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Cell,
    Line,
    Paragraph,
}

impl Gap {
    fn as_str(self) -> &'static str {
        match self {
            Gap::None => "",
            Gap::Space => " ",
            Gap::Cell => " | ",
            Gap::Line => "\n",
            Gap::Paragraph => "\n\n",
        }
    }
}

const INDENT: &str = "    ";

/// Text up to a limit. After the limit it only notes that there is more.
#[derive(Debug)]
pub(crate) struct Output {
    text: String,
    limit: usize,
    is_full: bool,
    gap: Gap,
    /// Before the first word of the next line: `## ` or `- `.
    prefix: String,
    is_in_heading: bool,
    /// No word of this cell has been written.
    is_fresh_cell: bool,
    is_verbatim: bool,
    /// Of preformatted text, not written yet.
    line_feeds: usize,
}

impl Output {
    pub(crate) fn new(limit: usize) -> Self {
        Output {
            text: String::new(),
            limit,
            is_full: false,
            gap: Gap::None,
            prefix: String::new(),
            is_in_heading: false,
            is_fresh_cell: false,
            is_verbatim: false,
            line_feeds: 0,
        }
    }

    pub(crate) fn finish(self) -> Result<String, ExtractError> {
        if self.is_full {
            return Err(ExtractError::OutputTooLarge { limit: self.limit });
        }
        Ok(self.text)
    }

    /// The text as far as the limit allows.
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Words, with whitespace collapsed except in preformatted text.
    pub(crate) fn write(&mut self, text: &str) {
        for (at, c) in text.char_indices() {
            if self.is_full {
                return;
            }
            match c {
                '\n' if self.is_verbatim => self.line_feeds += 1,
                ' ' | '\t' if self.is_verbatim => self.put(c),
                c if c.is_whitespace() => self.raise(Gap::Space),
                // soft hyphen, zero width space, byte order mark
                '\u{ad}' | '\u{200b}' | '\u{feff}' => {}
                c if c.is_control() => {}
                // what would begin a heading or a block of code at the beginning of a line
                '#' => self.put_escaped(c),
                '`' if text[at..].starts_with("```") => self.put_escaped(c),
                '~' if text[at..].starts_with("~~~") => self.put_escaped(c),
                c => self.put(c),
            }
        }
    }

    pub(crate) fn line_break(&mut self) {
        self.separate(Gap::Line);
    }

    pub(crate) fn paragraph_break(&mut self) {
        self.separate(Gap::Paragraph);
    }

    /// The next words are a heading, up to [`Output::end_heading`] or the next block that cannot be in one.
    pub(crate) fn start_heading(&mut self, level: usize) {
        self.end_block();
        self.prefix = format!("{} ", "#".repeat(level));
        self.is_in_heading = true;
    }

    pub(crate) fn end_heading(&mut self) {
        if self.is_in_heading {
            self.end_block();
        }
    }

    /// A paragraph break also within a heading or a table cell.
    pub(crate) fn end_block(&mut self) {
        self.is_in_heading = false;
        self.is_fresh_cell = false;
        self.prefix.clear();
        self.paragraph_break();
    }

    pub(crate) fn start_item(&mut self, mark: String) {
        self.line_break();
        self.prefix = mark;
    }

    pub(crate) fn end_item(&mut self) {
        self.prefix.clear();
    }

    pub(crate) fn start_cell(&mut self, is_first: bool) {
        if !is_first {
            self.gap = Gap::Cell;
        }
        self.is_fresh_cell = true;
    }

    pub(crate) fn end_cell(&mut self) {
        self.is_fresh_cell = false;
    }

    /// Preformatted text is indented, so no line of it reads as a heading.
    pub(crate) fn set_verbatim(&mut self, is_verbatim: bool) {
        if self.is_verbatim != is_verbatim {
            self.is_verbatim = false;
            self.line_feeds = 0;
            self.end_block();
            self.is_verbatim = is_verbatim;
        }
    }

    fn separate(&mut self, gap: Gap) {
        if self.is_in_heading {
            self.raise(Gap::Space);
        } else if !self.is_fresh_cell {
            self.raise(gap);
        }
    }

    fn raise(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// A character of a word, or one of preformatted text.
    fn put(&mut self, c: char) {
        self.start_word("");
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    fn put_escaped(&mut self, c: char) {
        self.start_word("\\");
        self.push(c.encode_utf8(&mut [0; 4]));
    }

    /// Writes what is due before a character; the escape only at the beginning of a line without a prefix.
    fn start_word(&mut self, escape: &str) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        let line_feeds = std::mem::take(&mut self.line_feeds);
        if !self.text.is_empty() {
            if gap == Gap::None {
                for _ in 0..line_feeds.min(self.limit) {
                    self.push("\n");
                }
            }
            self.push(gap.as_str());
        }
        if self.text.is_empty() || self.text.ends_with('\n') {
            let prefix = std::mem::take(&mut self.prefix);
            if self.is_verbatim {
                self.push(INDENT);
            } else if prefix.is_empty() {
                self.push(escape);
            }
            self.push(&prefix);
        }
        self.is_fresh_cell = false;
    }

    fn push(&mut self, text: &str) {
        if self.is_full || self.text.len() + text.len() > self.limit {
            self.is_full = true;
        } else {
            self.text.push_str(text);
        }
    }
}
