// Skills: from a candidate with its evidence to a package in use, its next version, and its withdrawal.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
let agents;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  const token = async (workspace) => [workspace, await demo.token(workspace, "agent")];
  agents = Object.fromEntries(await Promise.all([DEMO.fleetApi, DEMO.telemetryIngest].map(token)));
});
after(async () => {
  await browser.close();
  await demo.stop();
});

const TEXT = "# Roll back\n\nUse it when a deploy of the fleet fails.\n\n1. Freeze the quarantine queue.";

/** Commits a procedure of the fleet API. */
async function procedure(title, content = TEXT) {
  const memory = { title, content, kind: "procedure", scope: "TEAM" };
  return (await demo.request("POST", `/workspaces/${DEMO.fleetApi}/memories`, memory, agents[DEMO.fleetApi])).id;
}

/** Runs of a workspace that read the procedure, two to a session. */
async function used(memory, count, status = "completed", workspace = DEMO.telemetryIngest) {
  const runs = `/workspaces/${workspace}/runs`;
  for (let number = 0; number < count; number += 1) {
    const session_id = `session-${Math.floor(number / 2)}`;
    const { run_id: id } = await demo.request("POST", runs, { session_id }, agents[workspace]);
    const headers = { Authorization: `Bearer ${agents[workspace]}`, "X-Run-Id": id };
    const read = await fetch(`${demo.url}/workspaces/${workspace}/memories/${memory}`, { headers });
    assert.equal(read.status, 200);
    await demo.request("POST", `${runs}/${id}/finish`, { status }, agents[workspace]);
  }
}

/** Waits until these uses count: the audit row of a read, which makes it one, is written soon after the read. */
async function counted(memory, uses) {
  const path = `/workspaces/${DEMO.fleetApi}/memories/${memory}/evidence`;
  for (;;) if ((await demo.request("GET", path)).uses === uses) return;
}

const drawerOf = (someone) => someone.page.getByRole("complementary", { name: "Skill" });

test("candidate becomes a skill that is approved after a look at its package", async () => {
  const memory = await procedure("Roll back the fleet");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/skills`);
  await ada.waitForText("can use no skill yet");
  await ada.page.getByRole("button", { name: "Candidates" }).click();
  await ada.waitForText("is a candidate");
  await used(memory, 8);
  await used(memory, 1, "failed");
  await counted(memory, 9);
  await ada.open(`w/${DEMO.fleetApi}/skills?status=candidate`);
  const row = ada.page.getByRole("row", { name: /roll-back-the-fleet/ });
  await row.getByText("8 of 9 worked, 4 sessions").waitFor();
  await row.getByRole("link").click();
  const drawer = drawerOf(ada);
  const chart = drawer.getByRole("img", { name: /The last 9 uses, 8 of them successes/ });
  await chart.waitFor();
  assert.deepEqual([await chart.locator(".success").count(), await chart.locator(".failure").count()], [8, 1]);
  await drawer.getByText("8 worked, 1 failed").waitFor();
  await drawer.getByText("It passes the rule for candidates.").waitFor();
  await ada.screenshot("skills-candidate");

  await drawer.getByRole("button", { name: "Draft a skill" }).click();
  const draft = ada.page.getByRole("dialog", { name: "Draft a skill" });
  assert.equal(await draft.getByLabel("Name").inputValue(), "roll-back-the-fleet");
  await draft.getByLabel("Name").fill("Roll Back");
  await draft.getByRole("button", { name: "Draft a skill" }).click();
  await draft.getByText("Nothing was changed.").waitFor();
  await draft.getByLabel("Name").fill("roll-back");
  await draft.getByLabel("What it does").fill("Rolls back a deploy of the fleet.");
  await draft.getByRole("button", { name: "Draft a skill" }).click();
  await ada.waitForText("Version 1 of roll-back is drafted.", ".toasts");
  await drawer.getByText("1. Freeze the quarantine queue.").waitFor();
  assert.deepEqual(await drawer.locator("figcaption").allTextContents(), ["SKILL.md", "provenance.json"]);

  await drawer.getByRole("button", { name: "Approve version 1" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Approve roll-back" });
  await dialog.getByText(/description: .*Rolls back a deploy of the fleet\./).waitFor();
  await ada.waitForFocus("Cancel");
  await ada.screenshot("skills-approve");
  await dialog.getByRole("button", { name: "Approve version 1" }).click();
  await ada.waitForText("Version 1 of roll-back is in use.", ".toasts");
  await drawer.getByText("In use", { exact: true }).waitFor();
  await drawer.getByRole("button", { name: "Approve version 1" }).waitFor({ state: "detached" });
  await drawer.getByText("Telemetry Ingest").waitFor();
  await drawer.locator(".skill-users").getByText("9 uses").waitFor();
  await ada.screenshot("skills-in-use");

  // its team can use it, and follows the link to approve
  const usable = await demo.request("GET", `/workspaces/${DEMO.telemetryIngest}/skills`, undefined, agents[DEMO.telemetryIngest]);
  assert.deepEqual(usable.map(({ name, version }) => [name, version]), [["roll-back", 1]]);
  await ada.open(`w/${DEMO.telemetryIngest}/skills?skill=roll-back`);
  await drawer.getByRole("link", { name: /^Fleet API/ }).click();
  await ada.page.waitForURL(`**/w/${DEMO.fleetApi}/skills?skill=roll-back`);
  await drawer.getByRole("button", { name: "Withdraw" }).waitFor();
  await ada.close();
});

test("next version shows its changes, and a later change elsewhere is announced", async () => {
  const memory = await procedure("Rotate the keys");
  const skills = `/workspaces/${DEMO.fleetApi}/skills`;
  await demo.request("POST", skills, { memory_ids: [memory], name: "rotate-keys" }, agents[DEMO.fleetApi]);
  await demo.request("POST", `${skills}/rotate-keys/approve`, {});
  const change = { content: `${TEXT}\n2. Thaw it again.` };
  await demo.request("PATCH", `/workspaces/${DEMO.fleetApi}/memories/${memory}`, change, agents[DEMO.fleetApi]);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/skills?status=draft`);
  await ada.page.locator(".live.on").waitFor();
  await ada.page.getByRole("row", { name: /rotate-keys/ }).getByText("Version 2 waits for approval").waitFor();
  await ada.page.getByRole("link", { name: "rotate-keys" }).click();
  const drawer = drawerOf(ada);
  const changes = drawer.getByLabel("Changes from version 1 to 2");
  await changes.locator(".line.added", { hasText: "2. Thaw it again." }).waitFor();
  await ada.screenshot("skills-changes");

  await demo.request("POST", `${skills}/rotate-keys/approve`, {});
  await drawer.getByRole("button", { name: /Changed/ }).first().click();
  await changes.waitFor({ state: "detached" });
  await drawer.getByText("version 2", { exact: true }).first().waitFor();
  assert.equal(await drawer.locator(".skill-versions li").count(), 2);
  await ada.close();
});

