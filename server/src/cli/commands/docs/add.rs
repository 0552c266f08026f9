use std::path::Path;

use clap::Args;
use orgmem_hierarchy::Scope;
use orgmem_types::{AddDocument, Document, ListDocuments, PatchDocument, UploadDocument, WrittenDocument};
use serde::Serialize;
use uuid::Uuid;

use super::files;
use super::watch::Changes;
use crate::cli::commands::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::line;
use crate::cli::remote::{Acting, Remote, Server};
use crate::cli::terminal::Terminal;
use crate::cli::words;
use crate::client::ClientError;

/// Characters of a title.
const TITLE_CHARS: usize = 200;

/// Add files, folders and patterns as documents; a file that was added before becomes a new version
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// Files, folders or patterns such as `docs/**/*.md`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Who can read them
    #[arg(short, long, default_value = "LOCAL", ignore_case = true, value_parser = words::scope())]
    scope: Scope,
    /// With TEAM: bind them to the team of this workspace, the author itself or its parent
    #[arg(long, value_name = "WORKSPACE")]
    team: Option<String>,
    /// Label for grouping documents
    #[arg(long)]
    collection: Option<String>,
    /// Tag; may be repeated
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Go on, and add each file again that changes, until interrupted; a file that is deleted stays a document
    #[arg(long, conflicts_with = "json")]
    watch: bool,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// A file and the outcome of its upload.
#[derive(Serialize)]
struct Added {
    path: String,
    #[serde(flatten)]
    written: WrittenDocument,
}

impl Add {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let paths = files::named(&self.paths)?;
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let team = remote.workspace_if_any(self.team.as_deref()).await?;
        // changes during the first upload are not lost
        let mut changes = if self.watch { Some(Changes::of(&self.paths, &paths)?) } else { None };
        let mut added = Vec::with_capacity(paths.len());
        for (number, path) in paths.iter().enumerate() {
            let name = path.display().to_string();
            match self.upload(&remote, (workspace, team), path).await {
                Ok(written) => {
                    terminal.note(&format!("{}/{}  {}", number + 1, paths.len(), line(&name)));
                    added.push(Added { path: name, written });
                }
                Err(error) if concerns_file(&error) => terminal.note(&not_added(path, &error)),
                Err(error) => return Err(error),
            }
        }
        self.format.print(terminal, &added, |added, _| added.iter().map(outcome).collect())?;
        let Some(changes) = &mut changes else {
            let refused = paths.len() - added.len();
            let message = || format!("{refused} of {} files were not added", paths.len());
            return if refused == 0 { Ok(()) } else { Err(CliError::CheckFailed(message())) };
        };
        while let Some(changed) = changes.next().await? {
            for path in changed {
                match self.upload(&remote, (workspace, team), &path).await {
                    Ok(written) if written.unchanged => {}
                    Ok(written) => terminal.print(&outcome(&Added { path: path.display().to_string(), written }))?,
                    // the next change of the file may help
                    Err(error) => terminal.note(&not_added(&path, &error)),
                }
            }
        }
        Ok(())
    }

    /// Adds a file, or writes a new version of the document that has its address.
    async fn upload(
        &self,
        remote: &Remote,
        (workspace, team): (Uuid, Option<Uuid>),
        path: &Path,
    ) -> Result<WrittenDocument, CliError> {
        let source_uri = format!("file://{}", path.display());
        let media_type = files::media_type(path).unwrap_or("text/plain");
        let unread = |error| CliError::Io { action: format!("read `{}`", path.display()), error };
        if !matches!(media_type, "text/plain" | "text/markdown") {
            let file = std::fs::read(path).map_err(unread)?;
            return self.upload_file(remote, (workspace, team), (path, media_type), &file, source_uri).await;
        }
        let content = std::fs::read_to_string(path).map_err(unread)?;
        let title = title(path, &content, media_type == "text/markdown");
        let known = self.known(remote, workspace, &source_uri).await?;
        let written = match known {
            Some(known) => {
                let change = PatchDocument {
                    title: Some(title),
                    content: Some(content),
                    media_type: Some(media_type.to_owned()),
                    collection: self.collection.clone().map(Some),
                    tags: (!self.tags.is_empty()).then(|| self.tags.clone()),
                    ..PatchDocument::default()
                };
                remote.client.edit_document(workspace, known.id, &change, None).await?
            }
            None => {
                let document = AddDocument {
                    title,
                    content,
                    media_type: Some(media_type.to_owned()),
                    scope: self.scope,
                    team,
                    collection: self.collection.clone(),
                    tags: self.tags.clone(),
                    author: None,
                    source_uri: Some(source_uri),
                    metadata: None,
                    expires_at: None,
                    id: None,
                };
                remote.client.add_document(workspace, &document, None).await?
            }
        };
        Ok(written)
    }
}

