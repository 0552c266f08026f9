// The user journeys by keyboard only; the focus is never lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo, startServer } from "./support/server.mjs";

let browser;
let demo;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
});
after(async () => {
  await browser.close();
  await demo.stop();
});

const operator = async () => newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });

/** Jumps to a workspace by name. */
async function jump(someone, name) {
  await someone.press("Control+k");
  await someone.page.keyboard.type(name);
  await someone.page.getByRole("option", { name: new RegExp(`^${name}`, "i") }).waitFor();
  await someone.press("Enter");
  await someone.page.getByRole("heading", { level: 1, name: new RegExp(name, "i") }).waitFor();
  await someone.page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Searches the list and moves the focus to the first result. */
async function search(someone, query, hit) {
  await someone.press("/");
  await someone.page.keyboard.type(query);
  await someone.page.locator(".memory", { hasText: hit }).first().locator("mark").first().waitFor();
  await someone.waitUntilLoaded();
  await someone.press("ArrowDown");
}

test("first start: load the demo and create an org", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const ada = await newUser(browser, server);
  await ada.page.goto(server.link);
  await ada.waitForText("No org yet");
  await ada.tabTo("Load the demo");
  await ada.press("Enter");
  await ada.page.getByRole("heading", { level: 1, name: "Brindlemoor Robotics" }).waitFor();
  await ada.page.locator(".memory").first().waitFor();
  await ada.press("g", "h");
  await ada.page.getByRole("heading", { level: 1, name: "Orgs" }).waitFor();
  await ada.tabTo("Create an org");
  await ada.press("Enter");
  await ada.page.getByRole("dialog").waitFor();
  await ada.tabTo("Name");
  await ada.page.keyboard.type("Acme");
  await ada.press("Enter");
  await ada.page.getByRole("heading", { level: 1, name: "Acme" }).waitFor();
  await ada.close();
});

test("wrong fact is found and corrected", async () => {
  const at = `/workspaces/${DEMO.telemetryIngest}/memories`;
  await demo.request("POST", at, { content: "The slate hoist is greased on Fridays", scope: "TEAM" });
  const ada = await operator();
  await ada.open();
  await jump(ada, "Telemetry Ingest");
  await search(ada, "slate hoist", "greased on Fridays");
  await ada.press("Enter");
  await ada.page.locator(".drawer").getByRole("button", { name: "Edit" }).waitFor();
  await ada.press("e");
  await ada.tabTo("Content");
  await ada.press("Control+a");
  await ada.page.keyboard.type("The slate hoist is greased on Sundays");
  await ada.press("Control+Enter");
  await ada.page.locator(".drawer .content", { hasText: "greased on Sundays" }).waitFor();
  assert.match((await demo.search(DEMO.fleetApi, "slate hoist"))[0].content, /greased on Sundays$/);
  await ada.close();
});

test("leaked secret is redacted", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const { id } = await demo.request("POST", at, { content: "The chalk cellar opens with two knocks", scope: "TEAM" });
  const ada = await operator();
  await ada.open();
  await jump(ada, "Fleet API");
  await search(ada, "chalk cellar", "two knocks");
  await ada.press("Enter");
  await ada.page.locator(".drawer").getByRole("button", { name: "Redact…" }).waitFor();
  await ada.press("r");
  await ada.page.getByRole("dialog", { name: "Redact 1 memory" }).waitFor();
  await ada.waitForFocus("Cancel");
  await ada.tabTo("Reason", "Shift+Tab");
  await ada.page.keyboard.type("it opens a door");
  await ada.tabTo("Redact 1 memory");
  await ada.press("Enter");
  await ada.waitForText(/It was redacted by .*: it opens a door\./, ".drawer");
  await ada.waitForAnyFocus();
  await ada.press("7");
  await ada.tabTo("Verify now");
  await ada.press("Enter");
  await ada.waitForText(/^Intact/, ".chain");
  assert.ok((await demo.search(DEMO.telemetryIngest, "chalk cellar")).every((each) => each.id !== id));
  await ada.close();
});

test("shortcut pressed as soon as its button appears is handled", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  await demo.request("POST", at, { content: "The flint lantern is lit from the left", scope: "TEAM" });
  const ada = await operator();
  await ada.open();
  await jump(ada, "Fleet API");
  await search(ada, "flint lantern", "lit from the left");
  await ada.page.evaluate(() => {
    const press = (_, observer) => {
      const buttons = [...document.querySelectorAll(".drawer button")];
      if (!buttons.some((button) => button.textContent === "Redact…")) return;
      observer.disconnect();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "r", bubbles: true }));
    };
    new MutationObserver(press).observe(document.body, { childList: true, subtree: true });
  });
  await ada.press("Enter");
  await ada.page.getByRole("dialog", { name: "Redact 1 memory" }).waitFor();
  await ada.close();
});

