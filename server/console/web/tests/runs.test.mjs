// Runs: pending memories appear only in their run, and are committed or dropped with it.

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

const runs = `/workspaces/${DEMO.fleetApi}/runs`;
const memories = `/workspaces/${DEMO.fleetApi}/memories`;

/** Starts a run of the agent with these pending memories. */
async function started(label, ...contents) {
  const { run_id: id } = await demo.request("POST", runs, { label }, agent);
  for (const content of contents) await demo.request("POST", memories, { content, scope: "TEAM", run_id: id }, agent);
  return id;
}

test("pending memories of a failed run disappear and never appear in a list", async () => {
  const id = await started("Dock survey", "The zinc dock leans to the left", "The zinc dock was built on sand");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  const isNowhere = async () => {
    await ada.open(`w/${DEMO.fleetApi}/memories?q=zinc+dock`);
    assert.equal(await ada.page.locator(".memory", { hasText: "zinc" }).count(), 0);
    await ada.open(`w/${DEMO.fleetApi}/timeline?q=zinc`);
    await ada.waitForText("Nothing matches");
  };
  await isNowhere();
  await ada.open(`w/${DEMO.fleetApi}/runs`);
  await ada.page.locator(".live.on").waitFor();
  await ada.page.getByRole("link", { name: "Dock survey" }).click();
  const drawer = ada.page.getByRole("complementary", { name: "Run" });
  await drawer.getByText("Not readable yet").waitFor();
  assert.equal(await drawer.locator("del").count(), 2);
  await drawer.locator("del", { hasText: "leans to the left" }).waitFor();
  // a memory staged in the meantime appears by itself
  await demo.request("POST", memories, { content: "The zinc dock has a crack", scope: "LOCAL", run_id: id }, agent);
  await drawer.locator("del", { hasText: "has a crack" }).waitFor();
  await drawer.getByRole("heading", { name: "3 memories pending" }).waitFor();
  await drawer.getByText(/^in \d+ min \d+ s$/).waitFor();

  await demo.request("POST", `${runs}/${id}/finish`, { status: "failed" }, agent);
  await drawer.getByText("Failed", { exact: true }).waitFor();
  await drawer.getByText("3 dropped").waitFor();
  assert.doesNotMatch(await ada.page.content(), /zinc/);
  await ada.page.getByRole("row", { name: /Dock survey Failed 3 dropped/ }).waitFor();
  await isNowhere();
  await ada.close();
});

test("runs are finished and dropped by keyboard, with the count on the button", async () => {
  await started("To be kept", "The copper gate opens at six");
  await started("To be dropped", "The copper gate opens at seven", "The copper gate has no bell");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.press("6");
  await ada.page.getByRole("link", { name: "To be dropped" }).waitFor();
  await ada.press("j", "Enter");
  const drawer = ada.page.getByRole("complementary", { name: "Run" });
  await drawer.getByRole("button", { name: "Drop 2 memories" }).press("Enter");
  await ada.page.getByRole("dialog", { name: "Drop this run" }).waitFor();
  await ada.waitForFocus("Cancel");
  await ada.press("Tab", "Enter");
  await ada.waitForText("The run is cancelled: 2 memories dropped.", ".toasts");
  await drawer.getByText("Cancelled", { exact: true }).waitFor();
  await ada.press("Escape", "j", "Enter");
  await drawer.getByRole("button", { name: "Finish: commit 1 memory" }).press("Enter");
  await ada.page.getByRole("dialog", { name: "Finish this run" }).waitFor();
  await ada.press("Tab", "Enter");
  await ada.waitForText("The run is completed: 1 memory committed.", ".toasts");
  await drawer.getByRole("link", { name: "Show 1 committed memory" }).press("Enter");
  await ada.page.locator(".memory", { hasText: "The copper gate opens at six" }).waitFor();
  const [found, ...others] = (await demo.search(DEMO.telemetryIngest, "copper gate")).filter(({ content }) => /copper/.test(content));
  assert.match(found.content, /opens at six$/);
  assert.deepEqual(others, []);
  await ada.close();
});

test("viewer cannot finish a run, and a run that cannot be committed stays open", async () => {
  const first = await demo.request("POST", memories, { content: "The tin bridge holds two carts", scope: "LOCAL" }, agent);
  const { run_id: id } = await demo.request("POST", runs, { label: "Bridge check" }, agent);
  const better = { content: "The tin bridge holds three carts", scope: "LOCAL", supersedes: first.id, run_id: id };
  await demo.request("POST", memories, better, agent);
  await demo.request("POST", `${memories}/${first.id}/redact`, { reason: "it was never counted" });
  const path = `w/${DEMO.fleetApi}/runs?status=open&run=${id}`;

  const ben = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ben.open(path);
  await ben.page.locator("del", { hasText: "three carts" }).waitFor();
  assert.equal(await ben.page.getByRole("button", { name: /Finish|Drop/ }).count(), 0);

  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(path);
  await ada.page.getByRole("button", { name: "Finish: commit 1 memory" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Finish this run" });
  await dialog.getByRole("button", { name: "Finish: commit 1 memory" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await ada.page.getByRole("complementary", { name: "Run" }).getByText("Open", { exact: true }).waitFor();
  await Promise.all([ada.close(), ben.close()]);
});
