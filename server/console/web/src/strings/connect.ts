// Clients and tokens.

import type { Role } from "../api/types.ts";
import { plural } from "./plural.ts";

/** The number of open streams on the server that answers, which counts only its own. */
const open = (streams: number | undefined) =>
  `${streams === undefined ? "– event streams" : plural(streams, "event stream", "event streams")} ${streams === 1 ? "is" : "are"} open on this server`;

export const connect = {
  connect: {
    token: "Token",
    client: "Client",
    role: "Role",
    roles: [
      ["agent", "An agent: acts as this workspace"],
      ["viewer", "A viewer: reads it and all below"],
      ["operator", "An operator: acts in it and all below"],
    ] as const,
    lifetime: "Lifetime",
    lifetimes: [
      ["", "Default"],
      ["3600", "1 hour"],
      ["604800", "7 days"],
      ["2592000", "30 days"],
      ["31536000", "1 year"],
    ] as const,
    issue: "Issue a token",
    once: "Shown once.",
    until: (role: Role, when: string) => `The ${role} token below is not stored. It expires on ${when}.`,
    askAdmin: "Ask an operator or admin for a token for this workspace.",
    variable: "The client reads the token from the variable ORGMEM_TOKEN or prompts for it. Issue a token above to fill it in.",
  },

  tokens: {
    title: "Tokens of this workspace",
    description: "Tokens issued here that have not expired. A token is shown once and is not stored; tokens that a platform signs with its own key are not listed.",
    none: "No unexpired token was issued here.",
    subject: "Subject",
    role: "Role",
    issued: "Issued",
    expires: "Expires",
    used: "Last used",
    usedHint: "According to the audit log: reads and writes, but not refused requests.",
    unused: "never",
    revokedMark: "revoked",
    issuers: "Who issued them",
    revokeOne: "Revoke…",
    confirmOne: "Revoke 1 token",
    oneTitle: "Revoke this token",
    oneText: (subject: string) =>
      `The token of ${subject} stops working at once, wherever it is used. This cannot be undone.`,
    oneEffect: (streams: number | undefined) =>
      `Consoles that are signed in with it are signed out, and its clients are refused. ${open(streams)} now and will close.`,
    revoked: "1 token revoked.",
    revokeAll: "Revoke all tokens",
    allTitle: "Revoke all tokens of this workspace",
    allText: (name: string) =>
      `Every token issued for ${name} until now stops working at once, including tokens signed with other keys. Clients that act as ${name} then need a new token. This cannot be undone.`,
    allEffect: (tokens: number | undefined, streams: number | undefined) =>
      `${tokens === undefined ? "– tokens" : plural(tokens, "token", "tokens")} issued here ${tokens === 1 ? "is" : "are"} still valid. Consoles that are signed in with one of them are signed out. ${open(streams)} now and will close.`,
    allRevoked: (name: string) => `All tokens of ${name} revoked.`,
  },

  clients: {
    "claude-code": { name: "Claude Code", where: "Add it to .mcp.json in the project." },
    "claude-desktop": {
      name: "Claude Desktop",
      where: "Add it to claude_desktop_config.json (Settings, Developer, Edit Config), then restart Claude Desktop.",
    },
    "cursor": { name: "Cursor", where: "Add it to .cursor/mcp.json in the project, or to ~/.cursor/mcp.json." },
    "vscode": { name: "VS Code", where: "Add it to .vscode/mcp.json in the project." },
    "gemini-cli": { name: "Gemini CLI", where: "Add it to .gemini/settings.json in the project, or to ~/.gemini/settings.json." },
    "codex": { name: "Codex", where: "Add it to ~/.codex/config.toml." },
    "rest": { name: "REST", where: "Run it in a shell." },
    "cli": { name: "Command line", where: "Run it in a shell." },
  },
} as const;
