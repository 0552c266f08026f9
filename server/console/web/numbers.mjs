// Measures the console with large trees, against the real server in headless Chromium; prints one line per figure.
//
//   cargo build --profile dist -p orgmem
//   ORGMEM_TEST_PROGRAM=…/target/dist/orgmem node numbers.mjs

import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { startBrowser, newUser } from "./tests/support/browser.mjs";
import { startServer } from "./tests/support/server.mjs";

/** Samples per measurement. */
const ROUNDS = 60;

function say(name, value, aim) {
  console.log(`${name.padEnd(64)} ${String(value).padStart(14)}   ${aim}`);
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

function ms(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return `${at(sorted, 0.5).toFixed(0)} / ${at(sorted, 0.95).toFixed(0)} ms`;
}

/** Workspaces per import. */
const AT_ONCE = 2_000;

/** Imports an org of `wide` leads with `wide` members each, in parts, because each import is one transaction. */
async function plant(server, wide) {
  const id = randomUUID();
  const members = (lead) => Array.from({ length: wide }, (_, index) => ({ name: `Member ${lead}.${index}` }));
  const leads = Math.max(1, Math.floor(AT_ONCE / wide));
  for (let first = 0; first < wide; first += leads) {
    const count = Math.min(leads, wide - first);
    const children = Array.from({ length: count }, (_, index) => ({ name: `Lead ${first + index}`, children: members(first + index) }));
    await server.request("POST", "/orgs/import", { id, name: `Org of ${wide}`, children });
  }
  return { id, size: wide * wide + wide + 1 };
}

/** The time from a key press to the frame that shows its effect. */
async function press(page, key) {
  await page.evaluate(() => {
    window.took = new Promise((resolve) => {
      addEventListener("keydown", (event) => {
        const begin = event.timeStamp;
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - begin);
          port2.postMessage(0);
        });
      }, { capture: true, once: true });
    });
  });
  await page.keyboard.press(key);
  return page.evaluate(() => window.took);
}

/** Heap size and number of elements after a garbage collection. */
async function weigh(someone) {
  const client = await someone.context.newCDPSession(someone.page);
  await client.send("HeapProfiler.collectGarbage");
  await client.send("Performance.enable");
  const { metrics } = await client.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize").value / 2 ** 20;
  return { heap, elements: await someone.page.evaluate(() => document.querySelectorAll("*").length) };
}

/** Makes every page record when an element matching `sign` is first drawn. */
async function note(someone, sign) {
  await someone.page.addInitScript((sign) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(sign)) return;
      watch.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => void (window.drawnAt = performance.now());
        port2.postMessage(0);
      });
    });
    watch.observe(document, { childList: true, subtree: true });
  }, sign);
}

/** The time from the last relevant response to the frame that shows it. */
async function drawn(page, asked) {
  await page.waitForFunction(() => window.drawnAt !== undefined);
  return page.evaluate((asked) => {
    const answers = performance.getEntriesByType("resource").filter(({ name }) => asked.test(name));
    return window.drawnAt - Math.max(...answers.map(({ responseEnd }) => responseEnd).filter((end) => end < window.drawnAt));
  }, asked);
}

async function several(times, run) {
  const values = [];
  for (let count = 0; count < times; count += 1) values.push(await run(count));
  return values;
}

