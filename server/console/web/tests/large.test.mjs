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

/** The number of rows of the tree, drawn or not. */
const rowCount = (ada) =>
  ada.page.evaluate(() => {
    const tree = document.querySelector("[role=tree]");
    return Math.round(parseFloat(tree.firstElementChild.style.height) / tree.querySelector("[role=treeitem]").offsetHeight);
  });

const elements = (ada) => ada.page.evaluate(() => document.querySelectorAll("*").length);

/** Waits until the row of a workspace is within the visible part of the tree. */
const waitUntilVisible = (ada, id) =>
  ada.page.waitForFunction((id) => {
    const row = document.getElementById(`tree-${id}`)?.getBoundingClientRect();
    const tree = document.querySelector("[role=tree]")?.getBoundingClientRect();
    return row && tree && row.top >= tree.top && row.bottom <= tree.bottom + 1;
  }, id);

test("opening all branches draws a window, loads what is in view, and keeps its rows through a change", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  const requests = [];
  ada.page.on("request", (request) => requests.push(request.url()));
  await ada.open(`w/${org}/connect`);
  await ada.page.getByRole("treeitem", { name: /^Lead 0/ }).first().waitFor();
  await ada.page.getByRole("tree").focus();
  await ada.press("Home", "ArrowDown");
  const before = requests.length;
  await ada.press("*");
  const stats = await server.request("GET", "/admin/stats");
  await ada.page.waitForFunction((count) => document.querySelector("[role=tree]").firstElementChild.offsetHeight > count * 20, stats.workspaces);
  assert.equal(await rowCount(ada), stats.workspaces);
  await ada.page.getByRole("treeitem", { name: /^Member 0\.1\b(?!\d)/ }).waitFor();
  assert.ok(requests.length - before < 20, `${requests.length - before} requests`);
  await ada.press("End");
  const last = ada.page.locator("[role=treeitem]", { hasText: /^Member \d+\.98/ }).last();
  await last.waitFor();
  assert.ok((await elements(ada)) < 1_500);
  // a change elsewhere
  const { id } = await server.request("POST", "/workspaces", { name: "Zz newcomer", parent_id: org });
  await ada.page.waitForFunction((count) => Math.round(parseFloat(document.querySelector("[role=tree]").firstElementChild.style.height) / 28) === count, stats.workspaces + 1);
  await server.request("DELETE", `/workspaces/${id}`);
  await ada.page.waitForFunction((count) => Math.round(parseFloat(document.querySelector("[role=tree]").firstElementChild.style.height) / 28) === count, stats.workspaces);
  assert.ok((await elements(ada)) < 1_500);
  await ada.close();
});

test("the tree scrolls to the selected workspace, and its count is live", async () => {
  const [wanted] = await server.request("GET", `/workspaces?root=${org}&q=${encodeURIComponent(`Member ${leads - 1}.98`)}`);
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open(`w/${wanted.id}/connect`);
  await waitUntilVisible(ada, wanted.id);
  await ada.page.locator(".live.on").waitFor();
  const row = ada.page.locator(`#tree-${wanted.id}`);
  assert.match(await row.textContent(), /, 0 memories/);
  for (const content of ["one", "two"]) await server.request("POST", `/workspaces/${wanted.id}/memories`, { content, scope: "LOCAL" });
  await row.filter({ hasText: ", 2 memories" }).waitFor();
  const memory = (await server.request("GET", `/workspaces/${wanted.id}/memories`))[0].id;
  await server.request("DELETE", `/workspaces/${wanted.id}/memories/${memory}`, undefined, await server.token(wanted.id, "agent"));
  await row.filter({ hasText: ", 1 memory" }).waitFor();
  await ada.close();
});

