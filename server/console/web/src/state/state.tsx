import { useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Entry, Me, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, focusListOnArrowDown, moveFocus } from "../memories/rows.ts";
import { Button, Link } from "../parts/controls.tsx";
import { visible } from "../parts/hidden.ts";
import { Earlier, More } from "../parts/pager.tsx";
import { SearchIcon, PlusIcon } from "../parts/icons.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Marked, Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time, relative, useNow } from "../parts/time.tsx";
import { AUDITED_PAUSE_MS, useSettled } from "../parts/debounce.ts";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { EntryDrawer } from "./entry.tsx";
import { groupByPrefix } from "./groups.ts";

/** Characters of a value per row. */
const SHOWN = 160;

/** The key/value entries of a workspace. */
export function State({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const [prefix, setPrefix] = useState("");
  const { settled: typed, settle } = useSettled(prefix, AUDITED_PAUSE_MS);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const pages = usePages<Entry>(endpoint.entries(workspace.id, { prefix: typed, limit: 200 }));
  const open = query.get("key") ?? undefined;
  const isDrawn = open !== undefined || query.has("new");
  const canWrite = may(me, "write_entries");
  const close = () => {
    goWith({ key: undefined, new: undefined }, { onDone: () => focusRow(list.current, open) });
  };
  useKeys({
    "/": () => field.current?.select(),
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "w": () => (canWrite ? goWith({ new: "1", key: undefined }) : false),
    ".": () => (pages.isOutdated ? pages.reload() : false),
    "Escape": () => {
      if (isDrawn) return close();
      if (prefix === "") return false;
      setPrefix("");
    },
  });
  return (
    <div class={`with-drawer ${isDrawn ? "drawn" : ""}`}>
      <section class="list" aria-label={strings.tabs.state}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              <label class="search">
                <SearchIcon />
                <input
                  ref={field}
                  type="search"
                  placeholder={strings.state.prefix}
                  aria-label={strings.state.prefix}
                  spellcheck={false}
                  value={prefix}
                  onInput={(event) => setPrefix(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === "Enter") settle();
                    focusListOnArrowDown(() => moveFocus(list.current, 1))(event);
                  }}
                />
              </label>
              {canWrite && (
                <Button kind="primary" class="write" onClick={() => goWith({ new: "1", key: undefined })}>
                  <PlusIcon />
                  {strings.state.newKey}
                </Button>
              )}
            </div>
          </div>
        </div>
        <Outdated isOutdated={pages.isOutdated} reload={pages.reload} hasKey />
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading} ref={list}>
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Earlier pages={pages} />
          {!pages.rows && !pages.failure && <Skeleton height={32} />}
          {pages.rows?.length === 0 && <NoEntries workspace={workspace} prefix={typed} />}
          {pages.rows && pages.rows.length > 0 && <Keys entries={pages.rows} open={open} />}
          <More pages={pages} />
        </div>
      </section>
      {isDrawn && (
        <EntryDrawer key={open ?? ""} workspace={workspace} name={open ?? ""} canWrite={canWrite} onClose={close} />
      )}
    </div>
  );
}

function Keys({ entries, open }: { entries: Entry[]; open: string | undefined }) {
  return (
    <table class="table keys">
      <thead>
        <tr>
          <th scope="col">{strings.state.key}</th>
          <th scope="col">{strings.state.value}</th>
          <th scope="col" class="number">
            {strings.state.version}
          </th>
          <th scope="col">{strings.state.expires}</th>
          <th scope="col">{strings.state.changed}</th>
        </tr>
      </thead>
      {groupByPrefix(entries).map((group) => (
        <tbody key={`${group.prefix} ${group.entries[0]?.key}`}>
          {group.prefix !== "" && (
            <tr class="group">
              <th scope="rowgroup" colSpan={5}>
                <Stored>{group.prefix}</Stored> <span class="quiet">{strings.state.keys(group.entries.length)}</span>
              </th>
            </tr>
          )}
          {group.entries.map((entry) => (
            <EntryRow key={entry.key} entry={entry} prefix={group.prefix} isOpen={entry.key === open} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function EntryRow({ entry, prefix, isOpen }: { entry: Entry; prefix: string; isOpen: boolean }) {
  const now = useNow();
  return (
    <tr class={isOpen ? "open" : ""}>
      <th scope="row">
        <Link
          to={pathWith({ key: entry.key, new: undefined })}
          data-row={entry.key}
          class={isOpen ? "open" : ""}
          aria-label={visible(entry.key)}
          title={visible(entry.key)}
        >
          <bdi>
            {prefix !== "" && (
              <span class="prefix">
                <Marked text={prefix} />
              </span>
            )}
            <Marked text={entry.key.slice(prefix.length)} />
          </bdi>
        </Link>
      </th>
      <td class="value">
        <code>
          <Stored>{JSON.stringify(entry.value).slice(0, SHOWN)}</Stored>
        </code>
      </td>
      <td class="number">{entry.version}</td>
      <td>{entry.expires_at && <span title={entry.expires_at}>{relative(entry.expires_at, now)}</span>}</td>
      <td>
        <Time at={entry.updated_at} brief />
      </td>
    </tr>
  );
}

function NoEntries({ workspace, prefix }: { workspace: Workspace; prefix: string }) {
  if (prefix !== "") return <Empty title={strings.state.nothingMatches(prefix)} />;
  return (
    <Empty title={strings.state.none(workspace.name)}>
      <p>{strings.state.how}</p>
      <Snippet text={'memory_set({ "key": "task/current", "value": { "step": 3 } })'} label={strings.state.how} />
    </Empty>
  );
}
