// Keyboard navigation; the focus is never lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
let token;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  token = await demo.adminToken();
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** Name, level and expansion of the row that the tree refers to as active. */
async function pointed(someone) {
  const tree = someone.page.getByRole("tree");
  const id = await tree.getAttribute("aria-activedescendant");
  const row = someone.page.locator(`[id="${id}"]`);
  const [level, expanded] = await Promise.all(
    ["aria-level", "aria-expanded"].map((attribute) => row.getAttribute(attribute)),
  );
  return [await row.locator(".name > bdi").innerText(), Number(level), expanded];
}

test("tree is navigated with arrow keys and letters", async () => {
  const ada = await newUser(browser, demo, { token });
  await ada.open(`w/${DEMO.root}/memories`);
  await ada.page.getByRole("treeitem", { name: /^Engineering/ }).waitFor();
  await ada.page.getByRole("tree").focus();
  assert.deepEqual(await pointed(ada), ["Brindlemoor Robotics", 1, "true"]);
  await ada.press("ArrowRight");
  assert.deepEqual(await pointed(ada), ["Customer Care", 2, "false"]);
  // one letter only: the time limit for a second one depends on the clock
  await ada.press("e");
  assert.deepEqual(await pointed(ada), ["Engineering", 2, "false"]);
  await ada.press("ArrowRight");
  await ada.page.getByRole("treeitem", { name: /^Backend Lead/ }).waitFor();
  await ada.press("ArrowRight");
  assert.deepEqual(await pointed(ada), ["Backend Lead", 3, "false"]);
  await ada.press("ArrowLeft");
  assert.deepEqual(await pointed(ada), ["Engineering", 2, "true"]);
  await ada.press("End");
  assert.deepEqual(await pointed(ada), ["Sales", 2, "false"]);
  await ada.press("Home", "ArrowDown", "Enter");
  await ada.page.getByRole("heading", { level: 1, name: "Customer Care" }).waitFor();
  const row = ada.page.getByRole("treeitem", { name: /^Customer Care/ });
  assert.equal(await row.getAttribute("aria-selected"), "true");
  assert.deepEqual([await row.getAttribute("aria-setsize"), await row.getAttribute("aria-posinset")], ["8", "1"]);
  await ada.close();
});

test("closing a memory returns the focus to its row", async () => {
  const ada = await newUser(browser, demo, { token });
  await ada.open();
  await ada.press("Control+k");
  await ada.page.keyboard.type("fleet api");
  await ada.page.getByRole("option", { name: /^Fleet API/ }).waitFor();
  await ada.press("Enter");
  await ada.page.locator(".memory").nth(2).waitFor();
  await ada.press("j", "j");
  const second = await ada.focused();
  assert.notEqual(second, "body");
  await ada.press("Enter");
  await ada.page.getByRole("complementary", { name: "Memory" }).waitFor();
  await ada.waitForFocus("Memory");
  await ada.press("Escape");
  await ada.page.locator(".drawer").waitFor({ state: "detached" });
  await ada.waitForFocus(second);
  await ada.press("/");
  await ada.page.keyboard.type("docks");
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.press("Escape");
  await ada.page.waitForFunction(() => !location.search.includes("q="));
  await ada.close();
});

test("views, lens, comparison and help have shortcuts, and dialogs return the focus", async () => {
  const ada = await newUser(browser, demo, { token });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  const views = { 2: "State", 3: "Timeline", 4: "Reach", 5: "Profiles", 6: "Runs", 7: "Access", 8: "Connect", 9: "Pages", 0: "Reviews", 1: "Memories" };
  for (const [key, name] of [...Object.entries(views).filter(([key]) => key !== "1"), ["1", "Memories"]]) {
    await ada.press(key);
    await ada.page.locator(`.tabs [aria-current="page"]`, { hasText: name }).waitFor();
  }
  await ada.press("c");
  const picker = ada.page.getByRole("combobox", { name: "Compare with workspace…" });
  await picker.focus();
  await ada.page.keyboard.type("finance");
  await ada.page.getByRole("option", { name: /^Finance/ }).waitFor();
  await ada.press("Enter");
  await ada.waitForText("Fleet API and Finance are in different branches.");
  await ada.page.getByRole("tree").focus();
  await ada.press("?");
  await ada.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await ada.press("Escape");
  await ada.page.getByRole("dialog").waitFor({ state: "detached" });
  await ada.waitForFocus("Workspaces");
  await ada.close();
});

