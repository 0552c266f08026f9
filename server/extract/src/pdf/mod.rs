//! The text of PDF files. The reader reads what text needs: objects, content streams, encodings and widths of fonts.
//!
//! The size of a PDF file bounds nothing by itself: 1 KiB can decompress into gigabytes, and references can repeat any part
//! of the file. So all reading and decompressing draws on one [`budget::Budget`]. The libraries for whole files bound single
//! streams at most, panic on malformed files, or follow nested objects recursively without a limit.

mod budget;
mod cmap;
mod content;
mod file;
mod filter;
mod font;
mod glyphs;
mod layout;
mod lexer;
mod matrix;
mod object;

use std::collections::HashSet;
use std::rc::Rc;

use encoding_rs::{UTF_8, UTF_16BE, WINDOWS_1252};

use crate::{ExtractError, Extracted, Limits};
use content::Interpreter;
use file::File;
use layout::Layout;
use object::{Dict, Object};

/// Where the header may begin.
const HEADER_BYTES: usize = 1024;
/// In characters.
const TITLE_CHARS: usize = 1000;

pub(crate) fn extract(bytes: &[u8], limits: &Limits) -> Result<Extracted, ExtractError> {
    let head = &bytes[..bytes.len().min(HEADER_BYTES)];
    if !head.windows(5).any(|window| window == b"%PDF-") {
        return Err(ExtractError::NotPdf);
    }
    let file = File::open(bytes, limits)?;
    let pages = pages(&file, limits)?;
    let mut interpreter = Interpreter::new(&file, Layout::new(limits));
    for page in &pages {
        interpreter.page(&contents(&file, &page.dict)?, &page.resources)?;
    }
    let layout = interpreter.into_layout();
    let is_unreadable = layout.is_unreadable();
    let text = layout.finish()?;
    if is_unreadable || text.chars().all(char::is_whitespace) {
        return Err(ExtractError::NoTextInPdf { pages: pages.len() });
    }
    Ok(Extracted { title: title(&file)?, text })
}

struct Page {
    dict: Rc<Dict>,
    resources: Rc<Dict>,
}

/// The pages in order. The tree is walked without recursion, each node once.
fn pages(file: &File<'_>, limits: &Limits) -> Result<Vec<Page>, ExtractError> {
    let root = file.root().map_or(Ok(Object::Null), |id| file.object(id))?;
    let root = root.dict().and_then(|root| root.get(&b"Pages"[..]).cloned());
    let Some(Object::Reference(root)) = root else { return Err(ExtractError::NoPages) };
    let mut pages = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![(root, Rc::new(Dict::new()))];
    while let Some((id, inherited)) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Object::Dict(dict) = file.object(id)? else { continue };
        let resources = file.get(&dict, b"Resources")?.dict().cloned().unwrap_or(inherited);
        match file.get(&dict, b"Kids")? {
            Object::Array(kids) => {
                file.budget.spend_work(kids.len())?;
                for kid in kids.iter().rev() {
                    if let Object::Reference(kid) = kid {
                        waiting.push((*kid, Rc::clone(&resources)));
                    }
                }
            }
            _ => pages.push(Page { dict, resources }),
        }
        if pages.len() > limits.pages || waiting.len() > 2 * limits.pages {
            return Err(ExtractError::TooManyPages { limit: limits.pages });
        }
    }
    if pages.is_empty() { Err(ExtractError::NoPages) } else { Ok(pages) }
}

/// The content streams of a page, one after the other.
fn contents(file: &File<'_>, page: &Dict) -> Result<Vec<u8>, ExtractError> {
    let mut data = Vec::new();
    let parts = match page.get(&b"Contents"[..]) {
        Some(Object::Reference(id)) => match file.object(*id)? {
            Object::Array(parts) => parts,
            _ => Rc::from([Object::Reference(*id)]),
        },
        Some(Object::Array(parts)) => Rc::clone(parts),
        _ => return Ok(data),
    };
    for part in parts.iter() {
        if let Object::Reference(id) = part
            && let Some((_, part)) = file.stream_data(*id)?
        {
            // a copy costs like decompressing
            file.budget.spend_work(part.len())?;
            if data.len() + part.len() > file.budget.largest() {
                return Err(ExtractError::TooComplex);
            }
            data.extend_from_slice(&part);
            data.push(b'\n');
        }
    }
    Ok(data)
}

fn title(file: &File<'_>) -> Result<Option<String>, ExtractError> {
    let info = file.info().map_or(Ok(Object::Null), |id| file.object(id))?;
    let Some(info) = info.dict() else { return Ok(None) };
    let title = file.get(info, b"Title")?;
    let text = match title.string().unwrap_or_default() {
        [0xfe, 0xff, rest @ ..] => UTF_16BE.decode_without_bom_handling(rest).0,
        [0xef, 0xbb, 0xbf, rest @ ..] => UTF_8.decode_without_bom_handling(rest).0,
        // PDFDocEncoding, but for rare signs
        bytes => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    };
    let shown: String = text.chars().filter(|c| c.is_whitespace() || !c.is_control()).take(TITLE_CHARS).collect();
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((!line.is_empty()).then_some(line))
}
