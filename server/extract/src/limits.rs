//! Upper bounds of one extraction.

const MIB: usize = 1024 * 1024;

/// Upper bounds of one extraction. A file beyond one of them is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Of the file.
    pub input_bytes: usize,
    /// Of the text.
    pub output_bytes: usize,
    /// Of all streams of a PDF file that are decompressed; a stream that is used twice counts twice.
    pub decompressed_bytes: usize,
    /// Of a PDF file.
    pub pages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { input_bytes: 20 * MIB, output_bytes: 20 * MIB, decompressed_bytes: 128 * MIB, pages: 10_000 }
    }
}
