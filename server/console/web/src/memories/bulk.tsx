// Bulk redaction and tagging. Each item succeeds or fails by itself; failed items stay selected.

import { useRef, useState } from "preact/hooks";
import { editMemory, endpoint, redactMemories } from "../api/calls.ts";
import { api, asFailure } from "../api/http.ts";
import { invalidateWorkspace } from "../api/resource.ts";
import type { Memory, RedactionItem, Workspace } from "../api/types.ts";
import { RedactDialog } from "../drawer/redact-dialog.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { asSentence, failureMessage } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { formatTags, parseTags } from "../parts/tags.ts";
import { Content } from "../parts/text.tsx";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";

/** How many memories are shown with their first words. */
const SHOWN = 5;

interface BulkProps {
  workspace: Workspace;
  /** The selected memories. */
  memories: Memory[];
  can: { redact: boolean; tag: boolean };
  isRedacting: boolean;
  redact: (isRedacting: boolean) => void;
  select: (ids: ReadonlySet<string>) => void;
}

/** The actions on the selection. */
export function Bulk({ workspace, memories, can, isRedacting, redact, select }: BulkProps) {
  const [isTagging, tag] = useState(false);
  return (
    <div class="bulk" role="group" aria-label={strings.redact.selected(memories.length)}>
      <span role="status">{strings.redact.selected(memories.length)}</span>
      <Button kind="quiet" onClick={() => select(new Set())}>
        {strings.redact.clearSelection}
      </Button>
      {can.tag && <Button onClick={() => tag(true)}>{strings.tagging.ask}</Button>}
      {can.redact && <Button onClick={() => redact(true)}>{strings.redact.ask}</Button>}
      {isTagging && <TagMany workspace={workspace} memories={memories} onClose={() => tag(false)} select={select} />}
      {isRedacting && (
        <RedactMany workspace={workspace} memories={memories} onClose={() => redact(false)} select={select} />
      )}
    </div>
  );
}

interface ManyProps {
  workspace: Workspace;
  memories: Memory[];
  onClose: () => void;
  select: (ids: ReadonlySet<string>) => void;
}

function RedactMany({ workspace, memories, onClose, select }: ManyProps) {
  const [refused, setRefused] = useState<Refusal[]>([]);
  const redact = async (reason: string) => {
    const { data } = await redactMemories(workspace.id, { memories: memories.map(({ id }) => id), reason });
    return settle(data.items.flatMap((item, index) => refusedOf(item, memories[index])));
  };
  const find = async () => {
    const body = { memories: memories.map(({ id }) => id), reason: "to be said" };
    const { data } = await redactMemories(workspace.id, body, true);
    const left = data.items.flatMap((item, index) => refusedOf(item, memories[index], strings.redact.notReached));
    return left.length === memories.length ? undefined : settle(left);
  };
  /** Shows what was redacted; false while some memories are left. */
  const settle = (left: Refusal[]) => {
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (left.length < memories.length) showToast(strings.redact.done(memories.length - left.length));
    invalidateWorkspace(workspace.id);
    invalidateTree();
    return left.length === 0;
  };
  return (
    <RedactDialog count={memories.length} redact={redact} find={find} onDone={() => {}} onClose={onClose}>
      <FirstWords memories={memories} />
      <p>{strings.redact.many(memories.length)}</p>
      <RefusedList refused={refused} />
    </RedactDialog>
  );
}

