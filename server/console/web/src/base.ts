// The addresses of the console and the server, below any prefix of a proxy. The server writes the depth of the page into
// its `base` element; the rest follows from that.

/** The console's folder, such as `https://example.org/orgmem/console/`. */
export const CONSOLE = new URL(".", document.baseURI);

/** The server's root, such as `https://example.org/orgmem/`. */
export const ROOT = new URL("..", CONSOLE);

/** The origins that may embed this page, from its head; undefined on every page except the embedded view. */
export const FRAMERS = document
  .querySelector<HTMLMetaElement>('meta[name="orgmem-framers"]')
  ?.content.split(" ")
  .filter(Boolean);

/** Whether this is the embedded view. */
export const isEmbedded = FRAMERS !== undefined;

/** The absolute address of a path of the server, such as `/me`. */
export function ofServer(path: string): string {
  return new URL(path.replace(/^\//, ""), ROOT).href;
}
