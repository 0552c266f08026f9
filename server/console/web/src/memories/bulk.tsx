// Many memories at once: redacted for one reason, or tagged, answered one by one; what is refused stays selected.

import { useState } from "preact/hooks";
import { editMemory, redactMemories } from "../api/calls.ts";
import { asFailure } from "../api/http.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, RedactionItem, Workspace } from "../api/types.ts";
import { Redaction } from "../drawer/redaction.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { sentence, sentenceOf } from "../parts/states.tsx";
import { Content } from "../parts/text.tsx";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";

/** How many are shown by their first words. */
const SHOWN = 5;

interface BulkProps {
  workspace: Workspace;
  /** Those that are selected. */
  memories: Memory[];
  /** What one may do with them. */
  can: { redact: boolean; tag: boolean };
  isRedacting: boolean;
  redact: (isRedacting: boolean) => void;
  select: (ids: ReadonlySet<string>) => void;
}

/** What can be done with what is selected. */
export function Bulk({ workspace, memories, can, isRedacting, redact, select }: BulkProps) {
  const [isTagging, tag] = useState(false);
  return (
    <div class="bulk" role="group" aria-label={words.redact.selected(memories.length)}>
      <span role="status">{words.redact.selected(memories.length)}</span>
      <Button kind="quiet" onClick={() => select(new Set())}>
        {words.redact.clear}
      </Button>
      {can.tag && <Button onClick={() => tag(true)}>{words.tagging.ask}</Button>}
      {can.redact && <Button onClick={() => redact(true)}>{words.redact.ask}</Button>}
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
    const ids = memories.map((memory) => memory.id);
    const { data } = await redactMemories(workspace.id, { memories: ids, reason });
    const left = data.items.flatMap((item, index) => refusedOf(item, memories[index]));
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (data.redacted > 0) say(words.redact.done(data.redacted));
    workspaceChanged(workspace.id);
    treeChanged();
    return left.length === 0;
  };
  return (
    <Redaction count={memories.length} redact={redact} onClose={onClose}>
      <FirstWords memories={memories} />
      <p>{words.redact.many(memories.length)}</p>
      <RefusedOnes refused={refused} />
    </Redaction>
  );
}

/** Adds tags to all that are selected, or takes some away; each is changed as it is now, and all of it taken back at once. */
function TagMany({ workspace, memories, onClose, select }: ManyProps) {
  const [more, setMore] = useState("");
  const [less, setLess] = useState("");
  const [refused, setRefused] = useState<Refusal[]>([]);
  const [adds, drops] = [tagsOf(more), tagsOf(less)];
  const tag = async () => {
    const done: Array<{ memory: Memory; version: number }> = [];
    const left: Refusal[] = [];
    for (const memory of memories) {
      const tags = [...new Set([...memory.tags, ...adds])].filter((each) => !drops.includes(each));
      try {
        const { data } = await editMemory(workspace.id, memory.id, { tags }, memory.version);
        done.push({ memory, version: data.version });
      } catch (error) {
        const failure = asFailure(error);
        if (failure.isPassing) throw failure;
        left.push({ memory, why: failure.message });
      }
    }
    const undo = async () => {
      const back = done.map(({ memory, version }) => editMemory(workspace.id, memory.id, { tags: memory.tags }, version));
      const failed = (await Promise.allSettled(back)).find((each) => each.status === "rejected");
      if (failed) say(sentenceOf(asFailure(failed.reason)));
      workspaceChanged(workspace.id);
    };
    select(new Set(left.map(({ memory }) => memory.id)));
    setRefused(left);
    if (done.length > 0) say(words.tagging.done(done.length), { label: words.filing.undo, run: () => void undo() });
    workspaceChanged(workspace.id);
    return left.length === 0;
  };
  const isAsked = adds.length > 0 || drops.length > 0;
  const { title, add, takeAway } = words.tagging;
  return (
    <Confirm
      title={title(memories.length)}
      kind="first"
      label={isAsked ? words.tagging.do(memories.length) : undefined}
      act={tag}
      onClose={onClose}
    >
      <FirstWords memories={memories} />
      <div class="columns">
        <Field label={add} hint={words.filing.tagsHint}>
          {(attributes) => (
            <input {...attributes} type="text" value={more} onInput={(event) => setMore(event.currentTarget.value)} />
          )}
        </Field>
        <Field label={takeAway} hint={words.filing.tagsHint}>
          {(attributes) => (
            <input {...attributes} type="text" value={less} onInput={(event) => setLess(event.currentTarget.value)} />
          )}
        </Field>
      </div>
      <RefusedOnes refused={refused} />
    </Confirm>
  );
}

const tagsOf = (typed: string): string[] => typed.split(",").map((tag) => tag.trim()).filter(Boolean);

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
      {memories.length > SHOWN && <li class="quiet">{words.access.more(memories.length - SHOWN)}</li>}
    </ul>
  );
}

/** Which were refused, and why each. */
function RefusedOnes({ refused }: { refused: Refusal[] }) {
  if (refused.length === 0) return null;
  return (
    <div class="notice" role="alert">
      <p>{words.redact.refused(refused.length)}</p>
      <ul>
        {refused.map(({ memory, why }) => (
          <li key={memory.id}>
            <bdi>{memory.content.slice(0, 60)}</bdi> – <bdi>{sentence(why)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function refusedOf(item: RedactionItem, memory: Memory | undefined): Refusal[] {
  return memory && "refused" in item ? [{ memory, why: item.refused.detail }] : [];
}
