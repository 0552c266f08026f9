import { useState } from "preact/hooks";
import { draftSkill } from "../api/calls.ts";
import type { Skill, Workspace } from "../api/types.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ChangeFault, useSave } from "../parts/save.tsx";
import { fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { strings } from "../strings.ts";

interface DraftProps {
  workspace: Workspace;
  memory: string;
  /** The suggested name. */
  suggested: string;
  onDrafted: (skill: Skill) => void;
  onClose: () => void;
}

/** The dialog that drafts a skill from a procedure. */
export function DraftDialog({ workspace, memory, suggested, onDrafted, onClose }: DraftProps) {
  const [name, setName] = useState(suggested);
  const [description, setDescription] = useState("");
  const save = useSave();
  const close = useUnsaved(name !== suggested || description !== "", [], onClose);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy) return;
    const body = {
      memory_ids: [memory],
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(description.trim() === "" ? {} : { description: description.trim() }),
    };
    void save.run({ send: async () => (await draftSkill(workspace.id, body)).data, onStored: onDrafted });
  };
  const faults = { name: fieldError(save.failure, "name"), description: fieldError(save.failure, "description") };
  return (
    <Dialog title={strings.skills.draftTitle} size="narrow" onClose={close}>
      <form onSubmit={submit}>
        <Field label={strings.skills.name} hint={strings.skills.nameHint} fault={faults.name}>
          {(attributes) => (
            <input {...attributes} type="text" autofocus maxLength={64} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          )}
        </Field>
        <Field label={strings.skills.description} hint={strings.skills.descriptionHint} fault={faults.description}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              maxLength={1024}
              value={description}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          )}
        </Field>
        <ChangeFault save={save} isAtField={faults.name !== undefined || faults.description !== undefined} />
        <footer>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            {strings.skills.draft}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
