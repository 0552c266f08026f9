// Hostile stored content is shown as plain text and has no effect.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

const HOSTILE = [
  "<script>window.hurt = 1</script>",
  "<img src=x onerror='window.hurt = 1'>",
  "javascript:window.hurt=1 [click](javascript:window.hurt=1)",
  "\u202Eright to left override\u202C and \u2066isolated",
  "{{constructor.constructor('window.hurt=1')()}}",
  "👩‍👩‍👧‍👦 ﷽ Z̷̢̧͖̭̤͓̬̆͂̒̓̐̚͠͝a̴l̵g̶o̷",
  "x".repeat(4_000),
];
const NAME = "\"><img src=x onerror=window.hurt=1>\u202Eeman";

let browser;
let server;
let token;
let root;
const memories = [];
const runs = [];
const documents = [];
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startServer()]);
  token = await server.adminToken();
  root = await server.request("POST", "/workspaces", { name: NAME, role: HOSTILE[0] });
  await server.request("POST", "/workspaces", { name: "y".repeat(200), parent_id: root.id });
  const at = `/workspaces/${root.id}`;
  for (const content of HOSTILE) {
    const tags = [content.slice(0, 40).replace(/[\s,]/g, "_")];
    const more = { namespace: content.slice(0, 50), tags, subject: content.slice(0, 60), session_id: content.slice(0, 60) };
    memories.push((await server.request("POST", `${at}/memories`, { content, scope: "GLOBAL", ...more })).id);
    await server.request("POST", `${at}/memory`, { key: content.slice(0, 60), value: { [content.slice(0, 30)]: content } });
    const body = { request_body: { content }, response_body: content, summary: content };
    await server.request("POST", `${at}/activity`, { activity_type: "agent_log", method: content.slice(0, 40), ...body });
  }
  for (const content of HOSTILE.slice(0, -1)) {
    const { run_id: id } = await server.request("POST", `${at}/runs`, { label: content, session_id: content.slice(0, 60) });
    runs.push(id);
    await server.request("POST", `${at}/memories`, { content: `${content} held`, scope: "LOCAL", run_id: id });
    await server.request("POST", `${at}/tokens`, { role: "agent", subject: content });
  }
  await server.request("PUT", `${at}/collections/hostile`, { key: "id" });
  for (const content of HOSTILE) {
    const [title, source_uri] = [content.slice(0, 150), content.slice(0, 200)];
    const document = { title, content: `# ${content.slice(0, 200)}\n\n${content}`, media_type: "text/markdown", scope: "GLOBAL" };
    documents.push((await server.request("POST", `${at}/documents`, { ...document, source_uri, author: title, tags: [title.slice(0, 40).replace(/[\s,]/g, "_")] })).id);
    await server.request("POST", `${at}/collections/hostile/rows`, [{ id: content.slice(0, 60), [content.slice(0, 30)]: content }]);
  }
  const dimensions = ["one", "two"].map((name) => ({ name, columns: [name] }));
  const definition = { name: "hostile", description: HOSTILE[1], collection: "hostile", dimensions, template: `{one} {two} ${HOSTILE[0]}` };
  await server.request("POST", `${at}/processors`, { definition });
  const wide = await server.request("POST", `${at}/memories`, { content: "w".repeat(64 * 1024), scope: "GLOBAL" });
  memories.push(wide.id);
});
after(async () => {
  await browser.close();
  await server.stop();
});

