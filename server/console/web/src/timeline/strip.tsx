// A run or a session, pulled out of the timeline and told from its beginning to its end: what was recalled, what went into a
// prompt, what was written, and what became of it. A run is told by the access log, which has its reads too; the log keeps
// hashes of queries, never queries.

import { useEffect, useRef } from "preact/hooks";
import { type Parameters, at } from "../api/calls.ts";
import { type Pages, usePages } from "../api/pages.ts";
import { changed, refresh, useResource } from "../api/resource.ts";
import type { AccessRow, Memory, PendingMemory, Run, RunDetail, SessionHit, Workspace } from "../api/types.ts";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { Cross } from "../parts/icons.tsx";
import { Empty, Refused, Waiting } from "../parts/states.tsx";
import { Content, Id } from "../parts/text.tsx";
import { clockWithSeconds, exact } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { Countdown } from "../runs/countdown.tsx";
import { Status, runsChanged } from "../runs/status.tsx";
import { words } from "../words.ts";
import { type Step, type Sums, stepsOf, sumsOf } from "./steps.ts";

/** Of what a run or a session has, so much is fetched: what is beyond is in the log itself. */
const MOST = 2_000;
/** How many memories a step shows. */
const SHOWN = 12;
/** How much of a memory a chip says. */
const CHIP = 64;
/** Runs of a session that are told at once; of more, each is when it is unfolded. */
const UNFOLDED = 3;

interface StripProps {
  workspace: Workspace;
  /** The run, or else the session. */
  run: string | undefined;
  session: string | undefined;
  onClose: () => void;
}

/** Beside the timeline, so that this stays where it is. */
export function Strip({ workspace, run, session, onClose }: StripProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  const detail = useResource<RunDetail>(run && at.run(workspace.id, run, { limit: 200 }));
  const title = run === undefined ? words.strip.session(session ?? "") : words.strip.run(detail.data?.label, run);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={words.strip.title}>
      <header>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <IconButton label={words.close} onClick={onClose}>
          <Cross />
        </IconButton>
      </header>
      <div class="drawer-body">
        {run !== undefined && detail.isLoading && !detail.data && <Waiting rows={4} height={32} />}
        {run !== undefined && (detail.data || detail.failure) && (
          <>
            {detail.failure?.isPassing && <Refused failure={detail.failure} />}
            {detail.failure?.status === 404 && <p class="notice">{words.strip.unknown}</p>}
            <RunStrip workspace={workspace} id={run} run={detail.data} pending={detail.data?.pending} withSums />
            <RunLinks workspace={workspace} id={run} run={detail.data} />
          </>
        )}
        {run === undefined && session !== undefined && <SessionStrip workspace={workspace} session={session} />}
      </div>
    </aside>
  );
}

/** All of a list, as far as it is not beyond all measure. */
function useAll<T>(path: string | undefined): Pages<T> {
  const pages = usePages<T>(path);
  const wants = pages.hasMore && !pages.isLoading && !pages.failure && (pages.rows?.length ?? 0) < MOST;
  useEffect(() => {
    if (wants) pages.more();
  }, [wants, pages.rows]);
  return pages;
}

interface RunStripProps {
  workspace: Workspace;
  id: string;
  /** Absent where the workspace has no such run, or no longer. */
  run: Run | undefined;
  /** What it holds back, where that is known. */
  pending?: PendingMemory[] | undefined;
  withSums?: boolean;
}

/** A run by the access log, in the order in which things were done. */
function RunStrip({ workspace, id, run, pending = [], withSums = false }: RunStripProps) {
  const since: Parameters = run ? { since: run.started_at } : {};
  const path = at.access(workspace.id, { run_id: id, limit: 500, ...since });
  const log = useAll<AccessRow>(path);
  const written = useAll<Memory>(at.memories(workspace.id, { run_id: id, limit: 50 }));
  const isTold = useRef(false);
  // what tells that a run has gone on or is over tells nothing of the log
  useEffect(() => {
    if (isTold.current) refresh(path);
    isTold.current = true;
  }, [run?.status, run?.write_count]);
  if (log.failure) return <Refused failure={log.failure} />;
  if (!log.rows) return <Waiting rows={4} height={32} />;
  const isWhole = !log.hasMore;
  const steps = stepsOf(log.rows);
  const texts = new Map([...pending, ...(written.rows ?? [])].map((memory) => [memory.id, memory.content]));
  return (
    <>
      {withSums && <Flow sums={sumsOf(steps)} run={run} isWhole={isWhole} />}
      {steps.length === 0 && isWhole && <Empty title={words.strip.nothing} />}
      {log.hasMore && !log.isLoading && <p class="notice">{words.strip.beyond(log.rows.length)}</p>}
      <ol class="strip" aria-busy={log.isLoading} aria-label={words.strip.inOrder}>
        {steps.map((step) => (
          <RunStep key={step.seq} step={step} run={run} texts={texts} />
        ))}
        {run && <End run={run} />}
      </ol>
    </>
  );
}

