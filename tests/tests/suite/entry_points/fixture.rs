//! Two orgs with unique texts in all objects, so that a response shows which objects it reveals.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use orgmem_tests::entry_points::Route;
use orgmem_tests::oracle::{Children, Memory, Oracle, Scope, Step};
use orgmem_tests::orgs::{Drawn, draw};
use orgmem_tests::{Caller, On, TestApp};
use serde_json::json;
use uuid::Uuid;

/// Workspaces, named by their position relative to the callers' workspace `own`.
pub(super) const DRAWING: &str = "
    root
      parent
        own
          child
            grandchild
          removed
        sibling
          nephew
          removed-nephew
      uncle
        cousin
    foreign-root
      foreign
";

/// The tested positions: every workspace of the drawing, and one that never existed.
pub(super) const POSITIONS: [&str; 14] = [
    "own",
    "child",
    "grandchild",
    "parent",
    "sibling",
    "nephew",
    "uncle",
    "cousin",
    "root",
    "foreign",
    "foreign-root",
    "absent",
    "removed",
    "removed-nephew",
];

/// Keys of every workspace: one to read, and one to drop for each role that may.
pub(super) const KEYS: [&str; 4] = ["state", "agent", "operator", "admin"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallerKind {
    Anonymous,
    /// With the token of a removed workspace.
    Removed,
    /// With a token of this role; except for an admin bound to `own`.
    Role(&'static str),
}

impl CallerKind {
    pub(super) const ALL: [Self; 6] = [
        Self::Anonymous,
        Self::Removed,
        Self::Role("agent"),
        Self::Role("viewer"),
        Self::Role("operator"),
        Self::Role("admin"),
    ];
}

/// A unique text with the object that contains it.
struct Mark {
    mark: String,
    what: Object,
}

enum Object {
    /// =
    Workspace(Uuid),
    Memory(Memory),
    /// =
    Of(Uuid),
}

pub(super) struct Fixture {
    pub(super) app: TestApp,
    pub(super) drawn: Drawn,
    pub(super) oracle: Oracle,
    marks: Vec<Mark>,
    pub(super) ids: Ids,
}

/// What each workspace has.
#[derive(Default)]
pub(super) struct Ids {
    /// One run of each workspace, with a pending memory.
    pub(super) runs: BTreeMap<Uuid, Uuid>,
    pub(super) episodes: BTreeMap<Uuid, Uuid>,
    /// One turn of each workspace.
    pub(super) turns: BTreeMap<Uuid, Uuid>,
    /// One page of each workspace.
    pub(super) pages: BTreeMap<Uuid, Uuid>,
    /// One procedure of each workspace.
    pub(super) procedures: BTreeMap<Uuid, Uuid>,
    /// One review of each workspace.
    pub(super) reviews: BTreeMap<Uuid, Uuid>,
    /// Profiles of each workspace: one to read, and one to delete for each role that may.
    profiles: BTreeMap<(Uuid, &'static str), Uuid>,
    /// Grants of each workspace: one to revoke for each role that may.
    grants: BTreeMap<(Uuid, &'static str), Uuid>,
    /// Documents of each workspace: one to read, one to redact, and one to delete for each role that may.
    documents: BTreeMap<(Uuid, &'static str), Uuid>,
    /// The id of one token of each workspace.
    pub(super) tokens: BTreeMap<Uuid, Uuid>,
}

impl Fixture {
    pub(super) async fn create(on: On) -> Self {
        let app = TestApp::new(on).await;
        let drawn = draw(DRAWING);
        let (oracle, marks) = (drawn.oracle(), Vec::new());
        let mut fixture = Self { app, oracle, drawn, marks, ids: Ids::default() };
        fixture.create_workspaces().await;
        for workspace in fixture.oracle.live() {
            fixture.create_memories(workspace).await;
            fixture.create_state(workspace).await;
        }
        for name in ["removed", "removed-nephew"] {
            let step = Step::Remove { id: fixture.drawn.id(name), children: Children::Refuse };
            fixture.app.admin().run_step(&step).await.expect(200);
            fixture.oracle.apply(&step).expect("it can be removed");
        }
        // later tokens must be younger than the revoked ones
        fixture.app.advance(TimeDelta::seconds(5));
        fixture
    }

    async fn create_workspaces(&mut self) {
        for step in self.drawn.steps().to_vec() {
            let (id, parent) = match step {
                Step::Found { root } => (root, None),
                Step::Create { id, parent } => (id, Some(parent)),
                other => panic!("{other:?} is not drawn"),
            };
            let mut body = json!({"id": id, "name": self.name(id)});
            if let Some(parent) = parent {
                body["parent_id"] = json!(parent);
            }
            self.app.admin().post("/workspaces", body).await.expect(201);
            if parent.is_none() {
                let record = json!({"fields": {"price": {"value": 2}}, "as_of": self.app.now()});
                self.app.admin().put(&format!("/workspaces/{id}/records/shirt"), record).await.expect(200);
            }
            let names = [self.name(id), id.to_string()];
            self.marks.extend(names.map(|mark| Mark { mark, what: Object::Workspace(id) }));
        }
    }

    /// The unique name of a workspace.
    pub(super) fn name(&self, id: Uuid) -> String {
        format!("<{}>", self.drawn.name(id))
    }

    async fn create_memories(&mut self, author: Uuid) {
        let parent = self.oracle.parent(author);
        let global = parent.is_none().then_some((Scope::Global, None));
        let shares = [(Scope::Local, None), (Scope::Team, None), (Scope::Team, Some(author))];
        let shares = shares.into_iter().chain(parent.map(|parent| (Scope::Team, Some(parent)))).chain(global);
        let shares = shares.chain([(Scope::Local, None); 3]);
        for (scope, team) in shares {
            let id = Uuid::new_v4();
            let memory = Memory { id, author, scope, team, content: format!("violin {}", id.simple()) };
            let step = Step::Commit(memory.clone());
            self.app.admin().run_step(&step).await.expect(201);
            self.oracle.apply(&step).expect("it can be written");
            for mark in [id.to_string(), id.simple().to_string()] {
                self.marks.push(Mark { mark, what: Object::Memory(memory.clone()) });
            }
        }
    }

    async fn create_state(&mut self, workspace: Uuid) {
        let admin = self.app.admin();
        let at = |rest: &str| format!("/workspaces/{workspace}/{rest}");
        let mark = || Uuid::new_v4().simple().to_string();
        let (entry, episode, token, pending) = (mark(), mark(), mark(), mark());
        for key in KEYS {
            admin.post(&at("memory"), json!({"key": key, "value": {"is": entry}})).await.expect(200);
        }
        let body = json!({
            "activity_type": "agent_log", "summary": format!("violin {episode}"), "kind": "support",
            "actor": "agent", "channel": "chat", "correlation_id": "c-1",
            "claims": [{"entity": "shirt", "field": "price", "value": 1}],
        });
        admin.post(&at("activity"), body).await.expect(201);
        admin.post(&at("pages/compact"), json!({})).await.expect(200);
        let page = admin.get(&at("pages")).await.expect(200).ids().pop().expect("a page of the episode");
        self.ids.pages.insert(workspace, page);
        let procedure = json!({"content": format!("violin {}", mark()), "kind": "procedure", "scope": "LOCAL"});
        let procedure = admin.commit_with(workspace, procedure).await;
        self.ids.procedures.insert(workspace, procedure);
        let draft = json!({"memory_ids": [procedure], "name": "violin"});
        admin.post(&at("skills"), draft).await.expect(201);
        let review = admin.get(&at("reviews")).await.expect(200).ids().pop().expect("a review of the stale claim");
        self.ids.reviews.insert(workspace, review);
        // one that may be redacted repeatedly
        let spare = admin.post(&at("activity"), json!({"activity_type": "agent_log"})).await.expect(201).id("id");
        self.ids.episodes.insert(workspace, spare);
        let turn = json!({"session_id": "s", "messages": [{"content": format!("violin {}", mark())}]});
        let turn = admin.post(&at("turns"), turn).await.expect(201).id("id");
        self.ids.turns.insert(workspace, turn);
        let run = admin.post(&at("runs"), json!({})).await.expect(201).id("run_id");
        let output = json!({"__lf_memory_writes": [{"content": format!("violin {pending}"), "scope": "TEAM"}]});
        admin.post(&at(&format!("runs/{run}/outputs")), output).await.expect(200);
        self.ids.runs.insert(workspace, run);
        for role in ["any", "redact", "agent", "operator", "admin"] {
            let (title, text) = (mark(), mark());
            let body = json!({"title": title, "content": format!("violin {text}"), "scope": "LOCAL"});
            let document = admin.post(&at("documents"), body).await.expect(201).id("id");
            self.ids.documents.insert((workspace, role), document);
            let marks = [title, text, document.to_string()];
            self.marks.extend(marks.map(|mark| Mark { mark, what: Object::Of(workspace) }));
        }
        let row = mark();
        for (collection, keys) in
            [("bugs", &["any", "agent", "operator", "admin"][..]), ("agent", &[]), ("operator", &[]), ("admin", &[])]
        {
            let collection = at(&format!("collections/{collection}"));
            admin.put(&collection, json!({"key": "id"})).await.expect(200);
            let rows: Vec<_> = keys.iter().map(|key| json!({"id": key, "name": format!("violin {row}")})).collect();
            if !rows.is_empty() {
                admin.post(&format!("{collection}/rows"), json!(rows)).await.expect(200);
            }
        }
        self.marks.push(Mark { mark: row, what: Object::Of(workspace) });
        for name in ["bug-import", "operator", "admin"] {
            let body = json!({"built_in": "bug-import", "set": {"collection": "bugs", "name": name}});
            admin.post(&at("processors"), body).await.expect(200);
        }
        for role in ["any", "operator", "admin"] {
            let name = mark();
            let profile = admin.post(&at("profiles"), json!({"name": name})).await.expect(201).id("id");
            self.ids.profiles.insert((workspace, role), profile);
            let marks = [name, profile.to_string()];
            self.marks.extend(marks.map(|mark| Mark { mark, what: Object::Of(workspace) }));
        }
        for role in ["operator", "admin"] {
            let evidence = mark();
            let grant = json!({"subject": "ada", "sessions": "all", "to": {"session": "s-1"}, "evidence": evidence});
            let grant = admin.post(&at("grants"), grant).await.expect(201).id("id");
            self.ids.grants.insert((workspace, role), grant);
            self.marks.extend([evidence, grant.to_string()].map(|mark| Mark { mark, what: Object::Of(workspace) }));
        }
        let issued = admin.post(&at("tokens"), json!({"role": "agent", "subject": token})).await.expect(201);
        let jti = issued.id("jti");
        self.ids.tokens.insert(workspace, jti);
        let marks = [entry, episode, token, pending, run.to_string(), jti.to_string()];
        self.marks.extend(marks.map(|mark| Mark { mark, what: Object::Of(workspace) }));
    }

    pub(super) fn at(&self, position: &str) -> Uuid {
        match position {
            "absent" => Uuid::from_u128(0xab5e_0000_0000_4000_8000_0000_0000_0000),
            drawn => self.drawn.id(drawn),
        }
    }

    /// A memory of the workspace at a position, a different one for each caller, because a caller may delete it. An
    /// absent workspace gives an absent memory.
    pub(super) fn memory_at(&self, position: &str, caller_kind: CallerKind) -> Uuid {
        self.nth_memory_at(position, caller_kind, 0)
    }

    /// As [`memory_at`](Self::memory_at), for a second route that deletes it.
    pub(super) fn spare_memory_at(&self, position: &str, caller_kind: CallerKind) -> Uuid {
        self.nth_memory_at(position, caller_kind, 3)
    }

    fn nth_memory_at(&self, position: &str, caller_kind: CallerKind, first: usize) -> Uuid {
        let author = self.at(position);
        let mut own = self.oracle.memories().iter().filter(|memory| memory.author == author);
        let number = match caller_kind {
            CallerKind::Role("operator") => 1,
            CallerKind::Role("admin") => 2,
            _ => 0,
        };
        own.nth(first + number).map_or(Uuid::from_u128(7), |memory| memory.id)
    }

    /// A memory of the workspace at a position that may be redacted repeatedly.
    pub(super) fn redacted_at(&self, position: &str) -> Uuid {
        let author = self.at(position);
        let mut own = self.oracle.memories().iter().filter(|memory| memory.author == author);
        own.next_back().map_or(Uuid::from_u128(7), |memory| memory.id)
    }

    /// A document of the workspace at a position, a different one for each role that deletes it.
    pub(super) fn document_at(&self, position: &str, route: &Route, caller_kind: CallerKind) -> Uuid {
        let role = match (route.operation, caller_kind) {
            ("delete_document", CallerKind::Role(role @ ("agent" | "operator" | "admin"))) => role,
            ("redact_document", _) => "redact",
            _ => "any",
        };
        self.ids.documents.get(&(self.at(position), role)).copied().unwrap_or(Uuid::from_u128(4))
    }

    /// A collection of each workspace, a different one for each role that deletes it.
    pub(super) fn collection_for(&self, route: &Route, caller_kind: CallerKind) -> &'static str {
        match (route.operation, caller_kind) {
            ("delete_collection", CallerKind::Role(role @ ("agent" | "operator" | "admin"))) => role,
            _ => "bugs",
        }
    }

    /// A processor of each workspace, a different one for each role that deletes it.
    pub(super) fn processor_for(&self, route: &Route, caller_kind: CallerKind) -> &'static str {
        match (route.operation, caller_kind) {
            ("delete_processor", CallerKind::Role(role @ ("operator" | "admin"))) => role,
            _ => "bug-import",
        }
    }

    /// A row of the collection `bugs`, a different one for each role that deletes it.
    pub(super) fn row_for(&self, route: &Route, caller_kind: CallerKind) -> &'static str {
        match (route.operation, caller_kind) {
            ("delete_row", CallerKind::Role(role @ ("agent" | "operator" | "admin"))) => role,
            _ => "any",
        }
    }

    /// A profile of the workspace at a position, a different one for each role that deletes it.
    pub(super) fn profile_at(&self, position: &str, route: &Route, caller_kind: CallerKind) -> Uuid {
        let role = match caller_kind {
            CallerKind::Role(role @ ("operator" | "admin")) if route.operation == "delete_profile" => role,
            _ => "any",
        };
        self.ids.profiles.get(&(self.at(position), role)).copied().unwrap_or(Uuid::from_u128(6))
    }

    /// A grant of the workspace at a position, a different one for each role that revokes it.
    pub(super) fn grant_at(&self, position: &str, caller_kind: CallerKind) -> Uuid {
        let CallerKind::Role(role) = caller_kind else { return Uuid::from_u128(3) };
        self.ids.grants.get(&(self.at(position), role)).copied().unwrap_or(Uuid::from_u128(3))
    }

    pub(super) fn caller(&self, caller_kind: CallerKind) -> Caller {
        match caller_kind {
            CallerKind::Anonymous => self.app.anonymous(),
            CallerKind::Removed => self.app.agent(self.at("removed")),
            CallerKind::Role("admin") => self.app.admin(),
            CallerKind::Role(role) => self.app.bearer(&self.app.token(role, Some(self.at("own"))).text()),
        }
    }

    /// The unique texts in `text` that the caller may not see.
    pub(super) fn revealed(&self, caller_kind: CallerKind, text: &str) -> Vec<&str> {
        let acting = self.acting(caller_kind);
        let is_allowed = |marks: &Mark| match &marks.what {
            _ if caller_kind == CallerKind::Role("admin") => true,
            Object::Workspace(id) => self.may_know(&acting, *id),
            Object::Memory(memory) => acting.iter().any(|&reader| self.oracle.can_read_memory(reader, memory)),
            Object::Of(workspace) => acting.contains(workspace),
        };
        let found = self.marks.iter().filter(|marks| text.contains(&marks.mark));
        found.filter(|marks| !is_allowed(marks)).map(|marks| marks.mark.as_str()).collect()
    }

    /// The workspaces as which the caller may read.
    fn acting(&self, caller_kind: CallerKind) -> Vec<Uuid> {
        let own = self.at("own");
        match caller_kind {
            CallerKind::Anonymous | CallerKind::Removed => Vec::new(),
            CallerKind::Role("agent") => vec![own],
            CallerKind::Role("admin") => self.oracle.live(),
            CallerKind::Role(_) => {
                // they also cover removed descendants
                self.oracle.subtree(own).into_iter().chain([self.at("removed")]).collect()
            }
        }
    }

    /// Workspaces that the caller may know by name: its own, those it reads, their readers, and their parents.
    fn may_know(&self, acting: &[Uuid], id: Uuid) -> bool {
        let is_near = |&own: &Uuid| {
            own == id
                || self.oracle.parent(own) == Some(id)
                || Scope::ALL.iter().any(|&scope| {
                    self.oracle.can_write(id, scope, None) && self.oracle.can_read(own, id, scope, None)
                        || self.oracle.can_write(own, scope, None) && self.oracle.can_read(id, own, scope, None)
                })
        };
        acting.iter().any(is_near)
    }
}
