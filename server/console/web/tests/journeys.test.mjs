// User journeys, from signing in to the final result.

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

test("start link leads to a tree with memories", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const ada = await newUser(browser, server);
  await ada.page.goto(server.link);
  await ada.waitForText("No org yet");
  assert.equal(new URL(ada.page.url()).hash, "", "the code is out of the address");

  await ada.page.getByRole("button", { name: "Load the demo" }).click();
  await ada.waitForText(/59 workspaces and \d+ memories imported\./, ".toasts");
  await ada.page.getByRole("heading", { level: 1, name: "Brindlemoor Robotics" }).waitFor();
  await ada.page.locator(".memory").first().waitFor();
  await ada.page.getByRole("treeitem", { name: /^Engineering/ }).waitFor();

  await ada.page.getByRole("link", { name: "Orgs", exact: true }).click();
  await ada.page.getByRole("button", { name: "Create an org" }).click();
  await ada.page.getByLabel("Name", { exact: true }).fill("Acme");
  await ada.page.getByLabel("Role of its agent").fill("Chief of staff");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Create an org" }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Acme" }).waitFor();
  await ada.waitForText("Acme can read no memories yet");

  const late = await newUser(browser, server);
  await late.page.goto(server.link);
  await late.waitForText(/The link was used already/);
  await late.close();
  await ada.close();
});

test("drawer explains why a search result is visible, and the address opens the same view", async () => {
  const ada = await newUser(browser, demo);
  await ada.page.goto(`${demo.url}/`);
  await ada.signIn(await demo.token(DEMO.root, "viewer"));
  await ada.page.getByRole("heading", { level: 1, name: "Brindlemoor Robotics" }).waitFor();

  await ada.press("Control+k");
  await ada.page.getByRole("dialog").getByRole("combobox").fill("fleet api");
  await ada.page.getByRole("option", { name: /^Fleet API/ }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Fleet API" }).waitFor();
  await ada.page.getByRole("searchbox").fill("thundering herd");
  const row = ada.page.locator(".memory").filter({ hasText: "thundering herd" });
  await row.locator("mark", { hasText: "herd" }).first().waitFor();
  await row.click();
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  await drawer.getByText("Fleet API can read TEAM memories of Telemetry Ingest: sibling under Backend Lead.").waitFor();
  await drawer.getByText("4 other workspaces can read it").waitFor();

  const colleague = await newUser(browser, demo, { token: await demo.adminToken() });
  await colleague.page.goto(ada.page.url());
  await colleague.waitForText("Fleet API can read TEAM memories of Telemetry Ingest: sibling under Backend Lead.", ".drawer");
  await colleague.close();

  await drawer.getByRole("link", { name: "Relationship of Fleet API and Telemetry Ingest" }).click();
  await ada.waitForText("Fleet API and Telemetry Ingest are siblings.");
  await ada.page.goBack();
  await drawer.getByText("sibling under Backend Lead").waitFor();
  await ada.close();
});

test("lens marks the workspaces that an agent can read, and reverses", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  const row = (name) => ada.page.getByRole("treeitem", { name });
  await row(/^Fleet API/).waitFor();
  await ada.press("l");
  await row(/^Backend Lead.*readable: TEAM – child of Backend Lead$/).waitFor();
  await row(/^Brindlemoor Robotics.*readable: GLOBAL – GLOBAL in the org of Brindlemoor Robotics$/).waitFor();
  await row(/^Finance.*not readable$/).waitFor();
  await ada.press("Shift+L");
  await row(/^Backend Lead.*can read: TEAM – parent of Fleet API$/).waitFor();
  await row(/^Brindlemoor Robotics.*cannot read it$/).waitFor();
  await ada.page.reload();
  await row(/^Backend Lead.*can read: TEAM – parent of Fleet API$/).waitFor();
  await ada.close();
});

