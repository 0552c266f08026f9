// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Redaction } from "./activity.js";

/** Response to a deletion. */
export type Deleted = {
  /** Always `deleted`. */
  status: DeletedStatus;
};

export type DeletedStatus = "deleted";

/** A live entry. */
export type Entry = {
  /** Exclusive end of validity. */
  expires_at?: string | null;
  /** Unique in the workspace. */
  key: string;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** Time of the latest write. */
  updated_at: string;
  /** Any JSON value. */
  value: unknown;
  /** Starts at 1 and increases with every write, also after deletion and expiry. */
  version: number;
};

/** Parameters of `list_entries`. */
export type ListEntriesQuery = {
  /** Only keys with this prefix. */
  prefix?: string;
  /** Page size; 50 by default, at most 200. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** `POST /workspaces/{id}/memory`: writes one entry. */
export type PutEntry = {
  /** Write only if the entry has this version; 0 means that it must not exist. */
  if_match_version?: number | null;
  /** 1 to 256 bytes. */
  key: string;
  /** Id of the end user concerned; an erasure of this user deletes the entry. */
  subject?: string | null;
  /** Lifetime in seconds; without it the entry does not expire. */
  ttl_seconds?: number | null;
  /** Any JSON value up to 256 KiB. Required; `null` is a value. */
  value: unknown;
};

/** Response to a write of an entry. */
export type PutEntryResponse = {
  /** Key of the entry. */
  key: string;
  /** Credentials replaced before storage. */
  redactions?: Array<Redaction>;
  /** Always `ok`. */
  status: PutStatus;
  /** New version. */
  version: number;
};

export type PutStatus = "ok";
