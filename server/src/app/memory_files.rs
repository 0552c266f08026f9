//! The files of a workspace as memories: reading, listing and the text of blank files.

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_policies::memory_files::{FILE_KIND, FILE_NAMESPACE, FileEntry, OwnPath, SharedFolder};
use orgmem_recall::{Filter, Order, PageRequest, Query};
use orgmem_store::{Memory, ReadTx, Search};
use orgmem_types as wire;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::AppError;
use super::call::Call;

/// Files that one query of a listing reads.
const PAGE: usize = 100;

/// Memories that the listing of a shared folder has.
const SHARED_LISTED: usize = 100;

/// The content of the memory of a blank file; memories have no blank content.
const BLANK_CONTENT: &str = "(empty file)";

/// The member of the metadata with the text of a blank file.
const BLANK_TEXT: &str = "blank_text";

/// A file as it is stored.
#[derive(Clone, Debug)]
pub(super) struct StoredFile {
    pub(super) path: OwnPath,
    pub(super) id: Uuid,
    pub(super) version: i64,
    pub(super) text: String,
    /// What it states about records: a JSON array.
    pub(super) claims: Option<String>,
}

impl StoredFile {
    /// The file in a memory; `None` for a memory that is no file of the end user `subject`, or of none.
    pub(super) fn of(memory: Memory, subject: Option<&str>) -> Option<Self> {
        let path = memory.authored.title.as_deref().and_then(OwnPath::of_title)?;
        let is_file = memory.authored.kind == FILE_KIND
            && memory.scope == Scope::Local
            && memory.authored.subject.as_deref() == subject
            && memory.id == path.memory_id(memory.author, subject);
        let metadata: Option<Map<String, Value>> =
            memory.authored.metadata.as_deref().and_then(|metadata| serde_json::from_str(metadata).ok());
        let blank = metadata.as_ref().and_then(|metadata| metadata.get(BLANK_TEXT)).and_then(Value::as_str);
        let claims = memory.authored.claims.clone();
        let text = match blank {
            Some(blank) if memory.authored.content == BLANK_CONTENT => blank.to_owned(),
            _ => memory.authored.content,
        };
        is_file.then_some(Self { path, id: memory.id, version: memory.version, text, claims })
    }
}

/// The content and the metadata of the memory of a file.
pub(super) fn stored_text(text: String) -> (String, Option<wire::Object>) {
    if text.trim().is_empty() {
        let metadata = Map::from_iter([(BLANK_TEXT.to_owned(), Value::String(text))]);
        return (BLANK_CONTENT.to_owned(), Some(metadata));
    }
    (text, None)
}

/// The request that commits a file.
pub(super) fn commit_of(
    path: &OwnPath,
    author: WorkspaceId,
    subject: Option<&str>,
    text: String,
) -> wire::CommitMemory {
    let (content, metadata) = stored_text(text);
    wire::CommitMemory {
        id: Some(path.memory_id(author, subject)),
        subject: subject.map(str::to_owned),
        title: Some(path.as_str().to_owned()),
        kind: Some(FILE_KIND.to_owned()),
        namespace: Some(FILE_NAMESPACE.to_owned()),
        metadata,
        ..wire::CommitMemory::new(content, Scope::Local)
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The id of the memory of the file at a path: each end user has files of its own.
    pub(super) fn file_id(&self, path: &OwnPath) -> Uuid {
        path.memory_id(self.workspace, self.caller.user().subject())
    }

    /// The file of the reader at a path.
    pub(super) fn file(&mut self, pass: &ReadPass, path: &OwnPath) -> Result<Option<StoredFile>, AppError> {
        let found = self.tx.memory(pass, self.file_id(path))?;
        let subject = self.caller.user().subject();
        Ok(found.and_then(|(memory, _)| StoredFile::of(memory, subject)).filter(|file| file.path == *path))
    }

    /// All files of the reader.
    pub(super) fn files(&mut self, pass: &ReadPass) -> Result<Vec<StoredFile>, AppError> {
        let filter = Filter {
            kinds: vec![FILE_KIND.to_owned()],
            namespaces: vec![FILE_NAMESPACE.to_owned()],
            ..Filter::default()
        };
        let mut search = Search {
            query: Query::parse(""),
            filter,
            scopes: vec![Scope::Local],
            author: Some(pass.reader()),
            cut: PageRequest { order: Order::Recent, after: None, limit: PAGE },
            ..Search::default()
        };
        let mut files = Vec::new();
        loop {
            let found = self.tx.search(pass, &search)?;
            search.cut.after = found.hits.last().map(|hit| hit.key);
            let subject = self.caller.user().subject();
            files.extend(found.hits.into_iter().filter_map(|hit| StoredFile::of(hit.memory, subject)));
            if !found.more {
                return Ok(files);
            }
        }
    }

    /// The newest memories of a shared folder.
    pub(super) fn shared_files(&mut self, pass: &ReadPass, folder: SharedFolder) -> Result<Vec<Memory>, AppError> {
        let search = Search {
            query: Query::parse(""),
            scopes: vec![folder.scope()],
            cut: PageRequest { order: Order::Recent, after: None, limit: SHARED_LISTED },
            ..Search::default()
        };
        Ok(self.tx.search(pass, &search)?.hits.into_iter().map(|hit| hit.memory).collect())
    }
}

/// The files as entries of a listing.
pub(super) fn entries(files: &[StoredFile]) -> Vec<FileEntry> {
    files.iter().map(|file| FileEntry { path: file.path.clone(), bytes: file.text.len() }).collect()
}
