// Every screen, in both themes: accessible, and without sideways scrolling at any width.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A provider that does not answer. */
const ENGINE = {
  ORGMEM_PROVIDERS_ACME_URL: "http://127.0.0.1:9",
  ORGMEM_PROVIDERS_ACME_PRIVATE_HOST: "127.0.0.1",
  ORGMEM_PROVIDERS_ACME_SURFACES: "phone,mail",
};

let browser;
let demo;
let memory;
let redacted;
let run;
let procedure;
let document;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo({ settings: ENGINE })]);
  memory = (await demo.request("GET", `/workspaces/${DEMO.fleetApi}/memories?q=thundering+herd`))[0].id;
  const at = `/workspaces/${DEMO.fleetApi}/memories`;
  redacted = (await demo.request("POST", at, { content: "Not for everybody", scope: "TEAM" })).id;
  await demo.request("POST", `${at}/${redacted}/redact`, { reason: "it was not for everybody" });
  const roll = { content: "# Roll back\n\nUse it when a deploy fails.\n\n1. Freeze the queue.", title: "Roll back", kind: "procedure", scope: "TEAM" };
  procedure = (await demo.request("POST", at, roll)).id;
  const runs = `/workspaces/${DEMO.fleetApi}/runs`;
  for (const [number, status] of ["completed", "completed", "failed"].entries()) {
    const used = await demo.request("POST", runs, { session_id: `s-${number}` });
    const headers = { Authorization: `Bearer ${await demo.adminToken()}`, "X-Run-Id": used.run_id };
    await fetch(`${demo.url}${at}/${procedure}`, { headers });
    await demo.request("POST", `${runs}/${used.run_id}/finish`, { status });
  }
  const skills = `/workspaces/${DEMO.fleetApi}/skills`;
  await demo.request("POST", skills, { memory_ids: [procedure], name: "roll-back" });
  await demo.request("POST", `${skills}/roll-back/approve`, {});
  await demo.request("PATCH", `${at}/${procedure}`, { content: `${roll.content}\n2. Thaw it.` });
  const failed = await demo.request("POST", runs, { label: "Of yesterday" });
  await demo.request("POST", `${runs}/${failed.run_id}/finish`, { status: "failed" });
  await demo.request("PUT", `/workspaces/${DEMO.telemetryIngest}/budget`, { memories: 40, searches_per_minute: 6000 });
  run = (await demo.request("POST", runs, { label: "Nightly review", session_id: "night-7" })).run_id;
  const workspace = `/workspaces/${DEMO.fleetApi}`;
  const text = "# Docks\n\n## Furrow\n\nThe furrow between the docks is deep.\n";
  const source_uri = "https://wiki.example/docks";
  document = (await demo.request("POST", `${workspace}/documents`, { title: "Docks", content: text, media_type: "text/markdown", scope: "TEAM", source_uri })).id;
  await demo.request("PUT", `${workspace}/collections/bugs`, { key: "id" });
  const bugs = (from) => [0, 1, 2].map((id) => ({ id: from + id, component: `web ${from}`, type: "crash", root_cause: "race", title: "It crashes on start" }));
  await demo.request("POST", `${workspace}/collections/bugs/rows`, bugs(7));
  await demo.request("POST", `${workspace}/processors`, { built_in: "bug-import", set: { collection: "bugs" } });
  await demo.request("POST", `${workspace}/processors/bug-import/run`);
  await demo.request("POST", `${workspace}/collections/bugs/rows`, bugs(17));
  await demo.request("POST", at, { content: "Ada prefers mail", scope: "TEAM", subject: "ada" });
  await demo.request("POST", `${workspace}/activity`, { activity_type: "agent_log", summary: "Ada called", subject: "ada" });
  await demo.request("POST", at, { content: "Dock 7 answers late", scope: "TEAM", run_id: run });
});
after(async () => {
  await browser.close();
  await demo.stop();
});

