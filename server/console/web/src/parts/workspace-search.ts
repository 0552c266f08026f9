import { useEffect, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Workspace } from "../api/types.ts";
import { useDebounced } from "./debounce.ts";

/** Workspaces that match a part of their name. */
export interface WorkspaceSearch {
  workspaces: Workspace[];
  isLoading: boolean;
  /**
   * Takes the selected result once the response for the current input has arrived, so that an early Enter is not lost.
   * Further input revokes it.
   */
  enter: () => void;
  /** Whether `enter` waits for the response. */
  isEntered: boolean;
}

/**
 * @param text the input
 * @param take receives the results
 * @param root id of the org to search; all orgs without it
 */
export function useWorkspaceSearch(text: string, take: (results: Workspace[]) => void, root?: string): WorkspaceSearch {
  const wanted = text.trim();
  const typed = useDebounced(wanted);
  const results = useResource<Workspace[]>(typed === "" ? undefined : endpoint.workspaces({ q: typed, root, limit: 20 }));
  const isSettled = typed === wanted && !results.isLoading;
  const [entered, enterFor] = useState<string>();
  const workspaces = results.data ?? [];
  useEffect(() => {
    if (entered === undefined) return;
    const isSame = entered === text;
    if (isSame && !isSettled) return;
    enterFor(undefined);
    if (isSame) take(workspaces);
  }, [entered, isSettled, text]);
  return { workspaces, isLoading: !isSettled, enter: () => enterFor(text), isEntered: entered !== undefined && !isSettled };
}
