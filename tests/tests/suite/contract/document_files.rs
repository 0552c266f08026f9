//! Documents: files of HTML, CSV and PDF, as forms and as JSON.

use orgmem_tests::{On, Response, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::documents::{Library, id};

for_each_store!(
    uploaded_files_are_stored_as_text_with_headings,
    page_and_table_in_json_are_stored_as_text,
    credential_between_tags_of_a_file_is_replaced,
    file_that_cannot_be_read_is_refused_and_nothing_is_stored,
    malformed_form_is_refused_with_its_fault,
    file_of_a_caller_without_access_is_not_read,
    repeated_upload_changes_nothing,
);

const BOUNDARY: &str = "X-part-X";
const PAGE: &str = "<html><title>Lamps &amp; cables</title><script>x()</script><h1>Returns</h1><p>Thirty <b>days</b>.\
    <h2>Costs</h2><p>The courier is free.</html>";

/// The parts of a form: name, further header lines, content.
type Parts<'p> = [(&'p str, &'p str, &'p [u8])];

fn form(parts: &Parts<'_>) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, headers, content) in parts {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"{headers}\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

async fn send(library: &Library, caller: Uuid, workspace: Uuid, body: Vec<u8>) -> Response {
    let agent = library.app.agent(caller);
    let request = agent.request("POST", &library.at(workspace, "documents"));
    request.body(&format!("multipart/form-data; boundary={BOUNDARY}"), body).send_unchecked().await
}

async fn upload(library: &Library, document: Value, headers: &str, file: &[u8]) -> Response {
    let document = document.to_string();
    let body = form(&[("document", "", document.as_bytes()), ("file", headers, file)]);
    send(library, library.bot, library.bot, body).await
}

async fn text(library: &Library, document: &Value) -> String {
    let at = library.at(library.bot, &format!("documents/{}/content", id(document)));
    let content = library.app.operator(library.bot).get(&at).await.expect(200).json();
    content["content"].as_str().expect("a text").to_owned()
}

async fn count(library: &Library) -> usize {
    library.app.operator(library.bot).get(&library.at(library.bot, "documents")).await.expect(200).items().len()
}

/// A PDF file of one page, without compression.
fn pdf() -> Vec<u8> {
    let content = "BT /F 18 Tf 50 700 Td (Warranty) Tj /F 10 Tf 0 -40 Td (Two years on every lantern.) Tj ET";
    format!(
        "%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Kids [3 0 R] /Count 1 >> endobj\n\
         3 0 obj << /Type /Page /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj\n\
         4 0 obj << /Length {} >>\nstream\n{content}\nendstream endobj\n\
         5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF",
        content.len()
    )
    .into_bytes()
}

async fn uploaded_files_are_stored_as_text_with_headings(on: On) {
    let library = Library::new(on).await;
    let local = json!({"scope": "LOCAL"});
    let named = |name: &str| format!("; filename=\"{name}\"");
    let page = upload(&library, local.clone(), &named("returns.html"), PAGE.as_bytes()).await.expect(201).json();
    assert_eq!(text(&library, &page).await, "# Returns\n\nThirty days.\n\n## Costs\n\nThe courier is free.");
    let headers = format!("{}\r\nContent-Type: text/csv; charset=windows-1252", named("parts"));
    let table = upload(&library, local.clone(), &headers, b"part,count\r\nd\xfcbel,4\r\n").await.expect(201).json();
    assert_eq!(text(&library, &table).await, "part: dübel\ncount: 4");
    let headers = format!("{}\r\nContent-Type: application/octet-stream", named("docs/warranty.PDF"));
    let file = upload(&library, local, &headers, &pdf()).await.expect(201).json();
    assert_eq!(text(&library, &file).await, "# Warranty\n\nTwo years on every lantern.");
    let listed = library.app.operator(library.bot).get(&library.at(library.bot, "documents")).await.expect(200).items();
    let mut listed: Vec<_> = listed.iter().map(|item| (item["title"].clone(), item["media_type"].clone())).collect();
    listed.sort_by_key(|(title, _)| title.to_string());
    let expected = [("Lamps & cables", "text/html"), ("parts", "text/csv"), ("warranty.PDF", "application/pdf")];
    assert_eq!(listed, expected.map(|(title, media_type)| (json!(title), json!(media_type))));
    let found = library.search(library.bot, "documents", "lantern").await;
    assert_eq!(found[0]["passage"]["heading"], json!(["Warranty"]));
    let found = library.search(library.bot, "documents", "courier").await;
    assert_eq!(found[0]["passage"]["heading"], json!(["Returns", "Costs"]));
}

async fn page_and_table_in_json_are_stored_as_text(on: On) {
    let library = Library::new(on).await;
    let page = library.add(library.bot, json!({"content": PAGE, "media_type": "text/html; charset=latin1"})).await;
    assert!(text(&library, &page).await.starts_with("# Returns\n\nThirty days."));
    let at = library.at(library.bot, &format!("documents/{}", id(&page)));
    let agent = library.app.agent(library.bot);
    // the stored text is not extracted again
    agent.patch(&at, json!({"title": "Other"})).await.expect(200);
    assert!(text(&library, &page).await.starts_with("# Returns\n\nThirty days."));
    agent.patch(&at, json!({"content": "<p>New &lt;b&gt; text"})).await.expect(200);
    assert_eq!(text(&library, &page).await, "New <b> text");
    let refused = library.try_add(library.bot, json!({"media_type": "application/pdf"})).await;
    let problem = refused.refused(400, "invalid_field");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("multipart/form-data")), "{problem}");
}

