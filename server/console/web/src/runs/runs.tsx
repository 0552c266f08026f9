import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Me, Run, RunStatus, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { Countdown } from "./countdown.tsx";
import { RunDrawer } from "./run.tsx";
import { Status, invalidateRuns } from "./status.tsx";

const STATUSES = Object.keys(strings.runs.statuses) as RunStatus[];

/** The runs of a workspace: open, completed and dropped. */
export function Runs({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const status = STATUSES.find((each) => each === query.get("status"));
  const pages = usePages<Run>(endpoint.runs(workspace.id, { status, limit: 100 }));
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
      <section class="list" aria-label={strings.tabs.runs}>
        <div class="list-head">
          <div class="segments" role="group" aria-label={strings.runs.status}>
            {[undefined, ...STATUSES].map((each) => (
              <button
                key={each ?? ""}
                type="button"
                aria-pressed={status === each}
                onClick={() => goWith({ status: each }, { replace: true })}
              >
                {each ? strings.runs.statuses[each] : strings.runs.all}
              </button>
            ))}
          </div>
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading} ref={list}>
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Earlier pages={pages} />
          {!pages.rows && !pages.failure && <Skeleton height={32} />}
          {pages.rows?.length === 0 && !pages.isStale && <NoRuns workspace={workspace} status={status} />}
          {pages.rows && pages.rows.length > 0 && <Table runs={pages.rows} open={open} />}
          <More pages={pages} />
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
          <th scope="col">{strings.runs.run}</th>
          <th scope="col">{strings.runs.status}</th>
          <th scope="col">{strings.runs.memories}</th>
          <th scope="col">{strings.runs.by}</th>
          <th scope="col">{strings.runs.started}</th>
          <th scope="col">{strings.runs.ends}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run_id} class={run.run_id === open ? "open" : ""}>
            <th scope="row">
              <Link to={pathWith({ run: run.run_id })} data-row={run.run_id} class={run.run_id === open ? "open" : ""}>
                <Stored>{run.label ?? `${strings.runs.run} ${run.run_id.slice(-6)}`}</Stored>
              </Link>
            </th>
            <td>
              <Status run={run} />
            </td>
            <td>{strings.runs.counts(run.status, run.write_count, run.dropped_count)}</td>
            <td class="value">
              <Stored>{run.started_by}</Stored>
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

/** When the run finished, or the time left. */
function End({ run }: { run: Run }) {
  if (run.status === "open") {
    return <Countdown until={run.times_out_at} brief onOver={() => invalidateRuns(run.workspace_id)} />;
  }
  return run.finished_at ? <Time at={run.finished_at} /> : null;
}

function NoRuns({ workspace, status }: { workspace: Workspace; status: RunStatus | undefined }) {
  if (status) return <Empty title={strings.runs.nothingMatches(strings.runs.statuses[status])} />;
  return (
    <Empty title={strings.runs.none(workspace.name)}>
      <p>{strings.runs.how}</p>
      <Snippet text={`orgmem run start -w ${workspace.id} --label "nightly review"`} label={strings.runs.how} />
    </Empty>
  );
}
