//! Files as documents: their text by their media type.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use orgmem_extract::{Extracted, Format, Limits, MediaType, extract};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::Permission;
use orgmem_policies::drafts::DocumentInput;
use orgmem_types as wire;
use uuid::Uuid;

use super::document_rows::prepare;
use super::documents::Ready;
use super::drafting::Drafting;
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// Characters of a title that the server chooses.
const TITLE_CHARS: usize = 200;
/// What a client says about a file of which it knows nothing.
const UNKNOWN: &str = "application/octet-stream";

/// A file of an upload.
#[derive(Clone, Debug)]
pub struct DocumentFile {
    /// At most as many as a body may have.
    pub bytes: Bytes,
    /// As stated by the client.
    pub media_type: Option<String>,
    /// Its name without folders.
    pub name: Option<String>,
}

impl App {
    /// Stores the text of a file as [`add_document`](Self::add_document) does. The text is extracted after the caller is
    /// authorised, off the threads of connections, in turns with other large requests.
    ///
    /// # Errors
    /// Those of [`add_document`](Self::add_document), and [`AppError::File`].
    ///
    /// # Source
    /// `docs/spec/documents.md`, "Files".
    pub async fn upload_document(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::UploadDocument,
        file: DocumentFile,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::WrittenDocument, AppError> {
        self.admit(auth, workspace, Permission::WriteMemories).await?;
        let (now, bytes) = (self.now(), file.bytes.len());
        let make = move |(request, file), with: &Drafting| draft(request, &file, with, now);
        let ready = self.make_draft(self.requester(auth), bytes, (request, file), make).await?;
        self.store_document(auth, workspace, ready, idempotency).await
    }
}

fn draft(
    request: wire::UploadDocument,
    file: &DocumentFile,
    with: &Drafting,
    now: DateTime<Utc>,
) -> Result<Ready, AppError> {
    let media_type = type_of(request.media_type.as_deref(), file)?;
    let Extracted { title, text } = extract(&file.bytes, &media_type, &Limits::default())?;
    let title = request.title.or_else(|| title.or_else(|| file.name.clone()).map(|title| one_line(&title)));
    let input = DocumentInput {
        title: title.unwrap_or_default(),
        content: text,
        media_type: Some(media_type.format().as_str().to_owned()),
        collection: request.collection,
        tags: request.tags,
        author: request.author,
        source_uri: request.source_uri,
        metadata: request.metadata,
        expires_at: request.expires_at,
        id: request.id,
    };
    let (scope, team) = (request.scope, request.team.map(WorkspaceId::from));
    Ok(Ready { document: prepare(input, with, now)?, scope, team })
}

/// That of the request, of the part with the file, or of the extension of its name.
fn type_of(stated: Option<&str>, file: &DocumentFile) -> Result<MediaType, AppError> {
    let of_part = file.media_type.as_deref().filter(|stated| !stated.eq_ignore_ascii_case(UNKNOWN));
    if let Some(stated) = stated.or(of_part) {
        return Ok(MediaType::parse(stated)?);
    }
    let extension = file.name.as_deref().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
    match extension.and_then(Format::of_extension) {
        Some(format) => Ok(format.into()),
        None => Ok(MediaType::parse(file.media_type.as_deref().unwrap_or_default())?),
    }
}

fn one_line(title: &str) -> String {
    title.chars().filter(|c| !c.is_control()).take(TITLE_CHARS).collect()
}

/// The text of content in JSON, which is Unicode whatever its media type says. `text/plain` and `text/markdown` are text
/// already, and an unknown type is refused by the draft.
pub(super) fn text_of_json(content: String, media_type: Option<&str>) -> Result<String, AppError> {
    let format = media_type.and_then(|media_type| MediaType::parse(media_type).ok()).map(|found| found.format());
    match format {
        Some(format @ (Format::Html | Format::Csv)) => {
            Ok(extract(content.as_bytes(), &format.into(), &Limits::default())?.text)
        }
        Some(Format::Pdf) => Err(AppError::Field {
            field: "media_type",
            expected: "`text/plain`, `text/markdown`, `text/html` or `text/csv` in JSON; send a PDF file as \
                       `multipart/form-data`"
                .to_owned(),
        }),
        _ => Ok(content),
    }
}
