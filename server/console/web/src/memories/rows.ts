// Keyboard navigation in a list of rows.

const ROWS = "[data-row]";

/** Moves the focus to the next or previous row; loads more after the last one. */
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

/** Focuses the row with this id. */
export function focusRow(list: HTMLElement | null, id: string | undefined): void {
  if (id !== undefined) list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
}

/** Moves the focus from the search field into the list on ArrowDown. */
export function focusListOnArrowDown(go: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    go();
  };
}
