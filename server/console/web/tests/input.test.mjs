// What the user types survives: numbers and tags unchanged, and no text discarded without a question.

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

const home = DEMO.fleetApi;
const entries = `/workspaces/${home}/memory`;
const commit = async (content, more = {}) =>
  (await demo.request("POST", `/workspaces/${home}/memories`, { content, scope: "LOCAL", ...more })).id;
const read = (id) => demo.request("GET", `/workspaces/${home}/memories/${id}`);
const admin = async () => newUser(browser, demo, { token: await demo.adminToken() });

/** The body of a response as text, because JSON.parse would round its numbers. */
async function textOf(path) {
  const headers = { Authorization: `Bearer ${await demo.adminToken()}` };
  return (await fetch(demo.url + path, { headers })).text();
}

test("numbers of a key keep their digits and notation when another part is edited", async () => {
  const numbers = '"big":12345678901234567890,"one":1.0,"long":-9007199254740993,"small":1e-7';
  const headers = { Authorization: `Bearer ${await demo.adminToken()}`, "Content-Type": "application/json" };
  const body = `{"key":"exact","value":{${numbers},"note":"a"}}`;
  assert.equal((await fetch(demo.url + entries, { method: "POST", headers, body })).status, 200);
  const valueOf = (text) => /"value":(\{.*?\})/.exec(text)[1];
  const before = valueOf(await textOf(`${entries}/exact`));
  const ada = await admin();
  await ada.open(`w/${home}/state?key=exact`);
  await ada.page.locator("tr", { hasText: "12345678901234567890" }).waitFor();
  const field = ada.page.getByRole("textbox", { name: "Value" });
  const shown = await field.inputValue();
  for (const number of ["12345678901234567890", "1.0", "-9007199254740993"]) assert.ok(shown.includes(number), shown);
  await field.fill(shown.replace('"a"', '"b"'));
  await ada.page.getByRole("button", { name: "Save" }).click();
  await ada.waitForText("Saved as version 2.");
  assert.equal(valueOf(await textOf(`${entries}/exact`)), before.replace('"a"', '"b"'));
  await ada.close();
});

test("tags with commas and quotes survive an edit of the title", async () => {
  const tags = ["red, green", "plain", 'a "quoted" one', "ends,"];
  const id = await commit("The lamp has four colours", { tags });
  const ada = await admin();
  await ada.open(`w/${home}/memories?m=${id}`);
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  await drawer.getByRole("button", { name: "Tags, expiry…" }).click();
  await drawer.getByLabel("Title").fill("Lamp");
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("heading", { name: "Lamp" }).waitFor();
  assert.deepEqual([(await read(id)).title, (await read(id)).tags], ["Lamp", tags]);

  await drawer.getByRole("button", { name: "Tags, expiry…" }).click();
  await drawer.getByRole("textbox", { name: "Tags" }).fill('one, "two, three"');
  await drawer.getByRole("button", { name: "Save" }).click();
  await drawer.getByRole("link", { name: "#two, three" }).waitFor();
  assert.deepEqual((await read(id)).tags, ["one", "two, three"]);
  await ada.close();
});

test("confidence takes any value from 0 to 1, and Ctrl Enter passes the checks of the form", async () => {
  const ada = await admin();
  await ada.open(`w/${home}/memories?write=1`);
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Content" }).fill("Any confidence will do");
  await dialog.getByLabel("Confidence").fill("1.5");
  await ada.press("Control+Enter");
  assert.equal(await dialog.getByLabel("Confidence").evaluate((field) => field.validity.rangeOverflow), true);
  await dialog.getByLabel("Confidence").fill("0.123");
  await ada.press("Control+Enter");
  await ada.waitForText("confidence 0.123");
  await ada.close();
});

/** Types into the editor of this memory. */
async function edit(ada, id, text) {
  await ada.open(`w/${home}/memories?m=${id}`);
  await ada.page.getByRole("complementary", { name: "Memory" }).getByRole("button", { name: "Edit", exact: true }).click();
  await ada.page.getByRole("textbox", { name: "Content" }).fill(text);
}

