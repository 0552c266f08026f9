// Reads: those of agents and of people are apart, a query is one search, and watching records nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
let agent;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  agent = await demo.token(DEMO.fleetApi, "agent");
});
after(async () => {
  await browser.close();
  await demo.stop();
});

const at = (rest) => `/workspaces/${DEMO.fleetApi}${rest}`;

/** The rows of viewers and operators in the org, newest first. */
async function rowsOfPeople() {
  const rows = await demo.request("GET", `/workspaces/${DEMO.root}/access-log?subtree=true&callers=people&limit=500`);
  // the admin is this test
  return rows.filter(({ role }) => role !== "admin");
}

test("typing a query is one audited search", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  const { clock } = ada.page;
  await clock.install();
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.waitUntilLoaded();
  const before = await rowsOfPeople();
  const search = ada.page.getByRole("searchbox", { name: "Search" });
  // the page's clock, because a busy machine pauses between keys
  await clock.pauseAt(Date.now() + 1_000);
  for (const key of "docks and robots") {
    await search.pressSequentially(key);
    await clock.runFor(180);
  }
  await clock.resume();
  await ada.page.waitForFunction(() => location.search.includes("q=docks+and+robots"));
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.waitUntilLoaded();
  const typed = (await rowsOfPeople()).slice(0, -before.length);
  assert.deepEqual(typed.map(({ action }) => action), ["search_memories"]);

  // Enter does not wait
  await search.fill("charger");
  await search.press("Enter");
  await ada.page.waitForFunction(() => location.search.includes("q=charger"));
  await ada.waitUntilLoaded();
  const entered = (await rowsOfPeople()).slice(0, -before.length);
  assert.deepEqual(entered.map(({ action }) => action), ["search_memories", "search_memories"]);
  await ada.close();
});

test("watching the lists records nothing until the user reloads", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  const changed = ada.page.getByRole("button", { name: "Changed since it was loaded" });
  let version = 0;
  const happens = async () => {
    version += 1;
    const { id } = await demo.request("POST", at("/memories"), { content: `dock ${version} is free`, scope: "TEAM" }, agent);
    await demo.request("PATCH", at(`/memories/${id}`), { content: `dock ${version} is taken` }, agent);
    await demo.request("POST", at("/memory"), { key: "dock", value: version }, agent);
    await demo.request("POST", at("/activity"), { activity_type: "agent_log" }, agent);
  };
  const watches = async (view, notice) => {
    await ada.open(`w/${DEMO.fleetApi}/${view}`);
    await ada.page.locator(".live.on").waitFor();
    const before = await rowsOfPeople();
    await happens();
    await notice.waitFor();
    assert.equal((await rowsOfPeople()).length, before.length, view);
    await ada.screenshot(`reads-outdated-${view.split("?")[0]}`);
    await ada.press(".");
    await notice.waitFor({ state: "detached" });
    await ada.waitUntilLoaded();
    assert.ok((await rowsOfPeople()).length > before.length, view);
  };
  await watches("memories", ada.page.getByRole("button", { name: "1 new" }));
  await ada.waitForText("dock 1 is taken", ".memory");
  // the event cannot say whether the new memory matches
  await watches("memories?q=dock", ada.page.getByRole("button", { name: "New memories" }));
  await watches("timeline", changed);
  await watches("state", changed);
  await ada.close();
});

test("own change of a key is not announced as a change", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/state?key=feature.mission_preview`);
  await ada.page.locator(".live.on").waitFor();
  await ada.page.locator(".drawer textarea").fill("{}");
  await ada.page.locator(".drawer").getByRole("button", { name: "Save" }).click();
  await ada.page.locator(".toasts").getByText(/saved/i).waitFor();
  // a reload after the save could already contain the later change
  await ada.waitUntilLoaded();
  // a later event follows the one of the own change
  await demo.request("POST", at("/memory"), { key: "another", value: 1 }, agent);
  await ada.page.locator(".list .arrivals").waitFor();
  assert.equal(await ada.page.locator(".drawer .arrivals").count(), 0);
  await ada.close();
});

test("reads by agents and by people are listed apart", async () => {
  const found = await demo.search(DEMO.telemetryIngest, "thundering herd");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.telemetryIngest}/memories?q=batch`);
  await ada.page.locator(".memory").first().waitFor();
  await ada.open(`w/${DEMO.telemetryIngest}/timeline?kind=reads`);
  const callers = ada.page.locator(".reads .label");
  await callers.first().waitFor();
  const roles = async () => {
    await ada.waitUntilLoaded();
    return new Set((await callers.allInnerTexts()).map((name) => (/viewer|operator|admin/.test(name) ? "person" : "agent")));
  };
  assert.deepEqual(await roles(), new Set(["agent"]));
  await ada.screenshot("reads-by-agents");
  await ada.page.getByRole("button", { name: "By people" }).click();
  await ada.page.waitForFunction(() => location.search.includes("by=people"));
  await ada.waitUntilLoaded();
  await callers.first().waitFor();
  assert.deepEqual(await roles(), new Set(["person"]));
  await ada.screenshot("reads-by-people");

  // the audit log, and the drawer of a memory
  await ada.open(`w/${DEMO.telemetryIngest}/access?action=search_memories&callers=people`);
  await ada.page.locator(".accesses-table tbody tr").first().waitFor();
  const rows = await ada.page.locator(".accesses-table tbody .who-did").allInnerTexts();
  assert.ok(rows.length > 0 && rows.every((text) => /viewer|operator|admin/.test(text)), rows.join("\n"));
  await ada.screenshot("reads-log");
  await ada.open(`w/${DEMO.telemetryIngest}/memories?m=${found[0].id}`);
  await ada.page.locator(".drawer summary", { hasText: "Access" }).click();
  await ada.page.locator(".accesses > li").first().waitFor();
  await ada.page.locator(".drawer").getByLabel("Callers").selectOption("agents");
  await ada.page.waitForFunction(() => [...document.querySelectorAll(".accesses > li")].every((li) => li.textContent.includes("agent")));
  await ada.screenshot("reads-drawer");
  await ada.close();
});

test("the redact dialog counts reads by agents and by people apart", async () => {
  const { id } = await demo.request("POST", at("/memories"), { content: "The marble dock has a spare key", scope: "TEAM" }, agent);
  const [reader, viewer] = await Promise.all([demo.token(DEMO.telemetryIngest, "agent"), demo.token(DEMO.telemetryIngest, "viewer")]);
  const readAs = async (token) => demo.request("GET", `/workspaces/${DEMO.telemetryIngest}/memories/${id}`, undefined, token);
  for (const token of [reader, viewer, reader, reader]) await readAs(token);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  const ask = async () => {
    // the drawer of another workspace than the reader's
    await ada.open(`w/${DEMO.backendLead}/memories?m=${id}`);
    await ada.page.getByRole("button", { name: "Redact…" }).click();
    const sentence = ada.page.getByRole("dialog").getByText(/^Read so far by/);
    await sentence.waitFor();
    return sentence.innerText();
  };
  assert.match(await ask(), /Telemetry Ingest \(3 × by agents, 1 × by people\)/);
  await ada.screenshot("reads-redact");
  await readAs(viewer);
  assert.match(await ask(), /Telemetry Ingest \(3 × by agents, 2 × by people\)/);
  await readAs(reader);
  const sentence = await ask();
  assert.match(sentence, /Telemetry Ingest \(4 × by agents, 2 × by people\)/);
  assert.match(sentence, /Backend Lead \(\d+ × by people\)/);
  await ada.close();
});
