import { OrgmemError, TransportError, secondsOf } from "./errors.js";

/** One page of a list. `cursor` leads to the next page, and is `null` on the last one. */
export type Page<T> = Array<T> & { cursor: string | null };

/** Parameters of an address; absent ones are left out. */
export type Query = Record<string, string | number | boolean | null | undefined>;

/** One request. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The segments of the address, not encoded. */
  path: Array<string>;
  /** Whether the path is outside `/workspaces/{id}`. */
  server?: boolean;
  query?: Query;
  body?: unknown;
  /** The version that must be current. */
  ifMatch?: number | undefined;
}

/** The longest pause before a repetition, in seconds. A server that asks for more gets no repetition. */
const LONGEST_PAUSE = 30;

/** Causes of a failed `fetch` before anything was sent. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Decides whether a request is sent again, and when.
 *
 * Reads are repeated, and writes with an `Idempotency-Key`. Other writes (`PATCH`, `DELETE`) are repeated only when the first
 * attempt had no effect for certain: the connection was refused, or the response was 429.
 */
export class Attempts {
  private failures = 0;

  constructor(private readonly repeatable: boolean, private left: number) {}

  /** Seconds until the next attempt; throws when there is none. */
  afterError(error: unknown): number {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    const neverSent = NEVER_SENT.has(cause?.code ?? "");
    if (!(this.repeatable || neverSent) || this.left <= 0) {
      const message = error instanceof Error ? error.message : String(error);
      throw new TransportError(cause?.message ? `${message}: ${cause.message}` : message, { cause: error });
    }
    return this.next(0);
  }

  /** Seconds until the next attempt, or `undefined` when this response is final. */
  afterResponse(response: Response): number | undefined {
    const again = response.status === 429 || (this.repeatable && [502, 503, 504].includes(response.status));
    const asked = secondsOf(response) ?? 0;
    return again && this.left > 0 && asked <= LONGEST_PAUSE ? this.next(asked) : undefined;
  }

  private next(asked: number): number {
    this.left -= 1;
    this.failures += 1;
    const backoff = Math.min(LONGEST_PAUSE, 0.1 * 2 ** this.failures) * (1 - Math.random() / 2);
    return Math.max(asked, backoff);
  }
}

/** The address of a call. */
export function addressOf(base: string, workspace: string | undefined, { path, query = {} }: Call): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const place = workspace === undefined ? path : ["workspaces", workspace, ...path];
  return `${base}/${place.map(segment).join("/")}${search && `?${search}`}`;
}

/** A segment of an address. `.` and `..` cannot be one, because every URL library takes them for steps, even encoded. */
function segment(text: string): string {
  if (text === "." || text === ".." || text === "") {
    throw new OrgmemError(`\`${text}\` cannot be a part of an address`);
  }
  return encodeURIComponent(text);
}

/** The body as JSON. `JSON.stringify` would write a number that JSON lacks as `null`. */
export function encode(body: unknown): string {
  return JSON.stringify(body, (name, value: unknown) => {
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw new OrgmemError(`\`${name}\` is ${value}, which JSON lacks`);
  });
}

/** The rows of a list with the cursor of the next page. */
export function pageOf<T>(rows: Array<T>, response: Response): Page<T> {
  const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  const cursor = next === undefined ? null : new URL(next, "http://any").searchParams.get("cursor");
  return Object.assign(rows, { cursor });
}

/** Waits, unless the signal ends it. */
export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
