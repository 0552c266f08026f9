// Each group of calls against a server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BadRequest, Client, Conflict, Gone, NotFound, OrgmemError, Unauthenticated, VersionConflict } from "orgmem";
import { startServer } from "./support.mjs";

let server;
before(async () => (server = await startServer()));
after(() => server.stop());

const all = async (rows) => {
  const found = [];
  for await (const row of rows) found.push(row);
  return found;
};

test("a committed memory is found, edited, restored and forgotten", async () => {
  const agent = await server.agent();
  const { id } = await agent.commitMemory({ content: "staging deploys happen on Tuesdays", scope: "TEAM", tags: ["deploy"] });
  assert.deepEqual((await agent.searchMemories({ q: "when do we deploy?" })).map((memory) => memory.id), [id]);
  assert.deepEqual(await agent.countMemories({ q: "deploy", tag: "deploy" }), { count: 1 });
  assert.equal((await agent.editMemory(id, { content: "on Mondays", metadata: null }, { ifMatch: 1 })).version, 2);
  assert.deepEqual((await agent.listVersions(id)).map(({ version }) => version), [2, 1]);
  assert.equal((await agent.restoreMemory(id, 1)).version, 3);
  assert.equal((await agent.explainMemory(id, { q: "deploys" })).cause, "found");
  assert.equal((await agent.readMemory(id)).content, "staging deploys happen on Tuesdays");
  await assert.rejects(agent.forgetMemory(id, { ifMatch: 1 }), VersionConflict);
  assert.deepEqual(await agent.forgetMemory(id), { status: "deleted" });
  await assert.rejects(agent.readMemory(id), NotFound);
});

test("a batch refuses items one by one", async () => {
  const agent = await server.agent();
  const response = await agent.commitBatch([{ content: "good", scope: "LOCAL" }, { content: " ", scope: "LOCAL" }]);
  assert.deepEqual([response.committed, response.refused], [1, 1]);
  assert.equal(response.items[1].refused.code, "invalid_field");
});

test("an iterator reads all pages in their order", async () => {
  const agent = await server.agent();
  await agent.commitBatch([0, 1, 2, 3, 4, 5, 6].map((number) => ({ content: `fact ${number}`, scope: "LOCAL" })));
  const first = await agent.searchMemories({ limit: 3 });
  assert.equal(first.length, 3);
  assert.ok(first.cursor);
  const contents = (await all(agent.iterMemories({ limit: 3 }))).map((memory) => memory.content);
  assert.deepEqual(contents, [6, 5, 4, 3, 2, 1, 0].map((number) => `fact ${number}`));
});

test("values of metadata are listed, and a touched memory lives on in its version", async () => {
  const agent = await server.agent();
  const draft = (tier) => ({ content: `fact ${tier}`, scope: "LOCAL", metadata: { tier }, ttl_seconds: 60 });
  const { items } = await agent.commitBatch([draft(2), draft(1), draft(2)]);
  const ids = items.map(({ committed }) => committed.id);
  assert.deepEqual(await all(agent.iterMetadataValues({ member: "tier", limit: 1 })), [{ value: 1, count: 1 }, { value: 2, count: 2 }]);
  const { memories } = await agent.touchMemories([{ id: ids[0], ttl_seconds: 3600 }, { id: ids[1], ttl_seconds: 3600, version: 7 }]);
  assert.deepEqual(memories.map(({ id }) => id), [ids[0]]);
  const touched = await agent.readMemory(ids[0]);
  assert.deepEqual([touched.version, touched.expires_at], [1, memories[0].expires_at]);
});

test("a redaction leaves a tombstone", async () => {
  const agent = await server.agent();
  const { id } = await agent.commitMemory({ content: "an address", scope: "LOCAL" });
  const operator = server.admin.at(await agent.workspaceId());
  assert.ok((await operator.previewRedactMemory(id, "privacy")).dry_run);
  await operator.redactMemory(id, "privacy");
  assert.equal((await agent.readMemory(id)).content, "[redacted]");
  assert.deepEqual((await all(operator.iterRedactions())).map(({ reason }) => reason), ["privacy"]);
});

test("an entry of any key is read back and dropped", async () => {
  const agent = await server.agent();
  for (const key of ["plain", "a/b c", "...", "ü?#&%2F", "x".repeat(256)]) {
    const value = { nested: [1, null, "ü"] };
    assert.equal((await agent.putEntry({ key, value })).version, 1);
    assert.deepEqual((await agent.readEntry(key)).value, value);
    assert.deepEqual((await all(agent.iterEntries({ limit: 1 }))).map((entry) => entry.key), [key]);
    assert.deepEqual(await agent.dropEntry(key), { status: "deleted" });
    await assert.rejects(agent.readEntry(key), NotFound);
  }
});

