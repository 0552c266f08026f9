// Actions that a role never permits are absent from every screen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** The controls that each role finds at its own workspace. */
const ROLES = {
  agent: { write: true, create: false, issue: false, system: false, below: 0 },
  viewer: { write: false, create: false, issue: false, system: false, below: 4 },
  operator: { write: true, create: true, issue: true, system: false, below: 4 },
};

for (const [role, may] of Object.entries(ROLES)) {
  test(`${role}: actions that the role never permits are absent`, async () => {
    const ada = await newUser(browser, demo, { token: await demo.token(DEMO.backendLead, role) });
    await ada.open();
    await ada.page.getByRole("heading", { level: 1, name: "Backend Lead" }).waitFor();
    await ada.page.locator(".memory").first().waitFor();
    const count = (name, kind = "button") => ada.page.getByRole(kind, { name, exact: true }).count();
    assert.equal((await count("Write")) > 0, may.write);
    assert.equal((await count("New child workspace")) > 0, may.create);
    assert.equal((await count("System", "link")) > 0, may.system);
    const rows = ada.page.getByRole("treeitem");
    await rows.first().waitFor();
    if (may.below > 0) await rows.nth(may.below).waitFor();
    assert.equal(await rows.count(), may.below + 1);
    await ada.page.getByRole("link", { name: "State", exact: true }).click();
    await ada.page.locator(".keys, .empty").first().waitFor();
    assert.equal((await count("New key")) > 0, may.write);
    await ada.page.getByRole("link", { name: "Connect", exact: true }).click();
    await ada.page.getByRole("heading", { name: "Client" }).waitFor();
    assert.equal((await count("Issue a token")) > 0, may.issue);
    await ada.close();
  });
}

test("workspace above the caller's own shows the server's refusal", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.backendLead, "viewer") });
  await ada.page.goto(`${demo.url}/console/w/${DEMO.engineering}/memories`);
  const refused = await ada.page.locator(".refused").first();
  await refused.waitFor();
  assert.match(await refused.innerText(), /Backend Lead|bound/i);
  await ada.close();
});

test("workspace of another org looks exactly like an absent one", async () => {
  const other = await demo.request("POST", "/workspaces", { name: "Rival" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  const shown = [];
  for (const id of [other.id, "01890000-0000-7000-8000-000000000001"]) {
    await ada.page.goto(`${demo.url}/console/w/${id}/memories`);
    await ada.page.locator(".refused").waitFor();
    const text = await ada.page.locator("main").innerText();
    shown.push(text.replaceAll(id, "").replace(/Request\s+\S+/, ""));
  }
  assert.equal(shown[0], shown[1]);
  await ada.close();
});
