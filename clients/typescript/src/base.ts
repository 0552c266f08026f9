import { Attempts, type Call, type Page, addressOf, encode, pageOf, pause } from "./call.js";
import { OrgmemError, problemOf } from "./errors.js";
import { EventStream, type OrgmemEvent, SILENCE_MS } from "./events.js";
import type { Me } from "./types/index.js";

/** What the calls of a client have in common. */
export interface CallOptions {
  /** The workspace of the calls; by default the one that the token is bound to. */
  workspace?: string;
  /** Stages the memories that the calls commit in this run. */
  runId?: string;
  /** An object for the rows of the calls in the audit log. */
  auditContext?: Record<string, unknown>;
  /** A key for one call, which may be repeated with it even by another process. */
  idempotencyKey?: string;
  /** The maximum number of repetitions of a failed request; 2 by default. */
  retries?: number;
  /** Milliseconds until a response; 35,000 by default, longer than the server's own limit. */
  timeoutMs?: number;
  /** Ends the calls of this client. */
  signal?: AbortSignal;
}

export interface ClientOptions extends CallOptions {
  /** `ORGMEM_URL`, or else `http://127.0.0.1:7070`, by default. */
  url?: string;
  /** A token, or a function that is called for each request; `ORGMEM_TOKEN` by default. */
  token?: string | (() => string | Promise<string>);
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
}

const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};

/** Sends calls: addresses, headers, repetitions, streams. The calls themselves are in `Client`. */
export class BaseClient {
  protected readonly options: ClientOptions;
  private readonly url: string;
  /** The workspace that the token is bound to, once it is known; shared by all copies. */
  private readonly bound: { workspace?: string };

  constructor(options: ClientOptions = {}, bound: { workspace?: string } = {}) {
    this.options = options;
    this.url = (options.url ?? environment.ORGMEM_URL ?? "http://127.0.0.1:7070").replace(/\/+$/, "");
    this.bound = bound;
  }

  /** The same client for another workspace. */
  at(workspace: string): this {
    return this.withOptions({ workspace });
  }

  /** The same client with other options; absent ones stay. */
  withOptions(options: CallOptions): this {
    const kind = this.constructor as new (options: ClientOptions, bound: { workspace?: string }) => this;
    return new kind({ ...this.options, ...options }, this.bound);
  }

  /** The workspace of the calls; asks the server once, if only the token names it. */
  async workspaceId(): Promise<string> {
    const known = this.options.workspace ?? this.bound.workspace;
    if (known !== undefined) return known;
    const { workspace_id } = await this.send<Me>({ method: "GET", path: ["me"], server: true });
    if (!workspace_id) throw new OrgmemError("the token is not bound to a workspace; name one with `at` or `workspace`");
    this.bound.workspace = workspace_id;
    return workspace_id;
  }

  protected async send<T>(call: Call): Promise<T> {
    return (await this.respond(call)).body as T;
  }

  /** One page of a list, which is the whole response or a member of it. */
  protected async page<T>(call: Call, member?: string): Promise<Page<T>> {
    const { body, response } = await this.respond(call);
    const rows = member === undefined ? body : (body as Record<string, unknown>)[member];
    return pageOf(rows as Array<T>, response);
  }

  /** The rows of all pages; each page is read when it is needed. */
  protected async *rows<T>(read: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
    let page = await read();
    yield* page;
    while (page.cursor !== null) {
      page = await read(page.cursor);
      yield* page;
    }
  }

  /** The events of a stream, across lost connections. */
  protected async *stream(stream: EventStream): AsyncGenerator<OrgmemEvent, void, undefined> {
    const { signal } = this.options;
    while (!stream.over) {
      const call = stream.call();
      const headers = await this.headers(call);
      headers.set("Accept", "text/event-stream");
      if (stream.lastEventId !== undefined) headers.set("Last-Event-ID", stream.lastEventId);
      const address = addressOf(this.url, await this.workspaceId(), call);
      const silence = new AbortController();
      const alarm = () => silence.abort(new DOMException("the stream is silent", "TimeoutError"));
      let timer = setTimeout(alarm, SILENCE_MS);
      let seconds: number | undefined;
      let received = false;
      try {
        const response = await this.fetch(address, { headers, signal: either(silence.signal, signal) });
        if (!response.ok) {
          seconds = stream.attemptsNow().afterResponse(response);
          if (seconds === undefined) throw await problemOf(response);
        } else {
          const reader = (response.body as ReadableStream<Uint8Array>).getReader();
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            clearTimeout(timer);
            received = true;
            yield* stream.feed(part.value);
            received = false;
            timer = setTimeout(alarm, SILENCE_MS);
          }
          seconds = stream.closed();
        }
      } catch (error) {
        // an error of the reader of the events, or a refusal
        if (received || error instanceof OrgmemError || signal?.aborted) throw error;
        seconds = stream.attemptsNow().afterError(error);
      } finally {
        clearTimeout(timer);
        silence.abort();
      }
      if (!stream.over) await pause(seconds, signal);
    }
  }

  /** A response with its body, which is read here because a connection may be lost on the way. */
  private async respond(call: Call): Promise<{ response: Response; body: unknown }> {
    const address = addressOf(this.url, call.server ? undefined : await this.workspaceId(), call);
    const headers = await this.headers(call);
    const { signal, retries = 2, timeoutMs = 35_000 } = this.options;
    const attempts = new Attempts(call.method === "GET" || headers.has("Idempotency-Key"), retries);
    const init: RequestInit = { method: call.method, headers };
    if (call.body !== undefined) init.body = encode(call.body);
    for (;;) {
      let seconds: number | undefined;
      try {
        const response = await this.fetch(address, { ...init, signal: either(AbortSignal.timeout(timeoutMs), signal) });
        if (response.ok) return { response, body: await response.json() };
        seconds = attempts.afterResponse(response);
        if (seconds === undefined) throw await problemOf(response);
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof OrgmemError || signal?.aborted) throw error;
        seconds = attempts.afterError(error);
      }
      await pause(seconds, signal);
    }
  }

  private async headers({ method, body, ifMatch }: Call): Promise<Headers> {
    const { token = environment.ORGMEM_TOKEN, runId, auditContext, idempotencyKey, retries = 2 } = this.options;
    const headers = new Headers();
    const value = typeof token === "function" ? await token() : token;
    if (value) headers.set("Authorization", `Bearer ${value}`);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (ifMatch !== undefined) headers.set("If-Match", `"${ifMatch}"`);
    if (runId !== undefined) headers.set("X-Run-Id", runId);
    if (auditContext !== undefined) headers.set("X-Audit-Context", JSON.stringify(auditContext));
    // The key makes a repetition safe, so a client that never repeats a request needs none.
    if (method === "POST" && (idempotencyKey || retries > 0)) {
      headers.set("Idempotency-Key", idempotencyKey ?? crypto.randomUUID());
    }
    return headers;
  }

  private fetch(address: string, init: RequestInit): Promise<Response> {
    return (this.options.fetch ?? fetch)(address, init);
  }
}

function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}
