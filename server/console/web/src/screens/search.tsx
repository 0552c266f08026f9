// A search over everything that the caller may read, by org. Each search is a row in the audit log of each searched org.

import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Me, OrgMatches } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { useKeys } from "../keys.ts";
import { MemoryRow } from "../memories/row.tsx";
import { Understood, withMeanings } from "../memories/understood.tsx";
import { focusListOnArrowDown, moveFocus } from "../memories/rows.ts";
import { Link } from "../parts/controls.tsx";
import { SearchIcon } from "../parts/icons.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { RecentPlaces } from "./org-table.tsx";

/** Memories of each org. */
const PER_ORG = 10;

export function Search({ me }: { me: Me }) {
  useTitle(strings.search.title);
  const { text, setText, typed, onKeyDown } = useSearchText();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const pages = usePages<OrgMatches>(typed === "" ? undefined : endpoint.search({ q: typed, limit: PER_ORG }));
  const orgs = typed === "" ? undefined : pages.rows;
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "o": () => (document.activeElement as HTMLElement | null)?.click(),
    "Escape": () => (text === "" ? false : setText("")),
  });
  const isDone = orgs !== undefined && !pages.isStale && !pages.isLoading;
  return (
    <main id="main" class="work of-list" tabIndex={-1}>
      <div class="work-head">
        <h1>{strings.search.title}</h1>
      </div>
      <section class="list" aria-label={strings.search.title}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              <label class="search">
                <SearchIcon />
                <input
                  ref={field}
                  type="search"
                  autofocus={typed === ""}
                  placeholder={strings.search.field(me.role)}
                  aria-label={strings.search.field(me.role)}
                  spellcheck={false}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    onKeyDown(event);
                    focusListOnArrowDown(() => moveFocus(list.current, 1))(event);
                  }}
                />
              </label>
            </div>
          </div>
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={typed !== "" && pages.isLoading} ref={list}>
          {typed === "" && (
            <>
              <p class="quiet">{strings.search.how}</p>
              <RecentPlaces />
            </>
          )}
          {typed !== "" && pages.failure && <ErrorNotice failure={pages.failure} />}
          {typed !== "" && !orgs && !pages.failure && <Skeleton />}
          {orgs && <Earlier pages={pages} />}
          {isDone && orgs.length === 0 && (
            <Empty title={pages.hasMore ? strings.search.noneSoFar : strings.search.none}>
              <p>{strings.search.hint}</p>
            </Empty>
          )}
          {orgs?.map((org) => (
            <OrgResults key={org.org_id} org={org} query={typed} />
          ))}
          {typed !== "" && <More pages={pages} />}
        </div>
      </section>
    </main>
  );
}

function OrgResults({ org, query }: { org: OrgMatches; query: string }) {
  const marked = withMeanings(query, org.memories);
  return (
    <section class="org-results">
      <h2>
        <Link to={workspacePath(org.workspace_id)}>
          <Stored>{org.workspace_name}</Stored>
        </Link>
      </h2>
      <Understood memories={org.memories} />
      <ul class="memories">
        {org.memories.map((memory) => (
          <MemoryRow
            key={memory.id}
            memory={memory}
            query={marked}
            author={memory.workspace_name}
            // readable as its author, or as the searched workspace
            to={`${workspacePath(memory.via === "self" ? memory.workspace_id : org.workspace_id)}?m=${memory.id}`}
          />
        ))}
      </ul>
      {org.more && <p class="quiet">{strings.search.more(org.memories.length)}</p>}
    </section>
  );
}