/** Each screen: its path, a selector that shows it is ready, the input, and a selector for the result. */
const SCREENS = {
  orgs: () => ["", "table"],
  everywhere: () => ["search?q=docks", ".org-results mark"],
  searchStart: () => ["search", ".rows .quiet"],
  system: () => ["system", ".facts"],
  providers: () => ["system?provider=acme&surface=phone", ".surface .facts"],
  promote: () => ["system?provider=acme&surface=phone", ".surface .facts", ["click Promote…"], "dialog .requirements"],
  notFound: () => ["no/such/place", ".empty"],
  memories: () => [`w/${DEMO.fleetApi}/memories`, ".memory"],
  search: () => [`w/${DEMO.fleetApi}/memories?q=docks&kind=decision`, ".memory mark"],
  agent: () => [`w/${DEMO.fleetApi}/memories?q=docks&eyes=agent`, ".agent-text"],
  nothing: () => [`w/${DEMO.fleetApi}/memories?q=zeppelin&tag=none`, ".empty"],
  drawer: () => [`w/${DEMO.fleetApi}/memories?m=${memory}&lens=reads`, ".drawer .readers"],
  write: () => [`w/${DEMO.fleetApi}/memories?write=1`, ".choice:has-text('siblings')"],
  budget: () => [`w/${DEMO.telemetryIngest}/memories`, ".budget:has-text(' of 40 memories, ')"],
  state: () => [`w/${DEMO.fleetApi}/state`, ".keys"],
  key: () => [`w/${DEMO.fleetApi}/state?key=feature.mission_preview`, ".drawer textarea"],
  timeline: () => [`w/${DEMO.fleetApi}/timeline?q=furrow`, ".hit mark"],
  reads: () => [`w/${DEMO.fleetApi}/timeline?kind=reads&by=people`, ".reads .hit", ["j", "Enter"], ".ranked"],
  trace: () => [`w/${DEMO.fleetApi}/timeline?run=${run}`, ".step.staged del"],
  session: () => [`w/${DEMO.fleetApi}/timeline?session=night-7`, ".step .step.staged .ranked"],
  import: () => ["", "table", ["click Import…"], "dialog textarea"],
  tag: () => [`w/${DEMO.fleetApi}/memories?scope=LOCAL`, ".memory", ["j", "x", "click Tags…"], "dialog .columns"],
  tokens: () => [`w/${DEMO.engineering}/connect`, ".snippet", ["click Issue a token"], ".tokens"],
  reach: () => [`w/${DEMO.fleetApi}/reach`, ".reach-rows"],
  compare: () => [`w/${DEMO.fleetApi}/reach?with=${DEMO.engineering}&lens=read_by`, ".path-diagram"],
  profiles: () => [`w/${DEMO.fleetApi}/profiles`, ".profile-form", ["click Show the block"], ".context-block"],
  profile: () => [`w/${DEMO.fleetApi}/profiles?profile=new`, ".profile-form", ["check Only its own memories", "check Default profile"], ".narrows:has-text('can no longer read')"],
  runs: () => [`w/${DEMO.fleetApi}/runs`, ".runs"],
  run: () => [`w/${DEMO.fleetApi}/runs?run=${run}`, ".pending del"],
  drop: () => [`w/${DEMO.fleetApi}/runs?run=${run}`, ".pending del", ["click Drop 1 memory"], "dialog .danger"],
  connect: () => [`w/${DEMO.fleetApi}/connect`, ".snippet"],
  pages: () => [`w/${DEMO.fleetApi}/pages`, "form.subject"],
  subject: () => [`w/${DEMO.fleetApi}/pages?subject=ada`, ".tiers"],
  reviews: () => [`w/${DEMO.fleetApi}/reviews`, ".segments"],
  skills: () => [`w/${DEMO.fleetApi}/skills`, ".skills"],
  skill: () => [`w/${DEMO.fleetApi}/skills?skill=roll-back`, ".drawer .diff"],
  approve: () => [`w/${DEMO.fleetApi}/skills?skill=roll-back`, ".drawer .diff", ["click Approve version 2"], "dialog .package"],
  candidate: () => [`w/${DEMO.fleetApi}/skills?status=candidate&candidate=${procedure}`, ".drawer .missing"],
  noSkills: () => [`w/${DEMO.engineering}/skills?status=withdrawn`, ".empty"],
  documents: () => [`w/${DEMO.fleetApi}/knowledge`, ".library"],
  document: () => [`w/${DEMO.fleetApi}/knowledge?q=furrow&document=${document}&at=0`, ".drawer .passages mark"],
  noPassage: () => [`w/${DEMO.fleetApi}/knowledge?q=zeppelin&collection=none&media_type=text/csv`, ".empty"],
  collections: () => [`w/${DEMO.fleetApi}/knowledge?view=collections`, ".library"],
  row: () => [`w/${DEMO.fleetApi}/knowledge?view=collections&collection=bugs&row=7`, ".drawer .snippet"],
  processors: () => [`w/${DEMO.fleetApi}/knowledge?view=processors&processor=bug-import`, ".drawer .processor-runs li"],
  processorRun: () => [`w/${DEMO.fleetApi}/knowledge?view=processors&processor=bug-import`, ".drawer .processor-runs li", ["click Run now…"], "dialog .planned li"],
  noSubject: () => [`w/${DEMO.fleetApi}/subject`, ".empty"],
  endUser: () => [`w/${DEMO.fleetApi}/subject?subject=ada`, ".subject-view .tier"],
  erase: () => [`w/${DEMO.fleetApi}/subject?subject=ada`, ".subject-view .tier", ["click Erase…"], "dialog .effects"],
  access: () => [`w/${DEMO.root}/access?action=search_memories`, ".accesses-table"],
  ask: () => [`w/${DEMO.fleetApi}/reach?ask=${memory}&q=docks`, ".explanation"],
  words: () => [`w/${DEMO.fleetApi}/reach?ask=thundering+herd`, ".candidates"],
  redact: () => [`w/${DEMO.fleetApi}/memories?m=${memory}`, ".drawer .actions", ["r"], "dialog .effects"],
  redacted: () => [`w/${DEMO.fleetApi}/memories?m=${redacted}`, ".drawer .refused", [], ".accesses > li"],
  select: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["j", "x", "j", "x"], ".bulk"],
  many: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["j", "x", "j", "x", "r"], "dialog .many"],
  remove: () => [`w/${DEMO.backendLead}/reach`, ".reach-rows", ["click Actions", "click Remove…"], "dialog .preview li"],
  move: () => [`w/${DEMO.backendLead}/reach`, ".reach-rows", ["click Actions", "click Move…"], "dialog .picker"],
  absent: () => ["w/01890000-0000-7000-8000-000000000001/memories", ".refused"],
  keys: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["?"], "dialog .help"],
  jump: () => [`w/${DEMO.fleetApi}/memories`, ".memory", ["Control+k"], "dialog [role=option]"],
};

