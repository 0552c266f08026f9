import { useEffect, useRef, useState } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Memory, MemoryCount, Workspace } from "../api/types.ts";
import { isEmbedded } from "../base.ts";
import { Drawer } from "../drawer/drawer.tsx";
import { useKeys } from "../keys.ts";
import { Button, Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Snippet, copy } from "../parts/text.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { goWith, pathWith, useRoute, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { useArrivals } from "./arrivals.ts";
import { Bulk } from "./bulk.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { FILTERS, searchParameters, activeFilters, isAgentView } from "./filters.ts";
import { AgentRow } from "./agent-row.tsx";
import { MemoryRow } from "./row.tsx";
import { Understood, withMeanings } from "./understood.tsx";
import { focusRow, moveFocus } from "./rows.ts";
import { Write } from "./write.tsx";

/** The memories that a workspace can read: newest first, or best first with a query. */
export function Memories({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, typed, onKeyDown } = useSearchText();

  const wanted = searchParameters(query, typed);
  const path = endpoint.memories(workspace.id, wanted);
  const pages = usePages<Memory>(path);
  const isNarrowed = typed !== "" || query.has("scope") || FILTERS.some((name) => query.has(name));
  const arrivals = useArrivals({ workspace: workspace.id, path, isNarrowed, listed: pages.isStale ? undefined : pages.all, first: pages.first });
  const rows = pages.rows?.filter((memory) => !arrivals.gone.has(memory.id));
  const marked = withMeanings(typed, rows ?? []);
  const [selected, select] = useState<ReadonlySet<string>>(NO_SELECTION);
  const [isRedacting, redact] = useState(false);
  const canRedact = may(me, "redact_memories");
  const canWrite = may(me, "write_memories");
  const isAgent = isAgentView(query);
  // rows of the previous request keep their form: their text may differ from the agent's
  const isAgentList = useRef(isAgent);
  if (!pages.isStale) isAgentList.current = isAgent;
  const canSelect = (canRedact || canWrite) && !isAgent;
  // a new list clears the selection
  useEffect(() => select(NO_SELECTION), [workspace.id, path]);
  const pick = (isTo: boolean) => {
    const id = (document.activeElement as HTMLElement | null)?.dataset.row ?? open;
    if (!canSelect || id === undefined || !rows?.some((memory) => memory.id === id)) return false;
    return select(isTo ? upTo(rows, selected, id) : toggled(selected, id));
  };
  const open = query.get("m") ?? undefined;
  const close = () => {
    goWith({ m: undefined }, { onDone: () => focusRow(list.current, open) });
  };
  useKeys({
    "x": () => pick(false),
    "Shift+x": () => pick(true),
    ".": () => (arrivals.news ? arrivals.apply() : false),
    "r": () => (selected.size > 0 && canRedact ? redact(true) : false),
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
      if (selected.size > 0) return select(NO_SELECTION);
      if (text === "" && !FILTERS.some((name) => query.has(name))) return false;
      setText("");
      goWith(withoutFilters(), { replace: true });
    },
  });
  const names = new Map(pages.all?.map((memory) => [memory.workspace_id, memory.workspace_name]));
  const nameOf = (id: string) => (id === workspace.id ? workspace.name : (names.get(id) ?? id));
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.memories}>
        <div class="list-head">
          <FilterBar
            workspace={workspace.id}
            text={text}
            typed={typed}
            onText={setText}
            onKeyDown={onKeyDown}
            field={field}
            onDown={() => moveFocus(list.current, 1)}
            canViewAsAgent={me.role !== "agent"}
            nameOf={nameOf}
            canWrite={canWrite}
            countPath={(scope) => (rows ? countPathOf(workspace.id, { ...wanted, scope }) : undefined)}
          />
        </div>
        {selected.size > 0 && (
          <Bulk
            workspace={workspace}
            memories={pages.all?.filter((memory) => selected.has(memory.id) && !arrivals.gone.has(memory.id)) ?? []}
            can={{ redact: canRedact, tag: canWrite }}
            isRedacting={isRedacting}
            redact={redact}
            select={select}
          />
        )}
        {arrivals.news && (
          <button type="button" class="arrivals" onClick={arrivals.apply}>
            {strings.live.arrived(arrivals.news.count)} <kbd>.</kbd>
          </button>
        )}
        <span class="unseen" role="status">
          {arrivals.news ? strings.live.announced(arrivals.news.count) : ""}
        </span>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading}>
          <span class="unseen" role="status">
            {rows && !pages.isLoading && typed !== "" ? strings.memories.shown(rows.length, pages.hasMore) : ""}
          </span>
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Earlier pages={pages} />
          {!rows && !pages.failure && <Skeleton />}
          {rows?.length === 0 && !pages.isStale && (
            <NoMemories workspace={workspace} nameOf={nameOf} canWrite={canWrite} wanted={wanted} />
          )}
          {rows && rows.length > 0 && typed !== "" && !pages.isStale && !isEmbedded && (
            <p class="quiet missing">
              <Link to={`${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: "", q: typed })}`}>
                {strings.explain.missing}
              </Link>
            </p>
          )}
          {rows && typed !== "" && <Understood memories={rows} />}
          {rows && rows.length > 0 && (
            <ul class={`memories ${selected.size > 0 ? "selecting" : ""} ${isAgentList.current ? "agent-list" : ""}`} ref={list}>
              {rows.map((memory, index) =>
                isAgentList.current ? (
                  <AgentRow
                    key={memory.id}
                    memory={memory}
                    place={index + 1}
                    isOpen={memory.id === open}
                  />
                ) : (
                  <MemoryRow
                    key={memory.id}
                    memory={memory}
                    query={marked}
                    author={memory.via === "self" ? undefined : memory.workspace_name}
                    to={pathWith({ m: memory.id })}
                    isOpen={memory.id === open}
                    isSelected={selected.has(memory.id)}
                    onSelect={canSelect ? () => select(toggled(selected, memory.id)) : undefined}
                  />
                ),
              )}
            </ul>
          )}
          <More pages={pages} />
        </div>
      </section>
      {open !== undefined && <Drawer key={open} me={me} workspace={workspace} id={open} query={typed} marked={marked} onClose={close} />}
      {query.has("write") && canWrite && (
        <Write workspace={workspace} onClose={() => goWith({ write: undefined })} />
      )}
    </div>
  );
}

