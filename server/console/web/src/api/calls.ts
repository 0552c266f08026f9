// The addresses of the server's calls, and those that change something.

import { type Answer, api } from "./http.ts";
import type {
  CommitMemory,
  CommittedMemory,
  Context,
  CreateProfile,
  CreateWorkspace,
  Deleted,
  FinishRun,
  ImportAnswer,
  InjectContext,
  IssueToken,
  IssuedToken,
  PatchMemory,
  PatchProfile,
  PatchWorkspace,
  Profile,
  ProfilePreview,
  PutEntry,
  PutEntryAnswer,
  RedactMemories,
  RedactMemory,
  RedactedMemory,
  RedactionAnswer,
  Removed,
  RevocationPreview,
  RestoreMemory,
  Run,
  TreePreview,
  Workspace,
} from "./types.ts";

/** Names and values of a query; empty ones are left out. */
export type Parameters = Record<string, string | number | undefined>;

export function query(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

export const at = {
  me: "/me",
  version: "/version",
  ready: "/readyz",
  stats: "/admin/stats",
  orgs: "/admin/tree",
  demo: "/orgs/demo",
  tokens: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/tokens${query(parameters)}`,
  workspaces: (parameters: Parameters) => `/workspaces${query(parameters)}`,
  workspace: (id: string) => `/workspaces/${id}`,
  tree: (id: string, depth?: number) => `/workspaces/${id}/tree${query({ depth })}`,
  reach: (id: string) => `/workspaces/${id}/reach`,
  relation: (id: string, other: string) => `/workspaces/${id}/reach/${other}`,
  memories: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/memories${query(parameters)}`,
  memory: (id: string, memory: string) => `/workspaces/${id}/memories/${memory}`,
  count: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/memories/count${query(parameters)}`,
  why: (id: string, memory: string, q?: string) => `/workspaces/${id}/memories/${memory}/why${query({ q })}`,
  access: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/access-log${query(parameters)}`,
  accessOf: (id: string, memory: string, parameters: Parameters = {}) =>
    `/workspaces/${id}/memories/${memory}/access-log${query(parameters)}`,
  verify: (id: string, cursor?: string) => `/workspaces/${id}/access-log/verify${query({ cursor })}`,
  events: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/events${query(parameters)}`,
  history: (id: string, memory: string) => `/workspaces/${id}/memories/${memory}/history`,
  entries: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/memory${query(parameters)}`,
  entry: (id: string, key: string) => `/workspaces/${id}/memory/${encodeURIComponent(key)}`,
  session: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/session-search${query(parameters)}`,
  profiles: (id: string) => `/workspaces/${id}/profiles`,
  profile: (id: string, profile: string) => `/workspaces/${id}/profiles/${profile}`,
  runs: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/runs${query(parameters)}`,
  run: (id: string, run: string, parameters: Parameters = {}) => `/workspaces/${id}/runs/${run}${query(parameters)}`,
  activity: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/activity${query(parameters)}`,
};

export function commitMemory(id: string, memory: CommitMemory): Promise<Answer<CommittedMemory>> {
  return api(at.memories(id), { method: "POST", body: memory });
}

/** Changes a memory, if it still has this version. */
export function editMemory(
  id: string,
  memory: string,
  change: PatchMemory,
  version: number,
): Promise<Answer<CommittedMemory>> {
  return api(at.memory(id, memory), { method: "PATCH", body: change, ifMatch: `"${version}"` });
}

/** Has a memory say again what it said in an earlier version, if it still has the version `now`. */
export function restoreMemory(
  id: string,
  memory: string,
  version: number,
  now: number,
): Promise<Answer<CommittedMemory>> {
  const body: RestoreMemory = { version };
  return api(`${at.memory(id, memory)}/restore`, { method: "POST", body, ifMatch: `"${now}"` });
}

/** Takes the content of a memory out for good, with a reason that is kept. */
export function redactMemory(id: string, memory: string, body: RedactMemory): Promise<Answer<RedactedMemory>> {
  return api(`${at.memory(id, memory)}/redact`, { method: "POST", body });
}

/** What a redaction would take out, and who had read it. */
export function tryRedaction(id: string, memory: string, signal: AbortSignal): Promise<Answer<RedactedMemory>> {
  const body: RedactMemory = { reason: "to be said" };
  return api(`${at.memory(id, memory)}/redact${query({ dry_run: "true" })}`, { method: "POST", body, signal });
}

/** The same for many, each redacted or refused on its own. */
export function redactMemories(id: string, body: RedactMemories): Promise<Answer<RedactionAnswer>> {
  return api(`${at.memories(id)}/redact`, { method: "POST", body });
}

export function forgetMemory(id: string, memory: string): Promise<Answer<Deleted>> {
  return api(at.memory(id, memory), { method: "DELETE" });
}

export function putEntry(id: string, entry: PutEntry): Promise<Answer<PutEntryAnswer>> {
  return api(at.entries(id), { method: "POST", body: entry });
}

export function dropEntry(id: string, key: string): Promise<Answer<Deleted>> {
  return api(at.entry(id, key), { method: "DELETE" });
}

export function createProfile(id: string, profile: CreateProfile): Promise<Answer<Profile>> {
  return api(at.profiles(id), { method: "POST", body: profile });
}

export function patchProfile(id: string, profile: string, change: PatchProfile): Promise<Answer<Profile>> {
  return api(at.profile(id, profile), { method: "PATCH", body: change });
}

/** What making a profile, or changing this one, would do to what is kept and to what the workspace reads. */
export function tryProfile(
  id: string,
  profile: string | undefined,
  wanted: PatchProfile,
  signal?: AbortSignal,
): Promise<Answer<ProfilePreview>> {
  const [method, path] = profile === undefined ? (["POST", at.profiles(id)] as const) : (["PATCH", at.profile(id, profile)] as const);
  return api(`${path}${query({ dry_run: "true" })}`, { method, body: wanted, ...(signal ? { signal } : {}) });
}

export function deleteProfile(id: string, profile: string): Promise<Answer<Deleted>> {
  return api(at.profile(id, profile), { method: "DELETE" });
}

/** The block that an agent would put before its prompt. */
export function injectContext(id: string, asked: InjectContext): Promise<Answer<Context>> {
  return api(`${at.workspace(id)}/context`, { method: "POST", body: asked });
}

/** Ends a run: commits all that is pending in it, or drops it. */
export function finishRun(id: string, run: string, body: FinishRun): Promise<Answer<Run>> {
  return api(`${at.run(id, run)}/finish`, { method: "POST", body });
}

export function createWorkspace(workspace: CreateWorkspace): Promise<Answer<Workspace>> {
  return api("/workspaces", { method: "POST", body: workspace });
}

/** Imports a whole org from the text of a document; or only says what that would add. */
export function importOrg(document: string, type: string, isTrial: boolean): Promise<Answer<ImportAnswer>> {
  const path = `/orgs/import${query({ dry_run: isTrial ? "true" : undefined })}`;
  return api(path, { method: "POST", body: document, type });
}

export function patchWorkspace(id: string, change: PatchWorkspace): Promise<Answer<Workspace>> {
  return api(at.workspace(id), { method: "PATCH", body: change });
}

/** What a move would do to who reads what. */
export function tryMove(id: string, parent_id: string, signal: AbortSignal): Promise<Answer<TreePreview>> {
  return api(`${at.workspace(id)}${query({ dry_run: "true" })}`, { method: "PATCH", body: { parent_id }, signal });
}

/** What a removal would do to who reads what. */
export function tryRemoval(
  id: string,
  children: "promote" | "cascade" | undefined,
  signal: AbortSignal,
): Promise<Answer<TreePreview>> {
  return api(`${at.workspace(id)}${query({ children, dry_run: "true" })}`, { method: "DELETE", signal });
}

/** Removes a workspace; those below it move up, or go with it. */
export function removeWorkspace(id: string, children?: "promote" | "cascade"): Promise<Answer<Removed>> {
  return api(`${at.workspace(id)}${query({ children })}`, { method: "DELETE" });
}

export function issueToken(id: string, asked: IssueToken): Promise<Answer<IssuedToken>> {
  return api(at.tokens(id), { method: "POST", body: asked });
}

export function revokeTokens(id: string): Promise<Answer<Deleted>> {
  return api(at.tokens(id), { method: "DELETE" });
}

/** What revoking all tokens of a workspace would end. */
export function tryRevocation(id: string, signal: AbortSignal): Promise<Answer<RevocationPreview>> {
  return api(`${at.tokens(id)}${query({ dry_run: "true" })}`, { method: "DELETE", signal });
}

/** Revokes one token. */
export function revokeToken(jti: string): Promise<Answer<Deleted>> {
  return api(`/tokens/${jti}`, { method: "DELETE" });
}

/** Exchanges a token, or the one-time code of a link, for a session. */
export function signIn(proof: { token: string } | { code: string }): Promise<Answer<unknown>> {
  return api("/console/session", { method: "POST", body: proof });
}

export function signOut(): Promise<Answer<unknown>> {
  return api("/console/session", { method: "DELETE" });
}
