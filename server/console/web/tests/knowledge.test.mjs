// Pages against their budgets and down to their episodes; reviews as a queue with keys.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newUser, startBrowser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let demo;
let agent;
const at = (rest) => `/workspaces/${DEMO.fleetApi}/${rest}`;

before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  agent = await demo.token(DEMO.fleetApi, "agent");
  const say = (thread, summary, more = {}) =>
    demo.request(
      "POST",
      at("activity"),
      { activity_type: "agent_log", summary, subject: "ada", actor: "ada", channel: "chat", session_id: thread, correlation_id: thread, kind: "support", ...more },
      agent,
    );
  await say("call-1", "Deliver to the back door.", { channel: "phone" });
  await say("chat-1", "No plastic packaging, please.");
  await say("mail-1", "<img src=x onerror=alert(1)> The lamp is blue.");
  await demo.request("POST", at("pages/compact"), {}, agent);
  const price = (value) => ({ fields: { price: { value, unit: "EUR" } }, as_of: new Date().toISOString(), source: "erp" });
  for (const lamp of ["lamp-1", "lamp-2", "lamp-3"]) {
    await demo.request("PUT", `/workspaces/${DEMO.root}/records/${lamp}`, price(55));
    const claims = [{ entity: lamp, field: "price", value: 50 }];
    await demo.request("POST", at("memories"), { content: `The zinc ${lamp} costs 50 EUR.`, scope: "LOCAL", claims }, agent);
  }
  await demo.search(DEMO.fleetApi, "zinc lamp");
});
after(async () => {
  await browser.close();
  await demo.stop();
});

test("pages of a subject are drawn against their budgets and lead to their episodes", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/pages`);
  await ada.waitForText("Newest pages of all subjects");
  await ada.page.getByLabel("Person or thing").fill("ada");
  await ada.page.getByRole("button", { name: "Show", exact: true }).click();
  await ada.page.getByRole("region", { name: "Hot" }).getByText(/^\d+ of 1200 tokens$/).waitFor();
  assert.match(ada.page.url(), /subject=ada/);
  await ada.waitUntilLoaded();
  await ada.screenshot("pages");
  await ada.page.getByRole("link", { name: /Deliver to the back door/ }).click();
  const drawer = ada.page.getByRole("complementary", { name: "Page" });
  await drawer.getByText("In the working set").waitFor();
  const episode = drawer.getByRole("listitem").filter({ hasText: "Deliver to the back door." });
  for (const fact of ["phone", "call-1"]) await episode.getByText(fact).waitFor();
  await ada.screenshot("page");
  await ada.press("Escape");
  await drawer.waitFor({ state: "detached" });
  assert.equal(await ada.page.locator(".list img").count(), 0, "text is text");
  await ada.close();
});

test("reviews are decided by keys, one after the other", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/reviews?status=open`);
  await ada.page.getByRole("row", { name: /lamp-3 price 50 55 EUR Open/ }).waitFor();
  await ada.press("j");
  await ada.press("Enter");
  const drawer = ada.page.getByRole("complementary", { name: "Review" });
  await drawer.getByRole("region", { name: "Record" }).getByText("55 EUR").waitFor();
  await drawer.getByText(/costs 50 EUR/).waitFor();
  await ada.screenshot("review");
  await drawer.getByLabel("Note").fill("asked the shop");
  await drawer.getByRole("button", { name: /Memory was right/ }).click();
  // the next open one follows
  await drawer.getByRole("heading", { name: "lamp-2 price" }).waitFor();
  await ada.press("r");
  await drawer.getByRole("heading", { name: "lamp-3 price" }).waitFor();
  await ada.press("d");
  await drawer.waitFor({ state: "detached" });
  await ada.waitForText("No reviews with the status Open");
  await ada.page.getByRole("button", { name: "All", exact: true }).click();
  for (const status of ["Memory was right", "Record wins", "Dismissed"]) {
    await ada.page.getByRole("row", { name: new RegExp(status) }).waitFor();
  }
  await ada.page.getByRole("link", { name: "lamp-1 price" }).click();
  await drawer.getByText("asked the shop").waitFor();
  await ada.close();
});

test("a viewer sees reviews and no decisions", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/reviews`);
  await ada.page.getByRole("link", { name: "lamp-1 price" }).click();
  const drawer = ada.page.getByRole("complementary", { name: "Review" });
  await drawer.getByRole("region", { name: "Claim" }).waitFor();
  assert.equal(await drawer.getByRole("button", { name: /Dismiss/ }).count(), 0);
  await ada.close();
});
