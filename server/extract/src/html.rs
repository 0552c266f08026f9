//! HTML by its tokens. No tree is built, so nesting costs nothing.

use std::convert::Infallible;

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use crate::output::Output;
use crate::plain::refuse_binary;
use crate::{ExtractError, Extracted, Limits};

/// Ordered lists deeper than this are not numbered.
const NUMBERED_DEPTH: usize = 32;
/// In bytes.
const TITLE_LIMIT: usize = 4096;

pub(crate) fn extract(text: &str, limits: &Limits) -> Result<Extracted, ExtractError> {
    refuse_binary(text, "text/html")?;
    let mut page = Page::new(limits);
    let mut emitter = CallbackEmitter::new(&mut page);
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(text, emitter).finish();
    // a title beyond its limit is cut, for the text has the words that matter
    let title = page.title.into_text();
    Ok(Extracted { title: (!title.is_empty()).then_some(title), text: page.body.finish()? })
}

/// Where characters go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sink {
    Body,
    Title,
    Nowhere,
}

struct Page {
    body: Output,
    title: Output,
    has_title: bool,
    sink: Sink,
    /// The next number of each open list; none for a list with bullets.
    lists: Vec<Option<u32>>,
    /// Open lists beyond [`NUMBERED_DEPTH`].
    deep_lists: usize,
    cells: usize,
    is_image: bool,
    is_alternative_text: bool,
}

impl Page {
    fn new(limits: &Limits) -> Self {
        Page {
            body: Output::new(limits.output_bytes),
            title: Output::new(TITLE_LIMIT),
            has_title: false,
            sink: Sink::Body,
            lists: Vec::new(),
            deep_lists: 0,
            cells: 0,
            is_image: false,
            is_alternative_text: false,
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        self.is_image = name == b"img";
        self.is_alternative_text = false;
        match name {
            // their content is one run of characters up to the end tag
            b"script" | b"style" | b"noscript" | b"iframe" | b"noembed" => self.sink = Sink::Nowhere,
            b"title" => {
                self.sink = if self.has_title { Sink::Nowhere } else { Sink::Title };
                self.has_title = true;
            }
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => {
                self.body.start_heading(usize::from(name[1] - b'0'));
            }
            b"pre" | b"listing" | b"xmp" => self.body.set_verbatim(true),
            b"ul" | b"menu" | b"ol" => self.start_list(name == b"ol"),
            b"li" => self.start_item(),
            b"table" => self.body.end_block(),
            b"tr" => {
                self.cells = 0;
                self.body.end_cell();
                self.body.line_break();
            }
            b"td" | b"th" => {
                self.body.start_cell(self.cells == 0);
                self.cells += 1;
            }
            b"br" | b"dd" | b"option" => self.body.line_break(),
            b"hr" => self.body.end_block(),
            name if is_block(name) => self.body.paragraph_break(),
            _ => {}
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        self.sink = Sink::Body;
        match name {
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => self.body.end_heading(),
            b"pre" | b"listing" | b"xmp" => self.body.set_verbatim(false),
            b"ul" | b"menu" | b"ol" => self.end_list(),
            b"table" => self.body.end_block(),
            b"li" => self.body.end_item(),
            b"td" | b"th" => self.body.end_cell(),
            b"tr" => self.body.line_break(),
            name if is_block(name) => self.body.paragraph_break(),
            _ => {}
        }
    }

    fn start_list(&mut self, is_ordered: bool) {
        if self.lists.len() < NUMBERED_DEPTH {
            self.lists.push(is_ordered.then_some(1));
        } else {
            self.deep_lists += 1;
        }
        self.body.end_heading();
        self.body.paragraph_break();
    }

    fn end_list(&mut self) {
        if self.deep_lists > 0 {
            self.deep_lists -= 1;
        } else {
            self.lists.pop();
        }
        self.body.paragraph_break();
    }

    fn start_item(&mut self) {
        let number = self.lists.last_mut().filter(|_| self.deep_lists == 0).and_then(Option::as_mut);
        let mark = match number {
            Some(number) => {
                *number = number.saturating_add(1);
                format!("{}. ", *number - 1)
            }
            None => "- ".to_owned(),
        };
        self.body.end_heading();
        self.body.start_item(mark);
    }

    fn characters(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match self.sink {
            Sink::Body => self.body.write(&text),
            Sink::Title => self.title.write(&text),
            Sink::Nowhere => {}
        }
    }
}

/// Elements whose content is separated from the text around it.
fn is_block(name: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 25] = [
        b"address",
        b"article",
        b"aside",
        b"blockquote",
        b"body",
        b"caption",
        b"center",
        b"details",
        b"dialog",
        b"div",
        b"dl",
        b"dt",
        b"fieldset",
        b"figcaption",
        b"figure",
        b"footer",
        b"form",
        b"header",
        b"legend",
        b"main",
        b"nav",
        b"p",
        b"section",
        b"summary",
        b"tbody",
    ];
    BLOCKS.binary_search(&name).is_ok()
}

impl Callback<Infallible, ()> for &mut Page {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            _ if self.body.is_full() => {}
            CallbackEvent::OpenStartTag { name } => self.start_tag(name),
            CallbackEvent::AttributeName { name } => self.is_alternative_text = self.is_image && name == b"alt",
            CallbackEvent::AttributeValue { value } if self.is_alternative_text => self.characters(value),
            CallbackEvent::EndTag { name } => self.end_tag(name),
            CallbackEvent::String { value } => self.characters(value),
            _ => {}
        }
        None
    }
}
