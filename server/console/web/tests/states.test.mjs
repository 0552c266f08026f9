// Empty, refused and offline states, each caused by real conditions.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

let browser;
let server;
let token;
let lead;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
  token = await server.adminToken();
  const root = await server.request("POST", "/workspaces", { name: "Acme" });
  lead = await server.request("POST", "/workspaces", { name: "Dev Lead", parent_id: root.id, role: "leads" });
});
after(async () => {
  await browser.close();
  await server.stop();
});

test("empty views explain their content", async () => {
  const ada = await newUser(browser, server, { token });
  const said = {
    memories: "Dev Lead can read no memories yet",
    state: "Dev Lead has no working state yet",
    timeline: "No activity at Dev Lead yet",
  };
  for (const [tab, sentence] of Object.entries(said)) {
    await ada.open(`w/${lead.id}/${tab}`);
    await ada.waitForText(sentence);
    await ada.screenshot(`empty-${tab}`);
  }
  await ada.close();
});

test("empty result offers to remove each filter", async () => {
  await server.request("POST", `/workspaces/${lead.id}/memories`, { content: "deploys happen on tuesdays", scope: "TEAM" });
  const ada = await newUser(browser, server, { token });
  await ada.open(`w/${lead.id}/memories?scope=LOCAL&kind=fact`);
  await ada.waitForText("Nothing matches");
  await ada.page.getByRole("button", { name: "Without LOCAL" }).click();
  await ada.waitForText("deploys happen on tuesdays", ".memory");
  await ada.page.getByRole("button", { name: /kind fact/ }).press("Delete");
  await ada.page.waitForFunction(() => !location.search.includes("kind"));
  await ada.close();
});

test("server error about a field is shown at the field", async () => {
  const ada = await newUser(browser, server, { token });
  await ada.open(`w/${lead.id}/memories?write=1`);
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByLabel("Content").fill("fine");
  await dialog.getByLabel("Namespace").fill("n".repeat(51));
  await ada.press("Control+Enter");
  const fault = dialog.locator(".field", { hasText: "Namespace" }).getByRole("alert");
  await fault.waitFor();
  assert.match(await fault.innerText(), /50/);
  assert.equal(await dialog.getByLabel("Content").inputValue(), "fine");
  await ada.close();
});

test("page keeps its data while the server is down, and recovers", async () => {
  const ada = await newUser(browser, server, { token });
  await ada.open(`w/${lead.id}/memories`);
  await ada.waitForText("deploys happen on tuesdays", ".memory");
  await server.kill();
  await ada.page.getByRole("link", { name: "State", exact: true }).click();
  await ada.waitForText("The server does not respond");
  await ada.waitForText("Dev Lead", "h1");
  await server.restart();
  await ada.waitForText("Dev Lead has no working state yet");
  await ada.close();
});
