import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { refresh, useResource } from "../api/resource.ts";
import type { Collection, Row, Workspace } from "../api/types.ts";
import { focusListOnArrowDown, focusRow, moveFocus } from "../memories/rows.ts";
import { Link } from "../parts/controls.tsx";
import { AUDITED_PAUSE_MS, useSettled } from "../parts/debounce.ts";
import { Facts } from "../parts/facts.tsx";
import { SearchIcon } from "../parts/icons.tsx";
import { useListKeys } from "../parts/list-keys.ts";
import { Outdated } from "../parts/outdated.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { SideDrawer } from "../parts/side-drawer.tsx";
import { size } from "../parts/size.ts";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { knowledgePath } from "./paths.ts";

/** Characters of the values per row. */
const SHOWN = 160;

interface CollectionsProps {
  workspace: Workspace;
  switcher: ComponentChildren;
}

/** The collections of a workspace, or the rows of one. */
export function Collections(props: CollectionsProps) {
  const name = useRoute().query.get("collection") ?? undefined;
  return name === undefined ? <All {...props} /> : <Rows key={name} {...props} name={name} />;
}

function All({ workspace, switcher }: CollectionsProps) {
  const list = useRef<HTMLDivElement>(null);
  const path = endpoint.collections(workspace.id);
  const collections = useResource<Collection[]>(path);
  const reload = () => refresh(path);
  useListKeys({ list, reload: collections.isOutdated ? reload : undefined, onEscape: () => false });
  return (
    <section class="list" aria-label={strings.tabs.knowledge}>
      <div class="list-head">{switcher}</div>
      <div class="rows" aria-busy={collections.isLoading} ref={list}>
        {collections.failure && <ErrorNotice failure={collections.failure} />}
        <Outdated isOutdated={collections.isOutdated} reload={reload} hasKey />
        {!collections.data && !collections.failure && <Skeleton height={32} />}
        {collections.data?.length === 0 && (
          <Empty title={strings.collections.none(workspace.name)}>
            <p>{strings.collections.how}</p>
            <Snippet text={`orgmem rows import bugs.csv --collection bugs --key id -w ${workspace.id}`} label={strings.collections.how} />
          </Empty>
        )}
        {collections.data && collections.data.length > 0 && (
          <table class="table keys library">
            <thead>
              <tr>
                <th scope="col">{strings.collections.collection}</th>
                <th scope="col">{strings.collections.keyColumn}</th>
                <th scope="col">{strings.collections.rows}</th>
                <th scope="col">{strings.collections.size}</th>
                <th scope="col">{strings.collections.changed}</th>
              </tr>
            </thead>
            <tbody>
              {collections.data.map(({ name, key, rows, bytes, updated_at }) => (
                <tr key={name}>
                  <th scope="row">
                    <Link to={knowledgePath(workspace.id, "collections", { collection: name })} data-row={name}>
                      {name}
                    </Link>
                  </th>
                  <td class="value">
                    <Stored>{key}</Stored>
                  </td>
                  <td>{strings.collections.count(rows)}</td>
                  <td>{size(bytes)}</td>
                  <td>
                    <Time at={updated_at} brief />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

/** The rows of a collection by key, with its settings. */
function Rows({ workspace, switcher, name }: CollectionsProps & { name: string }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [prefix, setPrefix] = useState(query.get("prefix") ?? "");
  const { settled: typed, settle } = useSettled(prefix, AUDITED_PAUSE_MS);
  const collection = useResource<Collection>(`${endpoint.collections(workspace.id)}/${encodeURIComponent(name)}`);
  const pages = usePages<Row>(endpoint.rows(workspace.id, name, { prefix: typed, limit: 100 }));
  const open = query.get("row") ?? undefined;
  const close = () => {
    goWith({ row: undefined });
    focusRow(list.current, open);
  };
  const put = (text: string) => {
    setPrefix(text);
    goWith({ prefix: text === "" ? undefined : text }, { replace: true });
  };
  useListKeys({
    list,
    field,
    more: pages.more,
    reload: pages.isOutdated ? pages.reload : undefined,
    onEscape: () => {
      if (open !== undefined) return close();
      if (prefix === "") return goWith({ collection: undefined });
      put("");
    },
  });
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.knowledge}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              {switcher}
              <label class="search">
                <SearchIcon />
                <input
                  ref={field}
                  type="search"
                  placeholder={strings.collections.prefix}
                  aria-label={strings.collections.prefix}
                  spellcheck={false}
                  value={prefix}
                  onInput={(event) => put(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === "Enter") settle();
                    focusListOnArrowDown(() => moveFocus(list.current, 1))(event);
                  }}
                />
              </label>
            </div>
            <Head workspace={workspace} name={name} collection={collection.data} />
          </div>
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading} ref={list}>
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Outdated isOutdated={pages.isOutdated} reload={pages.reload} hasKey />
          <Earlier pages={pages} />
          {!pages.rows && !pages.failure && <Skeleton height={32} />}
          {pages.rows?.length === 0 && !pages.isStale && (
            <Empty title={typed === "" ? strings.collections.noRows : strings.collections.nothingMatches(typed)} />
          )}
          {pages.rows && pages.rows.length > 0 && <Table rows={pages.rows} open={open} />}
          <More pages={pages} />
        </div>
      </section>
      {open !== undefined && <RowDrawer key={open} workspace={workspace} collection={name} name={open} onClose={close} />}
    </div>
  );
}

function Head({ workspace, name, collection }: { workspace: Workspace; name: string; collection: Collection | undefined }) {
  return (
    <div class="library-head">
      <h2>{name}</h2>
      <Link to={knowledgePath(workspace.id, "collections")}>{strings.collections.back}</Link>
      {collection && (
        <span class="hint">
          <Stored>
            {[
              strings.collections.count(collection.rows),
              size(collection.bytes),
              `${strings.collections.keyColumn}: ${collection.key}`,
              collection.time && `${strings.collections.timeColumn}: ${collection.time}`,
            ]
              .filter(Boolean)
              .join(", ")}
          </Stored>
        </span>
      )}
      {collection?.schema && (
        <details>
          <summary>{strings.collections.schema}</summary>
          <Snippet text={JSON.stringify(collection.schema, null, 2)} label={strings.collections.schema} />
        </details>
      )}
    </div>
  );
}

function Table({ rows, open }: { rows: Row[]; open: string | undefined }) {
  return (
    <table class="table keys">
      <thead>
        <tr>
          <th scope="col">{strings.collections.key}</th>
          <th scope="col">{strings.collections.values}</th>
          <th scope="col">{strings.collections.time}</th>
          <th scope="col">{strings.collections.changed}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, values, time, updated_at }) => (
          <tr key={key} class={key === open ? "open" : ""}>
            <th scope="row">
              <Link to={pathWith({ row: key })} data-row={key} class={key === open ? "open" : ""} aria-current={key === open ? "page" : undefined}>
                <Stored>{key}</Stored>
              </Link>
            </th>
            <td class="value">
              <Stored>{JSON.stringify(values).slice(0, SHOWN)}</Stored>
            </td>
            <td>{time && <Time at={time} brief />}</td>
            <td>
              <Time at={updated_at} brief />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowDrawerProps {
  workspace: Workspace;
  collection: string;
  name: string;
  onClose: () => void;
}

/** One row, whole. */
function RowDrawer({ workspace, collection, name, onClose }: RowDrawerProps) {
  const found = useResource<Row[]>(endpoint.rows(workspace.id, collection, { key: name }));
  const row = found.data?.[0];
  return (
    <SideDrawer label={strings.collections.row(name)} title={name} onClose={onClose}>
      {found.failure && !found.data && <ErrorNotice failure={found.failure} />}
      {!found.data && !found.failure && <Skeleton rows={3} />}
      {found.data && !row && <p class="hint">{strings.collections.absentRow}</p>}
      {row && (
        <>
          <Facts
            facts={[
              [strings.collections.time, row.time && <Time at={row.time} />],
              [strings.collections.changed, <Time at={row.updated_at} />],
              [strings.collections.read, row.extracted_at ? <Time at={row.extracted_at} /> : strings.collections.unread],
            ]}
          />
          <Snippet text={JSON.stringify(row.values, null, 2)} label={strings.collections.values} />
        </>
      )}
    </SideDrawer>
  );
}
