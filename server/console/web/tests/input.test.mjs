// What the user types survives: numbers and tags unchanged, no text discarded without a question, and a failed save says
// whether it was stored.

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
const operator = async () => newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
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

/** Sends the next write to the server, or not, and loses the response; the server then stays away until the result. */
async function loseResponse(ada, isStored, pattern = /\/workspaces\/[^/]+\/(memories|memory|profiles)/) {
  let isAway = true;
  let wasLost = false;
  await ada.context.route(pattern, async (route) => {
    const isWrite = route.request().method() !== "GET";
    if (isWrite && !wasLost && !route.request().url().includes("dry_run")) {
      wasLost = true;
      if (isStored) await route.fetch();
      return route.abort("connectionreset");
    }
    return isAway && wasLost ? route.abort("connectionrefused") : route.fallback();
  });
  return () => {
    isAway = false;
  };
}

const UNKNOWN = "It is not known yet whether it was stored";
const NOT_STORED = "The server responds again: it was not stored.";

for (const isStored of [true, false]) {
  test(`a save whose response is lost says that it was ${isStored ? "" : "not "}stored`, async () => {
    const forms = {
      edit: async (ada) => {
        const id = await commit(`Before a lost edit, ${isStored}`);
        await edit(ada, id, `After a lost edit, ${isStored}`);
        return { name: "Save", stored: "Saved as version 2.", holds: async () => (await read(id)).version === 2 };
      },
      write: async (ada) => {
        await ada.open(`w/${home}/memories?write=1`);
        await ada.page.getByRole("textbox", { name: "Content" }).fill(`A lost commit, ${isStored}`);
        const holds = async () => (await demo.search(home, `"A lost commit, ${isStored}"`)).some(({ content }) => content === `A lost commit, ${isStored}`);
        return { name: "Write", stored: "Saved.", holds };
      },
      tags: async (ada) => {
        const id = await commit(`Lost tags, ${isStored}`);
        await ada.open(`w/${home}/memories?m=${id}`);
        await ada.page.getByRole("button", { name: "Tags, expiry…" }).click();
        await ada.page.getByRole("textbox", { name: "Tags" }).fill("lost");
        return { name: "Save", stored: "Saved.", holds: async () => (await read(id)).tags.length === 1 };
      },
      key: async (ada) => {
        const key = `lost-${isStored}`;
        await ada.open(`w/${home}/state?new=1`);
        await ada.page.getByRole("textbox", { name: "Key", exact: true }).fill(key);
        await ada.page.getByRole("textbox", { name: "Value" }).fill('{"z":1.50,"a":1}');
        return { name: "Save", stored: "Saved as version 1.", holds: async () => (await textOf(`${entries}/${key}`)).includes('"version":1') };
      },
      profile: async (ada) => {
        const name = `lost ${isStored}`;
        await ada.open(`w/${home}/profiles?profile=new`);
        await ada.page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
        const holds = async () => (await demo.request("GET", `/workspaces/${home}/profiles`)).some((each) => each.name === name);
        return { name: "Create profile", stored: `${name} saved.`, holds };
      },
    };
    for (const [form, begin] of Object.entries(forms)) {
      const ada = await admin();
      const { name, stored, holds } = await begin(ada);
      const comeBack = await loseResponse(ada, isStored);
      const save = ada.page.locator("button[type=submit]:visible", { hasText: name });
      await save.click();
      await ada.waitForText(UNKNOWN);
      comeBack();
      await ada.waitForText(isStored ? stored : NOT_STORED);
      assert.equal(await holds(), isStored, form);
      if (!isStored) {
        await save.click();
        await ada.waitForText(stored);
        assert.equal(await holds(), true, `${form}, saved again`);
      }
      await ada.context.unrouteAll({ behavior: "ignoreErrors" });
      await ada.close();
    }
  });
}

const UNDECIDED = "It is not known yet whether the change was made";
const NOT_MADE = "The server responds again: the change was not made.";

/** The status of a request of the admin. */
async function statusOf(path) {
  return (await fetch(demo.url + path, { headers: { Authorization: `Bearer ${await demo.adminToken()}` } })).status;
}

