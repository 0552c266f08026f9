//! The file-based memory tool: six commands on the files of a workspace, which are LOCAL memories of it.
//!
//! Source: `docs/spec/memory-tool.md`.

use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::corrected;
use orgmem_policies::memory_files::{FilePath, MAX_FILES, OwnPath, ROOT, list_folder, list_shared};
use orgmem_policies::{ForgetPass, Permission};
use orgmem_store::{AuditRecord, ForgetOutcome, ReadPlan};
use orgmem_types as wire;
use orgmem_types::MemoryToolVerb as Verb;
use uuid::Uuid;

use super::call::WriteCall;
use super::claims::Claimed;
use super::commit_memory::{Ready, commit_ungated, prepare};
use super::drafting::Drafting;
use super::edit_memory::prepare_edit;
use super::memory_files::{StoredFile, commit_of, entries, stored_text};
use super::memory_rows::one_memory;
use super::memory_texts::{Answer, TextChange, insert, replace, show};
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// How often an edit begins again because another writer changed the file.
const ATTEMPTS: usize = 8;

impl App {
    /// Runs one command of the memory tool as the workspace. Errors about files are answers for the model.
    ///
    /// # Errors
    /// [`AppError`] by the caller's role and position; [`AppError::Field`] for a missing argument of the command.
    pub async fn run_memory_tool(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::MemoryToolCommand,
    ) -> Result<wire::MemoryToolResult, AppError> {
        let (content, is_error) = match self.run_file_command(auth, workspace, request).await {
            Ok(text) => (text, false),
            Err(Failure::Answer(text)) => (text, true),
            // the model can correct a text that no memory may have
            Err(Failure::App(error @ (AppError::Draft(_) | AppError::Rule(_)))) => (format!("Error: {error}"), true),
            Err(Failure::App(error)) => return Err(error),
        };
        Ok(wire::MemoryToolResult { content, is_error })
    }

    async fn run_file_command(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::MemoryToolCommand,
    ) -> Result<String, Failure> {
        let verb = request.command;
        let outcome = match verb {
            Verb::View => {
                let path = any_path(verb, "path", request.path)?;
                self.view_file(auth, workspace, path, request.view_range).await
            }
            Verb::Create => {
                let path = own_path(verb, "path", request.path)?;
                let text = required(verb, "file_text", request.file_text)?;
                self.create_file(auth, workspace, path, text).await
            }
            Verb::StrReplace => {
                let path = own_path(verb, "path", request.path)?;
                let old = required(verb, "old_str", request.old_str)?;
                let (name, new) = (path.to_string(), request.new_str.unwrap_or_default());
                self.change_file(auth, workspace, path, move |text| replace(&name, text, &old, &new)).await
            }
            Verb::Insert => {
                let path = own_path(verb, "path", request.path)?;
                let line = required(verb, "insert_line", request.insert_line)?;
                let inserted = required(verb, "insert_text", request.insert_text)?;
                let name = path.to_string();
                self.change_file(auth, workspace, path, move |text| insert(&name, text, line, &inserted)).await
            }
            Verb::Delete => self.delete_files(auth, workspace, own_path(verb, "path", request.path)?).await,
            Verb::Rename => {
                let from = own_path(verb, "old_path", request.old_path)?;
                let to = own_path(verb, "new_path", request.new_path)?;
                self.rename_files(auth, workspace, from, to).await
            }
        };
        outcome?.map_err(Failure::Answer)
    }

