import { endpoint } from "../api/calls.ts";
import { invalidate } from "../api/resource.ts";
import type { Run } from "../api/types.ts";
import { strings } from "../strings.ts";

/** The status of a run; only problems have a colour. */
export function Status({ run: { status } }: { run: Run }) {
  const kind = { open: "now", completed: "", failed: "bad", cancelled: "", timed_out: "late" }[status];
  return <span class={`status ${kind}`}>{strings.runs.statuses[status]}</span>;
}

/** Reloads the runs of a workspace. */
export function invalidateRuns(workspace: string): void {
  invalidate((path) => path.startsWith(endpoint.runs(workspace)));
}
