//! A small org next to another one, in a store that must not change.

use orgmem_tests::orgs::Drawn;
use orgmem_tests::steps::name_of;
use orgmem_tests::{Caller, On, Request, Response, TestApp};
use serde_json::{Value, json};

/// A request and its expected response: `caller METHOD /path`, the body, and `status code: detail`, which may end in `…`.
/// `{name}` is the id of the workspace of this name, `{none}` an id that does not exist, and `{memory}` the id of the
/// bot's memory.
pub(super) type Case<'c> = (&'c str, &'c str, &'c str);

const NAMES: [&str; 8] = ["acme", "dev", "bot", "helper", "peer", "ops", "rival", "spy"];

const NONE: &str = "0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f";

pub(super) struct Fixture {
    pub(super) app: TestApp,
    pub(super) drawn: Drawn,
    memory: String,
    before: Vec<String>,
}

impl Fixture {
    pub(super) async fn new(on: On) -> Self {
        Self::within(TestApp::new(on).await).await
    }

    pub(super) async fn within(app: TestApp) -> Self {
        let drawn = app.plant("acme\n  dev\n    bot\n      helper\n    peer\n  ops\nrival\n  spy").await;
        let bot = drawn.id("bot");
        let memory = app.agent(bot).commit(bot, "TEAM", "deploys happen on tuesdays").await;
        let at = |rest: &str| format!("/workspaces/{bot}/{rest}");
        app.agent(bot).post(&at("memory"), json!({"key": "state", "value": {"step": 3}})).await.expect(200);
        app.agent(bot).post(&at("activity"), json!({"activity_type": "agent_log"})).await.expect(201);
        let before = app.dump();
        Self { app, drawn, memory: memory.to_string(), before }
    }

    pub(super) async fn check(&self, cases: &[Case<'_>]) {
        let mut wrong = Vec::new();
        for (request_line, body, expected) in cases {
            let response = self.send(request_line, body).await;
            let actual = self.summary(&response);
            if !matches_expected(&actual, expected) {
                wrong.push(format!("{request_line} {}\n  wants {expected}\n  gets  {actual}", shortened(body)));
            }
        }
        self.nothing_changed();
        assert!(wrong.is_empty(), "{} answers are others:\n{}", wrong.len(), wrong.join("\n"));
    }

    #[track_caller]
    pub(super) fn check_response(&self, response: &Response, expected: &str) {
        let summary = self.summary(response);
        assert!(matches_expected(&summary, expected), "{} wants {expected}, gets {summary}", response.to);
    }

    /// A refused request must not change the store.
    #[track_caller]
    pub(super) fn nothing_changed(&self) {
        let after = self.app.dump();
        let gone: Vec<_> = self.before.iter().filter(|row| !after.contains(row)).collect();
        let new: Vec<_> = after.iter().filter(|row| !self.before.contains(row)).collect();
        assert!(gone.is_empty() && new.is_empty(), "a refusal changed the store: gone {gone:#?}, new {new:#?}");
    }

    async fn send(&self, request_line: &str, body: &str) -> Response {
        let (caller, rest) = request_line.split_once(' ').expect("caller METHOD /path");
        let (method, path) = rest.split_once(' ').expect("METHOD /path");
        let request = self.caller(caller).request(method, &self.filled(path));
        let request = if body.is_empty() { request } else { with_body(request, &self.filled(body)) };
        request.send().await
    }

    pub(super) fn caller(&self, caller: &str) -> Caller {
        let app = &self.app;
        match caller {
            "agent" => app.agent(self.drawn.id("bot")),
            "root" => app.agent(self.drawn.id("acme")),
            "viewer" => app.viewer(self.drawn.id("dev")),
            "operator" => app.operator(self.drawn.id("dev")),
            "admin" => app.admin(),
            other => panic!("`{other}` is nobody"),
        }
    }

    /// Replaces names by ids.
    pub(super) fn filled(&self, text: &str) -> String {
        let mut filled = text.replace("{none}", NONE).replace("{memory}", &self.memory);
        for name in NAMES {
            filled = filled.replace(&format!("{{{name}}}"), &self.drawn.id(name).to_string());
        }
        filled
    }

    /// The response in the form of a case, with names for ids.
    fn summary(&self, response: &Response) -> String {
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if response.status < 400 {
            return response.status.to_string();
        }
        let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
        assert_eq!(text("detail"), text("error"), "{}", response.describe());
        let mut summary = format!("{} {}: {}", response.status, text("code"), text("detail"));
        for name in NAMES {
            let (id, braced) = (self.drawn.id(name), format!("{{{name}}}"));
            summary = summary.replace(&id.to_string(), &braced).replace(&name_of(id), &braced);
        }
        summary.replace(NONE, "{none}").replace(&self.memory, "{memory}")
    }
}

/// `…` stands for the rest of a list that will grow.
fn matches_expected(actual: &str, expected: &str) -> bool {
    match expected.strip_suffix('…') {
        Some(beginning) => actual.starts_with(beginning),
        None => actual == expected,
    }
}

fn with_body(request: Request, body: &str) -> Request {
    request.body("application/json", body)
}

fn shortened(body: &str) -> String {
    body.chars().take(120).collect()
}
