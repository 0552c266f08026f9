use std::collections::BTreeMap;

use uuid::Uuid;

use super::{OwnPath, ROOT, SharedFolder};

/// Levels below a folder that its listing has.
const LEVELS: usize = 2;

/// A file in the listing of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// The path of the file.
    pub path: OwnPath,
    /// The size of its text in bytes.
    pub bytes: usize,
}

/// The listing of a folder, two levels deep: sizes and paths of its folders and files, sorted by path. `folder` is `None`
/// for `/memories`, which also lists the shared folders. Hidden items are left out.
///
/// ```
/// use orgmem_policies::memory_files::{FileEntry, OwnPath, list_folder};
///
/// let path = OwnPath::of_title("notes/plan.md").expect("a path");
/// let listing = list_folder(None, &[FileEntry { path, bytes: 1536 }]);
/// assert!(listing.ends_with("1.5K\t/memories\n1.5K\t/memories/notes\n1.5K\t/memories/notes/plan.md\n0B\t/memories/org\n0B\t/memories/team"));
/// ```
#[must_use]
pub fn list_folder(folder: Option<&OwnPath>, files: &[FileEntry]) -> String {
    let name = folder.map_or_else(|| ROOT.to_owned(), ToString::to_string);
    let mut total = 0;
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    if folder.is_none() {
        listed.extend(SharedFolder::ALL.map(|folder| (folder.path(), 0)));
    }
    for file in files.iter().filter(|file| folder.is_none_or(|folder| file.path.is_below(folder))) {
        total += file.bytes;
        let below = file.path.to_string();
        let segments: Vec<&str> = below[name.len()..].split('/').skip(1).collect();
        let mut path = name.clone();
        for segment in segments.iter().take(LEVELS).take_while(|segment| !is_hidden(segment)) {
            path = format!("{path}/{segment}");
            *listed.entry(path.clone()).or_default() += file.bytes;
        }
    }
    listing(&name, total, listed)
}

/// The listing of a shared folder: the sizes of its memories and their paths, in this order.
#[must_use]
pub fn list_shared(folder: SharedFolder, memories: &[(Uuid, usize)]) -> String {
    let total = memories.iter().map(|(_, bytes)| bytes).sum();
    listing(&folder.path(), total, memories.iter().map(|&(id, bytes)| (folder.path_of(id), bytes)))
}

fn listing(folder: &str, total: usize, rows: impl IntoIterator<Item = (String, usize)>) -> String {
    let mut lines = vec![
        format!(
            "Here're the files and directories up to 2 levels deep in {folder}, excluding hidden items and node_modules:"
        ),
        format!("{}\t{folder}", size(total)),
    ];
    lines.extend(rows.into_iter().map(|(path, bytes)| format!("{}\t{path}", size(bytes))));
    lines.join("\n")
}

fn is_hidden(segment: &str) -> bool {
    segment.starts_with('.') || segment == "node_modules"
}

/// A size with one unit, as `du -h` has it.
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn size(bytes: usize) -> String {
    match bytes {
        0..1024 => format!("{bytes}B"),
        1024..1_048_576 => format!("{:.1}K", bytes as f64 / 1024.0),
        _ => format!("{:.1}M", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(title: &str, bytes: usize) -> FileEntry {
        FileEntry { path: OwnPath::of_title(title).expect("a path"), bytes }
    }

    #[test]
    fn listing_has_two_levels_and_no_hidden_items() {
        let files = [
            file("a.md", 10),
            file("p/q/r/deep.md", 2048),
            file("p/b.md", 5),
            file(".hidden", 1),
            file("node_modules/x", 1),
        ];
        let listing = list_folder(None, &files);
        let rows: Vec<&str> = listing.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "2.0K\t/memories",
                "10B\t/memories/a.md",
                "0B\t/memories/org",
                "2.0K\t/memories/p",
                "5B\t/memories/p/b.md",
                "2.0K\t/memories/p/q",
                "0B\t/memories/team",
            ]
        );
        let folder = OwnPath::of_title("p").expect("a path");
        let listing = list_folder(Some(&folder), &files);
        let rows: Vec<&str> = listing.lines().skip(1).collect();
        assert_eq!(rows, ["2.0K\t/memories/p", "5B\t/memories/p/b.md", "2.0K\t/memories/p/q", "2.0K\t/memories/p/q/r"]);
    }
}
