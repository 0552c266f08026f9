// The Knowledge tab: documents with their passages, collections with their rows, and processors with their runs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

const AT = `/workspaces/${DEMO.fleetApi}`;
const TAB = `w/${DEMO.fleetApi}/knowledge`;

/** Passages of more than 900 bytes, so that each heading begins one; an emoji is one character and two UTF-16 units. */
const filler = "The conveyor belt carries parcels 📦 to the dock. ".repeat(25);
const HANDBOOK = ["Intake", "Returns", "Zeppelins"].map((title) => `# Handbook\n\n## ${title}\n\n${title} have rules of their own. ${filler}\n\n`).join("");

const DEFINITION = {
  name: "incident-patterns",
  description: "Which service fails from which cause",
  collection: "incidents",
  schedule: "0 3 * * *",
  dimensions: [
    { name: "service", columns: ["service"] },
    { name: "cause", columns: ["cause"] },
  ],
  min_rows: 2,
  template: "{service}: {count} incidents from {cause}.",
};

let browser;
let demo;
let handbook;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  for (let number = 0; number < 52; number += 1) {
    await demo.request("POST", `${AT}/documents`, { title: `Note ${number}`, content: `About shift ${number}.`, scope: "LOCAL", collection: "notes" });
  }
  const document = { title: "Handbook", content: HANDBOOK, media_type: "text/markdown", scope: "TEAM", collection: "manuals", source_uri: "https://wiki.example/handbook" };
  handbook = (await demo.request("POST", `${AT}/documents`, document)).id;
  await demo.request("PUT", `${AT}/collections/incidents`, { key: "id" });
  const rows = [1, 2, 3].map((id) => ({ id, service: "auth", cause: "expired certificate" }));
  await demo.request("POST", `${AT}/collections/incidents/rows`, [...rows, { id: 4, service: "mail", cause: "full disk" }]);
  await demo.request("POST", `${AT}/processors`, { definition: DEFINITION });
});
after(async () => {
  await browser.close();
  await demo.stop();
});

const person = async (role = "operator") => newUser(browser, demo, { token: await demo.token(DEMO.root, role) });
const drawerOf = (someone, name) => someone.page.getByRole("complementary", { name });

test("documents are listed by page and filter, and a hit leads to its place in the text", async () => {
  const ada = await person();
  await ada.open(TAB);
  const rows = ada.page.locator("tbody tr");
  assert.equal(await rows.count(), 50);
  await ada.page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(52).waitFor();
  await ada.page.getByRole("button", { name: "Filter", exact: true }).click();
  await ada.page.getByLabel("Value").fill("manuals");
  await ada.page.getByLabel("Value").press("Enter");
  await ada.page.waitForURL(/collection=manuals/);
  await ada.page.locator("tbody tr:only-child").waitFor();
  await ada.screenshot("documents");

  await ada.press("/");
  await ada.page.keyboard.type("zeppelins");
  await ada.press("Enter");
  const hit = ada.page.locator(".memory").first();
  await hit.getByText("Handbook › Handbook › Zeppelins").waitFor();
  const place = /characters [\d,]+–[\d,]+/.exec(await hit.textContent())[0];
  await ada.press("Tab", "Escape");
  await ada.open(`${TAB}?collection=manuals&q=zeppelins`);
  await hit.waitFor();
  await ada.press("j", "Enter");
  const drawer = drawerOf(ada, "Document");
  const passage = drawer.locator(".passages > .open");
  await passage.waitFor();
  assert.ok((await passage.textContent()).includes(place));
  // the text begins exactly where its offset says, although it is counted in characters
  const text = await passage.locator(".passage-text").textContent();
  const from = Number(new URL(ada.page.url()).searchParams.get("at"));
  const whole = await demo.request("GET", `${AT}/documents/${handbook}/content?from=${from}&length=40`);
  assert.ok(text.startsWith(whole.content.trim()), text.slice(0, 60));
  await passage.locator("mark").first().waitFor();
  await drawer.getByText("https://wiki.example/handbook").waitFor();
  assert.equal(await drawer.locator('a[href^="https://wiki.example"]').count(), 0, "a stored address is no link");
  await ada.screenshot("document");
  await ada.page.reload();
  await passage.waitFor();
  await drawer.focus();
  await ada.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await ada.waitForAnyFocus();
  await ada.close();
});

test("filter that a search lacks is named, and an absent place is said", async () => {
  const ada = await person("viewer");
  await ada.open(`${TAB}?media_type=text/markdown&q=zeppelins`);
  await ada.waitForText("A search of passages cannot filter by this: type text/markdown.");
  await ada.open(`${TAB}?document=${handbook}&at=7`);
  await ada.waitForText("No passage begins at character 7 any more.");
  await ada.open(`${TAB}?document=01890000-0000-7000-8000-000000000001`);
  await drawerOf(ada, "Document").getByRole("alert").waitFor();
  await ada.close();
});