test("a key that a URL takes for a step is refused before sending", async () => {
  const agent = await server.agent();
  for (const key of [".", ".."]) await assert.rejects(agent.dropEntry(key), /cannot be a part of an address/);
  assert.equal((await agent.readWorkspace()).status, "online");
});

test("a conditional write on another version names both", async () => {
  const agent = await server.agent();
  await agent.putEntry({ key: "step", value: 1, if_match_version: 0 });
  await assert.rejects(agent.putEntry({ key: "step", value: 2, if_match_version: 7 }), (error) => {
    assert.ok(error instanceof VersionConflict && error instanceof Conflict);
    assert.deepEqual([error.expectedVersion, error.currentVersion, error.name], [7, 1, "VersionConflict"]);
    return true;
  });
  await assert.rejects(agent.putEntry({ key: "absent", value: 1, if_match_version: 1 }), { currentVersion: null });
});

test("session search finds episodes and memories", async () => {
  const agent = await server.agent();
  await agent.appendEpisode({ activity_type: "tool_call", summary: "searched the invoices", session_id: "s1" });
  await agent.commitMemory({ content: "invoices are monthly", scope: "LOCAL", session_id: "s1" });
  assert.deepEqual((await all(agent.iterEpisodes({ type: "tool_call" }))).map(({ summary }) => summary), ["searched the invoices"]);
  const kinds = (await agent.searchSession({ q: "invoices" })).map((hit) => hit.kind);
  assert.deepEqual(new Set(kinds), new Set(["activity", "memory"]));
});

test("a turn is stored as episodes", async () => {
  const agent = await server.agent();
  const messages = [{ role: "user", content: "Deliver to Dock 9." }, { role: "assistant", content: "Noted." }];
  const turn = await agent.addTurn({ messages, session_id: "s1", subject: "ada" });
  assert.deepEqual([turn.state, turn.episodes.length], ["stored", 2]);
  assert.deepEqual((await agent.readTurn(turn.id)).episodes, turn.episodes);
  const said = (await all(agent.iterEpisodes({ type: "message" }))).map(({ id, summary }) => [id, summary]).reverse();
  assert.deepEqual(said, [[turn.episodes[0], "Deliver to Dock 9."], [turn.episodes[1], "Noted."]]);
  await assert.rejects(agent.addTurn({ messages }), (error) => error instanceof BadRequest && error.field === "session_id");
  await assert.rejects(agent.readTurn("11111111-2222-4333-8444-555555555555"), { status: 404 });
});

test("memories of a run appear when it completes", async () => {
  const agent = await server.agent();
  const { run_id } = await agent.startRun({ label: "nightly" });
  const inRun = agent.withOptions({ runId: run_id, auditContext: { ticket: "A-1" } });
  assert.ok((await inRun.commitMemory({ content: "pending fact", scope: "LOCAL" })).pending);
  await agent.stageOutput(run_id, { __lf_memory_writes: [{ content: "staged fact" }] });
  assert.deepEqual(await agent.searchMemories(), Object.assign([], { cursor: null }));
  assert.equal((await agent.readRun(run_id)).pending.length, 2);
  assert.deepEqual((await all(agent.iterPending(run_id, { limit: 1 }))).map(({ content }) => content), ["pending fact", "staged fact"]);
  assert.equal((await agent.finishRun(run_id, "completed")).status, "completed");
  assert.equal((await agent.searchMemories({ run_id })).length, 2);
  const rows = await all(agent.iterAccessLog({ action: "hold_memory", limit: 1 }));
  assert.deepEqual(rows.at(-1).context.caller, { ticket: "A-1" });
});

test("memory tool", async () => {
  const agent = await server.agent();
  const created = await agent.runMemoryTool({ command: "create", path: "/memories/plan.md", file_text: "one" });
  assert.deepEqual(created, { content: "File created successfully at: /memories/plan.md", is_error: false });
});

