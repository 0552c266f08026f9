//! The upgrade of a database file that an earlier version wrote without [the file system](super::vfs): a single pass
//! over all pages. The file then has a mark, and later starts do not repeat the pass.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::page;

/// The application id of a file whose pages have no residue: "orgm".
pub(super) const MARK: i64 = 0x6f72_676d;

/// Bytes that are read at once: a multiple of every page size.
const CHUNK: usize = 1 << 20;

/// Overwrites the unused parts of all pages and returns the number of pages that had residue. No connection of this
/// process may be open: closing any handle of the file would release SQLite's POSIX locks on it.
///
/// Only unused bytes are overwritten, so an interruption at any point leaves a valid file.
///
/// # Complexity
/// O(size of the file).
pub(super) fn remove_residue(path: &Path) -> std::io::Result<u64> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let page_size = page_size(&mut file)?;
    let (mut chunk, mut offset, mut changed) = (vec![0; CHUNK], 0, 0);
    loop {
        file.seek(SeekFrom::Start(offset))?;
        let read = read_up_to(&mut file, &mut chunk)?;
        for page in chunk[..read].chunks_exact(page_size) {
            if let Some(unused) = page::unused(page, offset)
                && page[unused.clone()].iter().any(|byte| *byte != 0)
            {
                file.seek(SeekFrom::Start(offset + unused.start as u64))?;
                file.write_all(&vec![0; unused.len()])?;
                changed += 1;
            }
            offset += page_size as u64;
        }
        if read < CHUNK {
            file.sync_all()?;
            return Ok(changed);
        }
    }
}

fn page_size(file: &mut File) -> std::io::Result<usize> {
    let mut header = [0; 100];
    file.read_exact(&mut header)?;
    match usize::from(u16::from_be_bytes([header[16], header[17]])) {
        1 => Ok(65_536),
        size if size.is_power_of_two() && size >= 512 => Ok(size),
        size => Err(std::io::Error::new(ErrorKind::InvalidData, format!("a page size of {size} bytes"))),
    }
}

/// Fills the buffer, or as much of it as the file has.
fn read_up_to(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
