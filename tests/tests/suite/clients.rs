//! Public MCP clients: each lists and calls every tool, and receives the reason of a refusal. And the official conformance
//! suite of MCP.

use orgmem_tests::entry_points::TOOLS;
use orgmem_tests::{On, TestApp, client_programs, clients, on_sqlite, program};
use serde_json::Value;
use tokio::process::Command;

on_sqlite!(
    python_client_works_with_both_eras_over_http_and_stdio,
    javascript_client_works_over_http_and_stdio,
    langchain_adapters_work_over_http_and_stdio,
    conformance_suite_fails_only_the_explained_checks,
);

/// Protocol versions for the Python client: the stateless revision, those with a handshake, or automatic.
const ERAS: [&str; 3] = ["2026-07-28", "legacy", "auto"];

const TRANSPORTS: [&str; 2] = ["http", "stdio"];

async fn python_client_works_with_both_eras_over_http_and_stdio(on: On) {
    let round = ClientTest::new(on).await;
    for era in ERAS {
        for transport in TRANSPORTS {
            let mut client = Command::new(clients().join("python/bin/python"));
            client.arg(client_programs().join("round_trip.py")).arg(era);
            round.run(client, transport).await;
        }
    }
}

async fn javascript_client_works_over_http_and_stdio(on: On) {
    let round = ClientTest::new(on).await;
    for transport in TRANSPORTS {
        let mut client = Command::new("node");
        client.arg(client_programs().join("round_trip.mjs")).arg(clients().join("node"));
        round.run(client, transport).await;
    }
}

async fn langchain_adapters_work_over_http_and_stdio(on: On) {
    let round = ClientTest::new(on).await;
    for transport in TRANSPORTS {
        let mut client = Command::new(clients().join("langchain/bin/python"));
        client.arg(client_programs().join("langchain_tools.py"));
        round.run(client, transport).await;
    }
}

/// The reasons are in `tests/clients/conformance`.
async fn conformance_suite_fails_only_the_explained_checks(on: On) {
    let round = ClientTest::new(on).await;
    for revision in ["2025-11-25", "2026-07-28"] {
        let mut suite = Command::new("node");
        suite.arg(client_programs().join("conformance/run.mjs")).arg(clients().join("conformance"));
        suite.arg(format!("{}/mcp", round.app.address())).arg(&round.token).arg(revision);
        let output = suite.kill_on_drop(true).output().await.expect("node starts");
        assert!(output.status.success(), "{revision}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let passed = report["passed"].as_array().expect("a list");
        for scenario in ["tools-list", "dns-rebinding-protection", "completion-complete"] {
            assert!(passed.contains(&scenario.into()), "{revision}: {scenario} is not in {passed:?}");
        }
    }
}

/// The real program, and the agent of the clients' token.
struct ClientTest {
    app: TestApp,
    token: String,
}

impl ClientTest {
    async fn new(on: On) -> Self {
        let app = TestApp::builder(on).as_program().start().await;
        let bot = app.plant("acme\n  dev\n    bot\n    peer").await.id("bot");
        let token = app.token("agent", Some(bot)).text();
        Self { app, token }
    }

    /// Runs a client, which must succeed and list every tool.
    async fn run(&self, mut client: Command, transport: &str) {
        client.arg(transport);
        match transport {
            "http" => client.arg(format!("{}/mcp", self.app.address())),
            _ => client.arg(program()).arg(self.app.address()),
        };
        let output = client.arg(&self.token).kill_on_drop(true).output().await.expect("the client starts");
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{client:?}\n{complaints}");
        // the validators of clients warn of unknown formats and lists of types
        assert!(
            !["unknown format", "strict mode", "union type"].iter().any(|warning| complaints.contains(warning)),
            "{complaints}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).expect("the client tells what it saw as JSON");
        let mut tools: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        tools.sort_unstable();
        assert_eq!(report["tools"], serde_json::json!(tools), "{client:?}");
        assert_eq!(report["called"], report["tools"], "every tool is called: {client:?}");
        let refusal = report["refusal"].as_str().unwrap_or_default();
        assert!(refusal.contains("only a root writes GLOBAL"), "{refusal}");
    }
}
