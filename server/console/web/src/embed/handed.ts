// The token of a page that stands in another product's: handed over by the page around it, held in memory and nowhere else.
// Who is around is settled twice: the browser shows this page only where the server's policy lets it, and a message counts
// only when it comes from the page around this one and from an origin that the server has named.

import { FRAMERS } from "../base.ts";
import type { Holder } from "../api/http.ts";
import type { Problem } from "../api/types.ts";

/** What this page says to the one around it, and hears from it, by the `type` of the message. */
const READY = "orgmem:ready";
const ENDED = "orgmem:token-ended";
const TOKEN = "orgmem:token";

/** How long an answer is waited for before it is asked for again, in seconds. */
const WAITS_S = [5, 10, 30];

/** Characters of a token: it goes into a header. */
const LIKE_A_TOKEN = /^[\w.~+/=-]+$/;

class Handed implements Holder {
  /** What the server said of the last token, when it did not take it. */
  said: string | undefined;
  private current: string | undefined;
  private dead: string | undefined;
  private hasWorked = false;
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly waiting = new Set<(token: string) => void>();
  private readonly listeners = new Set<() => void>();

  /** Whether a token is there, as far as one knows. */
  get isThere(): boolean {
    return this.current !== undefined;
  }

  /** Listens to the page around this one, and says so to it. */
  begin(): void {
    addEventListener("message", (event) => {
      if (event.source !== parent || !FRAMERS?.includes(event.origin)) return;
      const { type, token } = (event.data ?? {}) as Record<string, unknown>;
      if (type === TOKEN && typeof token === "string" && LIKE_A_TOKEN.test(token)) this.take(token);
    });
    this.ask();
  }

  async token(signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    if (this.current !== undefined) return this.current;
    return new Promise((come, calledOff) => {
      const waits = (token: string) => {
        signal?.removeEventListener("abort", stop);
        come(token);
      };
      const stop = () => {
        this.waiting.delete(waits);
        calledOff(signal?.reason);
      };
      this.waiting.add(waits);
      signal?.addEventListener("abort", stop);
    });
  }

  accepted(token: string): void {
    if (token === this.current) this.hasWorked = true;
  }

  refused(token: string, { detail }: Partial<Problem>): void {
    // others that were asked with it have said so already
    if (token !== this.current) return;
    this.current = undefined;
    this.dead = token;
    this.said = detail;
    // one that never was any good would be followed by the next of its kind at once, and so on
    if (this.hasWorked) this.ask();
    else this.askLater();
    this.tell();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private take(token: string): void {
    if (token === this.dead || token === this.current) return;
    clearTimeout(this.timer);
    this.current = token;
    this.said = undefined;
    this.asked = 0;
    this.hasWorked = false;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const come of waiting) come(token);
    this.tell();
  }

  /** Asks for a token, and again while none comes: the page around this one may not have listened yet. */
  private ask(): void {
    // it says nothing that is secret, and the policy has settled whose page it can be
    parent.postMessage({ type: this.dead === undefined ? READY : ENDED }, "*");
    this.askLater();
  }

  private askLater(): void {
    clearTimeout(this.timer);
    const wait = WAITS_S[Math.min(this.asked, WAITS_S.length - 1)] ?? 30;
    this.asked += 1;
    this.timer = setTimeout(() => this.ask(), wait * 1000);
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export const handed = new Handed();
