import type { Memory, Scope } from "./types/index.js";
import { Attempts, type Call, type Query } from "./call.js";
import { StreamEnded } from "./errors.js";

/** The server sends a comment every 15 seconds, so a connection that is silent for longer is dead. */
export const SILENCE_MS = 45_000;

/** What an event is about; `ready`, `resync` and `end` have other members. */
export interface EventData {
  seq?: number;
  at?: string;
  workspace_id?: string;
  memory_id?: string;
  scope?: Scope;
  memory?: Memory;
  details?: Record<string, unknown>;
  [other: string]: unknown;
}

/** One event. `id` resumes the stream after it. */
export interface OrgmemEvent {
  id: string;
  kind: string;
  data: EventData;
}

/** A stream over any number of connections, each of which continues after the last event of the one before. No I/O. */
export class EventStream {
  over = false;
  private attempts: Attempts | undefined;
  private decoder = new TextDecoder();
  private rest = "";
  private fields: Record<string, string> = {};

  constructor(
    private readonly query: Query,
    private readonly follow: boolean,
    public lastEventId: string | undefined,
    private readonly retries: number,
  ) {}

  /** The request of the next connection. */
  call(): Call {
    this.decoder = new TextDecoder();
    this.rest = "";
    this.fields = {};
    return { method: "GET", path: ["events"], query: { ...this.query, follow: this.follow } };
  }

  /** The attempts since the last event that arrived: enough to wait about a minute for a server that restarts. */
  attemptsNow(): Attempts {
    this.attempts ??= new Attempts(true, 4 * this.retries);
    return this.attempts;
  }

  /**
   * The events that are complete with these bytes. Lines end with a line feed and with nothing else, because JSON may contain
   * the other characters that end a line elsewhere.
   */
  *feed(data: Uint8Array): Generator<OrgmemEvent> {
    const lines = (this.rest + this.decoder.decode(data, { stream: true })).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (text !== "") {
        this.keep(text);
        continue;
      }
      const event = this.event();
      if (!event) continue;
      this.attempts = undefined;
      yield event;
      if (event.kind === "end") {
        this.over = true;
        throw new StreamEnded(String(event.data.code ?? ""), String(event.data.detail ?? ""));
      }
    }
  }

  /** Seconds until the next connection, after the server closed one without an error. */
  closed(): number {
    this.over = !this.follow;
    return this.over ? 0 : 0.2;
  }

  private keep(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    if (name !== "") this.fields[name] = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  }

  private event(): OrgmemEvent | undefined {
    const { event, data, id } = this.fields;
    this.fields = {};
    // a comment may carry the current id, too
    if (id !== undefined) this.lastEventId = id;
    if (event === undefined) return undefined;
    return { id: this.lastEventId ?? "", kind: event, data: JSON.parse(data || "{}") as EventData };
  }
}
