import { useState } from "preact/hooks";
import { createWorkspace, endpoint } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { newId } from "../parts/ids.ts";
import { ChangeFault, isGone, useSave } from "../parts/save.tsx";
import { fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { go, workspacePath } from "../route.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";

interface NewWorkspaceProps {
  title: string;
  onClose: () => void;
  /** Undefined for the root of a new org. */
  parent?: string;
}

/** The dialog that creates a workspace. */
export function NewWorkspace({ title, onClose, parent }: NewWorkspaceProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  // the same for every attempt, so that none creates a second workspace
  const [id] = useState(newId);
  const save = useSave();
  const { failure, isBusy } = save;
  const close = useUnsaved(name !== "" || role !== "", [], onClose);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    const workspace = {
      id,
      name,
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...(role.trim() === "" ? {} : { role: role.trim() }),
    };
    void save.run({
      send: async () => (await createWorkspace(workspace)).data.id,
      find: async () => ((await isGone(api(endpoint.workspace(id)))) ? undefined : id),
      onStored: () => {
        invalidateTree();
        onClose();
        go(workspacePath(id), { isSaved: true });
      },
    });
  };
  const nameFault = fieldError(failure, "name");
  const roleFault = fieldError(failure, "role");
  return (
    <Dialog title={title} size="narrow" onClose={close}>
      <form onSubmit={submit}>
        <Field label={strings.workspace.name} fault={nameFault}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              autofocus
              required
              maxLength={200}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={strings.workspace.role} hint={strings.workspace.roleHint} fault={roleFault}>
          {(attributes) => (
            <input {...attributes} type="text" value={role} onInput={(event) => setRole(event.currentTarget.value)} />
          )}
        </Field>
        <ChangeFault save={save} isAtField={nameFault !== undefined || roleFault !== undefined} />
        <footer>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {title}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
