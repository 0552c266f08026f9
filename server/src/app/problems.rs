//! The problem of each error. The match has no wildcard, so a new variant does not compile without a problem.

use orgmem_extract::ExtractError;
use orgmem_types::{Object, Problem, ProblemCode};
use serde_json::{Value, json};

use orgmem_policies::NoOpenRun;
use orgmem_policies::rules::RuleViolation;
use orgmem_store::StoreError;

use super::AppError;
use super::providers::figures_to_wire;

impl AppError {
    /// The problem for the response. Internal causes are only logged.
    #[must_use]
    pub fn problem(&self) -> Problem {
        use ProblemCode as Code;
        let detail = self.to_string();
        match self {
            Self::NotAdmitted(_) | Self::Expired => {
                problem(401, Code::TokenInvalid, "The token is not accepted", detail)
            }
            Self::Draft(fault) => with(
                problem(400, Code::InvalidField, "A field cannot be accepted", detail),
                [("field", json!(fault.field()))],
            ),
            Self::Field { field, .. } => {
                with(problem(400, Code::InvalidField, "A field cannot be accepted", detail), [("field", json!(field))])
            }
            Self::Value { field, value, .. } => with(
                problem(400, Code::InvalidField, "A field cannot be accepted", detail),
                [("field", json!(field)), ("value", json!(value))],
            ),
            Self::File(error) => {
                let is_type = matches!(error, ExtractError::UnsupportedMediaType { .. });
                let field = if is_type { "media_type" } else { "content" };
                with(problem(400, Code::InvalidField, "The file cannot be accepted", detail), [("field", json!(field))])
            }
            Self::Item(_) => problem(400, Code::InvalidField, "A field cannot be accepted", detail),
            Self::Inside { error, .. } => Problem { detail: detail.clone(), error: detail, ..error.problem() },
            Self::About { error, .. } => Problem { detail: detail.clone(), error: detail, ..error.problem() },
            Self::NoOpenRun(NoOpenRun::Unknown(_) | NoOpenRun::Ungateable(_) | NoOpenRun::Edit(_)) => {
                problem(409, Code::NoOpenRun, "No open run", detail)
            }
            Self::RunOver(_) | Self::NoOpenRun(NoOpenRun::Over(_)) => {
                problem(409, Code::RunOver, "The run is over", detail)
            }
            Self::Ambiguous { .. } => problem(409, Code::Ambiguous, "The name is not unique", detail),
            Self::AmbiguousId(_) => problem(409, Code::Ambiguous, "The id is not unique", detail),
            Self::Cursor => problem(400, Code::InvalidCursor, "The cursor cannot be used", detail),
            Self::Embedder(_) => problem(503, Code::Unavailable, "The embedder does not answer", detail),
            Self::NotConfigured(_) => problem(400, Code::NotConfigured, "The server is not set up for this", detail),
            Self::NoTemplate(_) | Self::NotFound { .. } => problem(404, Code::NotFound, "Not found", detail),
            Self::Gone(_) => problem(410, Code::Gone, "It was removed", detail),
            Self::Forbidden(_) => problem(403, Code::Forbidden, "Not allowed", detail),
            Self::Scope(_) => problem(403, Code::ScopeForbidden, "The scope may not be written from here", detail),
            Self::Tree(_) | Self::LeavesTree(_) => {
                problem(409, Code::TreeConflict, "The tree does not allow it", detail)
            }
            Self::ConfirmationRequired { children } => with(
                problem(409, Code::ConfirmationRequired, "The workspace has children", detail),
                [
                    ("children", children.iter().map(|(id, name)| json!({"id": id, "name": name})).collect()),
                    ("children_count", json!(children.len())),
                ],
            ),
            Self::VersionConflict { key, expected, current } => with(
                problem(409, Code::VersionConflict, "The entry has another version", detail),
                [("key", json!(key)), ("expected_version", json!(expected)), ("current_version", json!(current))],
            ),
            Self::MemoryConflict { id, expected, current } => with(
                problem(409, Code::VersionConflict, "The memory has another version", detail),
                [("id", json!(id)), ("expected_version", json!(expected)), ("current_version", json!(current))],
            ),
            Self::DocumentConflict { id, expected, current } => with(
                problem(409, Code::VersionConflict, "The document has another version", detail),
                [("id", json!(id)), ("expected_version", json!(expected)), ("current_version", json!(current))],
            ),
            Self::ProcessorBusy => problem(409, Code::ProcessorRunning, "The processor runs", detail),
            Self::IdempotencyMismatch => {
                problem(422, Code::IdempotencyMismatch, "The idempotency key is in use", detail)
            }
            Self::Token(error) => with(
                problem(400, Code::InvalidField, "No token can be issued like this", detail),
                [("field", json!(error.field()))],
            ),
            Self::Sign(_) => problem(400, Code::NotConfigured, "The server is not set up for this", detail),
            Self::Promotion { figures, .. } => with(
                problem(409, Code::PromotionRefused, "The provider is not promoted", detail),
                [("figures", json!(figures_to_wire(figures)))],
            ),
            Self::Rule(violation) => of_rule(violation),
            Self::BudgetRate(exceeded) => with(
                problem(429, Code::RateLimited, "The budget is used up", detail),
                [
                    ("limit", json!(exceeded.limit)),
                    ("violated-policies", json!([exceeded.policy()])),
                    ("budget_of", json!(exceeded.of.uuid())),
                ],
            ),
            Self::DiskFull { .. } => problem(503, Code::Unavailable, "The disk is full", detail),
            Self::Store(error) => of_store(error),
        }
    }
}

