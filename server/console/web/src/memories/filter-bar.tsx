import { useRef, useState } from "preact/hooks";
import { useResource } from "../api/resource.ts";
import type { MemoryCount, Scope } from "../api/types.ts";
import { Chip } from "../parts/chips.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { EyeIcon, FilterIcon, PlusIcon, ScopeSign, SearchIcon } from "../parts/icons.tsx";
import { goWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { FILTERS, type Filter, SCOPES, SOURCES, activeFilters, isAgentView, parseFilterValue } from "./filters.ts";
import { ModeMenu } from "./mode.tsx";
import { focusListOnArrowDown } from "./rows.ts";

interface FilterBarProps {
  workspace: string;
  text: string;
  /** The query of the list. */
  typed: string;
  onText: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  field: preact.RefObject<HTMLInputElement | null>;
  /** Moves the focus into the list. */
  onDown: () => void;
  nameOf: (id: string) => string;
  canWrite: boolean;
  /** Whether the caller may view the list as the workspace's agent; false for the agent itself. */
  canViewAsAgent: boolean;
  /** The path that counts a scope under the same filters; undefined while the list loads. */
  countPath: (scope: Scope | undefined) => string | undefined;
}

/** Search field, scope buttons and removable filters. */
export function FilterBar({ workspace, text, typed, onText, onKeyDown, field, onDown, nameOf, canWrite, canViewAsAgent, countPath }: FilterBarProps) {
  const { query } = useRoute();
  const scope = query.get("scope") ?? undefined;
  const filters = activeFilters(query, nameOf);
  // each count is recorded in the audit log, so all of them load only for a user who filters, and none for a query
  const [countedFor, countFor] = useState<string>();
  const wantsCounts = countedFor === typed;
  const counts = wantsCounts || (typed === "" && (filters.length > 0 || scope !== undefined));
  return (
    <div class="filter-bar">
      <div class="filter-line">
        <div class={`search ${text === "" ? "" : "with-mode"}`}>
          <label>
            <SearchIcon />
            <input
              ref={field}
              type="search"
              placeholder={strings.memories.search}
              aria-label={strings.memories.search}
              spellcheck={false}
              value={text}
              onInput={(event) => onText(event.currentTarget.value)}
              onKeyDown={(event) => {
                onKeyDown(event);
                focusListOnArrowDown(onDown)(event);
              }}
            />
          </label>
          {text !== "" && <ModeMenu workspace={workspace} />}
        </div>
        <div
          class="segments scopes"
          role="group"
          aria-label={strings.memories.scope}
          onPointerEnter={() => countFor(typed)}
          onFocusCapture={() => countFor(typed)}
        >
          {[undefined, ...SCOPES].map((each) => (
            <ScopeButton key={each ?? ""} scope={each} current={scope} countPath={counts || (each === undefined && typed === "") ? countPath(each) : undefined} />
          ))}
        </div>
        <Select
          label={strings.memories.order}
          value={query.get("order") ?? ""}
          options={text === "" ? strings.memories.listOrders : strings.memories.searchOrders}
          onChange={(order) => goWith({ order }, { replace: true })}
        />
        <AddFilter />
        {canViewAsAgent && (
          <button
            type="button"
            class="button"
            aria-pressed={isAgentView(query)}
            title={strings.agentView.hint}
            onClick={() => goWith({ eyes: isAgentView(query) ? undefined : "agent" }, { replace: true })}
          >
            <EyeIcon />
            <span class="word">{strings.agentView.do}</span>
          </button>
        )}
        {canWrite && (
          <Button kind="primary" class="write" onClick={() => goWith({ write: "1" })}>
            <PlusIcon />
            <span class="word">{strings.write.do}</span>
          </Button>
        )}
      </div>
      {filters.length > 0 && (
        <ul class="chips" aria-label={strings.filters.title}>
          {filters.map(([name, sentence]) => (
            <li key={name}>
              <Chip onRemove={() => goWith({ [name]: undefined }, { replace: true })}>
                <bdi dir="ltr">{sentence}</bdi>
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ScopeButtonProps {
  scope: Scope | undefined;
  current: string | undefined;
  countPath: string | undefined;
}

function ScopeButton({ scope, current, countPath }: ScopeButtonProps) {
  const count = useResource<MemoryCount>(countPath).data?.count;
  return (
    <button
      type="button"
      title={scope}
      class={scope ? `as-scope ${scope.toLowerCase()}` : ""}
      aria-pressed={scope === current}
      onClick={() => goWith({ scope }, { replace: true })}
    >
      {scope && <ScopeSign scope={scope} />}
      <span class={scope && "word"}>{scope ?? strings.memories.allScopes}</span>
      <span class="segment-count">{count ?? ""}</span>
    </button>
  );
}

/** A menu that adds one filter. */
function AddFilter() {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [name, setName] = useState<Filter>("namespace");
  const [value, setValue] = useState("");
  const [fault, setFault] = useState<string>();
  const add = (event: Event) => {
    event.preventDefault();
    const common = parseFilterValue(name, value === "" ? (FIRST_OPTION[name] ?? "") : value);
    if (common === undefined) return setFault(strings.filters.missing);
    goWith({ [name]: common }, { replace: true });
    setValue("");
    setFault(undefined);
    menu.current?.hidePopover();
  };
  return (
    <>
      <button type="button" class="button" popovertarget="add-filter" ref={button}>
        <FilterIcon />
        <span class="word">{strings.filters.add}</span>
      </button>
      <div id="add-filter" class="menu" popover="auto" ref={menu} onBeforeToggle={() => placeBelow(menu.current, button.current)}>
        <form onSubmit={add}>
          <Field label={strings.filters.which}>
            {({ id }) => (
              <Select
                id={id}
                value={name}
                options={FILTERS.map((each) => [each, strings.filters.names[each]] as const)}
                onChange={(each) => {
                  setName(each);
                  setValue("");
                  setFault(undefined);
                }}
              />
            )}
          </Field>
          <Field label={strings.filters.value} hint={strings.filters.hints[name]} fault={fault}>
            {(attributes) => <ValueField attributes={attributes} name={name} value={value} onChange={setValue} />}
          </Field>
          <Button kind="primary" type="submit">
            {strings.filters.add}
          </Button>
        </form>
      </div>
    </>
  );
}

/** The selected option of the fields that offer options. */
const FIRST_OPTION: Partial<Record<Filter, string>> = { source: SOURCES[0], pinned: "true" };

/** Positions a menu below its button, within the page. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 288))}px`;
}

type InputEvent = { currentTarget: HTMLInputElement };

interface ValueFieldProps {
  attributes: { id: string };
  name: Filter;
  value: string;
  onChange: (value: string) => void;
}

function ValueField({ attributes, name, value, onChange }: ValueFieldProps) {
  if (name === "source") {
    return <Select {...attributes} value={value} options={SOURCES.map((each) => [each, each] as const)} onChange={onChange} />;
  }
  if (name === "pinned") {
    return <Select {...attributes} value={value} options={strings.filters.pinned} onChange={onChange} />;
  }
  const common = { ...attributes, value, onInput: (event: InputEvent) => onChange(event.currentTarget.value) };
  if (name === "since" || name === "until") return <input {...common} type="datetime-local" />;
  if (name === "min_confidence") return <input {...common} type="number" min={0} max={1} step="any" />;
  return <input {...common} type="text" spellcheck={false} />;
}
