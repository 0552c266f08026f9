// Profiles: the preview of a change matches its effect, and the context block equals the agent's.

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

const at = (workspace, rest = "") => `/workspaces/${workspace}${rest}`;
const count = async (filter = "") =>
  (await demo.request("GET", at(DEMO.fleetApi, `/memories/count${filter}`), undefined, agent)).count;

test("new default profile has the effect that its preview shows", async () => {
  const [all, global] = [await count(), await count("?scope=GLOBAL")];
  assert.ok(global > 0 && global < all);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.press("5");
  await ada.page.getByRole("button", { name: "New profile" }).waitFor();
  await ada.tabTo("New profile");
  await ada.press("Enter");
  await ada.waitForText("Available after the profile is created.");
  const form = ada.page.locator(".profile-form");
  await form.getByLabel("Name").focus();
  await ada.page.keyboard.type("night shift");
  const effect = form.locator("fieldset", { hasText: "Isolation" }).getByRole("status");
  assert.match(await effect.innerText(), /its own context block/);
  await ada.tabTo(/^Default profile/);
  await ada.press("Space");
  assert.match(await effect.innerText(), /^In force now/);
  await ada.press("Tab", "ArrowDown");
  await effect.getByText(`After saving, the workspace can no longer read ${global} memories.`).waitFor();
  assert.equal(await count(), all, "nothing has happened yet");
  await ada.screenshot("profiles-new");
  await ada.tabTo("Create profile");
  await ada.press("Enter");
  await ada.waitForText("night shift saved.", ".toasts");
  const shown = ada.page.locator(".profiles-head [aria-pressed=true]", { hasText: "night shift" });
  await shown.getByText("default").waitFor();
  await ada.page.waitForFunction(() => document.activeElement.matches(".profiles-head [aria-pressed=true]"));
  assert.deepEqual([await count(), await count("?scope=GLOBAL")], [all - global, 0]);

  // and back again
  await form.getByLabel("Everything that the tree allows").check();
  await effect.getByText("can read everything that the tree allows").waitFor();
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await effect.getByText("In force now").waitFor();
  await ada.waitForFocus("Save");
  assert.equal(await count(), all);
  await ada.close();
});

test("profile shares the pages of the workspace with its teams, and that of a root with the org", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  for (const [workspace, choices, scope] of [
    [DEMO.fleetApi, ["This workspace", "Its teams"], "TEAM"],
    [DEMO.root, ["This workspace", "Its teams", "The whole org"], "GLOBAL"],
  ]) {
    const name = `pages ${scope}`;
    await demo.request("POST", at(workspace, "/profiles"), { name });
    const { id } = (await demo.request("GET", at(workspace, "/profiles"))).find((each) => each.name === name);
    await ada.open(`w/${workspace}/profiles?profile=${id}`);
    const form = ada.page.locator(".profile-form");
    const select = form.getByLabel("Readers of its pages");
    await select.waitFor();
    assert.deepEqual(await select.locator("option").allInnerTexts(), choices);
    await select.selectOption(choices.at(-1));
    await form.getByRole("button", { name: "Save" }).click();
    await ada.waitForText(`${name} saved.`, ".toasts");
    assert.equal((await demo.request("GET", at(workspace, `/profiles/${id}`))).page_scope, scope);
  }
  await ada.close();
});

