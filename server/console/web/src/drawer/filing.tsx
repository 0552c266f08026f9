// Pin, tags and expiry: changed in one gesture, and taken back from the message for as long as it is there.

import { useState } from "preact/hooks";
import { editMemory } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, PatchMemory, Workspace } from "../api/types.ts";
import { Button, Field, Select } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { faultOf, sentenceOf } from "../parts/states.tsx";
import { words } from "../words.ts";

/** Changes where a memory is filed; `back` undoes it. Fails by saying so. */
export async function file(workspace: Workspace, memory: Memory, change: PatchMemory, back: PatchMemory): Promise<void> {
  try {
    await save(workspace, memory, change, back);
  } catch (error) {
    say(sentenceOf(asFailure(error)));
  }
}

async function save(workspace: Workspace, memory: Memory, change: PatchMemory, back: PatchMemory): Promise<void> {
  const { data } = await editMemory(workspace.id, memory.id, change, memory.version);
  workspaceChanged(workspace.id);
  const undo = async () => {
    try {
      await editMemory(workspace.id, memory.id, back, data.version);
      workspaceChanged(workspace.id);
    } catch (error) {
      say(sentenceOf(asFailure(error)));
    }
  };
  say(words.filing.saved, { label: words.filing.undo, run: () => void undo() });
}

interface FilingProps {
  workspace: Workspace;
  memory: Memory;
  onDone: () => void;
}

/** The tags and the expiry of a memory. */
export function Filing({ workspace, memory, onDone }: FilingProps) {
  const [tags, setTags] = useState(memory.tags.join(", "));
  const [ttl, setTtl] = useState<string>(KEPT);
  const [failure, setFailure] = useState<Failure>();
  const submit = async (event: Event) => {
    event.preventDefault();
    const wanted = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    const expiry = ttl === KEPT ? {} : ttl === "" ? { expires_at: null } : { ttl_seconds: Number(ttl) };
    const back = { tags: memory.tags, ...(ttl === KEPT ? {} : { expires_at: memory.expires_at ?? null }) };
    try {
      await save(workspace, memory, { tags: wanted, ...expiry }, back);
      onDone();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const fault = faultOf(failure, "tags");
  return (
    <form class="edit" onSubmit={(event) => void submit(event)}>
      <Field label={words.write.fields.tags} hint={words.filing.tagsHint} fault={fault}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            autofocus
            value={tags}
            onInput={(event) => setTags(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={words.write.expiry}>
        {({ id }) => (
          <Select id={id} value={ttl} options={[[KEPT, words.filing.keep], ...words.lifetimes]} onChange={setTtl} />
        )}
      </Field>
      {failure && fault === undefined && (
        <p class="fault" role="alert">
          {sentenceOf(failure)}
        </p>
      )}
      <footer>
        <Button onClick={onDone}>{words.cancel}</Button>
        <Button kind="first" type="submit">
          {words.filing.save}
        </Button>
      </footer>
    </form>
  );
}

/** Stands for an expiry that stays as it is. */
const KEPT = "kept";
