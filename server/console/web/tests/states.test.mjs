// What is shown when there is nothing, too little, or no server: provoked by real means.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, visitor } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

let browser;
let server;
let token;
let lead;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
  token = await server.adminToken();
  const root = await server.ask("POST", "/workspaces", { name: "Acme" });
  lead = await server.ask("POST", "/workspaces", { name: "Dev Lead", parent_id: root.id, role: "leads" });
});
after(async () => {
  await browser.close();
  await server.stop();
});

test("nothing yet says what would be here and how it gets here", async () => {
  const ada = await visitor(browser, server, { token });
  const said = {
    memories: "Dev Lead can read no memories yet",
    state: "Dev Lead has no working state yet",
    timeline: "No activity at Dev Lead yet",
  };
  for (const [tab, sentence] of Object.entries(said)) {
    await ada.open(`w/${lead.id}/${tab}`);
    await ada.sees(sentence);
    await ada.picture(`empty-${tab}`);
  }
  await ada.leave();
});

test("nothing matches offers to take each filter away", async () => {
  await server.ask("POST", `/workspaces/${lead.id}/memories`, { content: "deploys happen on tuesdays", scope: "TEAM" });
  const ada = await visitor(browser, server, { token });
  await ada.open(`w/${lead.id}/memories?scope=LOCAL&kind=fact`);
  await ada.sees("Nothing matches");
  await ada.page.getByRole("button", { name: "Without LOCAL" }).click();
  await ada.sees("deploys happen on tuesdays", ".memory");
  await ada.page.getByRole("button", { name: /kind fact/ }).press("Delete");
  await ada.page.waitForFunction(() => !location.search.includes("kind"));
  await ada.leave();
});

test("a field that the server refuses says so at the field", async () => {
  const ada = await visitor(browser, server, { token });
  await ada.open(`w/${lead.id}/memories?write=1`);
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByLabel("Content").fill("fine");
  await dialog.getByLabel("Namespace").fill("n".repeat(51));
  await ada.press("Control+Enter");
  const fault = dialog.locator(".field", { hasText: "Namespace" }).getByRole("alert");
  await fault.waitFor();
  assert.match(await fault.innerText(), /50/);
  assert.equal(await dialog.getByLabel("Content").inputValue(), "fine");
  await ada.leave();
});

test("while the server is away the page says so and keeps what it knew; when it is back it goes on", async () => {
  const ada = await visitor(browser, server, { token });
  await ada.open(`w/${lead.id}/memories`);
  await ada.sees("deploys happen on tuesdays", ".memory");
  await server.halt();
  await ada.page.getByRole("link", { name: "State", exact: true }).click();
  await ada.sees("The server does not respond");
  await ada.sees("Dev Lead", "h1");
  await server.restart();
  await ada.sees("Dev Lead has no working state yet");
  await ada.leave();
});
