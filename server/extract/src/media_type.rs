//! The media types with an extractor.

use crate::error::{ExtractError, shortened};

/// A format with an extractor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `text/plain`
    Plain,
    /// `text/markdown`
    Markdown,
    /// `text/html`
    Html,
    /// `text/csv`
    Csv,
    /// `application/pdf`
    Pdf,
}

impl Format {
    /// In the order of the messages.
    pub const ALL: [Format; 5] = [Format::Plain, Format::Markdown, Format::Html, Format::Csv, Format::Pdf];

    /// The media type without parameters.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Plain => "text/plain",
            Format::Markdown => "text/markdown",
            Format::Html => "text/html",
            Format::Csv => "text/csv",
            Format::Pdf => "application/pdf",
        }
    }

    /// The format of an extension of a file name, in any case.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Format> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "txt" | "text" => Format::Plain,
            "md" | "markdown" => Format::Markdown,
            "html" | "htm" | "xhtml" => Format::Html,
            "csv" => Format::Csv,
            "pdf" => Format::Pdf,
            _ => return None,
        })
    }
}

/// A format and the character encoding that the sender states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    format: Format,
    charset: Option<String>,
}

impl MediaType {
    /// Reads `text/html` or `text/html; charset=windows-1252`. Parameters other than `charset` have no effect.
    ///
    /// # Errors
    ///
    /// Refuses a media type without an extractor.
    pub fn parse(value: &str) -> Result<Self, ExtractError> {
        let mut parts = value.split(';');
        let essence = parts.next().unwrap_or_default().trim();
        let format = Format::ALL.into_iter().find(|format| format.as_str().eq_ignore_ascii_case(essence));
        let Some(format) = format else {
            return Err(ExtractError::UnsupportedMediaType { value: shortened(value) });
        };
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
        });
        Ok(MediaType { format, charset })
    }

    #[must_use]
    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The stated character encoding, as written.
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }
}

impl From<Format> for MediaType {
    fn from(format: Format) -> Self {
        MediaType { format, charset: None }
    }
}
