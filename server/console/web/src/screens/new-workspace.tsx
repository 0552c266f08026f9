import { useState } from "preact/hooks";
import { type ApiResponse, type Failure, asFailure } from "../api/http.ts";
import type { Workspace } from "../api/types.ts";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { go, workspacePath } from "../route.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";

interface NewWorkspaceProps {
  title: string;
  onClose: () => void;
  create: (name: string, role: string) => Promise<ApiResponse<Workspace>>;
}

/** The dialog that creates a workspace. */
export function NewWorkspace({ title, onClose, create }: NewWorkspaceProps) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const close = useUnsaved(name !== "" || role !== "", [], onClose);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const { data } = await create(name, role.trim());
      invalidateTree();
      onClose();
      go(workspacePath(data.id), { isSaved: true });
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const nameFault = fieldError(failure, "name");
  const roleFault = fieldError(failure, "role");
  return (
    <Dialog title={title} size="narrow" onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
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
        <ErrorMessage failure={nameFault || roleFault ? undefined : failure} />
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
