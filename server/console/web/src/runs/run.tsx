import { useEffect, useRef, useState } from "preact/hooks";
import { at, finishRun } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { PendingMemory, Run, RunDetail, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { Cross } from "../parts/icons.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";
import { Countdown } from "./countdown.tsx";
import { Status, runsChanged } from "./status.tsx";

/** Of what is pending, how many come at once. */
const PAGE = 100;

interface RunDrawerProps {
  workspace: Workspace;
  id: string;
  /** Whether one may end it. */
  canEnd: boolean;
  onClose: () => void;
}

/** One run, and what is pending in it. */
export function RunDrawer({ workspace, id, canEnd, onClose }: RunDrawerProps) {
  const path = at.run(workspace.id, id, { limit: PAGE });
  const run = useResource<RunDetail>(path);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={words.runs.one}>
      <header>
        <h2>
          <bdi>{run.data?.label ?? words.runs.one}</bdi>
        </h2>
        <IconButton label={words.close} onClick={onClose}>
          <Cross />
        </IconButton>
      </header>
      {run.failure && !run.data && <Refused failure={run.failure} />}
      {!run.data && !run.failure && <Waiting rows={4} />}
      {run.data && (
        <div class="drawer-body">
          <p class="drawer-facts">
            <Status run={run.data} />
            <span>{words.runs.counts(run.data.status, run.data.write_count, run.data.dropped_count)}</span>
          </p>
          {run.data.status === "open" && canEnd && <Endings workspace={workspace} run={run.data} />}
          {run.data.status === "open" ? <Pending path={path} run={run.data} /> : <Left run={run.data} />}
          <Facts run={run.data} />
        </div>
      )}
    </aside>
  );
}

/** Two ways to end it, each with what it does to how many. */
function Endings({ workspace, run }: { workspace: Workspace; run: Run }) {
  const [asking, ask] = useState<"completed" | "cancelled">();
  const count = run.write_count;
  const end = async (status: "completed" | "cancelled") => {
    const { data } = await finishRun(workspace.id, run.run_id, { status });
    say(status === "completed" ? words.runs.finished(data.write_count) : words.runs.dropped(data.dropped_count));
    runsChanged(workspace.id);
    if (status === "completed") treeChanged();
  };
  const { finish, finishTitle, finishWhat, drop, dropTitle, dropWhat } = words.runs;
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
          kind="first"
          label={finish(count)}
          act={() => end("completed")}
          onClose={() => ask(undefined)}
        >
          <p>
            <bdi>{finishWhat(workspace.name, count)}</bdi>
          </p>
        </Confirm>
      )}
      {asking === "cancelled" && (
        <Confirm
          title={dropTitle}
          size="narrow"
          label={drop(count)}
          act={() => end("cancelled")}
          onClose={() => ask(undefined)}
        >
          <p>{dropWhat}</p>
        </Confirm>
      )}
    </>
  );
}

interface PendingProps {
  path: string;
  run: Run;
}

/** What waits for the run to end well. */
function Pending({ path, run }: PendingProps) {
  const pages = usePages<PendingMemory, RunDetail>(path, (page) => page.pending);
  return (
    <section class="pending" aria-label={words.runs.pending(run.write_count)} aria-busy={pages.isLoading}>
      <div class="pending-head">
        <h3>{words.runs.pending(run.write_count)}</h3>
      </div>
      {run.write_count > 0 && <p class="notice">{words.runs.unread}</p>}
      <ul>
        {pages.rows?.map((memory) => (
          <li key={memory.id}>
            <del>
              <Content text={memory.content} />
            </del>
            <p class="memory-facts">
              <ScopeChip scope={memory.scope} />
              <span class="fact">
                <bdi>{memory.kind}</bdi>
              </span>
              <span class="fact">
                <bdi>{memory.namespace}</bdi>
              </span>
              <Time at={memory.held_at} />
            </p>
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <Button kind="quiet" isBusy={pages.isLoading} onClick={pages.more}>
          {words.more}
        </Button>
      )}
    </section>
  );
}

/** What a run that is over has left behind. */
function Left({ run }: { run: Run }) {
  if (run.status !== "completed") return <p>{words.runs.never}</p>;
  if (run.write_count === 0) return null;
  return (
    <p>
      <Link to={`${workspacePath(run.workspace_id)}?run_id=${run.run_id}`}>{words.runs.written(run.write_count)}</Link>
    </p>
  );
}

function Facts({ run }: { run: Run }) {
  const rows: Array<[string, preact.ComponentChildren]> = [
    [words.runs.by, <bdi>{run.started_by}</bdi>],
    [words.runs.started, <Time at={run.started_at} />],
  ];
  if (run.status === "open") {
    const over = () => runsChanged(run.workspace_id);
    rows.push([words.runs.timesOut, <Countdown until={run.times_out_at} onOver={over} />]);
  }
  if (run.finished_at) rows.push([words.runs.ended, <Time at={run.finished_at} />]);
  if (run.session_id) {
    const to = `${workspacePath(run.workspace_id)}?session_id=${encodeURIComponent(run.session_id)}`;
    rows.push([
      words.runs.session,
      <Link to={to}>
        <bdi>{run.session_id}</bdi>
      </Link>,
    ]);
  }
  rows.push([words.runs.one, <Id id={run.run_id} />]);
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
        <Link to={`${workspacePath(run.workspace_id, "access")}?run_id=${run.run_id}`}>{words.runs.log}</Link>
      </p>
    </>
  );
}
