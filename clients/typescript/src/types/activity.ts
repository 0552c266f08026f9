// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { TurnMessage, TurnState } from "./activity-2.js";

/** `POST /workspaces/{id}/turns`: the messages of one turn of a conversation. */
export type AddTurn = {
  /** The channel of the conversation. */
  channel?: string | null;
  /** Category of the subject matter. An excluded kind keeps the whole turn from the language model. */
  kind?: string | null;
  /** The messages, the oldest first; at most 64. */
  messages?: Array<TurnMessage>;
  /** The session of the conversation. Required, here or in the header or the token. */
  session_id?: string | null;
  /** The end user. */
  subject?: string | null;
};

/** `POST /workspaces/{id}/activity`: one episode to append. */
export type AppendEpisode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
   * `memory_write`, `error`, or a type from the configuration.
   */
  activity_type: string;
  /** The actor within the workspace. */
  actor?: string | null;
  channel?: string | null;
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** Groups related episodes. */
  correlation_id?: string | null;
  /** Duration in milliseconds. */
  duration_ms?: number | null;
  error_detail?: string | null;
  /** Category of the subject matter. Pages contain only episodes with a kind that is not excluded. */
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** The method called. */
  method?: string | null;
  /** When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future. */
  occurred_at?: string | null;
  /** `success`, `failure` or `neutral`. */
  outcome?: string | null;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Importance from 0 to 1; absent means 0.5. */
  salience?: number | null;
  session_id?: string | null;
  /** The workspace itself, or absent. */
  source_id?: string | null;
  status?: string | null;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** One line. */
  summary?: string | null;
  /** The episode of the same workspace that this one corrects. */
  supersedes?: string | null;
  /** The target of the activity. */
  target_id?: string | null;
};

/** A statement about a record, compared with the record at the moment of the read. */
export type CheckedClaim = {
  /** The thing that the record describes. */
  entity: string;
  /** Field of the record. */
  field: string;
  record?: RecordField | null;
  status: ClaimStatus;
  /** As the author stated it. */
  value: unknown;
};

/** A statement about a record, such as the price of a product. */
export type Claim = {
  /** The thing that the record describes, such as `sku-4711`. */
  entity: string;
  /** Field of the record, such as `price`. */
  field: string;
  /** A string, a number or a boolean. */
  value: unknown;
};

/** The outcome of the comparison of a claim with its record. */
export type ClaimStatus = "agrees" | "stale" | "unverified";

/** One row of a workspace's activity log. */
export type Episode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
   * `memory_write`, `error`, or a type from the configuration.
   */
  activity_type: string;
  /** The actor within the workspace. */
  actor?: string | null;
  channel?: string | null;
  /** Its claims, compared with the records. */
  checked_claims?: Array<CheckedClaim> | null;
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** Groups related episodes. */
  correlation_id?: string | null;
  /** When it happened: `occurred_at`, or the time of the append. */
  created_at: string;
  /** Duration in milliseconds. */
  duration_ms?: number | null;
  error_detail?: string | null;
  id: string;
  /** Whether the content was redacted; the episode then has only its type, time and corrections. */
  is_redacted?: boolean;
  /** Category of the subject matter. Pages contain only episodes with a kind that is not excluded. */
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** The method called. */
  method?: string | null;
  /** When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future. */
  occurred_at?: string | null;
  /** `success`, `failure` or `neutral`. */
  outcome?: string | null;
  /** Time of the append, if its author declared when it happened. */
  recorded_at?: string | null;
  /** Time of the redaction. */
  redacted_at?: string | null;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Importance from 0 to 1; absent means 0.5. */
  salience?: number | null;
  session_id?: string | null;
  /** The workspace itself, or absent. */
  source_id?: string | null;
  status?: string | null;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** One line. */
  summary?: string | null;
  /** The latest episode that corrects this one. */
  superseded_by?: string | null;
  /** The episode of the same workspace that this one corrects. */
  supersedes?: string | null;
  /** The target of the activity. */
  target_id?: string | null;
  /** The workspace that owns the log. */
  workspace_id: string;
};

