// Changing where a workspace stands, what it is called, and whether it is there at all.

import { useRef, useState } from "preact/hooks";
import { patchWorkspace, removeWorkspace, tryMove, tryRemoval } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { useTrial } from "../api/trial.ts";
import type { Me, Workspace } from "../api/types.ts";
import { Confirm, Fault } from "../parts/confirm.tsx";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog, say } from "../parts/dialog.tsx";
import { Picker } from "../parts/picker.tsx";
import { faultOf } from "../parts/states.tsx";
import { go, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";
import { Preview } from "./preview.tsx";

type What = "rename" | "move" | "remove";

/** What one may change about a workspace; one's own place is not one's own to change. */
export function Change({ me, workspace }: { me: Me; workspace: Workspace }) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [doing, begin] = useState<What>();
  const isRoot = workspace.path.length === 0 && workspace.id === workspace.org_id;
  const offered: What[] = [
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
        {words.change.menu}
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
            {words.change[what]}
          </Button>
        ))}
      </div>
      {doing === "rename" && <Rename workspace={workspace} onClose={end} />}
      {doing === "move" && <Move workspace={workspace} onClose={end} />}
      {doing === "remove" && <Remove workspace={workspace} onClose={end} />}
    </>
  );
}

/** Puts a menu under its button, within the page. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 168))}px`;
}

interface ChangeProps {
  workspace: Workspace;
  onClose: () => void;
}

function Rename({ workspace, onClose }: ChangeProps) {
  const [name, setName] = useState(workspace.name);
  const [role, setRole] = useState(workspace.role ?? "");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await patchWorkspace(workspace.id, { name, role: role.trim() === "" ? null : role.trim() });
      say(words.change.renamed(name));
      onClose();
      treeChanged();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const faults = [faultOf(failure, "name"), faultOf(failure, "role")];
  return (
    <Dialog title={words.change.renameTitle(workspace.name)} size="narrow" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label={words.workspace.name} fault={faults[0]}>
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
        <Field label={words.workspace.role} hint={words.workspace.roleHint} fault={faults[1]}>
          {(attributes) => (
            <input {...attributes} type="text" value={role} onInput={(event) => setRole(event.currentTarget.value)} />
          )}
        </Field>
        <Fault failure={faults.some(Boolean) ? undefined : failure} />
        <footer>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {words.change.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Move({ workspace, onClose }: ChangeProps) {
  const [target, setTarget] = useState<Workspace>();
  const trial = useTrial(target?.id, (signal) => tryMove(workspace.id, target?.id ?? "", signal));
  const move = async () => {
    if (!target) return false;
    await patchWorkspace(workspace.id, { parent_id: target.id });
    say(words.change.moved(workspace.name, target.name));
    treeChanged();
    return true;
  };
  const { moveTitle, moveTo, moveHint, moveDo } = words.change;
  return (
    <Confirm
      title={moveTitle(workspace.name)}
      kind="first"
      label={trial.data && moveDo(workspace.descendant_count + 1)}
      act={move}
      onClose={onClose}
    >
      <Field label={moveTo} hint={moveHint}>
        {({ id }) => (
          <Picker
            id={id}
            org={workspace.org_id}
            label={moveTo}
            placeholder={target?.name}
            isWanted={false}
            onPick={setTarget}
          />
        )}
      </Field>
      <Preview trial={trial} />
    </Confirm>
  );
}

function Remove({ workspace, onClose }: ChangeProps) {
  const [children, setChildren] = useState<"promote" | "cascade">("promote");
  const below = workspace.descendant_count;
  const wanted = below > 0 ? children : undefined;
  const trial = useTrial(wanted ?? "", (signal) => tryRemoval(workspace.id, wanted, signal));
  const { local, team, global } = workspace.memories;
  const remove = async () => {
    await removeWorkspace(workspace.id, wanted);
    say(words.change.removed(workspace.name));
    const parent = workspace.path.at(-1);
    go(parent ? workspacePath(parent.id) : "./");
    treeChanged();
  };
  const going = below > 0 && children === "cascade" ? below + 1 : 1;
  const { removeTitle, removeWhat, removeDo } = words.change;
  return (
    <Confirm
      title={removeTitle(workspace.name)}
      label={trial.data && removeDo(going)}
      act={remove}
      onClose={onClose}
    >
      <p>
        <bdi>{removeWhat(workspace.name, local + team + global)}</bdi>
      </p>
      {below > 0 && (
        <fieldset class="scope-choice">
          <legend>{words.change.below(below)}</legend>
          {(["promote", "cascade"] as const).map((each) => (
            <label key={each} class="choice-line">
              <input type="radio" name="children" checked={children === each} onChange={() => setChildren(each)} />
              {words.change[each]}
            </label>
          ))}
        </fieldset>
      )}
      <Preview trial={trial} />
    </Confirm>
  );
}