async function treeOf(server, browser, wide, aim) {
  const org = await plant(server, wide);
  const name = `tree of ${org.size.toLocaleString("en")}`;
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  const { page } = ada;
  await note(ada, '[role=treeitem][aria-level="2"]');
  const usable = await several(9, async () => {
    await ada.open(`w/${org.id}/connect`);
    return drawn(page, /\/tree/);
  });
  say(`${name}: usable after its data`, ms(usable), aim);
  await page.getByRole("tree").focus();
  say(`${name}: a key's effect is drawn`, ms(await several(ROUNDS, () => press(page, "ArrowDown"))), "p95 ≤ 50 ms");
  if (aim === "–") {
    await press(page, "Home");
    await press(page, "ArrowDown");
    const opened = await press(page, "*");
    // browsers report large heights with few digits
    const isWhole = (height) => Math.abs(Number.parseFloat(document.querySelector("[role=tree] > div").style.height) / height - 1) < 1e-5;
    const from = performance.now();
    await page.waitForFunction(isWhole, org.size * 28);
    await page.locator('[role=treeitem][aria-level="3"]:not([aria-busy=true])').first().waitFor();
    say(`${name}: \`*\` opens all rows; those in view are loaded`, `${opened.toFixed(0)} / ${(opened + performance.now() - from).toFixed(0)} ms`, "≤ 2,000 ms");
    await press(page, "Home");
    const laid = await several(9, async () => {
      await press(page, "ArrowLeft");
      return press(page, "ArrowRight");
    });
    say(`${name}, all rows open: laid out again`, ms(laid), "≤ 250 ms");
    await several(40, () => press(page, "PageDown"));
    const { heap, elements } = await weigh(ada);
    say(`${name}, all rows open: heap`, `${heap.toFixed(1)} MB`, "≤ 60 MB");
    say(`${name}, all rows open: elements of the page`, elements, "≤ 1,500");
    const bodies = [];
    page.on("response", (response) => {
      if (/\/reach\?/.test(response.url())) bodies.push(response.body());
    });
    const shown = await several(5, async () => {
      const begin = performance.now();
      await ada.open(`w/${org.id}/reach`);
      await page.locator(".pager").last().waitFor();
      const took = performance.now() - begin;
      // a body is lost with the next navigation
      await Promise.all(bodies);
      return took;
    });
    const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + body.length, 0);
    say(`${name}: reach of the root is shown, page load included`, ms(shown), "–");
    say(`${name}: bytes of its reach per view`, Math.round(bytes / 5).toLocaleString("en"), "15 MB before");
  }
  await ada.close();
}

/** Measures a tree on a server of its own: its root is the first row. */
async function treeOnly(browser, wide, aim) {
  const server = await startServer();
  try {
    await treeOf(server, browser, wide, aim);
  } finally {
    await server.stop();
  }
}

async function search(server, browser) {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await note(ada, ".memory mark");
  const root = (await server.request("GET", "/workspaces?q=Brindlemoor"))[0];
  const words = ["docks", "robots", "keys", "incident", "customer", "release", "review"];
  const values = [];
  for (const word of words) {
    await ada.open(`w/${root.id}/memories?q=${word}`);
    values.push(await drawn(ada.page, /\/memories\?/));
  }
  say("a search result is drawn after its answer", ms(values), "≤ 100 ms");
  await ada.close();
}

/** The events of an hour at 50 per second, as fast as possible: the heap does not grow with them. */
async function flat(server, browser) {
  const { id } = await server.request("POST", "/workspaces", { name: "Busy" });
  const token = await server.token(id, "agent");
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await ada.open(`w/${id}/memories`);
  await ada.page.locator(".live-word", { hasText: "Live" }).waitFor();
  let sent = 0;
  const weighedAfter = async (count) => {
    for (; sent < count; sent += 500) {
      const memories = Array.from({ length: 500 }, (_, index) => ({ content: `event number ${sent + index}`, scope: "LOCAL" }));
      await server.request("POST", `/workspaces/${id}/memories/batch`, { memories }, token);
    }
    await ada.page.getByText(/^[\d,.]+( or more)? new/).first().waitFor();
    // pending updates arrive within the page's own delays
    await ada.page.waitForTimeout(5_000);
    return weigh(ada);
  };
  const [first, last] = [await weighedAfter(18_000), await weighedAfter(180_000)];
  say("heap after 18,000 and after 180,000 events", `${first.heap.toFixed(1)} / ${last.heap.toFixed(1)} MB`, "flat");
  await ada.close();
}

async function sizes(server) {
  for (const [name, limit] of [["console.js", 100], ["console.css", 15]]) {
    const answer = await fetch(`${server.url}/console/${name}`);
    const bytes = gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 1 }).length;
    say(`${name}, compressed as it is served`, `${(bytes / 1024).toFixed(1)} KB`, `≤ ${limit} KB`);
  }
}

const [browser, server] = await Promise.all([startBrowser(), startServer()]);
try {
  console.log(`${"".padEnd(64)} ${"median / p95".padStart(14)}   aim`);
  await server.loadDemo();
  await sizes(server);
  await search(server, browser);
  await flat(server, browser);
  await treeOnly(browser, 100, "≤ 500 ms");
  await treeOnly(browser, 316, "–");
} finally {
  await browser.close();
  await server.stop();
}
