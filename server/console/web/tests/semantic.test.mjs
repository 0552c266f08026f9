// With an embedder beside the server: what is found by its meaning says so, and whether the embedder is well is told.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { startBrowser, visitor } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

/** Words that mean the same; each line is a direction. */
const MEANINGS = [["car", "automobile", "vehicle"], ["doctor", "physician"], ["cat", "kitten", "feline"]];

const embedder = createServer((call, answer) => {
  const parts = [];
  call.on("data", (part) => parts.push(part));
  call.on("end", () => {
    answer.statusCode = isWell ? 200 : 500;
    answer.setHeader("Content-Type", "application/json");
    const { input } = JSON.parse(Buffer.concat(parts).toString());
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: vector(text) }));
    answer.end(isWell ? JSON.stringify({ object: "list", data }) : "out of order");
  });
});
let isWell = true;

function vector(text) {
  const own = text.toLowerCase().split(/\W+/);
  const directions = MEANINGS.map((meant) => (meant.some((word) => own.includes(word)) ? 1 : 0));
  return [...directions, directions.includes(1) ? 0.1 : 1];
}

let browser;
let server;
let bot;
let memories;
before(async () => {
  embedder.listen(0, "127.0.0.1");
  await once(embedder, "listening");
  const address = `http://127.0.0.1:${embedder.address().port}/v1`;
  const settings = { ORGMEM_EMBEDDER: address, ORGMEM_EMBEDDING_MODEL: "small-1", ORGMEM_EMBEDDING_KEY: "sk-stub" };
  [browser, server] = await Promise.all([startBrowser(), startServer({ settings })]);
  bot = await server.ask("POST", "/workspaces", { name: "Bot" });
  memories = `/workspaces/${bot.id}/memories`;
  await server.ask("POST", memories, { content: "The automobile is in the garage", scope: "LOCAL" });
  await server.ask("POST", memories, { content: "Our kitten sleeps all day", scope: "LOCAL" });
});
after(async () => {
  await Promise.all([browser.close(), server.stop()]);
  embedder.closeAllConnections();
  embedder.close();
});

test("what means the same is found in every mode, says how near it is, and its score adds up", async () => {
  const ada = await visitor(browser, server, { token: await server.adminToken() });
  for (let done = 0; done < 2; ) done = (await server.ask("GET", "/admin/stats")).embedder.embedded;
  await ada.open("system");
  await ada.page.getByRole("row", { name: /^Embedder .*small-1/ }).waitFor();
  await ada.page.getByRole("row", { name: "Embedded since start 2" }).waitFor();
  await ada.page.getByRole("row", { name: "Waiting to be embedded 0" }).waitFor();
  assert.equal(await ada.page.locator(".notice").count(), 0, "quiet when fine");

  await ada.open(`w/${bot.id}/memories?q=who+has+a+car&mode=keyword`);
  await ada.sees("Nothing matches");
  const menu = ada.page.getByRole("combobox", { name: "Search mode" });
  await menu.focus();
  for (const mode of ["semantic", "hybrid", ""]) {
    await menu.selectOption(mode);
    const found = ada.page.locator(".memory", { hasText: "The automobile" });
    await found.getByText(/^similarity (1\.00|0\.\d\d)$/).waitFor();
    assert.equal(await ada.page.locator("optgroup[disabled]").count(), 0);
    assert.equal(await ada.page.locator(".memory").count(), 1);
    // what is counted beside it was found in the same way
    for (const scope of ["All", "LOCAL"]) {
      await ada.page.locator(".scopes button", { hasText: scope }).getByText("1", { exact: true }).waitFor();
    }
  }
  await menu.selectOption("semantic");
  await ada.page.getByRole("button", { name: "View as agent" }).press("Enter");
  const score = ada.page.locator("summary", { hasText: /^score \d/ });
  await score.press("Enter");
  const parts = await ada.page.getByRole("table", { name: "Parts of the score" }).getByRole("row").allInnerTexts();
  assert.ok(parts.some((part) => part.startsWith("Semantic similarity")), parts.join("\n"));
  const sum = parts.reduce((all, part) => all + Number(/-?\d\.\d+$/.exec(part)[0]), 0);
  assert.equal(sum.toFixed(2), /[\d.]+/.exec(await score.innerText())[0], "the parts add up, in this mode too");
  await ada.leave();
});

test("an embedder that fails is one line with what to do; searches go on by words", async () => {
  const ada = await visitor(browser, server, { token: await server.adminToken() });
  isWell = false;
  await server.ask("GET", `${memories}?q=kitten`);
  await ada.open("system");
  const notice = ada.page.locator(".notice");
  await notice.getByText(/^The embedder fails: .*500/).waitFor();
  await notice.getByText(/^Until it works again, searches use keywords only.*Check .*small-1/).waitFor();
  await ada.picture("system-failing");
  await ada.open(`w/${bot.id}/memories?q=kitten`);
  await ada.sees("Our kitten sleeps all day", ".memory");
  await ada.open(`w/${bot.id}/memories?q=kitten&mode=semantic`);
  await ada.page.locator(".rows .refused").getByText(/embedder/i).first().waitFor();
  await ada.leave();
});
