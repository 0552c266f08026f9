// The trace of a run or session: memories recalled, injected and written, and the outcome.

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

const workspace = `/workspaces/${DEMO.fleetApi}`;

/** Sends a request as the agent within a run. */
async function within(run, method, path, body) {
  const headers = { Authorization: `Bearer ${agent}`, "Content-Type": "application/json", "X-Run-Id": run };
  const answer = await fetch(demo.url + workspace + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
}

/** A run that recalls, injects and writes; returns its results. */
async function run(label, session, ...contents) {
  const { run_id: id } = await demo.request("POST", `${workspace}/runs`, { label, session_id: session }, agent);
  const found = await within(id, "GET", "/memories?q=docks&limit=3");
  const injected = await within(id, "POST", "/context", {});
  for (const content of contents) {
    await within(id, "POST", "/memories", { content, scope: "TEAM", session_id: session });
  }
  return { id, found, injected: injected.entries };
}

const finish = (id, status) => demo.request("POST", `${workspace}/runs/${id}/finish`, { status }, agent);

/** The counts of the summary by label. */
const sums = (drawer) =>
  drawer.locator(".trace-summary li").evaluateAll((cells) => Object.fromEntries(cells.map((cell) => [cell.lastChild.textContent, cell.firstChild.textContent])));

test("trace of a completed run opens from a row by one key, in order, with an address", async () => {
  const { id, found, injected } = await run("Dock review", "night-7", "The amber dock needs a new latch", "The amber dock is swept on Fridays");
  await finish(id, "completed");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/timeline?q=amber+dock&kind=memory`);
  await ada.page.locator(".hit mark").first().waitFor();
  await ada.press("j", "p");
  const drawer = ada.page.getByRole("complementary", { name: "Trace" });
  await drawer.getByRole("heading", { name: "Dock review" }).waitFor();
  await drawer.getByText("2 memories committed").waitFor();
  await ada.waitUntilLoaded();
  assert.deepEqual(await sums(drawer), {
    recalled: String(found.length),
    "injected": String(injected.length),
    written: "2",
    committed: "2",
  });
  const texts = await drawer.locator(".step-text > p").allInnerTexts();
  const expected = [/^Started by /, /^Searched: 3 memories returned [0-9a-f]{8}/, /injected into a prompt/, /^2 memories written, staged until/, /^Completed: 2 memories committed$/];
  assert.equal(texts.length, expected.length, texts.join("\n"));
  expected.forEach((pattern, place) => assert.match(texts[place], pattern));
  // returned memories are links in rank order
  const first = drawer.locator(".recalled .ranked a");
  const ids = await first.evaluateAll((links) => links.map((link) => new URL(link.href).searchParams.get("m")));
  assert.deepEqual(ids, found.map((memory) => memory.id));
  await drawer.locator(".staged .ranked a", { hasText: "swept on Fridays" }).waitFor();
  await ada.screenshot("trace-run");

  await ada.page.reload();
  await drawer.getByText("2 memories committed").waitFor();
  await first.first().click();
  await ada.page.locator(".drawer .content").waitFor();
  await ada.page.goBack();
  await drawer.getByText("2 memories committed").waitFor();
  await ada.page.locator(".hit").first().waitFor();
  await ada.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await ada.waitForAnyFocus();
  assert.doesNotMatch(ada.page.url(), /run=/);
  await ada.close();
});

test("trace of an open run updates when the run is dropped", async () => {
  const { id } = await run("Gate survey", undefined, "The violet gate sticks when it rains");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  // from the row of a read, with the pointer
  await ada.open(`w/${DEMO.fleetApi}/timeline?kind=reads&read=inject_memories`);
  await ada.page.locator(".live.on").waitFor();
  await ada.page.getByRole("link", { name: `run ${id.slice(-6)}` }).click();
  const drawer = ada.page.getByRole("complementary", { name: "Trace" });
  await drawer.getByText("Open: 1 memory pending, not readable yet").waitFor();
  await drawer.locator(".staged del", { hasText: "violet gate" }).waitFor();
  await ada.screenshot("trace-open");
  await finish(id, "failed");
  await drawer.getByText("Failed: 1 memory dropped, never readable").waitFor();
  await ada.waitUntilLoaded();
  assert.equal((await sums(drawer)).dropped, "1");
  assert.equal(await drawer.locator(".staged a").count(), 0, "dropped memories are not links");
  assert.doesNotMatch(await ada.page.content(), /violet/);
  await ada.screenshot("trace-dropped");
  await drawer.getByRole("button", { name: "Close" }).press("Enter");
  // the focus is back on the row that opened the trace
  const isBack = (run) => document.activeElement.matches(".hit") && document.activeElement.closest("li:has(.trace-links)").innerText.includes(run);
  await ada.page.waitForFunction(isBack, id.slice(-6));
  await ada.close();
});

test("trace of a session contains its runs and the activity between them", async () => {
  const log = (summary) => ({ activity_type: "agent_log", summary, session_id: "shift-3" });
  await demo.request("POST", `${workspace}/activity`, log("Took over from shift 2"), agent);
  const kept = await run("First round", "shift-3", "The teal ramp is steep for two carts");
  await finish(kept.id, "completed");
  const lost = await run("Second round", "shift-3", "The teal ramp is closed");
  await finish(lost.id, "cancelled");
  await demo.request("POST", `${workspace}/memories`, { content: "Shift 3 ended on time", scope: "LOCAL", session_id: "shift-3" }, agent);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/timeline?q=took+over`);
  await ada.page.locator(".hit mark").first().waitFor();
  await ada.press("j", "p");
  const drawer = ada.page.getByRole("complementary", { name: "Trace" });
  await drawer.getByRole("heading", { name: "Session shift-3" }).waitFor();
  await drawer.getByText("1 memory committed").waitFor();
  await drawer.getByText("1 memory dropped").waitFor();
  await ada.waitUntilLoaded();
  assert.deepEqual(await sums(drawer), { runs: "2", pending: "0", committed: "2", dropped: "1" });
  const texts = await drawer.locator(".drawer-body > .trace > .step > .step-text > p").allInnerTexts();
  const expected = [/Took over from shift 2/, /^First round Completed/, /^Second round Cancelled/, /Shift 3 ended on time/];
  assert.equal(texts.length, expected.length, texts.join("\n"));
  expected.forEach((pattern, place) => assert.match(texts[place], pattern));
  await ada.screenshot("trace-session");
  await drawer.getByRole("link", { name: "Second round" }).press("Enter");
  await drawer.getByRole("heading", { name: "Second round" }).waitFor();
  await ada.page.goBack();
  await drawer.getByRole("heading", { name: "Session shift-3" }).waitFor();
  await ada.close();
});