test("unsaved text of a memory stays until the user confirms: Escape, close, another row, Back, a tab, a reload", async () => {
  const other = await commit("The other row of the list");
  const id = await commit("The text as it was");
  const ada = await admin();
  await ada.open(`w/${home}/memories`);
  const field = ada.page.getByRole("textbox", { name: "Content" });
  const question = ada.page.getByRole("dialog", { name: "Discard unsaved text?" });
  await ada.page.locator(`[data-row="${id}"]`).click();
  const address = ada.page.url();
  await ada.page.getByRole("button", { name: "Edit", exact: true }).click();
  await field.fill("The text as typed");
  const ways = {
    Escape: async () => {
      await ada.page.getByRole("complementary", { name: "Memory" }).focus();
      await ada.press("Escape");
    },
    close: () => ada.page.getByRole("complementary", { name: "Memory" }).getByRole("button", { name: "Close" }).click(),
    cancel: () => ada.page.getByRole("button", { name: "Cancel" }).click(),
    row: () => ada.page.locator(`[data-row="${other}"]`).click(),
    back: () => ada.page.evaluate(() => history.back()),
    tab: () => ada.page.getByRole("link", { name: "Timeline", exact: true }).click(),
    tree: () => ada.page.getByRole("treeitem").first().click(),
  };
  for (const [name, leave] of Object.entries(ways)) {
    await leave();
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    assert.deepEqual([await field.inputValue(), ada.page.url()], ["The text as typed", address], name);
  }
  // a change of the list keeps the drawer, so it asks nothing
  await ada.page.getByRole("button", { name: /^LOCAL/ }).click();
  await ada.page.waitForURL(/scope=LOCAL/);
  assert.deepEqual([await question.count(), await field.inputValue()], [0, "The text as typed"]);

  const asked = ada.page.waitForEvent("dialog");
  const reload = ada.page.evaluate(() => location.reload());
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
  await reload;
  assert.equal(await field.inputValue(), "The text as typed");

  await ways.row();
  await question.getByRole("button", { name: "Discard" }).click();
  await ada.page.waitForURL(new RegExp(`m=${other}`));
  assert.equal(await field.count(), 0);
  await ada.waitForAnyFocus();
  assert.equal((await read(id)).content, "The text as it was");
  await ada.page.evaluate(() => history.back());
  await ada.page.waitForURL(new RegExp(`m=${id}`));
  await ada.close();
});

test("unsaved text of the other forms stays until the user confirms", async () => {
  await demo.request("POST", entries, { key: "draft", value: "old" });
  const id = await commit("A memory with a reason to go");
  const ada = await admin();
  const question = ada.page.getByRole("dialog", { name: "Discard unsaved text?" });
  const forms = [
    [`w/${home}/memories?write=1`, async () => {}, "Content"],
    [`w/${home}/memories?m=${id}`, () => ada.page.getByRole("button", { name: "Tags, expiry…" }).click(), "Title"],
    [`w/${home}/memories?m=${id}`, () => ada.page.getByRole("button", { name: "Redact…" }).click(), "Reason"],
    [`w/${home}/state?key=draft`, async () => {}, "Value"],
    [`w/${home}/state?new=1`, async () => {}, "Key"],
    [`w/${home}/profiles?profile=new`, async () => {}, "Name"],
    [`w/${home}/memories`, () => ada.page.getByRole("button", { name: "New child workspace" }).click(), "Name"],
    ["", () => ada.page.getByRole("button", { name: /Import/ }).click(), "Or its text"],
  ];
  for (const [path, begin, label] of forms) {
    await ada.page.goto("about:blank");
    await ada.open(path);
    await begin();
    const field = ada.page.getByRole("textbox", { name: label, exact: true });
    await field.fill("typed");
    if (path.includes("profile=")) await ada.page.getByRole("link", { name: "Timeline", exact: true }).click();
    else if (path.includes("state")) await ada.page.getByRole("button", { name: "Close" }).click();
    else if (label === "Title") await ada.page.getByRole("button", { name: "Cancel" }).click();
    else await ada.press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await field.inputValue(), "typed", `${path} ${label}`);
    await field.fill(label === "Value" ? '"old"' : "");
  }
  await ada.page.goto("about:blank");
  await ada.close();
});

test("text stays when somebody redacts the memory that is edited", async () => {
  const id = await commit("Something that will be redacted");
  const ada = await admin();
  await edit(ada, id, "Text that was typed meanwhile");
  await demo.request("POST", `/workspaces/${home}/memories/${id}/redact`, { reason: "a secret" });
  await ada.waitForText("Redacted", ".drawer");
  assert.equal(await ada.page.getByRole("textbox", { name: "Content" }).inputValue(), "Text that was typed meanwhile");
  await ada.page.getByRole("button", { name: "Save" }).click();
  await ada.waitForText("It was not stored; your text is still here.", ".drawer");
  await ada.page.getByRole("button", { name: "Cancel" }).click();
  await ada.page.getByRole("button", { name: "Discard" }).click();
  await ada.page.getByRole("textbox", { name: "Content" }).waitFor({ state: "detached" });
  await ada.close();
});
