import { useEffect, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { strings } from "../strings.ts";
import { type LiveState, stream, onLiveChange } from "./stream.ts";

/** Parameters of a stream without memories, which records no read. */
export const UNREAD = { memories: "false" };

/** Subscribes to the events at `path` and returns the state of the connection. */
export function useLive(path: string | undefined): LiveState {
  const [, redraw] = useState(0);
  useEffect(() => onLiveChange(() => redraw((count) => count + 1)), []);
  useEffect(() => stream.watch(path), [path]);
  return stream.state;
}

/** The connection state of the stream that covers everything the caller may see, as far as one stream can. */
export function LiveStatus({ me, selected }: { me: Me; selected: string | undefined }) {
  const workspace = useResource<Workspace>(selected && endpoint.workspace(selected)).data;
  const top = me.workspace_id ?? workspace?.org_id;
  const path = top === undefined ? undefined : endpoint.events(top, me.role === "agent" ? UNREAD : { ...UNREAD, subtree: "true" });
  return <LiveIndicator state={useLive(path)} />;
}

/** The connection state in a word. */
export function LiveIndicator({ state }: { state: LiveState }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (state !== "waiting") return;
    const timer = setInterval(() => redraw((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [state]);
  if (state === "off") return null;
  return (
    <span class={`live ${state}`} title={strings.live.title[state]}>
      <span class="live-word">{labelOf(state)}</span>
    </span>
  );
}

function labelOf(state: Exclude<LiveState, "off">): string {
  if (state !== "waiting") return strings.live[state];
  return strings.live.waiting(Math.max(1, Math.ceil((stream.retryAt - Date.now()) / 1_000)));
}
