// Which requests are repeated, and how events survive lost connections: against recorded responses.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { BadRequest, Client, Conflict, Forbidden, OrgmemError, RateLimited, ServerError, StreamEnded, TransportError } from "orgmem";
import { script } from "./support.mjs";

const workspace = "11111111-2222-4333-8444-555555555555";
const committed = () => Response.json({ id: "m", redactions: [] }, { status: 201 });
const found = () => Response.json([]);
const refusal = (status, code, headers = {}) => () => Response.json({ status, code, detail: "no", request_id: "r-1" }, { status, headers });
const lost = new DOMException("too late", "TimeoutError");
const failed = (code) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });

const commit = (client) => client.commitMemory({ content: "x", scope: "LOCAL" });
const edit = (client) => client.editMemory("m", { pin: true });
const search = (client) => client.searchMemories({ q: "x" });
const connect = (steps, options = {}) => new Client({ url: "http://test/", token: "t", workspace, fetch: steps.fetch, ...options });

/** The pauses of the client, which take no time. */
let pauses;
beforeEach(() => {
  pauses = [];
  mock.method(Math, "random", () => 0);
  const timers = globalThis.setTimeout;
  mock.method(globalThis, "setTimeout", (callback, ms) => {
    if (ms >= 40_000) return timers(callback, ms);
    pauses.push(ms / 1000);
    return timers(callback, 0);
  });
});
afterEach(() => mock.restoreAll());

const SAFE = [
  [commit, lost, committed],
  [commit, refusal(503, "unavailable"), committed],
  [commit, refusal(429, "busy"), committed],
  [search, failed("ECONNRESET"), found],
  [search, refusal(502, "unavailable"), found],
  [edit, failed("ECONNREFUSED"), committed],
  [edit, refusal(429, "rate_limited"), committed],
];
SAFE.forEach(([call, first, success], index) =>
  test(`a safe request is repeated as it was (${index})`, async () => {
    const steps = script(first, success);
    await call(connect(steps));
    const [{ signal: _, ...one }, { signal: __, ...two }] = steps.requests;
    assert.deepEqual(one, two);
    assert.equal("idempotency-key" in one.headers, one.method === "POST");
    assert.deepEqual(pauses, [0.2]);
  }),
);

const UNSAFE = [
  [edit, lost, TransportError],
  [edit, refusal(503, "unavailable"), ServerError],
  [commit, refusal(500, "internal"), ServerError],
  [commit, refusal(403, "scope_forbidden"), Forbidden],
  [commit, refusal(409, "id_taken"), Conflict],
  [search, refusal(429, "rate_limited", { "Retry-After": "3600" }), RateLimited],
];
UNSAFE.forEach(([call, first, kind], index) =>
  test(`another request is sent once (${index})`, async () => {
    const steps = script(first);
    await assert.rejects(call(connect(steps)), kind);
    assert.deepEqual([steps.requests.length, pauses], [1, []]);
  }),
);

test("repetitions end, and pauses grow", async () => {
  const busy = refusal(503, "unavailable", { "Retry-After": "1" });
  await assert.rejects(search(connect(script(busy, busy, busy, busy), { retries: 3 })), { status: 503, retryAfter: 1 });
  await assert.rejects(search(connect(script(lost, lost, lost, lost), { retries: 3 })), TransportError);
  assert.deepEqual(pauses, [1, 1, 1, 0.2, 0.4, 0.8]);
});

test("a body that breaks off is read again", async () => {
  const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("terminated")) }));
  assert.deepEqual([...(await search(connect(script(broken, found))))], []);
});

test("a client without retries sends no idempotency key", async () => {
  const steps = script(committed);
  await commit(connect(steps, { retries: 0, token: () => "fresh" }));
  const [{ address, headers }] = steps.requests;
  assert.equal(address, `http://test/workspaces/${workspace}/memories`);
  assert.deepEqual([headers.authorization, headers["idempotency-key"]], ["Bearer fresh", undefined]);
});

test("the page of a proxy is a problem with its text", async () => {
  const steps = script(() => new Response("<h1>too large</h1>", { status: 413 }));
  await assert.rejects(commit(connect(steps)), (error) => error instanceof BadRequest && error.detail === "<h1>too large</h1>");
});

test("a number that JSON lacks is refused before sending", async () => {
  await assert.rejects(connect(script()).putEntry({ key: "k", value: [NaN] }), OrgmemError);
});

test("an aborted call ends with the caller's reason", async () => {
  const reason = new Error("enough");
  const client = connect({ fetch: async (_, { signal }) => signal.throwIfAborted() });
  await assert.rejects(search(client.withOptions({ signal: AbortSignal.abort(reason) })), reason);
});

/** A stream of events in pieces, which may end with a lost connection. */
const events = (text, { size = 1, error } = {}) => () => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(stream) {
        if (at < bytes.length) stream.enqueue(bytes.slice(at, (at += size)));
        else if (error) stream.error(error);
        else stream.close();
      },
    }),
  );
};

test("a stream resumes after the last event", async () => {
  const steps = script(
    events('event: ready\nid: 4\ndata: {}\n\nevent: kv_changed\nid: 5\ndata: {"n": 1}\n\nevent: lost', { error: new TypeError("lost") }),
    refusal(503, "unavailable"),
    events(": comment\nid: 6\n\n"),
    events('event: kv_changed\r\nid: 7\r\ndata: {"text": "a\u2028b\u0085c"}\r\n\r\n', { size: 3 }),
    events('event: end\ndata: {"code": "token_invalid", "detail": "the token has expired"}\n\n'),
  );
  const received = [];
  await assert.rejects(async () => {
    for await (const { id, kind, data } of connect(steps).watchEvents({ lastEventId: "3", subtree: true })) received.push([id, kind, data]);
  }, StreamEnded);
  assert.deepEqual(received, [
    ["4", "ready", {}],
    ["5", "kv_changed", { n: 1 }],
    ["7", "kv_changed", { text: "a\u2028b\u0085c" }],
    ["7", "end", { code: "token_invalid", detail: "the token has expired" }],
  ]);
  assert.deepEqual(steps.requests.map(({ headers }) => headers["last-event-id"]), ["3", "5", "5", "6", "7"]);
  assert.match(steps.requests[0].address, /subtree=true/);
});

test("a refused stream throws the problem", async () => {
  await assert.rejects(connect(script(refusal(403, "forbidden"))).watchEvents().next(), Forbidden);
});
