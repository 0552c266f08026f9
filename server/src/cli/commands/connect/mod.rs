mod snippet;

use clap::{Args, ValueEnum};
use orgmem_types::{IssueToken, Role};

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::print::instant;
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use snippet::{Snippet, snippet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum McpClient {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Codex
    Codex,
    /// Gemini CLI
    GeminiCli,
    /// Any client that speaks MCP over HTTP
    Http,
    /// curl, for a manual test
    Curl,
}

impl McpClient {
    /// The folder of a project from which the client loads skills; `None` if it loads none from a folder.
    fn skill_folder(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some(".claude/skills"),
            Self::Cursor => Some(".cursor/skills"),
            Self::Vscode => Some(".github/skills"),
            Self::Codex => Some(".agents/skills"),
            Self::GeminiCli => Some(".gemini/skills"),
            Self::ClaudeDesktop | Self::Http | Self::Curl => None,
        }
    }
}

/// Print the configuration that connects an MCP client to the server
#[derive(Args, Debug)]
pub(crate) struct Connect {
    /// MCP client
    client: McpClient,
    /// Issue an agent token for this workspace and include it; by default the configuration reads ORGMEM_TOKEN
    #[arg(short, long, value_name = "WORKSPACE")]
    workspace: Option<String>,
    /// Lifetime of the token, such as 12h or 30d [default: 24h]
    #[arg(short, long, value_name = "SPAN", value_parser = forms::seconds, requires = "workspace")]
    expires_in: Option<i64>,
    #[command(flatten)]
    server: Server,
}

impl Connect {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let address = self.server.address(local)?.to_string();
        let token = match &self.workspace {
            Some(name) => {
                let remote = self.server.connect(local)?;
                let workspace = remote.workspace(name).await?;
                let request = IssueToken {
                    role: Role::Agent,
                    expires_in: self.expires_in,
                    subject: None,
                    end_user: None,
                    session_id: None,
                };
                let issued = remote.client.issue_token(workspace, &request, None).await?;
                terminal.note(&format!("the token is valid until {}", instant(issued.expires_at)));
                Some(issued.token)
            }
            None => None,
        };
        let program = std::env::current_exe().map_or_else(|_| "orgmem".to_owned(), |path| path.display().to_string());
        let Snippet { instruction, text } = snippet(self.client, &address, token.as_deref(), &program);
        terminal.note(&instruction);
        if let Some(folder) = self.client.skill_folder() {
            terminal
                .note(&format!("`orgmem skills sync {folder} --watch` keeps the skills of your project up to date"));
        }
        terminal.print(&text)
    }
}
