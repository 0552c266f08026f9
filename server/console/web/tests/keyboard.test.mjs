// Everything by keys alone; the focus is never lost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, visitor } from "./support/browser.mjs";
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

/** The row that the tree points at. */
async function pointed(someone) {
  const tree = someone.page.getByRole("tree");
  const id = await tree.getAttribute("aria-activedescendant");
  const row = someone.page.locator(`[id="${id}"]`);
  const [level, expanded] = await Promise.all(
    ["aria-level", "aria-expanded"].map((attribute) => row.getAttribute(attribute)),
  );
  return [await row.locator(".name > bdi").innerText(), Number(level), expanded];
}

test("the tree is walked by arrows and letters", async () => {
  const ada = await visitor(browser, demo, { token });
  await ada.open(`w/${DEMO.root}/memories`);
  await ada.page.getByRole("treeitem", { name: /^Engineering/ }).waitFor();
  await ada.page.getByRole("tree").focus();
  assert.deepEqual(await pointed(ada), ["Brindlemoor Robotics", 1, "true"]);
  await ada.press("ArrowRight");
  assert.deepEqual(await pointed(ada), ["Customer Care", 2, "false"]);
  // one letter: how soon a second one must follow depends on the clock
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
  await ada.leave();
});

test("a workspace is found by name, its list walked, a memory opened and closed, the focus where it was", async () => {
  const ada = await visitor(browser, demo, { token });
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
  await ada.focuses("Memory");
  await ada.press("Escape");
  await ada.page.locator(".drawer").waitFor({ state: "detached" });
  await ada.focuses(second);
  await ada.press("/");
  await ada.page.keyboard.type("docks");
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.press("Escape");
  await ada.page.waitForFunction(() => !location.search.includes("q="));
  await ada.leave();
});

test("views, lens, comparison and help have keys, and dialogs give the focus back", async () => {
  const ada = await visitor(browser, demo, { token });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  const views = { 2: "State", 3: "Timeline", 4: "Reach", 5: "Profiles", 6: "Runs", 7: "Access", 8: "Connect", 1: "Memories" };
  for (const [key, name] of [...Object.entries(views).slice(1), ["1", "Memories"]]) {
    await ada.press(key);
    await ada.page.locator(`.tabs [aria-current="page"]`, { hasText: name }).waitFor();
  }
  await ada.press("c");
  const picker = ada.page.getByRole("combobox", { name: "Compare with workspace…" });
  await picker.focus();
  await ada.page.keyboard.type("finance");
  await ada.page.getByRole("option", { name: /^Finance/ }).waitFor();
  await ada.press("Enter");
  await ada.sees("Fleet API and Finance are in different branches.");
  await ada.page.getByRole("tree").focus();
  await ada.press("?");
  await ada.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await ada.press("Escape");
  await ada.page.getByRole("dialog").waitFor({ state: "detached" });
  await ada.focuses("Workspaces");
  await ada.leave();
});

test("single letters can be switched off, and never act while one types", async () => {
  const ada = await visitor(browser, demo, { token });
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
  await ada.leave();
});
