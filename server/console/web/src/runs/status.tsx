import { at } from "../api/calls.ts";
import { changed } from "../api/resource.ts";
import type { Run } from "../api/types.ts";
import { words } from "../words.ts";

/** What became of a run; only what went wrong has a colour. */
export function Status({ run: { status } }: { run: Run }) {
  const kind = { open: "now", completed: "", failed: "bad", cancelled: "", timed_out: "late" }[status];
  return <span class={`status ${kind}`}>{words.runs.statuses[status]}</span>;
}

/** What is shown of the runs of a workspace is asked for again. */
export function runsChanged(workspace: string): void {
  changed((path) => path.startsWith(at.runs(workspace)));
}
