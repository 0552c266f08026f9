import { useState } from "preact/hooks";
import { useResource } from "../api/resource.ts";
import type { MemoryCount, Scope } from "../api/types.ts";
import { AddFilter, type FilterField } from "../parts/add-filter.tsx";
import { Chip } from "../parts/chips.tsx";
import { Button, Select } from "../parts/controls.tsx";
import { EyeIcon, PlusIcon, ScopeSign, SearchIcon } from "../parts/icons.tsx";
import { goWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { FILTERS, type Filter, SCOPES, SOURCES, TIERS, activeFilters, isAgentView } from "./filters.ts";
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
        <div class={`search own-line ${text === "" ? "" : "with-mode"}`}>
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
        <AddFilter fields={FIELDS} onAdd={(name, value) => goWith({ [name]: value }, { replace: true })} />
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
  const { data, isLoading } = useResource<MemoryCount>(countPath);
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
      <span class="segment-count" aria-busy={isLoading}>
        {data?.count ?? ""}
      </span>
    </button>
  );
}

/** How the value of a filter is chosen or typed. */
const INPUTS: Partial<Record<Filter, Pick<FilterField<Filter>, "options" | "type">>> = {
  source: { options: SOURCES.map((each) => [each, each] as const) },
  tier: { options: TIERS.map((tier) => [tier, strings.filters.tiers[tier]] as const) },
  pinned: { options: strings.filters.pinned },
  since: { type: "datetime-local" },
  until: { type: "datetime-local" },
  min_confidence: { type: "number" },
};

const FIELDS: ReadonlyArray<FilterField<Filter>> = FILTERS.map((name) => ({
  name,
  label: strings.filters.names[name],
  hint: strings.filters.hints[name],
  ...INPUTS[name],
}));
