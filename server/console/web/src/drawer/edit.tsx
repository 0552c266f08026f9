import { useState } from "preact/hooks";
import { at, editMemory } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, Workspace } from "../api/types.ts";
import { Conflict } from "../parts/conflict.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { faultOf, sentenceOf } from "../parts/states.tsx";
import { words } from "../words.ts";

interface EditProps {
  workspace: Workspace;
  memory: Memory;
  onDone: () => void;
}

/** Edits the text in place, on the version that was read; who was faster is shown beside it. */
export function Edit({ workspace, memory, onDone }: EditProps) {
  // what is saved is meant for this version, whatever arrives meanwhile
  const [base, setBase] = useState({ version: memory.version, text: memory.content });
  const [text, setText] = useState(memory.content);
  const [theirs, setTheirs] = useState<{ version: number; text: string } | null>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { data } = await editMemory(workspace.id, memory.id, { content: text }, base.version);
      say(words.edit.saved(data.version));
      workspaceChanged(workspace.id);
      onDone();
    } catch (error) {
      const refused = asFailure(error);
      if (refused.problem.code === "version_conflict") setTheirs(await current(workspace.id, memory.id));
      else setFailure(refused);
      setBusy(false);
    }
  };
  const fault = faultOf(failure, "content");
  return (
    <form
      class="edit"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(event);
      }}
    >
      <Field label={words.write.content} hint={words.edit.hint} fault={fault}>
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
      {failure && fault === undefined && (
        <p class="fault" role="alert">
          {sentenceOf(failure)}
        </p>
      )}
      <footer>
        <Button onClick={onDone}>{words.cancel}</Button>
        <Button kind="first" type="submit" isBusy={isBusy}>
          {words.edit.save}
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

/** Gives the focus to the field when it appears. */
function focusOnce(element: HTMLTextAreaElement | null): void {
  if (element && !element.dataset.seen) {
    element.dataset.seen = "1";
    element.focus();
  }
}

/** The memory as it is now; null when there is none to be read. */
async function current(workspace: string, memory: string): Promise<{ version: number; text: string } | null> {
  try {
    const { data } = await api<Memory>(at.memory(workspace, memory));
    return { version: data.version, text: data.content };
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}
