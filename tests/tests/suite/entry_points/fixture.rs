//! Two orgs, planted with things that can be told apart, so that a response tells what it reveals.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use orgmem_tests::entry_points::Route;
use orgmem_tests::oracle::{Children, Memory, Oracle, Scope, Step};
use orgmem_tests::orgs::{Drawn, draw};
use orgmem_tests::{Caller, On, TestApp};
use serde_json::json;
use uuid::Uuid;

/// Positions, each as seen from the workspace that callers are bound to; and what is there.
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

/// Where a door is tried: every workspace of the drawing, and one that never was.
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

/// Keys that every workspace has: one to read, and for each role that may one to drop.
pub(super) const KEYS: [&str; 4] = ["state", "agent", "operator", "admin"];

/// Whoever comes to a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallerKind {
    /// Without a token.
    Anonymous,
    /// With the token of one that was removed.
    Removed,
    /// With a token of this role; bound to `own` unless it is an admin's.
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

/// Something planted: a text that stands for it wherever it turns up.
struct Planted {
    mark: String,
    what: What,
}

enum What {
    /// A workspace, by its name or id.
    Workspace(Uuid),
    /// A memory.
    Memory(Memory),
    /// An entry, an episode or a token of a workspace.
    Of(Uuid),
}

pub(super) struct Fixture {
    pub(super) app: TestApp,
    pub(super) drawn: Drawn,
    pub(super) oracle: Oracle,
    planted: Vec<Planted>,
    /// One run of each workspace, which holds something back.
    pub(super) runs: BTreeMap<Uuid, Uuid>,
    /// Profiles of each workspace: one to look at, and for each role that may one to delete.
    profiles: BTreeMap<(Uuid, &'static str), Uuid>,
    /// One token of each workspace, by its id.
    pub(super) tokens: BTreeMap<Uuid, Uuid>,
}

impl Fixture {
    pub(super) async fn plant(on: On) -> Self {
        let app = TestApp::new(on).await;
        let drawn = draw(DRAWING);
        let (runs, profiles, tokens) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut fixture = Self { app, oracle: drawn.oracle(), drawn, planted: Vec::new(), runs, profiles, tokens };
        fixture.plant_workspaces().await;
        for workspace in fixture.oracle.live() {
            fixture.plant_memories(workspace).await;
            fixture.plant_state(workspace).await;
        }
        for name in ["removed", "removed-nephew"] {
            let step = Step::Remove { id: fixture.drawn.id(name), children: Children::Refuse };
            fixture.app.admin().run_step(&step).await.expect(200);
            fixture.oracle.apply(&step).expect("it can be removed");
        }
        // tokens issued from now on are younger than whatever is revoked later
        fixture.app.advance(TimeDelta::seconds(5));
        fixture
    }

    async fn plant_workspaces(&mut self) {
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
            let names = [self.name(id), id.to_string()];
            self.planted.extend(names.map(|mark| Planted { mark, what: What::Workspace(id) }));
        }
    }

    /// What a workspace is called: nothing else has this text in it.
    pub(super) fn name(&self, id: Uuid) -> String {
        format!("<{}>", self.drawn.name(id))
    }

    async fn plant_memories(&mut self, author: Uuid) {
        let parent = self.oracle.parent(author);
        let global = parent.is_none().then_some((Scope::Global, None));
        let shares = [(Scope::Local, None), (Scope::Team, None), (Scope::Team, Some(author))];
        let shares = shares.into_iter().chain(parent.map(|parent| (Scope::Team, Some(parent)))).chain(global);
        for (scope, team) in shares {
            let id = Uuid::new_v4();
            let memory = Memory { id, author, scope, team, content: format!("violin {}", id.simple()) };
            let step = Step::Commit(memory.clone());
            self.app.admin().run_step(&step).await.expect(201);
            self.oracle.apply(&step).expect("it can be written");
            for mark in [id.to_string(), id.simple().to_string()] {
                self.planted.push(Planted { mark, what: What::Memory(memory.clone()) });
            }
        }
    }

