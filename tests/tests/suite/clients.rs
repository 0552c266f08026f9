//! Public MCP clients: each lists the tools, commits a memory, finds it, and receives the reason of a refusal.

use orgmem_tests::entry_points::TOOLS;
use orgmem_tests::{On, TestApp, client_programs, clients, for_each_store, program};
use serde_json::Value;
use tokio::process::Command;

for_each_store!(python_client_works_with_both_eras_over_http_and_stdio, javascript_client_works_over_http_and_stdio,);

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
        let refusal = report["refusal"].as_str().unwrap_or_default();
        assert!(refusal.contains("only a root writes GLOBAL"), "{refusal}");
    }
}