test("effect of a profile without a name is counted, and an unknown effect names the reason", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  const lost = (await count()) - (await demo.request("GET", at(DEMO.fleetApi, `/memories/count?author=${DEMO.fleetApi}`))).count;
  const said = `After saving, the workspace can no longer read ${lost} memories.`;
  assert.ok(lost > 1);
  await ada.open(`w/${DEMO.fleetApi}/profiles?profile=new`);
  // both change before the form is rendered again
  await ada.page.evaluate(() => {
    const form = document.querySelector(".profile-form");
    [...form.querySelectorAll("[name=isolation]")].at(-1).click();
    form.querySelector("[type=checkbox]").click();
  });
  const effect = ada.page.locator("fieldset", { hasText: "Isolation" }).getByRole("status");
  await effect.getByText(said).waitFor();

  const [{ name }] = await demo.request("GET", at(DEMO.fleetApi, "/profiles"));
  await ada.page.getByLabel("Name", { exact: true }).fill(name);
  await effect.getByText(`The workspace already has a profile named \`${name}\``).waitFor();

  // a dry run whose connection breaks is sent again
  let broken = 0;
  await ada.page.route(/dry_run/, (route) => (broken++ === 0 ? route.abort() : route.continue()));
  await ada.page.getByLabel("Name", { exact: true }).fill("");
  await effect.getByText(said).waitFor();
  assert.equal(broken, 2);
  await ada.close();
});

test("context block equals the agent's, and omitted memories show the reasons", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.telemetryIngest}/profiles?profile=new`);
  const form = ada.page.locator(".profile-form");
  await form.getByLabel("Name").fill("short");
  await form.getByLabel("Order").selectOption("relevance");
  await form.getByLabel("GLOBAL").uncheck();
  await form.getByLabel("LOCAL").check();
  await form.getByLabel("TEAM").check();
  await form.getByLabel("Maximum entries").fill("2");
  await form.getByLabel("Token budget").fill("400");
  await form.getByRole("textbox", { name: "Excluded kinds" }).fill("decision");
  await form.getByRole("button", { name: "Create profile" }).click();
  await ada.page.locator(".profiles-head [aria-pressed=true]", { hasText: "short" }).waitFor();
  const id = new URL(ada.page.url()).searchParams.get("profile");

  const query = "which decision did we take about docks and robots";
  await ada.page.getByLabel("Topic of the prompt").fill(query);
  await ada.press("Enter");
  await ada.page.locator(".context-block").waitFor();
  const token = await demo.token(DEMO.telemetryIngest, "agent");
  const got = await demo.request("POST", at(DEMO.telemetryIngest, "/context"), { profile_id: id, query }, token);
  assert.equal(got.entries.length, 2);
  assert.equal(await ada.page.getByLabel("The block").evaluate((block) => block.textContent), got.block);
  await ada.waitForText(`2 memories, ${got.tokens} tokens of 400`, ".context-block");
  const seen = await demo.request("POST", at(DEMO.telemetryIngest, "/context"), { profile_id: id, query });
  assert.ok(new Set(seen.left_out.map(({ why }) => why)).size > 1, "for more than one reason");
  const left = ada.page.locator(".left-out > li");
  await ada.waitForText(`Left out: ${seen.left_out.length} memories`);
  assert.equal(await left.count(), seen.left_out.length);
  for (const { reason } of seen.left_out) await ada.waitForText(new RegExp(reason, "i"), ".left-out");
  await ada.screenshot("profiles-left-out");
  await left.first().getByRole("link").click();
  await ada.page.locator(".drawer .readers, .drawer .refused").first().waitFor();
  await ada.close();
});

test("contradiction in a profile is shown at its field, and no input is lost", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.backendLead}/profiles?profile=new`);
  const form = ada.page.locator(".profile-form");
  await form.getByLabel("Name").fill("solo");
  await form.getByLabel("Only its own memories").check();
  await form.getByLabel("GLOBAL").check();
  await form.getByLabel("Maximum age").fill("1.5");
  await form.getByRole("button", { name: "Create profile" }).click();
  await form.locator("fieldset", { hasText: "Scopes" }).getByRole("alert").waitFor();
  assert.equal(await form.getByLabel("Name").inputValue(), "solo");
  await form.getByLabel("GLOBAL").uncheck();
  await form.getByRole("button", { name: "Create profile" }).click();
  await ada.waitForText("solo saved.", ".toasts");
  // a day and a half is shown in hours
  await ada.page.waitForFunction(() => !location.search.includes("new"));
  await form.getByLabel("Unit").selectOption({ label: "hours" });
  assert.equal(await form.getByLabel("Maximum age").inputValue(), "36");

  await ada.page.getByRole("button", { name: "Delete profile" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Delete the profile solo" });
  await ada.waitForFocus("Cancel");
  await dialog.getByRole("button", { name: "Delete profile" }).click();
  await ada.waitForText("solo deleted.", ".toasts");
  await ada.page.waitForFunction(() => document.activeElement.matches(".profiles-head [aria-pressed=true]"));
  const left = await demo.request("GET", at(DEMO.backendLead, "/profiles"));
  assert.deepEqual(left.map(({ name }) => name), ["default"]);
  await ada.close();
});

