import { useRef } from "preact/hooks";
import { at } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Me, Run, RunStatus, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { Button, Link } from "../parts/controls.tsx";
import { Empty, Refused, Waiting } from "../parts/states.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { words } from "../words.ts";
import { Countdown } from "./countdown.tsx";
import { RunDrawer } from "./run.tsx";
import { Status, runsChanged } from "./status.tsx";

const STATUSES = Object.keys(words.runs.statuses) as RunStatus[];

/** The runs of a workspace: what is open, what ended well, and what never was. */
export function Runs({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const status = STATUSES.find((each) => each === query.get("status"));
  const pages = usePages<Run>(at.runs(workspace.id, { status, limit: 100 }));
  const open = query.get("run") ?? undefined;
  const close = () => {
    goWith({ run: undefined });
    focusRow(list.current, open);
  };
  useKeys({
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "Escape": () => {
      if (open !== undefined) return close();
      if (status === undefined) return false;
      goWith({ status: undefined }, { replace: true });
    },
  });
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={words.tabs.runs}>
        <div class="list-head">
          <div class="segments" role="group" aria-label={words.runs.status}>
            {[undefined, ...STATUSES].map((each) => (
              <button
                key={each ?? ""}
                type="button"
                aria-pressed={status === each}
                onClick={() => goWith({ status: each }, { replace: true })}
              >
                {each ? words.runs.statuses[each] : words.runs.all}
              </button>
            ))}
          </div>
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading} ref={list}>
          {pages.failure && <Refused failure={pages.failure} />}
          {!pages.rows && !pages.failure && <Waiting height={32} />}
          {pages.rows?.length === 0 && !pages.isStale && <Nothing workspace={workspace} status={status} />}
          {pages.rows && pages.rows.length > 0 && <Table runs={pages.rows} open={open} />}
          {pages.hasMore && (
            <Button kind="quiet" class="more" isBusy={pages.isLoading} onClick={pages.more}>
              {words.more}
            </Button>
          )}
        </div>
      </section>
      {open !== undefined && (
        <RunDrawer key={open} workspace={workspace} id={open} canEnd={may(me, "write_memories")} onClose={close} />
      )}
    </div>
  );
}

function Table({ runs, open }: { runs: Run[]; open: string | undefined }) {
  return (
    <table class="table keys runs">
      <thead>
        <tr>
          <th scope="col">{words.runs.one}</th>
          <th scope="col">{words.runs.status}</th>
          <th scope="col">{words.runs.memories}</th>
          <th scope="col">{words.runs.by}</th>
          <th scope="col">{words.runs.started}</th>
          <th scope="col">{words.runs.ends}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run_id} class={run.run_id === open ? "open" : ""}>
            <th scope="row">
              <Link to={pathWith({ run: run.run_id })} data-row={run.run_id} class={run.run_id === open ? "open" : ""}>
                <bdi>{run.label ?? `${words.runs.one} ${run.run_id.slice(-6)}`}</bdi>
              </Link>
            </th>
            <td>
              <Status run={run} />
            </td>
            <td>{words.runs.counts(run.status, run.write_count, run.dropped_count)}</td>
            <td class="value">
              <bdi>{run.started_by}</bdi>
            </td>
            <td>
              <Time at={run.started_at} brief />
            </td>
            <td>
              <End run={run} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** When it ended, or how long it has. */
function End({ run }: { run: Run }) {
  if (run.status === "open") {
    return <Countdown until={run.times_out_at} brief onOver={() => runsChanged(run.workspace_id)} />;
  }
  return run.finished_at ? <Time at={run.finished_at} /> : null;
}

function Nothing({ workspace, status }: { workspace: Workspace; status: RunStatus | undefined }) {
  if (status) return <Empty title={words.runs.nothingMatches(words.runs.statuses[status])} />;
  return (
    <Empty title={words.runs.none(workspace.name)}>
      <p>{words.runs.how}</p>
      <Snippet text={`orgmem run start -w ${workspace.id} --label "nightly review"`} label={words.runs.how} />
    </Empty>
  );
}