test("trace of an unknown run shows its audit log entries", async () => {
  const id = "7d1f3c52-6a0e-4d8f-9b53-2f4f6f0f9a11";
  await within(id, "GET", "/memories?q=furrow&limit=2");
  await within(id, "POST", "/memories", { content: "The ochre lamp is spare", scope: "LOCAL", run_id: id, ungated: true });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/timeline?run=${id}`);
  const drawer = ada.page.getByRole("complementary", { name: "Trace" });
  await drawer.getByText("No run of this workspace has this id").waitFor();
  await drawer.locator(".written .ranked a", { hasText: "The ochre lamp is spare" }).waitFor();
  await ada.waitUntilLoaded();
  assert.deepEqual(await sums(drawer), { recalled: "2", "injected": "0", written: "1", committed: "1" });
  await ada.close();
});

test("trace of a run of 700 memories has all its steps, and renders a part of them", async () => {
  const { run_id: id } = await demo.request("POST", `${workspace}/runs`, { label: "Long haul" }, agent);
  await within(id, "GET", "/memories?q=docks&limit=3");
  // a search between two writes, so that each write is a step of its own
  for (let number = 0; number < 210; number += 1) {
    await within(id, "POST", "/memories", { content: `Haul step ${number}`, scope: "LOCAL" });
    await within(id, "GET", "/memories?q=haul&limit=1");
  }
  const drafts = Array.from({ length: 490 }, (_, index) => ({ content: `Haul item ${index}`, scope: "LOCAL" }));
  await within(id, "POST", "/memories/batch", { memories: drafts });
  const injected = await within(id, "POST", "/context", {});
  await finish(id, "completed");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/timeline?run=${id}`);
  const drawer = ada.page.getByRole("complementary", { name: "Trace" });
  await drawer.getByText("700 memories committed").waitFor();
  await ada.waitUntilLoaded();
  // the log of the run has more than 900 rows; the newest is the injection
  await drawer.locator(".trace-summary li", { hasText: "written" }).getByText("700", { exact: true }).waitFor();
  const { injected: shown, committed } = await sums(drawer);
  assert.equal(shown, String(injected.entries.length));
  assert.equal(committed, "700");
  await drawer.locator(".step.injected").waitFor();
  const steps = drawer.locator(".trace > .step");
  assert.ok((await steps.count()) <= 202, `${await steps.count()} steps`);
  assert.equal(await drawer.getByText(/^Started by/).count(), 0);
  const earlier = drawer.getByRole("button", { name: "Show earlier rows" });
  while ((await earlier.count()) > 0) await earlier.click();
  await drawer.getByText(/^Started by/).waitFor();
  assert.ok((await steps.count()) <= 202);
  await ada.waitForAnyFocus();
  await drawer.getByRole("button", { name: "Show more" }).click();
  await ada.close();
});
