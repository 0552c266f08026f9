// Renaming, moving and removing a workspace.

import { useRef, useState } from "preact/hooks";
import { endpoint, patchWorkspace, removeWorkspace, dryRunMove, dryRunRemoval } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { useDryRun } from "../api/dry-run.ts";
import type { Me, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog, showToast } from "../parts/dialog.tsx";
import { Picker } from "../parts/picker.tsx";
import { ChangeFault, isGone, useSave } from "../parts/save.tsx";
import { fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { go, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";
import { ImpactPreview } from "./preview.tsx";

type ActionName = "rename" | "move" | "remove";

/** The actions that the caller may take on a workspace; the server permits none on the caller's own root. */
export function WorkspaceActions({ me, workspace }: { me: Me; workspace: Workspace }) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [doing, begin] = useState<ActionName>();
  const isRoot = workspace.path.length === 0 && workspace.id === workspace.org_id;
  const offered: ActionName[] = [
    ...(may(me, "edit_workspace") ? (["rename"] as const) : []),
    ...(may(me, "move_workspace") && !isRoot ? (["move"] as const) : []),
    ...(may(me, "remove_workspace") ? (["remove"] as const) : []),
  ];
  if (offered.length === 0) return null;
  const end = () => {
    begin(undefined);
    button.current?.focus();
  };
  return (
    <>
      <button type="button" class="button" popovertarget="change" ref={button}>
        {strings.workspaceActions.menu}
      </button>
      <div
        id="change"
        class="menu change-menu"
        popover="auto"
        ref={menu}
        onBeforeToggle={() => placeBelow(menu.current, button.current)}
      >
        {offered.map((what) => (
          <Button
            key={what}
            kind="quiet"
            onClick={() => {
              menu.current?.hidePopover();
              begin(what);
            }}
          >
            {strings.workspaceActions[what]}
          </Button>
        ))}
      </div>
      {doing === "rename" && <Rename workspace={workspace} onClose={end} />}
      {doing === "move" && <Move workspace={workspace} onClose={end} />}
      {doing === "remove" && <Remove workspace={workspace} onClose={end} />}
    </>
  );
}

/** Positions a menu below its button, within the page. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 168))}px`;
}

interface ActionDialogProps {
  workspace: Workspace;
  onClose: () => void;
}

function Rename({ workspace, onClose }: ActionDialogProps) {
  const [name, setName] = useState(workspace.name);
  const [role, setRole] = useState(workspace.role ?? "");
  const save = useSave();
  const close = useUnsaved(name !== workspace.name || role !== (workspace.role ?? ""), [], onClose);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy) return;
    const change = { name, role: role.trim() === "" ? null : role.trim() };
    void save.run({
      send: async () => (await patchWorkspace(workspace.id, change)).data,
      find: async () => {
        const { data } = await api<Workspace>(endpoint.workspace(workspace.id));
        return data.name === change.name.trim() && (data.role ?? null) === change.role ? data : undefined;
      },
      onStored: () => {
        showToast(strings.workspaceActions.renamed(name));
        onClose();
        invalidateTree();
      },
    });
  };
  const faults = [fieldError(save.failure, "name"), fieldError(save.failure, "role")];
  return (
    <Dialog title={strings.workspaceActions.renameTitle(workspace.name)} size="narrow" onClose={close}>
      <form onSubmit={submit}>
        <Field label={strings.workspace.name} fault={faults[0]}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              required
              autofocus
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={strings.workspace.role} hint={strings.workspace.roleHint} fault={faults[1]}>
          {(attributes) => (
            <input {...attributes} type="text" value={role} onInput={(event) => setRole(event.currentTarget.value)} />
          )}
        </Field>
        <ChangeFault save={save} isAtField={faults.some(Boolean)} />
        <footer>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            {strings.workspaceActions.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Move({ workspace, onClose }: ActionDialogProps) {
  const [target, setTarget] = useState<Workspace>();
  const dryRun = useDryRun(target?.id, (signal) => dryRunMove(workspace.id, target?.id ?? "", signal));
  const move = async () => {
    if (!target) return false;
    await patchWorkspace(workspace.id, { parent_id: target.id });
    return target;
  };
  const find = async () => {
    const { data } = await api<Workspace>(endpoint.workspace(workspace.id));
    return target && data.path.at(-1)?.id === target.id ? target : undefined;
  };
  const onDone = (parent: Workspace) => {
    showToast(strings.workspaceActions.moved(workspace.name, parent.name));
    invalidateTree();
  };
  const { moveTitle, moveTo, moveHint, moveDo } = strings.workspaceActions;
  return (
    <Confirm
      title={moveTitle(workspace.name)}
      kind="primary"
      label={dryRun.data && moveDo(workspace.descendant_count + 1)}
      act={move}
      find={find}
      onDone={onDone}
      onClose={onClose}
    >
      <Field label={moveTo} hint={moveHint}>
        {({ id }) => (
          <Picker
            id={id}
            org={workspace.org_id}
            label={moveTo}
            chosen={target?.name}
            isWanted={false}
            onPick={setTarget}
          />
        )}
      </Field>
      <ImpactPreview dryRun={dryRun} />
    </Confirm>
  );
}

function Remove({ workspace, onClose }: ActionDialogProps) {
  const [children, setChildren] = useState<"promote" | "cascade">("promote");
  const below = workspace.descendant_count;
  const wanted = below > 0 ? children : undefined;
  const dryRun = useDryRun(wanted ?? "", (signal) => dryRunRemoval(workspace.id, wanted, signal));
  const { local, team, global } = workspace.memories;
  const onDone = () => {
    showToast(strings.workspaceActions.removed(workspace.name));
    const parent = workspace.path.at(-1);
    go(parent ? workspacePath(parent.id) : "./");
    invalidateTree();
  };
  const going = below > 0 && children === "cascade" ? below + 1 : 1;
  const { removeTitle, removeText, removeDo } = strings.workspaceActions;
  return (
    <Confirm
      title={removeTitle(workspace.name)}
      label={dryRun.data && removeDo(going)}
      act={async () => (await removeWorkspace(workspace.id, wanted)).data.status}
      find={async () => ((await isGone(api(endpoint.workspace(workspace.id)))) ? "removed" : undefined)}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        <bdi dir="ltr">{removeText(workspace.name, local + team + global)}</bdi>
      </p>
      {below > 0 && (
        <fieldset class="scope-choice">
          <legend>{strings.workspaceActions.below(below)}</legend>
          {(["promote", "cascade"] as const).map((each) => (
            <label key={each} class="choice-line">
              <input type="radio" name="children" checked={children === each} onChange={() => setChildren(each)} />
              {strings.workspaceActions[each]}
            </label>
          ))}
        </fieldset>
      )}
      <ImpactPreview dryRun={dryRun} />
    </Confirm>
  );
}
