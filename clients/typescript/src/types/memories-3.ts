// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Scope } from "./memories-2.js";

/** Origin of a memory. */
export type Source = "agent" | "user" | "tool" | "eval" | "manual" | "runtime" | "processor";

/** How much text of a page is read. */
export type Tier = "hot" | "warm" | "cold";

/** A redacted memory, for readers that could read it. */
export type Tombstone = {
  /** Always `[redacted]`. */
  content: string;
  id: string;
  /** Always true. */
  is_redacted: boolean;
  redacted_at: string;
  scope: Scope;
  /** Leader of the bound team. */
  team?: string | null;
  /** The version after the redaction, also the `ETag`. */
  version: number;
  /** Why it is in reach. */
  via: Via;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
};

/** `POST …/memories/touch`: 1 to 500 memories. */
export type TouchMemories = {
  memories: Array<TouchMemory>;
};

/** A memory that lives on from now. */
export type TouchMemory = {
  id: string;
  /** Lifetime from now. */
  ttl_seconds: number;
  /** Only if this is its version. */
  version?: number | null;
};

/** The memories whose end was set; others of the request are omitted. */
export type TouchedMemories = {
  memories: Array<TouchedMemory>;
};

/** The end of life of a memory. */
export type TouchedMemory = {
  /** Exclusive; earlier than requested if the maximum age of the profile ends before. */
  expires_at: string;
  id: string;
};

/** How a memory is in reach; the JSON field `via`. */
export type Via = "self" | "parent" | "child" | "sibling" | "org";
