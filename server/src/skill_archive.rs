//! Packages of skills as tar.gz files. The same files give the same bytes: entries are sorted, without times and owners.

use std::io::{Read, Write};
use std::path::Component;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use orgmem_policies::skill_package::PackageFile;
use tar::{Archive, Builder, EntryType, Header};

/// Bytes of an unpacked package.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// `unknown` as the operating system of a gzip file (RFC 1952).
const NO_SYSTEM: u8 = 255;

/// Packs the files into one folder.
///
/// # Errors
/// An [`std::io::Error`] for a path that a tar file cannot have.
pub(crate) fn pack(folder: &str, files: &[PackageFile]) -> std::io::Result<Vec<u8>> {
    let encoder = GzBuilder::new().mtime(0).operating_system(NO_SYSTEM).write(Vec::new(), Compression::new(6));
    let mut archive = Builder::new(encoder);
    for file in files {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(file.text.len() as u64);
        for set in [Header::set_uid, Header::set_gid, Header::set_mtime] {
            set(&mut header, 0);
        }
        archive.append_data(&mut header, format!("{folder}/{}", file.path), file.text.as_bytes())?;
    }
    let mut encoder = archive.into_inner()?;
    encoder.flush()?;
    encoder.finish()
}

/// Unpacks the files of one folder, sorted by path.
///
/// # Errors
/// An [`std::io::Error`] for a damaged or too large file, and for entries that are no files within the folder.
pub(crate) fn unpack(folder: &str, bytes: &[u8]) -> std::io::Result<Vec<PackageFile>> {
    let invalid = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what.to_owned());
    let mut archive = Archive::new(GzDecoder::new(bytes).take(MAX_BYTES));
    let mut files = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.header().entry_type() != EntryType::Regular {
            return Err(invalid("the package has an entry that is no file"));
        }
        let path = entry.path()?.into_owned();
        let mut parts = path.components();
        let is_within = parts.next() == Some(Component::Normal(folder.as_ref()));
        let names: Option<Vec<String>> = parts
            .map(|part| match part {
                Component::Normal(name) => name.to_str().map(str::to_owned),
                _ => None,
            })
            .collect();
        let names = names.filter(|names| is_within && !names.is_empty());
        let names = names.ok_or_else(|| invalid("the package has a file outside its folder"))?;
        let mut text = String::new();
        entry.read_to_string(&mut text)?;
        files.push(PackageFile { path: names.join("/"), text });
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> PackageFile {
        PackageFile { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn packing_is_reproducible_and_unpacking_its_inverse() {
        let files = [file("SKILL.md", "# Deploy\n"), file("provenance.json", "{}\n"), file("references/1.md", "long")];
        let packed = pack("deploy", &files).expect("it packs");
        assert_eq!(packed, pack("deploy", &files).expect("it packs"));
        assert_eq!(packed[4..10], [0, 0, 0, 0, 0, NO_SYSTEM], "neither time nor system");
        assert_eq!(unpack("deploy", &packed).expect("it unpacks"), files);
    }

    #[test]
    fn entries_outside_the_folder_and_damaged_files_are_refused() {
        let packed = pack("deploy", &[file("SKILL.md", "x")]).expect("it packs");
        assert!(unpack("other", &packed).is_err());
        assert!(unpack("deploy", &packed[..packed.len() / 2]).is_err());
        let mut archive = Builder::new(GzBuilder::new().write(Vec::new(), Compression::fast()));
        let mut link = Header::new_ustar();
        link.set_entry_type(EntryType::Symlink);
        link.set_size(0);
        archive.append_link(&mut link, "deploy/a", "/etc/passwd").expect("an entry");
        let bytes = archive.into_inner().and_then(|encoder| encoder.finish()).expect("an archive");
        assert!(unpack("deploy", &bytes).is_err());
    }
}
