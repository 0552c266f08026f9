// Takes the screenshots of the README, docs/pictures, from a server with the demo org.
//
//   cargo build --workspace --bins
//   node pictures.mjs            into docs/pictures
//   node pictures.mjs <folder>   into another folder

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser, newUser } from "./tests/support/browser.mjs";
import { DEMO, startDemo } from "./tests/support/server.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, "../../../docs/pictures"));

const [browser, demo] = await Promise.all([startBrowser(), startDemo()]);
try {
  const ada = await newUser(browser, demo, { token: await demo.adminToken(), height: 720 });
  const take = (name) => ada.page.screenshot({ path: join(folder, `console-${name}.png`) });
  const isVisible = (selector) => ada.page.locator(selector).first().waitFor();

  await demo.search(DEMO.fleetApi, "thundering herd docks");
  await ada.open(`w/${DEMO.fleetApi}/memories?q=thundering+herd+docks`);
  await isVisible(".memory mark");
  await ada.press("j", "Enter");
  await isVisible(".drawer .readers");
  await isVisible(".live.on");
  await ada.waitUntilLoaded();
  await take("memories");
  const memory = new URL(ada.page.url()).searchParams.get("m");

  await ada.press("r");
  await isVisible("dialog .effects");
  await ada.page.getByRole("dialog").getByText("Read so far by").waitFor();
  await take("redact");

  const [other] = await demo.request("GET", "/workspaces?q=Data+Lead");
  await ada.open(`w/${DEMO.fleetApi}/reach?with=${other.id}&lens=reads`);
  await isVisible(".path-diagram");
  await isVisible(".tree .sign");
  await isVisible(".live.on");
  await take("reach");

  await ada.open(`w/${DEMO.fleetApi}/reach?ask=${memory}&q=docks+reconnect&lens=reads`);
  await isVisible(".explanation");
  await isVisible(".tree .sign");
  await isVisible(".live.on");
  await take("why");

  await ada.open(`w/${DEMO.backendLead}/reach`);
  await isVisible(".live.on");
  await ada.page.getByRole("button", { name: "Actions" }).click();
  await ada.page.getByRole("button", { name: "Move…", exact: true }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByRole("combobox").fill("finance");
  await dialog.getByRole("option", { name: /^Finance/ }).click();
  await isVisible("dialog .preview li");
  await take("move");
  await ada.close();
} finally {
  await browser.close();
  await demo.stop();
}
