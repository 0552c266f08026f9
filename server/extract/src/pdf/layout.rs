//! Glyphs with positions to lines, and lines to headings and paragraphs.

use crate::output::Output;
use crate::{ExtractError, Limits};

/// Distances in parts of the size of the font.
const SPACE: f64 = 0.17;
const LINE: f64 = 0.5;
const PARAGRAPH: f64 = 1.7;
/// A line is a heading if it is larger than the text by this factor and not longer than a heading.
const HEADING_RATIO: f64 = 1.15;
const HEADING_CHARS: usize = 160;
const LINES_LIMIT: usize = 2_000_000;

/// Where a glyph begins and how it runs, in the space of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The direction of the line, of length 1.
    pub(super) along: (f64, f64),
    pub(super) size: f64,
    pub(super) advance: f64,
}

#[derive(Debug)]
struct Line {
    /// In the text of all lines.
    end: usize,
    /// The average size of its characters, in half points.
    size: u32,
    starts_paragraph: bool,
}

/// The lines so far.
#[derive(Debug)]
pub(super) struct Layout {
    text: String,
    limit: usize,
    lines: Vec<Line>,
    last: Option<Place>,
    /// Of the sizes of the characters of the current line, and their number.
    sizes: (f64, f64),
    starts_paragraph: bool,
    mapped: usize,
    unmapped: usize,
}

impl Layout {
    pub(super) fn new(limits: &Limits) -> Self {
        Layout {
            text: String::new(),
            limit: limits.output_bytes,
            lines: Vec::new(),
            last: None,
            sizes: (0.0, 0.0),
            starts_paragraph: true,
            mapped: 0,
            unmapped: 0,
        }
    }

    pub(super) fn end_page(&mut self) {
        self.end_line(true);
        self.last = None;
    }

    pub(super) fn glyph(&mut self, text: Option<&str>, place: Place) -> Result<(), ExtractError> {
        if let Some(last) = self.last {
            let (dx, dy) = (place.x - last.x, place.y - last.y);
            let forward = dx * last.along.0 + dy * last.along.1 - last.advance;
            let across = (dx * last.along.1 - dy * last.along.0).abs();
            let size = last.size.max(place.size);
            let turn = place.along.0 * last.along.0 + place.along.1 * last.along.1;
            if across > LINE * size || forward < -size || turn < 0.9 {
                self.end_line(across > PARAGRAPH * size || turn < 0.9);
            } else if forward > SPACE * place.size {
                self.space();
            }
        }
        self.last = Some(place);
        match text {
            Some(text) => self.characters(text, place.size),
            None => {
                self.unmapped += 1;
                Ok(())
            }
        }
    }

    fn characters(&mut self, text: &str, size: f64) -> Result<(), ExtractError> {
        self.mapped += 1;
        for c in text.chars() {
            match ligature(c) {
                Some(letters) => self.text.push_str(letters),
                None if c.is_whitespace() => self.space(),
                None if c.is_control() => {}
                None => self.text.push(c),
            }
            self.sizes.0 += size;
            self.sizes.1 += 1.0;
        }
        if self.text.len() > self.limit {
            return Err(ExtractError::OutputTooLarge { limit: self.limit });
        }
        if self.lines.len() > LINES_LIMIT {
            return Err(ExtractError::TooComplex);
        }
        Ok(())
    }

    fn space(&mut self) {
        let start = self.lines.last().map_or(0, |line| line.end);
        if self.text.len() > start && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    fn end_line(&mut self, ends_paragraph: bool) {
        let start = self.lines.last().map_or(0, |line| line.end);
        if !self.text[start..].trim().is_empty() {
            let size = (self.sizes.0 / self.sizes.1.max(1.0) * 2.0).round() as u32;
            let starts_paragraph = self.starts_paragraph;
            self.lines.push(Line { end: self.text.len(), size, starts_paragraph });
            self.starts_paragraph = false;
        } else {
            self.text.truncate(start);
        }
        self.starts_paragraph |= ends_paragraph;
        self.sizes = (0.0, 0.0);
    }

    /// Whether most of the text has no known meaning.
    pub(super) fn is_unreadable(&self) -> bool {
        self.unmapped > self.mapped
    }

    /// The sizes of headings, the largest first.
    fn heading_sizes(&self) -> Vec<u32> {
        let mut chars_by_size = std::collections::BTreeMap::<u32, usize>::new();
        let mut start = 0;
        for line in &self.lines {
            *chars_by_size.entry(line.size).or_default() += line.end - start;
            start = line.end;
        }
        let usual = chars_by_size.iter().max_by_key(|(_, chars)| **chars).map_or(0, |(size, _)| *size);
        let is_larger = |size: &u32| f64::from(*size) >= f64::from(usual) * HEADING_RATIO;
        chars_by_size.into_keys().rev().filter(is_larger).collect()
    }

    pub(super) fn finish(mut self) -> Result<String, ExtractError> {
        self.end_line(true);
        let sizes = self.heading_sizes();
        let mut out = Output::new(self.limit);
        let mut start = 0;
        let mut heading: Option<u32> = None;
        // the hyphen at the end of the last line, if the word may continue
        let mut hyphen = "";
        for line in &self.lines {
            let text = self.text[start..line.end].trim();
            start = line.end;
            let level = sizes.iter().position(|size| *size == line.size).filter(|_| is_title(text));
            let continues = heading == Some(line.size) && !line.starts_paragraph && level.is_some();
            let is_one_word =
                !hyphen.is_empty() && level.is_none() && !line.starts_paragraph && text.starts_with(char::is_lowercase);
            if !is_one_word {
                out.write(hyphen);
            }
            match level {
                Some(_) if continues => out.line_break(),
                Some(level) => out.start_heading((level + 1).min(6)),
                None => {
                    out.end_heading();
                    if line.starts_paragraph {
                        out.paragraph_break();
                    } else if !is_one_word {
                        out.line_break();
                    }
                }
            }
            heading = level.map(|_| line.size);
            let stem = text.strip_suffix('-').filter(|stem| level.is_none() && stem.ends_with(char::is_lowercase));
            hyphen = if stem.is_some() { "-" } else { "" };
            out.write(stem.unwrap_or(text));
        }
        out.write(hyphen);
        out.finish()
    }
}

fn is_title(text: &str) -> bool {
    text.chars().count() <= HEADING_CHARS && text.chars().any(char::is_alphabetic)
}

fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        'ﬀ' => "ff",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        'ﬃ' => "ffi",
        'ﬄ' => "ffl",
        'ﬅ' | 'ﬆ' => "st",
        _ => return None,
    })
}
