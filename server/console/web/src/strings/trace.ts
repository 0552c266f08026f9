// The trace of a run or a session.

import type { RunStatus } from "../api/types.ts";
import type { Phase, Step } from "../timeline/steps.ts";
import { access } from "./access.ts";
import { plural } from "./plural.ts";

const memories = (count: number) => plural(count, "memory", "memories");

export const trace = {
  trace: {
    title: "Trace",
    runLink: (id: string) => `run ${id.slice(-6)}`,
    sessionLink: (session: string) => `session ${session}`,
    show: "Show the trace",
    run: (label: string | null | undefined, id: string) => label ?? `Run ${id.slice(-6)}`,
    session: (session: string) => `Session ${session}`,
    unknown: "No run of this workspace has this id: it was never started here, or its row was deleted. These are the entries of the audit log.",
    summary: "Summary",
    steps: "Steps",
    counts: {
      recalled: "recalled",
      injected: "injected",
      written: "written",
      pending: "pending",
      committed: "committed",
      dropped: "dropped",
      runs: (count: number) => (count === 1 ? "run" : "runs"),
    },
    stepText: ({ action, phase, queryHash, memories: { length } }: Step, subject: string): string => {
      switch (action) {
        case "start_run":
          return `Started by ${subject}`;
        case "search_memories":
          return `${queryHash === undefined ? "Listed" : "Searched"}: ${memories(length)} returned`;
        case "search_session":
          return `Session search: ${memories(length)} returned`;
        case "read_memory":
          return `Read ${memories(length)}`;
        case "inject_memories":
          return `${memories(length)} injected into a prompt`;
        case "hold_memory":
          return `${memories(length)} written, staged until the run ends`;
        case "commit_memory":
          return `${memories(length)} committed`;
        default: {
          const did = access.access.did(action);
          const what = phase === "other" || length === 0 ? "" : `: ${memories(length)}`;
          return `${did.charAt(0).toUpperCase()}${did.slice(1)}${what}`;
        }
      }
    },
    by: (subject: string) => `by ${subject}`,
    memoriesLabel: (phase: Phase) => (phase === "recalled" ? "Memories returned" : "Memories"),
    end: (status: RunStatus, written: number, dropped: number): string => {
      if (status === "open") return written === 0 ? ": nothing pending" : `: ${memories(written)} pending, not readable yet`;
      if (status === "completed") return `: ${memories(written)} committed${dropped === 0 ? "" : `, ${dropped} had expired`}`;
      return dropped === 0 ? ": nothing was written" : `: ${memories(dropped)} dropped, never readable`;
    },
    empty: "The audit log has no entries for it",
    emptySession: "No entries for this session",
    truncated: (count: number) => `Only the last ${count} entries are shown here; the audit log has all of them.`,
    openRun: "Open the run",
    memories: "Its memories",
  },
} as const;
