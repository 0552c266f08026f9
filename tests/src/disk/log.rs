//! The operations on the files of a disk, in order.

#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// =
    pub(super) name: String,
    pub(super) kind: OperationKind,
}

#[derive(Clone, Debug)]
pub(super) enum OperationKind {
    Created,
    Written {
        at: usize,
        bytes: Vec<u8>,
    },
    Truncated {
        len: usize,
    },
    /// All operations on the file before the instant `begun` are durable, and with `with_folder` the names in its
    /// folder.
    Synced {
        begun: usize,
        with_folder: bool,
    },
    Removed {
        durably: bool,
    },
}

#[derive(Debug, Default)]
pub(super) struct Log {
    operations: Vec<Operation>,
}

impl Log {
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }

    pub(super) fn add(&mut self, name: &str, kind: OperationKind) {
        self.operations.push(Operation { name: name.to_owned(), kind });
    }

    /// The first `at` operations.
    pub(super) fn until(&self, at: usize) -> &[Operation] {
        &self.operations[..at.min(self.operations.len())]
    }

    pub(super) fn written(&self, suffix: &str) -> usize {
        let of_file = self.operations.iter().filter(|operation| operation.name.ends_with(suffix));
        of_file
            .map(|operation| if let OperationKind::Written { bytes, .. } = &operation.kind { bytes.len() } else { 0 })
            .sum()
    }
}