fn of_rule(violation: &RuleViolation) -> Problem {
    use ProblemCode as Code;
    use RuleViolation as Rule;
    let (status, code, title) = match violation {
        Rule::WorkspaceTaken(_) | Rule::MemoryTaken(_) | Rule::DocumentTaken(_) => {
            (409, Code::IdTaken, "The id is taken")
        }
        Rule::NothingToSupersede(_) | Rule::SupersededItself(_) => {
            (409, Code::NothingToSupersede, "Nothing to supersede")
        }
        Rule::OtherEndUser(_) => (403, Code::Forbidden, "Another end user"),
        Rule::CredentialName(_) => (400, Code::InvalidField, "The name looks like a credential"),
        Rule::NoSession(_) => (400, Code::InvalidField, "The memory has no session"),
        Rule::RunFull => (409, Code::RunFull, "The run is full"),
        Rule::NoProfile(_) => (404, Code::NotFound, "Not found"),
        Rule::KindExcluded(_) => (409, Code::KindExcluded, "The kind is excluded"),
        Rule::ProfileNamed(_) => (409, Code::ProfileNamed, "The name is taken"),
        Rule::ProfileIsDefault => (409, Code::ProfileIsDefault, "It is the default profile"),
        Rule::TooManyProfiles => (409, Code::TooManyProfiles, "Too many profiles"),
        Rule::NotProcedure(_) => (409, Code::NotAProcedure, "It is no procedure"),
        Rule::NeverRead { .. } => (409, Code::NeverRead, "The run did not read it"),
        Rule::OutcomeKnown(_) => (409, Code::RunOver, "The run has an outcome"),
        Rule::SkillTooWide { .. } => (409, Code::SkillTooWide, "A procedure has a narrower scope"),
        Rule::NoDraft(_) => (409, Code::NoDraft, "Nothing to approve"),
        Rule::TooManySkills => (409, Code::TooManySkills, "Too many skills"),
        Rule::CollectionHasRows { .. } => (409, Code::CollectionHasRows, "The collection has rows"),
        Rule::TooManyCollections => (409, Code::TooManyCollections, "Too many collections"),
        Rule::TooManyProcessors => (409, Code::TooManyProcessors, "Too many processors"),
        Rule::TooManyGrants => (409, Code::TooManyGrants, "Too many grants"),
        Rule::TooManyPins => (409, Code::TooManyPins, "Too many pins"),
        Rule::BudgetUsed { .. } | Rule::BudgetAboveParent { .. } => {
            (409, Code::BudgetExceeded, "The budget has no room")
        }
    };
    let problem = problem(status, code, title, violation.to_string());
    match violation {
        Rule::BudgetUsed { of, size: name, limit } | Rule::BudgetAboveParent { of, name, limit } => {
            let members = [("budget_of", json!(of.uuid())), ("budget", json!(name.as_str())), ("limit", json!(limit))];
            with(problem, members)
        }
        Rule::NoSession(_) => with(problem, [("field", json!("session_only"))]),
        Rule::CredentialName(field) => with(problem, [("field", json!(field))]),
        _ => problem,
    }
}

fn of_store(error: &StoreError) -> Problem {
    use ProblemCode as Code;
    match error {
        StoreError::Busy => problem(429, Code::Busy, "Too much at once", error.to_string()),
        StoreError::Unavailable(_) => problem(
            503,
            Code::Unavailable,
            "The store is not available",
            // does not claim that nothing was changed: a connection can break during a commit
            "the store cannot be reached or cannot write now; try again, with an `Idempotency-Key` where it must not be \
             done twice"
                .into(),
        ),
        StoreError::Closed => problem(
            503,
            Code::Unavailable,
            "The server is stopping",
            "the server is stopping; nothing was changed, try again".into(),
        ),
        StoreError::Unreadable { .. } | StoreError::Failed(_) | StoreError::Panicked(_) | StoreError::Retry => problem(
            500,
            Code::Internal,
            "Internal error",
            "internal error; the server's log has the cause under this request id".into(),
        ),
    }
}

fn problem(status: u16, code: ProblemCode, title: &str, detail: String) -> Problem {
    Problem {
        kind: format!("urn:orgmem:problem:{}", code.as_str()),
        title: title.to_owned(),
        status,
        error: detail.clone(),
        detail,
        code,
        request_id: None,
        more: Object::new(),
    }
}

fn with<const N: usize>(mut problem: Problem, more: [(&str, Value); N]) -> Problem {
    problem.more.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    problem
}
