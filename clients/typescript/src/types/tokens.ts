// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Role } from "./access-log.js";
import type { Deleted, DeletedStatus } from "./entries.js";

/** `POST /workspaces/{id}/tokens`. */
export type IssueToken = {
  /** Only for agents: the end user that the token is bound to. It reads and writes for that user, and can name no other. */
  end_user?: string | null;
  /** Lifetime in seconds, at most one year; by default 24 hours for agents and 12 hours for people. */
  expires_in?: number | null;
  role: Role;
  /** Only for agents: the session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log, at most 256 bytes; by default `<role>:<workspace name>`, truncated. */
  subject?: string | null;
};

/** A new token. No later response contains the token itself. */
export type IssuedToken = {
  /** The end user that the token is bound to. */
  end_user?: string | null;
  /** Exclusive end of validity. */
  expires_at: string;
  /** Id of the token, for revocation. */
  jti: string;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log. */
  subject: string;
  token: string;
  workspace_id?: string | null;
};

/** `GET /me`: the caller's identity and permissions. */
export type Me = {
  /** The end user that the token is bound to. */
  end_user?: string | null;
  /** Exclusive end of the token's validity. */
  expires_at: string;
  /** Id of the token. */
  jti: string;
  /** Names of the permissions in the bound workspace; for an admin, anywhere. */
  may: Array<string>;
  org_id?: string | null;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log. */
  subject: string;
  /** Absent for an admin. */
  workspace_id?: string | null;
  workspace_name?: string | null;
};

/** Dry run of the revocation of all tokens of a workspace. */
export type RevocationPreview = {
  /** Always true. */
  dry_run: boolean;
  /**
   * Open event streams of the workspace's tokens on the responding server, whoever signed them; a revocation closes
   * them.
   */
  streams: number;
  /**
   * Number of valid tokens issued by this server that would be refused. Tokens signed by a platform would be refused
   * too but are not counted.
   */
  tokens: number;
};

/** Response to the revocation of one token. */
export type RevokedToken = {
  /**
   * Whether the server knows a token with this id. False for tokens signed by a platform, for the token in
   * `admin.token`, and long after expiry.
   */
  known: boolean;
  /** Always `deleted`: the server refuses this id from now on. */
  status: DeletedStatus;
};

/** Response to the revocation of all tokens of a workspace: the outcome, or the dry run. */
export type RevokedTokens = Deleted | RevocationPreview;

/** An issued token, without the token itself. */
export type TokenInfo = {
  /** The end user that the token is bound to; `[erased]` after the erasure of the end user. */
  end_user?: string | null;
  /** Exclusive end of validity. */
  expires_at: string;
  issued_at: string;
  /** Id of the token, for revocation. */
  jti: string;
  /**
   * Last use in the audit log; absent if never used. Calls without an audit row, such as `GET /me` and refused ones,
   * do not count.
   */
  last_used_at?: string | null;
  /** Time of the revocation. */
  revoked_at?: string | null;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Open event streams of this token on the responding server; a revocation closes them. */
  streams: number;
  /** Name in the audit log. */
  subject: string;
};
