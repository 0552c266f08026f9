//! Why a file has no text here.

use thiserror::Error;

/// Why a file has no text here. Each message names the value and a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// No extractor for this media type.
    #[error(
        "the media type `{value}` is not supported: send text/plain, text/markdown, text/html, text/csv or \
         application/pdf, or convert the file to one of them"
    )]
    UnsupportedMediaType {
        /// As stated by the sender.
        value: String,
    },
    /// The file exceeds [`crate::Limits::input_bytes`].
    #[error("the file has {bytes} bytes; the limit is {limit}: split it into several documents")]
    InputTooLarge {
        /// Of the file.
        bytes: usize,
        /// Of a file.
        limit: usize,
    },
    /// The text exceeds [`crate::Limits::output_bytes`].
    #[error("the text of the file has more than {limit} bytes: split the file into several documents")]
    OutputTooLarge {
        /// Of the text.
        limit: usize,
    },
    /// No character encoding has this label.
    #[error(
        "the character encoding `{value}` is not known: name one of the WHATWG Encoding Standard in the media type, \
         such as `charset=windows-1252`, or convert the file to UTF-8"
    )]
    UnknownCharset {
        /// As stated by the sender or the file.
        value: String,
    },
    /// A byte sequence without meaning in the character encoding.
    #[error(
        "the byte 0x{byte:02x} at offset {offset} is not valid {encoding}: convert the file to UTF-8, or name its \
         character encoding in the media type, such as `charset=windows-1252`"
    )]
    InvalidText {
        /// Its name in the WHATWG Encoding Standard.
        encoding: &'static str,
        /// In bytes from the start of the file.
        offset: usize,
        /// The first byte of the sequence.
        byte: u8,
    },
    /// A file of another kind, or UTF-16 without a byte order mark.
    #[error(
        "the file has a NUL character at offset {offset} of its text, so it is no {media_type}: send its actual media \
         type; UTF-16 needs a byte order mark or `charset=utf-16le`"
    )]
    Binary {
        /// Without parameters.
        media_type: &'static str,
        /// In bytes of UTF-8 from the start of the decoded text.
        offset: usize,
    },
    /// No header of a PDF file.
    #[error(
        "the file has no `%PDF-` in its first 1,024 bytes, so it is no application/pdf: send its actual media type"
    )]
    NotPdf,
    /// A password, or restrictions of the owner.
    #[error("the PDF file is encrypted: save it without a password and without restrictions")]
    Encrypted,
    /// Damaged beyond what the reader repairs.
    #[error("the PDF file has no pages that can be found: it is damaged or incomplete; save it again")]
    NoPages,
    /// Pages beyond [`crate::Limits::pages`].
    #[error("the PDF file has more than {limit} pages: split it into several documents")]
    TooManyPages {
        /// Of pages.
        limit: usize,
    },
    /// A decompression bomb, or a very large file.
    #[error(
        "the streams of the PDF file decompress into more than {limit} bytes, the limit for a file of its size: split it \
         into several documents, or save it again without unused objects"
    )]
    DecompressedTooLarge {
        /// Of all streams.
        limit: usize,
    },
    /// References repeat parts of the file beyond any use, or its tables and lines are beyond those of any document.
    #[error(
        "the PDF file needs more work than a file of its size may: print it into a new file, or split it into several \
         documents"
    )]
    TooComplex,
    /// Pages of images, or fonts without Unicode.
    #[error(
        "the {pages} pages of the PDF file have no text that can be read (scanned images, or fonts without Unicode): add \
         text by character recognition (OCR) first"
    )]
    NoTextInPdf {
        /// Of the file.
        pages: usize,
    },
    /// Nothing to read in the file.
    #[error("the file has no text, read as {media_type}: send a file with text, or its actual media type")]
    NoText {
        /// Without parameters.
        media_type: &'static str,
    },
}

/// The longest part of a value of the file or the sender in a message, in characters.
const SHOWN_CHARS: usize = 100;

/// A value of the file or the sender, short enough for a message.
pub(crate) fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
