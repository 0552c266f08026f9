// Headless Chromium, and pages that record all errors.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const ARGUMENTS = [
  // root, the usual user of continuous integration, has no sandbox; all pages are our own
  "--no-sandbox",
  // containers have a small /dev/shm
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The time limit of every wait: far longer than needed on a busy machine. A shorter limit helps while writing tests. */
const TIMEOUT_MS = Number(process.env.ORGMEM_TEST_PATIENCE_SECONDS ?? 120) * 1_000;

/** Folder for screenshots; none are taken without it. */
const SCREENSHOT_FOLDER = process.env.ORGMEM_TEST_PICTURES;

/** Folder whose script and style replace those in the binary, to test a change without cargo. */
const DIST_FOLDER = process.env.ORGMEM_TEST_DIST;

export async function startBrowser() {
  return chromium.launch({ executablePath: found(), headless: true, args: ARGUMENTS, timeout: TIMEOUT_MS });
}

/** The browser named in the environment, or the first one on the path. */
function found() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = process.env.ORGMEM_TEST_CHROMIUM ?? places.find(existsSync);
  if (!path) throw new Error("no Chromium: install it (`apt-get install chromium`), or let ORGMEM_TEST_CHROMIUM name it");
  return path;
}

/** A user with a browser context, signed in with `token`; `others` are further origins that may be requested. */
export async function newUser(browser, server, { token, width = 1280, height = 800, theme = "light", others = [], ...more } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...more,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  if (token) {
    await context.addCookies([{ name: "orgmem_session", value: token, url: server.url, httpOnly: true, sameSite: "Strict" }]);
  }
  if (DIST_FOLDER) {
    const fresh = (route) => route.fulfill({ path: join(DIST_FOLDER, new URL(route.request().url()).pathname.split("/").at(-1)) });
    await context.route(/console\.(js|css)$/, fresh);
  }
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(`${error}`));
  page.on("console", (message) => {
    // the browser logs every error response by itself; the tests check how the page handles it
    // it also logs that a dialog's fields do not take the focus from the host page
    const isRefusal = /Failed to load resource|^Blocked autofocusing/.test(message.text());
    if (message.type() === "error" && !isRefusal) errors.push(message.text());
  });
  page.on("request", (request) => {
    if (![server.url, ...others].some((origin) => request.url().startsWith(origin))) errors.push(`asked elsewhere: ${request.url()}`);
  });
  return new User(server, context, page, errors);
}

/** In the page: the name of the focused element; or whether it is, or is not, the given one. */
const focus = (asked) => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent;
  const called = element.getAttribute("aria-label") ?? (label || element.textContent);
  const name = element === document.body ? "body" : called.trim();
  if (!asked) return name;
  return asked.is === undefined ? name !== asked.isNot : name === asked.is;
};

class User {
  constructor(server, context, page, errors) {
    Object.assign(this, { server, context, page, errors });
  }

  /** Opens a path below the console's folder, and waits until the page and its shortcuts are ready. */
  async open(path = "") {
    await this.page.goto(`${this.server.url}/console/${path}`);
    await this.page.locator("h1", { hasText: /\S/ }).first().waitFor();
    await this.waitUntilLoaded();
  }

  /** Waits until no list is loading. */
  async waitUntilLoaded() {
    await this.page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  }

  async signIn(token) {
    await this.page.getByLabel("Token").fill(token);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  /** Waits until this text is visible. */
  async waitForText(text, within = "body") {
    await this.page.locator(within).getByText(text).first().waitFor();
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The name of the focused element. */
  async focused() {
    return this.page.evaluate(focus);
  }

  /** Waits until the element with this name has the focus. */
  async waitForFocus(name) {
    await this.page.waitForFunction(focus, { is: name });
  }

  /** Waits until any element has the focus. */
  async waitForAnyFocus() {
    await this.page.waitForFunction(focus, { isNot: "body" });
  }

  /** Presses Tab until the element with this name has the focus; fails if the focus gets lost. */
  async tabTo(name, key = "Tab") {
    const seen = [];
    for (let times = 0; times < 150; times += 1) {
      const focused = (await this.focused()).trim();
      if (typeof name === "string" ? focused === name : name.test(focused)) return;
      seen.push(focused.slice(0, 40));
      await this.press(key);
    }
    throw new Error(`${name} is not reached by ${key}: ${seen.join(" | ")}`);
  }

  async screenshot(name) {
    if (!SCREENSHOT_FOLDER) return;
    await mkdir(SCREENSHOT_FOLDER, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOT_FOLDER, `${name}.png`) });
  }

  /** Closes the browser, and fails if it reported an error. */
  async close() {
    await this.context.close();
    assert.deepEqual(this.errors, []);
  }
}