impl Add {
    /// The document that was added from this address.
    async fn known(&self, remote: &Remote, workspace: Uuid, address: &str) -> Result<Option<Document>, CliError> {
        let known = ListDocuments {
            author: Some(workspace),
            source_uri: Some(address.to_owned()),
            scope: Some(self.scope),
            limit: Some(1),
            ..ListDocuments::default()
        };
        Ok(remote.client.list_documents(workspace, &known).await?.items.into_iter().next())
    }

    /// Adds a file whose text the server extracts, or writes a new version of the document that has its address.
    async fn upload_file(
        &self,
        remote: &Remote,
        (workspace, team): (Uuid, Option<Uuid>),
        (path, media_type): (&Path, &str),
        file: &[u8],
        source_uri: String,
    ) -> Result<WrittenDocument, CliError> {
        let known = self.known(remote, workspace, &source_uri).await?;
        // a new version has the fields of the request, so those without an option stay as they are
        let (id, team, collection, tags, author, metadata, expires_at) = match known {
            Some(known) => (
                Some(known.id),
                known.team,
                known.collection,
                known.tags,
                known.author,
                known.metadata,
                known.expires_at,
            ),
            None => (None, team, None, Vec::new(), None, None, None),
        };
        let document = UploadDocument {
            title: None,
            media_type: Some(media_type.to_owned()),
            scope: self.scope,
            team,
            collection: self.collection.clone().or(collection),
            tags: if self.tags.is_empty() { tags } else { self.tags.clone() },
            author,
            source_uri: Some(source_uri),
            metadata,
            expires_at,
            id,
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(remote.client.upload_document(workspace, &document, &name, file, None).await?)
    }
}

/// Whether another file may succeed.
fn concerns_file(error: &CliError) -> bool {
    match error {
        CliError::Io { .. } => true,
        CliError::Client(ClientError::Problem(problem)) => matches!(problem.status, 400 | 413 | 415 | 422),
        _ => false,
    }
}

fn not_added(path: &Path, error: &CliError) -> String {
    format!("not added: {}: {error}", line(&path.display().to_string()))
}

fn outcome(added: &Added) -> String {
    let Added { path, written } = added;
    let change = match (written.unchanged, written.version) {
        (true, _) => "unchanged",
        (false, 1) => "added",
        (false, _) => "changed",
    };
    let redactions = redaction_lines(&written.redactions);
    format!(
        "{change} {}  {} of {} passages  {}\n{redactions}",
        written.id,
        written.new_passages,
        written.passages,
        line(path)
    )
}

/// The first heading of Markdown, or the name of the file.
fn title(path: &Path, content: &str, is_markdown: bool) -> String {
    let heading = content.lines().find_map(|line| line.strip_prefix("# ")).filter(|_| is_markdown);
    let heading = heading.map(|heading| heading.trim().trim_end_matches('#').trim()).filter(|text| !text.is_empty());
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let title = heading.map_or(name, str::to_owned);
    title.chars().filter(|c| !c.is_control()).take(TITLE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_the_first_heading_or_the_name() {
        let path = Path::new("/tmp/guide.md");
        assert_eq!(title(path, "intro\n# The guide #\n## Part\n", true), "The guide");
        assert_eq!(title(path, "## Part\n", true), "guide.md");
        assert_eq!(title(path, "# no heading\n", false), "guide.md");
    }
}