/** Actions of dialogs: how each begins, the button that sends it, and whether the server has done it. */
const ACTIONS = {
  redact: async (ada, mark) => {
    const id = await commit(`To be redacted, ${mark}`);
    await ada.open(`w/${home}/memories?m=${id}`);
    await ada.page.getByRole("button", { name: "Redact…" }).click();
    await ada.page.getByLabel("Reason").fill("a secret");
    return { button: "Redact 1 memory", isDone: async () => (await read(id)).is_redacted === true };
  },
  delete: async (ada, mark) => {
    const id = await commit(`To be deleted, ${mark}`);
    await ada.open(`w/${home}/memories?m=${id}`);
    await ada.page.getByRole("button", { name: "Delete…" }).click();
    return { button: "Delete 1 memory", isDone: async () => (await statusOf(`/workspaces/${home}/memories/${id}`)) === 404 };
  },
  redactMany: async (ada, mark) => {
    const ids = [await commit(`First of many, ${mark}`), await commit(`Second of many, ${mark}`)];
    await ada.open(`w/${home}/memories?q=${encodeURIComponent(`"of many, ${mark}"`)}`);
    await ada.page.locator(".memory mark").first().waitFor();
    await ada.press("j", "x", "j", "x", "r");
    await ada.page.getByLabel("Reason").fill("secrets");
    const isDone = async () => (await Promise.all(ids.map(read))).every((memory) => memory.is_redacted === true);
    return { button: "Redact 2 memories", isDone };
  },
  create: async (ada, mark) => {
    await ada.open(`w/${home}/runs`);
    await ada.page.getByRole("button", { name: "New child workspace" }).click();
    await ada.page.getByLabel("Name", { exact: true }).fill(`Made ${mark}`);
    const isDone = async () => (await demo.request("GET", `/workspaces?q=${encodeURIComponent(`Made ${mark}`)}`)).length === 1;
    return { button: "New child workspace", isDone };
  },
  rename: async (ada, mark) => {
    const { id } = await demo.request("POST", "/workspaces", { name: `Before ${mark}`, parent_id: DEMO.root });
    await ada.open(`w/${id}/runs`);
    await ada.page.getByRole("button", { name: "Actions" }).click();
    await ada.page.getByRole("button", { name: "Rename…" }).click();
    await ada.page.getByLabel("Name", { exact: true }).fill(`After ${mark}`);
    return { button: "Save", isDone: async () => (await demo.request("GET", `/workspaces/${id}`)).name === `After ${mark}` };
  },
  move: async (ada, mark) => {
    const { id } = await demo.request("POST", "/workspaces", { name: `Moved ${mark}`, parent_id: DEMO.root });
    await ada.open(`w/${id}/runs`);
    await ada.page.getByRole("button", { name: "Actions" }).click();
    await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
    await ada.page.getByRole("combobox", { name: "New parent" }).fill("backend lead");
    await ada.page.getByRole("option", { name: /^Backend Lead/ }).click();
    await ada.page.getByRole("status", { name: "Effect of this change" }).waitFor();
    return { button: "Move 1 workspace", isDone: async () => (await demo.request("GET", `/workspaces/${id}`)).parent_id === DEMO.backendLead };
  },
  remove: async (ada, mark) => {
    const { id } = await demo.request("POST", "/workspaces", { name: `Removed ${mark}`, parent_id: DEMO.root });
    await ada.open(`w/${id}/runs`);
    await ada.page.getByRole("button", { name: "Actions" }).click();
    await ada.page.getByRole("button", { name: "Remove…" }).click();
    return { button: "Remove 1 workspace", isDone: async () => (await statusOf(`/workspaces/${id}`)) === 410 };
  },
  import: async (ada, mark) => {
    await ada.open();
    await ada.page.getByRole("button", { name: "Import…" }).click();
    await ada.page.getByLabel("Or its text").fill(`name: Imported ${mark}\nchildren:\n  - name: Deckhand ${mark}`);
    await ada.page.getByRole("button", { name: "Preview import" }).click();
    const isDone = async () => (await demo.request("GET", `/workspaces?q=${encodeURIComponent(`Deckhand ${mark}`)}`)).length === 1;
    return { button: "Import 2 workspaces", isDone };
  },
  finishRun: async (ada, mark) => {
    const { run_id: run } = await demo.request("POST", `/workspaces/${home}/runs`, { label: `Run ${mark}` });
    await commit(`Pending ${mark}`, { run_id: run });
    await ada.open(`w/${home}/runs?run=${run}`);
    await ada.page.getByRole("button", { name: "Finish: commit 1 memory" }).click();
    const isDone = async () => (await demo.request("GET", `/workspaces/${home}/runs/${run}`)).status === "completed";
    return { button: "Finish: commit 1 memory", isDone };
  },
};

for (const isMade of [true, false]) {
  test(`an action whose response is lost says that it was ${isMade ? "" : "not "}made`, async () => {
    for (const [name, begin] of Object.entries(ACTIONS)) {
      const ada = await admin();
      const { button, isDone } = await begin(ada, `${name} ${isMade}`);
      const dialog = ada.page.locator("dialog[open]");
      const send = dialog.getByRole("button", { name: button, exact: true });
      await send.waitFor();
      const comeBack = await loseResponse(ada, isMade, /\/(workspaces|orgs)(\/|$|\?)/);
      await send.click();
      await dialog.getByText(UNDECIDED).waitFor();
      comeBack();
      if (!isMade) {
        await dialog.getByText(NOT_MADE).waitFor();
        assert.equal(await isDone(), false, name);
        await send.click();
      }
      await dialog.waitFor({ state: "detached" });
      assert.equal(await isDone(), true, name);
      await ada.context.unrouteAll({ behavior: "ignoreErrors" });
      await ada.close();
    }
  });
}

test("bulk tagging goes on after a lost response, and can be undone as a whole", async () => {
  const ids = [];
  for (const which of ["one", "two", "three"]) ids.push(await commit(`Tagged crate ${which}`));
  const ada = await admin();
  await ada.open(`w/${home}/memories?q=${encodeURIComponent('"tagged crate"')}`);
  await ada.page.locator(".memory mark").first().waitFor();
  await ada.press("j", "x", "j", "x", "j", "x");
  await ada.page.getByRole("button", { name: "Tags…" }).click();
  const dialog = ada.page.locator("dialog[open]");
  await dialog.getByLabel("Add").fill("crate");
  const comeBack = await loseResponse(ada, true);
  await dialog.getByRole("button", { name: "Tag 3 memories" }).click();
  await dialog.getByText(UNDECIDED).waitFor();
  comeBack();
  await dialog.waitFor({ state: "detached" });
  const tagsOf = async () => (await Promise.all(ids.map(read))).map(({ tags }) => tags.join());
  assert.deepEqual(await tagsOf(), ["crate", "crate", "crate"]);
  await ada.page.getByRole("button", { name: "Undo" }).click();
  await ada.page.locator(".memory .fact", { hasText: "#crate" }).first().waitFor({ state: "detached" });
  assert.deepEqual(await tagsOf(), ["", "", ""]);
  await ada.context.unrouteAll({ behavior: "ignoreErrors" });
  await ada.close();
});
