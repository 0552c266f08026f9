export { Client } from "./client.js";
export type { CallOptions, ClientOptions } from "./base.js";
export type { Page } from "./call.js";
export type { Condition, WatchOptions } from "./client.js";
export type { EventData, OrgmemEvent } from "./events.js";
export type { Paging, Removal } from "./workspaces.js";
export * from "./errors.js";
/** The types of requests and responses. */
export type * as types from "./types/index.js";
