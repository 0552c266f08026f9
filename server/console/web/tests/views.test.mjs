// Details of the views: names of any script, defects, bad addresses, a server that is away, and the layout.

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

const home = DEMO.fleetApi;
const admin = async (more = {}) => newUser(browser, demo, { token: await demo.adminToken(), ...more });

/** The horizontal centre of the first occurrence of a word within an element. */
const centreOf = (locator, word) =>
  locator.evaluate((element, word) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const start = text.data.indexOf(word);
      if (start < 0) continue;
      const range = new Range();
      range.setStart(text, start);
      range.setEnd(text, start + word.length);
      const { left, right } = range.getBoundingClientRect();
      return (left + right) / 2;
    }
    return undefined;
  }, word);

test("a right-to-left name does not reorder the sentence around it", async () => {
  const team = "צוות 7 (ירוק)";
  const { id } = await demo.request("POST", "/workspaces", { name: team, parent_id: DEMO.engineering });
  const ada = await admin();
  await ada.open(`w/${id}/reach?with=${DEMO.backendLead}`);
  const sentence = ada.page.locator(".compare .sentence");
  const order = [];
  for (const word of ["צוות", "and", "Backend", "siblings"]) order.push(await centreOf(sentence, word));
  assert.deepEqual(order, order.toSorted((a, b) => a - b), "the words are in reading order");
  const reason = ada.page.locator(".compare .reach-why", { hasText: "only its author" }).last();
  const words = [];
  for (const word of ["only", "author", "ירוק", "reads"]) words.push(await centreOf(reason, word));
  assert.deepEqual(words, words.toSorted((a, b) => a - b), "the server's sentence too");
  await ada.close();
});

test("a defect of a view leaves the rest of the page usable", async () => {
  const ada = await admin();
  let isBroken = true;
  await ada.page.route(/\/workspaces\/[^/]+\/runs\?/, (route) => (isBroken ? route.fulfill({ json: [null] }) : route.fallback()));
  await ada.page.goto(`${demo.url}/console/w/${home}/runs`);
  await ada.page.getByRole("heading", { name: "This view failed" }).waitFor();
  await ada.page.getByRole("treeitem").first().waitFor();
  isBroken = false;
  await ada.page.reload();
  await ada.page.getByRole("heading", { level: 1, name: "Fleet API" }).waitFor();
  assert.ok(ada.errors.length > 0, "the browser's log has the defect");
  ada.errors.length = 0;
  await ada.close();
});

test("a defect of the tree or of the header leaves the view and the rest usable", async () => {
  const ada = await admin();
  let broken;
  const changed = (change) => async (route) => {
    const response = await route.fetch();
    const data = await response.json();
    change(data);
    await route.fulfill({ response, json: data });
  };
  const defect = { tree: (node) => Object.assign(node, { last_write_at: "no time" }), header: (workspace) => Object.assign(workspace, { path: [null] }) };
  const workspace = new RegExp(`/workspaces/${home}$`);
  await ada.page.route(/\/workspaces\/[^/]+\/tree/, (route) => (broken === "tree" ? changed(defect.tree)(route) : route.fallback()));
  await ada.page.route(workspace, (route) => (broken === "header" ? changed(defect.header)(route) : route.fallback()));
  for (const [part, text] of [["tree", "The tree failed"], ["header", "The header failed"]]) {
    broken = part;
    await ada.page.goto(`${demo.url}/console/w/${home}/runs`);
    const alert = ada.page.getByRole("alert").filter({ hasText: text });
    await alert.waitFor();
    await ada.page.getByRole("heading", { level: 1, name: "Fleet API" }).waitFor();
    await ada.screenshot(`failed-${part}`);
    await ada.page.getByRole("link", { name: "State", exact: true }).click();
    await ada.page.waitForURL(/state$/);
    if (part === "header") await ada.page.getByRole("treeitem", { name: /^Engineering/ }).waitFor();
    else await ada.page.getByRole("button", { name: "Search or jump" }).waitFor();
    broken = undefined;
    await ada.page.goto(`${demo.url}/console/w/${home}/runs`);
    await ada.page.getByRole("treeitem", { name: /^Fleet API/ }).waitFor();
    assert.equal(await alert.count(), 0);
  }
  assert.ok(ada.errors.length > 0, "the browser's log has the defects");
  ada.errors.length = 0;
  await ada.close();
});