test("the reach of the root is paged, in the view and in the lens", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  const sizes = [];
  const measure = (response) => {
    // one that the page cancelled has no body
    if (/\/reach/.test(response.url()) && response.request().resourceType() === "fetch") sizes.push(response.body().then((body) => body.length, () => 0));
  };
  ada.page.on("response", measure);
  const { workspaces } = await server.request("GET", "/admin/stats");
  await ada.open(`w/${org}/reach?lens=read_by`);
  const all = ada.page.locator(".reach section", { hasText: "Can read" }).last();
  await all.getByText(`1 to 20 of`).last().waitFor();
  await ada.waitForText(`${workspaces - 1} workspaces`);
  await ada.page.getByRole("button", { name: "Next" }).last().click();
  await all.getByText(`21 to 40 of`).waitFor();
  await ada.page.locator("[role=treeitem] .sign.global").first().waitFor();
  await ada.waitUntilLoaded();
  ada.page.off("response", measure);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  assert.ok(bytes > 0 && bytes < 300_000, `${bytes} bytes`);
  // twenty rows of each relation in both directions, and a window of the tree
  assert.ok((await elements(ada)) < 2_000, `${await elements(ada)} elements`);
  await ada.open(`w/${org}/memories?write=1`);
  await ada.waitForText(`${workspaces - 1}`, "dialog");
  await ada.close();
});

test("a long list renders a window of its rows", async () => {
  const { id } = await server.request("POST", "/workspaces", { name: "Many keys" });
  for (let first = 0; first < 1_400; first += 100) {
    const put = (number) => server.request("POST", `/workspaces/${id}/memory`, { key: `key-${String(number).padStart(5, "0")}`, value: number });
    await Promise.all(Array.from({ length: 100 }, (_, index) => put(first + index)));
  }
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open(`w/${id}/state`);
  const rows = ada.page.locator("[data-row]");
  for (let page = 2; page <= 7; page += 1) {
    await ada.page.getByRole("button", { name: "Show more" }).click();
    await ada.page.locator(`[data-row="key-${String(page * 200 - 1).padStart(5, "0")}"]`).waitFor();
    assert.ok((await rows.count()) <= 600);
  }
  await ada.page.getByRole("button", { name: "Show earlier rows" }).click();
  await ada.page.locator('[data-row="key-00600"]').waitFor();
  assert.ok((await rows.count()) <= 600);
  await ada.close();
});

test("all results of the filter are counted, beyond the window of a list", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open(`w/${org}/connect`);
  await ada.page.getByRole("textbox", { name: "Filter by name" }).fill("Member");
  for (const count of [200, 400, 600, 800, 1_000]) {
    await ada.page.getByRole("status").getByText(`The first ${count} found`).waitFor();
    await ada.page.getByRole("button", { name: "Show more" }).click();
  }
  await ada.page.getByRole("tree").focus();
  await ada.press("Home", "ArrowDown", "ArrowDown");
  await ada.page.getByRole("treeitem", { name: /^Member 0\.0/ }).waitFor();
  assert.ok((await elements(ada)) < 1_500);
  await ada.close();
});

test("the drawer of a run leads back to its first pending memories", async () => {
  const { id } = await server.request("POST", "/workspaces", { name: "Many drafts" });
  const { run_id: run } = await server.request("POST", `/workspaces/${id}/runs`, { label: "Bulk" });
  for (const [first, count] of [[0, 500], [500, 200]]) {
    const memories = Array.from({ length: count }, (_, index) => ({ content: `Draft ${first + index}`, scope: "LOCAL", run_id: run }));
    await server.request("POST", `/workspaces/${id}/memories/batch`, { memories });
  }
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open(`w/${id}/runs?run=${run}`);
  const pending = ada.page.getByRole("region", { name: "700 memories pending" });
  const rows = pending.getByRole("listitem");
  const earliest = await rows.first().locator("del").textContent();
  for (let page = 2; page <= 7; page += 1) {
    await pending.getByRole("button", { name: "Show more" }).click();
    await ada.page.waitForFunction((count) => document.querySelectorAll(".pending li").length === count, Math.min(page * 100, 600));
  }
  // the last page changes the rows and not their number
  await pending.getByText(earliest, { exact: true }).waitFor({ state: "detached" });
  assert.equal(await rows.count(), 600);
  await pending.getByRole("button", { name: "Show earlier rows" }).click();
  await pending.getByText(earliest, { exact: true }).waitFor();
  assert.equal(await rows.count(), 600);
  await ada.close();
});
