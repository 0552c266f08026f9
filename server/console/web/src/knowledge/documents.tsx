import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { type Pages, usePages } from "../api/pages.ts";
import type { Document, Me, Memory, Workspace } from "../api/types.ts";
import { focusListOnArrowDown, focusRow, moveFocus } from "../memories/rows.ts";
import { SCOPES } from "../memories/filters.ts";
import { AddFilter, type FilterField } from "../parts/add-filter.tsx";
import { Chip, ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { ScopeSign, SearchIcon } from "../parts/icons.tsx";
import { useListKeys } from "../parts/list-keys.ts";
import { Outdated } from "../parts/outdated.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Similarity } from "../parts/score.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { size } from "../parts/size.ts";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { DocumentDrawer } from "./document.tsx";

/** Names as in the server's API. */
const FILTERS = ["collection", "tag", "media_type", "author", "source_uri"] as const;
type Filter = (typeof FILTERS)[number];

/** The filters that a search of passages lacks. */
const ONLY_LISTS: readonly Filter[] = ["media_type", "source_uri"];

const FIELDS: ReadonlyArray<FilterField<Filter>> = FILTERS.map((name) => ({
  name,
  label: strings.documents.names[name],
  hint: strings.documents.hints[name],
  ...(name === "media_type" ? { options: strings.documents.types } : {}),
}));

/** Characters of a passage per row. */
const SHOWN = 400;

interface DocumentsProps {
  me: Me;
  workspace: Workspace;
  switcher: ComponentChildren;
}

/** The documents that a workspace can read, or the passages that a search finds. */
export function Documents({ me, workspace, switcher }: DocumentsProps) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, typed, onKeyDown } = useSearchText();
  const isSearch = typed !== "";
  const scope = query.get("scope") ?? undefined;
  const filters = FILTERS.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const documents = usePages<Document>(isSearch ? undefined : endpoint.documents(workspace.id, { ...Object.fromEntries(filters), scope, limit: 50 }));
  const passages = usePages<Memory>(isSearch ? endpoint.memories(workspace.id, passageParameters(typed, scope, Object.fromEntries(filters))) : undefined);
  const shown: Pages<unknown> = isSearch ? passages : documents;
  const open = query.get("document") ?? undefined;
  const row = isSearch ? `${open} ${query.get("at")}` : open;
  const close = () => {
    goWith({ document: undefined, at: undefined, from: undefined });
    focusRow(list.current, row);
  };
  const reload = documents.isOutdated && !isSearch ? documents.reload : undefined;
  useListKeys({
    list,
    field,
    more: shown.more,
    reload,
    onEscape: () => {
      if (open !== undefined) return close();
      if (text === "") return false;
      setText("");
    },
  });
  const isFiltered = filters.length > 0 || scope !== undefined;
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.knowledge}>
        <div class="list-head">
          <div class="filter-bar">
            <div class="filter-line">
              {switcher}
              <div class="search">
                <label>
                  <SearchIcon />
                  <input
                    ref={field}
                    type="search"
                    placeholder={strings.documents.search}
                    aria-label={strings.documents.search}
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
              <div class="segments scopes" role="group" aria-label={strings.memories.scope}>
                {[undefined, ...SCOPES].map((each) => (
                  <button
                    key={each ?? ""}
                    type="button"
                    title={each}
                    class={each ? `as-scope ${each.toLowerCase()}` : ""}
                    aria-pressed={each === scope}
                    onClick={() => goWith({ scope: each }, { replace: true })}
                  >
                    {each && <ScopeSign scope={each} />}
                    <span class={each && "word"}>{each ?? strings.memories.allScopes}</span>
                  </button>
                ))}
              </div>
              <AddFilter fields={FIELDS} onAdd={(name, value) => goWith({ [name]: value }, { replace: true })} />
            </div>
            <Filters filters={filters} isSearch={isSearch} />
          </div>
        </div>
        <div class={`rows ${shown.isStale ? "stale" : ""}`} aria-busy={shown.isLoading} ref={list}>
          {shown.failure && <ErrorNotice failure={shown.failure} />}
          <Outdated isOutdated={reload !== undefined} reload={documents.reload} hasKey />
          <Earlier pages={shown} />
          {!shown.rows && !shown.failure && <Skeleton height={48} />}
          {isSearch && passages.rows && <Passages passages={passages.rows} query={typed} row={row} workspace={workspace} />}
          {!isSearch && documents.rows && documents.rows.length > 0 && <Table documents={documents.rows} open={open} workspace={workspace} />}
          {shown.rows?.length === 0 && !shown.isStale && <Nothing workspace={workspace} isSearch={isSearch} isFiltered={isFiltered} />}
          <More pages={shown} />
        </div>
      </section>
      {open !== undefined && <DocumentDrawer key={open} me={me} workspace={workspace} id={open} query={typed} onClose={close} />}
    </div>
  );
}

