//! The model's steps, asked of a server.

use orgmem_model::oracle::{Children, Memory, Objection, Step};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer::Answer;
use crate::callers::{Caller, Request};

impl Caller {
    /// Asks for a step, as whoever this is.
    pub async fn take(&self, step: &Step) -> Answer {
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

    /// Asks for steps that are all possible.
    ///
    /// # Panics
    /// When one is refused.
    pub async fn take_all<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) {
        for step in steps {
            let answer = self.take(step).await;
            assert!(matches!(answer.status, 200 | 201), "{step:?}: {}", answer.shown());
        }
    }
}

/// What a workspace of the model is called on a server: something to be found by, and found out by.
#[must_use]
pub fn name_of(workspace: Uuid) -> String {
    let text = workspace.simple().to_string();
    format!("w-{}", &text[text.len() - 12..])
}

/// A memory of the model as it is committed.
#[must_use]
pub fn body_of(memory: &Memory) -> Value {
    let mut body = json!({"id": memory.id, "scope": memory.scope.as_str(), "content": memory.content});
    if let (Some(team), Some(body)) = (memory.team, body.as_object_mut()) {
        body.insert("team".to_owned(), json!(team));
    }
    body
}

/// Whether an answer is one that these objections allow: success where there is none, else a refusal with a code that
/// belongs to one of them.
///
/// # Panics
/// When it is not.
#[track_caller]
pub fn hold_to(objections: &[Objection], step: &Step, answer: &Answer) {
    if objections.is_empty() {
        assert!(matches!(answer.status, 200 | 201), "{step:?} is possible; {}", answer.shown());
        return;
    }
    let found = (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned());
    let allowed: Vec<_> = objections.iter().flat_map(answers_to).collect();
    let is_allowed = allowed.iter().any(|(status, code)| found.0 == *status && found.1 == *code);
    assert!(is_allowed, "{step:?} meets {objections:?}, so one of {allowed:?} is due; {}", answer.shown());
}

/// How a server may answer to an objection, when an admin asks.
fn answers_to(objection: &Objection) -> Vec<(u16, &'static str)> {
    match objection {
        // an admin may know of a removed workspace
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
