// The loaded part of the tree, and its visible rows. No recursion: a tree may be a long chain.

import type { TreeNode, Workspace } from "../api/types.ts";

export interface Item {
  id: string;
  name: string;
  role: string | undefined;
  parent: string | undefined;
  childCount: number;
  /** Number of its own live memories; unknown for an ancestor of a search result. */
  memories: number | undefined;
  lastWrite: string | undefined;
  /** Ids of its children by name, once they are loaded. */
  children: string[] | undefined;
  /** Whether it is the placeholder of a child that is not loaded yet. */
  isPlaceholder?: boolean;
}

export interface Row {
  item: Item;
  /** 1 for a root. */
  level: number;
  /** The number of its siblings including itself, and its position among them, from 1. */
  size: number;
  position: number;
  isOpen: boolean;
  /** Shown only as an ancestor of a search result. */
  isAncestorOnly: boolean;
}

export type Items = Map<string, Item>;

const total = (counts: TreeNode["memories"]) => counts.local + counts.team + counts.global;

/** Merges a subtree of the server; children beyond the requested depth stay unknown. */
export function mergeSubtree(items: Items, top: TreeNode, parent: string | undefined): void {
  const waiting: Array<[TreeNode, string | undefined]> = [[top, parent]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, above] = next;
    const isKnown = node.children.length === node.child_count;
    items.set(node.id, {
      id: node.id,
      name: node.name,
      role: node.role ?? undefined,
      parent: above,
      childCount: node.child_count,
      memories: total(node.memories),
      lastWrite: node.last_write_at ?? undefined,
      children: isKnown ? node.children.map((child) => child.id) : items.get(node.id)?.children,
    });
    for (const child of node.children) waiting.push([child, node.id]);
  }
}

/** A workspace without its children. */
export function itemOf(workspace: Workspace): Item {
  return {
    id: workspace.id,
    name: workspace.name,
    role: workspace.role ?? undefined,
    parent: workspace.path.at(-1)?.id,
    childCount: workspace.child_count,
    memories: total(workspace.memories),
    lastWrite: workspace.last_write_at ?? undefined,
    children: undefined,
  };
}

/** The visible rows in display order. */
export function visibleRows(items: Items, roots: string[], open: ReadonlySet<string>): Row[] {
  const shown: Row[] = [];
  const waiting: Array<[id: string, level: number, size: number, position: number]> = [];
  const push = (ids: string[], level: number) => {
    for (let index = ids.length - 1; index >= 0; index -= 1) {
      waiting.push([ids[index] as string, level, ids.length, index + 1]);
    }
  };
  push(roots, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, level, size, position] = next;
    const item = items.get(id);
    if (!item) continue;
    const isOpen = item.childCount > 0 && open.has(id);
    shown.push({ item, level, size, position, isOpen, isAncestorOnly: false });
    if (isOpen && item.children) push(item.children, level + 1);
    else if (isOpen) for (let count = 1; count <= item.childCount; count += 1) shown.push(placeholder(item, level + 1, count));
  }
  return shown;
}

/** The row of a child that is not loaded yet, so that rows below it do not move when it is. */
function placeholder(parent: Item, level: number, position: number): Row {
  const id = `${parent.id}-${position}`;
  const unknown = { role: undefined, memories: undefined, lastWrite: undefined, children: undefined };
  const item: Item = { id, name: "…", parent: parent.id, childCount: 0, isPlaceholder: true, ...unknown };
  return { item, level, size: parent.childCount, position, isOpen: false, isAncestorOnly: false };
}

/** The search results within their branches. */
export function searchRows(found: Workspace[]): Row[] {
  const items: Items = new Map();
  const roots: string[] = [];
  const hits = new Set(found.map((workspace) => workspace.id));
  for (const workspace of found) {
    let above: Item | undefined;
    for (const step of workspace.path) above = ancestorItem(items, roots, step.id, step.name, above);
    const item = ancestorItem(items, roots, workspace.id, workspace.name, above);
    Object.assign(item, { ...itemOf(workspace), parent: item.parent, children: item.children });
  }
  for (const item of items.values()) item.childCount = item.children?.length ?? 0;
  return visibleRows(items, roots, new Set(items.keys())).map((row) => ({ ...row, isAncestorOnly: !hits.has(row.item.id) }));
}

function ancestorItem(items: Items, roots: string[], id: string, name: string, above: Item | undefined): Item {
  const known = items.get(id);
  if (known) return known;
  const item: Item = {
    id,
    name,
    role: undefined,
    parent: above?.id,
    childCount: 0,
    memories: undefined,
    lastWrite: undefined,
    children: undefined,
  };
  items.set(id, item);
  if (above) (above.children ??= []).push(id);
  else roots.push(id);
  return item;
}