const NO_SELECTION: ReadonlySet<string> = new Set();

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The range from the last selected row to this one, in either direction. */
function upTo(rows: Memory[], selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const ids = rows.map((memory) => memory.id);
  const last = [...selected].at(-1);
  const [from, to] = [last === undefined ? ids.indexOf(id) : ids.indexOf(last), ids.indexOf(id)];
  return new Set([...selected, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]);
}

/** The path that counts the matches of the same search. */
function countPathOf(workspace: string, { order, quoted, explain, ...filters }: Parameters): string {
  return endpoint.count(workspace, filters);
}

interface NoMemoriesProps {
  workspace: Workspace;
  nameOf: (id: string) => string;
  canWrite: boolean;
  wanted: Parameters;
}

/** Shown for an empty list: no memories yet, or no match. */
function NoMemories({ workspace, nameOf, canWrite, wanted }: NoMemoriesProps) {
  const { query } = useRoute();
  const filters = activeFilters(query, nameOf);
  const isNarrowed = filters.length > 0 || query.has("q") || query.has("scope");
  if (!isNarrowed) {
    return (
      <Empty title={strings.memories.none(workspace.name)}>
        <p>{strings.memories.how}</p>
        <Snippet text={'commit_memory({ "content": "…", "scope": "TEAM" })'} label={strings.memories.how} />
        {canWrite && <Button onClick={() => goWith({ write: "1" })}>{strings.write.do}</Button>}
      </Empty>
    );
  }
  const scope = query.get("scope");
  const q = query.get("q");
  const all: Array<[name: string, sentence: string]> = [
    ...(scope === null ? [] : [["scope", scope] as [string, string]]),
    ...filters,
    ...(q === null ? [] : [["q", `“${q}”`] as [string, string]]),
  ];
  return (
    <Empty title={strings.memories.nothingMatches}>
      <ul class="remove-filters">
        {all.map(([name, sentence]) => (
          <li key={name}>
            <Without workspace={workspace} wanted={wanted} name={name} sentence={sentence} />
          </li>
        ))}
      </ul>
    </Empty>
  );
}

interface WithoutProps {
  workspace: Workspace;
  wanted: Parameters;
  name: string;
  sentence: string;
}

/** Removes one filter, and shows the count without it. */
function Without({ workspace, wanted, name, sentence }: WithoutProps) {
  const count = useResource<MemoryCount>(countPathOf(workspace.id, { ...wanted, [name]: undefined })).data?.count;
  return (
    <Button onClick={() => goWith({ [name]: undefined })}>
      {strings.filters.without(sentence)}
      <span class="number">{count ?? strings.unknown}</span>
    </Button>
  );
}

function withoutFilters(): Record<string, undefined> {
  return Object.fromEntries([...FILTERS, "q", "scope"].map((name) => [name, undefined]));
}
