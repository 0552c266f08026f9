// A write whose response is lost: the page says whether it was stored or made.

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

/** Types into the editor of this memory. */
async function edit(ada, id, text) {
  await ada.open(`w/${home}/memories?m=${id}`);
  await ada.page.getByRole("complementary", { name: "Memory" }).getByRole("button", { name: "Edit", exact: true }).click();
  await ada.page.getByRole("textbox", { name: "Content" }).fill(text);
}

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
