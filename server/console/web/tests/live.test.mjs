// Live updates: new memories, moves in another window, and a server that stops and restarts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** Waits until the event stream is connected. */
const waitUntilLive = (someone) => someone.page.locator(".live.on").waitFor();

test("new memory of a connected client is counted and appears on request", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/connect`);
  await ada.page.getByRole("button", { name: "Issue a token" }).click();
  await ada.waitForText("Shown once.");
  const snippet = JSON.parse(await ada.page.getByLabel("Claude Code", { exact: true }).innerText());
  await ada.press("1");
  const rows = ada.page.locator(".memory");
  await rows.first().waitFor();
  await waitUntilLive(ada);
  const before = await rows.count();

  const call = (method, params, id) => mcp(snippet.mcpServers.orgmem, { jsonrpc: "2.0", id, method, params });
  const client = { name: "test", version: "1" };
  await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client }, 1);
  const written = { content: "The east charger trips when two carts dock at once", scope: "LOCAL" };
  await call("tools/call", { name: "commit_memory", arguments: written }, 2);

  const arrivals = ada.page.getByRole("button", { name: "1 new" });
  await arrivals.waitFor();
  assert.equal(await rows.count(), before, "rows do not jump");
  await ada.press(".");
  await ada.waitForText(written.content, ".memory");
  await arrivals.waitFor({ state: "detached" });
  await ada.close();
});

test("more than one page of new memories is counted exactly", async () => {
  const { id } = await demo.request("POST", "/workspaces", { name: "Busy" });
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${id}/memories`);
  await waitUntilLive(ada);
  const memories = Array.from({ length: 60 }, (_, index) => ({ content: `crate number ${index} came in`, scope: "LOCAL" }));
  await demo.request("POST", `/workspaces/${id}/memories/batch`, { memories }, await demo.token(id, "agent"));
  await ada.page.getByRole("button", { name: "60 new" }).waitFor();
  await ada.press(".");
  await ada.waitForText("crate number 59 came in", ".memory");
  await ada.close();
});

/** Calls the server with a client's configuration. */
async function mcp({ url, headers }, body) {
  const accept = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const answer = await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.doesNotMatch(text, /"isError":\s*true|"error"/, text);
}

test("memory redacted elsewhere disappears from list and drawer", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const { id } = await demo.request("POST", at, { content: "The spare key hangs behind the second rack", scope: "TEAM" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.telemetryIngest}/memories?q=spare+key&m=${id}`);
  await ada.waitForText("The spare key hangs", ".drawer .content");
  await waitUntilLive(ada);
  await demo.request("POST", `${at}/${id}/redact`, { reason: "keys are texts in person" });
  await ada.waitForText(/It was redacted by .*: keys are texts in person/, ".drawer");
  await ada.page.locator(".memory", { hasText: "spare key" }).waitFor({ state: "detached" });
  assert.doesNotMatch(await ada.page.content(), /second rack/);
  await ada.close();
});

test("move in one window updates the lens in another", async () => {
  const token = await demo.token(DEMO.root, "operator");
  const [ada, ben] = await Promise.all([newUser(browser, demo, { token }), newUser(browser, demo, { token })]);
  await Promise.all([ada.open(`w/${DEMO.fleetApi}/memories?lens=reads`), ben.open(`w/${DEMO.telemetryIngest}/memories`)]);
  const row = (name) => ada.page.getByRole("treeitem", { name });
  await row(/^Telemetry Ingest.*readable: TEAM – sibling under Backend Lead$/).waitFor();
  await waitUntilLive(ada);
  await ben.page.getByRole("button", { name: "Actions" }).click();
  await ben.page.getByRole("button", { name: "Move…", exact: true }).click();
  const dialog = ben.page.getByRole("dialog", { name: "Move Telemetry Ingest" });
  await ben.waitForFocus("Cancel");
  await dialog.getByRole("combobox", { name: "New parent" }).fill("finance");
  await dialog.getByRole("option", { name: /^Finance/ }).click();
  await dialog.getByRole("button", { name: "Move 1 workspace" }).click();
  await ben.waitForText("Telemetry Ingest is now below Finance.", ".toasts");
  await row(/^Telemetry Ingest/).waitFor({ state: "detached" });
  await row(/^Finance/).locator(".caret").click();
  await row(/^Telemetry Ingest.*not readable$/).waitFor();
  await Promise.all([ada.close(), ben.close()]);
});

test("restart of the server is shown, and no update is missed", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${DEMO.backendLead}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  await waitUntilLive(ada);
  await demo.kill();
  await ada.page.locator(".live.waiting").waitFor();
  await demo.restart();
  const content = "Written while the page was deaf";
  await demo.request("POST", `/workspaces/${DEMO.backendLead}/memories`, { content, scope: "LOCAL" });
  await waitUntilLive(ada);
  await ada.waitForText(content, ".memory");
  await ada.close();
});
