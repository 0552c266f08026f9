// The trace of a run or a session: the memories recalled, injected into prompts and written, and the outcome. A run is
// reconstructed from the audit log, which includes reads; the log stores hashes of queries, never queries.

import { useEffect, useRef } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { type Pages, usePages } from "../api/pages.ts";
import { invalidate, refresh, useResource } from "../api/resource.ts";
import type { AuditRow, Memory, PendingMemory, Run, RunDetail, SessionHit, Workspace } from "../api/types.ts";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Content, Id } from "../parts/text.tsx";
import { clockWithSeconds, exact } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { Countdown } from "../runs/countdown.tsx";
import { Status, invalidateRuns } from "../runs/status.tsx";
import { strings } from "../strings.ts";
import { type Step, type StepCounts, stepsOf, countsOf } from "./steps.ts";

/** The maximum number of rows that a trace loads; the audit log has the rest. */
const MOST = 2_000;
/** How many memories a step shows. */
const SHOWN = 12;
/** Characters of a memory per chip. */
const CHIP = 64;
/** Up to this many runs of a session are expanded at once. */
const UNFOLDED = 3;

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

/** Loads all pages of a list, up to MOST rows. */
function useAll<T>(path: string | undefined): Pages<T> {
  const pages = usePages<T>(path);
  const wants = pages.hasMore && !pages.isLoading && !pages.failure && (pages.rows?.length ?? 0) < MOST;
  useEffect(() => {
    if (wants) pages.more();
  }, [wants, pages.rows]);
  return pages;
}

interface RunTraceProps {
  workspace: Workspace;
  id: string;
  /** Undefined where the workspace has no such run, or no longer. */
  run: Run | undefined;
  /** The staged memories, where they are known. */
  pending?: PendingMemory[] | undefined;
  withSummary?: boolean;
}

/** The steps of a run, from the audit log. */
function RunTrace({ workspace, id, run, pending = [], withSummary = false }: RunTraceProps) {
  const since: Parameters = run ? { since: run.started_at } : {};
  const path = endpoint.access(workspace.id, { run_id: id, limit: 500, ...since });
  const log = useAll<AuditRow>(path);
  const written = useAll<Memory>(endpoint.memories(workspace.id, { run_id: id, limit: 50 }));
  const hasFieldError = useRef(false);
  // an event about the run does not reload the audit log by itself
  useEffect(() => {
    if (hasFieldError.current) refresh(path);
    hasFieldError.current = true;
  }, [run?.status, run?.write_count]);
  if (log.failure) return <ErrorNotice failure={log.failure} />;
  if (!log.rows) return <Skeleton rows={4} height={32} />;
  const isWhole = !log.hasMore;
  const steps = stepsOf(log.rows);
  const texts = new Map([...pending, ...(written.rows ?? [])].map((memory) => [memory.id, memory.content]));
  return (
    <>
      {withSummary && <Summary counts={countsOf(steps)} run={run} isWhole={isWhole} />}
      {steps.length === 0 && isWhole && <Empty title={strings.trace.empty} />}
      {log.hasMore && !log.isLoading && <p class="notice">{strings.trace.truncated(log.rows.length)}</p>}
      <ol class="trace" aria-busy={log.isLoading} aria-label={strings.trace.steps}>
        {steps.map((step) => (
          <RunStep key={step.seq} step={step} run={run} texts={texts} />
        ))}
        {run && <End run={run} />}
      </ol>
    </>
  );
}