async function show(someone, name) {
  const [path, sign, keys = [], then] = SCREENS[name]();
  await someone.open(path);
  await someone.page.locator(sign).first().waitFor();
  await someone.page.getByRole("treeitem").nth(1).waitFor({ state: "attached" });
  await someone.waitUntilLoaded();
  for (const key of keys) {
    const [, act, name] = /^(click|check) (.*)/.exec(key) ?? [];
    if (act === "click") await someone.page.getByRole("button", { name, exact: true }).click();
    else if (act) await someone.page.getByLabel(name).check();
    else await someone.press(key);
  }
  if (then) await someone.page.locator(then).first().waitFor();
}

/** The violations that axe reports on the current page. */
async function violations(someone) {
  await someone.page.evaluate(axe);
  const found = await someone.page.evaluate(async () => (await window.axe.run()).violations);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n  ")}`);
}

/** By how many pixels the page, or its dialog, exceeds this width. */
async function tooWide(someone, width) {
  await someone.page.setViewportSize({ width, height: 800 });
  return someone.page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    // size observers respond in the next frame and are drawn in the one after it
    await frame();
    await frame();
    const beyond = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const dialog = document.querySelector("dialog[open]");
    return Math.max(beyond, dialog ? dialog.scrollWidth - dialog.clientWidth : 0);
  });
}

/** Targets below the minimum size. */
async function tooSmall(someone) {
  return someone.page.evaluate(() => {
    const seen = [...document.querySelectorAll("button, select, input:not([type=radio], [type=checkbox]), summary")];
    const shown = seen.filter((element) => element.checkVisibility() && !element.matches(".skip"));
    const isSmall = (element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < 24 || height < 24;
    };
    return shown.filter(isSmall).map((element) => element.outerHTML.slice(0, 120));
  });
}

for (const name of Object.keys(SCREENS)) {
  test(`${name}: accessible, fits every width, targets are large enough`, async () => {
    for (const theme of ["light", "dark"]) {
      const ada = await newUser(browser, demo, { token: await demo.adminToken(), theme, bypassCSP: true });
      await show(ada, name);
      await ada.screenshot(`${name}-${theme}`);
      assert.deepEqual(await violations(ada), [], theme);
      if (theme === "light") {
        assert.deepEqual(await tooSmall(ada), []);
        // 640 px is a window of 1280 px at 200 %
        for (const width of [1920, 1280, 800, 640, 360]) {
          const wide = await tooWide(ada, width);
          assert.ok(wide <= 0, `${wide} px too wide at ${width} px`);
        }
        await ada.screenshot(`${name}-360`);
      }
      await ada.page.setViewportSize({ width: 390, height: 844 });
      assert.deepEqual(await violations(ada), [], `${theme} at 390 px`);
      await ada.screenshot(`${name}-${theme}-390`);
      await ada.close();
    }
  });
}

test("sign-in screen is accessible", async () => {
  const ada = await newUser(browser, demo, { bypassCSP: true });
  await ada.open();
  await ada.page.getByLabel("Token").waitFor();
  await ada.screenshot("sign-in-light");
  assert.deepEqual(await violations(ada), []);
  for (const width of [1280, 360]) assert.ok((await tooWide(ada, width)) <= 0);
  await ada.close();
});

test("first view takes at most 12 requests", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.page.addInitScript(() => {
    // the view is complete with the first memory and the row of its workspace; later requests do not count
    const isThere = () => document.querySelector(".memory") && document.querySelector('[role=treeitem][aria-selected="true"]');
    const watch = new MutationObserver(() => {
      if (!isThere() || window.shownAt) return;
      window.shownAt = performance.now();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await show(ada, "memories");
  const asked = await ada.page.evaluate(() => {
    const entries = performance.getEntriesByType("resource").filter((entry) => entry.startTime < window.shownAt);
    return entries.map((entry) => entry.name);
  });
  assert.ok(asked.length > 5 && asked.length + 1 <= 12, asked.join("\n"));
  await ada.close();
});
