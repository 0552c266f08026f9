// The trace of a run or a session: the memories recalled, injected into prompts and written, and the outcome. A run is
// reconstructed from the audit log, which includes reads; the log stores hashes of queries, never queries.

import { useEffect, useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { invalidate, useResource } from "../api/resource.ts";
import type { Run, RunDetail, Workspace } from "../api/types.ts";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Id } from "../parts/text.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { RunTrace } from "./run-trace.tsx";
import { SessionTrace } from "./session-trace.tsx";

interface TraceProps {
  workspace: Workspace;
  /** The run; otherwise the session. */
  run: string | undefined;
  session: string | undefined;
  onClose: () => void;
}

/** A drawer next to the timeline. */
export function Trace({ workspace, run, session, onClose }: TraceProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  const detail = useResource<RunDetail>(run && endpoint.run(workspace.id, run, { limit: 200 }));
  const title = run === undefined ? strings.trace.session(session ?? "") : strings.trace.run(detail.data?.label, run);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.trace.title}>
      <header>
        <h2>
          <bdi dir="ltr">{title}</bdi>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div class="drawer-body">
        {run !== undefined && detail.isLoading && !detail.data && <Skeleton rows={4} height={32} />}
        {run !== undefined && (detail.data || detail.failure) && (
          <>
            {detail.failure?.isTransient && <ErrorNotice failure={detail.failure} />}
            {detail.failure?.status === 404 && <p class="notice">{strings.trace.unknown}</p>}
            <RunTrace workspace={workspace} id={run} run={detail.data} pending={detail.data?.pending} withSummary />
            <RunLinks workspace={workspace} id={run} run={detail.data} />
          </>
        )}
        {run === undefined && session !== undefined && <SessionTrace workspace={workspace} session={session} />}
      </div>
    </aside>
  );
}

interface RunLinksProps {
  workspace: Workspace;
  id: string;
  run: Run | undefined;
}

/** Links to related views. */
function RunLinks({ workspace, id, run }: RunLinksProps) {
  return (
    <p class="explanation-links">
      {run && <Link to={`${workspacePath(workspace.id, "runs")}?run=${id}`}>{strings.trace.openRun}</Link>}
      {run?.session_id && (
        <Link to={pathWith({ run: undefined, session: run.session_id })}>
          <bdi dir="ltr">{strings.trace.session(run.session_id)}</bdi>
        </Link>
      )}
      <Link to={`${workspacePath(workspace.id, "access")}?run_id=${id}`}>{strings.runs.log}</Link>
      <Id id={id} />
      {run?.status === "open" && (
        <Button kind="quiet" onClick={() => invalidate((path) => path.includes(id))}>
          {strings.refresh}
        </Button>
      )}
    </p>
  );
}
