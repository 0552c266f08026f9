import { useState } from "preact/hooks";
import { endpoint, editMemory } from "../api/calls.ts";
import { api, asFailure } from "../api/http.ts";
import { invalidateWorkspace } from "../api/resource.ts";
import type { Memory, Workspace } from "../api/types.ts";
import { Conflict } from "../parts/conflict.tsx";
import { Button, Field, submitOnModEnter } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { SaveFault, useSave } from "../parts/save.tsx";
import { fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { strings } from "../strings.ts";

interface EditProps {
  workspace: Workspace;
  memory: Memory;
  onDone: () => void;
}

/** Edits the content in place, based on the version that was loaded; a concurrent edit opens the conflict dialog. */
export function Edit({ workspace, memory, onDone }: EditProps) {
  // the save applies to this version, even if a newer one arrives meanwhile
  const [base, setBase] = useState({ version: memory.version, text: memory.content });
  const [text, setText] = useState(memory.content);
  const [theirs, setTheirs] = useState<{ version: number; text: string } | null>();
  const save = useSave();
  const close = useUnsaved(text !== base.text, ["m"], onDone);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy) return;
    void save.run({
      send: async () => (await editMemory(workspace.id, memory.id, { content: text }, base.version)).data.version,
      find: async () => {
        const now = await current(workspace.id, memory.id);
        return now && now.version > base.version && now.text === text ? now.version : undefined;
      },
      onStored: (version) => {
        showToast(strings.edit.saved(version));
        invalidateWorkspace(workspace.id);
        onDone();
      },
      onConflict: async () => setTheirs(await current(workspace.id, memory.id)),
    });
  };
  const fault = fieldError(save.failure, "content");
  return (
    <form
      class="edit"
      onSubmit={submit}
      onKeyDown={submitOnModEnter}
    >
      <Field label={strings.write.content} hint={strings.edit.hint} fault={fault}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={Math.min(16, 3 + Math.ceil(text.length / 48))}
            required
            ref={focusOnce}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <SaveFault save={save} isAtField={fault !== undefined} />
      <footer>
        <Button onClick={close}>{strings.cancel}</Button>
        <Button kind="primary" type="submit" isBusy={save.isBusy}>
          {strings.edit.save}
        </Button>
      </footer>
      {theirs !== undefined && (
        <Conflict
          base={base.text}
          theirs={theirs}
          mine={text}
          onClose={() => setTheirs(undefined)}
          onTake={(merged) => {
            if (theirs) setBase(theirs);
            setText(merged);
            setTheirs(undefined);
          }}
        />
      )}
    </form>
  );
}

/** Focuses the field when it appears. */
function focusOnce(element: HTMLTextAreaElement | null): void {
  if (element && !element.dataset.seen) {
    element.dataset.seen = "1";
    element.focus();
  }
}

/** The current memory; null when it is no longer readable. */
async function current(workspace: string, memory: string): Promise<{ version: number; text: string } | null> {
  try {
    const { data } = await api<Memory>(endpoint.memory(workspace, memory));
    return { version: data.version, text: data.content };
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}
