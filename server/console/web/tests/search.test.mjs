// The search over everything that the caller may read, and the words that every search marks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
let other;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  other = (await demo.request("POST", "/workspaces", { name: "Saltmarsh" })).id;
  const commit = (id, content, scope) => demo.request("POST", `/workspaces/${id}/memories`, { content, scope });
  await commit(other, "The tourmaline gate opens at dawn", "LOCAL");
  await commit(DEMO.fleetApi, "The tourmaline gate is repainted", "LOCAL");
  await commit(DEMO.telemetryIngest, "The tourmaline gate hums", "TEAM");
  await commit(DEMO.root, "The tourmaline gate belongs to the city", "GLOBAL");
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** The contents found, by the name of the org or workspace. */
const found = (ada) =>
  ada.page.locator(".org-results").evaluateAll((orgs) =>
    Object.fromEntries(orgs.map((org) => [org.querySelector("h2").innerText, [...org.querySelectorAll(".memory-text")].map((text) => text.innerText.trim()).sort()])),
  );

const searched = async (root) =>
  (await demo.request("GET", `/workspaces/${root}/access-log?subtree=true&action=search_memories&callers=people&limit=200`)).length;

test("Ctrl-K searches all orgs with one audited search for each, grouped by org, with an address", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${DEMO.engineering}/connect`);
  const before = await searched(DEMO.root);
  await ada.press("Control+k");
  const dialog = ada.page.getByRole("dialog", { name: "Jump to" });
  await dialog.getByRole("combobox").pressSequentially("tourmaline", { delay: 30 });
  await dialog.getByRole("option", { name: /Search memories for “tourmaline”.*All orgs/ }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Search all workspaces" }).waitFor();
  await ada.page.locator(".org-results mark").first().waitFor();
  const all = {
    "Brindlemoor Robotics": ["The tourmaline gate belongs to the city", "The tourmaline gate hums", "The tourmaline gate is repainted"],
    Saltmarsh: ["The tourmaline gate opens at dawn"],
  };
  assert.deepEqual(await found(ada), all);
  assert.equal((await searched(DEMO.root)) - before, 1);
  await ada.screenshot("search-all");
  await ada.page.reload();
  await ada.page.locator(".org-results mark").first().waitFor();
  assert.deepEqual(await found(ada), all);

  // from the keyboard, to the memory as its author reads it, and back
  await ada.press("j");
  const row = ada.page.locator(".memory:focus");
  const content = (await row.locator(".memory-text").innerText()).trim();
  await ada.press("Enter");
  await ada.page.locator(".drawer .content", { hasText: content }).waitFor();
  await ada.page.goBack();
  await ada.page.locator(".org-results mark").first().waitFor();
  assert.deepEqual(await found(ada), all);
  await ada.press("Escape");
  await ada.page.getByRole("region", { name: "Recent places" }).waitFor();
  await ada.waitForAnyFocus();
  await ada.close();
});

test("a viewer searches its subtree and what it reads from outside, and an agent has no such search", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.engineering, "viewer") });
  await ada.open("search?q=tourmaline");
  await ada.page.locator(".org-results mark").first().waitFor();
  assert.deepEqual(await found(ada), {
    Engineering: ["The tourmaline gate belongs to the city", "The tourmaline gate hums", "The tourmaline gate is repainted"],
  });
  await ada.page.locator(".memory", { hasText: "belongs to the city" }).click();
  // of a workspace above it, as the searched workspace reads it
  await ada.page.getByRole("heading", { level: 1, name: "Engineering" }).waitFor();
  await ada.page.locator(".drawer .content", { hasText: "belongs to the city" }).waitFor();
  await ada.open("search?q=tourmaline+zeppelin+xylograph");
  await ada.page.locator(".org-results").first().waitFor();
  await ada.page.getByRole("searchbox").fill("xylograph");
  await ada.press("Enter");
  await ada.waitForText("No memory matches");
  await ada.close();

  const agent = await newUser(browser, demo, { token: await demo.token(DEMO.fleetApi, "agent") });
  await agent.open(`w/${DEMO.fleetApi}/memories`);
  await agent.press("Control+k");
  await agent.page.getByRole("dialog").getByRole("combobox").fill("tourmaline");
  await agent.page.getByRole("option", { name: /This workspace/ }).first().waitFor();
  assert.equal(await agent.page.getByRole("option", { name: /All/ }).count(), 0);
  assert.equal(await agent.page.getByRole("link", { name: "Search", exact: true }).count(), 0);
  await agent.close();
});

test("words that the query was understood as are marked, in results and the drawer", async () => {
  const { id } = await demo.request("POST", "/workspaces", { name: "Quarry" });
  const contents = ["A thundering herd of kubelets meets kubernetes", "Das Lager ist im Keller", "Gehaltserhöhungen gibt es im Mai"];
  for (const content of contents) await demo.request("POST", `/workspaces/${id}/memories`, { content, scope: "LOCAL" });
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  const expected = {
    thundring: ["thundering"],
    "thundring kuberentes": ["thundering", "kubernetes"],
    "kubern*": ["kubernetes"],
    kube: ["kubelets", "kubernetes"],
    gehaltserh: ["Gehaltserhöhungen"],
    Kellerlager: ["Lager", "Keller"],
    Erhöhung: ["Gehaltserhöhungen"],
  };
  for (const [query, words] of Object.entries(expected)) {
    await ada.open(`w/${id}/memories?q=${encodeURIComponent(query)}`);
    await ada.page.locator(".memory mark").first().waitFor();
    const marked = await ada.page.locator(".memory mark").allInnerTexts();
    assert.deepEqual(marked.toSorted(), words.toSorted(), query);
  }
  await ada.page.getByText("“erhöhung” was understood as “gehaltserhohungen”").waitFor();
  await ada.page.locator(".memory").click();
  await ada.page.locator(".drawer .content mark", { hasText: "Gehaltserhöhungen" }).waitFor();
  // the rank is that of the query as it was typed
  await ada.page.locator(".drawer").getByText("for “Erhöhung”").waitFor();
  await ada.screenshot("understood");
  await ada.open("search?q=thundring+kubern*");
  const org = ada.page.locator(".org-results", { hasText: "Quarry" });
  await org.waitFor();
  assert.deepEqual(await org.locator("mark").allInnerTexts(), ["thundering", "kubernetes"]);
  await ada.close();
});
