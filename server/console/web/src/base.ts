// Where the console and the server are, below whatever prefix a proxy puts before them. The server writes how far above
// the page the console's folder is; everything else follows from that.

/** The console's folder, such as `https://example.org/orgmem/console/`. */
export const CONSOLE = new URL(".", document.baseURI);

/** The server's root, such as `https://example.org/orgmem/`. */
export const ROOT = new URL("..", CONSOLE);

/** Whose pages may show this one within theirs, as its head says; undefined on every page but the one made for that. */
export const FRAMERS = document
  .querySelector<HTMLMetaElement>('meta[name="orgmem-framers"]')
  ?.content.split(" ")
  .filter(Boolean);

/** Whether this is the page that another product shows within its own. */
export const isEmbedded = FRAMERS !== undefined;

/** The whole address of a path of the server, such as `/me`. */
export function ofServer(path: string): string {
  return new URL(path.replace(/^\//, ""), ROOT).href;
}
