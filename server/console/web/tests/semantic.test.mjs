// With an embedder: semantic results are marked as such, and a failing embedder is reported.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { startBrowser, newUser } from "./support/browser.mjs";
import { startServer } from "./support/server.mjs";

/** Synonyms; each line is one dimension of the vectors. */
const MEANINGS = [["car", "automobile", "vehicle"], ["doctor", "physician"], ["cat", "kitten", "feline"]];

const embedder = createServer((call, answer) => {
  const parts = [];
  call.on("data", (part) => parts.push(part));
  call.on("end", () => {
    answer.statusCode = isWell ? 200 : 500;
    answer.setHeader("Content-Type", "application/json");
    const { input, documents } = JSON.parse(Buffer.concat(parts).toString());
    if (call.url.endsWith("/rerank")) {
      const results = documents.map((text, index) => ({ index, relevance_score: text.length }));
      answer.end(isWell ? JSON.stringify({ results }) : "out of order");
      return;
    }
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
  const models = { ORGMEM_EMBEDDING_MODEL: "small-1", ORGMEM_RERANKING_MODEL: "longest-1" };
  const settings = { ...models, ORGMEM_EMBEDDER: address, ORGMEM_EMBEDDING_KEY: "sk-stub", ORGMEM_RERANKER: address };
  [browser, server] = await Promise.all([startBrowser(), startServer({ settings })]);
  bot = await server.request("POST", "/workspaces", { name: "Bot" });
  memories = `/workspaces/${bot.id}/memories`;
  await server.request("POST", memories, { content: "The automobile is in the garage", scope: "LOCAL" });
  await server.request("POST", memories, { content: "Our kitten sleeps all day", scope: "LOCAL" });
});
after(async () => {
  await Promise.all([browser.close(), server.stop()]);
  embedder.closeAllConnections();
  embedder.close();
});

/** Waits until this number of memories is embedded. */
async function untilEmbedded(count) {
  for (let done = 0; done < count; ) done = (await server.request("GET", "/admin/stats")).embedder.embedded;
}

test("semantic match is found in every mode with its similarity, and its score adds up", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  await untilEmbedded(2);
  await ada.open("system");
  await ada.page.getByRole("row", { name: /^Embedder .*small-1/ }).waitFor();
  await ada.page.getByRole("row", { name: "Embedded since start 2" }).waitFor();
  await ada.page.getByRole("row", { name: "Waiting to be embedded 0" }).waitFor();
  assert.equal(await ada.page.locator(".notice").count(), 0, "quiet when fine");

  await ada.open(`w/${bot.id}/memories?q=who+has+a+car&mode=keyword`);
  await ada.waitForText("Nothing matches");
  const menu = ada.page.getByRole("combobox", { name: "Search mode" });
  await menu.focus();
  for (const mode of ["semantic", "hybrid", ""]) {
    await menu.selectOption(mode);
    const found = ada.page.locator(".memory", { hasText: "The automobile" });
    await found.getByText(/^similarity (1\.00|0\.\d\d)$/).waitFor();
    assert.equal(await ada.page.locator("optgroup[disabled]").count(), 0);
    assert.equal(await ada.page.locator(".memory").count(), 1);
    // the counts use the same search as the list, and are recorded reads, so they load on request
    await ada.page.mouse.move(0, 0);
    await ada.page.locator(".scopes").hover();
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
  await ada.close();
});

test("reranker orders the results, which name their earlier rank, and a failing one is reported", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  const other = await server.request("POST", "/workspaces", { name: "Longest first" });
  for (const content of ["An old feline sleeps in the garage, far from the noise of the street", "Our kitten"]) {
    await server.request("POST", `/workspaces/${other.id}/memories`, { content, scope: "LOCAL" });
  }
  isWell = true;
  await untilEmbedded(4);
  await ada.open(`w/${other.id}/memories?q=kitten`);
  await ada.page.getByRole("button", { name: "View as agent" }).press("Enter");
  const shown = ada.page.locator("li", { has: ada.page.locator(".memory") });
  await shown.first().getByText("An old feline").waitFor();
  await shown.first().getByText("rank 2 before reranking").waitFor();
  await ada.open("system");
  await ada.page.getByRole("row", { name: /^Reranker .*longest-1/ }).waitFor();
  await ada.page.getByRole("row", { name: /^Searches reranked since start [1-9]/ }).waitFor();
  await ada.screenshot("system-reranker");
  isWell = false;
  await server.request("GET", `/workspaces/${other.id}/memories?q=kitten+garage&mode=auto`);
  await ada.open("system");
  await ada.page.locator(".notice").getByText(/^The reranker fails: .*500/).waitFor();
  await ada.page.getByRole("row", { name: /^Searches not reranked [1-9]/ }).waitFor();
  isWell = true;
  await ada.close();
});

test("failing embedder is reported, and keyword search continues", async () => {
  const ada = await newUser(browser, server, { token: await server.adminToken() });
  isWell = false;
  await server.request("GET", `${memories}?q=kitten`);
  await ada.open("system");
  const notice = ada.page.locator(".notice");
  await notice.getByText(/^The embedder fails: .*500/).waitFor();
  await notice.getByText(/^Until it works again, searches use keywords only.*Check .*small-1/).waitFor();
  await ada.screenshot("system-failing");
  await ada.open(`w/${bot.id}/memories?q=kitten`);
  await ada.waitForText("Our kitten sleeps all day", ".memory");
  await ada.open(`w/${bot.id}/memories?q=kitten&mode=semantic`);
  await ada.page.locator(".rows .refused").getByText(/embedder/i).first().waitFor();
  await ada.close();
});
