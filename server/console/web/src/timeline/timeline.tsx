import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AuditRow, SessionHit, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, focusListOnArrowDown, moveFocus } from "../memories/rows.ts";
import { Link, Select } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { SearchIcon } from "../parts/icons.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Snippet } from "../parts/text.tsx";
import { clock, clockWithSeconds } from "../parts/time.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { goWith, useRoute, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { byDay } from "./days.ts";
import { TraceLinks, openTrace } from "./trace-links.tsx";
import { READS, Reads, readsPath } from "./reads.tsx";
import { Trace } from "./trace.tsx";

/** Episodes and memories of a workspace in order of time. */
export function Timeline({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const { text, setText, typed, onKeyDown } = useSearchText();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const kind = query.get("kind") ?? "";
  const order = typed === "" ? "" : (query.get("order") ?? "");
  const isReads = kind === "reads";
  const action = query.get("read") ?? READS[0];
  const by = query.get("by") ?? "agents";
  const happened = isReads ? undefined : endpoint.session(workspace.id, { q: typed, kind, order, limit: 100 });
  const hits = usePages<SessionHit>(happened);
  const reads = usePages<AuditRow>(isReads ? readsPath(workspace, action, by) : undefined);
  const pages = isReads ? reads : hits;
  const run = query.get("run") ?? undefined;
  const session = query.get("session") ?? undefined;
  const isTraceOpen = run !== undefined || session !== undefined;
  const from = useRef<string | undefined>(undefined);
  const close = () => {
    goWith({ run: undefined, session: undefined });
    document.getElementById("main")?.focus();
    focusRow(list.current, from.current);
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "p": () => openTrace(),
    ".": () => (pages.isOutdated ? pages.reload() : false),
    "Escape": () => {
      if (isTraceOpen) return close();
      return text === "" ? false : setText("");
    },
  });
  return (
    <div class={`with-drawer ${isTraceOpen ? "drawn" : ""}`}>
      <section class="list" aria-label={strings.tabs.timeline}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              {!isReads && (
                <label class="search">
                  <SearchIcon />
                  <input
                    ref={field}
                    type="search"
                    placeholder={strings.timeline.search}
                    aria-label={strings.timeline.search}
                    spellcheck={false}
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                    onKeyDown={(event) => {
                      onKeyDown(event);
                      focusListOnArrowDown(() => moveFocus(list.current, 1))(event);
                    }}
                  />
                </label>
              )}
              <div class="segments" role="group" aria-label={strings.timeline.kind}>
                {strings.timeline.kinds.map(([each, label]) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={kind === each}
                    onClick={() => goWith({ kind: each, read: undefined, by: undefined }, { replace: true })}
                  >
                    {label}
                  </button>
                ))}
              </div>
              {isReads && (
                <Select
                  label={strings.reads.which}
                  value={action}
                  options={strings.reads.kinds}
                  onChange={(read) => goWith({ read }, { replace: true })}
                />
              )}
              {isReads && (
                <div class="segments" role="group" aria-label={strings.callers.title}>
                  {strings.callers.apart.map(([each, label]) => (
                    <button key={each} type="button" aria-pressed={by === each} onClick={() => goWith({ by: each }, { replace: true })}>
                      {label}
                    </button>
                  ))}
                </div>
              )}
              {typed !== "" && !isReads && (
                <Select
                  label={strings.memories.order}
                  value={order}
                  options={strings.timeline.orders}
                  onChange={(each) => goWith({ order: each }, { replace: true })}
                />
              )}
            </div>
          </div>
        </div>
        <Outdated isOutdated={pages.isOutdated} reload={pages.reload} hasKey />
        <div
          class={`rows ${pages.isStale ? "stale" : ""}`}
          aria-busy={pages.isLoading}
          ref={list}
          onFocusCapture={({ target }) => {
            from.current = rowOf(target);
          }}
        >
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Earlier pages={pages} />
          {!pages.rows && !pages.failure && <Skeleton height={32} />}
          {isReads && reads.rows && <Reads workspace={workspace} pages={reads} by={by} />}
          {!isReads && hits.rows?.length === 0 && (
            <Empty title={typed === "" ? strings.timeline.none(workspace.name) : strings.timeline.nothingMatches}>
              {typed === "" && <p>{strings.timeline.how}</p>}
            </Empty>
          )}
          {!isReads && hits.rows && hits.rows.length > 0 && (
            <Days workspace={workspace} hits={withoutRepeatedCommits(hits.rows, hits.all)} query={typed} isByTime={order !== "relevance"} />
          )}
          <More pages={pages} />
        </div>
      </section>
      {isTraceOpen && <Trace key={run ?? session} workspace={workspace} run={run} session={session} onClose={close} />}
    </div>
  );
}

