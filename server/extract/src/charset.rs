//! Bytes to text. Bytes outside the encoding are refused: a replacement character would silently lose text.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::error::{ExtractError, shortened};

/// Where the HTML standard looks for a `<meta>` with the encoding.
const PRESCAN_BYTES: usize = 1024;

/// By the byte order mark, the stated encoding, or as UTF-8.
pub(crate) fn decode<'a>(bytes: &'a [u8], stated: Option<&str>) -> Result<Cow<'a, str>, ExtractError> {
    let (encoding, mark) = match (Encoding::for_bom(bytes), stated) {
        (Some(found), _) => found,
        (None, Some(label)) => (by_label(label)?, 0),
        (None, None) => (UTF_8, 0),
    };
    decode_as(encoding, bytes, mark)
}

/// By the byte order mark, the stated encoding, that of a `<meta>`, or as UTF-8.
pub(crate) fn decode_html<'a>(bytes: &'a [u8], stated: Option<&str>) -> Result<Cow<'a, str>, ExtractError> {
    if stated.is_some() || Encoding::for_bom(bytes).is_some() {
        return decode(bytes, stated);
    }
    let encoding = match prescan(&bytes[..bytes.len().min(PRESCAN_BYTES)]) {
        Some(label) => by_label(&label)?,
        None => UTF_8,
    };
    // a `<meta>` that can be read as ASCII is not in UTF-16
    let encoding = if [UTF_16BE, UTF_16LE].contains(&encoding) { UTF_8 } else { encoding };
    decode_as(encoding, bytes, 0)
}

fn by_label(label: &str) -> Result<&'static Encoding, ExtractError> {
    Encoding::for_label_no_replacement(label.as_bytes())
        .ok_or_else(|| ExtractError::UnknownCharset { value: shortened(label) })
}

fn decode_as<'a>(encoding: &'static Encoding, bytes: &'a [u8], mark: usize) -> Result<Cow<'a, str>, ExtractError> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[mark..]);
    text.ok_or_else(|| {
        let offset = mark + first_fault(encoding, &bytes[mark..]);
        let byte = bytes.get(offset).copied().unwrap_or_default();
        ExtractError::InvalidText { encoding: encoding.name(), offset, byte }
    })
}

/// The offset of the first sequence outside the encoding.
fn first_fault(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut sink = [0; 4096];
    let mut read = 0;
    loop {
        match decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut sink, true) {
            (DecoderResult::InputEmpty, _, _) => return read,
            (DecoderResult::OutputFull, taken, _) => read += taken,
            (DecoderResult::Malformed(length, after), taken, _) => {
                return (read + taken).saturating_sub(usize::from(length) + usize::from(after));
            }
        }
    }
}

/// The label in `<meta charset=…>` or `<meta … content="text/html; charset=…">`.
fn prescan(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = head.as_str();
    while let Some((_, after)) = rest.split_once("<meta") {
        let (tag, next) = after.split_once('>')?;
        if let Some((_, value)) = tag.split_once("charset") {
            let value = value.trim_start().strip_prefix('=').unwrap_or_default().trim_start();
            let value = value.trim_start_matches(['"', '\'']);
            let end = value.find(|c: char| c.is_ascii_whitespace() || ['"', '\'', ';', '/'].contains(&c));
            let label = &value[..end.unwrap_or(value.len())];
            if !label.is_empty() {
                return Some(label.to_owned());
            }
        }
        rest = next;
    }
    None
}
