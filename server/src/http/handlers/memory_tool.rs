//! The file-based memory tool.

use orgmem_types::{MemoryToolCommand, MemoryToolResult};

use super::App;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, JsonBody, WorkspacePath};
use crate::http::openapi::Gone;

/// Runs a command of the memory tool on the files of the workspace. An error about a file is an answer with `is_error`.
#[utoipa::path(
    post, path = "/workspaces/{id}/memory-tool", tag = "memories",
    params(WorkspacePath),
    request_body = MemoryToolCommand,
    responses((status = 200, body = MemoryToolResult, description = "the text for the model"), Gone),
)]
pub(crate) async fn run_memory_tool(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(request): JsonBody<MemoryToolCommand>,
) -> Answer {
    ok(&app.run_memory_tool(&auth, path.id, request).await?)
}
