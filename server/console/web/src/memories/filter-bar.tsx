import { useRef, useState } from "preact/hooks";
import { useResource } from "../api/resource.ts";
import type { MemoryCount, Scope } from "../api/types.ts";
import { Chip } from "../parts/chips.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { Glass, Plus, ScopeSign } from "../parts/icons.tsx";
import { goWith, useRoute } from "../route.ts";
import { words } from "../words.ts";
import { FILTERS, type Filter, SCOPES, SOURCES, inForce, isAsAgent, read } from "./filters.ts";
import { ModeMenu } from "./mode.tsx";
import { intoList } from "./rows.ts";

interface FilterBarProps {
  /** The id of whose memories these are. */
  workspace: string;
  text: string;
  onText: (text: string) => void;
  field: preact.RefObject<HTMLInputElement | null>;
  /** Goes on to what was found. */
  onDown: () => void;
  nameOf: (id: string) => string;
  canWrite: boolean;
  /** Whether one may look with the eyes of the workspace's agent, which are not one's own. */
  canBeAgent: boolean;
  /** What counts the memories of a scope, or of all, under the same filters; nothing while the list is not there. */
  countPath: (scope: Scope | undefined) => string | undefined;
}

/** Scope, search, and the filters as a sentence, each removable. */
export function FilterBar({ workspace, text, onText, field, onDown, nameOf, canWrite, canBeAgent, countPath }: FilterBarProps) {
  const { query } = useRoute();
  const scope = query.get("scope") ?? undefined;
  const filters = inForce(query, nameOf);
  // each count is a call that the access log tells of: all of them only for whoever narrows
  const [isCurious, setCurious] = useState(false);
  const counts = isCurious || filters.length > 0 || scope !== undefined || text !== "";
  return (
    <div class="filter-bar">
      <div class="filter-line">
        <div class={`search ${text === "" ? "" : "with-mode"}`}>
          <label>
            <Glass />
            <input
              ref={field}
              type="search"
              placeholder={words.memories.search}
              aria-label={words.memories.search}
              spellcheck={false}
              value={text}
              onInput={(event) => onText(event.currentTarget.value)}
              onKeyDown={intoList(onDown)}
            />
          </label>
          {text !== "" && <ModeMenu workspace={workspace} />}
        </div>
        <div
          class="segments scopes"
          role="group"
          aria-label={words.memories.scope}
          onPointerEnter={() => setCurious(true)}
          onFocusCapture={() => setCurious(true)}
        >
          {[undefined, ...SCOPES].map((each) => (
            <ScopeButton key={each ?? ""} scope={each} current={scope} countPath={each === undefined || counts ? countPath(each) : undefined} />
          ))}
        </div>
        <Select
          label={words.memories.order}
          value={query.get("order") ?? ""}
          options={text === "" ? words.memories.listOrders : words.memories.searchOrders}
          onChange={(order) => goWith({ order }, { replace: true })}
        />
        <AddFilter />
        {canBeAgent && (
          <button
            type="button"
            class="button"
            aria-pressed={isAsAgent(query)}
            title={words.received.what}
            onClick={() => goWith({ eyes: isAsAgent(query) ? undefined : "agent" }, { replace: true })}
          >
            {words.received.do}
          </button>
        )}
        {canWrite && (
          <Button kind="first" class="write" onClick={() => goWith({ write: "1" })}>
            <Plus />
            {words.write.do}
          </Button>
        )}
      </div>
      {filters.length > 0 && (
        <ul class="chips" aria-label={words.filters.title}>
          {filters.map(([name, sentence]) => (
            <li key={name}>
              <Chip onRemove={() => goWith({ [name]: undefined }, { replace: true })}>
                <bdi>{sentence}</bdi>
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
      class={scope ? `as-scope ${scope.toLowerCase()}` : ""}
      aria-pressed={scope === current}
      onClick={() => goWith({ scope }, { replace: true })}
    >
      {scope && <ScopeSign scope={scope} />}
      {scope ?? words.memories.allScopes}
      <span class="segment-count">{count ?? ""}</span>
    </button>
  );
}

/** One filter at a time: which, and what. */
function AddFilter() {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [name, setName] = useState<Filter>("namespace");
  const [value, setValue] = useState("");
  const [fault, setFault] = useState<string>();
  const add = (event: Event) => {
    event.preventDefault();
    const given = read(name, name === "source" && value === "" ? SOURCES[0] : value);
    if (given === undefined) return setFault(words.filters.missing);
    goWith({ [name]: given }, { replace: true });
    setValue("");
    setFault(undefined);
    menu.current?.hidePopover();
  };
  return (
    <>
      <button type="button" class="button" popovertarget="add-filter" ref={button}>
        <Plus />
        {words.filters.add}
      </button>
      <div id="add-filter" class="menu" popover="auto" ref={menu} onBeforeToggle={() => placeBelow(menu.current, button.current)}>
        <form onSubmit={add}>
          <Field label={words.filters.which}>
            {({ id }) => (
              <Select
                id={id}
                value={name}
                options={FILTERS.map((each) => [each, words.filters.names[each]] as const)}
                onChange={(each) => {
                  setName(each);
                  setValue("");
                  setFault(undefined);
                }}
              />
            )}
          </Field>
          <Field label={words.filters.value} hint={words.filters.hints[name]} fault={fault}>
            {(attributes) => <ValueField attributes={attributes} name={name} value={value} onChange={setValue} />}
          </Field>
          <Button kind="first" type="submit">
            {words.filters.add}
          </Button>
        </form>
      </div>
    </>
  );
}

/** Puts a menu under its button, within the page. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 288))}px`;
}

type Typed = { currentTarget: HTMLInputElement };

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
  const given = { ...attributes, value, onInput: (event: Typed) => onChange(event.currentTarget.value) };
  if (name === "since" || name === "until") return <input {...given} type="datetime-local" />;
  if (name === "min_confidence") return <input {...given} type="number" min={0} max={1} step={0.05} />;
  return <input {...given} type="text" spellcheck={false} />;
}
