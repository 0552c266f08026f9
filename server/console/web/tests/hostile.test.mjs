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
