// The token of the embedded view. The host page provides it by a message, and it is held in memory only. The host is
// checked twice: the browser frames this page only where the server's policy allows it, and a message counts only from
// the parent window and an origin that the server lists.

import { FRAMERS } from "../base.ts";
import type { TokenProvider } from "../api/http.ts";
import type { Problem } from "../api/types.ts";

/** The `type` of the messages between this page and the host page. */
const READY = "orgmem:ready";
const ENDED = "orgmem:token-ended";
const TOKEN = "orgmem:token";

/** Delays before a request for a token is repeated, in seconds. */
const RETRY_DELAYS_S = [5, 10, 30];

/** Characters that are valid in an `Authorization` header. */
const TOKEN_FORMAT = /^[\w.~+/=-]+$/;

class HostToken implements TokenProvider {
  /** The server's reason for rejecting the last token. */
  rejection: string | undefined;
  private current: string | undefined;
  private rejected: string | undefined;
  private wasAccepted = false;
  private requests = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Set<(token: string) => void>();
  private readonly listeners = new Set<() => void>();

  /** Whether there is a token that the server has not rejected. */
  get hasToken(): boolean {
    return this.current !== undefined;
  }

  /** Starts listening to the host page, and requests a token from it. */
  start(): void {
    addEventListener("message", (event) => {
      if (event.source !== parent || !FRAMERS?.includes(event.origin)) return;
      const { type, token } = (event.data ?? {}) as Record<string, unknown>;
      if (type === TOKEN && typeof token === "string" && TOKEN_FORMAT.test(token)) this.accept(token);
    });
    this.requestToken();
  }

  async token(signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    if (this.current !== undefined) return this.current;
    return new Promise((resolve, reject) => {
      const onToken = (token: string) => {
        signal?.removeEventListener("abort", onAbort);
        resolve(token);
      };
      const onAbort = () => {
        this.waiting.delete(onToken);
        reject(signal?.reason);
      };
      this.waiting.add(onToken);
      signal?.addEventListener("abort", onAbort);
    });
  }

  onAccepted(token: string): void {
    if (token === this.current) this.wasAccepted = true;
  }

  onRejected(token: string, { detail }: Partial<Problem>): void {
    // other requests with the same token have reported it already
    if (token !== this.current) return;
    this.current = undefined;
    this.rejected = token;
    this.rejection = detail;
    // an immediate request after a token that never worked could loop
    if (this.wasAccepted) this.requestToken();
    else this.scheduleRequest();
    this.notify();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private accept(token: string): void {
    if (token === this.rejected || token === this.current) return;
    clearTimeout(this.timer);
    this.current = token;
    this.rejection = undefined;
    this.requests = 0;
    this.wasAccepted = false;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve(token);
    this.notify();
  }

  /** Requests a token, and repeats the request, because the host page may not listen yet. */
  private requestToken(): void {
    // "*" is safe: the message contains no secret, and the policy restricts who the parent is
    parent.postMessage({ type: this.rejected === undefined ? READY : ENDED }, "*");
    this.scheduleRequest();
  }

  private scheduleRequest(): void {
    clearTimeout(this.timer);
    const wait = RETRY_DELAYS_S[Math.min(this.requests, RETRY_DELAYS_S.length - 1)] ?? 30;
    this.requests += 1;
    this.timer = setTimeout(() => this.requestToken(), wait * 1000);
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export const hostToken = new HostToken();
