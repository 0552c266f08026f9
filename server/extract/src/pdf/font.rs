//! Fonts: the texts and widths of codes. The shapes of glyphs are not read.

use std::collections::BTreeMap;

use super::cmap::{CMap, code_of};
use super::file::File;
use super::glyphs::{self, Table};
use super::object::{Dict, Object};
use crate::ExtractError;

/// Of a glyph without a stated width, in text space.
const USUAL_WIDTH: f64 = 0.5;
/// What a font without tables of its own counts as.
const FONT_ENTRIES: usize = 64;

/// How many bytes a code has, and its text without a character map.
enum Codes {
    Simple(Table),
    /// Two bytes; they are UTF-16 in some predefined character maps.
    Composite {
        is_utf_16: bool,
    },
}

pub(super) struct Font {
    codes: Codes,
    to_unicode: CMap,
    /// First and last code, and the widths of these codes; a single width holds for all.
    widths: BTreeMap<u32, (u32, Vec<f64>)>,
    usual_width: f64,
}

/// A code of a string.
pub(super) struct Glyph {
    /// None if the file does not say what it means.
    pub(super) text: Option<String>,
    /// In text space of a font of size 1.
    pub(super) width: f64,
    /// The single byte 32, to which word spacing applies.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn load(file: &File<'_>, dict: &Dict) -> Result<Font, ExtractError> {
        let to_unicode = match dict.get(&b"ToUnicode"[..]) {
            Some(Object::Reference(id)) => match file.stream_data(*id)? {
                Some((_, data)) => {
                    file.budget.spend_work(data.len())?;
                    let map = CMap::parse(&data);
                    file.budget.spend_entries(map.len())?;
                    map
                }
                None => CMap::default(),
            },
            _ => CMap::default(),
        };
        file.budget.spend_entries(FONT_ENTRIES)?;
        let encoding = file.get(dict, b"Encoding")?;
        if file.get(dict, b"Subtype")?.name() == Some(b"Type0") {
            return Font::composite(file, dict, to_unicode, &encoding);
        }
        let mut font = Font {
            codes: Codes::Simple(simple_table(file, dict, &encoding)?),
            to_unicode,
            widths: BTreeMap::new(),
            usual_width: USUAL_WIDTH,
        };
        let matrix = file.get(dict, b"FontMatrix")?;
        let scale = matrix.array().and_then(|matrix| matrix.first()?.number()).unwrap_or(0.001);
        let first = file.get(dict, b"FirstChar")?.number().unwrap_or_default() as u32;
        if let Some(widths) = file.get(dict, b"Widths")?.array() {
            let widths = numbers(file, &widths[..widths.len().min(256)], scale)?;
            font.add_widths(first, widths);
        }
        Ok(font)
    }

    fn composite(file: &File<'_>, dict: &Dict, to_unicode: CMap, encoding: &Object) -> Result<Font, ExtractError> {
        let name = encoding.name().map(String::from_utf8_lossy).unwrap_or_default();
        let is_utf_16 = name.contains("UTF16") || name.contains("UCS2");
        let codes = Codes::Composite { is_utf_16 };
        let mut font = Font { codes, to_unicode, widths: BTreeMap::new(), usual_width: 1.0 };
        let descendants = file.get(dict, b"DescendantFonts")?;
        let descendant = descendants.array().and_then(<[Object]>::first);
        let descendant = descendant.map_or(Ok(Object::Null), |object| file.resolve(object))?;
        let Some(descendant) = descendant.dict() else { return Ok(font) };
        font.usual_width = file.get(descendant, b"DW")?.number().unwrap_or(1000.0) / 1000.0;
        let widths = file.get(descendant, b"W")?;
        let mut rest = widths.array().unwrap_or_default();
        file.budget.spend_entries(rest.len())?;
        while let [first, second, after @ ..] = rest {
            let Some(first) = first.number().map(|first| first as u32) else { break };
            match (file.resolve(second)?, after) {
                (Object::Array(listed), _) => {
                    font.add_widths(first, numbers(file, &listed, 0.001)?);
                    rest = after;
                }
                (Object::Number(last), [Object::Number(width), after @ ..]) => {
                    font.widths.insert(first, (last as u32, vec![width / 1000.0]));
                    rest = after;
                }
                _ => break,
            }
        }
        Ok(font)
    }

    fn add_widths(&mut self, first: u32, widths: Vec<f64>) {
        let count = u32::try_from(widths.len()).unwrap_or(u32::MAX);
        if count > 0 {
            self.widths.insert(first, (first.saturating_add(count - 1), widths));
        }
    }

    fn width(&self, code: u32) -> f64 {
        let found = self.widths.range(..=code).next_back().filter(|(_, (last, _))| code <= *last);
        let width = found.and_then(|(first, (_, widths))| match widths.as_slice() {
            [width] => Some(*width),
            widths => widths.get((code - first) as usize).copied(),
        });
        width.unwrap_or(self.usual_width)
    }

    /// The glyph at the beginning of a string, which is not empty, and the rest of the string.
    pub(super) fn next<'s>(&self, string: &'s [u8]) -> (Glyph, &'s [u8]) {
        let (code, length) = match &self.codes {
            Codes::Simple(_) => (code_of(&string[..1]), 1),
            Codes::Composite { .. } => self.to_unicode.next_code(string, 2),
        };
        let mapped = self.to_unicode.text(code).filter(|text| !text.is_empty());
        let text = mapped.or_else(|| match &self.codes {
            Codes::Simple(table) => {
                table.get(code as usize).filter(|text| !text.is_empty()).map(|text| text.to_string())
            }
            Codes::Composite { is_utf_16: true } if self.to_unicode.is_empty() => {
                char::from_u32(code).map(String::from)
            }
            Codes::Composite { .. } => None,
        });
        let is_space = length == 1 && code == 32;
        (Glyph { text, width: self.width(code), is_space }, &string[length..])
    }
}

fn numbers(file: &File<'_>, objects: &[Object], scale: f64) -> Result<Vec<f64>, ExtractError> {
    file.budget.spend_entries(objects.len())?;
    objects.iter().map(|object| Ok(file.resolve(object)?.number().unwrap_or_default() * scale)).collect()
}

fn simple_table(file: &File<'_>, dict: &Dict, encoding: &Object) -> Result<Table, ExtractError> {
    let is_true_type = file.get(dict, b"Subtype")?.name() == Some(b"TrueType");
    let usual = is_true_type.then_some(&b"WinAnsiEncoding"[..]);
    let Some(own) = encoding.dict() else { return Ok(glyphs::encoding(encoding.name().or(usual))) };
    let base = file.get(own, b"BaseEncoding")?;
    let mut table = glyphs::encoding(base.name().or(usual));
    let differences = file.get(own, b"Differences")?;
    let mut code = 0_usize;
    // each code once, and the numbers between them
    for object in differences.array().unwrap_or_default().iter().take(1024) {
        match object {
            Object::Number(number) => code = *number as usize,
            Object::Name(name) => {
                if let Some(entry) = table.get_mut(code) {
                    let name = String::from_utf8_lossy(name);
                    *entry = glyphs::text(&name).unwrap_or_default().into();
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    Ok(table)
}
