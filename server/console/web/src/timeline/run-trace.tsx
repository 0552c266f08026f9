// The steps of a run: what it recalled, injected and wrote, and its outcome.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { useAll, useWindow } from "../api/pages.ts";
import { refresh } from "../api/resource.ts";
import type { AuditRow, Memory, PendingMemory, Run, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Content } from "../parts/text.tsx";
import { clockWithSeconds, exact } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { Countdown } from "../runs/countdown.tsx";
import { Status, invalidateRuns } from "../runs/status.tsx";
import { strings } from "../strings.ts";
import { type Step, type StepCounts, countsOf, stepsOf } from "./steps.ts";

/** The maximum number of rows that a trace loads; the audit log has the rest. */
export const MOST = 2_000;
/** How many steps a trace renders at once. */
export const WINDOW = 200;
/** How many memories a step shows. */
const SHOWN = 12;
/** Characters of a memory per chip. */
const CHIP = 64;

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
export function RunTrace({ workspace, id, run, pending = [], withSummary = false }: RunTraceProps) {
  const since: Parameters = run ? { since: run.started_at } : {};
  const path = endpoint.access(workspace.id, { run_id: id, limit: 500, ...since });
  const log = useAll<AuditRow>(path, MOST);
  const written = useAll<Memory>(endpoint.memories(workspace.id, { run_id: id, limit: 50 }), MOST);
  const hasFieldError = useRef(false);
  // an event about the run does not reload the audit log by itself
  useEffect(() => {
    if (hasFieldError.current) refresh(path);
    hasFieldError.current = true;
  }, [run?.status, run?.write_count]);
  const steps = useMemo(() => stepsOf(log.all ?? []), [log.all]);
  const view = useWindow(steps, id, { size: WINDOW });
  if (log.failure) return <ErrorNotice failure={log.failure} />;
  if (!log.all) return <Skeleton rows={4} height={32} />;
  const isWhole = !log.hasMore;
  const texts = new Map([...pending, ...(written.all ?? [])].map((memory) => [memory.id, memory.content]));
  return (
    <>
      {withSummary && <Summary counts={countsOf(steps)} run={run} isWhole={isWhole} />}
      {steps.length === 0 && isWhole && <Empty title={strings.trace.empty} />}
      {log.hasMore && !log.isLoading && <p class="notice">{strings.trace.truncated(log.all.length)}</p>}
      <Earlier pages={view} />
      <ol class="trace" aria-busy={log.isLoading} aria-label={strings.trace.steps}>
        {view.rows?.map((step) => (
          <RunStep key={step.seq} step={step} run={run} texts={texts} />
        ))}
        {run && !view.hasMore && <End run={run} />}
      </ol>
      <More pages={view} />
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
          <bdi dir="ltr">{strings.trace.stepText(step, step.subject)}</bdi>
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
