//! Skills: list, read, draft, approve, withdraw, and the rule of the org.

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue, IF_NONE_MATCH,
};
use actix_web::{HttpRequest, HttpResponse};
use orgmem_types::{
    ApproveSkill, Deleted, DiffSkill, DraftSkill, ListSkills, ReadSkill, Skill, SkillDetail, SkillDiff, SkillRule,
};

use super::App;
use crate::app::Etag;
use crate::http::answer::{Answer, created_at, ok};
use crate::http::extract::{Authenticated, JsonBody, Query, SkillPath, WorkspacePath};
use crate::http::openapi::{Gone, SkillConflict};

/// Lists the skills that the workspace can use now, by name; or its drafts, its withdrawn skills, or candidates.
///
/// The `ETag` covers the list with the hashes of all packages. With `If-None-Match` an unchanged list is 304.
#[utoipa::path(
    get, path = "/workspaces/{id}/skills", tag = "skills",
    params(WorkspacePath, ListSkills),
    responses(
        (status = 200, body = Vec<Skill>, description = "the skills", headers(("ETag"))),
        (status = 304, description = "the list is unchanged", headers(("ETag"))),
        Gone,
    ),
)]
pub(crate) async fn list_skills(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListSkills>,
    request: HttpRequest,
) -> Answer {
    let known = known(&request);
    match app.list_skills(&auth, path.id, query, known.as_deref()).await? {
        Etag::Unchanged(tag) => Ok(tagged(HttpResponse::NotModified().finish(), &tag)),
        Etag::Changed(tag, skills) => Ok(tagged(ok(&skills)?, &tag)),
    }
}

/// Drafts a skill from procedures; it is in use after an approval. A draft under the name of a skill of the workspace is its next
/// version.
#[utoipa::path(
    post, path = "/workspaces/{id}/skills", tag = "skills",
    params(WorkspacePath),
    request_body = DraftSkill,
    responses((status = 201, body = Skill, description = "the draft", headers(("Location"))), Gone, SkillConflict),
)]
pub(crate) async fn draft_skill(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(request): JsonBody<DraftSkill>,
) -> Answer {
    let skill = app.draft_skill(&auth, path.id, request).await?;
    created_at(&format!("/workspaces/{}/skills/{}", path.id, skill.name), &skill)
}

/// Returns a skill that the workspace can use, or a version of one of its own, with the files of the package.
#[utoipa::path(
    get, path = "/workspaces/{id}/skills/{name}", tag = "skills",
    params(SkillPath, ReadSkill),
    responses((status = 200, body = SkillDetail, description = "the skill"), Gone),
)]
pub(crate) async fn read_skill(
    auth: Authenticated,
    path: SkillPath,
    app: App,
    Query(query): Query<ReadSkill>,
) -> Answer {
    ok(&app.read_skill(&auth, path.id, &path.name, query).await?)
}

/// Returns the package of a skill as a tar.gz file with one folder. The same version gives the same bytes.
#[utoipa::path(
    get, path = "/workspaces/{id}/skills/{name}/package", tag = "skills",
    params(SkillPath, ReadSkill),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/gzip", description = "the package", headers(("ETag"))),
        (status = 304, description = "the package is unchanged", headers(("ETag"))),
        Gone,
    ),
)]
pub(crate) async fn read_skill_package(
    auth: Authenticated,
    path: SkillPath,
    app: App,
    Query(query): Query<ReadSkill>,
    request: HttpRequest,
) -> Answer {
    let known = known(&request);
    match app.read_skill_package(&auth, path.id, &path.name, query, known.as_deref()).await? {
        Etag::Unchanged(tag) => Ok(tagged(HttpResponse::NotModified().finish(), &tag)),
        Etag::Changed(tag, package) => {
            let mut response = HttpResponse::Ok().body(package);
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/gzip"));
            // it is compressed already
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("identity"));
            // a name has letters, digits and hyphens only
            if let Ok(file) = HeaderValue::from_str(&format!("attachment; filename=\"{}.tar.gz\"", path.name)) {
                headers.insert(CONTENT_DISPOSITION, file);
            }
            Ok(tagged(response, &tag))
        }
    }
}

/// Returns the difference of two versions of a skill of the workspace; by default of the active version and the draft.
#[utoipa::path(
    get, path = "/workspaces/{id}/skills/{name}/diff", tag = "skills",
    params(SkillPath, DiffSkill),
    responses((status = 200, body = SkillDiff, description = "the difference"), Gone),
)]
pub(crate) async fn diff_skill(
    auth: Authenticated,
    path: SkillPath,
    app: App,
    Query(query): Query<DiffSkill>,
) -> Answer {
    ok(&app.diff_skill(&auth, path.id, &path.name, query).await?)
}

/// Approves the draft of a skill of the workspace: its readers use it from now on.
#[utoipa::path(
    post, path = "/workspaces/{id}/skills/{name}/approve", tag = "skills",
    params(SkillPath),
    request_body = ApproveSkill,
    responses((status = 200, body = Skill, description = "the active skill"), Gone, SkillConflict),
)]
pub(crate) async fn approve_skill(
    auth: Authenticated,
    path: SkillPath,
    app: App,
    JsonBody(request): JsonBody<ApproveSkill>,
) -> Answer {
    ok(&app.approve_skill(&auth, path.id, &path.name, request).await?)
}

/// Withdraws a skill of the workspace: nobody uses it from now on.
#[utoipa::path(
    delete, path = "/workspaces/{id}/skills/{name}", tag = "skills",
    params(SkillPath),
    responses((status = 200, body = Deleted, description = "the skill was withdrawn"), Gone),
)]
pub(crate) async fn withdraw_skill(auth: Authenticated, path: SkillPath, app: App) -> Answer {
    ok(&app.withdraw_skill(&auth, path.id, &path.name).await?)
}

/// Reads the rule that makes candidates, and that judges skills in use.
#[utoipa::path(
    get, path = "/workspaces/{id}/skill-rule", tag = "skills",
    params(WorkspacePath),
    responses((status = 200, body = SkillRule, description = "the rule of the org"), Gone),
)]
pub(crate) async fn read_skill_rule(auth: Authenticated, path: WorkspacePath, app: App) -> Answer {
    ok(&app.read_skill_rule(&auth, path.id).await?)
}

/// Changes the rule of an org; for operators of its root. Absent fields get their defaults.
#[utoipa::path(
    put, path = "/workspaces/{id}/skill-rule", tag = "skills",
    params(WorkspacePath),
    request_body = SkillRule,
    responses((status = 200, body = SkillRule, description = "the rule of the org"), Gone),
)]
pub(crate) async fn change_skill_rule(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    JsonBody(rule): JsonBody<SkillRule>,
) -> Answer {
    ok(&app.change_skill_rule(&auth, path.id, rule).await?)
}

/// The value of `If-None-Match`, without its quotes.
fn known(request: &HttpRequest) -> Option<String> {
    let tag = request.headers().get(IF_NONE_MATCH)?.to_str().ok()?;
    Some(tag.trim().trim_start_matches("W/").trim_matches('"').to_owned())
}

fn tagged(mut response: HttpResponse, tag: &str) -> HttpResponse {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{tag}\"")) {
        headers.insert(ETAG, tag);
    }
    // only the caller's own client may hold the response, and asks each time
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}