/** Parameters of `list_episodes`. */
export type ListEpisodesQuery = {
  /** Only this activity type. */
  type?: string;
  /** Only this session. */
  session_id?: string;
  /** Only this end user. */
  subject?: string;
  /** Earliest time, inclusive. */
  since?: string;
  /** Latest time, exclusive. */
  until?: string;
  /** Page size; 50 by default, at most 200. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** Response to an append: the episode, with `status` `logged` instead of its own status. */
export type LoggedEpisode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
   * `memory_write`, `error`, or a type from the configuration.
   */
  activity_type: string;
  /** The actor within the workspace. */
  actor?: string | null;
  channel?: string | null;
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** Groups related episodes. */
  correlation_id?: string | null;
  /** When it happened: `occurred_at`, or the time of the append. */
  created_at: string;
  /** Duration in milliseconds. */
  duration_ms?: number | null;
  error_detail?: string | null;
  id: string;
  /** Category of the subject matter. Pages contain only episodes with a kind that is not excluded. */
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** The method called. */
  method?: string | null;
  /** When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future. */
  occurred_at?: string | null;
  /** `success`, `failure` or `neutral`. */
  outcome?: string | null;
  /** Time of the append, if its author declared when it happened. */
  recorded_at?: string | null;
  /** Credentials replaced before storage. */
  redactions?: Array<Redaction>;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Importance from 0 to 1; absent means 0.5. */
  salience?: number | null;
  session_id?: string | null;
  /** The workspace itself, or absent. */
  source_id?: string | null;
  /** Always `logged`. */
  status: LoggedStatus;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** One line. */
  summary?: string | null;
  /** The episode of the same workspace that this one corrects. */
  supersedes?: string | null;
  /** The target of the activity. */
  target_id?: string | null;
  /** The workspace that owns the log. */
  workspace_id: string;
};

export type LoggedStatus = "logged";

/** The current value of a field. */
export type RecordField = {
  /** The instant at which the value held. */
  as_of: string;
  /** The system that the value comes from. */
  source: string;
  /** Unit of the value. */
  unit?: string | null;
  value: unknown;
};

/** `POST …/memories/{mid}/redact`. */
export type RedactMemory = {
  /** One line of at most 500 characters. It is stored, so it must not repeat the content. */
  reason: string;
};

/** Outcome for a redacted episode, without its content. */
export type RedactedEpisode = {
  /** Whether it was redacted before; the reason of this call is then not stored. */
  already: boolean;
  id: string;
  /** The memories with facts of the episode, which were redacted with it and for the same reason. */
  memories?: Array<string>;
  /** Backups that still contain the content, and their retention. */
  older_backups: string;
  /** Time of the first redaction. */
  redacted_at: string;
  /** Credentials replaced in the reason before storage. */
  redactions: Array<Redaction>;
};

/** A credential that was replaced before storage. */
export type Redaction = {
  /** Number of occurrences. */
  count: number;
  /** Path of the field. */
  field: string;
  /** Kind of credential; `[REDACTED:<KIND>]` replaces it. */
  kind: string;
};

/** Parameters of `search_session`. */
export type SearchSessionQuery = {
  /** Words, prefixes or parts of words. */
  q?: string;
  /** Page size; 50 by default, at most 200. */
  limit?: number;
  /** Earliest time, inclusive. */
  since?: string;
  /** Latest time, exclusive. */
  until?: string;
  /** Only episodes, or only memories. */
  kind?: SessionHitKind;
  /** Only this session. */
  session_id?: string;
  /** `recent` by default. */
  order?: SessionOrder;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** One episode or memory. */
export type SessionHit = {
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** The summary, or the memory's content. */
  content: string;
  created_at: string;
  id: string;
  kind: SessionHitKind;
  /** The activity type, or the memory's scope. */
  label: string;
  /** The memory's kind. */
  memory_kind?: string | null;
  /** The method called; empty if there is none. */
  method: string;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Run that wrote the memory. */
  run_id?: string | null;
  session_id?: string | null;
  /** Empty if there is none. */
  status: string;
  /** The latest episode that corrects this one. */
  superseded_by?: string | null;
  /** The memory or other item that the episode is about. */
  target_id?: string | null;
  workspace_id: string;
};

/** Type of a row. */
export type SessionHitKind = "activity" | "memory";

/** Sort order. */
export type SessionOrder = "recent" | "relevance";

/** A turn of a workspace. */
export type Turn = {
  /** Attempts of the language model. */
  attempts: number;
  created_at: string;
  /** End of the extraction. */
  ended_at?: string | null;
  /** The episodes of its messages, in their order. */
  episodes: Array<string>;
  /** The failure of the last attempt. */
  error?: string | null;
  /** The state in a sentence. */
  explanation: string;
  id: string;
  /** The memories with the facts of the turn. A fact about something known is a new version of its memory. */
  memories: Array<string>;
  /** The language model. */
  model?: string | null;
  /** The next attempt. */
  next_attempt_at?: string | null;
  /** Credentials replaced before storage; only in the response to the write. */
  redactions?: Array<Redaction>;
  /** Facts that were refused, by reason, such as `quote_absent`. */
  refused: Record<string, number>;
  /** What became of it. */
  state: TurnState;
  /** Facts that said nothing new. */
  unchanged: number;
  /** The workspace that has it. */
  workspace_id: string;
};
