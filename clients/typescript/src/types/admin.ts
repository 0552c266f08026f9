// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** `POST /admin/providers/{name}/promote` and `…/demote`. */
export type ChangeProvider = {
  /** A surface that the provider shadows. */
  surface: string;
};

/** What was observed on one surface. */
export type ProviderFigures = {
  /** The lower one of `overlap` and `rank_agreement`. */
  agreement: number;
  /** Calls. */
  calls: number;
  /** The part of the calls without a usable response, from 0 to 1. */
  error_rate: number;
  /** Calls without a usable response. */
  errors: number;
  /** The largest latency of a call in milliseconds. */
  latency_max_ms: number;
  /** The mean latency of a call in milliseconds. */
  latency_mean_ms: number;
  /** Results of the built-in provider that it did not return. */
  misses: number;
  /** The mean part of the first ten results that both have, from 0 to 1. */
  overlap: number;
  /** The mean part of pairs of common results in the same order, from 0 to 1. */
  rank_agreement: number;
  /** Calls that it refused, among the errors. */
  refusals: number;
  /** Compared queries. */
  samples: number;
  /** Results that were removed or excluded since they were sent. */
  withheld: number;
};

/** `GET /admin/providers`. */
export type ProviderList = {
  /** The providers of the settings, the built-in one first. */
  providers: Array<ProviderReport>;
};

/** What waits for a provider, in all orgs. */
export type ProviderOutbox = {
  bytes: number;
  /** What was dropped because an outbox was full or a query too old. */
  dropped: number;
  rows: number;
};

/** A provider with its figures. */
export type ProviderReport = {
  /** What it says it can do. */
  capabilities?: Array<string>;
  /** Why it does not answer. */
  error?: string | null;
  /** The name in the settings; `built_in` for the built-in provider. */
  name: string;
  /** What waits for it. */
  outbox: ProviderOutbox;
  /** The surfaces that it shadows. */
  surfaces: Array<ProviderSurface>;
  thresholds?: ProviderThresholds | null;
  /** The version that it reports; absent if it does not answer. */
  version?: string | null;
};

/** The state of a provider on one surface. */
export type ProviderState = "shadow" | "promoted" | "disqualified";

/** A provider on one surface. */
export type ProviderSurface = {
  /** The last change of the state; absent before the first observation. */
  changed_at?: string | null;
  figures: ProviderFigures;
  /** Why a promotion would be refused now; absent where it would not. */
  refusal?: string | null;
  state: ProviderState;
  /** A value of `channel`. */
  surface: string;
};

/** The requirements of a promotion. */
export type ProviderThresholds = {
  /** From 0 to 1. */
  max_error_rate: number;
  /** From 0 to 1. */
  min_agreement: number;
  min_samples: number;
};
