// Keeps the keyboard focus in the page. When the focused element disappears, browsers give the focus to the body, from where
// the next Tab starts at the top of the page.

/** The focused element and its ancestors, the innermost first. */
let path: Element[] = [];

addEventListener("focusin", ({ target }) => {
  path = [];
  for (let element = target instanceof Element ? target : null; element; element = element.parentElement) path.push(element);
});

/** Gives a lost focus to the nearest ancestor that is left, or to the content. */
function restore(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  const dialog = [...document.querySelectorAll<HTMLElement>("dialog:modal")].at(-1);
  const left = path.find((element) => element.isConnected && element.matches("[tabindex], button, a, input, select, textarea"));
  for (const element of [dialog, left, document.getElementById("main")]) {
    if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

/** Starts to watch the page. An element that the page replaces may take the focus first. */
export function keepFocus(): void {
  new MutationObserver(() => {
    if (document.activeElement === document.body && path.length > 0) requestAnimationFrame(restore);
  }).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled", "hidden", "inert"] });
}
