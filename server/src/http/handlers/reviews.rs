//! Reviews: differences between a claim and a record.

use actix_web::HttpRequest;
use orgmem_types::{DecideReview, DecidedReview, ListReviews, Review};

use super::App;
use crate::http::answer::{Answer, ok, page};
use crate::http::extract::{Authenticated, JsonBody, Query, ReviewPath, WorkspacePath};
use crate::http::openapi::Gone;

/// Lists the reviews of the workspace's memories and episodes, newest first.
#[utoipa::path(
    get, path = "/workspaces/{id}/reviews", tag = "records",
    params(WorkspacePath, ListReviews),
    responses((status = 200, body = Vec<Review>, description = "one page", headers(("Link"))), Gone),
)]
pub(crate) async fn list_reviews(
    auth: Authenticated,
    path: WorkspacePath,
    app: App,
    Query(query): Query<ListReviews>,
    request: HttpRequest,
) -> Answer {
    page(&request, &app.list_reviews(&auth, path.id, query).await?)
}

/// Decides a review. The latest decision counts.
#[utoipa::path(
    post, path = "/workspaces/{id}/reviews/{rid}", tag = "records",
    params(ReviewPath),
    request_body = DecideReview,
    responses((status = 200, body = DecidedReview, description = "the review after the decision"), Gone),
)]
pub(crate) async fn decide_review(
    auth: Authenticated,
    path: ReviewPath,
    app: App,
    JsonBody(request): JsonBody<DecideReview>,
) -> Answer {
    ok(&app.decide_review(&auth, path.id, path.rid, request).await?)
}
