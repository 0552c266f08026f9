// A windowed tree over a flat list of rows: one tab stop, then arrow keys and letters.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CaretIcon, ScopeSign } from "../parts/icons.tsx";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { strings } from "../strings.ts";
import { type Lens, type LensMark, type LensMarks, markText, useLens } from "./lens.ts";
import type { Row } from "./model.ts";

/** Rows rendered beyond each edge of the window, so that scrolling shows no gaps. */
const MARGIN = 8;
/** Letters within this time form one name, in milliseconds. */
const TYPING_MS = 700;

interface TreeProps {
  rows: Row[];
  selected: string | undefined;
  lens: Lens | undefined;
  /** Increases when the selected row is in another place, which is then scrolled to. */
  moves: number;
  /** Called with the workspaces whose children are in view. */
  onNeed: (ids: Iterable<string>) => void;
  onToggle: (id: string, isOpen: boolean) => void;
  onOpenAll: (ids: string[]) => void;
  onSelect: (id: string) => void;
}

export function Tree(props: TreeProps) {
  const { rows, selected } = props;
  const ref = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const view = useView(ref);
  const typed = useRef({ text: "", at: 0 });
  const index = indexOf(rows, active ?? selected);
  const height = view.rowHeight;
  const first = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + MARGIN);
  const shown = rows.slice(first, last);
  const activeRow = rows[index];
  // the active row is rendered even outside the window, because aria-activedescendant refers to it
  const isAway = activeRow && (index < first || index >= last);

  const goTo = (next: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, next))];
    if (!row) return;
    setActive(row.item.id);
    scrollTo(ref.current, rows.indexOf(row), height);
  };
  // its branch may load later than the selection changes
  const wanted = useRef<string | undefined>(undefined);
  useEffect(() => {
    setActive(undefined);
    wanted.current = selected;
  }, [selected]);
  useEffect(() => {
    wanted.current = selected;
  }, [props.moves]);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const place = indexOf(rows, wanted.current);
    if (rows[place]?.item.id !== wanted.current) return;
    wanted.current = undefined;
    scrollTo(ref.current, place, height);
  }, [selected, props.moves, rows]);
  useEffect(() => {
    const parents = shown.flatMap(({ item, isOpen }) => [...(item.parent ? [item.parent] : []), ...(isOpen ? [item.id] : [])]);
    props.onNeed(new Set(parents));
  }, [rows, first, last]);
  const marks = useLens(selected, props.lens, rows, first, last);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !activeRow) return;
    const action = actionOf(event.key);
    if (action) action();
    else if (event.key.length === 1 && /\p{L}|\p{N}/u.test(event.key) && !isReserved(event)) typeAhead(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const actionOf = (key: string): (() => void) | undefined => {
    const row = activeRow as Row;
    switch (key) {
      case "ArrowDown":
      case "j":
        return () => goTo(index + 1);
      case "ArrowUp":
      case "k":
        return () => goTo(index - 1);
      case "Home":
        return () => goTo(0);
      case "End":
        return () => goTo(rows.length - 1);
      case "PageDown":
        return () => goTo(index + Math.floor(view.height / height));
      case "PageUp":
        return () => goTo(index - Math.floor(view.height / height));
      case "ArrowRight":
        return () => {
          if (row.item.childCount > 0 && !row.isOpen) props.onToggle(row.item.id, true);
          else if (row.isOpen) goTo(index + 1);
        };
      case "ArrowLeft":
        return () => {
          if (row.isOpen) props.onToggle(row.item.id, false);
          else goTo(parentOf(rows, index));
        };
      case "*":
        return () => props.onOpenAll(siblings(rows, row));
      case "Enter":
      case " ":
      case "o":
        return () => !row.item.isPlaceholder && props.onSelect(row.item.id);
      default:
        return undefined;
    }
  };
  /** Letters and digits that are shortcuts elsewhere stay shortcuts here, unless the user is typing a name. */
  const isReserved = (event: KeyboardEvent) =>
    /^[lcg?1-9]$/i.test(event.key) && event.timeStamp - typed.current.at > TYPING_MS;
  const typeAhead = (event: KeyboardEvent) => {
    const isMore = event.timeStamp - typed.current.at < TYPING_MS;
    const text = (isMore ? typed.current.text : "") + event.key.toLowerCase();
    typed.current = { text, at: event.timeStamp };
    const start = isMore ? index : index + 1;
    for (let step = 0; step < rows.length; step += 1) {
      const place = (start + step) % rows.length;
      if (rows[place]?.item.name.toLowerCase().startsWith(text)) return goTo(place);
    }
  };

  return (
    <div
      ref={ref}
      class={`tree ${marks ? "with-lens" : ""}`}
      role="tree"
      tabIndex={0}
      aria-label={strings.frame.workspaces}
      aria-activedescendant={activeRow && rowId(activeRow)}
      onKeyDown={onKeyDown}
    >
      <div role="none" style={{ height: `${rows.length * height}px` }}>
        {isAway && <TreeRow {...props} marks={marks} row={activeRow} place={index} height={height} isActive />}
        {shown.map((row, offset) => (
          <TreeRow
            key={row.item.id}
            {...props}
            marks={marks}
            row={row}
            place={first + offset}
            height={height}
            isActive={first + offset === index}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps extends TreeProps {
  marks: LensMarks | undefined;
  row: Row;
  place: number;
  height: number;
  isActive: boolean;
}

function TreeRow({ row, place, height, isActive, selected, lens, marks, onToggle, onSelect }: RowProps) {
  const { item, level, isOpen } = row;
  const mark = marks?.marks.get(item.id);
  const isDim = row.isAncestorOnly || item.isPlaceholder || (marks?.known.has(item.id) && !mark);
  const classes = `tree-row ${isDim ? "dim" : ""} ${isActive ? "active" : ""}`;
  return (
    <div
      id={rowId(row)}
      class={classes}
      role="treeitem"
      aria-level={level}
      aria-setsize={row.size}
      aria-posinset={row.position}
      aria-expanded={item.childCount > 0 ? isOpen : undefined}
      aria-selected={item.id === selected}
      title={lens && marks ? markText(mark, lens) : undefined}
      style={{ top: `${place * height}px`, height: `${height}px`, "--level": level }}
      aria-busy={item.isPlaceholder}
      onClick={() => !item.isPlaceholder && onSelect(item.id)}
    >
      <span
        class={`caret ${item.childCount > 0 ? "" : "none"} ${isOpen ? "open" : ""}`}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(item.id, !isOpen);
        }}
      >
        <CaretIcon />
      </span>
      <span class="name">
        <Stored>{item.name}</Stored>
        {item.role !== undefined && (
          <span class="role">
            <Separator />
            <Stored>{item.role}</Stored>
          </span>
        )}
      </span>
      {marks && lens ? (
        <>
          <ScopeSigns mark={mark} />
          <Separator text={markText(mark, lens)} />
        </>
      ) : (
        <>
          <Separator />
          <span class="count">
            {item.memories ?? (row.isAncestorOnly ? "" : strings.unknown)}
            {item.memories !== undefined && <span class="unseen"> {strings.frame.memoriesOf(item.memories)}</span>}
          </span>
          <Separator />
          <span class="age">{item.lastWrite && <Time at={item.lastWrite} brief />}</span>
        </>
      )}
    </div>
  );
}

function ScopeSigns({ mark }: { mark: LensMark | undefined }) {
  return (
    <span class="signs">
      {mark?.scopes.map((scope) => (
        <span key={scope} class={`sign ${scope.toLowerCase()}`}>
          <ScopeSign scope={scope} />
        </span>
      ))}
    </span>
  );
}

/** Separates the parts of a row for screen readers, with text only for them. */
function Separator({ text = "" }: { text?: string }) {
  return <span class="unseen">, {text}</span>;
}

const rowId = (row: Row) => `tree-${row.item.id}`;

function indexOf(rows: Row[], id: string | undefined): number {
  if (id === undefined) return 0;
  return Math.max(0, rows.findIndex((row) => row.item.id === id));
}

function parentOf(rows: Row[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above -= 1) {
    if ((rows[above]?.level ?? 1) < level) return above;
  }
  return index;
}

function siblings(rows: Row[], row: Row): string[] {
  const others = rows.filter((other) => other.item.parent === row.item.parent && other.item.childCount > 0);
  return others.map((other) => other.item.id);
}

function scrollTo(element: HTMLElement | null, index: number, height: number): void {
  if (!element) return;
  const top = index * height;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
}

/** The scroll position, height and row height of the tree. */
function useView(ref: { current: HTMLDivElement | null }) {
  const [view, set] = useState({ top: 0, height: 800, rowHeight: 28 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const rowHeight = parseFloat(getComputedStyle(element).getPropertyValue("--row-height")) || 28;
      set((old) => {
        const next = { top: element.scrollTop, height: element.clientHeight, rowHeight };
        const isSame = old.top === next.top && old.height === next.height && old.rowHeight === next.rowHeight;
        return isSame ? old : next;
      });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    const density = new MutationObserver(measure);
    density.observe(document.documentElement, { attributes: true, attributeFilter: ["data-density"] });
    return () => {
      watch.disconnect();
      density.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  return view;
}
