// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** Parameters of `watch_events`. */
export type WatchEventsQuery = {
  /** Include the workspaces below; for viewers, operators and admins. */
  subtree?: boolean;
  /** `false` ends the stream after the stored events; otherwise it continues with new ones. */
  follow?: boolean;
  /** `false` omits `memory` from all events, so that the stream reads no memories and adds nothing to the audit log. */
  memories?: boolean;
};