    async fn plant_state(&mut self, workspace: Uuid) {
        let admin = self.app.admin();
        let at = |rest: &str| format!("/workspaces/{workspace}/{rest}");
        let mark = || Uuid::new_v4().simple().to_string();
        let (entry, episode, token, held) = (mark(), mark(), mark(), mark());
        for key in KEYS {
            admin.post(&at("memory"), json!({"key": key, "value": {"is": entry}})).await.expect(200);
        }
        let body = json!({"activity_type": "agent_log", "summary": format!("violin {episode}")});
        admin.post(&at("activity"), body).await.expect(201);
        let run = admin.post(&at("runs"), json!({})).await.expect(201).id("run_id");
        let output = json!({"__lf_memory_writes": [{"content": format!("violin {held}"), "scope": "TEAM"}]});
        admin.post(&at(&format!("runs/{run}/outputs")), output).await.expect(200);
        self.runs.insert(workspace, run);
        for role in ["any", "operator", "admin"] {
            let name = mark();
            let profile = admin.post(&at("profiles"), json!({"name": name})).await.expect(201).id("id");
            self.profiles.insert((workspace, role), profile);
            let marks = [name, profile.to_string()];
            self.planted.extend(marks.map(|mark| Planted { mark, what: What::Of(workspace) }));
        }
        let issued = admin.post(&at("tokens"), json!({"role": "agent", "subject": token})).await.expect(201);
        let jti = issued.id("jti");
        self.tokens.insert(workspace, jti);
        let marks = [entry, episode, token, held, run.to_string(), jti.to_string()];
        self.planted.extend(marks.map(|mark| Planted { mark, what: What::Of(workspace) }));
    }

    /// The id at a position.
    pub(super) fn at(&self, position: &str) -> Uuid {
        match position {
            "absent" => Uuid::from_u128(0xab5e_0000_0000_4000_8000_0000_0000_0000),
            drawn => self.drawn.id(drawn),
        }
    }

    /// A memory by whoever is at a position, for each caller another one: one of them may forget it. For what is not
    /// there one that is not either.
    pub(super) fn memory_at(&self, position: &str, who: CallerKind) -> Uuid {
        let author = self.at(position);
        let mut own = self.oracle.memories().iter().filter(|memory| memory.author == author);
        let number = match who {
            CallerKind::Role("operator") => 1,
            CallerKind::Role("admin") => 2,
            _ => 0,
        };
        own.nth(number).map_or(Uuid::from_u128(7), |memory| memory.id)
    }

    /// A memory by whoever is at a position that may be redacted, again and again.
    pub(super) fn redacted_at(&self, position: &str) -> Uuid {
        let author = self.at(position);
        let mut own = self.oracle.memories().iter().filter(|memory| memory.author == author);
        own.next_back().map_or(Uuid::from_u128(7), |memory| memory.id)
    }

    /// A profile of whoever is at a position. Each role that may deletes another one.
    pub(super) fn profile_at(&self, position: &str, door: &Route, who: CallerKind) -> Uuid {
        let role = match who {
            CallerKind::Role(role @ ("operator" | "admin")) if door.operation == "delete_profile" => role,
            _ => "any",
        };
        self.profiles.get(&(self.at(position), role)).copied().unwrap_or(Uuid::from_u128(6))
    }

    pub(super) fn caller(&self, who: CallerKind) -> Caller {
        match who {
            CallerKind::Anonymous => self.app.anonymous(),
            CallerKind::Removed => self.app.agent(self.at("removed")),
            CallerKind::Role("admin") => self.app.admin(),
            CallerKind::Role(role) => self.app.bearer(&self.app.token(role, Some(self.at("own"))).text()),
        }
    }

    /// Everything planted that stands in `text` and may not, by what `who` may see.
    pub(super) fn revealed(&self, who: CallerKind, text: &str) -> Vec<&str> {
        let acting = self.acting(who);
        let is_allowed = |planted: &Planted| match &planted.what {
            _ if who == CallerKind::Role("admin") => true,
            What::Workspace(id) => self.may_know(&acting, *id),
            What::Memory(memory) => acting.iter().any(|&reader| self.oracle.can_read_memory(reader, memory)),
            What::Of(workspace) => acting.contains(workspace),
        };
        let found = self.planted.iter().filter(|planted| text.contains(&planted.mark));
        found.filter(|planted| !is_allowed(planted)).map(|planted| planted.mark.as_str()).collect()
    }

    /// The workspaces as which one may read.
    fn acting(&self, who: CallerKind) -> Vec<Uuid> {
        let own = self.at("own");
        match who {
            CallerKind::Anonymous | CallerKind::Removed => Vec::new(),
            CallerKind::Role("agent") => vec![own],
            CallerKind::Role("admin") => self.oracle.live(),
            CallerKind::Role(_) => {
                // they watch over what was removed below them as well
                self.oracle.subtree(own).into_iter().chain([self.at("removed")]).collect()
            }
        }
    }

    /// Workspaces that one may know by name: one's own, whom they read and who reads them, and their leads.
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