test("explanation is reached from a read in the timeline", async () => {
  await demo.search(DEMO.fleetApi, "mission queue");
  const ada = await operator();
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.press("3");
  await ada.tabTo("Reads");
  await ada.press("Enter");
  await ada.page.locator(".reads summary", { hasText: "agent:Fleet API" }).first().waitFor();
  await ada.press("j", "Enter");
  await ada.tabTo("Something missing? Find out why");
  await ada.press("Enter");
  await ada.page.getByRole("region", { name: /^Why Fleet API recalls/ }).waitFor();
  await ada.tabTo("Memory");
  await ada.page.keyboard.type("thundering herd");
  await ada.press("Enter");
  await ada.tabTo(/thundering herd/);
  await ada.press("Enter");
  await ada.page.locator(".explanation").getByText("Found", { exact: true }).waitFor();
  await ada.close();
});

test("workspace is moved after a preview", async () => {
  const [lead] = await demo.request("GET", "/workspaces?q=Data+Lead");
  const ada = await operator();
  await ada.open();
  await jump(ada, "Data Lead");
  await ada.tabTo("Actions");
  await ada.press("Enter");
  await ada.tabTo("Move…");
  await ada.press("Enter");
  const dialog = ada.page.getByRole("dialog", { name: "Move Data Lead" });
  await dialog.waitFor();
  await ada.waitForFocus("Cancel");
  await ada.tabTo("New parent", "Shift+Tab");
  await ada.page.keyboard.type("finance");
  await dialog.getByRole("option", { name: /^Finance/ }).waitFor();
  await ada.press("Enter");
  await dialog.getByRole("status", { name: "Effect of this change" }).waitFor();
  await ada.waitForFocus("New parent");
  await ada.tabTo(/^Move \d+ workspaces?$/);
  await ada.press("Enter");
  await ada.waitForText("Data Lead is now below Finance.", ".toasts");
  await dialog.waitFor({ state: "detached" });
  await ada.waitForFocus("Actions");
  const [finance] = await demo.request("GET", "/workspaces?q=Finance");
  assert.equal((await demo.request("GET", `/workspaces/${lead.id}`)).parent_id, finance.id);
  await ada.close();
});

test("second of two editors of a key merges the conflict", async () => {
  const key = "plan/keys";
  const entries = `/workspaces/${DEMO.fleetApi}/memory`;
  await demo.request("POST", entries, { key, value: { step: 1 } });
  const ada = await operator();
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.press("2");
  await ada.page.locator(".keys").waitFor();
  await ada.press("/");
  await ada.page.keyboard.type("plan/");
  await ada.page.waitForFunction(() => document.querySelectorAll(".keys [data-row]").length === 1);
  await ada.press("ArrowDown", "Enter");
  await ada.page.locator(".drawer textarea").waitFor();
  await ada.tabTo("Value");
  await ada.press("Control+a");
  await ada.page.keyboard.type('{ "step": 3 }');
  await demo.request("POST", entries, { key, value: { step: 2 } });
  await ada.press("Control+Enter");
  await ada.page.getByRole("dialog", { name: "Edit conflict" }).waitFor();
  await ada.tabTo("Result");
  await ada.press("Control+a");
  await ada.page.keyboard.type('{ "step": 4 }');
  await ada.tabTo("Use this result");
  await ada.press("Enter");
  await ada.page.getByRole("dialog").waitFor({ state: "detached" });
  await ada.waitForAnyFocus();
  await ada.tabTo("Save");
  await ada.press("Enter");
  await ada.waitForText("Saved as version 3.", ".toasts");
  assert.deepEqual((await demo.request("GET", `${entries}/${encodeURIComponent(key)}`)).value, { step: 4 });
  await ada.close();
});

test("new memory of a connected client appears on request", async () => {
  const ada = await operator();
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.press("8");
  await ada.page.getByRole("button", { name: "Issue a token" }).waitFor();
  await ada.tabTo("Issue a token");
  await ada.press("Enter");
  await ada.waitForText("Shown once.");
  await ada.tabTo("REST");
  await ada.press("Enter");
  const token = (await ada.page.locator(".issued pre").innerText()).trim();
  await ada.press("1");
  await ada.page.locator(".memory").first().waitFor();
  await ada.page.locator(".live.on").waitFor();
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  await demo.request("POST", at, { content: "The flint ramp takes one cart at a time", scope: "LOCAL" }, token);
  await ada.page.getByRole("button", { name: "1 new" }).waitFor();
  await ada.press(".");
  await ada.waitForText("The flint ramp takes one cart at a time", ".memory");
  await ada.close();
});
