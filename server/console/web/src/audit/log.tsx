// The audit log of a workspace and its subtree: caller, action, workspace, memories, time. It contains no content.

import { useState } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AuditRow, Workspace } from "../api/types.ts";
import { Chip } from "../parts/chips.tsx";
import { Select } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { SearchIcon } from "../parts/icons.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { short } from "../parts/time.tsx";
import { AUDITED_PAUSE_MS, useSettled } from "../parts/debounce.ts";
import { goWith, useRoute } from "../route.ts";
import { actions, strings } from "../strings.ts";
import { Chain } from "./chain.tsx";
import { Export } from "./export.tsx";
import { AccessRows } from "./rows.tsx";

/** Filters of the address that have no control; they appear as chips. */
const CHIPS = ["memory_id", "run_id", "since", "until"] as const;
const PAGE = 100;

export function AccessLog({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const [who, setWho] = useState(query.get("subject") ?? "");
  const { settled: subject, settle } = useSettled(who.trim(), AUDITED_PAUSE_MS);
  const parameters = parametersOf(query, subject);
  const pages = usePages<AuditRow>(endpoint.access(workspace.id, { ...parameters, limit: PAGE }));
  const chips = CHIPS.filter((name) => query.has(name));
  const isBelow = query.get("only") === null;
  return (
    <section class="list" aria-label={strings.tabs.access}>
      <Chain workspace={workspace} />
      <div class="list-head">
        <div class="filter-bar">
          <div class="filter-line">
            <label class="search">
              <SearchIcon />
              <input
                type="search"
                placeholder={strings.access.who}
                aria-label={strings.access.who}
                spellcheck={false}
                value={who}
                onInput={(event) => setWho(event.currentTarget.value)}
                onKeyDown={({ key }) => key === "Enter" && settle()}
              />
            </label>
            <Select
              label={strings.access.action}
              value={query.get("action") ?? ""}
              options={[["", strings.access.all], ...actions]}
              onChange={(action) => goWith({ action }, { replace: true })}
            />
            <Select
              label={strings.callers.title}
              value={query.get("callers") ?? ""}
              options={strings.callers.all}
              onChange={(callers) => goWith({ callers }, { replace: true })}
            />
            <Select
              label={strings.access.time}
              value=""
              options={[["", strings.access.anyTime], ...strings.access.times]}
              onChange={(seconds) => goWith({ since: ago(seconds) }, { replace: true })}
            />
            {workspace.child_count > 0 && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={isBelow}
                  onChange={(event) => goWith({ only: event.currentTarget.checked ? undefined : "1" }, { replace: true })}
                />
                {strings.access.subtree}
              </label>
            )}
            <Export workspace={workspace} parameters={parameters} />
          </div>
          {chips.length > 0 && (
            <ul class="chips" aria-label={strings.filters.title}>
              {chips.map((name) => (
                <li key={name}>
                  <Chip onRemove={() => goWith({ [name]: undefined }, { replace: true })}>
                    <bdi dir="ltr">{chipText(name, query.get(name) ?? "")}</bdi>
                  </Chip>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading}>
        {pages.failure && <ErrorNotice failure={pages.failure} />}
        <Earlier pages={pages} />
        {!pages.rows && !pages.failure && <Skeleton height={32} />}
        {pages.rows?.length === 0 && !pages.isStale && !pages.hasMore && (
          <Empty title={isNarrowed(parameters) ? strings.access.nothingMatches : strings.access.none(workspace.name)}>
            <p>{strings.access.how}</p>
          </Empty>
        )}
        {pages.rows && pages.rows.length > 0 && <AccessRows rows={pages.rows} />}
        <More pages={pages} />
      </div>
    </section>
  );
}

function parametersOf(query: URLSearchParams, subject: string): Parameters {
  const given = ["action", "callers", ...CHIPS].map((name) => [name, query.get(name) ?? undefined] as const);
  const below = query.get("only") === null ? "true" : undefined;
  return { ...Object.fromEntries(given), subject: subject === "" ? undefined : subject, subtree: below };
}

const isNarrowed = (parameters: Parameters): boolean =>
  Object.entries(parameters).some(([name, value]) => name !== "subtree" && value !== undefined);

function chipText(name: (typeof CHIPS)[number], value: string): string {
  return strings.access.sentences[name](name === "since" || name === "until" ? short(value) : value);
}

function ago(seconds: string): string | undefined {
  return seconds === "" ? undefined : new Date(Date.now() - Number(seconds) * 1000).toISOString();
}
