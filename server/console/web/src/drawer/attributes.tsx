// Pin, tags and expiry: changed in one step, with an undo in the toast.

import { useState } from "preact/hooks";
import { editMemory, endpoint } from "../api/calls.ts";
import { api, asFailure } from "../api/http.ts";
import { invalidateWorkspace } from "../api/resource.ts";
import type { Memory, PatchMemory, Workspace } from "../api/types.ts";
import { Button, Field, Select } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { SaveFault, outcomeOf, useSave } from "../parts/save.tsx";
import { fieldError, failureMessage } from "../parts/states.tsx";
import { formatTags, parseTags } from "../parts/tags.ts";
import { useUnsaved } from "../parts/unsaved.tsx";
import { strings } from "../strings.ts";

/** Updates attributes; `back` is the change that undoes it. Shows a toast on failure. */
export async function updateAttributes(workspace: Workspace, memory: Memory, change: PatchMemory, back: PatchMemory): Promise<void> {
  try {
    const { data } = await editMemory(workspace.id, memory.id, change, memory.version);
    onUpdated(workspace, memory, data.version, back);
  } catch (error) {
    showFailure(error);
  }
}

function showFailure(error: unknown): void {
  const failure = asFailure(error);
  showToast(`${failureMessage(failure)} ${outcomeOf(failure)}`);
}

function onUpdated(workspace: Workspace, memory: Memory, version: number, back: PatchMemory): void {
  invalidateWorkspace(workspace.id);
  const undo = async () => {
    try {
      await editMemory(workspace.id, memory.id, back, version);
      invalidateWorkspace(workspace.id);
    } catch (error) {
      showFailure(error);
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
  const [tags, setTags] = useState(formatTags(memory.tags));
  const [ttl, setTtl] = useState<string>(UNCHANGED);
  const save = useSave();
  const isUnsaved = title !== (memory.title ?? "") || tags !== formatTags(memory.tags) || ttl !== UNCHANGED;
  const close = useUnsaved(isUnsaved, ["m"], onDone);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy) return;
    const newTags = parseTags(tags);
    const expiry = ttl === UNCHANGED ? {} : ttl === "" ? { expires_at: null } : { ttl_seconds: Number(ttl) };
    const back = { title: memory.title ?? null, tags: memory.tags, ...(ttl === UNCHANGED ? {} : { expires_at: memory.expires_at ?? null }) };
    const change = { title: title.trim() || null, tags: newTags, ...expiry };
    void save.run({
      send: async () => (await editMemory(workspace.id, memory.id, change, memory.version)).data.version,
      find: async () => {
        const { data } = await api<Memory>(endpoint.memory(workspace.id, memory.id));
        const isSame = (data.title ?? null) === change.title && formatTags(data.tags) === formatTags(newTags);
        return data.version === memory.version + 1 && isSame ? data.version : undefined;
      },
      onStored: (version) => {
        onUpdated(workspace, memory, version, back);
        onDone();
      },
    });
  };
  const [titleFault, fault] = [fieldError(save.failure, "title"), fieldError(save.failure, "tags")];
  return (
    <form class="edit" onSubmit={submit}>
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
      <SaveFault save={save} isAtField={fault !== undefined || titleFault !== undefined} />
      <footer>
        <Button onClick={close}>{strings.cancel}</Button>
        <Button kind="primary" type="submit" isBusy={save.isBusy}>
          {strings.attributes.save}
        </Button>
      </footer>
    </form>
  );
}

/** The option that leaves the expiry as it is. */
const UNCHANGED = "kept";