    async fn view_file(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        path: FilePath,
        range: Option<[i64; 2]>,
    ) -> Result<Answer, AppError> {
        self.read_audited(auth.call(workspace).plan(ReadPlan::Adaptive), move |call| {
            let reader = call.workspace;
            let pass = call.reads(reader)?;
            let caller = call.caller.clone();
            let read = |record: AuditRecord, shown: &[(Uuid, i64)]| record.about(shown.iter().copied());
            let listed = |shown: &[(Uuid, i64)]| {
                let record = read(AuditRecord::new(AuditAction::SearchMemories, reader), shown);
                record.with_read_episode(&caller, |count| format!("listed {count} files"), None)
            };
            let one = |id: Uuid, version: i64| {
                let record = read(AuditRecord::new(AuditAction::ReadMemory, reader), &[(id, version)]);
                record.with_read_episode(&caller, |_| "read a file".to_owned(), None)
            };
            let missing = |name: String| Err(format!("The path {name} does not exist. Please provide a valid path."));
            Ok(match &path {
                FilePath::Root => {
                    let files = call.files(&pass)?;
                    (Ok(list_folder(None, &entries(&files))), Some(listed(&versions(&files))))
                }
                FilePath::Own(path) => {
                    if let Some(file) = call.file(&pass, path)? {
                        let record = one(call.file_id(path), file.version);
                        let checked =
                            call.check_claims([Claimed::untracked(file.claims.as_deref())])?.pop().unwrap_or_default();
                        (show(&path.to_string(), &corrected(&file.text, &checked), range), Some(record))
                    } else {
                        let mut files = call.files(&pass)?;
                        files.retain(|file| file.path.is_below(path));
                        match files.is_empty() {
                            true => (missing(path.to_string()), None),
                            false => {
                                let record = listed(&versions(&files));
                                (Ok(list_folder(Some(path), &entries(&files))), Some(record))
                            }
                        }
                    }
                }
                FilePath::Shared(folder, None) => {
                    let memories = call.shared_files(&pass, *folder)?;
                    let shown: Vec<_> = memories.iter().map(|memory| (memory.id, memory.version)).collect();
                    let sizes: Vec<_> =
                        memories.iter().map(|memory| (memory.id, memory.authored.content.len())).collect();
                    (Ok(list_shared(*folder, &sizes)), Some(listed(&shown)))
                }
                FilePath::Shared(folder, Some(id)) => {
                    let as_agent = pass.clone().as_agents_read();
                    let found = one_memory(call, &as_agent, *id)?;
                    match found.filter(|memory| memory.scope == folder.scope()) {
                        None => (missing(folder.path_of(*id)), None),
                        Some(memory) => {
                            let record = one(memory.id, memory.version);
                            let mut content = memory.content;
                            if !as_agent.quotes(memory.scope, memory.workspace_id.into()) {
                                // the answer has no place for claims next to the text
                                let stored = call.tx.memory(&pass, *id)?.map(|(memory, _)| memory);
                                let checked =
                                    call.check_claims(stored.as_ref().map(Claimed::memory))?.pop().unwrap_or_default();
                                content = corrected(&content, &checked).into_owned();
                            }
                            (show(&folder.path_of(*id), &content, range), Some(record))
                        }
                    }
                }
            })
        })
        .await
    }

    async fn create_file(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        path: OwnPath,
        text: String,
    ) -> Result<Answer, AppError> {
        let files = self.list_files(auth, workspace).await?;
        if let Some(reason) = taken(&path, &files) {
            return Ok(Err(reason));
        }
        if files.len() >= MAX_FILES {
            return Ok(Err(format!("Error: {ROOT} has {MAX_FILES} files already; delete one first")));
        }
        let commit = commit_of(&path, workspace.into(), auth.subject_of_call().as_deref(), text);
        let mut ready = self.draft_files(auth, workspace, vec![(path.clone(), commit)]).await?;
        let Some((path, file)) = ready.pop() else { return Ok(Err(with_credential(&path))) };
        let is_embedded = self.embedding.is_some();
        self.write(auth.call(workspace), move |call| {
            let reader = call.workspace;
            let reads = call.reads(reader)?;
            if call.tx.memory(&reads, call.file_id(&path))?.is_some() {
                return Ok(Err(format!("Error: File {path} already exists")));
            }
            call.spend_writes(Permission::WriteMemories, 1, is_embedded)?;
            commit_ungated(call, &file)?;
            Ok(Ok(format!("File created successfully at: {path}")))
        })
        .await
    }

