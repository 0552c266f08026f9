// Moving the focus along a list of rows.

const ROWS = "[data-row]";

/** Moves the focus to the next or previous row; beyond the last one, more are asked for. */
export function moveFocus(list: HTMLElement | null, step: 1 | -1, more: () => void = () => {}): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
  const place = rows.findIndex((row) => row === document.activeElement || row.classList.contains("open"));
  const focused = rows.findIndex((row) => row === document.activeElement);
  const from = focused >= 0 ? focused : place;
  const target = rows[from < 0 ? 0 : from + step];
  if (!target) return step > 0 ? more() : undefined;
  target.focus();
  target.scrollIntoView({ block: "nearest" });
}

/** Gives the focus back to the row of this id. */
export function focusRow(list: HTMLElement | null, id: string | undefined): void {
  if (id !== undefined) list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
}

/** What ArrowDown does in the search above a list: it goes on to what was found. */
export function intoList(go: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    go();
  };
}
