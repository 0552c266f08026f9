import type { RefObject } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { Button, IconButton } from "../parts/controls.tsx";
import { CloseIcon, SearchIcon } from "../parts/icons.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { useDebounced } from "../parts/debounce.ts";
import { current, go, goWith, useRoute, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import type { Lens } from "./lens.ts";
import { searchRows, visibleRows } from "./model.ts";
import { type TreeStore, treeStoreFor } from "./store.ts";
import { Tree } from "./tree.tsx";

/** Search results per page. */
const PAGE_SIZE = 200;

interface PaneProps {
  me: Me;
  selected: string | undefined;
  filter: RefObject<HTMLInputElement | null>;
}

/** The tree with its filter and its lens. */
export function TreePane({ me, selected, filter }: PaneProps) {
  const store = useStore(me);
  const { query } = useRoute();
  const [text, setText] = useState("");
  const wanted = useDebounced(text.trim());
  const lens = selected === undefined ? undefined : lensOf(query);
  const found = usePages<Workspace>(wanted === "" ? undefined : endpoint.workspaces({ q: wanted, limit: PAGE_SIZE }));
  const isFiltered = wanted !== "";
  const all = useMemo(() => visibleRows(store.items, store.roots, store.open), [store, store.version]);
  const hits = useMemo(() => searchRows(found.all ?? []), [found.all]);
  const rows = isFiltered ? hits : all;

  useEffect(() => {
    if (store.isLoaded) void store.reveal(selected);
  }, [store, selected, store.isLoaded]);
  useKeys({
    "l": () => toggle("reads", lens, selected),
    "Shift+l": () => toggle("read_by", lens, selected),
    "Escape": () => {
      if (text === "") return false;
      setText("");
      return true;
    },
  });
  const select = (id: string) => go(targetOf(id));
  return (
    <div class="tree-pane">
      <div class="tree-filter">
        <SearchIcon />
        <input
          ref={filter}
          type="text"
          placeholder={strings.frame.filter}
          aria-label={strings.frame.filter}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {text !== "" && (
          <IconButton label={strings.frame.clearFilter} onClick={() => setText("")}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
      <LensBar lens={lens} selected={selected} />
      {store.failure && <ErrorNotice failure={store.failure} />}
      {!store.isLoaded && !store.failure && <Skeleton rows={8} height={28} />}
      {isFiltered && found.failure && <ErrorNotice failure={found.failure} />}
      {isFiltered && found.all && <SearchStatus count={found.all.length} hasMore={found.hasMore} onMore={found.more} />}
      {store.isLoaded && !isFiltered && rows.length === 0 && <Empty title={strings.frame.noWorkspaces} />}
      {rows.length > 0 && !lens && (
        <p class="tree-columns" aria-hidden="true">
          <span>{strings.frame.memories}</span>
          <span>{strings.frame.lastWrite}</span>
        </p>
      )}
      {rows.length > 0 && (
        <Tree
          rows={rows}
          selected={selected}
          lens={lens}
          moves={store.moves}
          onNeed={(ids) => !isFiltered && store.need(ids)}
          onToggle={(id, isOpen) => store.toggle(id, isOpen)}
          onOpenAll={(ids) => store.openAll(ids)}
          onSelect={select}
        />
      )}
    </div>
  );
}

function SearchStatus({ count, hasMore, onMore }: { count: number; hasMore: boolean; onMore: () => void }) {
  return (
    <p class="tree-found" role="status">
      {count === 0 ? strings.frame.noneFound : strings.frame.found(count, hasMore)}{" "}
      {hasMore && (
        <Button kind="quiet" onClick={onMore}>
          {strings.more}
        </Button>
      )}
    </p>
  );
}

/** The direction of the lens. */
function LensBar({ lens, selected }: { lens: Lens | undefined; selected: string | undefined }) {
  const workspace = useResource<Workspace>(selected && endpoint.workspace(selected)).data;
  const option = (which: Lens | undefined, label: string) => (
    <button
      type="button"
      aria-pressed={lens === which}
      disabled={selected === undefined && which !== undefined}
      onClick={() => goWith({ lens: which }, { replace: true })}
    >
      {label}
    </button>
  );
  return (
    <div class="lens-bar">
      <div class="segments" role="group" aria-label={strings.lens.title}>
        {option(undefined, strings.lens.off)}
        {option("reads", strings.lens.reads)}
        {option("read_by", strings.lens.readBy)}
      </div>
      {lens && workspace && (
        <p>
          <bdi dir="ltr">{strings.lens.sentence(lens, workspace.name)}</bdi>
        </p>
      )}
    </div>
  );
}

function lensOf(query: URLSearchParams): Lens | undefined {
  const lens = query.get("lens");
  return lens === "reads" || lens === "read_by" ? lens : undefined;
}

function toggle(which: Lens, lens: Lens | undefined, selected: string | undefined): void | false {
  if (selected === undefined) return false;
  goWith({ lens: lens === which ? undefined : which }, { replace: true });
}

/** The address of another workspace in the same view and lens. */
function targetOf(id: string): string {
  const { screen, query } = current();
  const tab = screen.name === "workspace" ? screen.tab : "memories";
  const lens = query.get("lens");
  return `${workspacePath(id, tab)}${lens ? `?lens=${lens}` : ""}`;
}

/** The store of the tree; re-renders when it changes. */
function useStore(me: Me): TreeStore {
  const [, redraw] = useState(0);
  const store = useMemo(() => treeStoreFor(me), [me.jti]);
  useEffect(() => store.listen(() => redraw((count) => count + 1)), [store]);
  return store;
}
