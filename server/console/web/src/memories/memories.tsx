import { useRef } from "preact/hooks";
import { at } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Me, Memory, Workspace } from "../api/types.ts";
import { Drawer } from "../drawer/drawer.tsx";
import { useKeys } from "../keys.ts";
import { Button } from "../parts/controls.tsx";
import { Empty, Refused, Waiting } from "../parts/states.tsx";
import { Snippet, copy } from "../parts/text.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { goWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { words } from "../words.ts";
import { FilterBar } from "./filter-bar.tsx";
import { FILTERS, asked, inForce } from "./filters.ts";
import { MemoryRow } from "./row.tsx";
import { focusRow, moveFocus } from "./rows.ts";
import { Write } from "./write.tsx";

/** What a workspace can read: listed newest first, searched best first. */
export function Memories({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, typed } = useSearchText();

  const pages = usePages<Memory>(at.memories(workspace.id, asked(query, typed)));
  const open = query.get("m") ?? undefined;
  const close = () => {
    goWith({ m: undefined });
    focusRow(list.current, open);
  };
  const canWrite = may(me, "write_memories");
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "o": () => (document.activeElement as HTMLElement | null)?.click(),
    "w": () => (canWrite ? goWith({ write: "1" }) : false),
    "y": () => (open === undefined ? false : void copy(open)),
    "Escape": () => {
      if (open !== undefined) return close();
      if (text === "" && !FILTERS.some((name) => query.has(name))) return false;
      setText("");
      goWith(withoutFilters(), { replace: true });
    },
  });
  const names = new Map(pages.rows?.map((memory) => [memory.workspace_id, memory.workspace_name]));
  const nameOf = (id: string) => (id === workspace.id ? workspace.name : (names.get(id) ?? id));
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={words.tabs.memories}>
        <div class="list-head">
          <FilterBar text={text} onText={setText} field={field} nameOf={nameOf} canWrite={canWrite} />
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading}>
          <span class="unseen" role="status">
            {pages.rows && !pages.isLoading && typed !== "" ? words.memories.shown(pages.rows.length, pages.hasMore) : ""}
          </span>
          {pages.failure && <Refused failure={pages.failure} />}
          {!pages.rows && !pages.failure && <Waiting />}
          {pages.rows?.length === 0 && !pages.isStale && <Nothing workspace={workspace} nameOf={nameOf} canWrite={canWrite} />}
          {pages.rows && pages.rows.length > 0 && (
            <ul class="memories" ref={list}>
              {pages.rows.map((memory) => (
                <MemoryRow key={memory.id} memory={memory} query={typed} isOpen={memory.id === open} />
              ))}
            </ul>
          )}
          {pages.hasMore && (
            <Button kind="quiet" class="more" isBusy={pages.isLoading} onClick={pages.more}>
              {words.more}
            </Button>
          )}
        </div>
      </section>
      {open !== undefined && <Drawer key={open} me={me} workspace={workspace} id={open} query={typed} onClose={close} />}
      {query.has("write") && canWrite && (
        <Write workspace={workspace} onClose={() => goWith({ write: undefined })} />
      )}
    </div>
  );
}

interface NothingProps {
  workspace: Workspace;
  nameOf: (id: string) => string;
  canWrite: boolean;
}

/** Nothing matches, or there is nothing yet. */
function Nothing({ workspace, nameOf, canWrite }: NothingProps) {
  const { query } = useRoute();
  const filters = inForce(query, nameOf);
  const isNarrowed = filters.length > 0 || query.has("q") || query.has("scope");
  if (!isNarrowed) {
    return (
      <Empty title={words.memories.none(workspace.name)}>
        <p>{words.memories.how}</p>
        <Snippet text={'commit_memory({ "content": "…", "scope": "TEAM" })'} label={words.memories.how} />
        {canWrite && <Button onClick={() => goWith({ write: "1" })}>{words.write.do}</Button>}
      </Empty>
    );
  }
  const scope = query.get("scope");
  return (
    <Empty title={words.memories.nothingMatches}>
      <p class="take-away">
        {scope && <Button onClick={() => goWith({ scope: undefined })}>{words.filters.without(scope)}</Button>}
        {filters.map(([name, sentence]) => (
          <Button key={name} onClick={() => goWith({ [name]: undefined })}>
            {words.filters.without(sentence)}
          </Button>
        ))}
        {query.has("q") && (
          <Button onClick={() => goWith({ q: undefined })}>{words.filters.without(`“${query.get("q")}”`)}</Button>
        )}
      </p>
    </Empty>
  );
}

function withoutFilters(): Record<string, undefined> {
  return Object.fromEntries([...FILTERS, "q", "scope"].map((name) => [name, undefined]));
}
