// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** A message of a turn. */
export type TurnMessage = {
  /** When it was said; not in the future. */
  at?: string | null;
  /** At most 16 KiB. */
  content?: string;
  /** Who says it. Facts rest on messages of `user` and `assistant` only. */
  role?: TurnRole;
};

/** Who says a message. */
export type TurnRole = "user" | "assistant" | "tool" | "system";

/** What became of a turn. */
export type TurnState = "stored" | "excluded" | "queued" | "done" | "failed";
