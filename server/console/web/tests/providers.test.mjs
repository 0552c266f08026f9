// Providers on the system page: figures, and a promotion that says what it would do before it is made.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startEngine } from "./support/engine.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let engine;
let demo;
before(async () => {
  engine = await startEngine();
  [browser, demo] = await Promise.all([startBrowser(), startDemo({ settings: engine.settings })]);
});
after(async () => {
  await browser.close();
  await demo.stop();
  engine.stop();
});

/** A request on the surface `phone`. */
async function onPhone(method, path, body) {
  const headers = { "Authorization": `Bearer ${await demo.adminToken()}`, "X-Audit-Context": '{"channel": "phone"}', "Content-Type": "application/json" };
  const answer = await fetch(`${demo.url}/workspaces/${DEMO.fleetApi}${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, await answer.text());
}

const phone = async () => {
  const { providers } = await demo.request("GET", "/admin/providers");
  return providers[1].surfaces.find(({ surface }) => surface === "phone");
};

/** Waits until the engine has the memories. */
async function sent(count) {
  while (engine.items.size < count) await demo.request("GET", "/admin/providers");
}

/** Waits until so many queries are compared. */
async function compared(count) {
  while ((await phone()).figures.samples < count) await demo.request("GET", "/readyz");
}

test("provider is promoted and demoted, each after a look at its effect", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open("system");
  const acme = ada.page.getByRole("article").filter({ hasText: "acme" });
  await acme.getByText("version 9.1").waitFor();
  await ada.page.getByRole("article").filter({ hasText: "Built-in" }).getByText("the baseline").waitFor();
  await acme.getByText(/0 pending, 0 B/).waitFor();

  // nothing is compared yet: an unknown mean is no number, and the server's refusal comes before any button
  await ada.press("j", "j");
  await ada.press("Enter");
  await ada.page.waitForURL(/provider=acme&surface=phone/);
  const detail = ada.page.getByRole("region", { name: "acme on phone" });
  await detail.getByRole("row", { name: "Agreement –" }).waitFor();
  await detail.getByRole("button", { name: "Promote…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Promote acme on phone" });
  await dialog.getByText("The server would refuse it:").waitFor();
  await dialog.getByRole("row", { name: "Compared queries 0 at least 3" }).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Promote 1 surface" }).count(), 0);
  await ada.waitForFocus("Cancel");
  await ada.screenshot("providers-refused");
  await ada.press("Escape");

  const words = ["zeppelin", "balloon", "glider"];
  for (const word of words) await onPhone("POST", "/memories", { content: `The ${word} is at the dock`, scope: "TEAM" });
  await sent(words.length);
  for (const word of words) await onPhone("GET", `/memories?q=${word}`);
  await compared(words.length);
  // the dialog reads the figures again, although the page has not been reloaded
  await detail.getByRole("button", { name: "Promote…" }).click();
  await dialog.getByText("The figures permit it:").waitFor();
  await dialog.getByRole("row", { name: "Agreement 100% at least 60%" }).waitFor();
  assert.equal((await phone()).state, "shadow");
  await ada.screenshot("providers-promote");
  await dialog.getByRole("button", { name: "Promote 1 surface" }).click();
  await ada.waitForText("acme answers the searches of phone.");
  await detail.getByRole("button", { name: "Demote…" }).waitFor();
  assert.equal((await phone()).state, "promoted");
  await acme.getByRole("row", { name: /^phone Promoted 3 100% 0%/ }).waitFor();
  await ada.screenshot("providers-promoted");

  await ada.page.reload();
  await detail.getByRole("button", { name: "Demote…" }).click();
  const demotion = ada.page.getByRole("dialog", { name: "Demote acme on phone" });
  await demotion.getByText("acme stays in shadow").waitFor();
  await demotion.getByRole("button", { name: "Demote 1 surface" }).click();
  await detail.getByRole("button", { name: "Promote…" }).waitFor();
  assert.equal((await phone()).state, "shadow");
  await ada.press("Escape");
  await detail.waitFor({ state: "detached" });
  await ada.waitForFocus("phone");
  await ada.close();
});

test("refusal that came meanwhile keeps the dialog open with the server's sentence", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await compared(3);
  await ada.open("system?provider=acme&surface=phone");
  await ada.page.getByRole("button", { name: "Promote…" }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByText("The figures permit it:").waitFor();
  await ada.page.route("**/admin/providers/acme/promote", (route) => {
    const detail = "the error rate is 0.5; at most 0.02 is permitted";
    return route.fulfill({ status: 409, contentType: "application/problem+json", json: { code: "promotion_refused", status: 409, detail } });
  });
  await dialog.getByRole("button", { name: "Promote 1 surface" }).click();
  await dialog.getByText("The error rate is 0.5; at most 0.02 is permitted.").waitFor();
  await dialog.getByText("Nothing was changed.").waitFor();
  await ada.close();
});

test("engine that does not answer says why", async () => {
  const dead = await startDemo({ settings: { ...engine.settings, ORGMEM_PROVIDERS_ACME_URL: "http://127.0.0.1:9" } });
  try {
    const ada = await newUser(browser, dead, { token: await dead.adminToken() });
    await ada.open("system");
    await ada.waitForText(/Does not answer: /);
    await ada.close();
  } finally {
    await dead.stop();
  }
});
