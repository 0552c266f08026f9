// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** What became of a turn. */
export type TurnState = "stored" | "excluded" | "queued" | "done" | "failed";
