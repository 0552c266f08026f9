// A host page on its own port, which embeds the console and sends tokens as docs/console.md describes.

import { createServer } from "node:http";

const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Canvas</title><style>body { margin: 0 } iframe { width: 100%; height: 100vh; border: 0 }</style></head>
  <body>
    <iframe title="Memory" allow="clipboard-write"></iframe>
    <script>
      const frame = document.querySelector("iframe");
      const messages = [];
      let token;
      const hand = () => token && frame.contentWindow.postMessage({ type: "orgmem:token", token }, new URL(frame.src).origin);
      addEventListener("message", (event) => {
        if (event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin) return;
        messages.push(event.data.type);
        hand();
      });
    </script>
  </body>
</html>`;

/** Starts a host page at `http://<host>:<port>`. */
export async function startHostPage(host = "127.0.0.1") {
  const server = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(PAGE));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return new HostPage(server, `http://${host}:${server.address().port}`);
}

class HostPage {
  constructor(server, origin) {
    Object.assign(this, { server, origin });
  }

  /** Opens the page with `path` of the console in its frame; it sends this token on request. */
  async show(someone, path, token) {
    const { page } = someone;
    await page.goto(this.origin);
    await page.evaluate((given) => void (token = given), token);
    await page.evaluate((src) => void (frame.src = src), `${someone.server.url}/console/${path}`);
    return page.frameLocator("iframe[title=Memory]");
  }

  /** Sends this token, now and on later requests. */
  async provideToken(someone, token) {
    await someone.page.evaluate((given) => {
      token = given;
      hand();
    }, token);
  }

  /** Waits until the embedded view has sent this message. */
  async waitForMessage(someone, type, times = 1) {
    await someone.page.waitForFunction(({ type, times }) => messages.filter((each) => each === type).length >= times, { type, times });
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((stopped) => this.server.close(stopped));
  }
}
