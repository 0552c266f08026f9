// An engine behind the memory-plugin contract, for one test file: it has what was sent to it, and finds the newest first.

import { createServer } from "node:http";

export async function startEngine() {
  const items = new Map();
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = parts.length > 0 ? JSON.parse(Buffer.concat(parts)) : undefined;
    const answer = (status, value) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    const [, namespace] = /^\/v1\/namespaces\/([^/]+)\/memories$/.exec(request.url) ?? [];
    if (request.url === "/v1/health") return answer(200, { status: "ok", version: "9.1", capabilities: ["search"] });
    if (namespace !== undefined) {
      items.set(body.id, { namespace: decodeURIComponent(namespace), content: body.content });
      return answer(201, { id: body.id });
    }
    if (request.url === "/v1/search") {
      const found = [...items].filter(([, item]) => body.namespaces.includes(item.namespace) && item.content.includes(body.query));
      return answer(200, { memories: found.reverse().map(([id]) => ({ id })) });
    }
    if (request.method === "DELETE") items.delete(request.url.split("/").at(-1));
    answer(200, {});
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    items,
    /** The settings of a server that shadows the surfaces `phone` and `mail` with it. */
    settings: {
      ORGMEM_PROVIDERS_ACME_URL: `http://127.0.0.1:${server.address().port}`,
      ORGMEM_PROVIDERS_ACME_PRIVATE_HOST: "127.0.0.1",
      ORGMEM_PROVIDERS_ACME_SURFACES: "phone,mail",
      ORGMEM_PROVIDERS_ACME_MIN_SAMPLES: "3",
      ORGMEM_PROVIDERS_ACME_MIN_AGREEMENT_PERCENT: "60",
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