    /// Changes the text of a file. Begins again if another writer changes the file meanwhile.
    async fn change_file(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        path: OwnPath,
        change: impl Fn(&str) -> TextChange + Send + Sync,
    ) -> Result<Answer, AppError> {
        let id = path.memory_id(workspace.into(), auth.subject_of_call().as_deref());
        let (is_embedded, mut attempt) = (self.embedding.is_some(), 1);
        loop {
            let at = path.clone();
            let reading = self.read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                let pass = call.reads(call.workspace)?;
                call.file(&pass, &at)
            });
            let Some(file) = reading.await? else {
                return Ok(Err(format!("Error: The path {path} does not exist. Please provide a valid path.")));
            };
            let (text, answer) = match change(&file.text) {
                Ok(changed) => changed,
                Err(reason) => return Ok(Err(reason)),
            };
            let (content, metadata) = stored_text(text);
            let edit =
                wire::PatchMemory { content: Some(content), metadata: Some(metadata), ..wire::PatchMemory::default() };
            let (role, now) = (auth.identity().role, self.now());
            let make = move |edit, with: &Drafting| prepare_edit(edit, role, now, with);
            let (_, edit) = self.draft(auth, workspace, Permission::WriteMemories, edit, make).await?;
            let writing = self.write(auth.call(workspace), move |call| {
                call.change_memory(id, Some(file.version), &edit, is_embedded)?;
                Ok(())
            });
            match writing.await {
                Err(AppError::MemoryConflict { .. } | AppError::NotFound { .. }) if attempt < ATTEMPTS => attempt += 1,
                written => return written.map(|()| Ok(answer)),
            }
        }
    }

    async fn delete_files(&self, auth: &VerifiedClaims, workspace: Uuid, path: OwnPath) -> Result<Answer, AppError> {
        let mut files = self.list_files(auth, workspace).await?;
        files.retain(|file| file.path == path || file.path.is_below(&path));
        self.write(auth.call(workspace), move |call| {
            let mut deleted = 0;
            for file in &files {
                deleted += usize::from(call.forget_file(&file.path, None)?);
            }
            Ok(match deleted {
                0 => Err(format!("Error: The path {path} does not exist")),
                _ => Ok(format!("Successfully deleted {path}")),
            })
        })
        .await
    }

    async fn rename_files(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        from: OwnPath,
        to: OwnPath,
    ) -> Result<Answer, AppError> {
        let mut attempt = 1;
        loop {
            let files = self.list_files(auth, workspace).await?;
            let (moved, others): (Vec<_>, Vec<_>) =
                files.into_iter().partition(|file| file.path == from || file.path.is_below(&from));
            if moved.is_empty() {
                return Ok(Err(format!("Error: The path {from} does not exist")));
            }
            if to == from || to.is_below(&from) || taken(&to, &others).is_some() {
                return Ok(Err(format!("Error: The destination {to} already exists")));
            }
            let (subject, mut commits) = (auth.subject_of_call(), Vec::with_capacity(moved.len()));
            for file in &moved {
                let Some(path) = file.path.renamed(&from, &to) else {
                    return Ok(Err(format!("Error: {} has no valid path below {to}", file.path)));
                };
                let commit = commit_of(&path, workspace.into(), subject.as_deref(), file.text.clone());
                commits.push((path, commit));
            }
            let ready = self.draft_files(auth, workspace, commits).await?;
            if ready.len() != moved.len() {
                return Ok(Err(with_credential(&to)));
            }
            let answer = format!("Successfully renamed {from} to {to}");
            let is_embedded = self.embedding.is_some();
            let writing = self.write(auth.call(workspace), move |call| {
                call.spend_writes(Permission::WriteMemories, moved.len(), is_embedded)?;
                for (old, (_, file)) in moved.iter().zip(&ready) {
                    call.forget_file(&old.path, Some(old.version))?;
                    commit_ungated(call, file)?;
                }
                Ok(())
            });
            match writing.await {
                Err(AppError::MemoryConflict { .. }) if attempt < ATTEMPTS => attempt += 1,
                written => return written.map(|()| Ok(answer)),
            }
        }
    }

    async fn list_files(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<Vec<StoredFile>, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::Adaptive), |call| {
            let pass = call.reads(call.workspace)?;
            call.files(&pass)
        })
        .await
    }

    /// Files to commit. Those whose path contains a credential are left out: it could not be stored.
    async fn draft_files(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        commits: Vec<(OwnPath, wire::CommitMemory)>,
    ) -> Result<Vec<(OwnPath, Ready)>, AppError> {
        let (writer, now) = (auth.writer(), self.now());
        let (paths, requests): (Vec<_>, Vec<_>) = commits.into_iter().unzip();
        let make = move |requests: Vec<wire::CommitMemory>, with: &Drafting| {
            let ready = requests.into_iter().map(|request| prepare(request, &writer, now, with));
            ready.collect::<Result<Vec<_>, _>>()
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, requests, make).await?;
        let files = paths.into_iter().zip(ready);
        Ok(files.filter(|(path, file)| file.title() == Some(path.as_str())).collect())
    }
}

