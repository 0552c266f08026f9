//! The configuration of each client.

use serde_json::{Value, json};

use super::McpClient;
use crate::cli::print;

/// For clients that cannot read the token from the environment.
const PLACEHOLDER: &str = "<a token from `orgmem token issue <workspace>`>";

pub(super) struct Snippet {
    /// The file that the text belongs into, one line.
    pub(super) instruction: String,
    pub(super) text: String,
}

/// The configuration of `client` for the server at `address`. Without a `token` it reads ORGMEM_TOKEN if the client can.
/// `program` is this binary, for clients that support only stdio.
pub(super) fn snippet(client: McpClient, address: &str, token: Option<&str>, program: &str) -> Snippet {
    let url = format!("{address}/mcp");
    // clients differ in the syntax of variables
    let bearer = |variable: &str| format!("Bearer {}", token.unwrap_or(variable));
    let file =
        |instruction: &str, value: Value| Snippet { instruction: instruction.to_owned(), text: print::json(&value) };
    match client {
        McpClient::ClaudeCode => file(
            "put this into .mcp.json of your project",
            servers(json!({"type": "http", "url": url, "headers": {"Authorization": bearer("${ORGMEM_TOKEN}")}})),
        ),
        McpClient::ClaudeDesktop => file(
            "put this into claude_desktop_config.json (Settings, Developer, Edit Config) and restart Claude Desktop",
            servers(json!({
                "command": program,
                "args": ["mcp"],
                "env": {"ORGMEM_URL": address, "ORGMEM_TOKEN": token.unwrap_or(PLACEHOLDER)},
            })),
        ),
        McpClient::Cursor => file(
            "put this into .cursor/mcp.json of your project, or ~/.cursor/mcp.json",
            servers(json!({"url": url, "headers": {"Authorization": bearer("${env:ORGMEM_TOKEN}")}})),
        ),
        McpClient::Vscode => file("put this into .vscode/mcp.json of your project", vscode(&url, token)),
        McpClient::GeminiCli => file(
            "put this into .gemini/settings.json of your project, or ~/.gemini/settings.json",
            servers(json!({"httpUrl": url, "headers": {"Authorization": bearer("${ORGMEM_TOKEN}")}})),
        ),
        McpClient::Codex => codex(&url, token),
        McpClient::Http => Snippet {
            instruction: "streamable HTTP, protocol revisions with and without `initialize`".to_owned(),
            text: format!("{url}\nAuthorization: {}\n", bearer("<token>")),
        },
        McpClient::Curl => curl(&url, &bearer("$ORGMEM_TOKEN")),
    }
}

fn servers(server: Value) -> Value {
    json!({"mcpServers": {"orgmem": server}})
}

/// VS Code prompts for the token once and stores it.
fn vscode(url: &str, token: Option<&str>) -> Value {
    let bearer = |token: &str| format!("Bearer {token}");
    let server = |token| json!({"orgmem": {"type": "http", "url": url, "headers": {"Authorization": bearer(token)}}});
    match token {
        Some(token) => json!({"servers": server(token)}),
        None => json!({
            "servers": server("${input:orgmem-token}"),
            "inputs": [
                {"type": "promptString", "id": "orgmem-token", "description": "Token for orgmem", "password": true},
            ],
        }),
    }
}

fn codex(url: &str, token: Option<&str>) -> Snippet {
    let authorization = match token {
        Some(token) => format!("http_headers = {{ Authorization = \"Bearer {token}\" }}"),
        None => "bearer_token_env_var = \"ORGMEM_TOKEN\"".to_owned(),
    };
    Snippet {
        instruction: "put this into ~/.codex/config.toml".to_owned(),
        text: format!("[mcp_servers.orgmem]\nurl = \"{url}\"\n{authorization}\n"),
    }
}

fn curl(url: &str, bearer: &str) -> Snippet {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let headers = [
        format!("Authorization: {bearer}"),
        "Content-Type: application/json".to_owned(),
        "Accept: application/json, text/event-stream".to_owned(),
    ];
    let headers: String = headers.iter().map(|header| format!(" -H \"{header}\" \\\n ")).collect();
    Snippet {
        instruction: "this lists the tools".to_owned(),
        text: format!("curl -sS {url} \\\n {headers} -d '{body}'\n"),
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    fn text(client: McpClient, token: Option<&str>) -> String {
        snippet(client, "http://127.0.0.1:7070", token, "/usr/bin/orgmem").text
    }

    #[test]
    fn configuration_without_token_refers_to_it() {
        for client in McpClient::value_variants() {
            let text = text(*client, None);
            let names_it = ["ORGMEM_TOKEN", "${input:orgmem-token}", "<token>"].iter().any(|name| text.contains(name));
            assert!(names_it, "{client:?}: {text}");
        }
    }

    #[test]
    fn configuration_with_token_contains_it_once() {
        for client in McpClient::value_variants() {
            let text = text(*client, Some("abc.def.ghi"));
            assert_eq!(text.matches("abc.def.ghi").count(), 1, "{client:?}: {text}");
            assert!(text.contains("http://127.0.0.1:7070"), "{client:?}: {text}");
        }
    }

    #[test]
    fn configurations_have_the_form_of_their_clients() {
        use McpClient::{ClaudeCode, ClaudeDesktop, Codex, Cursor, GeminiCli, Vscode};
        for client in [ClaudeCode, ClaudeDesktop, Cursor, GeminiCli] {
            let value: Value = serde_json::from_str(&text(client, None)).expect("JSON");
            assert!(value["mcpServers"]["orgmem"].is_object(), "{client:?}");
        }
        let vscode: Value = serde_json::from_str(&text(Vscode, None)).expect("JSON");
        assert_eq!(vscode["servers"]["orgmem"]["headers"]["Authorization"], "Bearer ${input:orgmem-token}");
        for token in [None, Some("t")] {
            let codex: toml::Table = text(Codex, token).parse().expect("TOML");
            assert_eq!(codex["mcp_servers"]["orgmem"]["url"].as_str(), Some("http://127.0.0.1:7070/mcp"));
        }
    }

    #[test]
    fn curl_snippet_is_one_command() {
        let lines = [
            "curl -sS http://127.0.0.1:7070/mcp \\",
            "  -H \"Authorization: Bearer $ORGMEM_TOKEN\" \\",
            "  -H \"Content-Type: application/json\" \\",
            "  -H \"Accept: application/json, text/event-stream\" \\",
            r#"  -d '{"id":1,"jsonrpc":"2.0","method":"tools/list","params":{}}'"#,
        ];
        assert_eq!(text(McpClient::Curl, None).lines().collect::<Vec<_>>(), lines);
    }
}
