// Many memories at once: redacted for one reason, answered one by one; what is refused stays selected.

import { useState } from "preact/hooks";
import { redactMemories } from "../api/calls.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, RedactionItem, Workspace } from "../api/types.ts";
import { Redaction } from "../drawer/redaction.tsx";
import { Button } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { sentence } from "../parts/states.tsx";
import { Content } from "../parts/text.tsx";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";

/** How many are shown by their first words. */
const SHOWN = 5;

interface BulkProps {
  workspace: Workspace;
  /** Those that are selected. */
  memories: Memory[];
  isRedacting: boolean;
  redact: (isRedacting: boolean) => void;
  select: (ids: ReadonlySet<string>) => void;
}

/** What can be done with what is selected. */
export function Bulk({ workspace, memories, isRedacting, redact, select }: BulkProps) {
  return (
    <div class="bulk" role="group" aria-label={words.redact.selected(memories.length)}>
      <span role="status">{words.redact.selected(memories.length)}</span>
      <Button kind="quiet" onClick={() => select(new Set())}>
        {words.redact.clear}
      </Button>
      <Button onClick={() => redact(true)}>{words.redact.ask}</Button>
      {isRedacting && (
        <RedactMany workspace={workspace} memories={memories} onClose={() => redact(false)} select={select} />
      )}
    </div>
  );
}

interface RedactManyProps {
  workspace: Workspace;
  memories: Memory[];
  onClose: () => void;
  select: (ids: ReadonlySet<string>) => void;
}

function RedactMany({ workspace, memories, onClose, select }: RedactManyProps) {
  const [refused, setRefused] = useState<Array<{ memory: Memory; why: string }>>([]);
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
      <ul class="first-lines many">
        {memories.slice(0, SHOWN).map((memory) => (
          <li key={memory.id}>
            <Content text={memory.content.slice(0, 120)} />
          </li>
        ))}
        {memories.length > SHOWN && <li class="quiet">{words.access.more(memories.length - SHOWN)}</li>}
      </ul>
      <p>{words.redact.many(memories.length)}</p>
      {refused.length > 0 && (
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
      )}
    </Redaction>
  );
}

function refusedOf(item: RedactionItem, memory: Memory | undefined): Array<{ memory: Memory; why: string }> {
  return memory && "refused" in item ? [{ memory, why: item.refused.detail }] : [];
}
