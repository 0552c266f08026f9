// The embedded view: only for configured origins, with the host page's token, which is stored nowhere.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startHostPage } from "./support/host-page.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let demo;
/** Host pages on the same site as the server, on another site, and of an origin that is not configured. */
let near;
let far;
let unlisted;
before(async () => {
  [browser, near, far, unlisted] = await Promise.all([startBrowser(), startHostPage(), startHostPage("localhost"), startHostPage()]);
  demo = await startDemo({ settings: { ORGMEM_CONSOLE_FRAMERS: `${near.origin},${far.origin}` } });
});
after(async () => {
  await browser.close();
  await Promise.all([near, far, unlisted].map((product) => product.stop()));
  await demo.stop();
});

const PATH = `embed/w/${DEMO.fleetApi}`;
const memories = `/workspaces/${DEMO.fleetApi}/memories`;

/** A user of one of the host pages. */
const hostUser = (more = {}) => newUser(browser, demo, { others: [near.origin, far.origin, unlisted.origin], ...more });

/** Everything that the embedded view stores where other scripts could find it. */
async function kept(someone) {
  const frame = someone.page.frames()[1];
  const own = await frame.evaluate(() => {
    const all = (name) => {
      try {
        return JSON.stringify({ ...window[name] });
      } catch {
        // this browser gives third-party frames no storage
        return "";
      }
    };
    return [all("localStorage"), all("sessionStorage"), document.cookie, location.href];
  });
  return [...own, JSON.stringify(await someone.context.cookies())].join("\n");
}

test("embedded view lists, searches, opens and writes memories, and stores no token", async () => {
  const token = await demo.token(DEMO.root, "operator");
  const ada = await hostUser();
  const asked = [];
  ada.page.on("request", (request) => asked.push(request));
  // an id in capitals is the same id
  const inside = await far.show(ada, `embed/w/${DEMO.fleetApi.toUpperCase()}`, token);
  await inside.locator(".memory").first().waitFor();
  await inside.getByRole("heading", { name: "Memories of Fleet API" }).waitFor({ state: "attached" });
  assert.equal(await inside.locator(".top, .side, .tabs").count(), 0, "nothing is around it");

  const search = inside.getByRole("searchbox");
  await search.fill("thundering herd");
  await inside.locator(".memory mark").first().waitFor();
  await search.press("ArrowDown");
  await ada.press("Enter");
  const drawer = inside.getByRole("complementary", { name: "Memory" });
  await drawer.getByText("Why it is visible here").waitFor();
  // references to other workspaces and screens are text, not links
  await drawer.locator(".readers").waitFor();
  const links = await inside.locator("a").evaluateAll((all) => all.map((link) => new URL(link.href).pathname.toLowerCase()));
  assert.ok(links.length > 0);
  assert.deepEqual([...new Set(links)], [`/console/${PATH}`]);
  await ada.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await search.fill("");

  await ada.press("Escape", "Tab");
  await inside.locator(".memory").first().focus();
  await ada.press("w");
  await inside.getByRole("dialog").getByLabel("Content").waitFor();
  await ada.page.keyboard.type("The canvas shows what the agents remember");
  await ada.press("Control+Enter");
  await inside.locator(".drawer .content", { hasText: "The canvas shows" }).waitFor();
  const [{ content }] = await demo.search(DEMO.fleetApi, "canvas shows");
  assert.equal(content, "The canvas shows what the agents remember");

  assert.ok(!(await kept(ada)).includes(token.split(".")[2]), await kept(ada));
  const calls = asked.filter((request) => /\/(me|workspaces)\b/.test(request.url()));
  assert.ok(calls.length > 5 && calls.every((request) => !request.url().includes(token)));
  const sent = await Promise.all(calls.map((request) => request.allHeaders()));
  assert.deepEqual(new Set(sent.map(({ authorization }) => authorization)), new Set([`Bearer ${token}`]));
  await ada.close();
});

test("embedded view ignores a console session on the same site", async () => {
  const ada = await hostUser({ token: await demo.adminToken() });
  const inside = await near.show(ada, PATH, undefined);
  await near.waitForMessage(ada, "orgmem:ready");
  await inside.getByText("Waiting for the host page").waitFor();
  assert.equal(await inside.locator(".memory").count(), 0);
  await near.provideToken(ada, await demo.token(DEMO.root, "viewer"));
  await inside.locator(".memory").first().waitFor();
  assert.equal(await inside.getByRole("button", { name: "Write" }).count(), 0, "a viewer's token writes nothing");
  await ada.close();
});

test("only configured origins can frame the embedded view, and no origin can frame another page", async () => {
  const ada = await hostUser();
  for (const [product, path] of [[unlisted, PATH], [near, `w/${DEMO.fleetApi}/memories`]]) {
    const refused = ada.page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
    await product.show(ada, path, await demo.token(DEMO.fleetApi, "agent"));
    await refused;
    assert.deepEqual(await ada.page.evaluate(() => messages), []);
    assert.equal(ada.errors.filter((fault) => /frame-ancestors/.test(fault)).length, 1, ada.errors.join("\n"));
    ada.errors.length = 0;
  }
  await ada.close();
});

