// Many memories at once: redacted for one reason, answered one by one; what is refused stays selected.

import { useState } from "preact/hooks";
import { redactMemories } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, RedactionItem, Workspace } from "../api/types.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog, say } from "../parts/dialog.tsx";
import { faultOf, sentence, sentenceOf } from "../parts/states.tsx";
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
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [refused, setRefused] = useState<Array<{ memory: Memory; why: string }>>([]);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    if (reason.trim() === "") return setMissing(true);
    setBusy(true);
    setFailure(undefined);
    try {
      const ids = memories.map((memory) => memory.id);
      const { data } = await redactMemories(workspace.id, { memories: ids, reason: reason.trim() });
      const left = data.items.flatMap((item, index) => refusedOf(item, memories[index]));
      select(new Set(left.map(({ memory }) => memory.id)));
      setRefused(left);
      if (data.redacted > 0) say(words.redact.done(data.redacted));
      workspaceChanged(workspace.id);
      treeChanged();
      if (left.length === 0) onClose();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const fault = isMissing && reason.trim() === "" ? words.redact.missing : faultOf(failure, "reason");
  return (
    <Dialog title={words.redact.title(memories.length)} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
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
        <Field label={words.redact.reason} hint={words.redact.reasonHint} fault={fault}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              maxLength={500}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
        {failure && fault === undefined && (
          <p class="fault" role="alert">
            {sentenceOf(failure)}
          </p>
        )}
        <footer>
          <Button onClick={onClose} autofocus>
            {words.cancel}
          </Button>
          <Button kind="danger" type="submit" isBusy={isBusy}>
            {words.redact.do(memories.length)}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function refusedOf(item: RedactionItem, memory: Memory | undefined): Array<{ memory: Memory; why: string }> {
  return memory && "refused" in item ? [{ memory, why: item.refused.detail }] : [];
}
