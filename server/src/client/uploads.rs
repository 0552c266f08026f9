//! Uploads: files as forms, and rows as lines.

use orgmem_types as wire;
use reqwest::Method;
use reqwest::header::CONTENT_TYPE;
use uuid::Uuid;

use super::{Client, ClientError, RequestParts};

impl Client {
    /// Stores the text of a file as a document of the workspace, or as a new version of it.
    ///
    /// `POST /workspaces/{id}/documents`
    pub async fn upload_document(
        &self,
        id: Uuid,
        document: &wire::UploadDocument,
        file_name: &str,
        file: &[u8],
        idempotency_key: Option<&str>,
    ) -> Result<wire::WrittenDocument, ClientError> {
        // random, so no file contains it
        let boundary = Uuid::new_v4().simple().to_string();
        let path = ["workspaces", &id.to_string(), "documents"];
        let request = self.request(Method::POST, &path)?;
        let request = request.header(CONTENT_TYPE, format!("multipart/form-data; boundary={boundary}"));
        let request = request.body(form(&boundary, document, file_name, file)).idempotency_key(idempotency_key);
        self.answer(request).await
    }

    /// Stores rows of a collection, one JSON object a line.
    ///
    /// `POST /workspaces/{id}/collections/{name}/rows`
    pub async fn write_row_lines(&self, id: Uuid, name: &str, lines: String) -> Result<wire::WrittenRows, ClientError> {
        let path = ["workspaces", &id.to_string(), "collections", name, "rows"];
        let request = self.request(Method::POST, &path)?.header(CONTENT_TYPE, "application/x-ndjson").body(lines);
        self.answer(request).await
    }
}

fn form(boundary: &str, document: &wire::UploadDocument, file_name: &str, file: &[u8]) -> Vec<u8> {
    let document = serde_json::to_string(document).unwrap_or_default();
    let file_name: String = file_name.chars().filter(|c| !c.is_control() && !['"', '\\'].contains(c)).collect();
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"document\"\r\n\r\n{document}\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n"
    );
    let end = format!("\r\n--{boundary}--\r\n");
    [head.as_bytes(), file, end.as_bytes()].concat()
}