/** The whole of it at a glance: four numbers, in the order in which they come about. */
function Flow({ sums, run, isWhole }: { sums: Sums; run: Run | undefined; isWhole: boolean }) {
  const { flow } = words.strip;
  const said = (count: number) => (isWhole ? String(count) : words.unknown);
  const [end, count, isLost] = run ? endOf(run) : [flow.committed, undefined, false];
  const cells: Array<[label: string, count: string, isLost?: boolean]> = [
    [flow.recalled, said(sums.recalled)],
    [flow.injected, said(sums.injected)],
    [flow.written, said(sums.written)],
    [end, count === undefined ? said(sums.committed) : String(count), isLost],
  ];
  return (
    <ol class="flow" aria-label={words.strip.atAGlance}>
      {cells.map(([label, value, isBad]) => (
        <li key={label} class={isBad ? "bad" : ""}>
          <b>{value}</b>
          <span>{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** What became of what was written: the server's own count, where it keeps one. */
function endOf(run: Run): [label: string, count: number, isLost: boolean] {
  const { flow } = words.strip;
  if (run.status === "open") return [flow.pending, run.write_count, false];
  if (run.status === "completed") return [flow.committed, run.write_count, false];
  return [flow.dropped, run.dropped_count, run.dropped_count > 0];
}

interface RunStepProps {
  step: Step;
  run: Run | undefined;
  texts: Map<string, string>;
}

function RunStep({ step, run, texts }: RunStepProps) {
  const { memories } = step;
  const state = step.phase === "held" && run ? heldIn(run) : "there";
  return (
    <li class={`deed ${step.phase}`}>
      <time dateTime={step.at} title={exact(step.at)}>
        {clockWithSeconds(step.at)}
      </time>
      <div class="deed-what">
        <p>
          {words.strip.did(step)}
          {step.queryHash && (
            <span class="quiet" title={words.reads.hash}>
              {" "}
              <code>{step.queryHash.slice(0, 8)}</code>
            </span>
          )}
          {step.subject !== run?.started_by && (
            <span class="quiet">
              {" "}
              <bdi>{words.strip.by(step.subject)}</bdi>
            </span>
          )}
        </p>
        {memories.length > 0 && (
          <ol class="ranked" aria-label={words.strip.memoriesOf(step.phase)}>
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
            {memories.length > SHOWN && <li class="quiet">{words.access.more(memories.length - SHOWN)}</li>}
          </ol>
        )}
      </div>
    </li>
  );
}

/** What became of what a run held back. */
function heldIn({ status }: Run): "there" | "gone" {
  return status === "completed" ? "there" : "gone";
}

interface ChipProps {
  workspace: string;
  id: string;
  version: number;
  /** Its place among what came back. */
  place: number | undefined;
  /** What it says, where that is known already: looking it up would be a read of its own. */
  text: string | undefined;
  state: "there" | "gone";
}

/** A memory, by its first words or the end of its id; what nobody reads, yet or ever, leads nowhere. */
function Chip({ workspace, id, version, place, text, state }: ChipProps) {
  const named = (
    <>
      {place !== undefined && <span class="quiet">{place}</span>}{" "}
      {text === undefined ? <code>{id.slice(-6)}</code> : <Content text={text.length > CHIP ? `${text.slice(0, CHIP)}…` : text} />}
    </>
  );
  if (state === "gone") {
    return (
      <span class="chip-of" title={id}>
        <del>{named}</del>
      </span>
    );
  }
  return (
    <Link to={`${workspacePath(workspace)}?m=${id}`} title={words.reads.version(id, version)}>
      {named}
    </Link>
  );
}

/** How it ended, or that it has not. */
function End({ run }: { run: Run }) {
  const isLost = run.dropped_count > 0;
  return (
    <li class={`deed ended ${run.status === "open" ? "open" : ""} ${isLost ? "bad" : ""}`}>
      {run.finished_at ? (
        <time dateTime={run.finished_at} title={exact(run.finished_at)}>
          {clockWithSeconds(run.finished_at)}
        </time>
      ) : (
        <Countdown until={run.times_out_at} brief onOver={() => runsChanged(run.workspace_id)} />
      )}
      <div class="deed-what">
        <p>
          <Status run={run} />
          {words.strip.end(run.status, run.write_count, run.dropped_count)}
        </p>
      </div>
    </li>
  );
}

/** Where there is more of it. */
function RunLinks({ workspace, id, run }: RunStripProps) {
  return (
    <p class="answered-links">
      {run && <Link to={`${workspacePath(workspace.id, "runs")}?run=${id}`}>{words.strip.asRun}</Link>}
      {run?.session_id && (
        <Link to={pathWith({ run: undefined, session: run.session_id })}>
          <bdi>{words.strip.session(run.session_id)}</bdi>
        </Link>
      )}
      <Link to={`${workspacePath(workspace.id, "access")}?run_id=${id}`}>{words.runs.log}</Link>
      <Id id={id} />
      {run?.status === "open" && (
        <Button kind="quiet" onClick={() => changed((path) => path.includes(id))}>
          {words.again}
        </Button>
      )}
    </p>
  );
}

/** A session: its runs, each told in itself, and what was done between them. */
function SessionStrip({ workspace, session }: { workspace: Workspace; session: string }) {
  const runs = useAll<Run>(at.runs(workspace.id, { session_id: session, limit: 200 }));
  const hits = useAll<SessionHit>(at.session(workspace.id, { session_id: session, limit: 200 }));
  const failure = runs.failure ?? hits.failure;
  if (failure) return <Refused failure={failure} />;
  if (!runs.rows || !hits.rows) return <Waiting rows={4} height={32} />;
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
      <SessionFlow runs={runs.rows} loose={loose} isWhole={isWhole} />
      {all.length === 0 && isWhole && <Empty title={words.strip.nothingOfSession} />}
      {!isWhole && !isBusy && <p class="notice">{words.strip.beyond(all.length)}</p>}
      <ol class="strip" aria-busy={isBusy} aria-label={words.strip.inOrder}>
        {all.map(({ run, hit }) =>
          run ? (
            <RunOfSession key={run.run_id} workspace={workspace} run={run} isOpen={known.size <= UNFOLDED} />
          ) : (
            hit && <Loose key={hit.id} workspace={workspace} hit={hit} />
          ),
        )}
      </ol>
      <p class="answered-links">
        <Link to={`${workspacePath(workspace.id)}?session_id=${encodeURIComponent(session)}`}>{words.strip.itsMemories}</Link>
      </p>
    </>
  );
}

function SessionFlow({ runs, loose, isWhole }: { runs: Run[]; loose: SessionHit[]; isWhole: boolean }) {
  const { flow } = words.strip;
  const outside = loose.filter((hit) => hit.kind === "memory").length;
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const pending = sum((run) => (run.status === "open" ? run.write_count : 0));
  const dropped = sum((run) => run.dropped_count);
  const committed = outside + sum((run) => (run.status === "open" ? 0 : run.write_count));
  const cells: Array<[label: string, count: number, isLost?: boolean]> = [
    [flow.runs(runs.length), runs.length],
    [flow.pending, pending],
    [flow.committed, committed],
    [flow.dropped, dropped, dropped > 0],
  ];
  return (
    <ol class="flow tally" aria-label={words.strip.atAGlance}>
      {cells.map(([label, count, isLost]) => (
        <li key={label} class={isLost ? "bad" : ""}>
          <b>{isWhole ? count : words.unknown}</b>
          <span>{label}</span>
        </li>
      ))}
    </ol>
  );
}

/** A run within its session; told once it is unfolded. */
function RunOfSession({ workspace, run, isOpen }: { workspace: Workspace; run: Run; isOpen: boolean }) {
  return (
    <li class="deed of-run">
      <time dateTime={run.started_at} title={exact(run.started_at)}>
        {clockWithSeconds(run.started_at)}
      </time>
      <div class="deed-what">
        <p>
          <Link to={pathWith({ run: run.run_id, session: undefined })}>
            <bdi>{words.strip.run(run.label, run.run_id)}</bdi>
          </Link>{" "}
          <Status run={run} />{" "}
          <span class="quiet">{words.runs.counts(run.status, run.write_count, run.dropped_count)}</span>
        </p>
        {isOpen && <RunStrip workspace={workspace} id={run.run_id} run={run} />}
      </div>
    </li>
  );
}

/** What a session has besides its runs. */
function Loose({ workspace, hit }: { workspace: Workspace; hit: SessionHit }) {
  const isMemory = hit.kind === "memory";
  return (
    <li class={`deed ${isMemory ? "written" : "noted"}`}>
      <time dateTime={hit.created_at} title={exact(hit.created_at)}>
        {clockWithSeconds(hit.created_at)}
      </time>
      <div class="deed-what">
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
