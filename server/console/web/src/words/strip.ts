// A run or a session, pulled out of the timeline.

import type { RunStatus } from "../api/types.ts";
import type { Phase, Step } from "../timeline/steps.ts";
import { access } from "./access.ts";
import { plural } from "./plural.ts";

const memories = (count: number) => plural(count, "memory", "memories");

export const strip = {
  strip: {
    title: "Pulled out of the timeline",
    pullRun: (id: string) => `run ${id.slice(-6)}`,
    pullSession: (session: string) => `session ${session}`,
    pull: "Pull it out of the timeline",
    run: (label: string | null | undefined, id: string) => label ?? `Run ${id.slice(-6)}`,
    session: (session: string) => `Session ${session}`,
    unknown: "No run of this workspace has this id: it was never begun here, or its row is kept no longer. This is what the log tells.",
    atAGlance: "At a glance",
    inOrder: "From its beginning",
    flow: {
      recalled: "recalled",
      injected: "into prompts",
      written: "written",
      pending: "pending",
      committed: "committed",
      dropped: "dropped",
      runs: (count: number) => (count === 1 ? "run" : "runs"),
    },
    did: ({ action, phase, subject, queryHash, memories: { length } }: Step): string => {
      switch (action) {
        case "start_run":
          return `Begun by ${subject}`;
        case "search_memories":
          return `${queryHash === undefined ? "Listed" : "Searched"}: ${memories(length)} came back`;
        case "search_session":
          return `Asked what happened: ${memories(length)} came back`;
        case "read_memory":
          return `Read ${memories(length)}`;
        case "inject_memories":
          return `${memories(length)} put into a prompt`;
        case "hold_memory":
          return `${memories(length)} written, held back until its end`;
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
    memoriesOf: (phase: Phase) => (phase === "recalled" ? "What came back" : "Which"),
    end: (status: RunStatus, written: number, dropped: number): string => {
      if (status === "open") return written === 0 ? ": nothing is pending" : `: ${memories(written)} pending, for nobody to read yet`;
      if (status === "completed") return `: ${memories(written)} committed${dropped === 0 ? "" : `, ${dropped} had expired`}`;
      return dropped === 0 ? ": nothing had been written" : `: ${memories(dropped)} dropped, which nobody ever read`;
    },
    nothing: "The log tells nothing of it",
    nothingOfSession: "Nothing is known of this session here",
    beyond: (count: number) => `Only the last ${count} of it are told here; the access log has all.`,
    asRun: "Among the runs",
    itsMemories: "Its memories",
  },
} as const;
