// Actions on memories and workspaces: undo, bulk results per item, imports and tokens.

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

const commit = async (workspace, content, more = {}) =>
  (await demo.request("POST", `/workspaces/${workspace}/memories`, { content, scope: "LOCAL", ...more })).id;

test("pin and tags of a memory can be undone from the toast", async () => {
  const id = await commit(DEMO.fleetApi, "The crane key is with the night shift", { tags: ["crane"] });
  const read = () => demo.request("GET", `/workspaces/${DEMO.fleetApi}/memories/${id}`);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories?m=${id}`);
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  const undo = ada.page.locator(".toasts").getByRole("button", { name: "Undo" });
  await drawer.getByRole("button", { name: "Pin", exact: true }).click();
  await drawer.locator(".pinned").waitFor();
  assert.equal((await read()).pin, true);
  await undo.click();
  await drawer.locator(".pinned").waitFor({ state: "detached" });
  assert.equal((await read()).pin, false);

  await drawer.getByRole("button", { name: "Tags, expiry…" }).click();
  await drawer.getByRole("textbox", { name: "Tags" }).fill("crane, keys");
  await drawer.getByLabel("Expiry").selectOption("In 1 day");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("link", { name: "#keys" }).waitFor();
  assert.notEqual((await read()).expires_at ?? null, null);
  await undo.click();
  await drawer.getByRole("link", { name: "#keys" }).waitFor({ state: "detached" });
  assert.deepEqual([(await read()).tags, (await read()).expires_at ?? null], [["crane"], null]);
  await ada.close();
});

test("bulk redaction keeps refused memories selected and shows the reasons", async () => {
  await commit(DEMO.fleetApi, "Rack label seventeen was misread twice", { scope: "TEAM" });
  await commit(DEMO.root, "Rack labels are printed in the west hall", { scope: "GLOBAL" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.backendLead, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories?q=rack+label`);
  const row = (text) => ada.page.locator(".memories > li", { hasText: text });
  for (const text of ["seventeen was misread", "printed in the west hall"]) {
    await row(text).hover();
    await row(text).getByRole("checkbox").check();
  }
  await ada.press("r");
  const dialog = ada.page.getByRole("dialog", { name: "Redact 2 memories" });
  await dialog.getByLabel("Reason").fill("the labels are secret");
  await dialog.getByRole("button", { name: "Redact 2 memories" }).click();
  const left = ada.page.getByRole("dialog", { name: "Redact 1 memory" });
  await left.getByText("1 memory was refused and stays selected:").waitFor();
  await left.getByText(/printed in the west hall – An operator may redact memories/).waitFor();
  await left.getByRole("button", { name: "Cancel" }).click();
  await row("seventeen was misread").waitFor({ state: "detached" });
  assert.equal(await row("printed in the west hall").getByRole("checkbox").isChecked(), true);
  await ada.close();
});

test("deleting an own memory first explains the difference from redaction", async () => {
  const id = await commit(DEMO.fleetApi, "The old ramp is closed on Fridays");
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.fleetApi, "agent") });
  await ada.open(`w/${DEMO.fleetApi}/memories?m=${id}`);
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  await drawer.getByRole("button", { name: "Delete…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Delete this memory" });
  await dialog.getByText(/Unlike a redaction, a deletion records no reason/).waitFor();
  assert.equal(await drawer.getByRole("button", { name: "Redact…" }).count(), 0, "an agent never redacts");
  await dialog.getByRole("button", { name: "Delete 1 memory" }).click();
  await drawer.getByText("Deleted", { exact: true }).waitFor();
  await ada.close();
});

