// End users: the tier of memories as a filter, and everything held about one end user with its erasure.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

const AT = `/workspaces/${DEMO.fleetApi}`;
const ADA = "ada o'hara";

let browser;
let demo;
before(async () => {
  [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
  const memory = (content, more) => demo.request("POST", `${AT}/memories`, { content, scope: "LOCAL", ...more });
  for (let number = 0; number < 23; number += 1) await memory(`Ada likes parcel ${number}`, { subject: ADA });
  await memory("Ada waits in the hall", { subject: ADA, session_id: "s-1", session_only: true });
  await memory("Bo likes silence", { subject: "bo" });
  await demo.request("POST", `/workspaces/${DEMO.telemetryIngest}/memories`, { content: "Ada, elsewhere", scope: "LOCAL", subject: ADA });
  const episode = { activity_type: "agent_log", summary: "Ada asked for the dock", subject: ADA, actor: "ada", channel: "chat", correlation_id: "c-1", kind: "support" };
  await demo.request("POST", `${AT}/activity`, episode);
  await demo.request("POST", `${AT}/pages/compact`, { subject: ADA });
  await demo.request("POST", `${AT}/memory`, { key: "seat", value: "12", subject: ADA });
});
after(async () => {
  await browser.close();
  await demo.stop();
});

test("tier and subject filter the list, in the address and by keyboard", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await ada.open(`w/${DEMO.fleetApi}/memories`);
  await ada.page.getByRole("button", { name: "Filter", exact: true }).focus();
  await ada.press("Enter");
  await ada.page.getByLabel("Field").selectOption("Tier");
  await ada.page.getByLabel("Value").selectOption("session");
  await ada.page.getByLabel("Value").focus();
  await ada.tabTo("Filter");
  await ada.press("Enter");
  await ada.page.waitForURL(/tier=session/);
  await ada.page.waitForFunction(() => document.querySelectorAll(".memory").length === 1);
  const row = ada.page.locator(".memory");
  await row.getByText("Ada waits in the hall").waitFor();
  await row.locator(".tier").getByText("session").waitFor();
  await ada.page.getByRole("button", { name: "tier session" }).waitFor();
  await ada.screenshot("tier");
  await row.click();
  const drawer = ada.page.getByRole("complementary", { name: "Memory" });
  await drawer.getByRole("link", { name: "session", exact: true }).waitFor();

  await ada.open(`w/${DEMO.fleetApi}/memories?tier=user&subject=bo`);
  await ada.page.locator(".memory").getByText("Bo likes silence").waitFor();
  assert.equal(await ada.page.locator(".memory").count(), 1);
  await ada.page.locator(".tier").getByText("end user bo").waitFor();
  await ada.page.getByRole("button", { name: "tier end user" }).press("Delete");
  await ada.page.waitForURL(/memories\?subject=bo$/);
  await ada.open(`w/${DEMO.fleetApi}/memories?tier=forever`);
  await ada.waitForText(/tier/, ".refused");
  await ada.close();
});

test("everything about an end user is shown with the server's count, its export and no erasure for an operator", async () => {
  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/subject`);
  await ada.waitForText("Which end user?");
  await ada.page.getByRole("searchbox", { name: "End user" }).fill(ADA);
  await ada.page.getByRole("searchbox", { name: "End user" }).press("Enter");
  await ada.page.waitForURL(/subject=ada/);
  const memories = ada.page.getByRole("region", { name: /^Memories/ });
  await memories.getByRole("heading", { name: "Memories 24" }).waitFor();
  assert.equal(await memories.locator(".memory").count(), 20);
  await memories.getByRole("button", { name: "Show more" }).click();
  await memories.locator(".memory").nth(23).waitFor();
  await ada.page.getByRole("region", { name: "Episodes" }).getByText("Ada asked for the dock").waitFor();
  await ada.page.getByRole("region", { name: "Pages" }).getByText(/1 episode/).waitFor();
  await ada.waitForText(`--subject 'ada o'\\''hara'`);
  await ada.waitForText("Only an admin can erase an end user.");
  assert.equal(await ada.page.getByRole("button", { name: "Erase…" }).count(), 0);
  await ada.screenshot("subject");
  await memories.getByRole("link", { name: "All in the Memories view" }).click();
  await ada.page.waitForURL(/memories\?subject=/);
  await ada.close();
});

test("grants are listed for all end users and for one, and an operator revokes one", async () => {
  const give = (subject, more) => demo.request("POST", `${AT}/grants`, { subject, sessions: "all", to: { session: "s-9" }, evidence: `${subject} agreed by <b>phone</b>`, ...more });
  await give("bo", { sessions: ["s-1", "s-2"] });
  const { id } = await give(ADA, { expires_at: "2199-01-01T00:00:00Z" });
  const viewer = await newUser(browser, demo, { token: await demo.token(DEMO.root, "viewer") });
  await viewer.open(`w/${DEMO.fleetApi}/subject`);
  const seen = viewer.page.getByRole("region", { name: "Grants" });
  await seen.getByText("bo: 2 sessions may be read: s-1, s-2").waitFor();
  await seen.getByText(`${ADA}: all sessions may be read`).waitFor();
  assert.equal(await seen.getByRole("button", { name: "Revoke…" }).count(), 0);
  await viewer.close();

  const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
  await ada.open(`w/${DEMO.fleetApi}/subject?subject=${encodeURIComponent(ADA)}`);
  const grants = ada.page.getByRole("region", { name: "Grants" });
  await grants.getByText(`${ADA} agreed by <b>phone</b>`).waitFor();
  assert.equal(await grants.getByText("bo agreed").count(), 0);
  await ada.screenshot("grants");
  await grants.getByRole("button", { name: "Revoke…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Revoke a grant" });
  await ada.waitForFocus("Cancel");
  await dialog.getByText("It cannot be restored").waitFor();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await grants.getByText("No grants").waitFor();
  const left = await demo.request("GET", `${AT}/grants`);
  assert.ok(left.every((grant) => grant.id !== id) && left.length === 1, "only the other end user's grant is left");
  await ada.close();
});

test("erasure counts its effect in the whole org first, requires a reason, and leaves a receipt", async () => {
  const ada = await newUser(browser, demo, { token: await demo.adminToken() });
  await ada.open(`w/${DEMO.fleetApi}/subject?subject=${encodeURIComponent(ADA)}`);
  await ada.page.getByRole("button", { name: "Erase…" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Erase an end user" });
  await dialog.getByText("25 memories").waitFor();
  await dialog.getByText("1 key").waitFor();
  await ada.waitForFocus("Cancel");
  await ada.screenshot("erase");
  await dialog.getByRole("button", { name: /^Erase \d+ items$/ }).click();
  await dialog.getByRole("alert").waitFor();
  const counted = await demo.request("GET", `${AT}/memories/count?subject=${encodeURIComponent(ADA)}`);
  assert.equal(counted.count, 24, "without a reason nothing is erased");
  await dialog.getByLabel("Reason").fill("request of the end user");
  await dialog.getByRole("button", { name: /^Erase \d+ items$/ }).click();
  await ada.waitForText(/^Erased: 25 memories/);
  await ada.page.getByRole("heading", { name: "Memories 0" }).waitFor();
  await ada.waitForText("No pages about this end user.");
  const [receipt] = await demo.request("GET", `/admin/erasures?org_id=${DEMO.root}`);
  assert.deepEqual([receipt.reason, receipt.memories], ["request of the end user", 25]);
  const { count } = await demo.request("GET", `${AT}/memories/count?subject=bo`);
  assert.equal(count, 1);
  await ada.close();
});
