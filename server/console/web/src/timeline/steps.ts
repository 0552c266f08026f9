// Converts the audit log rows of a run into steps: in time order, with consecutive rows of one kind merged.

import type { AuditRow, AuditedMemory } from "../api/types.ts";

/** The phase of a run that a step belongs to. */
export type Phase = "started" | "recalled" | "injected" | "staged" | "written" | "other";

export interface Step {
  /** Sequence number of its first row. */
  seq: number;
  at: string;
  phase: Phase;
  /** The action of the audit log. */
  action: string;
  subject: string;
  /** Id of the workspace that the caller acted as. */
  workspace: string;
  memories: AuditedMemory[];
  /** Whether the memories are in rank order. */
  isRanked: boolean;
  queryHash: string | undefined;
}

/** Distinct memories per phase of a run. */
export interface StepCounts {
  recalled: number;
  injected: number;
  written: number;
  committed: number;
}

const PHASES: Record<string, Phase> = {
  start_run: "started",
  search_memories: "recalled",
  read_memory: "recalled",
  search_session: "recalled",
  read_history: "recalled",
  inject_memories: "injected",
  hold_memory: "staged",
  commit_memory: "written",
  edit_memory: "written",
  restore_memory: "written",
};

/** Reading a run is logged too, but is not part of the run; the run itself reports its end. */
const LOOKS = new Set(["read_run", "read_access_log", "watch_events", "finish_run", "explain_memory", "count_memories", "list_values", "touch_memories"]);

/** Actions that log one memory per row, so that consecutive rows form one step. */
const ONE_BY_ONE = new Set(["hold_memory", "commit_memory", "read_memory"]);

/** Sorts by time, because the log is ordered by sequence and records a read a moment after it happened. */
export function stepsOf(rows: AuditRow[]): Step[] {
  const steps: Step[] = [];
  for (const row of rows.toSorted((a, b) => micros(a.at) - micros(b.at) || a.seq - b.seq)) {
    if (LOOKS.has(row.action)) continue;
    const last = steps.at(-1);
    const goesOn = last?.action === row.action && last.subject === row.subject && ONE_BY_ONE.has(row.action);
    if (last && goesOn) last.memories.push(...row.memories);
    else steps.push(stepOf(row));
  }
  return steps.map(withoutStaged(steps)).filter((step) => step.phase !== "written" || step.memories.length > 0);
}

/** Drops commits of memories that were staged earlier in the run, which have a step already. */
function withoutStaged(steps: Step[]): (step: Step) => Step {
  const staged = new Set(steps.filter((step) => step.phase === "staged").flatMap((step) => step.memories.map(({ id }) => id)));
  return (step) =>
    step.action === "commit_memory" ? { ...step, memories: step.memories.filter(({ id }) => !staged.has(id)) } : step;
}

/** The instant in microseconds, the precision of the log. */
function micros(at: string): number {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? "";
  return Date.parse(at.replace(/\.\d+/, "")) * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

function stepOf(row: AuditRow): Step {
  const { query_hash: hash, entry_count: entries } = row.context;
  // the entries of the block come first; the memories left out follow
  const memories = row.action === "inject_memories" && typeof entries === "number" ? row.memories.slice(0, entries) : [...row.memories];
  return {
    seq: row.seq,
    at: row.at,
    phase: PHASES[row.action] ?? "other",
    action: row.action,
    subject: row.subject,
    workspace: row.workspace_id,
    memories,
    isRanked: row.action === "search_memories" || row.action === "inject_memories",
    queryHash: typeof hash === "string" ? hash : undefined,
  };
}

/** Counts each memory once per phase. */
export function countsOf(steps: Step[]): StepCounts {
  const of = (...phases: Phase[]) =>
    new Set(steps.filter((step) => phases.includes(step.phase)).flatMap((step) => step.memories.map(({ id }) => id))).size;
  return { recalled: of("recalled"), injected: of("injected"), written: of("staged", "written"), committed: of("written") };
}