impl WriteCall<'_> {
    /// Deletes a file of the workspace. With `if_match`, only this version.
    fn forget_file(&mut self, path: &OwnPath, if_match: Option<i64>) -> Result<bool, AppError> {
        let (author, id) = (self.workspace, self.file_id(path));
        let pass = self.pass(|caller, tree| ForgetPass::grant(caller, tree, author, author))?;
        match (self.tx.forget_memory(&pass, id, if_match)?, if_match) {
            (ForgetOutcome::Done, _) => Ok(true),
            (ForgetOutcome::NoMemory, None) => Ok(false),
            (ForgetOutcome::NoMemory, Some(expected)) => Err(AppError::MemoryConflict { id, expected, current: None }),
            (ForgetOutcome::Conflict(conflict), _) => {
                Err(AppError::MemoryConflict { id, expected: conflict.expected, current: conflict.current })
            }
        }
    }
}

/// Why a command failed.
enum Failure {
    /// With the text for the model.
    Answer(String),
    App(AppError),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

fn required<T>(verb: Verb, field: &'static str, value: Option<T>) -> Result<T, AppError> {
    let expected = || AppError::Field { field, expected: format!("present for the command `{}`", name_of(verb)) };
    value.ok_or_else(expected)
}

fn any_path(verb: Verb, field: &'static str, path: Option<String>) -> Result<FilePath, Failure> {
    let path = required(verb, field, path)?;
    FilePath::parse(&path).map_err(|invalid| Failure::Answer(invalid.to_string()))
}

/// A path that the workspace may write.
fn own_path(verb: Verb, field: &'static str, path: Option<String>) -> Result<OwnPath, Failure> {
    match any_path(verb, field, path)? {
        FilePath::Own(path) => Ok(path),
        FilePath::Root => Err(Failure::Answer(format!("Error: {ROOT} itself cannot be changed"))),
        FilePath::Shared(folder, _) => Err(Failure::Answer(format!("Error: {} is read-only", folder.path()))),
    }
}

const fn name_of(verb: Verb) -> &'static str {
    match verb {
        Verb::View => "view",
        Verb::Create => "create",
        Verb::StrReplace => "str_replace",
        Verb::Insert => "insert",
        Verb::Delete => "delete",
        Verb::Rename => "rename",
    }
}

fn with_credential(path: &OwnPath) -> String {
    format!("Error: {path} contains a credential; choose another path")
}

/// The reason why no file can have this path, if there is one.
fn taken(path: &OwnPath, files: &[StoredFile]) -> Option<String> {
    let is_taken = files.iter().any(|file| file.path == *path || file.path.is_below(path));
    if is_taken {
        return Some(format!("Error: File {path} already exists"));
    }
    let folder = path.folders().find(|folder| files.iter().any(|file| file.path == *folder));
    folder.map(|folder| format!("Error: {folder} is a file"))
}

fn versions(files: &[StoredFile]) -> Vec<(Uuid, i64)> {
    files.iter().map(|file| (file.id, file.version)).collect()
}
