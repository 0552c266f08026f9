import { useState } from "preact/hooks";
import { type Answer, type Failure, asFailure } from "../api/http.ts";
import type { Workspace } from "../api/types.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { faultOf, sentenceOf } from "../parts/states.tsx";
import { go, workspacePath } from "../route.ts";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";

interface NewWorkspaceProps {
  title: string;
  onClose: () => void;
  create: (name: string, role: string) => Promise<Answer<Workspace>>;
}

/** A name and what its agent does; then one is there. */
export function NewWorkspace({ title, onClose, create }: NewWorkspaceProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const { data } = await create(name, role.trim());
      treeChanged();
      onClose();
      go(workspacePath(data.id));
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const nameFault = faultOf(failure, "name");
  const roleFault = faultOf(failure, "role");
  return (
    <Dialog title={title} size="narrow" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label={words.workspace.name} fault={nameFault}>
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
        <Field label={words.workspace.role} hint={words.workspace.roleHint} fault={roleFault}>
          {(attributes) => (
            <input {...attributes} type="text" value={role} onInput={(event) => setRole(event.currentTarget.value)} />
          )}
        </Field>
        {failure && !nameFault && !roleFault && (
          <p class="fault" role="alert">
            {sentenceOf(failure)}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {title}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