test("expiring memories are counted while typing, and confirmed before saving", async () => {
  const profile = at(DEMO.telemetryIngest, `/profiles/${DEMO.telemetryIngest}`);
  const own = await demo.request("GET", at(DEMO.telemetryIngest, `/memories/count?author=${DEMO.telemetryIngest}`));
  const expired = own.count - 1;
  assert.ok(expired > 1);
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.telemetryIngest}/profiles?profile=${DEMO.telemetryIngest}`);
  const form = ada.page.locator(".profile-form");
  await form.getByLabel("Maximum memories").fill("1");
  const said = `${expired} memories of this profile expire at the next sweep, within a minute: ${expired} too many.`;
  await form.getByText(said).waitFor();
  await ada.screenshot("profiles-expiring");
  // the effect of an invalid profile is unknown
  await form.getByLabel("Maximum entries").fill("99");
  await form.getByText("– memories of this profile expire at the next sweep.").waitFor();
  await form.getByLabel("Maximum entries").fill("5");
  await form.getByText(said).waitFor();
  await form.getByLabel("Maximum memories").fill("100000");
  await form.getByText(said).waitFor({ state: "detached" });
  await form.getByLabel("Maximum memories").fill("1");

  // Enter before the debounce has ended asks for confirmation too
  await ada.press("Enter");
  const dialog = ada.page.getByRole("dialog", { name: "Save default" });
  await dialog.getByText(said).waitFor();
  await ada.waitForFocus("Cancel");
  await ada.press("Enter");
  await dialog.waitFor({ state: "detached" });
  assert.deepEqual((await demo.request("GET", profile)).retention, {}, "nothing has happened");
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await dialog.getByRole("button", { name: `Save and expire ${expired} memories` }).click();
  await ada.waitForText("default saved.", ".toasts");
  assert.deepEqual((await demo.request("GET", profile)).retention, { max_entries: 1 });
  // a profile that expires nothing is saved at once
  await form.getByLabel("Maximum memories").fill("");
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await form.getByText(/expire/).waitFor({ state: "detached" });
  await ada.page.waitForFunction(() => !document.querySelector("dialog[open]"));
  await ada.close();
});

for (const role of ["viewer", "agent"]) {
  test(`${role} sees the profiles and the block, and cannot change them`, async () => {
    const ben = await newUser(browser, demo, { token: await demo.token(DEMO.fleetApi, role) });
    // a caller who may not create a profile sees the existing ones
    await ben.open(`w/${DEMO.fleetApi}/profiles?profile=new`);
    const form = ben.page.locator(".profile-form");
    await form.waitFor();
    assert.equal(await ben.page.getByRole("button", { name: /Save|profile$/ }).count(), 0);
    await form.getByLabel("Name").press("Enter");
    assert.ok(await form.getByLabel("Name").evaluate((field) => field.readOnly));
    for (const choice of ["Everything that the tree allows", "GLOBAL", /^Default profile/]) {
      assert.ok(await form.getByLabel(choice).isDisabled(), `${choice}`);
    }
    await ben.page.getByRole("button", { name: "Show the block" }).click();
    await ben.waitForText(/^\d+ memories, \d+ tokens$/, ".context-block");
    await ben.close();
  });
}
