// Pin, tags and expiry: changed in one step, with an undo in the toast.

import { useState } from "preact/hooks";
import { editMemory } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { invalidateWorkspace } from "../api/resource.ts";
import type { Memory, PatchMemory, Workspace } from "../api/types.ts";
import { Button, Field, Select } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { fieldError, failureMessage } from "../parts/states.tsx";
import { strings } from "../strings.ts";

/** Updates attributes; `back` is the change that undoes it. Shows a toast on failure. */
export async function updateAttributes(workspace: Workspace, memory: Memory, change: PatchMemory, back: PatchMemory): Promise<void> {
  try {
    await save(workspace, memory, change, back);
  } catch (error) {
    showToast(failureMessage(asFailure(error)));
  }
}

async function save(workspace: Workspace, memory: Memory, change: PatchMemory, back: PatchMemory): Promise<void> {
  const { data } = await editMemory(workspace.id, memory.id, change, memory.version);
  invalidateWorkspace(workspace.id);
  const undo = async () => {
    try {
      await editMemory(workspace.id, memory.id, back, data.version);
      invalidateWorkspace(workspace.id);
    } catch (error) {
      showToast(failureMessage(asFailure(error)));
    }
  };
  showToast(strings.attributes.saved, { label: strings.attributes.undo, run: () => void undo() });
}

interface AttributesFormProps {
  workspace: Workspace;
  memory: Memory;
  onDone: () => void;
}

/** A form for the title, the tags and the expiry of a memory. */
export function AttributesForm({ workspace, memory, onDone }: AttributesFormProps) {
  const [title, setTitle] = useState(memory.title ?? "");
  const [tags, setTags] = useState(memory.tags.join(", "));
  const [ttl, setTtl] = useState<string>(UNCHANGED);
  const [failure, setFailure] = useState<Failure>();
  const submit = async (event: Event) => {
    event.preventDefault();
    const newTags = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
    const expiry = ttl === UNCHANGED ? {} : ttl === "" ? { expires_at: null } : { ttl_seconds: Number(ttl) };
    const back = { title: memory.title ?? null, tags: memory.tags, ...(ttl === UNCHANGED ? {} : { expires_at: memory.expires_at ?? null }) };
    try {
      await save(workspace, memory, { title: title.trim() || null, tags: newTags, ...expiry }, back);
      onDone();
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const [titleFault, fault] = [fieldError(failure, "title"), fieldError(failure, "tags")];
  return (
    <form class="edit" onSubmit={(event) => void submit(event)}>
      <Field label={strings.write.fields.tags} hint={strings.attributes.tagsHint} fault={fault}>
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
      <Field label={strings.write.fields.title} fault={titleFault}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={title}
            onInput={(event) => setTitle(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={strings.write.expiry}>
        {({ id }) => (
          <Select id={id} value={ttl} options={[[UNCHANGED, strings.attributes.unchanged], ...strings.lifetimes]} onChange={setTtl} />
        )}
      </Field>
      {failure && fault === undefined && titleFault === undefined && (
        <p class="fault" role="alert">
          {failureMessage(failure)}
        </p>
      )}
      <footer>
        <Button onClick={onDone}>{strings.cancel}</Button>
        <Button kind="primary" type="submit">
          {strings.attributes.save}
        </Button>
      </footer>
    </form>
  );
}

/** The option that leaves the expiry as it is. */
const UNCHANGED = "kept";
