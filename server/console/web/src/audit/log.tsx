// The access log of a workspace and what is below it: who did what, as whom, to which memories, when. No content is in it.

import { useState } from "preact/hooks";
import { type Parameters, at } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AccessRow, Workspace } from "../api/types.ts";
import { Chip } from "../parts/chips.tsx";
import { Button, Select } from "../parts/controls.tsx";
import { Glass } from "../parts/icons.tsx";
import { Empty, Refused, Waiting } from "../parts/states.tsx";
import { short } from "../parts/time.tsx";
import { useTyped } from "../parts/typed.ts";
import { goWith, useRoute } from "../route.ts";
import { actions, words } from "../words.ts";
import { Chain } from "./chain.tsx";
import { Export } from "./export.tsx";
import { AccessRows } from "./rows.tsx";

/** The filters that stand in the address and have no control of their own: shown as chips. */
const CHIPS = ["memory_id", "run_id", "since", "until"] as const;
const PAGE = 100;

export function AccessLog({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const [who, setWho] = useState(query.get("subject") ?? "");
  const subject = useTyped(who.trim());
  const asked = askedOf(query, subject);
  const pages = usePages<AccessRow>(at.access(workspace.id, { ...asked, limit: PAGE }));
  const chips = CHIPS.filter((name) => query.has(name));
  const isBelow = query.get("only") === null;
  return (
    <section class="list" aria-label={words.tabs.access}>
      <Chain workspace={workspace} />
      <div class="list-head">
        <div class="filter-bar">
          <div class="filter-line">
            <label class="search">
              <Glass />
              <input
                type="search"
                placeholder={words.access.who}
                aria-label={words.access.who}
                spellcheck={false}
                value={who}
                onInput={(event) => setWho(event.currentTarget.value)}
              />
            </label>
            <Select
              label={words.access.action}
              value={query.get("action") ?? ""}
              options={[["", words.access.all], ...actions]}
              onChange={(action) => goWith({ action }, { replace: true })}
            />
            <Select
              label={words.access.time}
              value=""
              options={[["", words.access.anyTime], ...words.access.times]}
              onChange={(seconds) => goWith({ since: ago(seconds) }, { replace: true })}
            />
            {workspace.child_count > 0 && (
              <label class="check">
                <input
                  type="checkbox"
                  checked={isBelow}
                  onChange={(event) => goWith({ only: event.currentTarget.checked ? undefined : "1" }, { replace: true })}
                />
                {words.access.below}
              </label>
            )}
            <Export workspace={workspace} asked={asked} />
          </div>
          {chips.length > 0 && (
            <ul class="chips" aria-label={words.filters.title}>
              {chips.map((name) => (
                <li key={name}>
                  <Chip onRemove={() => goWith({ [name]: undefined }, { replace: true })}>
                    <bdi>{said(name, query.get(name) ?? "")}</bdi>
                  </Chip>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading}>
        {pages.failure && <Refused failure={pages.failure} />}
        {!pages.rows && !pages.failure && <Waiting height={32} />}
        {pages.rows?.length === 0 && !pages.isStale && !pages.hasMore && (
          <Empty title={isNarrowed(asked) ? words.access.nothingMatches : words.access.none(workspace.name)}>
            <p>{words.access.how}</p>
          </Empty>
        )}
        {pages.rows && pages.rows.length > 0 && <AccessRows rows={pages.rows} />}
        {pages.hasMore && (
          <Button kind="quiet" class="more" isBusy={pages.isLoading} onClick={pages.more}>
            {words.more}
          </Button>
        )}
      </div>
    </section>
  );
}

function askedOf(query: URLSearchParams, subject: string): Parameters {
  const given = ["action", ...CHIPS].map((name) => [name, query.get(name) ?? undefined] as const);
  const below = query.get("only") === null ? "true" : undefined;
  return { ...Object.fromEntries(given), subject: subject === "" ? undefined : subject, subtree: below };
}

const isNarrowed = (asked: Parameters): boolean =>
  Object.entries(asked).some(([name, value]) => name !== "subtree" && value !== undefined);

function said(name: (typeof CHIPS)[number], value: string): string {
  return words.access.said[name](name === "since" || name === "until" ? short(value) : value);
}

function ago(seconds: string): string | undefined {
  return seconds === "" ? undefined : new Date(Date.now() - Number(seconds) * 1000).toISOString();
}
