/** Base class of all errors of this package. */
export class OrgmemError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * No response arrived: the server is not reachable, or did not respond in time. A request that is not repeatable may have
 * taken effect all the same.
 */
export class TransportError extends OrgmemError {}

/** The server ended an event stream for good: its token expired or was revoked, or the workspace was removed. */
export class StreamEnded extends OrgmemError {
  constructor(readonly code: string, readonly detail: string) {
    super(`${detail} (${code})`);
  }
}

/** A refusal, as RFC 9457 defines it. Its `code` is stable; `detail` is a sentence for people. */
export class Problem extends OrgmemError {
  readonly code: string;
  readonly detail: string;
  readonly requestId: string | undefined;

  constructor(
    readonly status: number,
    readonly members: Record<string, unknown>,
    /** Seconds to wait before a repetition. */
    readonly retryAfter?: number,
  ) {
    const [code, detail] = [String(members.code ?? ""), String(members.detail ?? "")];
    const id = typeof members.request_id === "string" ? members.request_id : undefined;
    super(`${status} ${code}: ${detail}${id ? ` [${id}]` : ""}`);
    this.code = code;
    this.detail = detail;
    this.requestId = id;
  }
}

/** 400, 413, 415, 422 and other statuses of requests that never succeed as they are. `field` names the cause. */
export class BadRequest extends Problem {
  get field(): string | undefined {
    return typeof this.members.field === "string" ? this.members.field : undefined;
  }
}

/** 401: the token is absent, invalid, expired or revoked. */
export class Unauthenticated extends Problem {}

/** 403: the role of the token does not permit this; `detail` says what it permits. */
export class Forbidden extends Problem {}

/** 404: absent, or hidden from the caller. */
export class NotFound extends Problem {}

/** 409: the state of the server does not permit this; `code` says why. */
export class Conflict extends Problem {}

/** 409 `version_conflict`: the entry or memory has another version. */
export class VersionConflict extends Conflict {
  get expectedVersion(): number {
    return Number(this.members.expected_version);
  }

  /** `null` when it does not exist. */
  get currentVersion(): number | null {
    return typeof this.members.current_version === "number" ? this.members.current_version : null;
  }
}

/** 410: the workspace was removed. */
export class Gone extends Problem {}

/** 429: a limit on load. Nothing was changed; `retryAfter` has the seconds to wait. */
export class RateLimited extends Problem {}

/** 500, 502, 503, 504: the server, or a proxy in front of it, cannot respond now. */
export class ServerError extends Problem {}

const BY_STATUS: Record<number, typeof Problem> = {
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: Gone,
  429: RateLimited,
};

/** The error for a response that is no success, also for one that a proxy sent. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  let members: Record<string, unknown> = { detail: text.slice(0, 200) || response.statusText };
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) members = { ...body };
  } catch {
    // not from orgmem
  }
  members.request_id ??= response.headers.get("X-Request-Id");
  const kind = members.code === "version_conflict" ? VersionConflict : BY_STATUS[response.status];
  const otherwise = response.status >= 500 ? ServerError : BadRequest;
  return new (kind ?? otherwise)(response.status, members, secondsOf(response));
}

/** `Retry-After` in seconds; orgmem sends no dates. */
export function secondsOf(response: Response): number | undefined {
  const seconds = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