test("a bad address is answered with its fault", async () => {
  const ada = await admin();
  const answers = {
    "w/not-an-id/memories": /The address contains “not-an-id”, which is not the id of a workspace/,
    "w/%E0%A4%A/memories": /which is not the id of a workspace/,
    "%E0%A4%A": /no page at this address/,
    [`w/${home}/nope`]: /no page at this address/,
    [`w/${home}/memories?m=garbage`]: /Not found/,
    [`w/${home}/memories?since=garbage`]: /`since`/,
    [`w/${home}/memories?min_confidence=seven`]: /`min_confidence`/,
    [`w/${home}/memories?scope=NOPE`]: /`scope`|NOPE/,
    [`w/${home}/memories?q=docks&mode=nope`]: /nope/,
    [`w/${home}/state?key=no-such-key`]: /Not found/,
    [`w/${home}/reach?with=garbage`]: /Not found/,
    [`w/${home}/profiles?profile=garbage`]: /no profile with the id in the address/,
    [`w/${home}/runs?run=garbage`]: /Not found/,
  };
  for (const [path, answer] of Object.entries(answers)) {
    await ada.page.goto(`${demo.url}/console/${path}`);
    await ada.page.locator("main", { hasText: answer }).waitFor();
    assert.equal(await ada.page.getByText("This view failed").count(), 0, path);
  }
  await ada.close();
});

test("the live mark says in words that the server is away, on every page and width", async () => {
  const server = await startServer();
  const { id } = await server.request("POST", "/workspaces", { name: "Lone" });
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  const narrow = await newUser(browser, server, { token: await server.adminToken(), width: 390 });
  await ada.open("system");
  await narrow.open(`w/${id}/memories`);
  await narrow.page.locator(".live.on").waitFor();
  await server.kill();
  await ada.page.getByRole("button", { name: "Refresh" }).click();
  for (const someone of [ada, narrow]) {
    const mark = someone.page.locator(".live", { hasText: "No connection" });
    await mark.waitFor();
    assert.ok((await mark.boundingBox()).width > 60, "the words are visible");
  }
  await server.restart();
  await ada.page.locator(".live").waitFor({ state: "detached" });
  await narrow.page.locator(".live.on").waitFor();
  await ada.close();
  await narrow.close();
  await server.stop();
});

test("the focus never falls to the body when the focused element disappears", async () => {
  const { id } = await demo.request("POST", `/workspaces/${home}/memories`, { content: "The focus stays somewhere", scope: "LOCAL" });
  const ada = await admin();
  const focused = async (what) => {
    await ada.page.waitForFunction(() => document.activeElement !== document.body);
    assert.ok(await ada.focused(), what);
  };
  await ada.open(`w/${home}/memories?kind=fact&m=${id}`);
  await ada.page.getByRole("button", { name: /kind fact/ }).click();
  await ada.page.getByRole("button", { name: /kind fact/ }).waitFor({ state: "detached" });
  await focused("a removed filter");
  const mark = ada.page.locator(".drawer .pinned");
  await ada.page.getByRole("button", { name: "Pin", exact: true }).click();
  await mark.waitFor();
  await ada.page.locator(".toasts").getByRole("button", { name: "Undo" }).click();
  await mark.waitFor({ state: "detached" });
  await focused("a toast");
  // the reload after the undo would show the new memory itself
  await ada.waitUntilLoaded();
  await demo.request("POST", `/workspaces/${home}/memories`, { content: "A new arrival", scope: "LOCAL" });
  await ada.page.locator("button.arrivals").click();
  await ada.page.locator("button.arrivals").waitFor({ state: "detached" });
  await focused("new arrivals");
  await ada.page.locator(".drawer").getByRole("button", { name: "Close" }).click();
  await focused("a drawer");
  await ada.close();
});

/** How many digits the visible part of a field shows. */
const capacity = (field) =>
  field.evaluate((field) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = document.createElement("canvas").getContext("2d");
    context.font = font;
    return (field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / context.measureText("0").width;
  });

