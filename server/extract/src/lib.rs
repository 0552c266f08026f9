//! The text of uploaded files: bytes and a media type to Markdown-like plain text.
//!
//! A pure function: no I/O, no clock, no threads. The text has `#` headings where the file has headings, paragraphs
//! separated by an empty line, and preformatted text indented by four spaces. A line of a paragraph that would read as a
//! heading is escaped by a backslash.
//!
//! | media type | text |
//! |---|---|
//! | `text/plain`, `text/markdown` | the text itself, with line feeds, without control characters |
//! | `text/html` | text without markup, scripts and styles; a table row is a line with its cells between ` \| ` |
//! | `text/csv` | one paragraph per row, one line per cell: `column: value`; the first row names the columns |
//! | `application/pdf` | the text of the pages in the order of the file; lines in larger type are headings |
//!
//! # Guarantees
//!
//! * No input causes a panic; the result depends on the input only.
//! * Time and memory are linear in the size of the file, which [`Limits::input_bytes`] bounds, and the text has at most
//!   [`Limits::output_bytes`]. A PDF file decompresses into at most [`Limits::decompressed_bytes`], and less if it is small.
//! * A file is extracted as a whole or refused. Bytes outside the character encoding are refused, not replaced.

mod charset;
mod error;
mod html;
mod limits;
mod media_type;
mod output;
mod pdf;
mod plain;
mod table;

pub use error::ExtractError;
pub use limits::Limits;
pub use media_type::{Format, MediaType};

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    /// The title that the file itself states, on one line: `<title>`, or that of the PDF file's information.
    pub title: Option<String>,
    /// Never without a visible character.
    pub text: String,
}

/// The text of a file of the given media type.
///
/// # Errors
///
/// Refuses a file that exceeds a limit, is damaged, has bytes outside its character encoding, or has no text.
pub fn extract(bytes: &[u8], media_type: &MediaType, limits: &Limits) -> Result<Extracted, ExtractError> {
    if bytes.len() > limits.input_bytes {
        return Err(ExtractError::InputTooLarge { bytes: bytes.len(), limit: limits.input_bytes });
    }
    let charset = media_type.charset();
    let extracted = match media_type.format() {
        Format::Plain | Format::Markdown => plain::extract(&charset::decode(bytes, charset)?, limits)?,
        Format::Html => html::extract(&charset::decode_html(bytes, charset)?, limits)?,
        Format::Csv => table::extract(&charset::decode(bytes, charset)?, limits)?,
        Format::Pdf => pdf::extract(bytes, limits)?,
    };
    if extracted.text.chars().all(char::is_whitespace) {
        return Err(ExtractError::NoText { media_type: media_type.format().as_str() });
    }
    Ok(extracted)
}
