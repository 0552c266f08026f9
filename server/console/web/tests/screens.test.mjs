// Every screen, in both themes: usable by everybody, and nothing scrolls sideways at any width.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { startBrowser, visitor } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let demo;
let memory;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  memory = (await demo.ask("GET", `/workspaces/${DEMO.fleetApi}/memories?q=thundering+herd`))[0].id;
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** Each screen: its address, what shows that it is there, and keys to press first. */
const SCREENS = {
  orgs: () => ["", "table"],
  system: () => ["system", ".facts"],
  nowhere: () => ["no/such/place", ".empty"],
  memories: () => [`w/${DEMO.fleetApi}/memories`, ".memory"],
  search: () => [`w/${DEMO.fleetApi}/memories?q=docks&kind=decision`, ".memory mark"],
  nothing: () => [`w/${DEMO.fleetApi}/memories?q=zeppelin&tag=none`, ".empty"],
  drawer: () => [`w/${DEMO.fleetApi}/memories?m=${memory}&lens=reads`, ".drawer .readers"],
  write: () => [`w/${DEMO.fleetApi}/memories?write=1`, ".choice:has-text('siblings')"],
  state: () => [`w/${DEMO.fleetApi}/state`, ".keys"],
  key: () => [`w/${DEMO.fleetApi}/state?key=feature.mission_preview`, ".drawer textarea"],
  timeline: () => [`w/${DEMO.fleetApi}/timeline?q=furrow`, ".hit mark"],
  reach: () => [`w/${DEMO.fleetApi}/reach`, ".reach-rows"],
  compare: () => [`w/${DEMO.fleetApi}/reach?with=${DEMO.engineering}&lens=read_by`, ".standing"],
  connect: () => [`w/${DEMO.fleetApi}/connect`, ".snippet"],
  absent: () => ["w/01890000-0000-7000-8000-000000000001/memories", ".refused"],
  keys: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["?"], "dialog .help"],
  jump: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["Control+k"], "dialog [role=option]"],
};

async function show(someone, name) {
  const [path, sign, keys = [], then] = SCREENS[name]();
  await someone.open(path);
  await someone.page.locator(sign).first().waitFor();
  await someone.page.getByRole("treeitem").nth(1).waitFor({ state: "attached" });
  await someone.press(...keys);
  if (then) await someone.page.locator(then).first().waitFor();
}

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing on any screen, ${theme}`, async () => {
    const ada = await visitor(browser, demo, { token: await demo.adminToken(), theme, bypassCSP: true });
    const found = [];
    for (const name of Object.keys(SCREENS)) {
      await show(ada, name);
      await ada.page.evaluate(axe);
      const { violations } = await ada.page.evaluate(() => window.axe.run());
      found.push(...violations.map(({ id, nodes }) => `${name}, ${id}: ${nodes.map((node) => node.html).join("\n  ")}`));
      await ada.picture(`${name}-${theme}`);
    }
    assert.deepEqual(found, []);
    await ada.leave();
  });
}

test("signing in is a screen as well", async () => {
  const ada = await visitor(browser, demo, { bypassCSP: true });
  await ada.open();
  await ada.page.getByLabel("Token").waitFor();
  await ada.page.evaluate(axe);
  const { violations } = await ada.page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map(({ id }) => id), []);
  await ada.picture("sign-in-light");
  await ada.leave();
});

for (const width of [360, 800, 1280, 1920]) {
  test(`nothing scrolls sideways at ${width} px`, async () => {
    const ada = await visitor(browser, demo, { token: await demo.adminToken(), width });
    for (const name of Object.keys(SCREENS)) {
      await show(ada, name);
      const wide = await ada.page.evaluate(() => {
        const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        const dialog = document.querySelector("dialog[open]");
        return Math.max(beyond, dialog ? dialog.scrollWidth - dialog.clientWidth : 0);
      });
      assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
      if (width === 360) await ada.picture(`${name}-360`);
    }
    await ada.leave();
  });
}

test("what is pressed is large enough to be hit", async () => {
  const ada = await visitor(browser, demo, { token: await demo.adminToken() });
  for (const name of Object.keys(SCREENS)) {
    await show(ada, name);
    const small = await ada.page.evaluate(() => {
      const seen = [...document.querySelectorAll("button, select, input:not([type=radio], [type=checkbox]), summary")];
      const shown = seen.filter((element) => element.checkVisibility() && !element.matches(".skip"));
      const tooSmall = (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width < 24 || height < 24;
      };
      return shown.filter(tooSmall).map((element) => element.outerHTML.slice(0, 120));
    });
    assert.deepEqual(small, [], name);
  }
  await ada.leave();
});

test("the first view takes few requests", async () => {
  const ada = await visitor(browser, demo, { token: await demo.adminToken() });
  const asked = [];
  ada.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await show(ada, "memories");
  await ada.page.getByRole("treeitem", { name: /^Fleet API/ }).waitFor();
  assert.ok(asked.length <= 12, asked.join("\n"));
  await ada.leave();
});
