// The rows of the access log of a run, as the steps that one reads: in the order in which they were done, those of one kind
// that follow each other as one.

import type { AccessRow, AccessedMemory } from "../api/types.ts";

/** What part of a run a step is. */
export type Phase = "began" | "recalled" | "injected" | "held" | "written" | "other";

export interface Step {
  /** The number of its first row. */
  seq: number;
  at: string;
  phase: Phase;
  /** What the log calls it. */
  action: string;
  subject: string;
  /** As which workspace. */
  workspace: string;
  memories: AccessedMemory[];
  /** Whether the memories stand in the order in which the asker got them. */
  isRanked: boolean;
  queryHash: string | undefined;
}

/** How many memories each part of a run is about. */
export interface Sums {
  recalled: number;
  injected: number;
  written: number;
  committed: number;
}

const PHASES: Record<string, Phase> = {
  start_run: "began",
  search_memories: "recalled",
  read_memory: "recalled",
  search_session: "recalled",
  read_history: "recalled",
  inject_memories: "injected",
  hold_memory: "held",
  commit_memory: "written",
  edit_memory: "written",
  restore_memory: "written",
};

/** Looking at a run is told too, and is nothing that the run did; its end is told by the run itself. */
const LOOKS = new Set(["read_run", "read_access_log", "watch_events", "finish_run", "explain_memory", "count_memories"]);

/** Those that say one thing of one memory each, and so are one step together. */
const ONE_BY_ONE = new Set(["hold_memory", "commit_memory", "read_memory"]);

/** The steps of rows that the log tells in the order in which they were written: those of reads a moment after the read. */
export function stepsOf(rows: AccessRow[]): Step[] {
  const steps: Step[] = [];
  for (const row of rows.toSorted((a, b) => micros(a.at) - micros(b.at) || a.seq - b.seq)) {
    if (LOOKS.has(row.action)) continue;
    const last = steps.at(-1);
    const goesOn = last?.action === row.action && last.subject === row.subject && ONE_BY_ONE.has(row.action);
    if (last && goesOn) last.memories.push(...row.memories);
    else steps.push(stepOf(row));
  }
  return steps.map(withoutHeld(steps)).filter((step) => step.phase !== "written" || step.memories.length > 0);
}

/** What a run commits at its end it has held back before, and was told of then. */
function withoutHeld(steps: Step[]): (step: Step) => Step {
  const held = new Set(steps.filter((step) => step.phase === "held").flatMap((step) => step.memories.map(({ id }) => id)));
  return (step) =>
    step.action === "commit_memory" ? { ...step, memories: step.memories.filter(({ id }) => !held.has(id)) } : step;
}

/** An instant in microseconds, which is how exactly the log tells it. */
function micros(at: string): number {
  const fraction = /\.(\d+)/.exec(at)?.[1] ?? "";
  return Date.parse(at.replace(/\.\d+/, "")) * 1_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

function stepOf(row: AccessRow): Step {
  const { query_hash: hash, entry_count: entries } = row.context;
  // behind what went into a prompt stands what was shown as left out of it
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

/** Each memory once in each part: what was read twice is one memory. */
export function sumsOf(steps: Step[]): Sums {
  const of = (...phases: Phase[]) =>
    new Set(steps.filter((step) => phases.includes(step.phase)).flatMap((step) => step.memories.map(({ id }) => id))).size;
  return { recalled: of("recalled"), injected: of("injected"), written: of("held", "written"), committed: of("written") };
}
