// Headless Chromium, and pages that remember everything that went wrong in them.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const ARGUMENTS = [
  // root, as whom continuous integration likes to run, has no sandbox; every page here is our own
  "--no-sandbox",
  // containers have little of it
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** After how long something that does not come is a failure: far longer than it takes on any machine, however busy. Whoever
 * writes a test waits less for its faults. */
const TIMEOUT_MS = Number(process.env.ORGMEM_TEST_PATIENCE_SECONDS ?? 120) * 1_000;

/** Where pictures of the screens go; without it none are taken. */
const PICTURES = process.env.ORGMEM_TEST_PICTURES;

/** Takes scripts and styles from `dist/` instead of from the program, to try a change before cargo has built it in. */
const FROM_DIST = process.env.ORGMEM_TEST_DIST;

export async function startBrowser() {
  return chromium.launch({ executablePath: found(), headless: true, args: ARGUMENTS, timeout: TIMEOUT_MS });
}

/** The browser that the environment names, or the first that is on the path. */
function found() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = process.env.ORGMEM_TEST_CHROMIUM ?? places.find(existsSync);
  if (!path) throw new Error("no Chromium: install it (`apt-get install chromium`), or let ORGMEM_TEST_CHROMIUM name it");
  return path;
}

/** Someone with a browser of their own, signed in with this token where there is one; `others` are origins that are asked too. */
export async function visitor(browser, server, { token, width = 1280, height = 800, theme = "light", others = [], ...more } = {}) {
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
  if (FROM_DIST) {
    const fresh = (route) => route.fulfill({ path: join(FROM_DIST, new URL(route.request().url()).pathname.split("/").at(-1)) });
    await context.route(/console\.(js|css)$/, fresh);
  }
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("console", (message) => {
    // the browser notes every refusal of the server by itself; what the page does with it is what is tried
    // and that the fields of a dialog do not take the focus of another product's page before the dialog gives it to them
    const isRefusal = /Failed to load resource|^Blocked autofocusing/.test(message.text());
    if (message.type() === "error" && !isRefusal) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (![server.url, ...others].some((origin) => request.url().startsWith(origin))) faults.push(`asked elsewhere: ${request.url()}`);
  });
  return new Visitor(server, context, page, faults);
}

/** In the page: the name of what has the focus; or whether it is the one asked for, or is not. */
const focus = (asked) => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent;
  const called = element.getAttribute("aria-label") ?? (label || element.textContent);
  const name = element === document.body ? "body" : called.trim();
  if (!asked) return name;
  return asked.is === undefined ? name !== asked.isNot : name === asked.is;
};

class Visitor {
  constructor(server, context, page, faults) {
    Object.assign(this, { server, context, page, faults });
  }

  /** Opens a path below the console's folder, and waits until it is there: what is shown, and the keys that work on it. */
  async open(path = "") {
    await this.page.goto(`${this.server.url}/console/${path}`);
    await this.page.locator("h1", { hasText: /\S/ }).first().waitFor();
    await this.settles();
  }

  /** Waits until no list waits for an answer. */
  async settles() {
    await this.page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  }

  /** Types the token into the form, as people do. */
  async signIn(token) {
    await this.page.getByLabel("Token").fill(token);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  /** Waits until what is shown has this text. */
  async sees(text, within = "body") {
    await this.page.locator(within).getByText(text).first().waitFor();
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** The name of what has the focus. */
  async focused() {
    return this.page.evaluate(focus);
  }

  /** Waits until what is called this has the focus. */
  async focuses(name) {
    await this.page.waitForFunction(focus, { is: name });
  }

  /** Waits until something has the focus. */
  async holdsFocus() {
    await this.page.waitForFunction(focus, { isNot: "body" });
  }

  /** Presses Tab until what has the focus is called this; the focus is never lost on the way. */
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

  async picture(name) {
    if (!PICTURES) return;
    await mkdir(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  /** Closes the browser, and fails when anything went wrong in it. */
  async leave() {
    await this.context.close();
    assert.deepEqual(this.faults, []);
  }
}