test("the query field shows 30 characters, or 20 on a phone, with and without a query", async () => {
  const ada = await admin();
  for (const query of ["", "?q=docks"]) {
    await ada.open(`w/${home}/memories${query}`);
    for (const [width, least] of [[1920, 30], [1440, 30], [1280, 30], [1024, 30], [400, 20]]) {
      await ada.page.setViewportSize({ width, height: 800 });
      const shown = await capacity(ada.page.getByLabel("Search readable memories"));
      assert.ok(shown >= least, `${shown} characters at ${width} px ${query}`);
      assert.ok(await ada.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `fits ${width} px`);
    }
  }
  await ada.close();
});

test("the controls below the query field are one line at 1440 px with the drawer open, with and without a query", async () => {
  const { id } = (await demo.request("GET", `/workspaces/${home}/memories?q=docks`))[0];
  const ada = await admin({ width: 1440, height: 900 });
  for (const query of ["", "q=docks&"]) {
    await ada.open(`w/${home}/memories?${query}m=${id}`);
    const tops = await ada.page.locator(".filter-line > :not(.search):visible").evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
    assert.ok(tops.length >= 4 && Math.max(...tops) - Math.min(...tops) < 8, `${query} ${tops}`);
    for (const name of ["All", "LOCAL", "TEAM", "GLOBAL", "Filter", "View as agent", "Write"]) {
      await ada.page.getByRole("button", { name: new RegExp(`^${name}`) }).first().waitFor();
    }
  }
  await ada.close();
});

test("figures have labels, and the question why something is missing is above the results", async () => {
  const ada = await admin();
  await ada.open(`w/${home}/memories?q=docks`);
  const row = ada.page.locator(".memory").first();
  assert.match(await row.innerText(), /confidence 0\.\d/);
  const [link, first] = await Promise.all([ada.page.getByRole("link", { name: "Something missing? Find out why" }).boundingBox(), row.boundingBox()]);
  assert.ok(link.y < first.y);
  assert.deepEqual(await ada.page.locator(".tree-columns span").allInnerTexts(), ["Memories", "Written"]);
  await ada.open(`w/${home}/reach`);
  assert.match(await ada.page.locator(".reach h3").first().innerText(), /1 workspace/);
  await ada.close();
});

test("a chosen name is shown in its field, and gains and losses differ in word and form", async () => {
  const ada = await admin();
  await ada.open(`w/${DEMO.backendLead}/reach`);
  await ada.page.getByRole("button", { name: "Actions" }).click();
  await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
  const field = ada.page.getByRole("dialog").getByRole("combobox");
  await field.fill("Data Lead");
  await ada.page.getByRole("option", { name: /^Data Lead/ }).click();
  assert.equal(await field.inputValue(), "Data Lead");
  const form = (kind) => ada.page.locator(`.preview .${kind}`).first().evaluate((mark) => [mark.querySelector("strong").textContent, getComputedStyle(mark).borderTopStyle]);
  await ada.page.locator(".preview .loss").first().waitFor();
  assert.deepEqual([await form("gain"), await form("loss")], [["gains", "solid"], ["loses", "dashed"]]);
  await ada.close();
});

test("the timeline shows a commit once", async () => {
  const { id } = await demo.request("POST", "/workspaces", { name: "Once", parent_id: DEMO.engineering });
  const memories = ["one", "two", "three"].map((content) => ({ content, scope: "LOCAL" }));
  await demo.request("POST", `/workspaces/${id}/memories/batch`, { memories });
  await demo.request("POST", `/workspaces/${id}/activity`, { activity_type: "agent_log", summary: "an own note" });
  const ada = await admin();
  await ada.open(`w/${id}/timeline`);
  await ada.waitForText("an own note");
  assert.deepEqual((await ada.page.locator(".hit-text").allInnerTexts()).map((text) => text.trim()).toSorted(), ["an own note", "one", "three", "two"]);
  await ada.page.getByRole("button", { name: "Activity" }).click();
  await ada.waitForText("committed a LOCAL fact");
  await ada.close();
});
