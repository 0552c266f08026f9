// Clients and tokens.

import type { Role } from "../api/types.ts";
import { plural } from "./plural.ts";

/** How many streams are open. The server that answers knows its own. */
const open = (streams: number | undefined) =>
  `${streams === undefined ? "– event streams" : plural(streams, "event stream", "event streams")} ${streams === 1 ? "is" : "are"} open on this server`;
const end = (streams: number | undefined) => (streams === 1 ? "ends" : "end");

export const connect = {
  connect: {
    token: "Token",
    client: "Client",
    role: "For",
    roles: [
      ["agent", "An agent: acts as this workspace"],
      ["viewer", "A viewer: reads it and all below"],
      ["operator", "An operator: acts in it and all below"],
    ] as const,
    lifetime: "Lifetime",
    lifetimes: [
      ["", "As usual"],
      ["3600", "1 hour"],
      ["604800", "7 days"],
      ["2592000", "30 days"],
      ["31536000", "1 year"],
    ] as const,
    issue: "Issue a token",
    once: "Shown once.",
    until: (role: Role, when: string) => `The ${role}’s token below is not kept anywhere. It ends on ${when}.`,
    ask: "Ask an operator or admin for a token of this workspace.",
    variable: "The token is read from the variable ORGMEM_TOKEN, or asked for. Issue one above and it is filled in.",
  },

  tokens: {
    title: "Tokens of this workspace",
    what: "Those issued here that have not expired. A token itself is shown once and kept nowhere; tokens that a platform signs with its own key are not in this list.",
    none: "No token that was issued here is still good.",
    subject: "For whom",
    role: "Role",
    issued: "Issued",
    expires: "Expires",
    used: "Last used",
    usedWhat: "As the access log tells it: reads and writes, not what was refused.",
    unused: "not yet",
    refused: "revoked",
    byWhom: "Who issued them",
    oneAsk: "Revoke…",
    oneDo: "Revoke 1 token",
    oneTitle: "Revoke this token",
    oneSure: (subject: string) =>
      `The token of ${subject} stops working at once, wherever it is used. This cannot be undone.`,
    oneEnds: (streams: number | undefined) =>
      `Consoles that are signed in with it are signed out, and its clients are refused. ${open(streams)} now, and ${end(streams)}.`,
    revoked: "1 token is revoked.",
    revokeAll: "Revoke all its tokens",
    allTitle: "Revoke all tokens of this workspace",
    allSure: (name: string) =>
      `Every token issued for ${name} until now stops working at once, those of other keys as well. Whoever acts as ${name} needs a new one afterwards. This cannot be undone.`,
    allEnds: (tokens: number | undefined, streams: number | undefined) =>
      `${tokens === undefined ? "– tokens" : plural(tokens, "token", "tokens")} issued here ${tokens === 1 ? "is" : "are"} good until then. Consoles that are signed in with any are signed out. ${open(streams)} now, and ${end(streams)}.`,
    allRevoked: (name: string) => `All tokens of ${name} are revoked.`,
  },

  clients: {
    "claude-code": { name: "Claude Code", where: "Into .mcp.json of the project." },
    "claude-desktop": {
      name: "Claude Desktop",
      where: "Into claude_desktop_config.json (Settings, Developer, Edit Config); then restart it.",
    },
    "cursor": { name: "Cursor", where: "Into .cursor/mcp.json of the project, or ~/.cursor/mcp.json." },
    "vscode": { name: "VS Code", where: "Into .vscode/mcp.json of the project." },
    "gemini-cli": { name: "Gemini CLI", where: "Into .gemini/settings.json of the project, or ~/.gemini/settings.json." },
    "codex": { name: "Codex", where: "Into ~/.codex/config.toml." },
    "rest": { name: "REST", where: "From a shell." },
    "cli": { name: "Command line", where: "From a shell." },
  },
} as const;
