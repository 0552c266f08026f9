// Requests to the server, and its error responses.

import { ofServer } from "../base.ts";
import { parseJson } from "./json.ts";
import type { Problem } from "./types.ts";

/** An error response of the server, or a failed connection. */
export class Failure extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly problem: Partial<Problem>;
  /** From `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Partial<Problem>, retryAfter?: number) {
    super(problem.detail ?? "the server did not answer");
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** An extension member of the problem document. */
  more(name: string): unknown {
    return (this.problem as Record<string, unknown>)[name];
  }
}

export interface ApiResponse<T> {
  data: T;
  etag: string | undefined;
  /** Path of the next page, from the `Link` header. */
  next: string | undefined;
}

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Sent as JSON, or unchanged when `type` is set. */
  body?: unknown;
  /** Media type of a body that is text already. */
  type?: string;
  ifMatch?: string | undefined;
  signal?: AbortSignal;
}

/** Provides the token on a page without a session cookie. */
export interface TokenProvider {
  /** Waits until there is a token. Throws the reason of an aborted signal. */
  token(signal: AbortSignal | undefined): Promise<string>;
  /** The server accepted this token. */
  onAccepted(token: string): void;
  /** The server rejected this token. */
  onRejected(token: string, problem: Partial<Problem>): void;
}

let tokenProvider: TokenProvider | undefined;

/** Makes all later requests use tokens of this provider, and no cookie. */
export function setTokenProvider(provider: TokenProvider): void {
  tokenProvider = provider;
}

/** Whether the last request got a response. */
let isReachable = true;
let reachabilityListener: (isReachable: boolean) => void = () => {};

/** Registers the listener for a lost and a restored connection. */
export function onReachabilityChange(listener: (isReachable: boolean) => void): void {
  reachabilityListener = listener;
}

function setReachable(now: boolean): void {
  if (now === isReachable) return;
  isReachable = now;
  reachabilityListener(now);
}

let sessionEndListener: () => void = () => {};

/** Registers the listener for an ended session. */
export function onSessionEnd(listener: () => void): void {
  sessionEndListener = listener;
}

/** Paths of key/value entries and of rows, whose numbers keep their notation. */
const HAS_VALUES = /^\/workspaces\/[^/]+\/(memory|collections\/[^/]+\/rows)([/?]|$)/;

/** Sends a request. Throws a [Failure], or the AbortError of the signal. */
export async function api<T>(path: string, options: RequestOptions = {}): Promise<ApiResponse<T>> {
  const response = await send(path, options);
  const text = await response.text();
  if (!response.ok) throw failureOf(response, text);
  return {
    data: text === "" ? (undefined as T) : (parseJson(text, HAS_VALUES.test(path)) as T),
    etag: response.headers.get("ETag") ?? undefined,
    next: nextOf(response.headers.get("Link")),
  };
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const method = options.method ?? "GET";
  // another origin cannot send this header, which protects against cross-site requests
  if (method !== "GET") headers["X-Orgmem-Console"] = "1";
  if (options.ifMatch !== undefined) headers["If-Match"] = options.ifMatch;
  const init: RequestInit = { method, credentials: "same-origin" };
  if (options.body !== undefined) {
    headers["Content-Type"] = options.type ?? "application/json";
    init.body = options.type === undefined ? JSON.stringify(options.body) : String(options.body);
  }
  if (options.signal) init.signal = options.signal;
  return fetchWithToken(path, headers, init);
}

/** Streams the response of `path` until it ends or the signal aborts. Throws as [api] does. */
export async function* streamText(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const headers = { Accept: "text/event-stream" };
  const response = await fetchWithToken(path, headers, { credentials: "same-origin", cache: "no-store", signal });
  if (!response.ok) throw failureOf(response, await response.text());
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reader?.read().catch((error: unknown) => connectionLost(signal, error));
  for (let chunk = await next(); chunk && !chunk.done; chunk = await next()) yield chunk.value;
}

/** Converts a network error into a [Failure]; an abort passes through. */
function connectionLost(signal: AbortSignal | null | undefined, error: unknown): never {
  if (signal?.aborted) throw error;
  setReachable(false);
  throw new Failure(0, {});
}

/**
 * Returns the response, whatever its status. A request with a rejected token changed nothing, so it is repeated with
 * the next token and the user loses nothing.
 */
async function fetchWithToken(path: string, headers: Record<string, string>, init: RequestInit): Promise<Response> {
  try {
    if (!tokenProvider) return answered(await fetch(ofServer(path), { ...init, headers }));
    for (;;) {
      const token = await tokenProvider.token(init.signal ?? undefined);
      const own = { ...headers, Authorization: `Bearer ${token}` };
      const response = answered(await fetch(ofServer(path), { ...init, headers: own, credentials: "omit" }));
      if (response.status !== 401) {
        tokenProvider.onAccepted(token);
        return response;
      }
      tokenProvider.onRejected(token, problemOf(await response.text()));
    }
  } catch (error) {
    return connectionLost(init.signal, error);
  }
}

function answered(response: Response): Response {
  setReachable(true);
  return response;
}

function failureOf(response: Response, text: string): Failure {
  const problem = problemOf(text);
  if (response.status === 401) sessionEndListener();
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

/** Whether a request was aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Returns the failure; rethrows anything else, which is a defect of the console. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}