test("skill is withdrawn by keyboard, and a removed source leaves only the cause", async () => {
  const skills = `/workspaces/${DEMO.fleetApi}/skills`;
  const agent = agents[DEMO.fleetApi];
  const [first, second] = [await procedure("Warm the cache"), await procedure("Cool the cache")];
  for (const [memory, name] of [[first, "warm-cache"], [second, "cool-cache"]]) {
    await demo.request("POST", skills, { memory_ids: [memory], name }, agent);
    await demo.request("POST", `${skills}/${name}/approve`, {});
  }
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.getByRole("link", { name: "Skills", exact: true }).press("Enter");
  await ada.page.getByRole("link", { name: "cool-cache" }).waitFor();
  await ada.press("j", "Enter");
  const drawer = drawerOf(ada);
  await drawer.getByRole("heading", { name: "cool-cache" }).waitFor();
  await drawer.getByRole("button", { name: "Withdraw" }).press("Enter");
  await ada.page.getByRole("dialog", { name: "Withdraw cool-cache" }).waitFor();
  await ada.waitForFocus("Cancel");
  await ada.press("Tab", "Enter");
  await ada.waitForText("cool-cache is withdrawn.", ".toasts");
  await drawer.getByText("By an operator").waitFor();
  await ada.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await ada.page.getByRole("link", { name: "cool-cache" }).waitFor({ state: "detached" });

  await demo.request("POST", `/workspaces/${DEMO.fleetApi}/memories/${first}/redact`, { reason: "it named a person" });
  await ada.open(`w/${DEMO.fleetApi}/skills?status=withdrawn`);
  await ada.page.getByRole("row", { name: /cool-cache .*By an operator/ }).waitFor();
  const removed = ada.page.getByRole("row", { name: /withdrawn-.*A source was removed/ });
  await removed.waitFor();
  assert.equal(await removed.getByRole("link").count(), 0);
  assert.doesNotMatch(await ada.page.content(), /warm-cache/);
  await ada.close();
});

test("viewer reads evidence and packages but cannot draft or approve", async () => {
  const memory = await procedure("Weigh the fleet");
  await demo.request("POST", `/workspaces/${DEMO.fleetApi}/skills`, { memory_ids: [memory], name: "weigh-fleet" }, agents[DEMO.fleetApi]);
  const ben = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ben.open(`w/${DEMO.fleetApi}/skills?status=draft&skill=weigh-fleet`);
  const drawer = drawerOf(ben);
  await drawer.getByText("No run that read it has ended yet.").waitFor();
  await drawer.locator("figcaption").first().waitFor();
  await ben.open(`w/${DEMO.fleetApi}/skills?candidate=${memory}`);
  await drawer.getByText("Missing for a candidate:").waitFor();
  assert.equal(await ben.page.getByRole("button", { name: /Draft a skill|Approve|^Withdraw$/ }).count(), 0);
  await ben.open(`w/${DEMO.fleetApi}/skills?skill=no-such-skill`);
  await drawer.getByRole("alert").waitFor();
  await ben.close();
});
