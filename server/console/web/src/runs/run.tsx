import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint, finishRun } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { usePages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { PendingMemory, Run, RunDetail, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";
import { Countdown } from "./countdown.tsx";
import { Status, invalidateRuns } from "./status.tsx";

/** Pending memories per page. */
const PAGE = 100;

interface RunDrawerProps {
  workspace: Workspace;
  id: string;
  /** Whether the caller may finish the run. */
  canEnd: boolean;
  onClose: () => void;
}

/** One run and its pending memories. */
export function RunDrawer({ workspace, id, canEnd, onClose }: RunDrawerProps) {
  const path = endpoint.run(workspace.id, id, { limit: PAGE });
  const run = useResource<RunDetail>(path);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.runs.run}>
      <header>
        <h2>
          <Stored>{run.data?.label ?? strings.runs.run}</Stored>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {run.failure && !run.data && <ErrorNotice failure={run.failure} />}
      {!run.data && !run.failure && <Skeleton rows={4} />}
      {run.data && (
        <div class="drawer-body">
          <p class="drawer-facts">
            <Status run={run.data} />
            <span>{strings.runs.counts(run.data.status, run.data.write_count, run.data.dropped_count)}</span>
          </p>
          {run.data.status === "open" && canEnd && <FinishActions workspace={workspace} run={run.data} />}
          {run.data.status === "open" ? <Pending path={path} run={run.data} /> : <RunResult run={run.data} />}
          <RunFacts run={run.data} />
        </div>
      )}
    </aside>
  );
}

/** The two ways to finish a run, each with the count on its button. */
function FinishActions({ workspace, run }: { workspace: Workspace; run: Run }) {
  const [asking, ask] = useState<"completed" | "cancelled">();
  const count = run.write_count;
  const end = async (status: "completed" | "cancelled") => (await finishRun(workspace.id, run.run_id, { status })).data;
  const find = async () => {
    const { data } = await api<Run>(endpoint.run(workspace.id, run.run_id, { limit: 1 }));
    return data.status === "open" ? undefined : data;
  };
  const onEnded = ({ status, write_count, dropped_count }: Run) => {
    showToast(status === "completed" ? strings.runs.finished(write_count) : strings.runs.dropped(dropped_count));
    invalidateRuns(workspace.id);
    if (status === "completed") invalidateTree();
  };
  const { finish, finishTitle, finishText, drop, dropTitle, dropText } = strings.runs;
  return (
    <>
      <div class="actions">
        <Button onClick={() => ask("completed")}>{finish(count)}</Button>
        <Button onClick={() => ask("cancelled")}>{drop(count)}</Button>
      </div>
      {asking === "completed" && (
        <Confirm
          title={finishTitle}
          size="narrow"
          kind="primary"
          label={finish(count)}
          act={() => end("completed")}
          find={find}
          onDone={onEnded}
          onClose={() => ask(undefined)}
        >
          <p>
            <bdi dir="ltr">{finishText(workspace.name, count)}</bdi>
          </p>
        </Confirm>
      )}
      {asking === "cancelled" && (
        <Confirm
          title={dropTitle}
          size="narrow"
          label={drop(count)}
          act={() => end("cancelled")}
          find={find}
          onDone={onEnded}
          onClose={() => ask(undefined)}
        >
          <p>{dropText}</p>
        </Confirm>
      )}
    </>
  );
}

interface PendingProps {
  path: string;
  run: Run;
}

/** The memories that wait for the run to complete. */
function Pending({ path, run }: PendingProps) {
  const pages = usePages<PendingMemory, RunDetail>(path, (page) => page.pending);
  return (
    <section class="pending" aria-label={strings.runs.pending(run.write_count)} aria-busy={pages.isLoading}>
      <div class="pending-head">
        <h3>{strings.runs.pending(run.write_count)}</h3>
      </div>
      {run.write_count > 0 && <p class="notice">{strings.runs.notReadable}</p>}
      <Earlier pages={pages} />
      <ul>
        {pages.rows?.map((memory) => (
          <li key={memory.id}>
            <del>
              <Content text={memory.content} />
            </del>
            <p class="memory-facts">
              <ScopeChip scope={memory.scope} />
              <span class="fact">
                <Stored>{memory.kind}</Stored>
              </span>
              <span class="fact">
                <Stored>{memory.namespace}</Stored>
              </span>
              <Time at={memory.held_at} />
            </p>
          </li>
        ))}
      </ul>
      <More pages={pages} />
    </section>
  );
}

/** The result of a finished run. */
function RunResult({ run }: { run: Run }) {
  if (run.status !== "completed") return <p>{strings.runs.droppedText}</p>;
  if (run.write_count === 0) return null;
  return (
    <p>
      <Link to={`${workspacePath(run.workspace_id)}?run_id=${run.run_id}`}>{strings.runs.showCommitted(run.write_count)}</Link>
    </p>
  );
}

function RunFacts({ run }: { run: Run }) {
  const rows: Array<[string, preact.ComponentChildren]> = [
    [strings.runs.by, <Stored>{run.started_by}</Stored>],
    [strings.runs.started, <Time at={run.started_at} />],
  ];
  if (run.status === "open") {
    const over = () => invalidateRuns(run.workspace_id);
    rows.push([strings.runs.timesOut, <Countdown until={run.times_out_at} onOver={over} />]);
  }
  if (run.finished_at) rows.push([strings.runs.ended, <Time at={run.finished_at} />]);
  if (run.session_id) {
    const to = `${workspacePath(run.workspace_id)}?session_id=${encodeURIComponent(run.session_id)}`;
    rows.push([
      strings.runs.session,
      <Link to={to}>
        <Stored>{run.session_id}</Stored>
      </Link>,
    ]);
  }
  rows.push([strings.runs.run, <Id id={run.run_id} />]);
  return (
    <>
      <dl class="facts-list">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link to={`${workspacePath(run.workspace_id, "access")}?run_id=${run.run_id}`}>{strings.runs.log}</Link>
      </p>
    </>
  );
}