async fn credential_between_tags_of_a_file_is_replaced(on: On) {
    let library = Library::new(on).await;
    let page = b"<p>key: <b>AKIA</b>N3DLQQGEKOJP4GZ<i>L</i></p>";
    let written = upload(&library, json!({"scope": "LOCAL"}), "; filename=keys.html", page).await.expect(201).json();
    assert_eq!(written["redactions"].as_array().map(Vec::len), Some(1), "{written}");
    assert!(!text(&library, &written).await.contains("N3DLQQGEKOJP4GZL"));
}

async fn file_that_cannot_be_read_is_refused_and_nothing_is_stored(on: On) {
    let library = Library::new(on).await;
    let local = json!({"scope": "LOCAL"});
    let cases: [(&str, &[u8], &str, &str); 6] = [
        ("; filename=a.txt", b"abc\xe9", "content", "0xe9 at offset 3"),
        ("; filename=a.txt", b"PK\x03\x04\0\0", "content", "NUL character at offset 4"),
        ("; filename=a.html", b"<script>1</script>", "content", "no text"),
        ("; filename=a.pdf", b"%PDF-1.4", "content", "no pages"),
        ("; filename=a.zip\r\nContent-Type: application/zip", b"PK", "media_type", "`application/zip`"),
        ("; filename=a.txt\r\nContent-Type: text/plain; charset=klingon", b"a", "content", "`klingon`"),
    ];
    for (headers, file, field, detail) in cases {
        let problem = upload(&library, local.clone(), headers, file).await.refused(400, "invalid_field");
        assert_eq!(problem["field"], field, "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|text| text.contains(detail)), "{problem}");
    }
    assert_eq!(count(&library).await, 0);
}

async fn malformed_form_is_refused_with_its_fault(on: On) {
    let library = Library::new(on).await;
    let document: &[u8] = br#"{"scope": "LOCAL", "title": "x"}"#;
    let cases: [(Vec<u8>, u16, &str); 6] = [
        (form(&[("document", "", document)]), 400, "no part `file`"),
        (form(&[("file", "", b"a")]), 400, "no part `document`"),
        (form(&[("document", "", document), ("document", "", document)]), 400, "`document` twice"),
        (form(&[("document", "", document), ("other", "", b"a")]), 400, "unknown part `other`"),
        (form(&[("document", "", b"{\"scope\": 1}"), ("file", "", b"a")]), 400, "scope"),
        (b"no form at all".to_vec(), 400, "form cannot be read"),
    ];
    for (body, status, detail) in cases {
        let refused = send(&library, library.bot, library.bot, body).await.expect(status).json();
        assert!(refused["detail"].as_str().is_some_and(|text| text.contains(detail)), "{detail}: {refused}");
    }
    let agent = library.app.agent(library.bot);
    let request = agent.request("POST", &library.at(library.bot, "documents")).body("text/html", "<p>x");
    let refused = request.send_unchecked().await.expect(415).json();
    assert!(refused["detail"].as_str().is_some_and(|text| text.contains("multipart/form-data")), "{refused}");
    assert_eq!(count(&library).await, 0);
}

async fn file_of_a_caller_without_access_is_not_read(on: On) {
    let library = Library::new(on).await;
    // the form is malformed, which a caller without access does not learn
    send(&library, library.peer, library.bot, b"no form".to_vec()).await.expect(403);
}

async fn repeated_upload_changes_nothing(on: On) {
    let library = Library::new(on).await;
    let document = json!({"scope": "LOCAL", "title": "Guide", "id": Uuid::from_u128(7)});
    let headers = "; filename=guide.html";
    upload(&library, document.clone(), headers, PAGE.as_bytes()).await.expect(201);
    let again = upload(&library, document.clone(), headers, PAGE.as_bytes()).await.expect(201).json();
    assert_eq!((&again["unchanged"], &again["version"]), (&json!(true), &json!(1)));
    let changed = PAGE.replace("Thirty", "Forty");
    let changed = upload(&library, document, headers, changed.as_bytes()).await.expect(201).json();
    assert_eq!((&changed["version"], &changed["new_passages"]), (&json!(2), &json!(1)));
}
