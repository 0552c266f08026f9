// Loads the tree: whole where it is small, by level where it is large.

import { endpoint } from "../api/calls.ts";
import { type Failure, api, asFailure, isAbort } from "../api/http.ts";
import { invalidate } from "../api/resource.ts";
import type { AdminTree, Me, TreeNode, Workspace } from "../api/types.ts";
import { type Items, mergeSubtree, itemOf } from "./model.ts";

/** Trees up to this many workspaces load in one request. */
const MAX_WHOLE_TREE = 5_000;
const STORAGE_KEY = "orgmem.console.open";

export class TreeStore {
  items: Items = new Map();
  roots: string[] = [];
  readonly open = new Set<string>(restoreOpen());
  failure: Failure | undefined;
  isLoaded = false;
  /** Increases with every change, for memoisation. */
  version = 0;
  /** Increases when the selected workspace is shown in another place. */
  moves = 0;
  /** The selected workspace. */
  private revealed: string | undefined;
  private readonly me: Me;
  private readonly listeners = new Set<() => void>();
  private request = new AbortController();

  constructor(me: Me) {
    this.me = me;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Reloads the tree. The old rows stay; each branch reloads when it is in view. */
  async load(): Promise<void> {
    this.request.abort();
    this.request = new AbortController();
    this.loading.clear();
    const { signal } = this.request;
    try {
      this.roots = await this.loadRoots(this.items, signal);
      this.failure = undefined;
      if (this.open.size === 0 && this.roots[0] !== undefined) this.open.add(this.roots[0]);
      for (const [id, item] of this.items) if (item.children) this.outdated.add(id);
      this.isLoaded = true;
      this.notify();
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.notify();
      return;
    }
    if (this.revealed !== undefined) await this.follow(this.revealed);
  }

  /** Loads the children of these workspaces and of those above them, where they are missing or outdated. */
  need(ids: Iterable<string>): void {
    const all = new Set(ids);
    // grows while it is walked, up to the roots
    for (const id of all) {
      const above = this.items.get(id)?.parent;
      if (above !== undefined) all.add(above);
      if (!this.items.get(id)?.children || this.outdated.has(id)) void this.loadChildren(id);
    }
  }

  /** Reloads the numbers of these workspaces when they are in view. */
  outdateCounts(ids: Iterable<string>): void {
    for (const id of ids) {
      const item = this.items.get(id);
      if (item) this.outdated.add(item.parent ?? id);
    }
    this.notify();
  }

  toggle(id: string, isOpen: boolean): void {
    if (isOpen) this.open.add(id);
    else this.open.delete(id);
    storeOpen(this.open);
    this.notify();
  }

  openAll(ids: string[]): void {
    for (const id of ids) this.open.add(id);
    storeOpen(this.open);
    this.notify();
  }

  /** Expands the ancestors of the selected workspace, so that its row exists; if it moves later, also there. */
  async reveal(id: string | undefined): Promise<void> {
    this.revealed = id;
    if (id === undefined || (this.items.has(id) && this.isVisible(id))) return;
    const path = await this.pathOf(id);
    if (path) await this.expand(path);
  }

  /** Expands the ancestors of a workspace that a change of the tree moved. */
  private async follow(id: string): Promise<void> {
    const before = this.loadedPathOf(id).join();
    const path = await this.pathOf(id);
    if (!path || path.join() === before || this.revealed !== id) return;
    await this.expand(path);
    this.moves += 1;
    this.notify();
  }

  private async expand(path: string[]): Promise<void> {
    try {
      for (const id of path) {
        this.open.add(id);
        await this.loadChildren(id);
      }
      this.notify();
    } catch (error) {
      if (!isAbort(error)) asFailure(error);
    }
  }

  /** The ids of the ancestors of a workspace from the root of this tree on, from the server. */
  private async pathOf(id: string): Promise<string[] | undefined> {
    try {
      const { data } = await api<Workspace>(endpoint.workspace(id), { signal: this.request.signal });
      const path = data.path.map((step) => step.id);
      return path.slice(Math.max(0, path.findIndex((step) => this.roots.includes(step))));
    } catch (error) {
      // the workspace's own screen reports that it is missing
      if (!isAbort(error)) asFailure(error);
      return undefined;
    }
  }

  /** The same, as far as it is loaded. */
  private loadedPathOf(id: string): string[] {
    const path: string[] = [];
    for (let above = this.items.get(id)?.parent; above !== undefined; above = this.items.get(above)?.parent) path.unshift(above);
    return path;
  }

  private isVisible(id: string): boolean {
    let above = this.items.get(id)?.parent;
    while (above !== undefined && this.items.has(above)) {
      if (!this.open.has(above)) return false;
      above = this.items.get(above)?.parent;
    }
    return true;
  }

  private async loadRoots(items: Items, signal: AbortSignal): Promise<string[]> {
    const { me } = this;
    if (me.role === "admin") {
      const { orgs } = (await api<AdminTree>(endpoint.orgs, { signal })).data;
      for (const { org_id, name, workspaces } of orgs) {
        // the counts cover the org, not its root; the root's own are known with its tree
        const unknown = { role: undefined, parent: undefined, memories: undefined, lastWrite: undefined, children: undefined };
        const known = items.get(org_id);
        items.set(org_id, { ...unknown, childCount: workspaces > 1 ? 1 : 0, ...known, id: org_id, name });
        this.sizes.set(org_id, workspaces);
      }
      return orgs.map((org) => org.org_id);
    }
    if (me.workspace_id === undefined || me.workspace_id === null) return [];
    const { data } = await api<Workspace>(endpoint.workspace(me.workspace_id), { signal });
    const item = itemOf(data);
    // an agent sees only its own workspace
    const { children } = items.get(data.id) ?? {};
    items.set(data.id, { ...item, children, parent: undefined, childCount: me.role === "agent" ? 0 : item.childCount });
    this.sizes.set(data.id, data.descendant_count + 1);
    return [data.id];
  }

  /** Workspaces whose children are older than a change. */
  private readonly outdated = new Set<string>();

  /** Sizes of subtrees by id, where they are known. */
  private readonly sizes = new Map<string, number>();

  /** Requests for children in progress, by workspace. */
  private readonly loading = new Map<string, Promise<void>>();

  /** Loads the children of a workspace, unless they are known or on their way. */
  private loadChildren(id: string): Promise<void> {
    const known = this.loading.get(id);
    if (known) return known;
    const request = this.requestChildren(id).finally(() => {
      if (this.loading.get(id) === request) this.loading.delete(id);
    });
    this.loading.set(id, request);
    return request;
  }

  private async requestChildren(id: string): Promise<void> {
    const item = this.items.get(id);
    const isOutdated = this.outdated.has(id);
    if (!item || (!isOutdated && (item.childCount === 0 || item.children))) return;
    const isSmall = !item.children && (this.sizes.get(id) ?? Infinity) <= MAX_WHOLE_TREE;
    // a change during the request makes the response outdated again
    this.outdated.delete(id);
    try {
      const { data } = await api<TreeNode>(endpoint.tree(id, isSmall ? undefined : 1), { signal: this.request.signal });
      mergeSubtree(this.items, data, item.parent);
      this.failure = undefined;
    } catch (error) {
      if (isAbort(error)) return;
      const failure = asFailure(error);
      // a removed workspace disappears with the children of its parent
      if (failure.status !== 404 && failure.status !== 410) this.failure = failure;
    }
    this.notify();
  }

  private notify(): void {
    this.version += 1;
    for (const listener of [...this.listeners]) listener();
  }
}

function restoreOpen(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

function storeOpen(open: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...open].slice(-500)));
  } catch {
    // without storage the tree is collapsed after a reload
  }
}

let shown: TreeStore | undefined;

/** The store of the current caller. */
export function treeStoreFor(me: Me): TreeStore {
  if (!shown || !isSame(shown, me)) {
    shown = new TreeStore(me);
    void shown.load();
  }
  return shown;
}

function isSame(store: TreeStore, me: Me): boolean {
  return store["me"].jti === me.jti;
}

/** After a workspace was created, moved, renamed or removed. */
export function invalidateTree(): void {
  void shown?.load();
  invalidate((path) => path.startsWith("/workspaces") || path.startsWith("/admin"));
}

/** The least time between reloads of numbers, in milliseconds. */
const COUNTS_MS = 2_000;
const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** After memories of these workspaces were committed or removed: their numbers in the tree reload, at intervals. */
export function invalidateCounts(workspaces: Iterable<string>): void {
  for (const id of workspaces) changed.add(id);
  timer ??= setTimeout(() => {
    timer = undefined;
    shown?.outdateCounts(changed);
    changed.clear();
  }, COUNTS_MS);
}

/** The name of a workspace, if it is loaded. */
export function nameOf(id: string): string | undefined {
  return shown?.items.get(id)?.name;
}