test("rows of a collection are listed by key", async () => {
  const ada = await person("viewer");
  await ada.open(TAB);
  await ada.page.getByRole("button", { name: "Collections" }).click();
  await ada.page.getByRole("row", { name: /incidents id 4 rows/ }).waitFor();
  await ada.screenshot("collections");
  await ada.press("j");
  await ada.press("Enter");
  await ada.page.waitForURL(/collection=incidents/);
  await ada.page.locator("tbody tr").nth(3).waitFor();
  await ada.press("/");
  await ada.page.keyboard.type("3");
  await ada.press("Enter");
  await ada.page.locator("tbody tr:only-child").waitFor();
  await ada.page.waitForURL(/prefix=3/);
  await ada.press("ArrowDown", "Enter");
  const drawer = drawerOf(ada, "Row 3");
  await drawer.getByText('"cause": "expired certificate"').waitFor();
  await drawer.getByText("not since its last change").waitFor();
  // the browser would round this number
  const row = '[{"id": 9, "account": 12345678901234567890}]';
  await demo.request("PUT", `${AT}/collections/accounts`, { key: "id" });
  const headers = { "Authorization": `Bearer ${await demo.adminToken()}`, "Content-Type": "application/json" };
  assert.ok((await fetch(`${demo.url}${AT}/collections/accounts/rows`, { method: "POST", headers, body: row })).ok);
  await ada.screenshot("row");
  await ada.open(`${TAB}?view=collections&collection=accounts&row=9`);
  await drawerOf(ada, "Row 9").getByText('"account": 12345678901234567890').waitFor();
  await ada.open(`${TAB}?view=collections&collection=incidents&row=77`);
  await ada.waitForText("No row with this key.");
  await ada.close();
});

test("processor says what a run would do, runs, and takes facts back", async () => {
  const ada = await person();
  await ada.open(`${TAB}?view=processors`);
  await ada.page.getByRole("row", { name: /bug-import .* Built in, not active/ }).waitFor();
  await ada.page.getByRole("link", { name: "incident-patterns" }).click();
  const drawer = drawerOf(ada, "Processor");
  await drawer.getByText("It has not run yet.").waitFor();
  await drawer.getByText("0 3 * * *").first().waitFor();
  await drawer.getByRole("button", { name: "Dry run" }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByText("1 fact inserted, 0 updated, 0 rolled back").waitFor();
  await dialog.getByText("auth: 3 incidents from expired certificate.").waitFor();
  await ada.screenshot("processor-dry-run");
  await ada.press("Escape");
  assert.deepEqual(await demo.request("GET", `${AT}/processors/incident-patterns/runs`), []);

  await drawer.getByRole("button", { name: "Run now…" }).click();
  await ada.page.getByRole("dialog", { name: "Run incident-patterns" }).getByRole("button", { name: "Change 1 fact" }).click();
  await ada.waitForText("Run finished: 1 inserted, 0 updated, 0 rolled back.");
  const run = drawer.locator(".processor-runs > li").first();
  await run.getByText("Request").waitFor();
  assert.match((await run.textContent()).replace(/\s+/g, " "), /Read4.*Grouped4.*Inserted1.*Updated0.*Rolled back0/);
  await ada.screenshot("processor");

  await demo.request("POST", `${AT}/collections/incidents/rows/withdraw`, { keys: ["1", "2"], reason: "wrong incidents" });
  await drawer.getByRole("button", { name: "Run now…" }).click();
  await dialog.getByText("0 facts inserted, 0 updated, 1 rolled back").waitFor();
  await ada.waitForFocus("Cancel");
  await dialog.getByRole("button", { name: "Change 1 fact" }).click();
  await ada.waitForText("1 rolled back.");
  await ada.close();

  const bo = await person("viewer");
  await bo.open(`${TAB}?view=processors&processor=incident-patterns`);
  await drawerOf(bo, "Processor").getByText("Last runs").waitFor();
  assert.equal(await drawerOf(bo, "Processor").getByRole("button", { name: /run/i }).count(), 0);
  await bo.close();
});

test("empty parts say how something appears there", async () => {
  const ada = await person();
  for (const [view, text] of [["documents", "can read no documents yet"], ["collections", "has no collections"], ["processors", "has no processors"]]) {
    const [other] = await demo.request("GET", "/workspaces?q=Marketing");
    await ada.open(`w/${other.id}/knowledge?view=${view}`);
    await ada.waitForText(text);
  }
  await ada.close();
});
