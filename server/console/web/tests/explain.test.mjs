// Explanations: why a memory is visible, and why a search recalls it or not.

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

test("two keys lead from the list to the reason, which has an address", async () => {
  const token = await demo.adminToken();
  const ada = await newUser(browser, demo, { token });
  await ada.open(`w/${DEMO.fleetApi}/memories?q=thundering+herd`);
  await ada.page.locator(".memory", { hasText: "thundering herd" }).first().waitFor();
  await ada.press("j", "Enter");
  const sentence = "Fleet API can read TEAM memories of Telemetry Ingest: sibling under Backend Lead.";
  await ada.waitForText(sentence, ".drawer");
  const ben = await newUser(browser, demo, { token });
  await ben.page.goto(ada.page.url());
  await ben.waitForText(sentence, ".drawer");
  await Promise.all([ada.close(), ben.close()]);
});

test("explanation shows the rank of a missed memory", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await demo.search(DEMO.fleetApi, "docks reconnect");
  await ada.open(`w/${DEMO.fleetApi}/access?action=search_memories`);
  await ada.page.getByRole("row").filter({ hasText: "searched" }).filter({ hasText: "agent:Fleet API" }).first().waitFor();
  await ada.page.getByRole("link", { name: "Memories", exact: true }).click();
  await ada.page.getByLabel("Search readable memories").fill("docks reconnect");
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.page.getByRole("link", { name: "Something missing? Find out why" }).click();
  const ask = ada.page.getByRole("region", { name: "Why Fleet API recalls a memory, or not" });
  assert.equal(await ask.getByLabel("Query").inputValue(), "docks reconnect");
  await ask.getByLabel("Memory").fill("thundering herd");
  await ask.getByRole("button", { name: "Explain" }).click();
  await ask.getByRole("link", { name: /thundering herd/ }).first().click();
  await ask.getByText(/It is readable, and number \d+ of \d+ that are found\./).waitFor();
  await ask.getByRole("link", { name: "Open the memory" }).click();
  await ada.waitForText(/Rank \d+ of \d+ for “docks reconnect”/, ".drawer");
  await ada.close();
});

test("read in the timeline shows caller, results in order, and the explanation", async () => {
  const found = await demo.search(DEMO.fleetApi, "furrow mission queue");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/timeline`);
  await ada.page.getByRole("button", { name: "Reads", exact: true }).click();
  const read = ada.page.locator(".reads > li", { hasText: `${found.length} memories returned` }).first();
  await read.locator("summary", { hasText: "agent:Fleet API" }).press("Enter");
  const chips = read.locator(".ranked a");
  assert.equal(await chips.count(), found.length);
  assert.equal(await chips.first().textContent(), `1 ${found[0].id.slice(-6)}`);
  await read.getByRole("link", { name: "Something missing? Find out why" }).waitFor();
  await chips.first().click();
  await ada.page.locator(".drawer .content").waitFor();
  assert.match(ada.page.url(), new RegExp(`m=${found[0].id}`));
  await ada.close();
});

test("view as agent shows the agent's exact text and order", async () => {
  const found = await demo.search(DEMO.fleetApi, "docks reconnect");
  assert.ok(found.some(({ content }) => content.startsWith("[MEMORY ")), "what others wrote is quoted");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/memories?q=docks+reconnect`);
  await ada.page.getByRole("button", { name: "View as agent" }).press("Enter");
  const texts = ada.page.locator(".agent-text");
  await texts.nth(found.length - 1).waitFor();
  assert.deepEqual(await texts.allTextContents(), found.map(({ content }) => content));
  await ada.page.locator("summary", { hasText: /^score \d/ }).first().press("Enter");
  await ada.page.getByRole("row", { name: /^Query words \d/ }).waitFor();
  await ada.page.reload();
  await texts.first().waitFor();
  await ada.page.getByRole("button", { name: "View as agent" }).press("Enter");
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.close();
});

test("unconfigured search modes are disabled with the reason", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/memories?q=docks`);
  const menu = ada.page.getByRole("combobox", { name: "Search mode" });
  await menu.focus();
  await menu.locator("optgroup[disabled][label*='no embedder is configured' i]").waitFor({ state: "attached" });
  await menu.selectOption("keyword");
  await ada.page.waitForFunction(() => location.search.includes("mode=keyword"));
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.close();
});

test("explanation names each cause and links the superseding memory", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const commit = async (content, more = {}) => (await demo.request("POST", at, { content, scope: "LOCAL", ...more })).id;
  const old = await commit("The relay list lives in the wiki");
  const young = await commit("The relay list lives in the registry", { supersedes: old });
  const redacted = await commit("The relay password hint is a bird");
  await demo.request("POST", `${at}/${redacted}/redact`, { reason: "a hint is half a password" });
  const foreign = await demo.request("POST", `/workspaces/${DEMO.telemetryIngest}/memories`, { content: "Kept to itself", scope: "LOCAL" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  const texts = [
    [redacted, "Redacted", /It was redacted by .*: a hint is half a password\./],
    [foreign.id, "Not readable", /LOCAL/],
    [young, "Not found", /neither it nor a memory next to it in its session matches the query/],
    [old, "Superseded", new RegExp(`${young} replaces it`)],
  ];
  for (const [id, cause, sentence] of texts) {
    await ada.open(`w/${DEMO.fleetApi}/reach?ask=${id}&q=zeppelin`);
    const answer = ada.page.locator(".explanation");
    await answer.getByText(cause, { exact: true }).waitFor();
    await answer.getByText(sentence).waitFor();
  }
  await ada.page.getByRole("link", { name: "The memory that supersedes it" }).click();
  await ada.page.locator(".explanation").getByText("Not found", { exact: true }).waitFor();
  await ada.close();
});