/** Adds and removes tags, starting from each memory's current tags; one undo reverts all of it. */
function TagMany({ workspace, memories, onClose, select }: ManyProps) {
  const [more, setMore] = useState("");
  const [less, setLess] = useState("");
  const [refused, setRefused] = useState<Refusal[]>([]);
  const [adds, drops] = [parseTags(more), parseTags(less)];
  // survives a lost response, after which the rest follows
  const progress = useRef(begin());
  /** Changes the memories from the first that is not decided; of that one, an earlier request may have been stored. */
  const tag = async () => {
    const now = progress.current;
    for (; now.at < memories.length; now.at += 1) {
      const memory = memories[now.at] as Memory;
      const tags = [...new Set([...memory.tags, ...adds])].filter((each) => !drops.includes(each));
      try {
        const stored = now.isOpen ? await storedVersion(workspace, memory, tags) : undefined;
        const version = stored ?? (await editMemory(workspace.id, memory.id, { tags }, memory.version)).data.version;
        now.done.push({ memory, version });
      } catch (error) {
        const failure = asFailure(error);
        now.isOpen = failure.isTransient;
        if (failure.isTransient) throw failure;
        now.left.push({ memory, why: failure.message });
      }
      now.isOpen = false;
    }
    return settle(now);
  };
  const settle = ({ done, left }: Progress) => {
    progress.current = begin();
    const undo = async () => {
      const back = done.map(({ memory, version }) => editMemory(workspace.id, memory.id, { tags: memory.tags }, version));
      const failed = (await Promise.allSettled(back)).find((each) => each.status === "rejected");
      if (failed) showToast(failureMessage(asFailure(failed.reason)));
      invalidateWorkspace(workspace.id);
    };
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (done.length > 0) showToast(strings.tagging.done(done.length), { label: strings.attributes.undo, run: () => void undo() });
    invalidateWorkspace(workspace.id);
    return left.length === 0;
  };
  const isAsked = adds.length > 0 || drops.length > 0;
  const { title, add, remove } = strings.tagging;
  return (
    <Confirm
      title={title(memories.length)}
      kind="primary"
      label={isAsked ? strings.tagging.do(memories.length) : undefined}
      act={tag}
      find={tag}
      onDone={() => {}}
      isUnsaved={isAsked && refused.length === 0}
      onClose={onClose}
    >
      <FirstWords memories={memories} />
      <div class="columns">
        <Field label={add} hint={strings.attributes.tagsHint}>
          {(attributes) => (
            <input {...attributes} type="text" value={more} onInput={(event) => setMore(event.currentTarget.value)} />
          )}
        </Field>
        <Field label={remove} hint={strings.attributes.tagsHint}>
          {(attributes) => (
            <input {...attributes} type="text" value={less} onInput={(event) => setLess(event.currentTarget.value)} />
          )}
        </Field>
      </div>
      <RefusedList refused={refused} />
    </Confirm>
  );
}

interface Progress {
  done: Array<{ memory: Memory; version: number }>;
  left: Refusal[];
  /** The first memory that is not decided. */
  at: number;
  /** Whether a request for that memory was sent whose response was lost. */
  isOpen: boolean;
}

const begin = (): Progress => ({ done: [], left: [], at: 0, isOpen: false });

/** The version of an edit whose response was lost, if it was stored. */
async function storedVersion(workspace: Workspace, { id, version }: Memory, tags: string[]): Promise<number | undefined> {
  const { data } = await api<Memory>(endpoint.memory(workspace.id, id));
  return data.version === version + 1 && formatTags(data.tags) === formatTags(tags) ? data.version : undefined;
}

interface Refusal {
  memory: Memory;
  why: string;
}

function FirstWords({ memories }: { memories: Memory[] }) {
  return (
    <ul class="first-lines many">
      {memories.slice(0, SHOWN).map((memory) => (
        <li key={memory.id}>
          <Content text={memory.content.slice(0, 120)} />
        </li>
      ))}
      {memories.length > SHOWN && <li class="quiet">{strings.access.more(memories.length - SHOWN)}</li>}
    </ul>
  );
}

/** The refused memories with the reasons. */
function RefusedList({ refused }: { refused: Refusal[] }) {
  if (refused.length === 0) return null;
  return (
    <div class="notice" role="alert">
      <p>{strings.redact.refused(refused.length)}</p>
      <ul>
        {refused.map(({ memory, why }) => (
          <li key={memory.id}>
            <Stored>{memory.content.slice(0, 60)}</Stored> – <bdi dir="ltr">{asSentence(why)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The refusal of an item; with `notReached`, of a dry run, also an item that is not redacted yet. */
function refusedOf(item: RedactionItem, memory: Memory | undefined, notReached?: string): Refusal[] {
  if (!memory) return [];
  if ("refused" in item) return [{ memory, why: item.refused.detail }];
  return notReached === undefined || item.redacted.already ? [] : [{ memory, why: notReached }];
}
