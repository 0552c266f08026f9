// Another product: a page of its own, on a port of its own, that shows the page to embed and hands tokens over to it as the
// documentation says.

import { createServer } from "node:http";

const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Canvas</title><style>body { margin: 0 } iframe { width: 100%; height: 100vh; border: 0 }</style></head>
  <body>
    <iframe title="Memory" allow="clipboard-write"></iframe>
    <script>
      const frame = document.querySelector("iframe");
      const heard = [];
      let token;
      const hand = () => token && frame.contentWindow.postMessage({ type: "orgmem:token", token }, new URL(frame.src).origin);
      addEventListener("message", (event) => {
        if (event.source !== frame.contentWindow || event.origin !== new URL(frame.src).origin) return;
        heard.push(event.data.type);
        hand();
      });
    </script>
  </body>
</html>`;

/** A product at `http://<host>:<port>`. */
export async function startProduct(host = "127.0.0.1") {
  const server = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end(PAGE));
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return new Product(server, `http://${host}:${server.address().port}`);
}

class Product {
  constructor(server, origin) {
    Object.assign(this, { server, origin });
  }

  /** Opens the page, with `path` of the console in it; it hands over this token when it is asked. */
  async show(someone, path, token) {
    const { page } = someone;
    await page.goto(this.origin);
    await page.evaluate((given) => void (token = given), token);
    await page.evaluate((src) => void (frame.src = src), `${someone.server.url}/console/${path}`);
    return page.frameLocator("iframe[title=Memory]");
  }

  /** From now on it hands over this token, and does so at once when it is `asked` for already. */
  async gives(someone, token) {
    await someone.page.evaluate((given) => {
      token = given;
      hand();
    }, token);
  }

  /** Waits until the page within has said this. */
  async hears(someone, type, times = 1) {
    await someone.page.waitForFunction(({ type, times }) => heard.filter((each) => each === type).length >= times, { type, times });
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((stopped) => this.server.close(stopped));
  }
}