test("write dialog names the readers, and secrets are scrubbed", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.locator(".memory").first().waitFor();
  await ada.press("w");
  const dialog = ada.page.getByRole("dialog", { name: "Write as Fleet API" });
  await dialog.getByText("Read by Backend Lead and 3 siblings.").waitFor();
  await dialog.getByText(/only a root writes GLOBAL/).waitFor();
  assert.equal(await dialog.getByRole("radio", { name: /^GLOBAL/ }).isDisabled(), true);
  await dialog.getByLabel("Content").fill("The partner portal wants PORTAL_API_KEY=sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c daily");
  await dialog.getByRole("radio", { name: /^TEAM/ }).check();
  await ada.press("Control+Enter");
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  await drawer.locator(".content .stand-in", { hasText: "[REDACTED:" }).waitFor();
  assert.doesNotMatch(await ada.page.content(), /4f9a8b7c6d5e/);
  await ada.waitForText(/Replaced before it was stored: 1 ×/, ".toasts");

  const sibling = await newUser(browser, demo, { token: await demo.adminToken() });
  await sibling.open(`w/${DEMO.telemetryIngest}/memories?q=partner+portal`);
  await sibling.waitForText(/The partner portal wants/, ".memory");
  await sibling.close();
  await ada.close();
});

test("value that is not JSON is saved as text, and invalid JSON shows the position", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/state`);
  await ada.page.getByRole("button", { name: "New key" }).click();
  await ada.page.getByLabel("Key", { exact: true }).fill("note");
  const value = ada.page.getByRole("textbox", { name: "Value" });
  await value.fill('{\n  "a": 1,,\n}');
  await ada.waitForText(/line 2, column 10/);
  await value.fill("just words");
  await ada.waitForText("Saved as text: it is not JSON.");
  await ada.page.getByRole("button", { name: "Save" }).click();
  await ada.waitForText("Saved as version 1.", ".toasts");
  await ada.page.getByRole("button", { name: "Delete" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Delete this key" });
  await dialog.getByText(/note, version 1, of Fleet API will be deleted/).waitFor();
  await ada.waitForFocus("Cancel");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await ada.waitForText("Deleted note.", ".toasts");
  await ada.close();
});

test("client connects with a token that is shown once", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.backendLead, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/connect`);
  await ada.page.getByRole("button", { name: "Issue a token" }).click();
  await ada.waitForText("Shown once.");
  const token = (await ada.page.locator(".issued pre").innerText()).trim();
  await ada.page.getByRole("button", { name: "Claude Code" }).click();
  const snippet = JSON.parse(await ada.page.getByLabel("Claude Code", { exact: true }).innerText());
  const { url, headers } = snippet.mcpServers.orgmem;
  assert.equal(url, `${demo.url}/mcp`);
  const body = { content: "Written by the client that was just connected", scope: "LOCAL" };
  const sent = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const written = await fetch(`${demo.url}/workspaces/${DEMO.fleetApi}/memories`, sent);
  assert.equal(written.status, 201);
  assert.equal(headers.Authorization, `Bearer ${token}`);
  await ada.page.getByRole("link", { name: "Memories", exact: true }).click();
  await ada.waitForText("Written by the client that was just connected", ".memory");
  await ada.page.goBack();
  await ada.page.getByRole("button", { name: "Issue a token" }).waitFor();
  assert.equal(await ada.page.locator(".issued").count(), 0, "it is not shown again");
  await ada.close();
});

test("ended session can be renewed without losing input", async () => {
  const first = await demo.token(DEMO.telemetryIngest, "operator");
  const ada = await newUser(browser, demo, { token: first });
  await ada.open(`w/${DEMO.telemetryIngest}/memories?write=1`);
  const dialog = ada.page.getByRole("dialog", { name: "Write as Telemetry Ingest" });
  await dialog.getByLabel("Content").fill("Typed before the session ended");
  const claims = JSON.parse(Buffer.from(first.split(".")[1], "base64url").toString());
  await demo.request("DELETE", `/tokens/${claims.jti}`);
  await ada.press("Control+Enter");
  const again = ada.page.getByRole("dialog", { name: "Your session has ended" });
  await again.getByLabel("Token").fill(await demo.token(DEMO.telemetryIngest, "operator"));
  await again.getByRole("button", { name: "Sign in" }).click();
  await again.waitFor({ state: "detached" });
  assert.equal(await dialog.getByLabel("Content").inputValue(), "Typed before the session ended");
  await dialog.getByRole("button", { name: "Write" }).click();
  await ada.waitForText("Typed before the session ended", ".drawer");
  await ada.close();
});

