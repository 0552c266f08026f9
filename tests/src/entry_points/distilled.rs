//! The routes of rows, processors, documents, grants and turns.

use super::Access;
use super::rest::{Route, route};

pub(super) const DISTILLED: &[Route] = &[
    // grants; also given and revoked by a token that is bound to the end user
    route("GET", "/workspaces/{id}/grants", "list_grants", Access::READ, "its grants, with what end users agreed to"),
    route("POST", "/workspaces/{id}/grants", "give_grant", Access::MANAGE, "the grant"),
    route("DELETE", "/workspaces/{id}/grants/{gid}", "revoke_grant", Access::MANAGE, "nothing"),
    // rows
    route("GET", "/workspaces/{id}/collections", "list_collections", Access::READ, "its collections"),
    route("GET", "/workspaces/{id}/collections/{name}", "read_collection", Access::READ, "one of its collections"),
    route("PUT", "/workspaces/{id}/collections/{name}", "put_collection", Access::WRITE, "the same"),
    route("DELETE", "/workspaces/{id}/collections/{name}", "delete_collection", Access::WRITE, "nothing"),
    route("GET", "/workspaces/{id}/collections/{name}/rows", "list_rows", Access::READ, "rows of its collection"),
    route("POST", "/workspaces/{id}/collections/{name}/rows", "write_rows", Access::WRITE, "counts; faults by line"),
    route("POST", "/workspaces/{id}/collections/{name}/rows/withdraw", "withdraw_rows", Access::WRITE, "counts"),
    route("DELETE", "/workspaces/{id}/collections/{name}/rows/{key}", "delete_row", Access::WRITE, "nothing"),
    // processors
    route(
        "GET",
        "/workspaces/{id}/processors",
        "list_processors",
        Access::READ,
        "its processors, and the built-in definitions",
    ),
    route("POST", "/workspaces/{id}/processors", "define_processor", Access::MANAGE, "the processor"),
    route("GET", "/workspaces/{id}/processors/{name}", "read_processor", Access::READ, "one of its processors"),
    route("DELETE", "/workspaces/{id}/processors/{name}", "delete_processor", Access::MANAGE, "nothing"),
    route(
        "POST",
        "/workspaces/{id}/processors/{name}/run",
        "run_processor",
        Access::WRITE,
        "counts; planned facts about its rows",
    ),
    route("GET", "/workspaces/{id}/processors/{name}/runs", "list_processor_runs", Access::READ, "counts"),
    route(
        "POST",
        "/workspaces/{id}/patterns",
        "find_patterns",
        Access::READ,
        "facts of processors it reads, author by name",
    ),
    // documents
    route(
        "GET",
        "/workspaces/{id}/documents",
        "list_documents",
        Access::READ,
        "the documents it reads, author by name",
    ),
    route("POST", "/workspaces/{id}/documents", "add_document", Access::WRITE, "the document, without its text"),
    route("GET", "/workspaces/{id}/documents/{did}", "read_document", Access::READ, "a document it reads"),
    route("PATCH", "/workspaces/{id}/documents/{did}", "edit_document", Access::WRITE, "the same, without its text"),
    route("DELETE", "/workspaces/{id}/documents/{did}", "delete_document", Access::WRITE, "nothing"),
    route("GET", "/workspaces/{id}/documents/{did}/content", "read_document_content", Access::READ, "the same text"),
    route("POST", "/workspaces/{id}/documents/{did}/redact", "redact_document", Access::MANAGE, "that it existed"),
    // turns
    route("POST", "/workspaces/{id}/turns", "add_turn", Access::WRITE, "ids of its episodes"),
    route("GET", "/workspaces/{id}/turns/{tid}", "read_turn", Access::READ, "ids of its episodes and memories; counts"),
];
