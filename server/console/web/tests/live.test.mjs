// What happens is shown as it happens: new memories, moves made in another window, a server that goes and comes back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, visitor } from "./support/browser.mjs";
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

/** Waits until the page hears what happens. */
const hears = (someone) => someone.page.locator(".live.on").waitFor();

test("a client is connected, writes, and what it wrote appears when one asks for it", async () => {
  const ada = await visitor(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/connect`);
  await ada.page.getByRole("button", { name: "Issue a token" }).click();
  await ada.sees("Shown once.");
  const snippet = JSON.parse(await ada.page.getByLabel("Claude Code", { exact: true }).innerText());
  await ada.press("1");
  const rows = ada.page.locator(".memory");
  await rows.first().waitFor();
  await hears(ada);
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
  await ada.sees(written.content, ".memory");
  await arrivals.waitFor({ state: "detached" });
  await ada.leave();
});

test("more than a page of news is not told as a page", async () => {
  const { id } = await demo.ask("POST", "/workspaces", { name: "Busy" });
  const ada = await visitor(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${id}/memories`);
  await hears(ada);
  const memories = Array.from({ length: 60 }, (_, index) => ({ content: `crate number ${index} came in`, scope: "LOCAL" }));
  await demo.ask("POST", `/workspaces/${id}/memories/batch`, { memories }, await demo.token(id, "agent"));
  await ada.page.getByRole("button", { name: "50 or more new" }).waitFor();
  await ada.press(".");
  await ada.sees("crate number 59 came in", ".memory");
  await ada.leave();
});

/** Calls the server as the configuration says. */
async function mcp({ url, headers }, body) {
  const accept = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const answer = await fetch(url, { method: "POST", headers: { ...headers, ...accept }, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.doesNotMatch(text, /"isError":\s*true|"error"/, text);
}

test("what is redacted elsewhere goes from the list and the drawer at once", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const { id } = await demo.ask("POST", at, { content: "The spare key hangs behind the second rack", scope: "TEAM" });
  const ada = await visitor(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.telemetryIngest}/memories?q=spare+key&m=${id}`);
  await ada.sees("The spare key hangs", ".drawer .content");
  await hears(ada);
  await demo.ask("POST", `${at}/${id}/redact`, { reason: "keys are told in person" });
  await ada.sees(/It was redacted by .*: keys are told in person/, ".drawer");
  await ada.page.locator(".memory", { hasText: "spare key" }).waitFor({ state: "detached" });
  assert.doesNotMatch(await ada.page.content(), /second rack/);
  await ada.leave();
});

test("a lead is moved in one window, and the lens of another changes without reload", async () => {
  const token = await demo.token(DEMO.root, "operator");
  const [ada, ben] = await Promise.all([visitor(browser, demo, { token }), visitor(browser, demo, { token })]);
  await Promise.all([ada.open(`w/${DEMO.fleetApi}/memories?lens=reads`), ben.open(`w/${DEMO.telemetryIngest}/memories`)]);
  const row = (name) => ada.page.getByRole("treeitem", { name });
  await row(/^Telemetry Ingest.*readable: TEAM – sibling under Backend Lead$/).waitFor();
  await hears(ada);
  await ben.page.getByRole("button", { name: "Actions" }).click();
  await ben.page.getByRole("button", { name: "Move…", exact: true }).click();
  const dialog = ben.page.getByRole("dialog", { name: "Move Telemetry Ingest" });
  await ben.focuses("Cancel");
  await dialog.getByRole("combobox", { name: "New parent" }).fill("finance");
  await dialog.getByRole("option", { name: /^Finance/ }).click();
  await dialog.getByRole("button", { name: "Move 1 workspace" }).click();
  await ben.sees("Telemetry Ingest is now below Finance.", ".toasts");
  await row(/^Telemetry Ingest/).waitFor({ state: "detached" });
  await row(/^Finance/).locator(".caret").click();
  await row(/^Telemetry Ingest.*not readable$/).waitFor();
  await Promise.all([ada.leave(), ben.leave()]);
});

test("when the server goes and comes back, the mark says so and nothing is missed", async () => {
  const ada = await visitor(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${DEMO.backendLead}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  await hears(ada);
  await demo.halt();
  await ada.page.locator(".live.waiting").waitFor();
  await demo.restart();
  const content = "Written while the page was deaf";
  await demo.ask("POST", `/workspaces/${DEMO.backendLead}/memories`, { content, scope: "LOCAL" });
  await hears(ada);
  await ada.sees(content, ".memory");
  await ada.leave();
});
