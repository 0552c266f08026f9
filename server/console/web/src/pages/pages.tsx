import { useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Page, Tier, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { Button, Field, Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { GATE, PageDrawer } from "./page.tsx";

/** The tiers with their budgets in tokens; a cold page has no text. */
const TIERS: Array<[Tier, number | undefined]> = [
  ["hot", 1_200],
  ["warm", 4_000],
  ["cold", undefined],
];

/** The pages of a workspace: of one subject by tier with the budgets, or the newest ones. */
export function Pages({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const subject = query.get("subject") ?? undefined;
  const open = query.get("page") ?? undefined;
  const close = () => {
    goWith({ page: undefined });
    focusRow(list.current, open);
  };
  useKeys({
    "j": () => moveFocus(list.current, 1),
    "ArrowDown": () => moveFocus(list.current, 1),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "Escape": () => {
      if (open !== undefined) return close();
      if (subject === undefined) return false;
      goWith({ subject: undefined }, { replace: true });
    },
  });
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.pages}>
        <SubjectForm key={subject ?? ""} subject={subject} />
        <div class="rows" ref={list}>
          {subject === undefined ? (
            <Newest workspace={workspace} open={open} />
          ) : (
            <>
              <p class="hint">{strings.pages.gate(GATE)}</p>
              <div class="tiers">
                {TIERS.map(([tier, budget]) => (
                  <TierColumn key={tier} workspace={workspace} subject={subject} tier={tier} budget={budget} open={open} />
                ))}
              </div>
            </>
          )}
        </div>
      </section>
      {open !== undefined && <PageDrawer key={open} workspace={workspace} id={open} onClose={close} />}
    </div>
  );
}

function SubjectForm({ subject }: { subject: string | undefined }) {
  const [text, setText] = useState(subject ?? "");
  const show = (event: Event) => {
    event.preventDefault();
    goWith({ subject: text === "" ? undefined : text, page: undefined });
  };
  return (
    <form class="list-head subject" onSubmit={show} role="search">
      <Field label={strings.pages.subject} hint={strings.pages.subjectHint}>
        {(props) => <input {...props} type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />}
      </Field>
      <Button type="submit">{strings.pages.show}</Button>
    </form>
  );
}

/** The newest pages of all subjects. */
function Newest({ workspace, open }: { workspace: Workspace; open: string | undefined }) {
  const pages = usePages<Page>(endpoint.pages(workspace.id, { limit: 100 }));
  return (
    <>
      <h2 class="tier-title">{strings.pages.all}</h2>
      {pages.failure && <ErrorNotice failure={pages.failure} />}
      <Earlier pages={pages} />
      {!pages.rows && !pages.failure && <Skeleton height={48} />}
      {pages.rows?.length === 0 && !pages.isStale && <NoPages workspace={workspace} />}
      {pages.rows && <Cards pages={pages.rows} open={open} hasSubject />}
      <More pages={pages} />
    </>
  );
}

interface TierProps {
  workspace: Workspace;
  subject: string;
  tier: Tier;
  budget: number | undefined;
  open: string | undefined;
}

/** The pages of a tier against its budget. */
function TierColumn({ workspace, subject, tier, budget, open }: TierProps) {
  const pages = usePages<Page>(endpoint.pages(workspace.id, { subject, tier, limit: 100 }));
  const used = (pages.rows ?? []).reduce((sum, page) => sum + page.tokens, 0);
  const title = strings.pages.tiers[tier];
  return (
    <section class="tier" aria-label={title} aria-busy={pages.isLoading}>
      <h2 class="tier-title">{title}</h2>
      {budget === undefined ? (
        <p class="hint">{strings.pages.noText}</p>
      ) : (
        <p class="budget">
          <meter min={0} max={budget} value={used} aria-label={title} />
          <span class="hint">{strings.pages.budget(used, budget)}</span>
        </p>
      )}
      {pages.failure && <ErrorNotice failure={pages.failure} />}
      {!pages.rows && !pages.failure && <Skeleton rows={2} height={48} />}
      {pages.rows && <Cards pages={pages.rows} open={open} />}
      <More pages={pages} />
    </section>
  );
}

function Cards({ pages, open, hasSubject = false }: { pages: Page[]; open: string | undefined; hasSubject?: boolean }) {
  return (
    <ul class="page-cards">
      {pages.map((page) => (
        <li key={page.id} class={page.confidence < GATE ? "below" : ""}>
          <Link to={pathWith({ page: page.id })} data-row={page.id} class={page.id === open ? "open" : ""}>
            <Stored>{firstLine(page)}</Stored>
          </Link>
          <p class="memory-facts">
            {hasSubject && (
              <span class="fact">
                <Stored>{page.subject ?? strings.pages.own}</Stored>
              </span>
            )}
            {hasSubject && <span class="fact">{strings.pages.tiers[page.tier]}</span>}
            <span class="fact">{strings.pages.confidence(page.confidence)}</span>
            {page.confidence < GATE && <span class="fact">{strings.pages.belowGate}</span>}
            <span class="fact">{strings.pages.sourcesOf(page.source_count)}</span>
            <Time at={page.last_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** What a page is called: its first words, or those that identify it. */
const firstLine = (page: Page) => page.content.split("\n")[0]?.slice(0, 160) || page.outcome || page.session_id;

function NoPages({ workspace }: { workspace: Workspace }) {
  const call = `orgmem activity append agent_log "Deliver to the back door." -w ${workspace.id} --subject ada --actor ada --channel chat --correlation-id c-1 --kind support`;
  return (
    <Empty title={strings.pages.none(workspace.name)}>
      <p>{strings.pages.how}</p>
      <Snippet text={call} label={strings.pages.how} />
    </Empty>
  );
}
