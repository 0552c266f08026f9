// Client configuration, as `orgmem connect` prints it.

import type { Workspace } from "../api/types.ts";
import { strings } from "../strings.ts";

export interface ClientSnippet {
  id: string;
  name: string;
  /** Where the user puts it. */
  where: string;
  text: string;
}

interface Wanted {
  /** Address of the server, without a trailing slash. */
  url: string;
  /** Filled in where it is known; otherwise a variable or a placeholder. */
  token: string | undefined;
  workspace: Workspace;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
const servers = (server: unknown) => json({ mcpServers: { orgmem: server } });

export function snippets({ url, token, workspace }: Wanted): ClientSnippet[] {
  const mcp = `${url}/mcp`;
  const bearer = (variable: string) => ({ Authorization: `Bearer ${token ?? variable}` });
  const secret = token ?? "<a token for this workspace>";
  const texts: Array<[id: keyof typeof strings.clients, text: string]> = [
    ["claude-code", servers({ type: "http", url: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["claude-desktop", servers({ command: "orgmem", args: ["mcp"], env: { ORGMEM_URL: url, ORGMEM_TOKEN: secret } })],
    ["cursor", servers({ url: mcp, headers: bearer("${env:ORGMEM_TOKEN}") })],
    ["vscode", vscode(mcp, token)],
    ["gemini-cli", servers({ httpUrl: mcp, headers: bearer("${ORGMEM_TOKEN}") })],
    ["codex", codex(mcp, token)],
    ["rest", rest(url, token, workspace)],
    ["cli", cli(url, token)],
  ];
  return texts.map(([id, text]) => ({ id, text, ...strings.clients[id] }));
}

/** VS Code asks for the token once and stores it. */
function vscode(url: string, token: string | undefined): string {
  const server = (value: string) => ({ orgmem: { type: "http", url, headers: { Authorization: `Bearer ${value}` } } });
  if (token !== undefined) return json({ servers: server(token) });
  const input = { type: "promptString", id: "orgmem-token", description: "Token for orgmem", password: true };
  return json({ servers: server("${input:orgmem-token}"), inputs: [input] });
}

function codex(url: string, token: string | undefined): string {
  const authorization =
    token === undefined ? 'bearer_token_env_var = "ORGMEM_TOKEN"' : `http_headers = { Authorization = "Bearer ${token}" }`;
  return `[mcp_servers.orgmem]\nurl = "${url}"\n${authorization}`;
}

function rest(url: string, token: string | undefined, workspace: Workspace): string {
  const memories = `${url}/workspaces/${workspace.id}/memories`;
  const authorization = `-H "Authorization: Bearer ${token ?? "$ORGMEM_TOKEN"}"`;
  const body = `-H "Content-Type: application/json" -d '{"content": "…", "scope": "TEAM"}'`;
  return `curl -sS ${authorization} "${memories}?q=deploy"\ncurl -sS ${authorization} ${body} ${memories}`;
}

function cli(url: string, token: string | undefined): string {
  const lines = [
    `export ORGMEM_URL=${url}`,
    token === undefined ? undefined : `export ORGMEM_TOKEN=${token}`,
    'orgmem search "deploy"',
    'orgmem commit --scope TEAM "…"',
  ];
  return lines.filter((line) => line !== undefined).join("\n");
}
