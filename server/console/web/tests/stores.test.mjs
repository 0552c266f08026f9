// The main journeys on both databases.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startPostgres } from "./support/postgres.mjs";
import { DEMO, startDemo } from "./support/server.mjs";

let browser;
let postgres;
const demos = {};
before(async () => {
  const onPostgres = async () => {
    postgres = await startPostgres();
    return startDemo({ database: postgres.url });
  };
  [browser, demos.SQLite, demos.PostgreSQL] = await Promise.all([startBrowser(), startDemo(), onPostgres()]);
});
after(async () => {
  await Promise.all([browser.close(), demos.SQLite.stop(), demos.PostgreSQL.stop()]);
  await postgres.stop();
});

for (const store of ["SQLite", "PostgreSQL"]) {
  test(`server uses ${store}`, async () => {
    assert.equal((await demos[store].request("GET", "/admin/stats")).store, store.toLowerCase());
  });

  test(`${store}: wrong fact is corrected after a conflict, and the history has both versions`, async () => {
    const demo = demos[store];
    const at = `/workspaces/${DEMO.telemetryIngest}/memories`;
    const wrong = { content: "The gauge intake deploys on Mondays", scope: "TEAM" };
    const { id } = await demo.request("POST", at, wrong);
    const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
    await ada.open(`w/${DEMO.telemetryIngest}/memories`);
    await ada.page.getByRole("searchbox").fill("gauge intake deploys");
    await ada.page.locator(".memory", { hasText: "deploys on Mondays" }).click();
    const drawer = ada.page.getByRole("complementary", { name: "Memory" });
    await drawer.getByRole("button", { name: "Edit" }).waitFor();
    await ada.press("e");
    await drawer.getByLabel("Content").fill("The gauge intake deploys on Tuesdays");
    await demo.request("PATCH", `${at}/${id}`, { content: "The gauge intake deploys on Mondays at noon" });
    await ada.press("Control+Enter");
    const dialog = ada.page.getByRole("dialog", { name: "Edit conflict" });
    await dialog.getByText("Version 2 was saved while you were editing.").waitFor();
    await dialog.getByLabel("Result").fill("The gauge intake deploys on Tuesdays at noon");
    await dialog.getByRole("button", { name: "Use this result" }).click();
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.locator(".content", { hasText: "Tuesdays at noon" }).waitFor();
    const [found] = await demo.search(DEMO.fleetApi, "gauge intake deploys");
    assert.match(found.content, /The gauge intake deploys on Tuesdays at noon$/);

    await drawer.getByText("History").click();
    await drawer.locator(".diff .removed", { hasText: "Mondays" }).first().waitFor();
    await drawer.locator(".diff .added", { hasText: "Tuesdays" }).first().waitFor();
    await drawer.getByRole("button", { name: "Restore version 1" }).click();
    await drawer.locator(".content", { hasText: "deploys on Mondays" }).waitFor();
    await ada.close();
  });

  test(`${store}: redacted secret is gone everywhere, logged, and the chain is intact`, async () => {
    const demo = demos[store];
    const at = `/workspaces/${DEMO.fleetApi}/memories`;
    const secret = "The badge code of the east dock door is seven four one nine";
    const { id } = await demo.request("POST", at, { content: secret, scope: "TEAM" });
    assert.equal((await demo.search(DEMO.telemetryIngest, "badge code east dock"))[0].id, id);
    const ada = await newUser(browser, demo, { token: await demo.token(DEMO.root, "operator") });
    await ada.open(`w/${DEMO.fleetApi}/memories?q=badge+code+east+dock`);
    await ada.page.locator(".memory", { hasText: "badge code" }).click();
    const drawer = ada.page.getByRole("complementary", { name: "Memory" });
    await drawer.getByRole("button", { name: "Redact…" }).waitFor();
    await ada.press("r");
    const dialog = ada.page.getByRole("dialog", { name: "Redact 1 memory" });
    await dialog.getByText(secret).waitFor();
    await dialog.getByText(/Backend Lead.* will no longer find it/).waitFor();
    await ada.waitForFocus("Cancel");
    await dialog.getByRole("button", { name: "Redact 1 memory" }).click();
    await dialog.getByRole("alert").getByText("Enter a reason.").waitFor();
    await dialog.getByLabel("Reason").fill("A door code does not belong here");
    await dialog.getByRole("button", { name: "Redact 1 memory" }).click();

    await drawer.getByText("Redacted", { exact: true }).waitFor();
    await drawer.getByText(/It was redacted by .*: A door code does not belong here\./).waitFor();
    await ada.page.locator(".memory", { hasText: "badge code" }).waitFor({ state: "detached" });
    assert.doesNotMatch(await ada.page.content(), /seven four one nine/);
    const left = await demo.search(DEMO.telemetryIngest, "badge code east dock");
    assert.ok(left.every((each) => each.id !== id && !each.content.includes("seven four one nine")));
    await assert.rejects(demo.request("GET", `${at}/${id}/history`), /404/);

    await ada.page.getByRole("link", { name: "Access", exact: true }).click();
    const row = ada.page.getByRole("row").filter({ hasText: "redacted" });
    await row.getByText("operator:Brindlemoor Robotics").waitFor();
    await ada.page.getByRole("button", { name: "Verify now" }).click();
    await ada.waitForText(/^Intact: \d+ rows verified/, ".chain");
    const [log] = await Promise.all([
      ada.page.waitForEvent("download"),
      ada.page.getByRole("button", { name: "Export as JSONL" }).click(),
    ]);
    const lines = (await readFile(await log.path(), "utf8")).trim().split("\n").map((line) => JSON.parse(line));
    assert.ok(lines.some((line) => line.action === "redact_memory" && line.memories.some((memory) => memory.id === id)));
    assert.doesNotMatch(JSON.stringify(lines), /seven four one nine/);
    await row.getByRole("link", { name: id.slice(-6) }).click();
    await drawer.getByText(/A door code does not belong here/).waitFor();
    await ada.close();
  });

  test(`${store}: second of two editors of a key sees the conflict, merges and saves`, async () => {
    const demo = demos[store];
    const key = "plan/current";
    await demo.request("POST", `/workspaces/${DEMO.fleetApi}/memory`, { key, value: { step: 1, owner: "ada" } });
    const token = await demo.token(DEMO.root, "operator");
    const [ada, ben] = await Promise.all([newUser(browser, demo, { token }), newUser(browser, demo, { token })]);
    const path = `w/${DEMO.fleetApi}/state?key=${encodeURIComponent(key)}`;
    await Promise.all([ada.open(path), ben.open(path)]);
    const value = (who) => who.page.getByRole("textbox", { name: "Value" });
    await value(ada).fill('{ "step": 2, "owner": "ada" }');
    await value(ben).fill('{ "step": 1, "owner": "ben" }');
    await ada.page.getByRole("button", { name: "Save" }).click();
    await ada.waitForText("Saved as version 2.", ".toasts");

    await ben.page.getByRole("button", { name: "Save" }).click();
    const dialog = ben.page.getByRole("dialog", { name: "Edit conflict" });
    await dialog.getByText("Version 2 was saved while you were editing.").waitFor();
    await dialog.locator(".diff").first().getByText("2", { exact: true }).waitFor();
    await dialog.getByLabel("Result").fill('{ "step": 2, "owner": "ben" }');
    await dialog.getByRole("button", { name: "Use this result" }).click();
    await ben.page.getByRole("button", { name: "Save" }).click();
    await ben.waitForText("Saved as version 3.", ".toasts");
    const entry = await demo.request("GET", `/workspaces/${DEMO.fleetApi}/memory/${encodeURIComponent(key)}`);
    assert.deepEqual(entry.value, { step: 2, owner: "ben" });
    await Promise.all([ada.close(), ben.close()]);
  });

  test(`${store}: lead with forty reports is moved after a preview, and a lens elsewhere follows`, async () => {
    const demo = demos[store];
    const reports = Array.from({ length: 40 }, (_, index) => ({ name: `Berth ${index}` }));
    const memory = { content: "The quay lamps are lit at dusk", scope: "TEAM" };
    const lead = { name: "Quay Lead", initial_memories: [memory], children: reports };
    await demo.request("POST", "/orgs/import", { id: DEMO.root, name: "Brindlemoor Robotics", children: [lead] });
    const [{ id }] = await demo.request("GET", "/workspaces?q=Quay+Lead");
    const [{ id: berth }] = await demo.request("GET", "/workspaces?q=Berth+17");
    const token = await demo.token(DEMO.root, "operator");
    const [ada, ben] = await Promise.all([newUser(browser, demo, { token }), newUser(browser, demo, { token })]);
    await Promise.all([ada.open(`w/${id}/memories`), ben.open(`w/${id}/memories?lens=reads`)]);
    const row = (name) => ben.page.getByRole("treeitem", { name });
    await row(/^Brindlemoor Robotics.*readable: TEAM/).waitFor();
    await ben.page.locator(".live.on").waitFor();

    await ada.page.getByRole("button", { name: "Actions" }).click();
    await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
    const dialog = ada.page.getByRole("dialog", { name: "Move Quay Lead" });
    await dialog.getByRole("combobox", { name: "New parent" }).fill("backend lead");
    await dialog.getByRole("option", { name: /^Backend Lead/ }).click();
    const preview = dialog.getByRole("status", { name: "Effect of this change" });
    await preview.getByRole("listitem").filter({ hasText: "Quay Lead" }).first().getByText(/gains [1-9]\d* TEAM/i).waitFor();
    await preview.getByRole("listitem").filter({ hasText: "Fleet API" }).getByText(/gains 1 TEAM/i).waitFor();
    assert.equal((await demo.request("GET", `/workspaces/${id}`)).parent_id, DEMO.root, "nothing has changed yet");
    await ada.screenshot(`preview-move-${store}`);
    await dialog.getByRole("button", { name: "Move 41 workspaces" }).click();
    await ada.waitForText("Quay Lead is now below Backend Lead.", ".toasts");
    await row(/^Backend Lead.*readable: TEAM/).waitFor();
    await row(/^Brindlemoor Robotics.*readable: GLOBAL/).waitFor();
    for (const { page } of [ada, ben]) {
      const moved = page.getByRole("treeitem", { name: /^Quay Lead/, selected: true, level: 4 });
      await moved.waitFor();
    }

    await ada.open(`w/${berth}/memories`);
    await ada.waitForText("The quay lamps are lit at dusk", ".memory");
    await Promise.all([ada.close(), ben.close()]);
  });
}