for (const width of [360, 1280]) {
  test(`hostile content has no effect and breaks no layout at ${width} px`, async () => {
    const ada = await newUser(browser, server, { token, width });
    await ada.page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => console.error(`refused by policy: ${event.violatedDirective}`));
    });
    const places = ["", `w/${root.id}/state`, `w/${root.id}/timeline`, `w/${root.id}/reach`, `w/${root.id}/memories?lens=reads`];
    places.push(`w/${root.id}/memories?eyes=agent`, `w/${root.id}/timeline?kind=reads`, `w/${root.id}/connect`);
    places.push(...runs.map((id) => `w/${root.id}/runs?run=${id}`));
    places.push(...memories.map((id) => `w/${root.id}/memories?m=${id}`));
    places.push(...HOSTILE.map((content) => `w/${root.id}/memories?q=${encodeURIComponent(content.slice(0, 200))}`));
    places.push(...HOSTILE.map((content) => `w/${root.id}/state?key=${encodeURIComponent(content.slice(0, 60))}`));
    places.push(`w/${root.id}/knowledge`, `w/${root.id}/knowledge?view=collections&collection=hostile`);
    places.push(`w/${root.id}/knowledge?view=processors&processor=hostile`);
    places.push(...documents.map((id) => `w/${root.id}/knowledge?document=${id}`));
    places.push(...HOSTILE.map((content) => `w/${root.id}/knowledge?view=collections&collection=hostile&row=${encodeURIComponent(content.slice(0, 60))}`));
    places.push(...HOSTILE.map((content) => `w/${root.id}/subject?subject=${encodeURIComponent(content.slice(0, 60))}`));
    for (const place of places) {
      await ada.open(place);
      const sign = place.includes("?m=") ? ".drawer .content" : place.includes("?key=") ? ".drawer textarea" : place.includes("?run=") ? ".pending del" : "h1";
      await ada.page.locator(sign).first().waitFor();
      const wide = await ada.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${place.slice(0, 80)} is ${wide} px too wide`);
      assert.equal(await ada.page.evaluate(() => window.hurt), undefined, place);
    }
    await ada.screenshot(`hostile-${width}`);
    await ada.close();
  });
}

/** Characters with and without a mark: the server decides which of them are hidden. */
const HIDDEN = [
  "tags \u{E0041}\u{E0042}, override \u202Eabc\u202C, isolate \u2066x\u2069, escape \u001B[31m, null-like \u0001 and \u009B",
  "zero width a\u200Bb a\u200Cb a\u200Db \uFEFF, soft\u00ADhyphen, filler \u3164 \u115F, Braille \u2800, separators \u2028 \u2029",
  "می\u200Cخواهم क्\u200Dष \u200C👩\u200D👩\u200D👧 ❤\uFE0F a\uFE0F 1\uFE0F\u20E3 👍\u200Dx \u200D👍 ᠠ\u180B x\u180B \u2801\u2800 \u0600\u06DD",
  "lines\r\nof text\rand a\ttab, \u200B\u200C\u200D\u202E\u202D in a row, \u{E0100} ﷽ Z̷̢a, \uFFF9note\uFFFB \u{1D173}",
];

/** In the page: the text of an element with an escape for each marked character. */
const escaped = (element) => {
  const copy = element.cloneNode(true);
  for (const mark of copy.querySelectorAll(".hidden-character")) {
    mark.textContent = `\\u{${mark.textContent.codePointAt(0).toString(16).toUpperCase()}}`;
  }
  return copy.textContent;
};

test("hidden characters are marked where agents receive an escape, and copied as they are", async () => {
  const reader = await server.request("POST", "/workspaces", { name: "Reader", parent_id: root.id });
  const agent = await server.token(reader.id, "agent");
  const ada = await newUser(browser, server, { token });
  for (const content of HIDDEN) {
    const { id } = await server.request("POST", `/workspaces/${root.id}/memories`, { content, scope: "GLOBAL" });
    const { content: quoted } = await server.request("GET", `/workspaces/${reader.id}/memories/${id}`, undefined, agent);
    await ada.open(`w/${root.id}/memories?m=${id}`);
    const shown = ada.page.locator(".drawer .content");
    await shown.waitFor();
    assert.equal(await shown.evaluate((element) => element.textContent), content);
    const visible = await shown.evaluate(escaped);
    assert.ok(quoted.endsWith(visible), `${JSON.stringify(quoted)} does not end with ${JSON.stringify(visible)}`);
    const copied = await shown.evaluate((element) => {
      getSelection().selectAllChildren(element);
      return getSelection().toString();
    });
    assert.equal(copied, content);
    await ada.screenshot(`hidden-${HIDDEN.indexOf(content)}`);
  }
  await ada.close();
});

test("hidden characters of names and labels are marked, and escaped in sentences and titles", async () => {
  const name = "Ops\u200B\u202EdaeL";
  const { id } = await server.request("POST", "/workspaces", { name, parent_id: root.id });
  const tag = "t\u{E0041}g";
  const labels = { title: `T\u200Bitle`, tags: [tag], namespace: "n\u200Bs", kind: "fact", subject: "s\u200Bub", session_id: "s\u200Bes" };
  const memory = await server.request("POST", `/workspaces/${id}/memories`, { content: "plain", scope: "LOCAL", ...labels });
  const ada = await newUser(browser, server, { token });
  await ada.open(`w/${id}/memories?m=${memory.id}`);
  const drawer = ada.page.locator(".drawer");
  await drawer.locator(".tags").waitFor();
  const marked = async (locator, text) => assert.equal(await locator.first().evaluate(escaped), text);
  await marked(ada.page.getByRole("heading", { level: 1 }).locator("bdi"), "Ops\\u{200B}\\u{202E}daeL");
  await marked(ada.page.locator(`#tree-${id} .name bdi`), "Ops\\u{200B}\\u{202E}daeL");
  await marked(drawer.locator(".tags bdi"), "#t\\u{E0041}g");
  await marked(drawer.locator("h3 bdi"), "T\\u{200B}itle");
  await marked(drawer.locator(".drawer-facts bdi").last(), "n\\u{200B}s");
  for (const [label, text] of [["Subject", "s\\u{200B}ub"], ["Session", "s\\u{200B}es"]]) {
    await marked(drawer.locator(".facts-list div", { hasText: label }).locator("bdi"), text);
  }
  await marked(ada.page.locator(".memory .fact bdi", { hasText: "#" }), "#t\\u{E0041}g");
  assert.match(await ada.page.title(), / Ops\\u\{200B\}\\u\{202E\}daeL/);
  await ada.page.getByRole("button", { name: "Actions" }).click();
  await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
  await ada.page.getByRole("dialog", { name: "Move Ops\\u{200B}\\u{202E}daeL" }).waitFor();
  await ada.screenshot("hidden-names");
  await ada.press("Escape");
  // a name within a row of the server, in a sentence
  await server.request("GET", `/workspaces/${id}/memories/${memory.id}`, undefined, await server.token(id, "agent"));
  await drawer.getByRole("button", { name: "Redact…" }).click();
  await ada.page.getByRole("dialog").getByText("Read so far by Ops\\u{200B}\\u{202E}daeL (").waitFor();
  await ada.close();
});

test("hostile content is shown character by character", async () => {
  const ada = await newUser(browser, server, { token });
  for (const [index, content] of HOSTILE.entries()) {
    await ada.open(`w/${root.id}/memories?m=${memories[index]}`);
    const shown = ada.page.locator(".drawer .content");
    await shown.waitFor();
    assert.equal(await shown.evaluate((element) => element.textContent), content);
    assert.equal(await shown.locator("a, img, script").count(), 0);
  }
  await ada.close();
});
