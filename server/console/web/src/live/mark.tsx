import { useEffect, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { words } from "../words.ts";
import { type LiveState, stream, whenLiveChanges } from "./stream.ts";

/** Watches what happens at `path`, and says how that goes. */
export function useLive(path: string | undefined): LiveState {
  const [, redraw] = useState(0);
  useEffect(() => whenLiveChanges(() => redraw((count) => count + 1)), []);
  useEffect(() => stream.watch(path), [path]);
  return stream.state;
}

/** Whether what is shown is shown as it happens. It watches all that the caller may see, or as much as a stream tells. */
export function LiveMark({ me, selected }: { me: Me; selected: string | undefined }) {
  const workspace = useResource<Workspace>(selected && at.workspace(selected)).data;
  const top = me.workspace_id ?? workspace?.org_id;
  const path = top === undefined ? undefined : at.events(top, me.role === "agent" ? {} : { subtree: "true" });
  return <Mark state={useLive(path)} />;
}

/** How the stream goes, in a word. */
export function Mark({ state }: { state: LiveState }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (state !== "waiting") return;
    const timer = setInterval(() => redraw((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [state]);
  if (state === "off") return null;
  return (
    <span class={`live ${state}`} title={words.live.title[state]}>
      <span class="live-word">{wordOf(state)}</span>
    </span>
  );
}

function wordOf(state: "connecting" | "on" | "waiting" | "paused"): string {
  if (state !== "waiting") return words.live[state];
  return words.live.waiting(Math.max(1, Math.ceil((stream.againAt - Date.now()) / 1_000)));
}
