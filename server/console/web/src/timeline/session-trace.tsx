// The steps of a session: its runs, and the activity between them.

import { useMemo } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useAll, useWindow } from "../api/pages.ts";
import type { Run, SessionHit, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content } from "../parts/text.tsx";
import { clockWithSeconds, exact } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { Status } from "../runs/status.tsx";
import { strings } from "../strings.ts";
import { MOST, RunTrace, WINDOW } from "./run-trace.tsx";

/** Up to this many runs of a session are expanded at once. */
const UNFOLDED = 3;

/** The trace of a session: its runs, and the activity between them. */
export function SessionTrace({ workspace, session }: { workspace: Workspace; session: string }) {
  const runs = useAll<Run>(endpoint.runs(workspace.id, { session_id: session, limit: 200 }), MOST);
  const hits = useAll<SessionHit>(endpoint.session(workspace.id, { session_id: session, limit: 200 }), MOST);
  const failure = runs.failure ?? hits.failure;
  const { all, loose } = useMemo(() => partsOf(runs.all ?? [], hits.all ?? []), [runs.all, hits.all]);
  const view = useWindow(all, session, { size: WINDOW });
  if (failure) return <ErrorNotice failure={failure} />;
  if (!runs.all || !hits.all) return <Skeleton rows={4} height={32} />;
  const isWhole = !runs.hasMore && !hits.hasMore;
  const isBusy = runs.isLoading || hits.isLoading;
  const runCount = runs.all.length;
  return (
    <>
      <SessionSummary runs={runs.all} loose={loose} isWhole={isWhole} />
      {all.length === 0 && isWhole && <Empty title={strings.trace.emptySession} />}
      {!isWhole && !isBusy && <p class="notice">{strings.trace.truncated(all.length)}</p>}
      <Earlier pages={view} />
      <ol class="trace" aria-busy={isBusy} aria-label={strings.trace.steps}>
        {view.rows?.map(({ run, hit }) =>
          run ? (
            <RunOfSession key={run.run_id} workspace={workspace} run={run} isOpen={runCount <= UNFOLDED} />
          ) : (
            hit && <SessionHitItem key={hit.id} workspace={workspace} hit={hit} />
          ),
        )}
      </ol>
      <More pages={view} />
      <p class="explanation-links">
        <Link to={`${workspacePath(workspace.id)}?session_id=${encodeURIComponent(session)}`}>{strings.trace.memories}</Link>
      </p>
    </>
  );
}

interface SessionPart {
  at: string;
  run?: Run;
  hit?: SessionHit;
}

/** The runs of a session and the activity between them, by time. */
function partsOf(runs: Run[], hits: SessionHit[]): { all: SessionPart[]; loose: SessionHit[] } {
  const known = new Set(runs.map((run) => run.run_id));
  const loose = hits.filter((hit) => !(hit.run_id && known.has(hit.run_id)) && hit.method !== "commit_memory");
  const all: SessionPart[] = [
    ...runs.map((run) => ({ at: run.started_at, run })),
    ...loose.map((hit) => ({ at: hit.created_at, hit })),
  ];
  return { all: all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), loose };
}

function SessionSummary({ runs, loose, isWhole }: { runs: Run[]; loose: SessionHit[]; isWhole: boolean }) {
  const { counts: labels } = strings.trace;
  const outside = loose.filter((hit) => hit.kind === "memory").length;
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const pending = sum((run) => (run.status === "open" ? run.write_count : 0));
  const dropped = sum((run) => run.dropped_count);
  const committed = outside + sum((run) => (run.status === "open" ? 0 : run.write_count));
  const cells: Array<[label: string, count: number, isLost?: boolean]> = [
    [labels.runs(runs.length), runs.length],
    [labels.pending, pending],
    [labels.committed, committed],
    [labels.dropped, dropped, dropped > 0],
  ];
  return (
    <ol class="trace-summary tally" aria-label={strings.trace.summary}>
      {cells.map(([label, count, isLost]) => (
        <li key={label} class={isLost ? "bad" : ""}>
          <b>{isWhole ? count : strings.unknown}</b>
          <span>{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** A run within the trace of its session. */
function RunOfSession({ workspace, run, isOpen }: { workspace: Workspace; run: Run; isOpen: boolean }) {
  return (
    <li class="step run-step">
      <time dateTime={run.started_at} title={exact(run.started_at)}>
        {clockWithSeconds(run.started_at)}
      </time>
      <div class="step-text">
        <p>
          <Link to={pathWith({ run: run.run_id, session: undefined })}>
            <bdi dir="ltr">{strings.trace.run(run.label, run.run_id)}</bdi>
          </Link>{" "}
          <Status run={run} />{" "}
          <span class="quiet">{strings.runs.counts(run.status, run.write_count, run.dropped_count)}</span>
        </p>
        {isOpen && <RunTrace workspace={workspace} id={run.run_id} run={run} />}
      </div>
    </li>
  );
}

/** An episode or memory outside the runs. */
function SessionHitItem({ workspace, hit }: { workspace: Workspace; hit: SessionHit }) {
  const isMemory = hit.kind === "memory";
  return (
    <li class={`step ${isMemory ? "written" : "logged"}`}>
      <time dateTime={hit.created_at} title={exact(hit.created_at)}>
        {clockWithSeconds(hit.created_at)}
      </time>
      <div class="step-text">
        <p>
          <span class="quiet">
            <Stored>{hit.label}</Stored>
          </span>{" "}
          {isMemory ? (
            <Link to={`${workspacePath(workspace.id)}?m=${hit.id}`}>
              <Content text={hit.content.slice(0, 240)} />
            </Link>
          ) : (
            <Content text={hit.content.slice(0, 240)} />
          )}
        </p>
      </div>
    </li>
  );
}