/** Four counts, in the order of the phases. */
function Summary({ counts, run, isWhole }: { counts: StepCounts; run: Run | undefined; isWhole: boolean }) {
  const { counts: labels } = strings.trace;
  const shown = (count: number) => (isWhole ? String(count) : strings.unknown);
  const [end, count, isLost] = run ? endOf(run) : [labels.committed, undefined, false];
  const cells: Array<[label: string, count: string, isLost?: boolean]> = [
    [labels.recalled, shown(counts.recalled)],
    [labels.injected, shown(counts.injected)],
    [labels.written, shown(counts.written)],
    [end, count === undefined ? shown(counts.committed) : String(count), isLost],
  ];
  return (
    <ol class="trace-summary" aria-label={strings.trace.summary}>
      {cells.map(([label, value, isBad]) => (
        <li key={label} class={isBad ? "bad" : ""}>
          <b>{value}</b>
          <span>{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** The outcome of the written memories, by the server's count where it has one. */
function endOf(run: Run): [label: string, count: number, isLost: boolean] {
  const { counts: labels } = strings.trace;
  if (run.status === "open") return [labels.pending, run.write_count, false];
  if (run.status === "completed") return [labels.committed, run.write_count, false];
  return [labels.dropped, run.dropped_count, run.dropped_count > 0];
}

interface RunStepProps {
  step: Step;
  run: Run | undefined;
  texts: Map<string, string>;
}

function RunStep({ step, run, texts }: RunStepProps) {
  const { memories } = step;
  const state = step.phase === "staged" && run ? stagedState(run) : "there";
  return (
    <li class={`step ${step.phase}`}>
      <time dateTime={step.at} title={exact(step.at)}>
        {clockWithSeconds(step.at)}
      </time>
      <div class="step-text">
        <p>
          {strings.trace.stepText(step)}
          {step.queryHash && (
            <span class="quiet" title={strings.reads.hash}>
              {" "}
              <code>{step.queryHash.slice(0, 8)}</code>
            </span>
          )}
          {step.subject !== run?.started_by && (
            <span class="quiet">
              {" "}
              <bdi dir="ltr">{strings.trace.by(step.subject)}</bdi>
            </span>
          )}
        </p>
        {memories.length > 0 && (
          <ol class="ranked" aria-label={strings.trace.memoriesLabel(step.phase)}>
            {memories.slice(0, SHOWN).map(({ id, version }, place) => (
              <li key={id}>
                <Chip
                  workspace={step.workspace}
                  id={id}
                  version={version}
                  place={step.isRanked ? place + 1 : undefined}
                  text={texts.get(id)}
                  state={state}
                />
              </li>
            ))}
            {memories.length > SHOWN && <li class="quiet">{strings.access.more(memories.length - SHOWN)}</li>}
          </ol>
        )}
      </div>
    </li>
  );
}

/** Whether the staged memories of a run still exist. */
function stagedState({ status }: Run): "there" | "gone" {
  return status === "completed" ? "there" : "gone";
}

interface ChipProps {
  workspace: string;
  id: string;
  version: number;
  /** Rank among the returned memories. */
  place: number | undefined;
  /** The content, where it is known already: a lookup would be a read of its own. */
  text: string | undefined;
  state: "there" | "gone";
}

/** A memory by its first words or the end of its id; no link for a memory that nobody can read. */
function Chip({ workspace, id, version, place, text, state }: ChipProps) {
  const named = (
    <>
      {place !== undefined && <span class="quiet">{place}</span>}{" "}
      {text === undefined ? <code>{id.slice(-6)}</code> : <Content text={text.length > CHIP ? `${text.slice(0, CHIP)}…` : text} />}
    </>
  );
  if (state === "gone") {
    return (
      <span class="dropped-chip" title={id}>
        <del>{named}</del>
      </span>
    );
  }
  return (
    <Link to={`${workspacePath(workspace)}?m=${id}`} title={strings.reads.version(id, version)}>
      {named}
    </Link>
  );
}

/** The end of a run, or its countdown. */
function End({ run }: { run: Run }) {
  const isLost = run.dropped_count > 0;
  return (
    <li class={`step ended ${run.status === "open" ? "open" : ""} ${isLost ? "bad" : ""}`}>
      {run.finished_at ? (
        <time dateTime={run.finished_at} title={exact(run.finished_at)}>
          {clockWithSeconds(run.finished_at)}
        </time>
      ) : (
        <Countdown until={run.times_out_at} brief onOver={() => invalidateRuns(run.workspace_id)} />
      )}
      <div class="step-text">
        <p>
          <Status run={run} />
          {strings.trace.end(run.status, run.write_count, run.dropped_count)}
        </p>
      </div>
    </li>
  );
}

/** Links to related views. */
function RunLinks({ workspace, id, run }: RunTraceProps) {
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

/** The trace of a session: its runs, and the activity between them. */
function SessionTrace({ workspace, session }: { workspace: Workspace; session: string }) {
  const runs = useAll<Run>(endpoint.runs(workspace.id, { session_id: session, limit: 200 }));
  const hits = useAll<SessionHit>(endpoint.session(workspace.id, { session_id: session, limit: 200 }));
  const failure = runs.failure ?? hits.failure;
  if (failure) return <ErrorNotice failure={failure} />;
  if (!runs.rows || !hits.rows) return <Skeleton rows={4} height={32} />;
  const known = new Set(runs.rows.map((run) => run.run_id));
  const loose = hits.rows.filter((hit) => !(hit.run_id && known.has(hit.run_id)) && hit.method !== "commit_memory");
  const all: Array<{ at: string; run?: Run; hit?: SessionHit }> = [
    ...runs.rows.map((run) => ({ at: run.started_at, run })),
    ...loose.map((hit) => ({ at: hit.created_at, hit })),
  ];
  all.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const isWhole = !runs.hasMore && !hits.hasMore;
  const isBusy = runs.isLoading || hits.isLoading;
  return (
    <>
      <SessionSummary runs={runs.rows} loose={loose} isWhole={isWhole} />
      {all.length === 0 && isWhole && <Empty title={strings.trace.emptySession} />}
      {!isWhole && !isBusy && <p class="notice">{strings.trace.truncated(all.length)}</p>}
      <ol class="trace" aria-busy={isBusy} aria-label={strings.trace.steps}>
        {all.map(({ run, hit }) =>
          run ? (
            <RunOfSession key={run.run_id} workspace={workspace} run={run} isOpen={known.size <= UNFOLDED} />
          ) : (
            hit && <SessionHitItem key={hit.id} workspace={workspace} hit={hit} />
          ),
        )}
      </ol>
      <p class="explanation-links">
        <Link to={`${workspacePath(workspace.id)}?session_id=${encodeURIComponent(session)}`}>{strings.trace.memories}</Link>
      </p>
    </>
  );
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
    <li class={`step ${isMemory ? "written" : "noted"}`}>
      <time dateTime={hit.created_at} title={exact(hit.created_at)}>
        {clockWithSeconds(hit.created_at)}
      </time>
      <div class="step-text">
        <p>
          <span class="quiet">
            <bdi>{hit.label}</bdi>
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