test("signing out deletes the session", async () => {
  const ada = await newUser(browser, demo);
  await ada.open();
  await ada.signIn(await demo.token(DEMO.fleetApi, "viewer"));
  await ada.page.getByRole("heading", { level: 1, name: "Fleet API" }).waitFor();
  const cookies = await ada.context.cookies();
  assert.deepEqual(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite })), [
    { name: "orgmem_session", httpOnly: true, sameSite: "Strict" },
  ]);
  assert.equal(await ada.page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }).some((key) => /token/.test(key))), false);
  await ada.page.getByRole("button", { name: /viewer/ }).click();
  await ada.page.getByRole("button", { name: "Sign out" }).click();
  await ada.page.getByRole("heading", { name: "Sign in to orgmem" }).waitFor();
  assert.deepEqual(await ada.context.cookies(), []);
  await ada.close();
});

test("on a phone, a wrong fact is found by touch, corrected and redacted", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const { id } = await demo.request("POST", at, { content: "The copper dock opens at nine", scope: "TEAM" });
  const ada = await newUser(browser, demo, { width: 390, height: 844, hasTouch: true, isMobile: true });
  const { page } = ada;
  const tap = (role, name, within = page) => within.getByRole(role, { name, exact: true }).tap();
  await page.goto(`${demo.url}/`);
  await page.getByLabel("Token").fill(await demo.token(DEMO.root, "operator"));
  await tap("button", "Sign in");
  await page.getByRole("heading", { level: 1, name: "Brindlemoor Robotics" }).waitFor();
  await tap("button", "Show the tree");
  const row = (name) => page.getByRole("treeitem", { name });
  for (const branch of [/^Engineering/, /^Backend Lead/]) await row(branch).locator(".caret").tap();
  await ada.screenshot("phone-tree");
  await row(/^Fleet API/).tap();
  await page.getByRole("heading", { level: 1, name: "Fleet API" }).waitFor();
  await row(/^Fleet API/).waitFor({ state: "hidden" });
  await page.getByRole("searchbox").fill("copper dock");
  await page.locator(".memory", { hasText: "copper dock opens" }).tap();
  const drawer = page.getByRole("complementary", { name: "Memory" });
  await drawer.getByText("Fleet API can read TEAM memories of Fleet API: the workspace itself.").waitFor();
  await tap("button", "Edit", drawer);
  await drawer.getByLabel("Content").fill("The copper dock opens at eight");
  await ada.screenshot("phone-edit");
  await tap("button", "Save", drawer);
  await drawer.locator(".content", { hasText: "opens at eight" }).waitFor();
  assert.match((await demo.search(DEMO.telemetryIngest, "copper dock"))[0].content, /opens at eight/);
  await tap("button", "Redact…", drawer);
  const dialog = page.getByRole("dialog", { name: "Redact 1 memory" });
  await dialog.getByLabel("Reason").fill("The dock is gone");
  await ada.screenshot("phone-redact");
  await tap("button", "Redact 1 memory", dialog);
  await drawer.getByText("Redacted", { exact: true }).waitFor();
  await tap("button", "Close", drawer);
  await drawer.waitFor({ state: "detached" });
  await page.locator(".memory", { hasText: "copper dock" }).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.ok((await demo.search(DEMO.telemetryIngest, "copper dock")).every((found) => found.id !== id));
  await ada.close();
});
