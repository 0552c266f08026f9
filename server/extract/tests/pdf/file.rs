//! A writer of small PDF files.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use orgmem_extract::{ExtractError, Extracted, Format, Limits, extract};

/// A PDF file in the making: its objects in the order of their numbers from 1.
#[derive(Clone, Default)]
pub(crate) struct File {
    objects: Vec<Vec<u8>>,
    trailer: String,
}

impl File {
    /// A catalog (1), a page tree (2), a font (3), and the pages with their contents.
    pub(crate) fn of_pages(contents: &[&str]) -> File {
        let mut file = File::default();
        file.add("<< /Type /Catalog /Pages 2 0 R >>");
        let kids: String = (0..contents.len()).map(|page| format!("{} 0 R ", 4 + 2 * page)).collect();
        file.add(&format!(
            "<< /Type /Pages /Kids [{kids}] /Count {} /Resources << /Font << /F 3 0 R >> >> >>",
            contents.len()
        ));
        file.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
        for (page, content) in contents.iter().enumerate() {
            file.add(&format!("<< /Type /Page /Parent 2 0 R /Contents {} 0 R >>", 5 + 2 * page));
            file.add_stream("", content.as_bytes());
        }
        file
    }

    /// Adds an object and returns its number.
    pub(crate) fn add(&mut self, object: &str) -> usize {
        self.objects.push(object.as_bytes().to_vec());
        self.objects.len()
    }

    pub(crate) fn add_stream(&mut self, entries: &str, data: &[u8]) -> usize {
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        object.extend_from_slice(data);
        object.extend_from_slice(b"\nendstream");
        self.objects.push(object);
        self.objects.len()
    }

    pub(crate) fn add_deflated(&mut self, entries: &str, data: &[u8]) -> usize {
        self.add_stream(&format!("{entries} /Filter /FlateDecode"), &deflate(data))
    }

    pub(crate) fn replace(&mut self, number: usize, object: &str) {
        self.objects[number - 1] = object.as_bytes().to_vec();
    }

    pub(crate) fn in_trailer(mut self, entries: &str) -> File {
        self.trailer.push_str(entries);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", self.objects.len() + 1);
        for (at, object) in self.objects.iter().enumerate() {
            table.push_str(&format!("{:010} 00000 n \n", bytes.len()));
            bytes.extend_from_slice(format!("{} 0 obj\n", at + 1).as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let start = bytes.len();
        bytes.extend_from_slice(table.as_bytes());
        let trailer = format!(
            "trailer\n<< /Size {} /Root 1 0 R {} >>\nstartxref\n{start}\n%%EOF\n",
            self.objects.len() + 1,
            self.trailer
        );
        bytes.extend_from_slice(trailer.as_bytes());
        bytes
    }

    pub(crate) fn extract(&self) -> Result<Extracted, ExtractError> {
        read(&self.bytes())
    }

    pub(crate) fn text(&self) -> String {
        self.extract().expect("the file has text").text
    }
}

pub(crate) fn read(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    extract(bytes, &Format::Pdf.into(), &Limits::default())
}

pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).expect("memory has room");
    encoder.finish().expect("memory has room")
}
