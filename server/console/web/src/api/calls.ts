// Paths of the server's endpoints, and the requests that change something.

import { type ApiResponse, api } from "./http.ts";
import type {
  ApproveSkill,
  ChangeProvider,
  CommitMemory,
  CommittedMemory,
  Context,
  CreateProfile,
  CreateWorkspace,
  DecideReview,
  DecidedReview,
  Deleted,
  DraftSkill,
  Erase,
  FinishRun,
  ImportResponse,
  InjectContext,
  IssueToken,
  IssuedToken,
  PatchMemory,
  PatchProfile,
  PatchWorkspace,
  Profile,
  ProcessorRun,
  ProfilePreview,
  ProviderSurface,
  Receipt,
  PutEntry,
  PutEntryResponse,
  RedactMemories,
  RedactMemory,
  RedactedMemory,
  RedactionResponse,
  WorkspaceRemoval,
  RevocationPreview,
  RestoreMemory,
  Run,
  Skill,
  TreePreview,
  Workspace,
} from "./types.ts";

/** Query parameters; empty ones are omitted. */
export type Parameters = Record<string, string | number | undefined>;

export function query(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

export const endpoint = {
  me: "/me",
  version: "/version",
  ready: "/readyz",
  stats: "/admin/stats",
  providers: "/admin/providers",
  erasures: (parameters: Parameters = {}) => `/admin/erasures${query(parameters)}`,
  orgs: "/admin/tree",
  home: "/admin/tree?days=30",
  demo: "/orgs/demo",
  tokens: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/tokens${query(parameters)}`,
  workspaces: (parameters: Parameters) => `/workspaces${query(parameters)}`,
  workspace: (id: string) => `/workspaces/${id}`,
  tree: (id: string, depth?: number) => `/workspaces/${id}/tree${query({ depth })}`,
  reach: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/reach${query(parameters)}`,
  relation: (id: string, other: string) => `/workspaces/${id}/reach/${other}`,
  memories: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/memories${query(parameters)}`,
  memory: (id: string, memory: string) => `/workspaces/${id}/memories/${memory}`,
  search: (parameters: Parameters) => `/search${query(parameters)}`,
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
  pages: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/pages${query(parameters)}`,
  page: (id: string, page: string) => `/workspaces/${id}/pages/${page}`,
  pageSources: (id: string, page: string) => `/workspaces/${id}/pages/${page}/sources`,
  pageWhy: (id: string, page: string) => `/workspaces/${id}/pages/${page}/why`,
  grants: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/grants${query(parameters)}`,
  reviews: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/reviews${query(parameters)}`,
  skills: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/skills${query(parameters)}`,
  skill: (id: string, name: string, parameters: Parameters = {}) => `/workspaces/${id}/skills/${name}${query(parameters)}`,
  skillDiff: (id: string, name: string, parameters: Parameters) => `/workspaces/${id}/skills/${name}/diff${query(parameters)}`,
  skillRule: (id: string) => `/workspaces/${id}/skill-rule`,
  evidence: (id: string, memory: string) => `/workspaces/${id}/memories/${memory}/evidence`,
  documents: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/documents${query(parameters)}`,
  document: (id: string, document: string) => `/workspaces/${id}/documents/${document}`,
  documentText: (id: string, document: string, parameters: Parameters) => `/workspaces/${id}/documents/${document}/content${query(parameters)}`,
  collections: (id: string) => `/workspaces/${id}/collections`,
  rows: (id: string, name: string, parameters: Parameters = {}) => `/workspaces/${id}/collections/${encodeURIComponent(name)}/rows${query(parameters)}`,
  processors: (id: string) => `/workspaces/${id}/processors`,
  processorRuns: (id: string, name: string, parameters: Parameters = {}) =>
    `/workspaces/${id}/processors/${encodeURIComponent(name)}/runs${query(parameters)}`,
  activity: (id: string, parameters: Parameters = {}) => `/workspaces/${id}/activity${query(parameters)}`,
};

/** Revokes a grant: the next read on every server is without it. */
export function revokeGrant(id: string, grant: string): Promise<ApiResponse<unknown>> {
  return api(`${endpoint.grants(id)}/${grant}`, { method: "DELETE" });
}

export function decideReview(id: string, review: string, decision: DecideReview): Promise<ApiResponse<DecidedReview>> {
  return api(`${endpoint.reviews(id)}/${review}`, { method: "POST", body: decision });
}

export function commitMemory(id: string, memory: CommitMemory): Promise<ApiResponse<CommittedMemory>> {
  return api(endpoint.memories(id), { method: "POST", body: memory });
}

/** Edits a memory. Fails with 412 unless the memory still has this version. */
export function editMemory(
  id: string,
  memory: string,
  change: PatchMemory,
  version: number,
): Promise<ApiResponse<CommittedMemory>> {
  return api(endpoint.memory(id, memory), { method: "PATCH", body: change, ifMatch: `"${version}"` });
}

/** Restores the content of an earlier version. Fails with 412 unless the current version is `now`. */
export function restoreMemory(
  id: string,
  memory: string,
  version: number,
  now: number,
): Promise<ApiResponse<CommittedMemory>> {
  const body: RestoreMemory = { version };
  return api(`${endpoint.memory(id, memory)}/restore`, { method: "POST", body, ifMatch: `"${now}"` });
}

/** Redacts a memory permanently; the server stores the reason. */
export function redactMemory(id: string, memory: string, body: RedactMemory): Promise<ApiResponse<RedactedMemory>> {
  return api(`${endpoint.memory(id, memory)}/redact`, { method: "POST", body });
}

/** Dry run of a redaction: lists the workspaces that have read the memory. */
export function dryRunRedaction(id: string, memory: string, signal: AbortSignal): Promise<ApiResponse<RedactedMemory>> {
  const body: RedactMemory = { reason: "to be said" };
  return api(`${endpoint.memory(id, memory)}/redact${query({ dry_run: "true" })}`, { method: "POST", body, signal });
}

/** Redacts many memories; each item succeeds or fails by itself. */
export function redactMemories(id: string, body: RedactMemories, isDryRun = false): Promise<ApiResponse<RedactionResponse>> {
  return api(`${endpoint.memories(id)}/redact${query({ dry_run: isDryRun ? "true" : undefined })}`, { method: "POST", body });
}

export function deleteMemory(id: string, memory: string): Promise<ApiResponse<Deleted>> {
  return api(endpoint.memory(id, memory), { method: "DELETE" });
}

export function putEntry(id: string, entry: PutEntry): Promise<ApiResponse<PutEntryResponse>> {
  return api(endpoint.entries(id), { method: "POST", body: entry });
}

export function deleteEntry(id: string, key: string): Promise<ApiResponse<Deleted>> {
  return api(endpoint.entry(id, key), { method: "DELETE" });
}

export function createProfile(id: string, profile: CreateProfile): Promise<ApiResponse<Profile>> {
  return api(endpoint.profiles(id), { method: "POST", body: profile });
}

export function patchProfile(id: string, profile: string, change: PatchProfile): Promise<ApiResponse<Profile>> {
  return api(endpoint.profile(id, profile), { method: "PATCH", body: change });
}

/** Dry run of creating or changing a profile: counts the memories that expire or become unreadable. */
export function dryRunProfile(
  id: string,
  profile: string | undefined,
  wanted: PatchProfile,
  signal?: AbortSignal,
): Promise<ApiResponse<ProfilePreview>> {
  const [method, path] = profile === undefined ? (["POST", endpoint.profiles(id)] as const) : (["PATCH", endpoint.profile(id, profile)] as const);
  return api(`${path}${query({ dry_run: "true" })}`, { method, body: wanted, ...(signal ? { signal } : {}) });
}

export function deleteProfile(id: string, profile: string): Promise<ApiResponse<Deleted>> {
  return api(endpoint.profile(id, profile), { method: "DELETE" });
}

/** Builds the context block of an agent. The server records it as a read. */
export function injectContext(id: string, body: InjectContext): Promise<ApiResponse<Context>> {
  return api(`${endpoint.workspace(id)}/context`, { method: "POST", body: body });
}

/** Finishes a run: commits all its pending memories, or drops them. */
export function finishRun(id: string, run: string, body: FinishRun): Promise<ApiResponse<Run>> {
  return api(`${endpoint.run(id, run)}/finish`, { method: "POST", body });
}

export function draftSkill(id: string, body: DraftSkill): Promise<ApiResponse<Skill>> {
  return api(endpoint.skills(id), { method: "POST", body });
}

/** Approves a draft; another draft than this version is refused. */
export function approveSkill(id: string, name: string, body: ApproveSkill): Promise<ApiResponse<Skill>> {
  return api(`${endpoint.skill(id, name)}/approve`, { method: "POST", body });
}

export function withdrawSkill(id: string, name: string): Promise<ApiResponse<Deleted>> {
  return api(endpoint.skill(id, name), { method: "DELETE" });
}

/** Erases the data about an end user in an org, or counts what would be erased. */
export function erase(body: Erase, isDryRun: boolean, signal?: AbortSignal): Promise<ApiResponse<Receipt>> {
  const path = endpoint.erasures({ dry_run: isDryRun ? "true" : undefined });
  return api(path, { method: "POST", body, ...(signal && { signal }) });
}

/** Runs a processor, or reports what a run would do. */
export function runProcessor(id: string, name: string, isDryRun: boolean, signal?: AbortSignal): Promise<ApiResponse<ProcessorRun>> {
  const path = `${endpoint.processors(id)}/${encodeURIComponent(name)}/run${query({ dry_run: isDryRun ? "true" : undefined })}`;
  return api(path, { method: "POST", ...(signal && { signal }) });
}

/** Lets a provider answer the searches of a surface, or the built-in provider again. */
export function changeProvider(name: string, verb: "promote" | "demote", body: ChangeProvider): Promise<ApiResponse<ProviderSurface>> {
  return api(`${endpoint.providers}/${encodeURIComponent(name)}/${verb}`, { method: "POST", body });
}

export function createWorkspace(workspace: CreateWorkspace): Promise<ApiResponse<Workspace>> {
  return api("/workspaces", { method: "POST", body: workspace });
}

/** Imports an org from the text of a document, or previews the import. */
export function importOrg(document: string, type: string, isDryRun: boolean): Promise<ApiResponse<ImportResponse>> {
  const path = `/orgs/import${query({ dry_run: isDryRun ? "true" : undefined })}`;
  return api(path, { method: "POST", body: document, type });
}

export function patchWorkspace(id: string, change: PatchWorkspace): Promise<ApiResponse<Workspace>> {
  return api(endpoint.workspace(id), { method: "PATCH", body: change });
}

/** Dry run of a move: lists who gains and loses which memories. */
export function dryRunMove(id: string, parent_id: string, signal: AbortSignal): Promise<ApiResponse<TreePreview>> {
  return api(`${endpoint.workspace(id)}${query({ dry_run: "true" })}`, { method: "PATCH", body: { parent_id }, signal });
}

/** Dry run of a removal: lists who gains and loses which memories. */
export function dryRunRemoval(
  id: string,
  children: "promote" | "cascade" | undefined,
  signal: AbortSignal,
): Promise<ApiResponse<TreePreview>> {
  return api(`${endpoint.workspace(id)}${query({ children, dry_run: "true" })}`, { method: "DELETE", signal });
}

/** Removes a workspace; its children move up to its parent or are removed too. */
export function removeWorkspace(id: string, children?: "promote" | "cascade"): Promise<ApiResponse<WorkspaceRemoval>> {
  return api(`${endpoint.workspace(id)}${query({ children })}`, { method: "DELETE" });
}

export function issueToken(id: string, body: IssueToken): Promise<ApiResponse<IssuedToken>> {
  return api(endpoint.tokens(id), { method: "POST", body: body });
}

export function revokeTokens(id: string): Promise<ApiResponse<Deleted>> {
  return api(endpoint.tokens(id), { method: "DELETE" });
}

/** Dry run of revoking all tokens of a workspace. */
export function dryRunRevocation(id: string, signal?: AbortSignal): Promise<ApiResponse<RevocationPreview>> {
  return api(`${endpoint.tokens(id)}${query({ dry_run: "true" })}`, { method: "DELETE", ...(signal && { signal }) });
}

export function revokeToken(jti: string): Promise<ApiResponse<Deleted>> {
  return api(`/tokens/${jti}`, { method: "DELETE" });
}

/** Exchanges a token or a one-time code for a session cookie. */
export function signIn(proof: { token: string } | { code: string }): Promise<ApiResponse<unknown>> {
  return api("/console/session", { method: "POST", body: proof });
}

export function signOut(): Promise<ApiResponse<unknown>> {
  return api("/console/session", { method: "DELETE" });
}