test("empty result shows the server's count without each filter", async () => {
  const only = { namespace: "lanterns" };
  for (const content of ["Lantern one is dim", "Lantern two is dim"]) await commit(DEMO.fleetApi, content, { ...only, kind: "note" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/memories?namespace=lanterns&kind=decision&scope=LOCAL`);
  await ada.page.getByRole("button", { name: /^Without kind decision\s*2$/ }).waitFor();
  await ada.page.getByRole("button", { name: /^Without LOCAL\s*0$/ }).waitFor();
  await ada.page.getByRole("button", { name: /^Without kind decision/ }).click();
  await ada.waitForText("Lantern one is dim", ".memory");
  await ada.page.getByRole("button", { name: /^LOCAL\s*2$/ }).waitFor();
  await ada.close();
});

test("workspace is renamed, then removed with its children promoted", async () => {
  const lead = await demo.request("POST", "/workspaces", { name: "Lamp Lead", parent_id: DEMO.root });
  await demo.request("POST", "/workspaces", { name: "Lamp Bot", parent_id: lead.id });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${lead.id}/memories`);
  const act = async (name) => {
    await ada.page.getByRole("button", { name: "Actions" }).click();
    await ada.page.getByRole("button", { name, exact: true }).click();
  };
  await act("Rename…");
  const rename = ada.page.getByRole("dialog", { name: "Rename Lamp Lead" });
  await rename.getByLabel("Name", { exact: true }).fill("Light Lead");
  await rename.getByRole("button", { name: "Save" }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Light Lead" }).waitFor();
  await ada.page.getByRole("treeitem", { name: /^Light Lead/ }).waitFor();

  await act("Remove…");
  const remove = ada.page.getByRole("dialog", { name: "Remove Light Lead" });
  await remove.getByRole("radio", { name: /^Remove too/ }).check();
  await remove.getByRole("button", { name: "Remove 2 workspaces" }).waitFor();
  await remove.getByRole("radio", { name: /^Move up to its parent/ }).check();
  await remove.getByRole("button", { name: "Remove 1 workspace" }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Brindlemoor Robotics" }).waitFor();
  await ada.page.getByRole("treeitem", { name: /^Light Lead/ }).waitFor({ state: "detached" });
  await ada.page.getByRole("treeitem", { name: /^Lamp Bot/ }).waitFor();
  await ada.close();
});

test("move below itself shows the server's refusal and changes nothing", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.backendLead}/memories`);
  await ada.page.getByRole("button", { name: "Actions" }).click();
  await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Move Backend Lead" });
  await dialog.getByRole("combobox", { name: "New parent" }).fill("fleet api");
  await dialog.getByRole("option", { name: /^Fleet API/ }).click();
  const refused = dialog.getByRole("alert");
  await refused.waitFor();
  assert.match(await refused.innerText(), /Fleet API|below|cycle/);
  assert.equal(await dialog.getByRole("button", { name: /^Move \d/ }).count(), 0, "the refusal appears before the confirmation");
  const { parent_id: parent } = await demo.request("GET", `/workspaces/${DEMO.backendLead}`);
  assert.equal(parent, DEMO.engineering);
  await ada.close();
});

test("YAML import shows a preview first, and names an error without changes", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open();
  await ada.page.getByRole("button", { name: "Import…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Import an org" });
  const text = dialog.getByLabel("Or its text");
  await text.fill("name: Tidewater\nchildren:\n  - name: Harbour\n    rolle: keeper");
  await dialog.getByRole("button", { name: "Preview import" }).click();
  await dialog.getByRole("alert").getByText(/rolle/).waitFor();

  const memory = "{ content: The tide turns at nine, scope: TEAM }";
  const document = `name: Tidewater\nchildren:\n  - name: Harbour\n    initial_memories: [${memory}]\n  - name: Pier`;
  const file = { name: "tidewater.yaml", mimeType: "application/yaml", buffer: Buffer.from(document) };
  await dialog.getByLabel("File").setInputFiles(file);
  await dialog.getByRole("button", { name: "Preview import" }).click();
  await dialog.getByRole("row", { name: "Workspaces 3 0" }).waitFor();
  await dialog.getByRole("row", { name: "Memories 1 0" }).waitFor();
  const { orgs } = await demo.request("GET", "/admin/tree");
  assert.ok(orgs.every(({ name }) => name !== "Tidewater"), "nothing is created by the preview");
  await dialog.getByRole("button", { name: "Import 3 workspaces" }).click();
  await ada.page.getByRole("heading", { level: 1, name: "Tidewater" }).waitFor();
  await ada.waitForText("The tide turns at nine", ".memory");

  await ada.page.getByRole("link", { name: "Orgs", exact: true }).click();
  await ada.page.getByRole("button", { name: "Import…" }).click();
  await text.fill(document);
  await dialog.getByRole("button", { name: "Preview import" }).click();
  await dialog.getByRole("row", { name: "Workspaces 0 3" }).waitFor();
  await dialog.getByRole("button", { name: "Import", exact: true }).waitFor();
  await ada.close();
});

test("bulk tagging can be undone, and keeps refused memories selected with the reasons", async () => {
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  const content = (what) => `The lamp of bay ${what} flickers`;
  for (const what of ["one", "two"]) await demo.request("POST", at, { content: content(what), scope: "LOCAL", tags: ["old"] });
  const foreign = `/workspaces/${DEMO.telemetryIngest}/memories`;
  await demo.request("POST", foreign, { content: content("three"), scope: "TEAM" });
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.fleetApi, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories?q=lamp+bay+flickers&order=recent`);
  await ada.page.locator(".memory", { hasText: "bay three" }).waitFor();
  await ada.press("j", "x", "j", "x", "j", "x");
  await ada.page.getByRole("button", { name: "Tags…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: /^Tag \d memor/ });
  await dialog.getByLabel("Add").fill("lamps, bays");
  await dialog.getByLabel("Remove").fill("old");
  await dialog.getByRole("button", { name: "Tag 3 memories" }).click();
  await dialog.getByText("1 memory was refused and stays selected:").waitFor();
  await ada.press("Escape");
  const tags = async () => (await demo.request("GET", `${at}?q=lamp+bay+flickers`)).filter((each) => /lamp/.test(each.content)).map((each) => each.tags.join());
  assert.deepEqual((await tags()).sort(), ["", "lamps,bays", "lamps,bays"]);
  await ada.page.locator(".toasts").getByRole("button", { name: "Undo" }).click();
  await ada.page.locator(".memory", { hasText: "#old" }).nth(1).waitFor();
  assert.deepEqual((await tags()).sort(), ["", "old", "old"]);
  await ada.close();
});

test("tokens are listed without their values, and can be revoked", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  const tokens = `/workspaces/${DEMO.engineering}/tokens`;
  const { token: night } = await demo.request("POST", tokens, { role: "agent", subject: "agent:the night shift" });
  await demo.request("POST", tokens, { role: "agent", subject: "agent:nobody yet" });
  await demo.request("GET", `/workspaces/${DEMO.engineering}/memories?limit=1`, undefined, night);
  await ada.open(`w/${DEMO.engineering}/connect`);
  await ada.page.getByRole("row", { name: /nobody yet agent .* never/ }).waitFor();
  assert.doesNotMatch(await ada.page.getByRole("row", { name: /the night shift/ }).innerText(), /never/);
  await ada.page.getByRole("button", { name: "Issue a token" }).click();
  await ada.page.getByRole("row", { name: /^agent:Engineering agent/ }).waitFor();
  const row = ada.page.getByRole("row", { name: /the night shift/ });
  // another user has a console open with this token
  const ben = await newUser(browser, demo, { token: night });
  await ben.open(`w/${DEMO.engineering}/memories`);
  await ben.page.locator(".live.on").waitFor();
  await row.getByRole("button", { name: "Revoke…" }).click();
  await ada.waitForText("1 event stream is open on this server now and will close.", "dialog");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Revoke 1 token" }).click();
  await row.getByText(/revoked/).waitFor();
  await ben.page.getByRole("dialog").getByLabel("Token").waitFor();
  await ben.close();
  await ada.page.getByRole("button", { name: "Revoke all tokens" }).click();
  await ada.waitForText(/^2 tokens issued here are still valid\..* 0 event streams are open on this server now/, "dialog");
  await ada.page.getByRole("dialog").getByRole("button", { name: "Revoke all tokens" }).click();
  await ada.page.getByRole("row", { name: /^agent:Engineering agent .* revoked/ }).waitFor();
  await ada.close();
});
