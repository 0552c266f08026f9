import { BaseClient } from "./base.js";
import type { Page } from "./call.js";
import type {
  AuditRow, AuditVerification, Callers, CheckAccess, CheckAccessResponse, ChildrenRemoval, CreateWorkspace, Deleted,
  ImportNode, ImportResponse, IssueToken, IssuedToken, ListWorkspacesQuery, Me, OrgMatches, PatchWorkspace,
  ReachResponse, ReadAccessLogQuery, ReadReachQuery, RelationResponse, RevocationPreview, RevokedToken,
  SearchOrgsQuery, TokenInfo, TreeNode, TreePreview, Version, Workspace, WorkspaceRemoval,
} from "./types/index.js";

export type Paging = {
  /** Rows of a page. */
  limit?: number;
  cursor?: string;
};

export type Removal = {
  /** What happens to live children. */
  children?: ChildrenRemoval;
  /** Erases the content of the removed workspaces. */
  purge?: boolean;
};

/** Calls about the server, its callers, the tree and the audit log. */
export class WorkspaceClient extends BaseClient {
  // server and callers

  /** The name and version of the server. */
  readVersion(): Promise<Version> {
    return this.send({ method: "GET", path: ["version"], server: true });
  }

  /** Who the token is, and what it may do. */
  readMe(): Promise<Me> {
    return this.send({ method: "GET", path: ["me"], server: true });
  }

  /** Whether a workspace may address another one of its tree. */
  checkAccess(body: CheckAccess): Promise<CheckAccessResponse> {
    return this.send({ method: "POST", path: ["registry", "check-access"], server: true, body });
  }

  /** Issues a token for the workspace. Only this response contains it. */
  issueToken(body: IssueToken): Promise<IssuedToken> {
    return this.send({ method: "POST", path: ["tokens"], body });
  }

  /** The unexpired tokens of the workspace, without the tokens themselves. */
  listTokens(query: Paging = {}): Promise<Page<TokenInfo>> {
    return this.page({ method: "GET", path: ["tokens"], query });
  }

  /** The rows of all pages of `listTokens`. */
  iterTokens(query: Paging = {}): AsyncGenerator<TokenInfo, void, undefined> {
    return this.rows((cursor) => this.listTokens(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Revokes one token, on every server. */
  revokeToken(jti: string): Promise<RevokedToken> {
    return this.send({ method: "DELETE", path: ["tokens", jti], server: true });
  }

  /** Revokes every token of the workspace that was issued until now. */
  revokeTokens(): Promise<Deleted> {
    return this.send({ method: "DELETE", path: ["tokens"] });
  }

  /** The tokens and streams that `revokeTokens` would end. */
  previewRevokeTokens(): Promise<RevocationPreview> {
    return this.send({ method: "DELETE", path: ["tokens"], query: { dry_run: true } });
  }

  // workspaces and the tree

  /** Creates a workspace below `parent_id`, or a new root. */
  createWorkspace(body: CreateWorkspace): Promise<Workspace> {
    return this.send({ method: "POST", path: ["workspaces"], server: true, body });
  }

  /** The workspaces that the caller may see; `q` is a part of their name. */
  listWorkspaces(query: ListWorkspacesQuery = {}): Promise<Page<Workspace>> {
    return this.page({ method: "GET", path: ["workspaces"], server: true, query });
  }

  /** The rows of all pages of `listWorkspaces`. */
  iterWorkspaces(query: ListWorkspacesQuery = {}): AsyncGenerator<Workspace, void, undefined> {
    return this.rows((cursor) => this.listWorkspaces(cursor === undefined ? query : { ...query, cursor }));
  }

  /** The memories of all workspaces that the caller may read, by org; `limit` for each org. */
  searchOrgs(query: SearchOrgsQuery = {}): Promise<Page<OrgMatches>> {
    return this.page({ method: "GET", path: ["search"], server: true, query });
  }

  /** The orgs of all pages of `searchOrgs`. */
  iterOrgs(query: SearchOrgsQuery = {}): AsyncGenerator<OrgMatches, void, undefined> {
    return this.rows((cursor) => this.searchOrgs(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Imports a tree with its memories, all or nothing. A repetition adds nothing twice. */
  importOrg(body: ImportNode, query: { ungated?: boolean } = {}): Promise<ImportResponse> {
    return this.send({ method: "POST", path: ["orgs", "import"], server: true, query, body });
  }

  /** What `importOrg` would add. */
  previewImportOrg(body: ImportNode, query: { ungated?: boolean } = {}): Promise<ImportResponse> {
    return this.send({ method: "POST", path: ["orgs", "import"], server: true, query: { ...query, dry_run: true }, body });
  }

  /** The workspace. */
  readWorkspace(): Promise<Workspace> {
    return this.send({ method: "GET", path: [] });
  }

  /** Renames or moves the workspace, or changes its role or metadata. */
  patchWorkspace(body: PatchWorkspace): Promise<Workspace> {
    return this.send({ method: "PATCH", path: [], body });
  }

  /** The memories that each workspace would gain and lose by `patchWorkspace`. */
  previewPatchWorkspace(body: PatchWorkspace): Promise<TreePreview> {
    return this.send({ method: "PATCH", path: [], query: { dry_run: true }, body });
  }

  /** Removes the workspace. `purge` also erases its content. */
  removeWorkspace(query: Removal = {}): Promise<WorkspaceRemoval> {
    return this.send({ method: "DELETE", path: [], query });
  }

  /** The memories that each workspace would lose by `removeWorkspace`. */
  previewRemoveWorkspace(query: Removal = {}): Promise<TreePreview> {
    return this.send({ method: "DELETE", path: [], query: { ...query, dry_run: true } });
  }

  /** The subtree of the workspace, nested. */
  readTree(query: { depth?: number } = {}): Promise<TreeNode> {
    return this.send({ method: "GET", path: ["tree"], query });
  }

  /** Whom the workspace can read and who can read it, each with the reason. `next` is the cursor of the next page. */
  readReach(query: ReadReachQuery = {}): Promise<ReachResponse> {
    return this.send({ method: "GET", path: ["reach"], query });
  }

  /** The relation of the workspace and another one, in both directions. */
  readRelation(other: string): Promise<RelationResponse> {
    return this.send({ method: "GET", path: ["reach", other] });
  }

  // audit log

  /** The audit log of the workspace, newest first. */
  readAccessLog(query: ReadAccessLogQuery = {}): Promise<Page<AuditRow>> {
    return this.page({ method: "GET", path: ["access-log"], query });
  }

  /** The rows of all pages of `readAccessLog`. */
  iterAccessLog(query: ReadAccessLogQuery = {}): AsyncGenerator<AuditRow, void, undefined> {
    return this.rows((cursor) => this.readAccessLog(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Who wrote and read one memory. */
  readMemoryAccessLog(id: string, query: Paging & { callers?: Callers } = {}): Promise<Page<AuditRow>> {
    return this.page({ method: "GET", path: ["memories", id, "access-log"], query });
  }

  /** The rows of all pages of `readMemoryAccessLog`. */
  iterMemoryAccessLog(id: string, query: Paging & { callers?: Callers } = {}): AsyncGenerator<AuditRow, void, undefined> {
    return this.rows((cursor) => this.readMemoryAccessLog(id, cursor === undefined ? query : { ...query, cursor }));
  }

  /** Whether the hash chain of the audit log is intact; `next` is the cursor to go on. */
  verifyAccessLog(query: { cursor?: string } = {}): Promise<AuditVerification> {
    return this.send({ method: "GET", path: ["access-log", "verify"], query });
  }
}