/** The parameters of a search; the collection of a document is the namespace of its passages. */
function passageParameters(q: string, scope: string | undefined, filters: Partial<Record<Filter, string>>): Parameters {
  return { in: "documents", q, scope, namespace: filters.collection, tag: filters.tag, author: filters.author };
}

function Filters({ filters, isSearch }: { filters: ReadonlyArray<readonly [Filter, string]>; isSearch: boolean }) {
  if (filters.length === 0) return null;
  const sentence = ([name, value]: readonly [Filter, string]) => strings.documents.sentences[name](value);
  const unused = isSearch ? filters.filter(([name]) => ONLY_LISTS.includes(name)) : [];
  return (
    <>
      <ul class="chips" aria-label={strings.filters.title}>
        {filters.map((filter) => (
          <li key={filter[0]}>
            <Chip onRemove={() => goWith({ [filter[0]]: undefined }, { replace: true })}>
              <bdi dir="ltr">{sentence(filter)}</bdi>
            </Chip>
          </li>
        ))}
      </ul>
      {unused.length > 0 && (
        <p class="hint" role="status">
          <bdi dir="ltr">{strings.documents.notInSearch(unused.map(sentence))}</bdi>
        </p>
      )}
    </>
  );
}

interface TableProps {
  documents: Document[];
  open: string | undefined;
  workspace: Workspace;
}

function Table({ documents, open, workspace }: TableProps) {
  return (
    <table class="table keys library">
      <thead>
        <tr>
          <th scope="col">{strings.documents.title}</th>
          <th scope="col">{strings.memories.scope}</th>
          <th scope="col">{strings.documents.size}</th>
          <th scope="col">{strings.documents.type}</th>
          <th scope="col">{strings.documents.changed}</th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <tr key={document.id} class={document.id === open ? "open" : ""}>
            <th scope="row">
              <Link
                to={pathWith({ document: document.id, at: undefined, from: undefined })}
                data-row={document.id}
                class={document.id === open ? "open" : ""}
                aria-current={document.id === open ? "page" : undefined}
              >
                <Stored>{document.title}</Stored>
              </Link>
              {document.collection && (
                <p class="hint">
                  <Stored>{document.collection}</Stored>
                </p>
              )}
            </th>
            <td class="value">
              <ScopeChip scope={document.scope} of={document.workspace_id === workspace.id ? undefined : document.workspace_name} />
            </td>
            <td title={strings.documents.length(document.chars, size(document.bytes))}>{strings.documents.passages(document.passages)}</td>
            <td class="value">
              <Stored>{document.media_type.replace(/^(text|application)\//, "")}</Stored>
            </td>
            <td>
              <Time at={document.updated_at} brief />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PassagesProps {
  passages: Memory[];
  query: string;
  row: string | undefined;
  workspace: Workspace;
}

/** Where each hit came from: the document, the headings above it, and its place in the text. */
function Passages({ passages, query, row, workspace }: PassagesProps) {
  if (passages.length === 0) return null;
  return (
    <ul class="memories">
      {passages.map(({ id, content, passage, scope, similarity_score: similarity, ...author }) => {
        if (!passage) return null;
        const place = `${passage.document_id} ${passage.from}`;
        return (
          <li key={id}>
            <Link
              to={pathWith({ document: passage.document_id, at: String(passage.from), from: undefined })}
              class={`memory passage-hit ${place === row ? "open" : ""}`}
              aria-current={place === row ? "page" : undefined}
              data-row={place}
            >
              <span class="memory-text">
                <strong>
                  <Content text={[passage.title, ...passage.heading].join(" › ")} query={query} />{" "}
                </strong>
                <Content text={content.slice(0, SHOWN)} query={query} />
              </span>
              <span class="memory-facts">
                <ScopeChip scope={scope} of={author.workspace_id === workspace.id ? undefined : author.workspace_name} />
                <span class="fact">{strings.documents.passage(passage.number)}</span>
                <span class="fact">{strings.documents.place(passage.from, passage.length)}</span>
                {similarity != null && <Similarity value={similarity} />}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function Nothing({ workspace, isSearch, isFiltered }: { workspace: Workspace; isSearch: boolean; isFiltered: boolean }) {
  if (isSearch) return <Empty title={strings.documents.noPassage} />;
  if (isFiltered) return <Empty title={strings.documents.nothingMatches} />;
  return (
    <Empty title={strings.documents.none(workspace.name)}>
      <p>{strings.documents.how}</p>
      <Snippet text={`orgmem docs add handbook.md -w ${workspace.id}`} label={strings.documents.how} />
    </Empty>
  );
}
