// The start page of an admin: figures by day, what needs attention, recent places.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
before(async () => {
  // a run times out as soon as it is looked at
  const settings = { ORGMEM_RUNS_TIMEOUT_SECONDS: "1" };
  [browser, demo] = await Promise.all([startBrowser(), startDemo({ settings })]);
});
after(async () => {
  await browser.close();
  await demo.stop();
});

test("home shows commits, writes and reads by day, reads by agents and people apart, each with a link", async () => {
  const { id } = await demo.request("POST", "/workspaces", { name: "Figures" });
  const agent = await demo.token(id, "agent");
  for (const content of ["one", "two"]) await demo.request("POST", `/workspaces/${id}/memories`, { content, scope: "LOCAL" }, agent);
  for (const q of ["one", "two", "three"]) await demo.request("GET", `/workspaces/${id}/memories?q=${q}`, undefined, agent);
  await demo.request("GET", `/workspaces/${id}/memories?q=one`);
  // the log includes the reads before this one
  await demo.request("GET", `/workspaces/${id}/access-log`);
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open();
  const row = ada.page.getByRole("row", { name: /Figures/ });
  await row.getByRole("img", { name: "2 memories committed in 30 days, by day" }).waitFor();
  await row.getByRole("img", { name: "3 reads by agents and 1 by people in 30 days, by day" }).waitFor();
  assert.match(await row.innerText(), /agents 3, people 1/);
  assert.equal(await row.locator("rect").count() > 2, true);
  await row.getByRole("link", { name: /2 memories committed/ }).click();
  await ada.page.waitForURL(new RegExp(`w/${id}/access\\?action=commit_memory`));
  await ada.close();
});

test("home names what needs attention, and is quiet otherwise", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open();
  await ada.waitForText("Nothing needs attention.");
  const { times_out_at: end } = await demo.request("POST", `/workspaces/${DEMO.fleetApi}/runs`, { label: "Slow" });
  assert.ok(end, "the run has a timeout");
  const attention = ada.page.getByRole("region", { name: "Needs attention" });
  await ada.page.waitForFunction((end) => Date.now() > Date.parse(end), end);
  await ada.page.reload();
  await attention.getByText("1 run of `Brindlemoor Robotics` timed out in the last 24 hours").waitFor();
  await attention.getByRole("link", { name: "Show" }).click();
  await ada.page.waitForURL(new RegExp(`w/${DEMO.root}/access`));
  await ada.close();
});

test("home lists the workspaces that were visited last, until the user signs out", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  for (const [id, name] of [[DEMO.fleetApi, "Fleet API"], [DEMO.engineering, "Engineering"], [DEMO.fleetApi, "Fleet API"]]) {
    await ada.open(`w/${id}/connect`);
    await ada.page.getByRole("heading", { level: 1, name }).waitFor();
  }
  await ada.open();
  const recent = ada.page.getByRole("region", { name: "Recent places" });
  assert.deepEqual(await recent.getByRole("link").allInnerTexts(), ["Fleet API", "Engineering"]);
  await ada.page.locator(".who").click();
  await ada.page.getByRole("button", { name: "Sign out" }).click();
  await ada.page.getByLabel("Token").waitFor();
  assert.equal(await ada.page.evaluate(() => localStorage.getItem("orgmem.console.recent")), "[]");
  await ada.close();
});

test("home renders a window of many orgs", async () => {
  const create = (number) => demo.request("POST", "/workspaces", { name: `Pier ${String(number).padStart(3, "0")}` });
  await Promise.all(Array.from({ length: 120 }, (_, number) => create(number)));
  const { orgs } = await demo.request("GET", "/admin/tree");
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open();
  const table = ada.page.getByRole("region", { name: "Orgs" });
  const row = (org) => table.getByRole("row", { name: new RegExp(`^${org.name}\\b`) });
  await row(orgs[0]).waitFor();
  assert.equal(await row(orgs.at(-1)).count(), 0);
  const more = table.getByRole("button", { name: "Show more" });
  while ((await more.count()) > 0) {
    await more.click();
    assert.ok((await ada.page.locator("svg.spark").count()) <= 3 * 40);
  }
  await row(orgs.at(-1)).waitFor();
  assert.equal(await row(orgs[0]).count(), 0);
  const earlier = table.getByRole("button", { name: "Show earlier rows" });
  while ((await earlier.count()) > 0) await earlier.click();
  await row(orgs[0]).waitFor();
  await ada.waitForAnyFocus();
  await ada.screenshot("home-many-orgs");
  await ada.close();
});