test("embedded view accepts a token only from its parent window", async () => {
  const token = await demo.token(DEMO.fleetApi, "agent");
  const ada = await hostUser();
  const inside = await near.show(ada, PATH, undefined);
  await near.waitForMessage(ada, "orgmem:ready");
  const asked = [];
  ada.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  /** Posts messages from `from` to the embedded view, and waits until they have arrived. */
  const posts = async (from, ...messages) => {
    const arrived = await ada.page.frames()[1].evaluateHandle(() => ({
      all: new Promise((resolve) => addEventListener("message", ({ data }) => data === "that was all" && resolve())),
    }));
    await from.evaluate((messages) => messages.forEach((each) => top.frames[0].postMessage(each, "*")), [...messages, "that was all"]);
    await arrived.evaluate(({ all }) => all);
  };
  // sibling frames: one of an origin that is not configured, one of a configured one
  for (const { origin } of [unlisted, far]) {
    const sibling = ada.page.waitForEvent("framenavigated", (frame) => frame.url().startsWith(origin));
    await ada.page.evaluate((src) => document.body.append(Object.assign(document.createElement("iframe"), { src })), origin);
    await posts(await sibling, { type: "orgmem:token", token });
  }
  const malformed = [{ type: "orgmem:tokens", token }, { type: "orgmem:token" }, { type: "orgmem:token", token: "a b" }, null, token];
  await posts(ada.page.mainFrame(), ...malformed);
  await inside.getByText("Waiting for the host page").waitFor();
  assert.deepEqual(asked.filter((path) => /^\/(me|workspaces)/.test(path)), []);
  await near.provideToken(ada, token);
  await inside.locator(".memory").first().waitFor();
  await ada.close();
});

test("rejected token is replaced on request, and typed content is saved", async () => {
  const ada = await hostUser();
  const first = await demo.request("POST", `/workspaces/${DEMO.fleetApi}/tokens`, { role: "agent" });
  const inside = await near.show(ada, PATH, first.token);
  await inside.locator(".memory").first().waitFor();
  await inside.getByRole("button", { name: "Write" }).click();
  const content = inside.getByRole("dialog").getByLabel("Content");
  await content.fill("Typed while the token ended");
  await demo.request("DELETE", `/tokens/${first.jti}`);
  await inside.getByRole("alert").getByText(/revoked.*nothing that you typed is lost\.$/).waitFor();
  await ada.screenshot("embed-ended");
  await near.waitForMessage(ada, "orgmem:token-ended");
  assert.equal(await content.inputValue(), "Typed while the token ended");
  // a save in the meantime waits for a token that permits it
  await content.press("Control+Enter");
  assert.equal((await demo.search(DEMO.fleetApi, "typed token ended")).filter(({ content }) => /^Typed/.test(content)).length, 0);
  await near.provideToken(ada, await demo.token(DEMO.fleetApi, "agent"));
  await inside.locator(".drawer .content", { hasText: "Typed while the token ended" }).waitFor();
  await inside.getByRole("alert").waitFor({ state: "hidden" });
  assert.equal((await demo.search(DEMO.fleetApi, "typed token ended")).filter(({ content }) => /^Typed/.test(content)).length, 1);
  await ada.close();
});

test("embedded view receives live updates", async () => {
  const ada = await hostUser();
  const listening = ada.page.waitForResponse(/\/events\?memories=false$/);
  const inside = await far.show(ada, PATH, await demo.token(DEMO.root, "viewer"));
  await inside.locator(".memory").first().waitFor();
  assert.equal((await listening).status(), 200);
  await demo.request("POST", memories, { content: "The north ramp is closed for the winter", scope: "TEAM" });
  const arrivals = inside.getByRole("button", { name: "1 new" });
  await arrivals.click();
  await inside.locator(".memory", { hasText: "north ramp" }).waitFor();
  const { id } = (await demo.search(DEMO.fleetApi, "north ramp winter"))[0];
  await demo.request("POST", `${memories}/${id}/redact`, { reason: "it is open again" });
  await inside.locator(".memory", { hasText: "north ramp" }).waitFor({ state: "detached" });
  await ada.close();
});

for (const theme of ["light", "dark"]) {
  test(`embedded view in the ${theme} theme is accessible, fits its width, and survives reload and Back`, async () => {
    // the user's own theme is the other one
    const ada = await hostUser({ theme: theme === "light" ? "dark" : "light", bypassCSP: true });
    const inside = await near.show(ada, `${PATH}?theme=${theme}`, await demo.token(DEMO.root, "operator"));
    await inside.locator(".memory").first().waitFor();
    const frame = ada.page.frames()[1];
    const [ground] = await frame.evaluate(() => [getComputedStyle(document.documentElement).backgroundColor]);
    assert.equal(ground, theme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 28)");
    const violations = async () => {
      await frame.evaluate(axe);
      return frame.evaluate(async () => (await window.axe.run()).violations.map(({ id, nodes }) => [id, nodes[0].html]));
    };
    await ada.screenshot(`embed-${theme}`);
    assert.deepEqual(await violations(), []);
    await inside.locator(".memory").first().click();
    await inside.locator(".drawer .readers, .drawer .sentence").first().waitFor();
    assert.match(frame.url(), new RegExp(`[?&]theme=${theme}(&|$)`));
    await ada.screenshot(`embed-drawer-${theme}`);
    assert.deepEqual(await violations(), []);
    for (const width of [1280, 640, 360]) {
      await ada.page.setViewportSize({ width, height: 800 });
      assert.ok((await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)) <= 0);
    }
    await ada.screenshot(`embed-drawer-360-${theme}`);
    await frame.evaluate(() => location.reload());
    await inside.locator(".drawer .content").waitFor();
    await ada.page.evaluate(() => history.back());
    await inside.locator(".drawer").waitFor({ state: "detached" });
    await inside.locator(".memory").first().waitFor();
    await ada.screenshot(`embed-360-${theme}`);
    await ada.close();
  });
}

test("embedded view opened directly shows only its purpose", async () => {
  const ada = await hostUser();
  await ada.open(PATH);
  await ada.waitForText("Opened directly, it shows nothing.");
  await ada.screenshot("embed-direct");
  await ada.page.getByRole("link", { name: "Open this workspace in the console" }).click();
  await ada.page.getByLabel("Token").waitFor();
  await ada.close();
});