/** The rows without the activity of a commit whose memory is a row too, in the window or outside. */
function withoutRepeatedCommits(hits: SessionHit[], all: SessionHit[] = hits): SessionHit[] {
  const memories = new Set(all.filter(({ kind }) => kind === "memory").map(({ id }) => id));
  return hits.filter(({ method, target_id }) => method !== "commit_memory" || !memories.has(target_id ?? ""));
}

/** The id of the row that contains the target. */
function rowOf(target: EventTarget | null): string | undefined {
  const row = target instanceof Element && target.closest("li:has([data-row])")?.querySelector<HTMLElement>("[data-row]");
  return row ? row.dataset.row : undefined;
}

interface DaysProps {
  workspace: Workspace;
  hits: SessionHit[];
  query: string;
  isByTime: boolean;
}

function Days({ workspace, hits, query, isByTime }: DaysProps) {
  if (!isByTime) {
    return (
      <ol class="hits">
        {hits.map((hit) => (
          <Hit key={hit.id} workspace={workspace} hit={hit} query={query} />
        ))}
      </ol>
    );
  }
  return (
    <>
      {byDay(hits, (hit) => hit.created_at).map(([name, dayHits]) => (
        <section key={name} class="day">
          <h2>{name}</h2>
          <ol class="hits">
            {dayHits.map((hit) => (
              <Hit key={hit.id} workspace={workspace} hit={hit} query={query} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** One row; a row with bodies expands. */
function Hit({ workspace, hit, query }: { workspace: Workspace; hit: SessionHit; query: string }) {
  const isMemory = hit.kind === "memory";
  const hasBody = hit.request_body != null || hit.response_body != null;
  const isFailed = hit.status !== null && hit.status !== undefined && /^(error|failed|timeout|refused)/.test(hit.status);
  const line = (
    <>
      <time dateTime={hit.created_at} title={clockWithSeconds(hit.created_at)}>
        {clock(hit.created_at)}
      </time>
      <span class={`label ${isMemory ? "of-memory" : ""}`}>
        <Stored>{hit.label}</Stored>
      </span>
      <span class="hit-text">
        <Content text={hit.content} query={query} />
        {hit.method && (
          <span class="quiet">
            {" "}
            <code>
              <Stored>{hit.method}</Stored>
            </code>
          </span>
        )}
      </span>
      {hit.status && hit.status !== "ok" && (
        <span class={`status ${isFailed ? "bad" : ""}`}>
          <Stored>{hit.status}</Stored>
        </span>
      )}
    </>
  );
  if (isMemory) {
    return (
      <li>
        <Link to={`${workspacePath(workspace.id)}?m=${hit.id}`} class="hit" data-row={hit.id}>
          {line}
        </Link>
        <TraceLinks run={hit.run_id} session={hit.session_id} />
      </li>
    );
  }
  if (!hasBody) {
    return (
      <li>
        <div class="hit" tabIndex={-1} data-row={hit.id}>
          {line}
        </div>
        <TraceLinks run={hit.run_id} session={hit.session_id} />
      </li>
    );
  }
  return (
    <li>
      <details class="unfold">
        <summary class="hit" data-row={hit.id}>
          {line}
        </summary>
        {hit.request_body != null && <Body title={strings.timeline.request} body={hit.request_body} />}
        {hit.response_body != null && <Body title={strings.timeline.response} body={hit.response_body} />}
      </details>
      <TraceLinks run={hit.run_id} session={hit.session_id} />
    </li>
  );
}

function Body({ title, body }: { title: string; body: unknown }) {
  return (
    <div class="body-of">
      <h3>{title}</h3>
      <Snippet text={JSON.stringify(body, null, 2)} label={title} />
    </div>
  );
}
