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

/** Who has a token, on a page that has no session. */
export interface Holder {
  /** The token; waited for while there is none. Throws what the signal was called off with. */
  token(signal: AbortSignal | undefined): Promise<string>;
  /** The server takes this token. */
  accepted(token: string): void;
  /** The server does not take this token, or no longer. */
  refused(token: string, problem: Partial<Problem>): void;
}

let holder: Holder | undefined;

/** From now on what is asked for is asked for with the token of this one, and never with a cookie. */
export function askAs(someone: Holder): void {
  holder = someone;
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
  const init: RequestInit = { method, credentials: "same-origin" };
  if (asking.body !== undefined) {
    headers["Content-Type"] = asking.type ?? "application/json";
    init.body = asking.type === undefined ? JSON.stringify(asking.body) : String(asking.body);
  }
  if (asking.signal) init.signal = asking.signal;
  return answered(path, headers, init);
}

/** Hears what comes of `path`, piece by piece, until it ends or the signal calls it off. Throws as [api] does. */
export async function* heard(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const headers = { Accept: "text/event-stream" };
  const response = await answered(path, headers, { credentials: "same-origin", cache: "no-store", signal });
  if (!response.ok) throw refused(response, await response.text());
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reader?.read().catch((error: unknown) => cutOff(signal, error));
  for (let piece = await next(); piece && !piece.done; piece = await next()) yield piece.value;
}

/** The way to the server broke off, unless it was called off. */
function cutOff(signal: AbortSignal | null | undefined, error: unknown): never {
  if (signal?.aborted) throw error;
  throw new Failure(0, {});
}

/**
 * The server's answer, whatever it is, to whoever asks. A token that it does not take changed nothing: with another one the
 * same is asked for again, so nothing that one was about to do is lost.
 */
async function answered(path: string, headers: Record<string, string>, init: RequestInit): Promise<Response> {
  try {
    if (!holder) return await fetch(ofServer(path), { ...init, headers });
    for (;;) {
      const token = await holder.token(init.signal ?? undefined);
      const own = { ...headers, Authorization: `Bearer ${token}` };
      const response = await fetch(ofServer(path), { ...init, headers: own, credentials: "omit" });
      if (response.status !== 401) {
        holder.accepted(token);
        return response;
      }
      holder.refused(token, problemOf(await response.text()));
    }
  } catch (error) {
    return cutOff(init.signal, error);
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
