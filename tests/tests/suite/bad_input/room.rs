//! Where bad input is tried: a small org beside another one, and a store that must not change.

use orgmem_tests::orgs::Drawn;
use orgmem_tests::steps::name_of;
use orgmem_tests::{Caller, On, Request, Response, TestApp};
use serde_json::{Value, json};

/// One request and the response that it gets.
///
/// # Form
/// `who METHOD /path`, the body, and `status code: detail`, which may end in `…`. `{name}` stands for the id of the workspace of this name,
/// `{none}` for an id that is nobody's, and `{memory}` for the id of the bot's memory.
pub(super) type Case<'c> = (&'c str, &'c str, &'c str);

/// The workspaces of the room.
const NAMES: [&str; 8] = ["acme", "dev", "bot", "helper", "peer", "ops", "rival", "spy"];

/// The id of nothing.
const NONE: &str = "0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f";

pub(super) struct Room {
    pub(super) app: TestApp,
    pub(super) drawn: Drawn,
    memory: String,
    before: Vec<String>,
}

impl Room {
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

    /// Tries each case.
    pub(super) async fn check(&self, cases: &[Case<'_>]) {
        let mut wrong = Vec::new();
        for (asked, body, expected) in cases {
            let response = self.ask(asked, body).await;
            let answered = self.told(&response);
            if !is_as_said(&answered, expected) {
                wrong.push(format!("{asked} {}\n  wants {expected}\n  gets  {answered}", shortened(body)));
            }
        }
        self.nothing_changed();
        assert!(wrong.is_empty(), "{} answers are others:\n{}", wrong.len(), wrong.join("\n"));
    }

    /// Tries one request of any form.
    #[track_caller]
    pub(super) fn check_answer(&self, response: &Response, expected: &str) {
        let told = self.told(response);
        assert!(is_as_said(&told, expected), "{} wants {expected}, gets {told}", response.to);
    }

    /// Nothing that was refused may leave a trace.
    #[track_caller]
    pub(super) fn nothing_changed(&self) {
        let after = self.app.dump();
        let gone: Vec<_> = self.before.iter().filter(|row| !after.contains(row)).collect();
        let new: Vec<_> = after.iter().filter(|row| !self.before.contains(row)).collect();
        assert!(gone.is_empty() && new.is_empty(), "a refusal changed the store: gone {gone:#?}, new {new:#?}");
    }

    async fn ask(&self, asked: &str, body: &str) -> Response {
        let (who, rest) = asked.split_once(' ').expect("who METHOD /path");
        let (method, path) = rest.split_once(' ').expect("METHOD /path");
        let request = self.caller(who).request(method, &self.filled(path));
        let request = if body.is_empty() { request } else { with_body(request, &self.filled(body)) };
        request.send().await
    }

    pub(super) fn caller(&self, who: &str) -> Caller {
        let app = &self.app;
        match who {
            "agent" => app.agent(self.drawn.id("bot")),
            "root" => app.agent(self.drawn.id("acme")),
            "viewer" => app.viewer(self.drawn.id("dev")),
            "operator" => app.operator(self.drawn.id("dev")),
            "admin" => app.admin(),
            other => panic!("`{other}` is nobody"),
        }
    }

    /// A text with ids for names.
    pub(super) fn filled(&self, text: &str) -> String {
        let mut filled = text.replace("{none}", NONE).replace("{memory}", &self.memory);
        for name in NAMES {
            filled = filled.replace(&format!("{{{name}}}"), &self.drawn.id(name).to_string());
        }
        filled
    }

    /// A response as cases write it, with names for ids.
    fn told(&self, response: &Response) -> String {
        let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        if response.status < 400 {
            return response.status.to_string();
        }
        let text = |member: &str| body[member].as_str().unwrap_or_default().to_owned();
        assert_eq!(text("detail"), text("error"), "{}", response.describe());
        let mut told = format!("{} {}: {}", response.status, text("code"), text("detail"));
        for name in NAMES {
            let (id, braced) = (self.drawn.id(name), format!("{{{name}}}"));
            told = told.replace(&id.to_string(), &braced).replace(&name_of(id), &braced);
        }
        told.replace(NONE, "{none}").replace(&self.memory, "{memory}")
    }
}

/// A list that will grow is left open: `…` stands for the rest.
fn is_as_said(answered: &str, expected: &str) -> bool {
    match expected.strip_suffix('…') {
        Some(beginning) => answered.starts_with(beginning),
        None => answered == expected,
    }
}

fn with_body(request: Request, body: &str) -> Request {
    request.body("application/json", body)
}

fn shortened(body: &str) -> String {
    body.chars().take(120).collect()
}
