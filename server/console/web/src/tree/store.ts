// Fetches the tree: whole where it is small, by level where it is not.

import { at } from "../api/calls.ts";
import { type Failure, api, asFailure, isAbort } from "../api/http.ts";
import { changed } from "../api/resource.ts";
import type { AdminTree, Me, TreeNode, Workspace } from "../api/types.ts";
import { type Items, adopt, ofWorkspace } from "./model.ts";

/** Trees up to this many workspaces come in one piece. */
const WHOLE = 5_000;
const OPENED = "orgmem.console.open";

export class TreeStore {
  items: Items = new Map();
  roots: string[] = [];
  readonly open = new Set<string>(opened());
  failure: Failure | undefined;
  isLoaded = false;
  /** Grows with every change, so that what is made of it is made once. */
  version = 0;
  private readonly me: Me;
  private readonly listeners = new Set<() => void>();
  private calling = new AbortController();

  constructor(me: Me) {
    this.me = me;
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Reads what was known again; until the answers are there the old is shown. */
  async load(): Promise<void> {
    this.calling.abort();
    this.calling = new AbortController();
    const { signal } = this.calling;
    try {
      const items: Items = new Map();
      const roots = await this.tops(items, signal);
      this.items = items;
      this.roots = roots;
      this.failure = undefined;
      if (this.open.size === 0 && roots[0] !== undefined) this.open.add(roots[0]);
      this.isLoaded = true;
      this.tell();
      await Promise.all([...this.open].map((id) => this.fill(id)));
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.tell();
    }
  }

  toggle(id: string, isOpen: boolean): void {
    if (isOpen) this.open.add(id);
    else this.open.delete(id);
    remember(this.open);
    this.tell();
    if (isOpen) void this.fill(id);
  }

  openAll(ids: string[]): void {
    for (const id of ids) this.open.add(id);
    remember(this.open);
    this.tell();
    for (const id of ids) void this.fill(id);
  }

  /** Opens what is above a workspace, so that its row is there. */
  async reveal(id: string): Promise<void> {
    if (this.items.has(id) && this.isVisible(id)) return;
    try {
      const { data } = await api<Workspace>(at.workspace(id), { signal: this.calling.signal });
      for (const step of data.path) {
        this.open.add(step.id);
        await this.fill(step.id);
      }
      this.tell();
    } catch (error) {
      // what is not there is told where it is shown
      if (!isAbort(error)) asFailure(error);
    }
  }

  private isVisible(id: string): boolean {
    let above = this.items.get(id)?.parent;
    while (above !== undefined && this.items.has(above)) {
      if (!this.open.has(above)) return false;
      above = this.items.get(above)?.parent;
    }
    return true;
  }

  private async tops(items: Items, signal: AbortSignal): Promise<string[]> {
    const { me } = this;
    if (me.role === "admin") {
      const { orgs } = (await api<AdminTree>(at.orgs, { signal })).data;
      for (const { org_id, name, workspaces } of orgs) {
        // what the org holds is not what its root holds: that is known when its tree is
        const unknown = { role: undefined, parent: undefined, memories: undefined, lastWrite: undefined, children: undefined };
        items.set(org_id, { id: org_id, name, childCount: workspaces > 1 ? 1 : 0, ...unknown });
        this.sizes.set(org_id, workspaces);
      }
      return orgs.map((org) => org.org_id);
    }
    if (me.workspace_id === undefined || me.workspace_id === null) return [];
    const { data } = await api<Workspace>(at.workspace(me.workspace_id), { signal });
    const item = ofWorkspace(data);
    // an agent sees its own workspace and nothing below it
    items.set(data.id, { ...item, parent: undefined, childCount: me.role === "agent" ? 0 : item.childCount });
    this.sizes.set(data.id, data.descendant_count + 1);
    return [data.id];
  }

  /** How many workspaces are in the tree below, itself included, where that is known. */
  private readonly sizes = new Map<string, number>();

  /** Fetches the children of a workspace, where they are not known. */
  private async fill(id: string): Promise<void> {
    const item = this.items.get(id);
    if (!item || item.childCount === 0 || item.children) return;
    const isSmall = (this.sizes.get(id) ?? Infinity) <= WHOLE;
    try {
      const { data } = await api<TreeNode>(at.tree(id, isSmall ? undefined : 1), { signal: this.calling.signal });
      adopt(this.items, data, item.parent);
      this.tell();
    } catch (error) {
      if (isAbort(error)) return;
      this.failure = asFailure(error);
      this.tell();
    }
  }

  private tell(): void {
    this.version += 1;
    for (const listener of [...this.listeners]) listener();
  }
}

function opened(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(OPENED) ?? "[]") as string[];
  } catch {
    return [];
  }
}

function remember(open: ReadonlySet<string>): void {
  try {
    sessionStorage.setItem(OPENED, JSON.stringify([...open].slice(-500)));
  } catch {
    // then it is closed after a reload
  }
}

let shown: TreeStore | undefined;

/** The store of whoever is signed in. */
export function storeOf(me: Me): TreeStore {
  if (!shown || !isSame(shown, me)) {
    shown = new TreeStore(me);
    void shown.load();
  }
  return shown;
}

function isSame(store: TreeStore, me: Me): boolean {
  return store["me"].jti === me.jti;
}

/** A workspace was created, moved, renamed or removed. */
export function treeChanged(): void {
  void shown?.load();
  changed((path) => path.startsWith("/workspaces") || path.startsWith("/admin"));
}

/** The name of a workspace, where the tree has it. */
export function nameOf(id: string): string | undefined {
  return shown?.items.get(id)?.name;
}
