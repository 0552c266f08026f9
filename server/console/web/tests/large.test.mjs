// A large org. ORGMEM_TEST_WORKSPACES sets its size: 100,000 for the full test; the default is a size that a debug
// build imports in reasonable time.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

const WORKSPACES = Number(process.env.ORGMEM_TEST_WORKSPACES ?? 6_000);
/** Members per lead, and leads per import; each import is one transaction. */
const MEMBERS = 99;
const AT_ONCE = 20;

let browser;
let server;
const org = randomUUID();
const leads = Math.ceil(WORKSPACES / (MEMBERS + 1));
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
  const lead = (number) => ({
    name: `Lead ${number}`,
    children: Array.from({ length: MEMBERS }, (_, index) => ({ name: `Member ${number}.${index}` })),
  });
  for (let first = 0; first < leads; first += AT_ONCE) {
    const children = Array.from({ length: Math.min(AT_ONCE, leads - first) }, (_, index) => lead(first + index));
    await server.request("POST", "/orgs/import", { id: org, name: "Longshore", children });
  }
});
after(async () => {
  await browser.close();
  await server.stop();
});

test("one workspace of a large org is found and opened by keyboard", async () => {
  const stats = await server.request("GET", "/admin/stats");
  assert.ok(stats.workspaces >= WORKSPACES, `${stats.workspaces} workspaces`);
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open();
  await ada.page.getByRole("treeitem", { name: /^Longshore/ }).waitFor();
  await ada.press("g", "t");
  await ada.waitForFocus("Filter by name");
  const wanted = `Member ${leads - 1}.42`;
  await ada.page.keyboard.type(wanted);
  const row = ada.page.getByRole("treeitem", { name: new RegExp(`^${wanted}`) });
  await row.waitFor();
  await ada.press("Tab", "Tab");
  while ((await ada.focused()) !== "Workspaces") await ada.press("Tab");
  await ada.press("End", "Enter");
  await ada.page.getByRole("heading", { level: 1, name: wanted }).waitFor();
  await ada.press("4");
  await ada.waitForText(`${wanted} can read`);
  await ada.page.locator(".reach-rows", { hasText: `Lead ${leads - 1}` }).first().waitFor();
  await ada.waitForAnyFocus();
  const elements = await ada.page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(elements < 1_500, `${elements} elements`);
  await ada.close();
});
