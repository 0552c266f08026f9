// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
export type * from "./access-log.js";
export type * from "./activity.js";
export type * from "./activity-2.js";
export type * from "./entries.js";
export type * from "./events.js";
export type * from "./memories.js";
export type * from "./memories-2.js";
export type * from "./memories-3.js";
export type * from "./profiles.js";
export type * from "./reach.js";
export type * from "./runs.js";
export type * from "./server.js";
export type * from "./tokens.js";
export type * from "./workspaces.js";
export type * from "./workspaces-2.js";
