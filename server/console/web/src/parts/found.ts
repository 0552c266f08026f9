import { useEffect, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Workspace } from "../api/types.ts";
import { useTyped } from "./typed.ts";

/** Workspaces by a part of their name, as one types it. */
export interface Found {
  workspaces: Workspace[];
  isLoading: boolean;
  /** Takes what is chosen as soon as all that was typed is answered: who presses Enter at once means what will be found. */
  enter: () => void;
}

/**
 * @param text what is typed
 * @param take takes what is chosen
 * @param root the org to look in, where only one is meant
 */
export function useFound(text: string, take: (found: Workspace[]) => void, root?: string): Found {
  const wanted = text.trim();
  const typed = useTyped(wanted);
  const found = useResource<Workspace[]>(typed === "" ? undefined : at.workspaces({ q: typed, root, limit: 20 }));
  const isSettled = typed === wanted && !found.isLoading;
  const [entered, enterFor] = useState<string>();
  const workspaces = found.data ?? [];
  useEffect(() => {
    if (entered === undefined || !isSettled) return;
    enterFor(undefined);
    if (entered === wanted) take(workspaces);
  }, [entered, isSettled, wanted]);
  return { workspaces, isLoading: !isSettled, enter: () => enterFor(wanted) };
}
