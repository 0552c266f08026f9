//! What was done to the files of a disk, in order.

/// One thing that was done to a file.
#[derive(Clone, Debug)]
pub(super) struct Deed {
    /// The file's name in the folder.
    pub(super) name: String,
    pub(super) what: What,
}

/// What was done.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// It was made.
    Made,
    /// Bytes were written.
    Written { at: usize, bytes: Vec<u8> },
    /// It was given this length.
    Cut { len: usize },
    /// All that was done to it before the instant `begun` became durable and, where its folder was synced too, the names
    /// in the folder.
    Synced { begun: usize, with_folder: bool },
    /// Its name was taken away.
    Removed { durably: bool },
}

/// The history of a disk.
#[derive(Debug, Default)]
pub(super) struct Log {
    deeds: Vec<Deed>,
}

impl Log {
    pub(super) fn len(&self) -> usize {
        self.deeds.len()
    }

    pub(super) fn add(&mut self, name: &str, what: What) {
        self.deeds.push(Deed { name: name.to_owned(), what });
    }

    /// The first so many.
    pub(super) fn until(&self, at: usize) -> &[Deed] {
        &self.deeds[..at.min(self.deeds.len())]
    }

    pub(super) fn written(&self, name_ends: &str) -> usize {
        let of_file = self.deeds.iter().filter(|deed| deed.name.ends_with(name_ends));
        of_file.map(|deed| if let What::Written { bytes, .. } = &deed.what { bytes.len() } else { 0 }).sum()
    }
}
