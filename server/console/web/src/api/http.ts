// One way to ask the server, and one way to hear that it refuses.

import { ofServer } from "../base.ts";
import type { Problem } from "./types.ts";

/** What the server, or the way to it, said instead of what was asked for. */
export class Failure extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly problem: Partial<Problem>;
  /** How long the server asks to wait, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    super(problem.detail ?? "the server did not answer");
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Whether asking again later may help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** A member that this kind of problem adds. */
  more(name: string): unknown {
    return (this.problem as Record<string, unknown>)[name];
  }
}

/** What was asked for. */
export interface Answer<T> {
  data: T;
  etag: string | undefined;
  /** The path of the next page of a list. */
  next: string | undefined;
}

interface Asking {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Sent as JSON, or as it is with `type`. */
  body?: unknown;
  /** The media type of a body that is text already. */
  type?: string;
  ifMatch?: string | undefined;
  signal?: AbortSignal;
}

let onSessionEnd: () => void = () => {};

/** Who hears that the session has ended. */
export function whenSessionEnds(listener: () => void): void {
  onSessionEnd = listener;
}

/** Asks the server. Throws a [Failure], or the AbortError of the signal. */
export async function api<T>(path: string, asking: Asking = {}): Promise<Answer<T>> {
  const response = await sent(path, asking);
  const text = await response.text();
  if (!response.ok) throw refused(response, text);
  return {
    data: text === "" ? (undefined as T) : (JSON.parse(text) as T),
    etag: response.headers.get("ETag") ?? undefined,
    next: nextOf(response.headers.get("Link")),
  };
}

async function sent(path: string, asking: Asking): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const method = asking.method ?? "GET";
  // a page of another origin cannot send this header, so what changes something was asked for here
  if (method !== "GET") headers["X-Orgmem-Console"] = "1";
  if (asking.ifMatch !== undefined) headers["If-Match"] = asking.ifMatch;
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (asking.body !== undefined) {
    headers["Content-Type"] = asking.type ?? "application/json";
    init.body = asking.type === undefined ? JSON.stringify(asking.body) : String(asking.body);
  }
  if (asking.signal) init.signal = asking.signal;
  try {
    return await fetch(ofServer(path), init);
  } catch (error) {
    if (asking.signal?.aborted) throw error;
    throw new Failure(0, {});
  }
}

function refused(response: Response, text: string): Failure {
  const problem = problemOf(text);
  if (response.status === 401) onSessionEnd();
  const wait = Number(response.headers.get("Retry-After"));
  return new Failure(response.status, problem, wait > 0 ? wait : undefined);
}

function problemOf(text: string): Partial<Problem> {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

function nextOf(link: string | null): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(link ?? "")?.[1];
}

/** Whether this is what a request that was called off throws. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** The failure that was thrown; anything else is a fault of the console and goes on. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