test("single-letter shortcuts can be switched off, and are inactive while typing", async () => {
  const ada = await newUser(browser, demo, { token });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  await ada.page.getByRole("searchbox").focus();
  await ada.page.keyboard.type("well, c?");
  assert.equal(await ada.page.getByRole("searchbox").inputValue(), "well, c?");
  assert.equal(await ada.page.locator("dialog").count(), 0);
  await ada.press("Escape");
  await ada.page.getByRole("button", { name: /admin/ }).last().click();
  await ada.page.getByLabel("Single-letter shortcuts").uncheck();
  await ada.press("Escape");
  await ada.page.getByRole("tree").focus();
  await ada.press("2", "w");
  assert.match(ada.page.url(), /memories/);
  await ada.page.reload();
  await ada.page.locator(".memory").first().waitFor();
  await ada.press("2");
  assert.match(ada.page.url(), /memories/);
  await ada.close();
});

/** Opens the jump dialog and types; the workspaces found arrive once the returned function is called. */
async function typeAhead(someone, text) {
  let release;
  const released = new Promise((resolved) => (release = resolved));
  await someone.page.route(/\/workspaces\?q=/, async (route) => {
    await released;
    // a request of a closed dialog is gone
    await route.fallback().catch(() => {});
  });
  await someone.press("Control+k");
  await someone.page.keyboard.type(text);
  return release;
}

test("Enter before the results of a jump arrive opens the first of them", async () => {
  const ada = await newUser(browser, demo, { token });
  const [waiting, dialog] = [ada.page.getByText("Opens when the results arrive."), ada.page.getByRole("dialog")];
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  let release = await typeAhead(ada, "telemetry ing");
  await ada.press("Enter");
  await waiting.waitFor();
  release();
  await ada.page.getByRole("heading", { level: 1, name: "Telemetry Ingest" }).waitFor();
  await dialog.waitFor({ state: "detached" });

  // further input revokes it, even if it ends in the same text
  const option = ada.page.getByRole("option", { name: /^Identity Service/ });
  release = await typeAhead(ada, "identity");
  await ada.press("Enter");
  await waiting.waitFor();
  await ada.press("x");
  await waiting.waitFor({ state: "detached" });
  await ada.press("Backspace");
  release();
  await option.waitFor();
  assert.ok(await dialog.isVisible());
  await ada.press("Escape");

  // and so does closing the dialog
  release = await typeAhead(ada, "backend");
  await ada.press("Enter");
  await waiting.waitFor();
  await ada.press("Escape");
  await dialog.waitFor({ state: "detached" });
  release();
  await ada.press("Control+k");
  await ada.page.keyboard.type("identity");
  await option.waitFor();
  assert.match(ada.page.url(), new RegExp(DEMO.telemetryIngest));
  await ada.close();

  const agent = await newUser(browser, demo, { token: await demo.token(DEMO.fleetApi, "agent") });
  await agent.page.goto(`${demo.url}/console/no/such/page`);
  await agent.page.getByRole("treeitem").first().waitFor();
  release = await typeAhead(agent, "zeppelin");
  await agent.press("Enter");
  release();
  await agent.page.getByRole("dialog").getByText("No results").waitFor();
  await agent.close();
});

test("keys pressed right after the shortcut of the jump dialog reach its field", async () => {
  const ada = await newUser(browser, demo, { token });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  const state = await ada.page.evaluate(
    () =>
      new Promise((resolved) => {
        const look = (_, observer) => {
          const dialog = document.querySelector("dialog");
          if (!dialog) return;
          observer.disconnect();
          resolved([dialog.open, document.activeElement.getAttribute("role")]);
        };
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true }));
      }),
  );
  assert.deepEqual(state, [true, "combobox"]);
  await ada.close();
});