test("profiles and context", async () => {
  const agent = await server.agent();
  await agent.commitMemory({ content: "backups run at night", scope: "LOCAL", confidence: 0.9 });
  assert.match((await agent.injectContext({ query: "when do backups run?" })).block, /^## Context Memory/);
  const operator = server.admin.at(await agent.workspaceId());
  assert.equal((await operator.previewCreateProfile({ name: "short", is_default: true, isolation: "team" })).loses.global, 0);
  const { id } = await operator.createProfile({ name: "short", injection: { limit: 1 } });
  assert.deepEqual((await operator.changeProfile(id, { retention: { max_entries: 10 } })).retention, { max_entries: 10 });
  assert.deepEqual((await agent.listProfiles()).map(({ name }) => name), ["default", "short"]);
  assert.equal((await agent.summarizeProfile(id)).count, 0);
  await operator.deleteProfile(id);
});

test("the tree: moves, reach, removal", async () => {
  const { admin } = server;
  const root = await admin.createWorkspace({ name: "Acme" });
  const create = async (name, parent_id) => (await admin.createWorkspace({ name, parent_id })).id;
  const [dev, ops] = [await create("Dev", root.id), await create("Ops", root.id)];
  const bot = await create("Bot", dev);
  assert.equal((await admin.at(bot).readRelation(dev)).relation, "parent");
  assert.equal((await admin.at(bot).previewPatchWorkspace({ parent_id: ops })).moved, 1);
  assert.equal((await admin.at(bot).patchWorkspace({ parent_id: ops })).path.at(-1).id, ops);
  const reach = await admin.at(bot).readReach({ direction: "reads", scope: "TEAM", among: `${bot},${ops}` });
  assert.deepEqual(new Set(reach.reads.map((row) => row.workspace_id)), new Set([bot, ops]));
  assert.deepEqual((await admin.at(root.id).readTree({ depth: 1 })).children.map(({ name }) => name), ["Dev", "Ops"]);
  assert.equal((await all(admin.iterWorkspaces({ root: root.id, limit: 1 }))).length, 4);
  await admin.at(bot).commitMemory({ content: "the quetzal is green", scope: "LOCAL" });
  const [matches] = await admin.searchOrgs({ q: "quetzal" });
  assert.deepEqual([matches.org_id, matches.memories.map((memory) => memory.workspace_id)], [root.id, [bot]]);
  await assert.rejects(admin.at(ops).removeWorkspace(), { status: 409, code: "confirmation_required" });
  assert.equal((await admin.at(ops).removeWorkspace({ children: "cascade" })).cascade_deleted, 1);
  await assert.rejects(admin.at(bot).readWorkspace(), Gone);
});

test("a revoked token is unauthenticated", async () => {
  const workspace = server.admin.at((await server.admin.createWorkspace({ name: "Short-lived" })).id);
  const { token, jti } = await workspace.issueToken({ role: "agent", expires_in: 60 });
  const agent = new Client({ url: server.url, token: async () => token });
  assert.equal((await agent.readMe()).workspace_id, await agent.workspaceId());
  assert.deepEqual((await all(workspace.iterTokens())).map((one) => one.jti), [jti]);
  await server.admin.revokeToken(jti);
  await assert.rejects(agent.searchMemories(), (error) => error instanceof Unauthenticated && error.code === "token_invalid");
});

test("a refusal has code, detail, field and request id", async () => {
  const agent = await server.agent();
  await assert.rejects(agent.commitMemory({ content: "x", scope: "EVERYONE" }), (error) => {
    assert.ok(error instanceof BadRequest && error instanceof OrgmemError);
    assert.deepEqual([error.status, error.code, error.field], [400, "invalid_field", "scope"]);
    assert.ok(error.message.includes(error.detail) && error.message.includes(error.requestId));
    return true;
  });
  await assert.rejects(server.admin.searchMemories(), /not bound to a workspace/);
});

test("the same idempotency key commits once", async () => {
  const keyed = (await server.agent()).withOptions({ idempotencyKey: "job-7" });
  const first = await keyed.commitMemory({ content: "once", scope: "LOCAL" });
  assert.equal((await keyed.commitMemory({ content: "once", scope: "LOCAL" })).id, first.id);
  await assert.rejects(keyed.commitMemory({ content: "other", scope: "LOCAL" }), { code: "idempotency_mismatch" });
});

test("events of a server arrive once and in order", async () => {
  const agent = await server.agent();
  await agent.putEntry({ key: "step", value: 1 });
  await agent.commitMemory({ content: "line\u2028separator", scope: "LOCAL" });
  const kinds = [];
  for await (const event of agent.watchEvents({ lastEventId: "0" })) {
    kinds.push(event.kind);
    if (event.kind !== "memory_committed") continue;
    assert.equal(event.data.memory.content, "line\u2028separator");
    break;
  }
  assert.deepEqual(kinds, ["ready", "workspace_created", "kv_changed", "memory_committed"]);
  const rest = await all(agent.watchEvents({ follow: false, lastEventId: "2" }));
  assert.deepEqual(rest.map(({ kind }) => kind), ["ready", "memory_committed"]);
});
