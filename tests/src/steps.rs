//! The model's steps as requests.

use orgmem_model::oracle::{Children, Memory, Objection, Step};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::callers::{Caller, Request};
use crate::response::Response;

impl Caller {
    pub async fn run_step(&self, step: &Step) -> Response {
        self.request_of(step).send().await
    }

    fn request_of(&self, step: &Step) -> Request {
        match step {
            Step::Found { root } => {
                self.request("POST", "/workspaces").json(json!({"id": root, "name": name_of(*root)}))
            }
            Step::Create { id, parent } => {
                let body = json!({"id": id, "name": name_of(*id), "parent_id": parent});
                self.request("POST", "/workspaces").json(body)
            }
            Step::Move { id, to } => self.request("PATCH", &format!("/workspaces/{id}")).json(json!({"parent_id": to})),
            Step::Remove { id, children } => {
                let children = match children {
                    Children::Refuse => "",
                    Children::Promote => "?children=promote",
                    Children::Cascade => "?children=cascade",
                };
                self.request("DELETE", &format!("/workspaces/{id}{children}"))
            }
            Step::Commit(memory) => {
                self.request("POST", &format!("/workspaces/{}/memories", memory.author)).json(body_of(memory))
            }
        }
    }

    /// Runs steps that must succeed.
    pub async fn run_steps<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) {
        for step in steps {
            let response = self.run_step(step).await;
            assert!(matches!(response.status, 200 | 201), "{step:?}: {}", response.describe());
        }
    }
}

/// A unique name for a workspace of the model, so that a response reveals it.
#[must_use]
pub fn name_of(workspace: Uuid) -> String {
    let text = workspace.simple().to_string();
    format!("w-{}", &text[text.len() - 12..])
}

/// The JSON body of a memory of the model.
#[must_use]
pub fn body_of(memory: &Memory) -> Value {
    let mut body = json!({"id": memory.id, "scope": memory.scope.as_str(), "content": memory.content});
    if let (Some(team), Some(body)) = (memory.team, body.as_object_mut()) {
        body.insert("team".to_owned(), json!(team));
    }
    body
}

/// Asserts a success if there are no objections, and otherwise a refusal whose code belongs to one of them.
#[track_caller]
pub fn assert_allowed(objections: &[Objection], step: &Step, response: &Response) {
    if objections.is_empty() {
        assert!(matches!(response.status, 200 | 201), "{step:?} must succeed; {}", response.describe());
        return;
    }
    let found = (response.status, response.json()["code"].as_str().unwrap_or_default().to_owned());
    let allowed: Vec<_> = objections.iter().flat_map(allowed_codes).collect();
    let is_allowed = allowed.iter().any(|(status, code)| found.0 == *status && found.1 == *code);
    assert!(is_allowed, "{step:?} violates {objections:?}, so one of {allowed:?} is expected; {}", response.describe());
}

fn allowed_codes(objection: &Objection) -> Vec<(u16, &'static str)> {
    match objection {
        // an admin may see removed workspaces
        Objection::NotLive(_) => vec![(404, "not_found"), (410, "gone")],
        Objection::ParentNotLive(_) => vec![(404, "not_found"), (410, "gone"), (409, "tree_conflict")],
        Objection::IdTaken(_) => vec![(409, "id_taken")],
        Objection::HasChildren(_) => vec![(409, "confirmation_required")],
        Objection::UnderItself
        | Objection::Cycle
        | Objection::OtherTree
        | Objection::RootStays
        | Objection::TooDeep(_)
        | Objection::Full
        | Objection::NothingAboveRoot => vec![(409, "tree_conflict")],
        Objection::OnlyRootWritesGlobal | Objection::TeamNotOwn => vec![(403, "scope_forbidden")],
        Objection::TeamNeedsTeamScope => vec![(403, "scope_forbidden"), (400, "invalid_field")],
    }
}
