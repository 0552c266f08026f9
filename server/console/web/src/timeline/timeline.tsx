import { useRef } from "preact/hooks";
import { at } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AccessRow, SessionHit, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, intoList, moveFocus } from "../memories/rows.ts";
import { Button, Link, Select } from "../parts/controls.tsx";
import { Glass } from "../parts/icons.tsx";
import { Empty, Refused, Waiting } from "../parts/states.tsx";
import { Content, Snippet } from "../parts/text.tsx";
import { clock, clockWithSeconds } from "../parts/time.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { goWith, useRoute, workspacePath } from "../route.ts";
import { words } from "../words.ts";
import { byDay } from "./days.ts";
import { Pull, pullOut } from "./pull.tsx";
import { READS, Reads, readsPath } from "./reads.tsx";
import { Strip } from "./strip.tsx";

/** What just happened here: episodes and memories in one column of time. */
export function Timeline({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const { text, setText, typed } = useSearchText();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const kind = query.get("kind") ?? "";
  const order = typed === "" ? "" : (query.get("order") ?? "");
  const isReads = kind === "reads";
  const action = query.get("read") ?? READS[0];
  const happened = isReads ? undefined : at.session(workspace.id, { q: typed, kind, order, limit: 100 });
  const hits = usePages<SessionHit>(happened);
  const reads = usePages<AccessRow>(isReads ? readsPath(workspace, action) : undefined);
  const pages = isReads ? reads : hits;
  const run = query.get("run") ?? undefined;
  const session = query.get("session") ?? undefined;
  const isPulled = run !== undefined || session !== undefined;
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
    "p": () => pullOut(),
    "Escape": () => {
      if (isPulled) return close();
      return text === "" ? false : setText("");
    },
  });
  return (
    <div class={`with-drawer ${isPulled ? "drawn" : ""}`}>
      <section class="list" aria-label={words.tabs.timeline}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              {!isReads && (
                <label class="search">
                  <Glass />
                  <input
                    ref={field}
                    type="search"
                    placeholder={words.timeline.search}
                    aria-label={words.timeline.search}
                    spellcheck={false}
                    value={text}
                    onInput={(event) => setText(event.currentTarget.value)}
                    onKeyDown={intoList(() => moveFocus(list.current, 1))}
                  />
                </label>
              )}
              <div class="segments" role="group" aria-label={words.timeline.kind}>
                {words.timeline.kinds.map(([each, label]) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={kind === each}
                    onClick={() => goWith({ kind: each, read: undefined }, { replace: true })}
                  >
                    {label}
                  </button>
                ))}
              </div>
              {isReads && (
                <Select
                  label={words.reads.which}
                  value={action}
                  options={words.reads.kinds}
                  onChange={(read) => goWith({ read }, { replace: true })}
                />
              )}
              {typed !== "" && !isReads && (
                <Select
                  label={words.memories.order}
                  value={order}
                  options={words.timeline.orders}
                  onChange={(each) => goWith({ order: each }, { replace: true })}
                />
              )}
            </div>
          </div>
        </div>
        <div
          class={`rows ${pages.isStale ? "stale" : ""}`}
          aria-busy={pages.isLoading}
          ref={list}
          onFocusCapture={({ target }) => {
            from.current = rowOf(target);
          }}
        >
          {pages.failure && <Refused failure={pages.failure} />}
          {!pages.rows && !pages.failure && <Waiting height={32} />}
          {isReads && reads.rows && <Reads workspace={workspace} pages={reads} />}
          {!isReads && hits.rows?.length === 0 && (
            <Empty title={typed === "" ? words.timeline.none(workspace.name) : words.timeline.nothingMatches}>
              {typed === "" && <p>{words.timeline.how}</p>}
            </Empty>
          )}
          {!isReads && hits.rows && hits.rows.length > 0 && (
            <Days workspace={workspace} hits={hits.rows} query={typed} isByTime={order !== "relevance"} />
          )}
          {pages.hasMore && (
            <Button kind="quiet" class="more" isBusy={pages.isLoading} onClick={pages.more}>
              {words.more}
            </Button>
          )}
        </div>
      </section>
      {isPulled && <Strip key={run ?? session} workspace={workspace} run={run} session={session} onClose={close} />}
    </div>
  );
}

/** The id of the row that this is in. */
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
      {byDay(hits, (hit) => hit.created_at).map(([name, those]) => (
        <section key={name} class="day">
          <h2>{name}</h2>
          <ol class="hits">
            {those.map((hit) => (
              <Hit key={hit.id} workspace={workspace} hit={hit} query={query} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** One line; what is behind it unfolds. */
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
        <bdi>{hit.label}</bdi>
      </span>
      <span class="hit-text">
        <Content text={hit.content} query={query} />
        {hit.method && (
          <span class="quiet">
            {" "}
            <code>
              <bdi>{hit.method}</bdi>
            </code>
          </span>
        )}
      </span>
      {hit.status && hit.status !== "ok" && <span class={`status ${isFailed ? "bad" : ""}`}>{hit.status}</span>}
    </>
  );
  if (isMemory) {
    return (
      <li>
        <Link to={`${workspacePath(workspace.id)}?m=${hit.id}`} class="hit" data-row={hit.id}>
          {line}
        </Link>
        <Pull run={hit.run_id} session={hit.session_id} />
      </li>
    );
  }
  if (!hasBody) {
    return (
      <li>
        <div class="hit" tabIndex={-1} data-row={hit.id}>
          {line}
        </div>
        <Pull run={hit.run_id} session={hit.session_id} />
      </li>
    );
  }
  return (
    <li>
      <details class="unfold">
        <summary class="hit" data-row={hit.id}>
          {line}
        </summary>
        {hit.request_body != null && <Body title={words.timeline.request} body={hit.request_body} />}
        {hit.response_body != null && <Body title={words.timeline.response} body={hit.response_body} />}
      </details>
      <Pull run={hit.run_id} session={hit.session_id} />
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
